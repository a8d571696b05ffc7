-- The names of everything carrick colours, linked to what every colour scheme has.
local M = {}

local LINKS = {
  CarrickAdded = "DiffAdd",
  CarrickRemoved = "DiffDelete",
  CarrickTitle = "Title",
  CarrickHint = "Comment",
  CarrickWarning = "WarningMsg",
  CarrickNoNewline = "NonText",
}

--- Sets defaults only: a person's own definition stays.
function M.define()
  for name, link in pairs(LINKS) do
    vim.api.nvim_set_hl(0, name, { link = link, default = true })
  end
end

return M
