-- What is selected in a window, as bytes: every visual mode, tabs and wide characters included. Neovim itself moves the
-- ends of a selection to those of a closed fold.
local M = {}

local BLOCK = "\22"

local function line_at(buffer, line)
  return vim.api.nvim_buf_get_lines(buffer, line, line + 1, false)[1] or ""
end

local function span(buffer, from, to, text)
  local last = vim.api.nvim_buf_line_count(buffer) - 1
  to.line = math.min(to.line, last)
  local start_text, end_text = line_at(buffer, from.line), line_at(buffer, to.line)
  from.byte, to.byte = math.min(from.byte, #start_text), math.min(to.byte, #end_text)
  return { start = from, ["end"] = to, start_line_text = start_text, end_line_text = end_text, text = text }
end

--- The cursor of a window as a selection of nothing.
function M.cursor(window)
  local buffer = vim.api.nvim_win_get_buf(window)
  local at = vim.api.nvim_win_get_cursor(window)
  local here = { line = at[1] - 1, byte = at[2] }
  return span(buffer, here, vim.deepcopy(here), "")
end

-- The byte after the character that starts at `byte`.
local function after_character(text, byte)
  if byte >= #text then
    return #text
  end
  return byte + vim.str_utf_end(text, byte + 1) + 1
end

-- The two ends of a selection: while it is made, and as the marks that it leaves behind.
local NOW, BEFORE = { "v", "." }, { "'<", "'>" }

local function ordered(ends)
  local from, to = vim.fn.getpos(ends[1]), vim.fn.getpos(ends[2])
  if from[2] > to[2] or (from[2] == to[2] and from[3] > to[3]) then
    from, to = to, from
  end
  return { line = from[2] - 1, byte = from[3] - 1 }, { line = to[2] - 1, byte = to[3] - 1 }
end

local function by_character(buffer, ends)
  local from, to = ordered(ends)
  local end_text = line_at(buffer, to.line)
  if vim.o.selection ~= "exclusive" then
    to.byte = after_character(end_text, to.byte)
  end
  to.byte = math.min(to.byte, #line_at(buffer, to.line))
  from.byte = math.min(from.byte, #line_at(buffer, from.line))
  local lines = vim.api.nvim_buf_get_text(buffer, from.line, from.byte, to.line, to.byte, {})
  return span(buffer, from, to, table.concat(lines, "\n"))
end

local function by_line(buffer, ends)
  local from, to = ordered(ends)
  from.byte, to.byte = 0, #line_at(buffer, to.line)
  local lines = vim.api.nvim_buf_get_lines(buffer, from.line, to.line + 1, false)
  return span(buffer, from, to, table.concat(lines, "\n"))
end

-- The first and last screen column of the block; a wide character or a tab belongs to it whole.
local function columns(ends)
  local a, b = vim.fn.virtcol(ends[1], true), vim.fn.virtcol(ends[2], true)
  return math.min(a[1], b[1]), math.max(a[2], b[2])
end

-- The byte of the character that covers a screen column, or the end of a line that is shorter.
local function byte_at(line, column)
  local text = vim.fn.getline(line + 1)
  if column > vim.fn.strdisplaywidth(text) then
    return #text
  end
  return vim.fn.virtcol2col(0, line + 1, column) - 1
end

local function by_block(buffer, ends)
  local from, to = ordered(ends)
  local left, right = columns(ends)
  local to_the_end = vim.fn.winsaveview().curswant >= vim.v.maxcol
  local text = vim.fn.getregion(vim.fn.getpos(ends[1]), vim.fn.getpos(ends[2]), { type = BLOCK })
  if to_the_end then
    text = vim.iter(vim.api.nvim_buf_get_lines(buffer, from.line, to.line + 1, false)):enumerate():map(function(index, line)
      return line:sub(byte_at(from.line + index - 1, left) + 1)
    end):totable()
  end
  local end_text = line_at(buffer, to.line)
  from.byte = byte_at(from.line, left)
  to.byte = to_the_end and #end_text or after_character(end_text, byte_at(to.line, right))
  return span(buffer, from, to, table.concat(text, "\n"))
end

local WAYS = { v = by_character, V = by_line, [BLOCK] = by_block }

--- What is selected in the current window; the cursor when it is in no visual mode.
function M.current()
  local way = WAYS[vim.fn.mode()]
  if way then
    return way(vim.api.nvim_get_current_buf(), NOW)
  end
  return M.cursor(vim.api.nvim_get_current_win())
end

--- What was selected until a moment ago, in the visual mode `mode`.
function M.last(mode)
  return WAYS[mode](vim.api.nvim_get_current_buf(), BEFORE)
end

return M
