-- Deciding about a change in the editor: what is told, byte for byte, and by which means.
local check = require("same")
local same, has = check.same, check.has

local function open(child, id, original, proposed, more)
  local args = {
    id = id, path = child.folder .. "/a.txt", tab_name = "tab", original = original,
    original_kind = original and "text" or "missing", proposed = proposed, client_name = "claude",
  }
  child:call("review_open", vim.tbl_extend("force", args, more or {}))
  child:event("ReviewOpened")
end

local function start(child, original, proposed, setup)
  child:lua("require('carrick').setup(...)", setup or vim.empty_dict())
  child:connect()
  child:edit("a.txt", original or "")
  child:forget()
  open(child, 1, original, proposed)
end

local function decided(child, wanted)
  same(wanted, child:told("review"))
  child:event("ReviewSettled")
end

local SMALL = { "one\ntwo\nthree\n", "one\n2\nthree\nfour\n" }

local function exact(proposed)
  return function(child)
    start(child, "one\n", proposed)
    child:type(":w<CR>")
    decided(child, { id = 1, decision = "accept" })
    -- And after an edit that was undone: then the text is made of the buffer, not remembered.
    open(child, 2, "one\n", proposed)
    child:forget()
    child:type("yypix<Esc>")
    child:type("uu:w<CR>")
    decided(child, { id = 2, decision = "accept" })
  end
end

local function edited(proposed, keys, wanted)
  return function(child)
    start(child, "one\n", proposed)
    child:type(keys .. "<Esc>:w<CR>")
    decided(child, { id = 1, decision = "accept_with", contents = wanted })
  end
end

local function disk(child)
  return table.concat(vim.fn.readfile(child.folder .. "/a.txt", "b"), "\n")
end

