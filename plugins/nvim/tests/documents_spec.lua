-- The calls about files and buffers: open, tabs, dirty, save, content, close, diagnostics, format, reload.
local check = require("same")
local same, has = check.same, check.has

local function fails(child, name, args)
  local ok, problem = pcall(child.call, child, name, args)
  assert(not ok, name .. " should have failed")
  return problem
end

local function open(child, args)
  return child:call("open", vim.tbl_extend("force", { to_end_of_line = false, preview = false, focus = true }, args))
end

-- A language server of a few lines, inside the child: it answers when it is told to.
local SERVER = [[
  _G.server = { version = 0, sent = {} }
  local function start(dispatchers)
    _G.publish = function(uri, diagnostics)
      dispatchers.notification("textDocument/publishDiagnostics", { uri = uri, diagnostics = diagnostics })
    end
    return {
      request = function(method, params, callback)
        if method == "initialize" then
          callback(nil, { capabilities = { textDocumentSync = 1, documentFormattingProvider = true } })
        elseif method == "textDocument/formatting" then
          callback(nil, { { range = { start = { line = 0, character = 0 }, ["end"] = { line = 0, character = 1 } }, newText = "Ä" } })
        elseif method == "shutdown" then
          callback(nil, nil)
        end
        return true, 1
      end,
      notify = function(method) table.insert(_G.server.sent, method) return true end,
      is_closing = function() return false end,
      terminate = function() end,
    }
  end
  local id = vim.lsp.start({ name = "toy", cmd = start, root_dir = vim.fn.getcwd(),
    workspace_folders = { { uri = vim.uri_from_fname(vim.fn.getcwd() .. "/lib"), name = "lib" } } })
  vim.wait(2000, function() return vim.lsp.buf_is_attached(0, id) end, 5)
  return id
]]

local function with_server(child, text)
  child:connect()
  local path = child:edit("a.txt", text)
  child:lua(SERVER)
  child:until_true("return vim.tbl_contains(_G.server.sent, 'textDocument/didOpen')")
  return path
end

local PUBLISH = [[
  local path, line, from, to, message = ...
  _G.publish(vim.uri_from_fname(path), { { message = message, severity = 1, source = "toy", code = 7,
    range = { start = { line = line, character = from }, ["end"] = { line = line, character = to } } } })
]]

