-- The optional keys: one prefix, one letter each, with descriptions for which-key; keys that are taken stay taken.
local M = {}

local KEYS = {
  { "c", { "n", "x" }, "toggle", "Toggle the agent's terminal" },
  { "m", "n", "mention", "Mention this file to the agent" },
  { "s", "x", "send", "Send the selection to the agent" },
  { "a", "n", "accept", "Accept the proposed change" },
  { "r", "n", "reject", "Reject the proposed change" },
}

function M.set()
  local prefix = require("carrick.config").get().mappings
  if prefix == true then
    prefix = "<leader>a"
  end
  if not prefix then
    return
  end
  for _, key in ipairs(KEYS) do
    local letter, mode, action, words = unpack(key)
    local lhs, rhs = prefix .. letter, ("<Plug>(carrick-%s)"):format(action)
    for _, one in ipairs(type(mode) == "table" and mode or { mode }) do
      if vim.fn.maparg(lhs, one) == "" then
        vim.keymap.set(one, lhs, rhs, { desc = words, remap = true })
      end
    end
  end
end

return M