return {
  { ":w accepts, and the file is not written", function(child)
    start(child, unpack(SMALL))
    same("carrick://review/1/proposed/a.txt", child:lua("return vim.api.nvim_buf_get_name(0)"))
    child:type(":w<CR>")
    decided(child, { id = 1, decision = "accept" })
    same(SMALL[1], disk(child))
    same(child.folder .. "/a.txt", child:lua("return vim.api.nvim_buf_get_name(0)"))
  end },
  { ":q rejects", function(child)
    start(child, unpack(SMALL))
    child:type(":q<CR>")
    decided(child, { id = 1, decision = "reject" })
    same(1, child:lua("return #vim.api.nvim_list_wins()"))
  end },
  { ":q rejects an edited proposal too, and in the window of the file", function(child)
    start(child, unpack(SMALL))
    child:type("xix<Esc><C-w>h:q<CR>")
    decided(child, { id = 1, decision = "reject" })
  end },
  { ":wq, :x and ZZ accept and close nothing else", function(child)
    for id, keys in ipairs({ ":wq<CR>", ":x<CR>", "ZZ" }) do
      if id == 1 then
        start(child, unpack(SMALL))
      else
        open(child, id, unpack(SMALL))
      end
      child:type(keys)
      decided(child, { id = id, decision = "accept" })
      child:until_true("return #vim.api.nvim_list_wins() == 1")
      same(child.folder .. "/a.txt", child:lua("return vim.api.nvim_buf_get_name(0)"))
      child:forget()
    end
  end },
  { "the keys decide, and say what they do", function(child)
    start(child, unpack(SMALL))
    same("carrick: accept this change", child:lua("return vim.fn.maparg('<leader>aa', 'n', false, true).desc"))
    child:type("\\ar")
    decided(child, { id = 1, decision = "reject" })
    open(child, 2, unpack(SMALL))
    child:forget()
    child:type("\\aa")
    decided(child, { id = 2, decision = "accept" })
  end },
  { "the commands decide from anywhere", function(child)
    start(child, unpack(SMALL))
    child:type("<C-w>j")
    child:cmd("Carrick reject")
    decided(child, { id = 1, decision = "reject" })
    child:cmd("Carrick accept")
    child:heard("no change waits")
  end },
  { "exact: final newline", exact("a\nb\n") },
  { "exact: no final newline", exact("a\nb") },
  { "exact: empty", exact("") },
  { "exact: one empty line", exact("\n") },
  { "exact: only line ends", exact("\n\n\n") },
  { "exact: CRLF", exact("a\r\nb\r\n") },
  { "exact: CRLF, no final newline", exact("a\r\nb") },
  { "exact: mixed line ends", exact("a\r\nb\nc\r\n") },
  { "exact: CRLF, then CR alone at the end", exact("a\r\nb\r") },
  { "exact: CR alone at the end", exact("a\nb\r") },
  { "exact: NUL, tabs, wide characters, byte order mark", exact("\239\187\191a\0b\tö漢𝄞\n") },
  { "edited: no newline stays none", edited("a\nb", "ggAx", "ax\nb") },
  { "edited: newline stays", edited("a\nb\n", "ggAx", "ax\nb\n") },
  { "edited: CRLF stays", edited("a\r\nb\r\n", "ggAx", "ax\r\nb\r\n") },
  { "edited: everything deleted is an empty file", edited("a\nb\n", "ggdG", "") },
  { "edited: an empty proposal gets a line", edited("", "iword", "word\n") },
  { "an edit that is undone is no edit", function(child)
    start(child, unpack(SMALL))
    child:type("ggdd")
    child:type("u:w<CR>")
    decided(child, { id = 1, decision = "accept" })
  end },
  { "undo goes back to the proposal, and not further", function(child)
    start(child, unpack(SMALL))
    child:type("u")
    child:type("u:w<CR>")
    decided(child, { id = 1, decision = "accept" })
  end },
  { "one hunk is taken back with do", function(child)
    start(child, "one\ntwo\nx\ny\nz\nw\nthree\n", "one\n2\nx\ny\nz\nw\n3\n")
    child:type("ggj")
    child:type("do")
    child:type(":w<CR>")
    decided(child, { id = 1, decision = "accept_with", contents = "one\ntwo\nx\ny\nz\nw\n3\n" })
  end },
  { "one hunk is taken back with dp from the file", function(child)
    start(child, "one\ntwo\nx\ny\nz\nw\nthree\n", "one\n2\nx\ny\nz\nw\n3\n")
    child:type("<C-w>hG")
    child:type("dp")
    child:type("<C-w>l:w<CR>")
    decided(child, { id = 1, decision = "accept_with", contents = "one\n2\nx\ny\nz\nw\nthree\n" })
  end },
  { "autosave accepts nothing", function(child)
    start(child, unpack(SMALL))
    child:lua([[
      vim.api.nvim_create_autocmd({ "InsertLeave", "TextChanged", "FocusLost" }, { nested = true, callback = function()
        vim.cmd("silent! write"); vim.cmd("silent! wall"); vim.cmd("silent! update")
        vim.defer_fn(function() vim.cmd("silent! write") end, 5)
        _G.saved = (_G.saved or 0) + 1
      end })
    ]])
    child:type("ggAx<Esc>")
    child:cmd("doautocmd FocusLost")
    child:until_true("return (_G.saved or 0) >= 2")
    child:heard("not accepted")
    same(false, vim.tbl_contains(child:kinds(), "review"))
    same(1, child:lua("return require('carrick.review').count()"))
    child:type(":w<CR>")
    decided(child, { id = 1, decision = "accept_with", contents = "onex\n2\nthree\nfour\n" })
  end },
  { "autosave right after an unrelated command line accepts nothing", function(child)
    start(child, unpack(SMALL))
    child:lua([[vim.api.nvim_create_autocmd("TextChanged", { nested = true, callback = function() vim.cmd("silent! write") end })]])
    child:type(":1delete<CR>")
    child:heard("not accepted")
    same(false, vim.tbl_contains(child:kinds(), "review"))
    child:type(":wall<CR>")
    same(false, vim.tbl_contains(child:kinds(), "review"))
  end },
  { "a key with <Cmd>w<CR> is a typed write", function(child)
    start(child, unpack(SMALL))
    child:lua("vim.keymap.set('n', '<C-s>', '<Cmd>w<CR>')")
    child:type("<C-s>")
    decided(child, { id = 1, decision = "accept" })
  end },
  { ":w elsewhere saves a copy and decides nothing", function(child)
    start(child, "one\n", "two")
    child:type(":w copy.txt<CR>")
    child:heard("still waits")
    same({ "two" }, vim.fn.readfile(child.folder .. "/copy.txt", "b"))
    same(false, vim.tbl_contains(child:kinds(), "review"))
  end },
  { "unsaved changes: shown against the disk, with a warning", function(child)
    child:connect()
    local path = child:edit("a.txt", "on disk\n")
    child:type("ggcwmine<Esc>")
    same({ kind = "text", text = "on disk\n" }, child:call("content", { path = path, saved = true }))
    same({ kind = "text", text = "mine disk\n" }, child:call("content", { path = path }))
    open(child, 1, "on disk\n", "new\n")
    child:heard("unsaved changes")
    has(child:lua("return vim.wo.winbar"), "unsaved changes")
    same({ "on disk" }, child:lua("return vim.api.nvim_buf_get_lines(vim.fn.bufnr('carrick://review/1/original/a.txt'), 0, -1, false)"))
    child:type(":w<CR>")
    decided(child, { id = 1, decision = "accept" })
    same("on disk\n", disk(child))
    same({ true, { "mine disk" } }, child:lua("return { vim.bo.modified, vim.api.nvim_buf_get_lines(0, 0, -1, false) }"))
  end },
  { "a window that is closed, not quit, decides nothing", function(child)
    start(child, unpack(SMALL))
    child:type("ggAx<Esc><C-w>c")
    child:heard("still waits")
    child:until_true("return #vim.api.nvim_list_wins() == 1")
    same(false, vim.tbl_contains(child:kinds(), "review"))
    child:cmd("Carrick review")
    child:until_true("return vim.b.carrick_review == 1")
    child:type(":w<CR>")
    decided(child, { id = 1, decision = "accept_with", contents = "onex\n2\nthree\nfour\n" })
  end },
  { "carrick closes a review that was decided elsewhere", function(child)
    start(child, unpack(SMALL))
    child:call("review_close", { id = 1, why = "rejected" })
    child:heard("rejected elsewhere")
    same(1, child:lua("return #vim.api.nvim_list_wins()"))
    child:call("review_close", { id = 1, why = "rejected" })
    same(false, vim.tbl_contains(child:kinds(), "review"))
  end },
  { "edits are kept when the agent goes away", function(child)
    start(child, unpack(SMALL))
    child:type("ggAmine<Esc>")
    child:call("review_close", { id = 1, why = "gone" })
    local words = child:heard("connection went away")
    local buffer = tonumber(words:match("in buffer (%d+)"))
    same("onemine", child:lua("return vim.api.nvim_buf_get_lines(..., 0, 1, false)[1]", buffer))
  end },
  { "a second change waits its turn", function(child)
    start(child, unpack(SMALL))
    open(child, 2, "b\n", "c\n", { path = child.folder .. "/b.txt" })
    child:heard("2 changes wait")
    same(1, child:lua("return vim.b.carrick_review"))
    child:type(":q<CR>")
    child:until_true("return vim.b.carrick_review == 2")
    child:type(":w<CR>")
    decided(child, { id = 2, decision = "accept" })
  end },
  { "a new file is reviewed against nothing", function(child)
    child:connect()
    open(child, 1, nil, "new\n", { path = child.folder .. "/new.txt" })
    has(child:lua("return vim.wo.winbar"), "new file")
    child:type(":w<CR>")
    decided(child, { id = 1, decision = "accept" })
    same(0, vim.fn.filereadable(child.folder .. "/new.txt"))
  end },
  { "somebody who types is not disturbed", function(child)
    child:connect()
    child:edit("a.txt", "one\n")
    child:type("i")
    open(child, 1, "one\n", "two\n")
    child:type("typed")
    same("i", child:mode())
    same("typedone", child:lua("return vim.api.nvim_get_current_line()"))
    child:type("<Esc>")
    child:cmd("Carrick accept")
    decided(child, { id = 1, decision = "accept" })
  end },
  { "somebody who types is not disturbed by a tab page either", function(child)
    child:lua("require('carrick').setup({ review = { layout = 'tab' } })")
    child:connect()
    child:edit("a.txt", "one\ntwo\n")
    child:type("ji")
    child:type("ty")
    open(child, 1, "one\n", "two\n")
    child:until_true("return #vim.api.nvim_list_tabpages() == 2")
    child:type("ped")
    same({ "i", "typedtwo" }, { child:mode(), child:lua("return vim.api.nvim_get_current_line()") })
    child:type("<Esc>")
    child:cmd("Carrick reject")
    decided(child, { id = 1, decision = "reject" })
    same(1, child:lua("return #vim.api.nvim_list_tabpages()"))
  end },
  { "a review waits until the command-line window is left", function(child)
    child:connect()
    child:edit("a.txt", "one\n")
    child:type("q:")
    child:until_true("return vim.fn.getcmdwintype() == ':'")
    child:call("review_open", {
      id = 1, path = child.folder .. "/a.txt", tab_name = "t", original = "one\n", original_kind = "text",
      proposed = "two\n", client_name = "claude",
    })
    same(2, child:lua("return #vim.api.nvim_list_wins()"))
    child:type(":q<CR>")
    child:until_true("return vim.b.carrick_review == 1")
  end },
  { "a review waits until the command line is left", function(child)
    child:connect()
    child:edit("a.txt", "one\n")
    child:type(":echo 1")
    child:call("review_open", {
      id = 1, path = child.folder .. "/a.txt", tab_name = "t", original = "one\n", original_kind = "text",
      proposed = "two\n", client_name = "claude",
    })
    same(1, child:lua("return #vim.api.nvim_list_wins()"))
    same("c", child:mode())
    child:type("<Esc>")
    child:until_true("return vim.b.carrick_review == 1")
  end },
  { "no newline at the end is shown", function(child)
    start(child, "a\n", "a")
    same(1, child:lua("return #vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_create_namespace('carrick_newline'), 0, -1, {})"))
  end },
}
