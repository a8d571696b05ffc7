-- Puts files, folders and lines into the agent's prompt: by path, from where the cursor is, or from a file tree.
local job = require("carrick.job")
local place = require("carrick.place")
local say = require("carrick.say")

local M = {}

--- Mentions one path; lines count from 1 and are both included. Relative paths are seen from the working folder.
function M.path(path, first, last)
  path = vim.fn.fnamemodify(path, ":p")
  path = path:gsub("(.)/$", "%1")
  if not vim.uv.fs_stat(path) and not place.loaded(path) then
    say.error("there is no file or folder %s", path)
    return false
  end
  local payload = { path = path, pid = require("carrick.terminal").pid_to_address() }
  if first then
    payload.line_start, payload.line_end = first - 1, (last or first) - 1
  end
  if not job.notify("mention", payload) then
    say.error("nothing was mentioned: carrick is not running; `:Carrick restart` starts it")
    return false
  end
  return true
end

--- Mentions what the cursor or the lines are on: a file, or entries of a file tree.
function M.here(first, last)
  local buffer = vim.api.nvim_get_current_buf()
  local paths = require("carrick.trees").paths(buffer, first, last)
  if paths then
    for _, path in ipairs(paths) do
      M.path(path)
    end
    if #paths == 0 then
      say.warn("there is no file under the cursor")
    end
    return #paths > 0
  end
  local path = place.file_of(buffer)
  if not path then
    say.warn("this buffer is no file; nothing was mentioned")
    return false
  end
  return M.path(path, first, last)
end

return M
