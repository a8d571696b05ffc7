-- Starts the agent outside Neovim: in a pane of tmux, kitty or wezterm, or by a command of the person's own.
local say = require("carrick.say")

local M = {}

-- `env` carries the variables: not every terminal can set them, and panes inherit from a server, not from us.
local function command_line(argv, env)
  local line = { "env" }
  for _, name in ipairs(vim.fn.sort(vim.tbl_keys(env))) do
    table.insert(line, ("%s=%s"):format(name, env[name]))
  end
  return vim.list_extend(line, argv)
end

local PRESETS = {
  tmux = function(cwd)
    return { "tmux", "split-window", "-h", "-c", cwd, "{cmd}" }
  end,
  kitty = function(cwd)
    return { "kitty", "@", "launch", "--type=window", "--cwd", cwd, "{cmd}" }
  end,
  wezterm = function(cwd)
    return { "wezterm", "cli", "split-pane", "--right", "--cwd", cwd, "--", "{cmd}" }
  end,
}

--- The command line with the agent's put in place of "{cmd}", word by word.
function M.fill(template, command)
  local line = {}
  for _, word in ipairs(template) do
    if word == "{cmd}" then
      vim.list_extend(line, command)
    else
      local text = table.concat(vim.tbl_map(vim.fn.shellescape, command), " ")
      table.insert(line, (word:gsub("{cmd}", (text:gsub("%%", "%%%%")))))
    end
  end
  return line
end

function M.start(argv, env, cwd)
  local way = require("carrick.config").get().terminal.external
  if type(way) == "function" then
    return way(argv, env, cwd)
  end
  local preset = type(way) == "string" and PRESETS[way]
  if type(way) == "string" and not preset then
    return say.error('terminal.external is "%s"; it can be tmux, kitty, wezterm, a list or a function', way)
  end
  local line = M.fill(preset and preset(cwd) or way, command_line(argv, env))
  if vim.fn.executable(line[1]) == 0 then
    return say.error("there is no program `%s` to start the agent in; see `:help carrick-terminal`", line[1])
  end
  vim.system(line, { cwd = cwd }, function(result)
    if result.code ~= 0 then
      say.error("`%s` failed with code %d: %s", line[1], result.code, vim.trim(result.stderr or ""))
    end
  end)
end

return M
