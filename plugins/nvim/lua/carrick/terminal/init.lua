-- Named sessions of the agent, each in a terminal buffer of its own that lives while its window is hidden.
local env = require("carrick.terminal.env")
local say = require("carrick.say")
local status = require("carrick.status")
local window = require("carrick.terminal.window")

local M = {}

local DEFAULT = "claude"

-- By name: the buffer and the job. `last` is the one the person was in last.
local sessions, last = {}, DEFAULT

local function options()
  return require("carrick.config").get().terminal
end

local function argv(extra)
  local cmd = options().cmd
  local line = type(cmd) == "table" and vim.deepcopy(cmd) or vim.split(cmd, " ", { trimempty = true })
  return vim.list_extend(line, extra or {})
end

local function alive(name)
  local session = sessions[name]
  return session and session.buffer and vim.api.nvim_buf_is_valid(session.buffer) and session or nil
end

--- The names of the sessions that run.
function M.names()
  local names = vim.tbl_filter(alive, vim.tbl_keys(sessions))
  table.sort(names)
  return names
end

--- The process of the session the person was in last: a mention is meant for that one. nil with fewer than two.
function M.pid_to_address()
  if #M.names() < 2 or not alive(last) then
    return nil
  end
  local ok, pid = pcall(vim.fn.jobpid, sessions[last].job)
  return ok and pid or nil
end

local function on_exit(name, buffer)
  return function(_, code)
    sessions[name] = nil
    if vim.v.exiting ~= vim.NIL or not vim.api.nvim_buf_is_valid(buffer) then
      return
    end
    if code == 0 then
      vim.api.nvim_buf_delete(buffer, { force = true })
    else
      -- What it said last is worth reading.
      say.warn("the agent of session `%s` ended with code %d", name, code)
    end
  end
end

local function run(line, settings)
  if vim.fn.has("nvim-0.11") == 1 then
    return vim.fn.jobstart(line, vim.tbl_extend("force", settings, { term = true }))
  end
  return vim.fn.termopen(line, settings)
end

local function open_terminal(name, line, port)
  local buffer = vim.api.nvim_create_buf(false, false)
  local win = window.open(buffer)
  local settings = { env = env.of(port, name), cwd = vim.fn.getcwd(), on_exit = on_exit(name, buffer) }
  local ok, started = pcall(run, line, settings)
  if not ok or started <= 0 then
    vim.api.nvim_win_close(win, true)
    vim.api.nvim_buf_delete(buffer, { force = true })
    return say.error("cannot start the agent `%s`: %s", table.concat(line, " "), ok and "it cannot be run" or started)
  end
  sessions[name] = { buffer = buffer, job = started }
  vim.bo[buffer].buflisted, vim.bo[buffer].bufhidden = false, "hide"
  vim.b[buffer].carrick_session = name
  pcall(vim.api.nvim_buf_set_name, buffer, "carrick://session/" .. name)
  vim.api.nvim_create_autocmd({ "BufEnter", "TermEnter" }, {
    buffer = buffer,
    callback = function()
      last = name
    end,
  })
  last = name
  if options().insert then
    vim.cmd.startinsert()
  end
  say.event("SessionStarted", { name = name, buffer = buffer })
end

--- Starts a session with more arguments for the agent. `name` may be left out.
function M.start(name, extra)
  name = name or DEFAULT
  local line = argv(extra)
  if vim.fn.executable(line[1]) == 0 then
    return say.error("there is no program `%s`; install the agent, or set terminal.cmd", line[1])
  end
  require("carrick.job").start()
  status.when_ready(function(known)
    if options().where == "external" then
      require("carrick.terminal.external").start(line, env.of(known.port, name), vim.fn.getcwd())
    elseif options().where == "none" then
      say.info("terminal.where is \"none\": start `%s` yourself; it finds this Neovim", line[1])
    elseif not alive(name) then
      open_terminal(name, line, known.port)
    end
  end)
end

local function hide(windows)
  for _, win in ipairs(windows) do
    if not pcall(vim.api.nvim_win_close, win, false) then
      vim.api.nvim_win_set_buf(win, vim.api.nvim_create_buf(true, false))
    end
  end
end

local function show(session)
  local windows = window.of(session.buffer)
  if windows[1] then
    vim.api.nvim_set_current_win(windows[1])
  else
    window.open(session.buffer)
  end
  if options().insert then
    vim.cmd.startinsert()
  end
end

--- Goes to a session, which is started or shown if need be.
function M.focus(name)
  local session = alive(name or last)
  if session then
    return show(session)
  end
  M.start(name)
end

--- Shows a session, or hides it when it is on this tab page.
function M.toggle(name)
  local session = alive(name or last)
  if not session then
    return M.start(name)
  end
  local here = vim.tbl_filter(function(win)
    return vim.api.nvim_win_get_tabpage(win) == vim.api.nvim_get_current_tabpage()
  end, window.of(session.buffer))
  if #here > 0 then
    hide(here)
  else
    show(session)
  end
end

--- Types text into the session the person was in last; with `enter` it is sent off.
function M.type(text, enter)
  local session = alive(last)
  if not session then
    say.warn("no session runs in this Neovim; `:Carrick` starts one")
    return false
  end
  -- Bracketed paste: lines stay one prompt.
  vim.api.nvim_chan_send(session.job, "\27[200~" .. text .. "\27[201~" .. (enter and "\r" or ""))
  return true
end

return M
