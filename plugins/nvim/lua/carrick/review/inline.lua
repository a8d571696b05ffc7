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
local function show_removed(buffer, hunk, original)
  local lines = {}
  for row = hunk[1], hunk[1] + hunk[2] - 1 do
    table.insert(lines, virtual(original[row] or ""))
  end
  local row, above = hunk[3] - 1, true
  if hunk[4] == 0 then
    row, above = hunk[3] - 1, hunk[3] == 0
    row = math.max(row, 0)
  end
  row = math.min(row, vim.api.nvim_buf_line_count(buffer) - 1)
  vim.api.nvim_buf_set_extmark(buffer, MARKS, row, 0, { virt_lines = lines, virt_lines_above = above })
end

local function show_added(buffer, hunk)
  local last = vim.api.nvim_buf_line_count(buffer)
  for row = hunk[3], math.min(hunk[3] + hunk[4] - 1, last) do
    vim.api.nvim_buf_set_extmark(buffer, MARKS, row - 1, 0, { line_hl_group = "CarrickAdded" })
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
    show_added(buffer, hunk)
    if hunk[2] > 0 then
      show_removed(buffer, hunk, review.original_lines)
    end
  end
end

-- Both ends in a newline: whether the file has one is shown in words, not as a changed last line.
local function whole(lines)
  return #lines == 0 and "" or table.concat(lines, "\n") .. "\n"
end

local function compare(before, after)
  return diff(before, after, { result_type = "indices", algorithm = "histogram" })
end

-- A large comparison is made in a thread, which gets and gives strings.
local function compare_elsewhere(before, after, finish)
  local work
  work = vim.uv.new_work(function(one, other)
    local differ = vim.text and vim.text.diff or vim.diff
    return vim.mpack.encode(differ(one, other, { result_type = "indices" }))
  end, function(hunks)
    vim.schedule(function()
      finish(vim.mpack.decode(hunks))
    end)
  end)
  work:queue(before, after)
end

--- Compares again and paints what came of it.
function M.render(review)
  local buffer = review.buffers.proposed
  if review.is_large then
    if not review.painted then
      review.painted = true
      compare_elsewhere(review.original or "", review.proposed, function(hunks)
        paint(review, hunks)
      end)
    end
    return
  end
  local after = whole(text.lines(buffer))
  paint(review, compare(whole(review.original_lines), after))
end

local function hunk_at(review, row)
  for _, hunk in ipairs(review.hunks or {}) do
    local first = hunk[4] == 0 and hunk[3] or hunk[3]
    local last = hunk[4] == 0 and hunk[3] + 1 or hunk[3] + hunk[4] - 1
    if row >= first and row <= last then
      return hunk
    end
  end
  return nil
end

--- Puts what stands on disk in place of the hunk under the cursor: that hunk is rejected.
function M.take_back(review)
  local hunk = hunk_at(review, vim.api.nvim_win_get_cursor(0)[1])
  if not hunk then
    return
  end
  local lines = vim.list_slice(review.original_lines, hunk[1], hunk[1] + hunk[2] - 1)
  local from = hunk[4] == 0 and hunk[3] or hunk[3] - 1
  vim.api.nvim_buf_set_lines(review.buffers.proposed, from, from + hunk[4], false, lines)
  M.render(review)
end

--- Moves the cursor to the next hunk, or with -1 to the one before.
function M.jump(review, direction)
  local row = vim.api.nvim_win_get_cursor(0)[1]
  local best
  for _, hunk in ipairs(review.hunks or {}) do
    local at = math.max(hunk[3], 1)
    local further = direction > 0 and at > row and (not best or at < best)
    local back = direction < 0 and at < row and (not best or at > best)
    if further or back then
      best = at
    end
  end
  if best then
    vim.api.nvim_win_set_cursor(0, { best, 0 })
  end
end

local function map(review, lhs, words, action)
  vim.keymap.set("n", lhs, action, { buffer = review.buffers.proposed, desc = "carrick: " .. words })
end

local function prepare(review)
  review.original_lines = text.split(review.original or "")
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
  if first and first[3] <= 1 and first[2] > 0 then
    vim.api.nvim_win_call(window, function()
      vim.fn.winrestview({ topline = 1, topfill = first[2] })
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
