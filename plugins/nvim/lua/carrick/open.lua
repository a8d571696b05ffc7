-- The call `open`: a file in the right window, with the lines or the passage that was asked for selected.
local place = require("carrick.place")

local M = {}

-- A swap file's question would hold up the caller; the person is asked when they edit.
local function quietly(work)
  local before = vim.o.shortmess
  vim.opt.shortmess:append("A")
  local ok, problem = pcall(work)
  vim.o.shortmess = before
  if not ok then
    error(problem, 0)
  end
end

local function buffer_for(path)
  local buffer = place.buffer_of(path)
  if not (buffer and vim.api.nvim_buf_is_loaded(buffer)) then
    local stat = vim.uv.fs_stat(path)
    if not stat then
      error(("there is no file %s"):format(path), 0)
    elseif stat.type == "directory" then
      error(("%s is a folder, not a file"):format(path), 0)
    end
    buffer = buffer or vim.fn.bufadd(path)
    quietly(function()
      vim.fn.bufload(buffer)
    end)
  end
  vim.bo[buffer].buflisted = true
  return buffer
end

local function new_window(buffer)
  return vim.api.nvim_open_win(buffer, false, { split = "left", win = place.any_window() })
end

--- The window that shows the buffer now: one that did already, an ordinary one, or a new one.
function M.show(buffer)
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if vim.api.nvim_win_get_buf(window) == buffer and place.is_ordinary(window) then
      return window
    end
  end
  local window = place.ordinary_window()
  if not window then
    return new_window(buffer)
  end
  vim.api.nvim_win_call(window, function()
    vim.cmd("normal! m'")
  end)
  vim.api.nvim_win_set_buf(window, buffer)
  return window
end

-- A place in the joined text of a buffer, as line and byte.
local function position(lines, offset)
  local line = 0
  while line < #lines - 1 and offset > #lines[line + 1] do
    offset = offset - #lines[line + 1] - 1
    line = line + 1
  end
  return { line = line, byte = offset }
end

local function passage(lines, args, answer)
  local text = table.concat(lines, "\n")
  local from, to = text:find(args.start_text, 1, true)
  if not from then
    answer.start_missing = true
    return nil
  end
  if args.end_text and args.end_text ~= "" then
    local _, after = text:find(args.end_text, to + 1, true)
    answer.end_missing = after == nil
    to = after or to
  end
  return { start = position(lines, from - 1), ["end"] = position(lines, to) }
end

-- Whole lines, or the part between two columns.
local function rows(lines, args)
  local last = #lines - 1
  local from = math.min(args.line, last)
  local to = math.max(from, math.min(args.end_line or args.line, last))
  local function column(byte, line)
    return math.min(byte, #lines[line + 1])
  end
  return {
    start = { line = from, byte = column(args.byte or 0, from) },
    ["end"] = { line = to, byte = column(args.end_byte or args.byte or math.huge, to) },
  }
end

local function wanted(buffer, args, answer)
  local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  local span
  if args.start_text and args.start_text ~= "" then
    span = passage(lines, args, answer)
  elseif args.line then
    span = rows(lines, args)
  end
  if span then
    if args.to_end_of_line then
      span["end"].byte = #lines[span["end"].line + 1]
    end
    span.start_text_of_line = lines[span.start.line + 1]
    span.end_text_of_line = lines[span["end"].line + 1]
  end
  return span
end

-- Visual mode includes the character under the cursor; the span does not.
local function select_visually(window, span)
  local last = math.max(span["end"].byte - 1, 0)
  vim.api.nvim_win_set_cursor(window, { span.start.line + 1, span.start.byte })
  if span.start.line == span["end"].line and span.start.byte == span["end"].byte then
    return
  end
  vim.cmd("normal! v")
  vim.api.nvim_win_set_cursor(window, { span["end"].line + 1, last })
end

local function go_to(window, span, focus)
  if focus then
    if vim.fn.mode():match("^[vV\22]") then
      vim.cmd("normal! \27")
    end
    vim.cmd.stopinsert()
    vim.api.nvim_set_current_win(window)
    require("carrick.job").notify("focus", {})
  end
  if not span then
    return
  end
  vim.api.nvim_win_call(window, function()
    vim.api.nvim_win_set_cursor(window, { span.start.line + 1, span.start.byte })
    vim.cmd("normal! zv")
  end)
  if focus then
    select_visually(window, span)
  end
end

function M.open(args)
  local buffer = buffer_for(args.path)
  local window = M.show(buffer)
  if args.preview and vim.b[buffer].carrick_preview == nil then
    vim.b[buffer].carrick_preview = true
  end
  local answer = { start_missing = false, end_missing = false }
  answer.selected = wanted(buffer, args, answer)
  go_to(window, answer.selected, args.focus)
  answer.path = vim.api.nvim_buf_get_name(buffer)
  answer.language = vim.bo[buffer].filetype
  answer.line_count = vim.api.nvim_buf_line_count(buffer)
  return answer
end

return M
