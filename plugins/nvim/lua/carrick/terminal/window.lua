-- Where a session's terminal is shown: a split at one side, a float, or a tab page of its own.
local M = {}

local SPLITS = { left = "left", right = "right", top = "above", bottom = "below" }

-- Window -1 is the whole screen: the split goes along all of one side.
local function split(buffer, options)
  local upright = options.side == "left" or options.side == "right"
  local size = math.max(math.floor((upright and vim.o.columns or vim.o.lines) * options.size), 10)
  local config = { split = SPLITS[options.side], win = -1, [upright and "width" or "height"] = size }
  local window = vim.api.nvim_open_win(buffer, true, config)
  vim.wo[window][upright and "winfixwidth" or "winfixheight"] = true
  return window
end

local function float(buffer)
  local width, height = math.floor(vim.o.columns * 0.8), math.floor(vim.o.lines * 0.8)
  return vim.api.nvim_open_win(buffer, true, {
    relative = "editor",
    width = width,
    height = height,
    col = math.floor((vim.o.columns - width) / 2),
    row = math.floor((vim.o.lines - height) / 2) - 1,
    border = "rounded",
    title = " carrick ",
  })
end

local function tab(buffer)
  vim.cmd(("tab sbuffer %d"):format(buffer))
  return vim.api.nvim_get_current_win()
end

-- The window of another session on this tab page: sessions take turns in it, there is room for one.
local function shared()
  return vim.iter(vim.api.nvim_tabpage_list_wins(0)):find(function(window)
    return vim.b[vim.api.nvim_win_get_buf(window)].carrick_session ~= nil
  end)
end

--- Shows a buffer as the options say and goes there.
function M.open(buffer)
  local options = require("carrick.config").get().terminal
  local window = shared()
  if window then
    vim.api.nvim_set_current_win(window)
    vim.api.nvim_win_set_buf(window, buffer)
  elseif options.where == "float" then
    window = float(buffer)
  elseif options.where == "tab" then
    window = tab(buffer)
  else
    window = split(buffer, options)
  end
  vim.wo[window].number, vim.wo[window].relativenumber, vim.wo[window].signcolumn = false, false, "no"
  return window
end

--- The windows that show a buffer now, those of this tab page first.
function M.of(buffer)
  local here = vim.api.nvim_get_current_tabpage()
  local windows = vim.fn.win_findbuf(buffer)
  table.sort(windows, function(a, b)
    local a_here, b_here = vim.api.nvim_win_get_tabpage(a) == here, vim.api.nvim_win_get_tabpage(b) == here
    return a_here and not b_here
  end)
  return windows
end

return M
