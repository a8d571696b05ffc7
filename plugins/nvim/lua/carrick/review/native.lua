-- A review in Neovim's own diff mode: the file on the left or above, the proposal on the right or below.
local layout = require("carrick.review.layout")

local M = {}

local function set_diff(window)
  vim.api.nvim_win_call(window, function()
    vim.cmd("diffthis")
  end)
  vim.wo[window].wrap = false
end

local function first_change(window)
  vim.api.nvim_win_call(window, function()
    vim.cmd("keepjumps normal! gg")
    if vim.fn.diff_hlID(1, 1) == 0 then
      pcall(vim.cmd, "keepjumps normal! ]c")
    end
    vim.cmd("normal! zz")
  end)
end

--- Opens the windows; the last one is the proposal's.
function M.open(review, how)
  local windows = layout.open({ review.buffers.original, review.buffers.proposed }, how)
  vim.iter(windows):each(set_diff)
  first_change(windows[2])
  return windows
end

return M
