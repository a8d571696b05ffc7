-- The paths under the cursor in the file trees people use. Each is asked through what it publishes, if it is there.
local M = {}

local function oil(buffer, line)
  local tree = require("oil")
  local entry = tree.get_entry_on_line(buffer, line)
  local folder = tree.get_current_dir(buffer)
  return entry and folder and folder .. entry.name
end

local function mini_files(buffer, line)
  local entry = require("mini.files").get_fs_entry(buffer, line)
  return entry and entry.path
end

-- These two only know the line of the cursor.
local function at_cursor(line, ask)
  local before = vim.api.nvim_win_get_cursor(0)
  vim.api.nvim_win_set_cursor(0, { line, 0 })
  local ok, path = pcall(ask)
  vim.api.nvim_win_set_cursor(0, before)
  return ok and path or nil
end

local function nvim_tree(_, line)
  return at_cursor(line, function()
    return require("nvim-tree.api").tree.get_node_under_cursor().absolute_path
  end)
end

local function netrw(buffer, line)
  return at_cursor(line, function()
    local name = vim.fn["netrw#Call"]("NetrwGetWord")
    local folder = vim.b[buffer].netrw_curdir
    return name ~= "" and folder and vim.fs.joinpath(folder, (name:gsub("[/*@|=]$", "")))
  end)
end

local function neo_tree(_, line)
  local state = require("neo-tree.sources.manager").get_state_for_window(vim.api.nvim_get_current_win())
  local node = state and state.tree:get_node(line)
  return node and (node.path or node:get_id())
end

local TREES = {
  oil = oil,
  minifiles = mini_files,
  NvimTree = nvim_tree,
  ["neo-tree"] = neo_tree,
  netrw = netrw,
}

--- The paths on these lines of a tree's buffer; nil when the buffer is no tree we know.
function M.paths(buffer, first, last)
  local path_on = TREES[vim.bo[buffer].filetype]
  if not path_on then
    return nil
  end
  local here = vim.api.nvim_win_get_cursor(0)[1]
  local paths = {}
  for line = first or here, last or first or here do
    local ok, path = pcall(path_on, buffer, line)
    if ok and path and not vim.tbl_contains(paths, path) then
      table.insert(paths, path)
    end
  end
  return paths
end

return M
