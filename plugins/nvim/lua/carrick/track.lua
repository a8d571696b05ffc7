-- The autocommands that feed carrick, all in one group: they exist from the first start on and cost nothing without it.
local M = {}

local function selection(event)
  require("carrick.selection").moved(event)
end

local function tabs()
  require("carrick.job").notify("tabs", {})
end

local function folders()
  require("carrick.folders").changed()
end

local function focus()
  require("carrick.job").notify("focus", {})
  require("carrick.selection").moved()
end

local function gone()
  tabs()
  vim.schedule(require("carrick.selection").check_gone)
end

local function language_server(event)
  if event.data and event.data.method == "workspace/didChangeWorkspaceFolders" then
    folders()
  end
  require("carrick.diagnostics").notified(event)
end

local TABLE = {
  { { "CursorMoved", "CursorMovedI", "ModeChanged", "BufEnter", "WinEnter", "TextChanged", "TextChangedI" }, selection },
  { { "BufAdd", "BufReadPost", "BufNewFile", "BufWritePost", "BufModifiedSet", "BufFilePost", "TabEnter" }, tabs },
  { { "BufDelete", "BufUnload", "BufWipeout" }, gone },
  { { "DirChanged", "LspAttach", "LspDetach", "TabClosed", "WinClosed" }, folders },
  { { "FocusGained", "VimResume" }, focus },
  { { "LspNotify" }, language_server },
  { { "DiagnosticChanged" }, function(event)
    require("carrick.diagnostics").changed(event.buf)
  end },
}

local started = false

function M.start()
  require("carrick.folders").forget()
  require("carrick.highlight").define()
  if not started then
    started = true
    local group = vim.api.nvim_create_augroup("carrick", { clear = true })
    for _, row in ipairs(TABLE) do
      vim.api.nvim_create_autocmd(row[1], { group = group, callback = row[2] })
    end
    vim.api.nvim_create_autocmd("ColorScheme", { group = group, callback = require("carrick.highlight").define })
    require("carrick.reload").watch(group)
    require("carrick.diagnostics").begin()
  end
  vim.schedule(function()
    folders()
    focus()
  end)
end

return M
