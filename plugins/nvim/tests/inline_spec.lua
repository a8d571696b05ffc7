-- The inline view: removed lines between the others, hunks to jump to and take back, large changes without a stall.
local check = require("same")
local same = check.same

local function start(child, original, proposed, id, large)
  child:lua("require('carrick').setup({ review = { layout = 'inline', large = ... } })", large or 1000000)
  child:connect()
  local path = child:edit("a.txt", original)
  child:forget()
  child:call("review_open", {
    id = id or 1, path = path, tab_name = "t", original = original, original_kind = "text", proposed = proposed,
    client_name = "claude",
  })
  child:event("ReviewOpened")
  child:until_true("return vim.b.carrick_review ~= nil")
end

-- Marks as rows: "+row" for an added line, "-row text" for a removed one (with < when it stands above the row).
local MARKS = [[
  local rows = {}
  local marks = vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_create_namespace("carrick_inline"), 0, -1, { details = true })
  for _, mark in ipairs(marks) do
    local details = mark[4]
    if details.line_hl_group then table.insert(rows, ("+%d"):format(mark[2] + 1)) end
    for _, line in ipairs(details.virt_lines or {}) do
      table.insert(rows, ("-%s%d %s"):format(details.virt_lines_above and "<" or "", mark[2] + 1, line[1][1]))
    end
  end
  table.sort(rows)
  return rows
]]

return {
  { "changed, added and removed lines are marked", function(child)
    start(child, "one\ntwo\nthree\nfour\nfive\n", "one\n2\nthree\nfour\nsix\nseven\n")
    same({ "+2", "+5", "+6", "-<2 two", "-<5 five" }, child:lua(MARKS))
  end },
  { "removed at the beginning and at the end", function(child)
    start(child, "one\ntwo\nthree\n", "two\n")
    same({ "-1 three", "-<1 one" }, child:lua(MARKS))
  end },
  { "the marks follow an edit", function(child)
    start(child, "one\ntwo\n", "one\n2\n")
    child:type("Gcctwo<Esc>")
    child:until_true("return #vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_create_namespace('carrick_inline'), 0, -1, {}) == 0")
    child:type(":w<CR>")
    same({ id = 1, decision = "accept_with", contents = "one\ntwo\n" }, child:told("review"))
  end },
  { "jumps from hunk to hunk, and takes one back", function(child)
    start(child, "1\n2\n3\n4\n5\n6\n", "1\ntwo\n3\n4\nfive\n6\n")
    child:type("gg]c")
    same(2, child:lua("return vim.fn.line('.')"))
    child:type("]c")
    same(5, child:lua("return vim.fn.line('.')"))
    child:type("[c")
    same(2, child:lua("return vim.fn.line('.')"))
    child:type("do")
    child:type(":w<CR>")
    same({ id = 1, decision = "accept_with", contents = "1\n2\n3\n4\nfive\n6\n" }, child:told("review"))
  end },
  { "takes a removed line back", function(child)
    start(child, "1\n2\n3\n", "1\n3\n")
    child:type("ggdo")
    child:type(":w<CR>")
    same({ id = 1, decision = "accept_with", contents = "1\n2\n3\n" }, child:told("review"))
  end },
  { "a large change comes in slices, painted by a thread, exact", function(child)
    local original = ("a line of some length\n"):rep(30000)
    local proposed = "first\n" .. original .. "no newline at the end"
    start(child, original, proposed, 1, 1000)
    child:until_true("return #vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_create_namespace('carrick_inline'), 0, -1, {}) >= 2")
    same({ "+1", "+30002" }, child:lua(MARKS))
    child:type(":w<CR>")
    same({ id = 1, decision = "accept" }, child:told("review"))
  end },
  { "hunks of a large change are found after an edit elsewhere", function(child)
    local middle = ("a line of some length\n"):rep(3000)
    start(child, "old first\n" .. middle .. "old last\n", "new first\n" .. middle .. "new last\n", 1, 1000)
    child:until_true("return #vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_create_namespace('carrick_inline'), 0, -1, {}) > 0")
    child:type("ggjddjdd]c")
    same(3000, child:lua("return vim.fn.line('.')"))
    child:type("do")
    child:type(":w<CR>")
    local fewer = ("a line of some length\n"):rep(2998)
    same({ id = 1, decision = "accept_with", contents = "new first\n" .. fewer .. "old last\n" }, child:told("review"))
  end },
  { "a large change with CRLF is exact too", function(child)
    start(child, "a\r\n", ("line\r\n"):rep(3000), 1, 1000)
    child:type(":w<CR>")
    same({ id = 1, decision = "accept" }, child:told("review"))
  end },
}
