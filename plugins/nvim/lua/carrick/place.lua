-- Which buffers and windows are what: a file's buffer, a window a file may be shown in, the buffer of a path.
local M = {}

--- A path with its links resolved, or as it is when it does not exist yet.
function M.real(path)
  return vim.uv.fs_realpath(path) or vim.fs.normalize(path)
end

--- The absolute path of a buffer that stands for a file; nil for terminals, help, reviews and unnamed ones.
function M.file_of(buffer)
  if not vim.api.nvim_buf_is_valid(buffer) or vim.bo[buffer].buftype ~= "" then
    return nil
  end
  local name = vim.api.nvim_buf_get_name(buffer)
  if name == "" or name:match("^%a[%w+.-]+://") then
    return nil
  end
  if vim.fn.isdirectory(name) == 1 then
    return nil
  end
  return name
end

--- The buffer of a path, by name or through links. `bufnr()` would take the path for a pattern.
function M.buffer_of(path)
  local real
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    local name = vim.api.nvim_buf_get_name(buffer)
    if name == path and vim.bo[buffer].buftype == "" then
      return buffer
    end
  end
  real = M.real(path)
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    local file = M.file_of(buffer)
    if file and M.real(file) == real then
      return buffer
    end
  end
  return nil
end

--- The same, but only when its text is in memory.
function M.loaded(path)
  local buffer = M.buffer_of(path)
  return buffer and vim.api.nvim_buf_is_loaded(buffer) and buffer or nil
end

function M.is_terminal(buffer)
  return vim.bo[buffer].buftype == "terminal"
end

local function is_float(window)
  return vim.api.nvim_win_get_config(window).relative ~= ""
end

--- A window of ordinary text (reviews and terminals have a 'buftype'): no float, terminal, tree, quickfix, review, diff or window with a fixed buffer.
function M.is_ordinary(window)
  local buffer = vim.api.nvim_win_get_buf(window)
  if is_float(window) or vim.wo[window].diff or vim.wo[window].previewwindow then
    return false
  end
  if vim.fn.exists("+winfixbuf") == 1 and vim.wo[window].winfixbuf then
    return false
  end
  return vim.bo[buffer].buftype == ""
end

--- The window of this tab where a file should go: the current one if it will do, else the last one, else any.
function M.ordinary_window()
  local current = vim.api.nvim_get_current_win()
  local last = vim.fn.win_getid(vim.fn.winnr("#"))
  local candidates = { current, last }
  vim.list_extend(candidates, vim.api.nvim_tabpage_list_wins(0))
  for _, window in ipairs(candidates) do
    if window ~= 0 and vim.api.nvim_win_is_valid(window) and M.is_ordinary(window) then
      return window
    end
  end
  return nil
end

--- Any window of this tab that is not a float: beside it a new one can be opened.
function M.any_window()
  local current = vim.api.nvim_get_current_win()
  if not is_float(current) then
    return current
  end
  return vim.iter(vim.api.nvim_tabpage_list_wins(0)):find(function(window)
    return not is_float(window)
  end)
end

return M
