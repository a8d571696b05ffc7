-- The carrick process behind this Neovim: started, heard of, missed when it dies, and never waited for.
local say = require("carrick.say")

local M = {}

-- The channel carrick is spoken to on, its job when we started it, and the end of what it wrote to stderr.
local state = { channel = nil, job = nil, words = {}, version = nil }

function M.channel()
  return state.channel
end

function M.is_running()
  return state.channel ~= nil
end

--- The version of the program, once it has said hello.
function M.version()
  return state.version
end

--- Whether this Neovim started it; an attached one has been started by hand.
function M.is_ours()
  return state.job ~= nil
end

--- The command line of the program.
function M.argv()
  local cmd = require("carrick.config").get().cmd
  local argv = type(cmd) == "table" and vim.deepcopy(cmd) or { cmd }
  argv[1] = vim.fn.expand(argv[1])
  table.insert(argv, "nvim")
  return argv
end

local function forget()
  state.channel, state.job, state.version = nil, nil, nil
  require("carrick.status").forget()
  require("carrick.review").abandon()
end

local function last_words()
  local lines = vim.tbl_filter(function(line)
    return vim.trim(line) ~= ""
  end, state.words)
  return lines[#lines]
end

local function on_exit(job, code)
  if job ~= state.job then
    return
  end
  forget()
  if vim.v.exiting == vim.NIL then
    local why = last_words() or ("exit code %d"):format(code)
    say.error("carrick has ended (%s). Neovim works on without it; `:Carrick restart` starts it again.", why)
  end
  say.event("Stopped", { code = code })
end

local function on_stderr(_, data)
  state.words[#state.words] = (state.words[#state.words] or "") .. data[1]
  vim.list_extend(state.words, data, 2)
  while #state.words > 20 do
    table.remove(state.words, 1)
  end
end

--- Starts carrick unless it runs. Returns false, and has said why, when it cannot be started.
function M.start()
  if state.channel then
    return true
  end
  local argv = M.argv()
  if vim.fn.executable(argv[1]) == 0 then
    say.error("there is no program `%s`. Install carrick, or say where it is: setup{ cmd = … }.", argv[1])
    return false
  end
  state.words = { "" }
  local ok, job = pcall(vim.fn.jobstart, argv, { rpc = true, on_exit = on_exit, on_stderr = on_stderr })
  if not ok or job <= 0 then
    say.error("cannot start `%s`: %s", table.concat(argv, " "), ok and "it cannot be run" or job)
    return false
  end
  state.channel, state.job = job, job
  require("carrick.track").start()
  return true
end

function M.stop()
  local job = state.job
  -- Forgotten first: an end that we asked for is no news.
  forget()
  if job then
    vim.fn.jobstop(job)
  end
end

function M.restart()
  M.stop()
  return M.start()
end

--- carrick said hello on this channel: our job's own, or that of one which attached to the socket.
function M.greeted(channel, version)
  state.version = version
  if channel and channel ~= vim.NIL then
    state.channel = channel
  end
  require("carrick.track").start()
end

-- A carrick that attached to our socket goes without an exit that we would hear of.
local function lost()
  if state.job == nil and state.channel then
    forget()
    say.error("the carrick that was attached to this Neovim has gone; `:Carrick restart` starts one")
    say.event("Stopped", {})
  end
end

--- Tells carrick something; false when nobody is there to hear it.
function M.notify(kind, payload)
  if not state.channel then
    return false
  end
  if next(payload) == nil then
    payload = vim.empty_dict()
  end
  local ok = pcall(vim.rpcnotify, state.channel, "carrick", kind, payload)
  if not ok then
    lost()
  end
  return ok
end

--- Asks carrick something that it answers from memory. For commands a person typed, nothing else.
function M.ask(what)
  if not state.channel then
    return nil, "carrick is not running; `:Carrick restart` starts it"
  end
  local ok, answer = pcall(vim.rpcrequest, state.channel, "carrick_ask", { what = what })
  if not ok then
    return nil, answer
  end
  return answer
end

return M
