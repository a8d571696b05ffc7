-- Gives Neovim the :Carrick command and starts carrick once somebody sits in front of it; loads as little as it can.
if vim.g.loaded_carrick then
  return
end
vim.g.loaded_carrick = true

if vim.fn.has("nvim-0.10") == 0 then
  vim.api.nvim_create_user_command("Carrick", function()
    vim.notify("carrick needs Neovim 0.10 or newer; this one is older", vim.log.levels.ERROR)
  end, { nargs = "*", desc = "carrick (needs a newer Neovim)" })
  return
end

vim.api.nvim_create_user_command("Carrick", function(command)
  require("carrick.command").run(command)
end, {
  nargs = "*",
  range = true,
  bang = true,
  desc = "carrick: the coding agent, its terminal and its reviews",
  complete = function(lead, line)
    return require("carrick.command").complete(lead, line)
  end,
})

local group = vim.api.nvim_create_augroup("carrick_start", { clear = true })

-- Not without a UI: a script that runs `nvim --headless` wants no agent.
local function start()
  vim.schedule(function()
    if #vim.api.nvim_list_uis() > 0 and require("carrick.config").get().auto_start then
      require("carrick").start()
    end
  end)
end

if vim.v.vim_did_enter == 1 then
  start()
else
  vim.api.nvim_create_autocmd("VimEnter", { group = group, once = true, callback = start })
end

for name, words in pairs({
  toggle = "Toggle the agent's terminal",
  mention = "Mention this file to the agent",
  send = "Send the selection to the agent",
  accept = "Accept the proposed change",
  reject = "Reject the proposed change",
}) do
  vim.keymap.set({ "n", "x" }, "<Plug>(carrick-" .. name .. ")", function()
    require("carrick").act(name)
  end, { desc = words })
end
