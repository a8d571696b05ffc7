-- The carrick process: missing, dying, restarted, of another version; and what the rest of Neovim notices.
local check = require("same")
local same, has = check.same, check.has

local function program(child, script)
  local path = child:write("carrick", "#!/bin/sh\n" .. script)
  vim.uv.fs_chmod(path, 493)
  child:lua("require('carrick').setup({ cmd = ... })", path)
end

return {
  { "a missing program is said, with what to do", function(child)
    child:lua("require('carrick').setup({ cmd = 'no-such-carrick' })")
    child:cmd("Carrick restart")
    has(child:heard("there is no program `no-such-carrick`"), "setup{ cmd = … }")
  end },
  { "its death is said once, with its last words, and Neovim works on", function(child)
    program(child, 'echo "error: the runtime folder is not yours" >&2; exit 1\n')
    child:cmd("Carrick start")
    has(child:heard("carrick has ended"), "error: the runtime folder is not yours")
    has(child:heard("carrick has ended"), ":Carrick restart")
    child:event("Stopped")
    child:edit("a.txt", "one\n")
    child:type("ix<Esc>")
    same("xone", child:lua("return vim.fn.getline(1)"))
    same(1, child:lua("return #_G.said"))
    same("", child:lua("return require('carrick').statusline()"))
  end },
  { "it is started with `nvim`, restarted, and stopped without a word", function(child)
    program(child, 'echo "$*" >>"' .. child.folder .. '/started"; cat >/dev/null; exit 0\n')
    child:cmd("Carrick start")
    child:until_true("return vim.fn.filereadable(...) == 1", child.folder .. "/started")
    child:cmd("Carrick start")
    child:cmd("Carrick restart")
    child:until_true("return #vim.fn.readfile(...) == 2", child.folder .. "/started")
    same({ "nvim", "nvim" }, vim.fn.readfile(child.folder .. "/started"))
    child:cmd("Carrick stop")
    same({ {}, false }, { child:lua("return _G.said"), child:lua("return require('carrick.job').is_running()") })
  end },
  { "reviews do not outlive it", function(child)
    program(child, "cat >/dev/null; exit 0\n")
    child:cmd("Carrick start")
    child:edit("a.txt", "a\n")
    child:call("review_open", {
      id = 1, path = child.folder .. "/a.txt", tab_name = "t", original = "a\n", original_kind = "text",
      proposed = "b\n", client_name = "claude",
    })
    child:event("ReviewOpened")
    child:lua("vim.uv.kill(vim.fn.jobpid(require('carrick.job').channel()), 'sigkill')")
    child:heard("can no longer be decided")
    same(1, child:lua("return #vim.api.nvim_list_wins()"))
  end },
  { "one that was attached and has gone is said once", function(child)
    child:lua("vim.rpcnotify = function() error('Invalid channel: 9') end")
    child:call("hello", { version = "0.1.0", contract = 1, channel = 9 })
    child:heard("has gone")
    child:edit("a.txt", "one\n")
    child:type("ll")
    same({ 1, false }, child:lua("return { #_G.said, require('carrick.job').is_running() }"))
  end },
  { "hello tells what carrick needs to know", function(child)
    local answer = child:call("hello", { version = "0.1.0", contract = 1, channel = 1 })
    same({ "0.1.0", 1, child.folder, { child.folder } }, { answer.version, answer.contract, answer.cwd, answer.folders })
    assert(answer.nvim:match("^%d+%.%d+%.%d+$") and answer.pid > 0)
  end },
  { "another contract is refused, and both sides say which is older", function(child)
    local ok, problem = pcall(child.call, child, "hello", { version = "9.0.0", contract = 2, channel = 1 })
    assert(not ok)
    has(problem, "this plug-in is older")
    child:heard("this plug-in is older")
    ok, problem = pcall(child.call, child, "hello", { version = "0.0.1", contract = 0, channel = 1 })
    assert(not ok)
    has(problem, "the carrick program is older")
  end },
  { "a call that is not known is an error in words", function(child)
    local ok, problem = pcall(child.call, child, "dance", {})
    assert(not ok)
    has(problem, "does not know `dance`")
  end },
  { "status: events and the piece of status line", function(child)
    child:connect()
    same("carrick ○", child:lua("return require('carrick').statusline()"))
    child:call("status", { port = 1, clients = { { id = 1, name = "claude", mine = true, ready = true } }, reviews = 0 })
    child:event("Connected")
    same("carrick ●", child:lua("return require('carrick').statusline()"))
    child:call("status", { port = 1, clients = { { id = 2, name = "claude", mine = false, ready = true } }, reviews = 0 })
    child:event("Disconnected")
    child:edit("a.txt", "a\n")
    child:call("review_open", {
      id = 1, path = child.folder .. "/a.txt", tab_name = "t", original = "a\n", original_kind = "text",
      proposed = "b\n", client_name = "claude",
    })
    same("carrick ○ 1 to review", child:lua("return require('carrick').statusline()"))
  end },
  { "notify reaches the person at its level", function(child)
    child:connect()
    child:call("notify", { level = 3, text = "careful" })
    same("carrick: careful", child:heard("careful"))
    same(3, child:lua("return _G.said[#_G.said].level"))
  end },
  { "wrong options are named", function(child)
    child:lua("require('carrick').setup({ reviw = {}, review = { layout = 'diagonal' }, auto_start = 'yes' })")
    child:heard("there is no option reviw")
    child:heard('review.layout is "diagonal"; it can be vertical, horizontal, tab, inline')
    child:heard("auto_start must be a boolean, not a string")
    same("vertical", child:lua("return require('carrick.config').get().review.layout"))
  end },
  { "highlight groups have defaults and give way to the person's", function(child)
    child:cmd("highlight CarrickAdded guifg=#112233")
    child:connect()
    same(1122867, child:lua("return vim.api.nvim_get_hl(0, { name = 'CarrickAdded' }).fg"))
    same("DiffDelete", child:lua("return vim.api.nvim_get_hl(0, { name = 'CarrickRemoved' }).link"))
  end },
  { "loading the plug-in starts nothing and loads nothing", function(child)
    same({}, child:lua("return vim.tbl_filter(function(name) return vim.startswith(name, 'carrick') end, vim.tbl_keys(package.loaded))"))
    same(2, child:lua("return vim.fn.exists(':Carrick')"))
  end },
}
