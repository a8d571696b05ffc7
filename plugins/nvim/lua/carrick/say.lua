-- Everything the plug-in tells the person or other plug-ins: messages in one voice, and User autocommands.
local M = {}

local function say(level)
  return function(text, ...)
    local words = select("#", ...) > 0 and text:format(...) or text
    vim.schedule(function()
      vim.notify("carrick: " .. words, level, { title = "carrick" })
    end)
  end
end

M.info = say(vim.log.levels.INFO)
M.warn = say(vim.log.levels.WARN)
M.error = say(vim.log.levels.ERROR)

--- Fires `User Carrick<name>`; a listener that fails does not take the plug-in with it.
function M.event(name, data)
  vim.schedule(function()
    local ok, problem =
      pcall(vim.api.nvim_exec_autocmds, "User", { pattern = "Carrick" .. name, modeline = false, data = data })
    if not ok then
      M.warn("an autocommand for Carrick%s failed: %s", name, problem)
    end
  end)
end

return M
