-- The call `diagnostics`: what the language servers say, about the newest text or after a short wait.
local job = require("carrick.job")
local place = require("carrick.place")

local M = {}

-- Per buffer: the text the servers know (its changedtick) and since when, and when diagnostics came last.
local told, heard = {}, {}
-- Calls that wait, by their number.
local waiting, next_id = {}, 1

local CHANGES = { ["textDocument/didOpen"] = true, ["textDocument/didChange"] = true }

-- Nothing changed since diagnostics came, or there is nobody who could speak.
local function is_fresh(buffer)
  if #vim.lsp.get_clients({ bufnr = buffer }) == 0 then
    return true
  end
  local known = told[buffer]
  -- Neovim tells the servers of a change some time after it, so that the newest text may not be known yet.
  return not known or known.tick == vim.b[buffer].changedtick and (heard[buffer] or 0) > known.since
end

local function line_text(buffer, line)
  return vim.api.nvim_buf_get_lines(buffer, line, line + 1, false)[1] or ""
end

local function one(buffer, diagnostic)
  local end_line = diagnostic.end_lnum or diagnostic.lnum
  return {
    message = diagnostic.message,
    severity = diagnostic.severity,
    line = diagnostic.lnum,
    byte = diagnostic.col,
    end_line = end_line,
    end_byte = diagnostic.end_col or diagnostic.col,
    line_text = line_text(buffer, diagnostic.lnum),
    end_line_text = line_text(buffer, end_line),
    source = diagnostic.source,
    code = diagnostic.code and tostring(diagnostic.code) or nil,
  }
end

local function of_buffer(buffer)
  local list = vim.tbl_map(function(diagnostic)
    return one(buffer, diagnostic)
  end, vim.diagnostic.get(buffer))
  return { path = vim.api.nvim_buf_get_name(buffer), diagnostics = list }
end

-- A file that was asked for is answered for even when nothing is wrong with it; of all, only those with a finding.
local function answer(buffers, asked)
  local files = {}
  for _, buffer in ipairs(buffers) do
    if vim.api.nvim_buf_is_valid(buffer) then
      local file = of_buffer(buffer)
      file.path = asked or file.path
      if asked or #file.diagnostics > 0 then
        table.insert(files, file)
      end
    end
  end
  return files
end

local function finish(id)
  local call = waiting[id]
  if not call then
    return
  end
  waiting[id] = nil
  call.timer:stop()
  call.timer:close()
  job.notify("done", { id = id, value = answer(call.buffers, call.asked) })
end

local function wait(buffers, asked, milliseconds)
  local id = next_id
  next_id = id + 1
  local timer = vim.uv.new_timer()
  waiting[id] = { buffers = buffers, asked = asked, timer = timer }
  timer:start(milliseconds, 0, vim.schedule_wrap(function()
    finish(id)
  end))
  return { pending = id }
end

local function all_fresh(buffers)
  return vim.iter(buffers):all(is_fresh)
end

--- Takes what servers that were there before us have said for the truth about the text as it is now.
function M.begin()
  for _, client in ipairs(vim.lsp.get_clients()) do
    for buffer in pairs(client.attached_buffers or {}) do
      told[buffer] = told[buffer] or { tick = vim.b[buffer].changedtick, since = 0 }
      heard[buffer] = heard[buffer] or 1
    end
  end
end

--- Something was sent to a language server: after a change, older diagnostics are stale.
function M.notified(event)
  local method, buffer = event.data and event.data.method, event.buf
  if CHANGES[method] then
    told[buffer] = { tick = vim.b[buffer].changedtick, since = vim.uv.hrtime() }
  elseif method == "textDocument/didSave" and told[buffer] then
    -- Saving counts the tick up and changes no text.
    told[buffer].tick = vim.b[buffer].changedtick
  end
end

--- Diagnostics came for a buffer: calls that waited for nothing else are answered.
function M.changed(buffer)
  heard[buffer] = vim.uv.hrtime()
  for id, call in pairs(waiting) do
    if all_fresh(call.buffers) then
      vim.schedule(function()
        finish(id)
      end)
    end
  end
end

local function files()
  return vim.tbl_filter(function(buffer)
    return vim.api.nvim_buf_is_loaded(buffer) and place.file_of(buffer) ~= nil
  end, vim.api.nvim_list_bufs())
end

function M.collect(args)
  require("carrick.reload").check()
  local buffers = args.path and { place.loaded(args.path) } or files()
  if all_fresh(buffers) or (args.wait_ms or 0) <= 0 then
    return answer(buffers, args.path)
  end
  return wait(buffers, args.path, args.wait_ms)
end

return M
