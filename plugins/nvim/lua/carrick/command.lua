-- The :Carrick command: its words, what each does, and their completion, in one table.
local say = require("carrick.say")

local M = {}

local function said(ok, problem)
  if not ok and problem then
    say.warn(problem)
  end
end

local function number(word)
  if word == nil then
    return nil
  end
  local id = tonumber(word)
  if not id then
    error(("`%s` is no number of a change"):format(word), 0)
  end
  return id
end

local function range(command)
  if command.range > 0 then
    return command.line1, command.line2
  end
  return nil
end

local function terminal()
  return require("carrick.terminal")
end

-- A name that exists is taken as it stands, whatever signs are in it; others may have `~`, `$VAR` or wildcards.
local function existing(name)
  for _, path in ipairs({ name, (name:gsub("\\ ", " ")) }) do
    if vim.uv.fs_stat(vim.fn.fnamemodify(path, ":p")) then
      return path
    end
  end
  return nil
end

-- `:Carrick add path [first [last]]`, from the line as typed: a path may have blanks and end in numbers.
local function add(command)
  local mention = require("carrick.mention")
  local words = vim.trim(command.args:match("^%S+%s+(.*)$") or "")
  if words == "" then
    return mention.here(range(command))
  end
  if existing(words) then
    return mention.path(existing(words), range(command))
  end
  local path, first, last = words:match("^(.-)%s+(%d+)%s+(%d+)$")
  if not path then
    path, first = words:match("^(.-)%s+(%d+)$")
  end
  path = path or words
  mention.path(existing(path) or vim.fn.expand(path), tonumber(first), tonumber(last))
end

-- Mentions the lines, then types the words, which `!` sends off.
local function send(command, words)
  local ok = require("carrick.mention").here(range(command))
  if ok and (#words > 0 or command.bang) then
    terminal().type((#words > 0 and " " or "") .. table.concat(words, " "), command.bang)
  end
end

local function decide(verb)
  return function(_, words)
    said(require("carrick.review")[verb](number(words[1])))
  end
end

local function start_with(flag)
  return function(_, words)
    local extra = { flag }
    local name = words[1]
    if flag == "--resume" and words[2] then
      table.insert(extra, words[2])
    end
    terminal().start(name, extra)
  end
end

local function show_lines(name, lines)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modifiable, vim.bo[buffer].bufhidden = false, "wipe"
  pcall(vim.api.nvim_buf_set_name, buffer, "carrick://" .. name)
  local height = math.min(math.max(#lines, 3), 15)
  vim.api.nvim_open_win(buffer, true, { split = "below", win = -1, height = height })
  vim.keymap.set("n", "q", "<Cmd>close<CR>", { buffer = buffer, desc = "carrick: close" })
end

local function log()
  local lines, problem = require("carrick.job").ask("log")
  if not lines then
    return say.error(problem)
  end
  show_lines("log", vim.iter(lines):map(function(line)
    return (line:gsub("\n", " "))
  end):totable())
  vim.cmd("normal! G")
end

local function status()
  local known, problem = require("carrick.job").ask("status")
  if not known then
    return say.warn(problem)
  end
  local lines = { ("carrick %s, port %s, %s"):format(known.version, known.port, known.root) }
  for _, client in ipairs(known.clients or {}) do
    local whose = client.mine and "this Neovim's" or "another editor's"
    table.insert(lines, ("  %s (pid %s), %s"):format(client.name, client.pid or "?", whose))
  end
  if #lines == 1 then
    table.insert(lines, "  no agent is connected; `:Carrick` starts one, `/ide` connects one that runs")
  end
  for _, review in ipairs(require("carrick.review").list()) do
    table.insert(lines, ("  change %d waits: %s"):format(review.id, review.path))
  end
  vim.api.nvim_echo(vim.tbl_map(function(line)
    return { line .. "\n" }
  end, lines), true, {})
end

local WORDS = {
  toggle = function(_, words)
    terminal().toggle(words[1])
  end,
  focus = function(_, words)
    terminal().focus(words[1])
  end,
  send = send,
  add = add,
  mention = function(command)
    require("carrick.mention").here(range(command))
  end,
  accept = decide("accept"),
  reject = decide("reject"),
  review = decide("show"),
  resume = start_with("--resume"),
  continue = start_with("--continue"),
  status = status,
  log = log,
  start = function()
    require("carrick.job").start()
  end,
  stop = function()
    require("carrick.job").stop()
  end,
  restart = function()
    require("carrick.job").restart()
  end,
}

local function sessions()
  return terminal().names()
end

local function reviews()
  return vim.tbl_map(function(review)
    return tostring(review.id)
  end, require("carrick.review").list())
end

local function files(lead)
  return vim.fn.getcompletion(lead, "file")
end

local ARGUMENTS = {
  toggle = sessions,
  focus = sessions,
  resume = sessions,
  continue = sessions,
  accept = reviews,
  reject = reviews,
  review = reviews,
  add = files,
}

local function starting_with(lead, words)
  return vim.tbl_filter(function(word)
    return vim.startswith(word, lead)
  end, words)
end

function M.complete(lead, line)
  local before = line:match("Carrick!?%s+(.*)$") or ""
  local verb = before:match("^(%S+)%s")
  if verb then
    local arguments = ARGUMENTS[verb]
    return arguments and starting_with(lead, arguments(lead)) or {}
  end
  local words = vim.tbl_keys(WORDS)
  table.sort(words)
  return starting_with(lead, words)
end

function M.run(command)
  local words = vim.deepcopy(command.fargs)
  local verb = table.remove(words, 1) or (command.range > 0 and "send" or "toggle")
  local act = WORDS[verb]
  if not act then
    local all = vim.tbl_keys(WORDS)
    table.sort(all)
    return say.error("there is no `:Carrick %s`; there are %s", verb, table.concat(all, ", "))
  end
  local ok, problem = pcall(act, command, words)
  if not ok then
    say.error(problem)
  end
end

return M
