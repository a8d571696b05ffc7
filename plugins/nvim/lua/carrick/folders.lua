-- The workspace as Neovim sees it: every working folder in use, then those of the language servers.
local job = require("carrick.job")

local M = {}

local told

local function add(list, path)
  path = path and vim.fs.normalize(path)
  if path and path ~= "" and not vim.tbl_contains(list, path) then
    table.insert(list, path)
  end
end

local function working_folders(list)
  add(list, vim.fn.getcwd())
  add(list, vim.fn.getcwd(-1, -1))
  for _, tab in ipairs(vim.api.nvim_list_tabpages()) do
    local number = vim.api.nvim_tabpage_get_number(tab)
    for _, window in ipairs(vim.api.nvim_tabpage_list_wins(tab)) do
      add(list, vim.fn.getcwd(vim.api.nvim_win_get_number(window), number))
    end
  end
end

function M.list()
  local list = {}
  working_folders(list)
  for _, client in ipairs(vim.lsp.get_clients()) do
    for _, folder in ipairs(client.workspace_folders or {}) do
      local ok, path = pcall(vim.uri_to_fname, folder.uri)
      add(list, ok and path)
    end
  end
  return list
end

--- Tells carrick, if there is anything new to tell.
function M.changed()
  vim.schedule(function()
    local list = M.list()
    if job.is_running() and not vim.deep_equal(list, told) then
      told = list
      job.notify("folders", { list = list })
    end
  end)
end

--- A new carrick knows nothing yet.
function M.forget()
  told = nil
end

return M
