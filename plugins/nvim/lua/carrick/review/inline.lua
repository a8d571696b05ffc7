-- A review in one window: the proposal itself, editable, with removed lines between its lines as virtual ones.
local layout = require("carrick.review.layout")
local text = require("carrick.text")

local M = {}

local MARKS = vim.api.nvim_create_namespace("carrick_inline")

-- 0.12 moved it.
local diff = vim.text and vim.text.diff or vim.diff

local function virtual(line)
  return { { (line:gsub("\t", "    ")), "CarrickRemoved" }, { (" "):rep(200), "CarrickRemoved" } }
end

-- Removed lines stand above the line that came in their place; at the end of the file below the last one.
local function removed(hunk)
  if #hunk.lines == 0 then
    return {}
  end
  local above = hunk.count > 0 or hunk.after == 0
  return { virt_lines = vim.tbl_map(virtual, hunk.lines), virt_lines_above = above }
end

-- The hunk's own mark moves with the text, so that it is found again after an edit elsewhere.
local function show(buffer, hunk)
  local row = hunk.count > 0 and hunk.first - 1 or math.max(hunk.after - 1, 0)
  local options = removed(hunk)
  options.end_row = hunk.count > 0 and row + hunk.count or nil
  hunk.mark = vim.api.nvim_buf_set_extmark(buffer, MARKS, row, 0, options)
  for line = row, row + hunk.count - 1 do
    vim.api.nvim_buf_set_extmark(buffer, MARKS, line, 0, { line_hl_group = "CarrickAdded" })
  end
end

local function paint(review, hunks)
  local buffer = review.buffers and review.buffers.proposed
  if not buffer or not vim.api.nvim_buf_is_valid(buffer) then
    return
  end
  review.hunks = hunks
  vim.api.nvim_buf_clear_namespace(buffer, MARKS, 0, -1)
  for _, hunk in ipairs(hunks) do
    show(buffer, hunk)
  end
end

-- Both ends in a newline: whether the file has one is shown in words, not as a changed last line.
local function whole(lines)
  return #lines == 0 and "" or table.concat(lines, "\n") .. "\n"
end

-- A hunk replaces `lines` of the file by `count` lines from `first` on; with none of them it comes after `after`.
local function hunk_of(indices, lines)
  return { lines = lines, count = indices[4], first = indices[3], after = indices[3] }
end

local function compare(original, after)
  local hunks = diff(whole(original), after, { result_type = "indices", algorithm = "histogram" })
  return vim.tbl_map(function(indices)
    return hunk_of(indices, vim.list_slice(original, indices[1], indices[1] + indices[2] - 1))
  end, hunks)
end

-- Runs in a thread, which gets and gives strings: compares, and cuts the removed lines out of the file.
local function compare_in_thread(before, after)
  local differ = vim.text and vim.text.diff or vim.diff
  local hunks = differ(before, after, { result_type = "indices" })
  local line, at = 1, 1
  for _, hunk in ipairs(hunks) do
    hunk[5] = {}
    while line < hunk[1] + hunk[2] do
      local stop = before:find("\n", at, true) or #before + 1
      if line >= hunk[1] then
        table.insert(hunk[5], before:sub(at, stop - 1))
      end
      line, at = line + 1, stop + 1
    end
  end
  return vim.mpack.encode(hunks)
end

local function compare_elsewhere(review)
  local work = vim.uv.new_work(compare_in_thread, function(packed)
    vim.schedule(function()
      paint(review, vim.tbl_map(function(indices)
        return hunk_of(indices, indices[5])
      end, vim.mpack.decode(packed)))
    end)
  end)
  work:queue(review.original or "", review.proposed)
end

--- Compares again and paints what came of it. A large change is compared once; its marks move with the text.
function M.render(review)
  if not review.is_large then
    paint(review, compare(review.original_lines, whole(text.lines(review.buffers.proposed))))
  elseif not review.painted then
    review.painted = true
    compare_elsewhere(review)
  end
end

-- Where a hunk is now: its first row from 0, and the row after it.
local function rows_of(review, hunk)
  local mark = vim.api.nvim_buf_get_extmark_by_id(review.buffers.proposed, MARKS, hunk.mark, { details = true })
  local row = mark[1] or 0
  if hunk.count > 0 then
    return row, mark[3] and mark[3].end_row or row
  end
  row = hunk.after == 0 and row or row + 1
  return row, row
end

local function hunk_at(review, row)
  for _, hunk in ipairs(review.hunks or {}) do
    local from, to = rows_of(review, hunk)
    local inside = row >= from and row < to
    local beside = from == to and (row == from or row == from - 1)
    if inside or beside then
      return hunk, from, to
    end
  end
  return nil
end

--- Puts what stands on disk in place of the hunk under the cursor: that hunk is rejected. TextChanged paints the rest.
function M.take_back(review)
  local hunk, from, to = hunk_at(review, vim.api.nvim_win_get_cursor(0)[1] - 1)
  if not hunk then
    return
  end
  local buffer = review.buffers.proposed
  vim.api.nvim_buf_clear_namespace(buffer, MARKS, from, math.max(to, from + 1))
  vim.api.nvim_buf_del_extmark(buffer, MARKS, hunk.mark)
  vim.api.nvim_buf_set_lines(buffer, from, to, false, hunk.lines)
  review.hunks = vim.tbl_filter(function(other)
    return other ~= hunk
  end, review.hunks)
end

--- Moves the cursor to the next hunk, or with -1 to the one before.
function M.jump(review, direction)
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  local best
  for _, hunk in ipairs(review.hunks or {}) do
    local from, to = rows_of(review, hunk)
    local at = from == to and math.max(from - 1, 0) or from
    local nearer = not best or (at - best) * direction < 0
    if (at - row) * direction > 0 and nearer then
      best = at
    end
  end
  if best then
    vim.api.nvim_win_set_cursor(0, { best + 1, 0 })
  end
end

local function map(review, lhs, words, action)
  vim.keymap.set("n", lhs, action, { buffer = review.buffers.proposed, desc = "carrick: " .. words })
end

local function prepare(review)
  review.original_lines = review.is_large and {} or text.split(review.original or "")
  map(review, "do", "put back what this hunk replaces", function()
    M.take_back(review)
  end)
  map(review, "]c", "next hunk", function()
    M.jump(review, 1)
  end)
  map(review, "[c", "previous hunk", function()
    M.jump(review, -1)
  end)
  vim.api.nvim_create_autocmd({ "TextChanged", "TextChangedI" }, {
    buffer = review.buffers.proposed,
    callback = function()
      M.render(review)
    end,
  })
end

-- Virtual lines above the first line are out of sight until the window is scrolled up to them.
local function show_top(window, review)
  local first = review.hunks and review.hunks[1]
  if first and first.first <= 1 and #first.lines > 0 then
    vim.api.nvim_win_call(window, function()
      vim.fn.winrestview({ topline = 1, topfill = #first.lines })
    end)
  end
end

function M.open(review, how)
  if not review.original_lines then
    prepare(review)
  end
  local windows = layout.open({ review.buffers.proposed }, how)
  M.render(review)
  show_top(windows[1], review)
  return windows
end

return M
