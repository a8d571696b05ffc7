-- What a person can set, with defaults that need no setup() at all; a wrong key or kind of value is said, not ignored.
local M = {}

M.defaults = {
  -- The program, as a name on PATH, a path, or a list with arguments before "nvim".
  cmd = "carrick",
  -- Start it when Neovim has started.
  auto_start = true,
  -- A prefix such as "<leader>a" puts the commands on keys; false leaves the keys alone.
  mappings = false,
  -- The agent's terminal.
  terminal = {
    -- The agent's command line.
    cmd = { "claude" },
    -- "split", "float", "tab", "external" or "none".
    where = "split",
    -- "left", "right", "top" or "bottom", and the share of the screen, for a split.
    side = "right",
    size = 0.4,
    -- "tmux", "kitty", "wezterm", a list with a "{cmd}" in it, or function(argv, env, cwd).
    external = "tmux",
    -- More variables for the agent.
    env = {},
    -- Start typing as soon as the cursor is in the terminal.
    insert = true,
  },
  review = {
    -- "vertical", "horizontal", "tab" or "inline".
    layout = "vertical",
    -- "auto" takes the cursor there unless the person is typing; true always, false never.
    focus = "auto",
    -- Keys inside a review; false for none.
    accept = "<leader>aa",
    reject = "<leader>ar",
    -- Larger changes (bytes) are shown inline, read in slices: a native diff would hold the editor up.
    large = 1000000,
  },
  -- Read buffers again when the agent has written their files.
  reload = true,
}

local CHOICES = {
  ["terminal.where"] = { "split", "float", "tab", "external", "none" },
  ["terminal.side"] = { "left", "right", "top", "bottom" },
  ["review.layout"] = { "vertical", "horizontal", "tab", "inline" },
}

-- Values that may be of more than the kind their default has.
local KINDS = {
  cmd = { "string", "table" },
  mappings = { "boolean", "string" },
  ["terminal.cmd"] = { "string", "table" },
  ["terminal.external"] = { "string", "table", "function" },
  ["review.focus"] = { "boolean", "string" },
  ["review.accept"] = { "boolean", "string" },
  ["review.reject"] = { "boolean", "string" },
}

local current = vim.deepcopy(M.defaults)
local problems = {}

local function fits(path, value, default)
  local kinds = KINDS[path] or { type(default) }
  if not vim.tbl_contains(kinds, type(value)) then
    local words = ("%s must be a %s, not a %s"):format(path, table.concat(kinds, " or a "), type(value))
    table.insert(problems, words)
    return false
  end
  local choices = CHOICES[path]
  if choices and not vim.tbl_contains(choices, value) then
    table.insert(problems, ('%s is "%s"; it can be %s'):format(path, value, table.concat(choices, ", ")))
    return false
  end
  return true
end

local function merge(into, from, prefix)
  for key, value in pairs(from) do
    local path = prefix .. tostring(key)
    local default = into[key]
    if default == nil then
      table.insert(problems, ("there is no option %s"):format(path))
    elseif fits(path, value, default) then
      local deeper = type(value) == "table" and type(default) == "table" and path ~= "terminal.env" and not KINDS[path]
      if deeper then
        merge(default, value, path .. ".")
      else
        into[key] = value
      end
    end
  end
end

--- Takes the person's options over; returns what was wrong with them, each in its own words.
function M.set(options)
  current, problems = vim.deepcopy(M.defaults), {}
  merge(current, options or {}, "")
  return problems
end

function M.get()
  return current
end

function M.problems()
  return problems
end

return M
