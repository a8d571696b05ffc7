-- The calls about open documents: which there are, whether they are saved, saving and closing them.
local place = require("carrick.place")
local visual = require("carrick.visual")

local M = {}

-- Files that are listed, and unnamed text that somebody typed.
local function is_tab(buffer)
  local options = vim.bo[buffer]
  if not (options.buflisted and vim.api.nvim_buf_is_loaded(buffer)) or options.buftype ~= "" then
    return false
  end
  if vim.api.nvim_buf_get_name(buffer) == "" then
    return options.modified
  end
  return place.file_of(buffer) ~= nil
end

-- The tab page that shows the buffer, the current one first; hidden buffers belong to the current one.
local function group_of(buffer)
  local here = vim.api.nvim_tabpage_get_number(0)
  local window = vim.fn.win_findbuf(buffer)[1]
  for _, shown in ipairs(vim.fn.win_findbuf(buffer)) do
    if vim.api.nvim_win_get_tabpage(shown) == vim.api.nvim_get_current_tabpage() then
      window = shown
    end
  end
  return window and vim.api.nvim_tabpage_get_number(vim.api.nvim_win_get_tabpage(window)) or here, here
end

local function cursor(buffer)
  local window = vim.fn.win_findbuf(buffer)[1]
  if not window then
    return nil
  end
  local span = visual.cursor(window)
  return {
    start = span.start,
    ["end"] = span["end"],
    start_text_of_line = span.start_line_text,
    end_text_of_line = span.end_line_text,
  }
end

local function describe(buffer)
  local name = vim.api.nvim_buf_get_name(buffer)
  local group, here = group_of(buffer)
  local active = require("carrick.selection").active_buffer()
  return {
    path = name,
    label = name == "" and "Untitled" or vim.fs.basename(name),
    language = vim.bo[buffer].filetype,
    line_count = vim.api.nvim_buf_line_count(buffer),
    is_active = buffer == active,
    is_dirty = vim.bo[buffer].modified,
    is_pinned = false,
    is_preview = vim.b[buffer].carrick_preview == true and not vim.bo[buffer].modified,
    is_untitled = name == "",
    group = group - 1,
    is_group_active = group == here,
    selection = cursor(buffer),
  }
end

function M.list()
  return vim.iter(vim.api.nvim_list_bufs()):filter(is_tab):map(describe):totable()
end

-- By path first: two files may have one name.
local function named(name)
  local tabs = vim.tbl_filter(is_tab, vim.api.nvim_list_bufs())
  for _, of in ipairs({ vim.api.nvim_buf_get_name, function(buffer)
    return vim.fs.basename(vim.api.nvim_buf_get_name(buffer))
  end }) do
    for _, buffer in ipairs(tabs) do
      if of(buffer) == name then
        return buffer
      end
    end
  end
  return nil
end

-- What a window shows when its buffer goes: the window itself stays.
local function instead_of(buffer)
  local others = vim.tbl_filter(function(other)
    return other ~= buffer and is_tab(other)
  end, vim.api.nvim_list_bufs())
  return others[#others] or vim.api.nvim_create_buf(true, false)
end

--- False when there is no such tab, or when closing it would lose what is not saved.
function M.close(args)
  local buffer = named(args.name)
  if not buffer or vim.bo[buffer].modified then
    return false
  end
  local windows = vim.fn.win_findbuf(buffer)
  local instead = #windows > 0 and instead_of(buffer)
  for _, window in ipairs(windows) do
    vim.api.nvim_win_set_buf(window, instead)
  end
  vim.cmd.bdelete(buffer)
  return true
end

function M.dirty(args)
  local buffer = place.loaded(args.path)
  if not buffer then
    return nil
  end
  local is_untitled = vim.bo[buffer].modified and not vim.uv.fs_stat(args.path)
  return { is_dirty = vim.bo[buffer].modified, is_untitled = is_untitled }
end

--- Writes the buffer as `:write` does, its autocommands included.
function M.save(args)
  local buffer = place.loaded(args.path)
  if not buffer then
    return false
  end
  vim.api.nvim_buf_call(buffer, function()
    vim.cmd("silent update")
  end)
  if vim.bo[buffer].modified then
    error(("%s could not be saved: an autocommand or the disk stands in the way"):format(args.path), 0)
  end
  return true
end

return M
