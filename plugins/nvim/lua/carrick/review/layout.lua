-- The windows of a review, and the memory of the tab page they were opened in: afterwards all is as it was.
local place = require("carrick.place")

local M = {}

-- The share of a window that a review above or beside it gets; the rest keeps the person's place in sight.
local SHARE = 0.75
-- A window lower than this is not shared; one that is narrower is shared only if there is none with more room.
local LOW, NARROW = 10, 80
-- Side by side needs this width at least.
local BESIDE = 60

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
  vim.iter(windows):each(close_window)
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

-- Always with a size: without one 'equalalways' evens out all windows, also those that the person has sized.
local function split(buffer, side, window, size)
  local config = { split = side, win = window }
  config[(side == "left" or side == "right") and "width" or "height"] = math.max(math.floor(size), 1)
  return vim.api.nvim_open_win(buffer, false, config)
end

-- A diff of the person's own shares its tab page with every window that is set to diff: ours must not join it.
local function has_foreign_diff()
  return vim.iter(vim.api.nvim_tabpage_list_wins(0)):any(is_diff)
end

local function area(window)
  return vim.api.nvim_win_get_height(window) * vim.api.nvim_win_get_width(window)
end

local function largest()
  local windows = vim.tbl_filter(place.is_ordinary, vim.api.nvim_tabpage_list_wins(0))
  table.sort(windows, function(a, b)
    return area(a) > area(b)
  end)
  return windows[1]
end

--- The window to share: an ordinary one with room, or the place beside a terminal.
local function target()
  local window = place.ordinary_window()
  if not window then
    return place.any_window(), "left"
  end
  if vim.api.nvim_win_get_width(window) < NARROW or vim.api.nvim_win_get_height(window) < LOW then
    window = largest()
  end
  return vim.api.nvim_win_get_height(window) >= LOW and window or nil, "above"
end

local function first_window(buffer)
  local window, side = target()
  if side == "above" then
    return split(buffer, side, window, vim.api.nvim_win_get_height(window) * SHARE)
  end
  return split(buffer, side, window, vim.api.nvim_win_get_width(window) * SHARE)
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
    local height, width = vim.api.nvim_win_get_height(windows[1]), vim.api.nvim_win_get_width(windows[1])
    local below = how == "horizontal" or width < BESIDE
    local side, size = below and "below" or "right", (below and height or width) / 2
    table.insert(windows, split(buffers[2], side, windows[1], size))
  end
  return windows
end

return M
