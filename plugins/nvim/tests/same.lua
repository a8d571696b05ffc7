-- Assertions that show both sides when they fail.
local M = {}

function M.same(wanted, got, what)
  if not vim.deep_equal(wanted, got) then
    error(("%s\n  wanted: %s\n  got:    %s"):format(what or "different", vim.inspect(wanted), vim.inspect(got)), 2)
  end
end

function M.has(text, part)
  if type(text) ~= "string" or not text:find(part, 1, true) then
    error(("no %q in:\n%s"):format(part, tostring(text)), 2)
  end
end

return M
