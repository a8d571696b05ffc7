-- Tells carrick where the person is: raw states, one per turn of the loop. Waiting and comparing is carrick's work.
local job = require("carrick.job")
local place = require("carrick.place")
local visual = require("carrick.visual")

local M = {}

-- Beyond this many lines a selection is told when it has come to rest, so that dragging it costs nothing.
local MANY_LINES = 2000
local REST_MS = 80
-- Focus is told no more often than this.
local FOCUS_MS = 1000

-- `untold`: something is selected that carrick has not heard of.
local state = { scheduled = false, buffer = nil, timer = nil, untold = false, focused = 0 }

--- The buffer of the file the person was in last.
function M.active_buffer()
  return state.buffer
end

-- Not every terminal says when it gets the focus; somebody who moves the cursor is there.
local function tell_focus()
  local now = vim.uv.now()
  if now - state.focused > FOCUS_MS then
    state.focused = now
    job.notify("focus", {})
  end
end

local function tell(buffer, path, told)
  tell_focus()
  told.path = path
  state.buffer, state.untold = buffer, false
  job.notify("selection", told)
end

local function is_visual(mode)
  return mode:match("^[vV\22]") ~= nil
end

local function is_large()
  return math.abs(vim.fn.line("v") - vim.fn.line(".")) > MANY_LINES
end

local function tell_at_rest()
  state.timer = state.timer or vim.uv.new_timer()
  state.timer:start(REST_MS, 0, vim.schedule_wrap(function()
    local path = place.file_of(vim.api.nvim_get_current_buf())
    if path then
      tell(vim.api.nvim_get_current_buf(), path, visual.current())
    end
  end))
end

-- While a command line is open, a selection that was made for it still stands.
local function is_between()
  return vim.fn.mode():match("^[cr!]") ~= nil or vim.fn.getcmdwintype() ~= ""
end

local function look()
  state.scheduled = false
  if is_between() or not job.is_running() then
    return
  end
  local buffer = vim.api.nvim_get_current_buf()
  local path = place.file_of(buffer)
  if not path then
    return M.check_gone()
  end
  if is_visual(vim.fn.mode()) and is_large() then
    return tell_at_rest()
  end
  if state.timer then
    state.timer:stop()
  end
  tell(buffer, path, visual.current())
end

-- Keys that come fast may select and leave before there was time to look; the marks still know.
local function tell_what_was_left(mode)
  local buffer = vim.api.nvim_get_current_buf()
  local path = place.file_of(buffer)
  if path and job.is_running() then
    tell(buffer, path, visual.last(mode))
  end
end

--- Looks once this turn of the loop is over: leaving visual mode for a terminal is two events, and one state.
function M.moved(event)
  local old, new = vim.v.event.old_mode, vim.v.event.new_mode
  if event and event.event == "ModeChanged" and is_visual(old) and not is_visual(new) then
    if state.untold then
      tell_what_was_left(old:sub(1, 1))
    end
  elseif is_visual(vim.fn.mode()) then
    state.untold = true
  end
  if not state.scheduled then
    state.scheduled = true
    vim.schedule(look)
  end
end

--- In a terminal, a tree or help what was told still holds, unless that buffer has gone.
function M.check_gone()
  local buffer = state.buffer
  if buffer and not (vim.api.nvim_buf_is_valid(buffer) and vim.api.nvim_buf_is_loaded(buffer)) then
    state.buffer = nil
    job.notify("no_file", {})
  end
end

return M
