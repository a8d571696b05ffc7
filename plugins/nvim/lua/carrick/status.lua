-- What carrick last said about itself: the port for terminals, who is connected, and a piece of status line.
local say = require("carrick.say")

local M = {}

local known = {}
local waiting = {}

--- Everything carrick said, or an empty table while it has said nothing.
function M.get()
  return known
end

--- How many agents this Neovim serves. Another editor's agents on the same desk do not count.
function M.clients()
  local mine = vim.tbl_filter(function(client)
    return client.mine ~= false
  end, known.clients or {})
  return mine
end

local function redraw()
  vim.schedule(function()
    pcall(vim.cmd.redrawstatus, { bang = true })
  end)
end

function M.update(status)
  local before = #M.clients()
  known = status
  if type(known.clients) ~= "table" then
    known.clients = {}
  end
  for _, go in ipairs(waiting) do
    go(known)
  end
  waiting = {}
  local now = #M.clients()
  if before == 0 and now > 0 then
    say.event("Connected", { clients = M.clients() })
  elseif before > 0 and now == 0 then
    say.event("Disconnected", {})
  end
  redraw()
end

function M.forget()
  local before = #M.clients()
  known, waiting = {}, {}
  if before > 0 then
    say.event("Disconnected", {})
  end
  redraw()
end

--- Calls `go` with the status as soon as there is a port, or after three seconds with what there is.
function M.when_ready(go)
  if known.port then
    return go(known)
  end
  local gone = false
  local function once(status)
    if not gone then
      gone = true
      vim.schedule(function()
        go(status)
      end)
    end
  end
  table.insert(waiting, once)
  vim.defer_fn(function()
    once(known)
  end, 3000)
end

--- For a status line: empty without carrick, else a mark, the agents, and the changes that wait.
function M.line()
  if not require("carrick.job").is_running() then
    return ""
  end
  local parts = { #M.clients() > 0 and "●" or "○" }
  local waits = require("carrick.review").count()
  if waits > 0 then
    table.insert(parts, ("%d to review"):format(waits))
  end
  return "carrick " .. table.concat(parts, " ")
end

return M