return {
  { "open: lines, selected for the person", function(child)
    child:connect()
    local path = child:write("a.txt", "one\nzwölf\nthree\n")
    local answer = open(child, { path = path, line = 1, end_line = 1 })
    same({ path, 3, "zwölf" }, { answer.path, answer.line_count, answer.selected.start_text_of_line })
    same({ line = 1, byte = 0 }, answer.selected.start)
    same({ line = 1, byte = 6 }, answer.selected["end"])
    child:selection("it.text == 'zwölf'")
  end },
  { "open: a passage by its words", function(child)
    child:connect()
    local path = child:write("a.txt", "one two\nthree four\nfive\n")
    local answer = open(child, { path = path, start_text = "two\nthree", end_text = "fo" })
    same({ { line = 0, byte = 4 }, { line = 1, byte = 8 } }, { answer.selected.start, answer.selected["end"] })
    answer = open(child, { path = path, start_text = "two", end_text = "absent" })
    same({ false, true, { line = 0, byte = 7 } }, { answer.start_missing, answer.end_missing, answer.selected["end"] })
    answer = open(child, { path = path, start_text = "absent" })
    same({ true, nil }, { answer.start_missing, answer.selected })
    answer = open(child, { path = path, start_text = "thr", to_end_of_line = true })
    same({ line = 1, byte = 10 }, answer.selected["end"])
  end },
  { "open: never into a terminal, and without focus the cursor stays", function(child)
    child:connect()
    child:cmd("terminal cat")
    local path = child:write("a.txt", "one\n")
    open(child, { path = path, focus = false })
    same("terminal", child:lua("return vim.bo.buftype"))
    same(2, child:lua("return #vim.api.nvim_list_wins()"))
    open(child, { path = path })
    same(path, child:lua("return vim.api.nvim_buf_get_name(0)"))
    same(2, child:lua("return #vim.api.nvim_list_wins()"))
  end },
  { "open: paths with odd characters; missing files and folders are errors", function(child)
    child:connect()
    local path = child:write("a b/$HOME [x] %'#.txt", "one\n")
    same(path, open(child, { path = path }).path)
    has(fails(child, "open", { path = child.folder .. "/absent", focus = true }), "there is no file")
    has(fails(child, "open", { path = child.folder, focus = true }), "is a folder")
  end },
  { "tabs: all their fields", function(child)
    child:connect()
    local one = child:edit("one.lua", "x = 1\n")
    child:cmd("filetype on | edit")
    child:type("Gox = 2<Esc>")
    local two = child:edit("two.txt", "a\nb\n")
    child:selection("it.path:find('two')")
    child:cmd("help")
    local tabs = child:call("tabs")
    same({ one, two }, vim.tbl_map(function(tab)
      return tab.path
    end, tabs))
    same({ "one.lua", "lua", 2, true, false }, { tabs[1].label, tabs[1].language, tabs[1].line_count, tabs[1].is_dirty, tabs[1].is_active })
    same({ false, true, false, false, false, 0, true }, {
      tabs[2].is_dirty, tabs[2].is_active, tabs[2].is_pinned, tabs[2].is_preview, tabs[2].is_untitled, tabs[2].group,
      tabs[2].is_group_active,
    })
    child:told("tabs")
  end },
  { "close_tab: by label or path; not when it has changes; the window stays", function(child)
    child:connect()
    child:edit("one.txt", "a\n")
    local two = child:edit("two.txt", "b\n")
    same(true, child:call("close_tab", { name = "two.txt" }))
    same({ child.folder .. "/one.txt", 1 }, child:lua("return { vim.api.nvim_buf_get_name(0), #vim.api.nvim_list_wins() }"))
    same(false, child:call("close_tab", { name = two }))
    child:type("ix<Esc>")
    same(false, child:call("close_tab", { name = child.folder .. "/one.txt" }))
  end },
  { "dirty and save, with the person's autocommands", function(child)
    child:connect()
    local path = child:edit("a.txt", "one\n")
    same(vim.NIL, child:call("dirty", { path = child.folder .. "/other" }))
    same({ is_dirty = false, is_untitled = false }, child:call("dirty", { path = path }))
    child:type("ix<Esc>")
    same({ is_dirty = true, is_untitled = false }, child:call("dirty", { path = path }))
    child:lua("vim.api.nvim_create_autocmd('BufWritePre', { callback = function() vim.fn.setline(1, 'hooked') end })")
    same(true, child:call("save", { path = path }))
    same({ "hooked" }, vim.fn.readfile(path))
    same(false, child:call("save", { path = child.folder .. "/other" }))
    child:lua("vim.fn.setline(1, 'again'); vim.bo.readonly = true")
    has(fails(child, "save", { path = path }), "readonly")
  end },
  { "content: byte for byte, from the buffer or the disk", function(child)
    child:connect()
    for index, text in ipairs({ "", "\n", "a", "a\n", "a\r\nb\r\n", "a\r\nb", "ö\t漢\n", "\239\187\191bom\n", "a\0b\n", "a\nb\r" }) do
      local name = ("f%d.txt"):format(index)
      local path = child:write(name, text)
      same({ kind = "text", text = text }, child:call("content", { path = path }), "disk " .. index)
      child:lua("vim.o.fixeol = false; vim.cmd.edit(...)", path)
      same({ kind = "text", text = text }, child:call("content", { path = path }), "buffer " .. index)
    end
    same({ kind = "missing" }, child:call("content", { path = child.folder .. "/absent" }))
    same({ kind = "binary" }, child:call("content", { path = child:write("b", "a\255b") }))
  end },
  { "diagnostics: in bytes, and at once when nothing changed", function(child)
    local path = with_server(child, "zwölf x\n")
    child:lua(PUBLISH, path, 0, 6, 7, "wrong")
    child:until_true("return #vim.diagnostic.get(0) == 1")
    local files = child:call("diagnostics", { path = path, wait_ms = 1200 })
    same(1, #files)
    local one = files[1].diagnostics[1]
    same({ path, "wrong", 1, 0, 7, 8, "zwölf x", "toy", "7" }, {
      files[1].path, one.message, one.severity, one.line, one.byte, one.end_byte, one.line_text, one.source, one.code,
    })
  end },
  { "diagnostics: after a change they wait for the server", function(child)
    local path = with_server(child, "one\n")
    child:lua(PUBLISH, path, 0, 0, 1, "old")
    child:until_true("return #vim.diagnostic.get(0) == 1")
    child:type("ix<Esc>")
    child:until_true("return vim.tbl_contains(_G.server.sent, 'textDocument/didChange')")
    local pending = child:call("diagnostics", { path = path, wait_ms = 5000 }).pending
    assert(pending, "it did not wait")
    child:lua(PUBLISH, path, 0, 0, 1, "new")
    local done = child:told("done")
    same({ pending, "new" }, { done.id, done.value[1].diagnostics[1].message })
  end },
  { "diagnostics: a server that is silent is waited for no longer than asked", function(child)
    local path = with_server(child, "one\n")
    local pending = child:call("diagnostics", { path = path, wait_ms = 50 }).pending
    local done = child:told("done")
    same({ pending, {} }, { done.id, done.value[1].diagnostics })
  end },
  { "diagnostics: a file written outside is read and waited for", function(child)
    local path = with_server(child, "one\n")
    child:lua(PUBLISH, path, 0, 0, 1, "old")
    child:until_true("return #vim.diagnostic.get(0) == 1")
    child:write("a.txt", "two, longer\n")
    local answer = child:call("diagnostics", { path = path, wait_ms = 5000 })
    assert(answer.pending, vim.inspect(answer))
    same("two, longer", child:lua("return vim.fn.getline(1)"))
    child:lua(PUBLISH, path, 0, 0, 1, "new")
    same("new", child:told("done").value[1].diagnostics[1].message)
  end },
  { "format: by the server, the buffer untouched", function(child)
    local path = with_server(child, "a\r\nb\r\n")
    same({ format = true }, child:call("can"))
    local pending = child:call("format", { path = path }).pending
    local done = child:told("done")
    same({ pending, "Ä\r\nb\r\n" }, { done.id, done.value.text })
    same({ "a", false }, child:lua("return { vim.fn.getline(1), vim.bo.modified }"))
  end },
  { "format: by formatprg, and what it says when it fails", function(child)
    child:connect()
    local path = child:edit("a.txt", "b\na\n")
    same({ format = false }, child:call("can"))
    has(child:call("format", { path = path }).error, "formatprg")
    child:cmd("setlocal formatprg=sort")
    child:call("format", { path = path })
    same("a\nb\n", child:told("done").value.text)
    child:forget()
    child:cmd("setlocal formatprg=exit\\ 3")
    child:call("format", { path = path })
    has(child:told("done").error, "code 3")
  end },
  { "reload: an unmodified buffer at once, the cursor kept", function(child)
    child:connect()
    child:edit("a.txt", "one\ntwo\nthree\n")
    child:type("jl")
    child:write("a.txt", "one\nTWO\nthree\nfour\n")
    child:until_true("return vim.fn.getline(2) == 'TWO'")
    same({ 2, 1 }, child:lua("return vim.api.nvim_win_get_cursor(0)"))
  end },
  { "reload: replaced by rename, and with noautoread, by the call too", function(child)
    child:connect()
    child:cmd("set noautoread")
    local path = child:edit("a.txt", "one\n")
    os.rename(child:write("b.txt", "renamed\n"), path)
    child:until_true("return vim.fn.getline(1) == 'renamed'")
    child:write("a.txt", "again, longer\n")
    child:call("checktime")
    same("again, longer", child:lua("return vim.fn.getline(1)"))
  end },
  { "reload: a modified buffer asks, once, and keeps or loads", function(child)
    child:connect()
    child:lua("_G.asked = {}; vim.ui.select = function(items, options, choose) table.insert(_G.asked, options.prompt); _G.choose = function(n) choose(items[n]) end end")
    child:edit("a.txt", "one\n")
    child:type("Amine<Esc>")
    child:write("a.txt", "theirs\n")
    child:call("checktime")
    has(child:until_true("return _G.asked[1]"), "unsaved changes")
    child:call("checktime")
    same({ 1, "onemine" }, child:lua("return { #_G.asked, vim.fn.getline(1) }"))
    child:lua("_G.choose(1)")
    same("onemine", child:lua("return vim.fn.getline(1)"))
    child:write("a.txt", "theirs again\n")
    child:call("checktime")
    child:until_true("return #_G.asked == 2")
    child:lua("_G.choose(2)")
    same({ "theirs again", false }, child:lua("return { vim.fn.getline(1), vim.bo.modified }"))
  end },
}
