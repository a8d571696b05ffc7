-- The windows of a review, and the memory of the tab page they were opened in: afterwards all is as it was.
local place = require("carrick.place")

local M = {}

-- The share of a window's height that a review above it gets; the rest keeps the person's place in sight.
local SHARE = 0.75
-- A window lower than this is not shared.
local LOW = 10

-- Splitting and closing must not even out windows that the person has sized.
local function with_sizes_kept(work)
  local before = vim.o.equalalways
  vim.o.equalalways = false
  local ok, result = pcall(work)
  vim.o.equalalways = before
  if not ok then
    error(result, 0)
  end
  return result
end

local function view_of(window)
  return vim.api.nvim_win_call(window, vim.fn.winsaveview)
end

--- What there is to restore in the current tab page.
function M.remember()
  local memory = { tab = vim.api.nvim_get_current_tabpage(), focus = vim.api.nvim_get_current_win(), windows = {} }
  memory.typing, memory.scrollopt = vim.fn.mode() == "t", vim.o.scrollopt
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(memory.tab)) do
    memory.windows[window] = {
      buffer = vim.api.nvim_win_get_buf(window),
      view = view_of(window),
      height = vim.api.nvim_win_get_height(window),
      width = vim.api.nvim_win_get_width(window),
      float = vim.api.nvim_win_get_config(window).relative ~= "",
    }
  end
  return memory
end

local function same_windows(memory)
  local windows = vim.api.nvim_tabpage_list_wins(memory.tab)
  return #windows == vim.tbl_count(memory.windows) and vim.iter(windows):all(function(window)
    return memory.windows[window] ~= nil
  end)
end

-- Twice: the height of one window depends on those beside it.
local function restore_sizes(memory)
  for _ = 1, 2 do
    for window, was in pairs(memory.windows) do
      if not was.float then
        vim.api.nvim_win_set_height(window, was.height)
        vim.api.nvim_win_set_width(window, was.width)
      end
    end
  end
end

-- A cursor that the person has moved meanwhile stays where they put it.
local function restore_view(window, was)
  if vim.api.nvim_win_get_buf(window) ~= was.buffer then
    return
  end
  local now = view_of(window)
  if now.lnum == was.view.lnum and now.col == was.view.col then
    vim.api.nvim_win_call(window, function()
      vim.fn.winrestview(was.view)
    end)
  end
end

local function restore_focus(memory)
  if not vim.api.nvim_win_is_valid(memory.focus) then
    return
  end
  vim.api.nvim_set_current_win(memory.focus)
  local buffer = vim.api.nvim_win_get_buf(memory.focus)
  if memory.typing and place.is_terminal(buffer) then
    vim.cmd.startinsert()
  end
end

local function is_diff(window)
  return vim.wo[window].diff
end

-- Diff mode adds "hor" to this global option and takes it away again, also from a diff in another tab page.
local function restore_scrollopt(memory)
  vim.o.scrollopt = memory.scrollopt
  if vim.iter(vim.api.nvim_list_wins()):any(is_diff) then
    vim.opt.scrollopt:append("hor")
  end
end

local function close_window(window)
  if vim.api.nvim_win_is_valid(window) and not pcall(vim.api.nvim_win_close, window, true) then
    -- The last window there is cannot be closed.
    vim.api.nvim_win_set_buf(window, vim.api.nvim_create_buf(true, false))
  end
end

--- Closes the windows of a review and puts everything back.
function M.restore(memory, windows)
  local was_inside = vim.tbl_contains(windows, vim.api.nvim_get_current_win()) or memory.left_inside
  with_sizes_kept(function()
    vim.iter(windows):each(close_window)
  end)
  restore_scrollopt(memory)
  if was_inside then
    restore_focus(memory)
  end
  if not vim.api.nvim_tabpage_is_valid(memory.tab) then
    return
  end
  if same_windows(memory) then
    restore_sizes(memory)
  end
  for window, was in pairs(memory.windows) do
    if vim.api.nvim_win_is_valid(window) then
      restore_view(window, was)
    end
  end
end

local function split(buffer, config)
  return with_sizes_kept(function()
    return vim.api.nvim_open_win(buffer, false, config)
  end)
end

-- A diff of the person's own shares its tab page with every window that is set to diff: ours must not join it.
local function has_foreign_diff()
  return vim.iter(vim.api.nvim_tabpage_list_wins(0)):any(is_diff)
end

--- The window to share: an ordinary one with room, or the place beside a terminal.
local function target()
  local window = place.ordinary_window()
  if window then
    return vim.api.nvim_win_get_height(window) >= LOW and window or nil, "above"
  end
  return place.any_window(), "left"
end

local function first_window(buffer)
  local window, side = target()
  local height = side == "above" and math.floor(vim.api.nvim_win_get_height(window) * SHARE) or nil
  return split(buffer, { split = side, win = window, height = height })
end

local function in_own_tab(buffer)
  vim.cmd(("tab sbuffer %d"):format(buffer))
  return vim.api.nvim_get_current_win()
end

--- Whether a review must have a tab page of its own, whatever the person prefers.
function M.needs_tab()
  return has_foreign_diff() or target() == nil
end

--- Opens windows for the buffers, first to last. `how` is "vertical", "horizontal" or "tab".
function M.open(buffers, how)
  local open_first = how == "tab" and in_own_tab or first_window
  local windows = { open_first(buffers[1]) }
  if buffers[2] then
    local side = how == "horizontal" and "below" or "right"
    local height = vim.api.nvim_win_get_height(windows[1])
    local width = vim.api.nvim_win_get_width(windows[1])
    local size = how == "horizontal" and { height = math.floor(height / 2) } or { width = math.floor(width / 2) }
    local config = vim.tbl_extend("force", { split = side, win = windows[1] }, size)
    table.insert(windows, split(buffers[2], config))
  end
  return windows
end

return M
