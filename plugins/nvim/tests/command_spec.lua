-- The :Carrick command and the keys: words, ranges, completion, mentions from files and from file trees.
local check = require("same")
local same, has = check.same, check.has

local function mentioned(child)
  local it = child:told("mention")
  child:forget()
  return it
end

local function complete(child, line)
  return child:lua("return vim.fn.getcompletion(..., 'cmdline')", line)
end

local function review(child, id)
  child:call("review_open", {
    id = id, path = child.folder .. "/a.txt", tab_name = "t", original = "a\n", original_kind = "text",
    proposed = "b\n", client_name = "claude",
  })
end

-- A file tree as far as its public functions go; its buffer lists one name per line.
local function tree(child, filetype, lua)
  child:connect()
  child:write("sub/one.txt", "")
  child:write("sub/two.txt", "")
  child:lua([[
    vim.cmd("new | setlocal buftype=nofile")
    vim.api.nvim_buf_set_lines(0, 0, -1, false, { "one.txt", "two.txt" })
    _G.folder = ... .. "/sub/"
    _G.name = function(line) return vim.fn.getline(line) end
  ]], child.folder)
  child:lua(lua)
  child:cmd("noautocmd setlocal filetype=" .. filetype)
  child:cmd("Carrick mention")
  same(child.folder .. "/sub/one.txt", mentioned(child).path)
  child:cmd("2Carrick add")
  same(child.folder .. "/sub/two.txt", mentioned(child).path)
  child:cmd("1,2Carrick send")
  child:until_true("return #vim.tbl_filter(function(one) return one.kind == 'mention' end, _G.sent) == 2")
end

local function in_tree(filetype, lua)
  return function(child)
    tree(child, filetype, lua)
  end
end

return {
  { "completion: words, changes, files", function(child)
    child:connect()
    local words = complete(child, "Carrick ")
    for _, word in ipairs({ "accept", "add", "continue", "log", "mention", "reject", "resume", "send", "status" }) do
      assert(vim.tbl_contains(words, word), word .. " is missing")
    end
    same({ "reject", "restart", "resume", "review" }, complete(child, "Carrick re"))
    review(child, 12)
    same({ "12" }, complete(child, "Carrick accept "))
    child:write("some file.txt", "")
    child:cmd("cd " .. child.folder)
    same({ "some file.txt" }, complete(child, "Carrick add so"))
    same({ "accept" }, complete(child, "'<,'>Carrick ac"))
  end },
  { "mention: the file, or its lines, always absolute", function(child)
    child:connect()
    local path = child:edit("a b/c.txt", "1\n2\n3\n4\n")
    child:cmd("cd a\\ b")
    child:cmd("Carrick mention")
    same({ path = path }, mentioned(child))
    child:cmd("2,3Carrick mention")
    same({ path = path, line_start = 1, line_end = 2 }, mentioned(child))
  end },
  { "add: any file or folder, with lines", function(child)
    child:connect()
    local path = child:write("dir/x y.txt", "1\n2\n3\n")
    child:cmd("cd " .. child.folder)
    child:cmd("Carrick add dir/x y.txt 2 3")
    same({ path = path, line_start = 1, line_end = 2 }, mentioned(child))
    child:cmd("Carrick add dir/x y.txt 2")
    same({ path = path, line_start = 1, line_end = 1 }, mentioned(child))
    child:cmd("Carrick add dir/")
    same({ path = child.folder .. "/dir" }, mentioned(child))
    for _, name in ipairs({ "a  b $HOME [x].txt", "chapter 7", "100%#.txt" }) do
      path = child:write(name, "1\n2\n")
      child:cmd("Carrick add " .. name)
      same({ path = path }, mentioned(child))
      child:cmd("Carrick add " .. name .. " 1 2")
      same({ path = path, line_start = 0, line_end = 1 }, mentioned(child))
    end
    child:write("home.txt", "")
    child:cmd("Carrick add ~/home.txt")
    same({ path = child.folder .. "/home.txt" }, mentioned(child))
    child:cmd("Carrick add absent.txt")
    child:heard("there is no file or folder")
  end },
  { "send: a visual range, by command and by key", function(child)
    child:lua("require('carrick').setup({ mappings = '<leader>a' })")
    child:connect()
    local path = child:edit("a.txt", "1\n2\n3\n4\n")
    child:type("jVj:Carrick send<CR>")
    same({ path = path, line_start = 1, line_end = 2 }, mentioned(child))
    child:type("ggVj\\as")
    same({ path = path, line_start = 0, line_end = 1 }, mentioned(child))
    child:type("<Esc>\\am")
    same({ path = path }, mentioned(child))
    same("Mention this file to the agent", child:lua("return vim.fn.maparg('<leader>am', 'n', false, true).desc"))
  end },
  { "keys that are taken stay taken", function(child)
    child:lua("vim.keymap.set('n', '<leader>am', 'mine'); require('carrick').setup({ mappings = true })")
    same("mine", child:lua("return vim.fn.maparg('<leader>am', 'n')"))
    assert(child:lua("return vim.fn.maparg('<leader>ac', 'n')") ~= "")
  end },
  { "no keys without being asked", function(child)
    child:lua("require('carrick').setup({})")
    same("", child:lua("return vim.fn.maparg('<leader>am', 'n')"))
  end },
  { "an unknown word names the known ones", function(child)
    child:cmd("Carrick dance")
    has(child:heard("there is no `:Carrick dance`"), "accept")
    child:cmd("Carrick accept x")
    child:heard("is no number")
  end },
  { "without carrick a mention says so", function(child)
    child:edit("a.txt", "1\n")
    child:cmd("Carrick mention")
    child:heard("carrick is not running")
  end },
  { "status and log show what carrick answers", function(child)
    child:connect()
    child:lua([[vim.rpcrequest = function(_, _, ask)
      if ask.what == "log" then return { "first", "second" } end
      return { version = "0.1.0", port = 4711, root = "/r", clients = { { id = 1, name = "claude", mine = true } } }
    end]])
    child:cmd("Carrick status")
    local shown = child:lua("return vim.fn.execute('messages')")
    has(shown, "port 4711")
    has(shown, "this Neovim's")
    child:cmd("Carrick log")
    same({ "first", "second" }, child:lua("return vim.api.nvim_buf_get_lines(0, 0, -1, false)"))
  end },
  { "oil.nvim", in_tree("oil", [[package.loaded["oil"] = {
    get_entry_on_line = function(_, line) return { name = _G.name(line) } end,
    get_current_dir = function() return _G.folder end }]]) },
  { "mini.files", in_tree("minifiles", [[package.loaded["mini.files"] = {
    get_fs_entry = function(_, line) return { path = _G.folder .. _G.name(line) } end }]]) },
  { "nvim-tree", in_tree("NvimTree", [[package.loaded["nvim-tree.api"] = { tree = {
    get_node_under_cursor = function() return { absolute_path = _G.folder .. vim.fn.getline(".") } end } }]]) },
  { "neo-tree", in_tree("neo-tree", [[package.loaded["neo-tree.sources.manager"] = {
    get_state_for_window = function() return { tree = { get_node = function(_, line)
      return { path = _G.folder .. _G.name(line) } end } } end }]]) },
  { "netrw, the real one", function(child)
    child:connect()
    child:write("dir/one.txt", "")
    child:cmd("runtime plugin/netrwPlugin.vim")
    child:cmd("silent! packadd! netrw")
    child:cmd("Explore " .. child.folder .. "/dir")
    child:until_true("return vim.bo.filetype == 'netrw'")
    child:lua("vim.fn.search('one.txt')")
    child:cmd("Carrick mention")
    same(child.folder .. "/dir/one.txt", mentioned(child).path)
  end },
  { "a tree that is not there breaks nothing", function(child)
    child:connect()
    child:cmd("new | noautocmd setlocal filetype=oil")
    child:cmd("Carrick mention")
    child:heard("no file under the cursor")
  end },
}
