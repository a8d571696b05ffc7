-- The agent's terminal: where it is shown, what it finds in its environment, several sessions, outside Neovim.
local check = require("same")
local same, has = check.same, check.has

-- Stands for the agent: says what it was started with, then echoes its input.
local AGENT = [[#!/bin/sh
echo "port=$CLAUDE_CODE_SSE_PORT ide=$ENABLE_IDE_INTEGRATION proxy=$no_proxy session=$CARRICK_SESSION args=$*"
exec cat
]]

local function start(child, terminal)
  local agent = child:write("agent", AGENT)
  vim.uv.fs_chmod(agent, 493)
  terminal = vim.tbl_extend("force", { cmd = { agent } }, terminal or {})
  child:lua("require('carrick').setup({ terminal = ... })", terminal)
  child:connect()
  child:call("status", { port = 4711, clients = {}, reviews = 0 })
  child:edit("a.txt", "1\n2\n3\n")
end

local function screen(child, text)
  child:until_true([[ local text = ...
    local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
    return vim.bo.buftype == "terminal" and table.concat(lines):find(text, 1, true) ]], text)
end

local function wins(child)
  return child:lua("return #vim.api.nvim_list_wins()")
end

return {
  { "toggles, in the right environment, and lives while it is hidden", function(child)
    start(child)
    child:cmd("Carrick")
    screen(child, "port=4711 ide=true")
    screen(child, "127.0.0.1,localhost")
    same("t", child:mode())
    same(2, wins(child))
    child:type("hello<CR>")
    screen(child, "hello")
    child:cmd("Carrick toggle")
    same(1, wins(child))
    child:cmd("Carrick")
    same(2, wins(child))
    screen(child, "hello")
  end },
  { "a selection is kept when the key opens the terminal", function(child)
    start(child)
    child:lua("require('carrick.config').get().mappings = '<leader>a'; require('carrick.mappings').set()")
    child:type("Vj")
    child:selection("it.text == '1\\n2'")
    child:type("\\ac")
    screen(child, "port=4711")
    child:selection("it.text == '1\\n2'")
    child:type("<C-\\><C-n>")
    child:cmd("Carrick")
    child:forget()
    child:type("ggjVj\\ac")
    screen(child, "port=4711")
    child:selection("it.text == '2\\n3'")
    for _, keys in ipairs({ "ggvjl\\ac", "gg<C-v>j\\ac" }) do
      child:type("<C-\\><C-n>")
      child:cmd("Carrick")
      child:forget()
      child:type(keys)
      screen(child, "port=4711")
      child:selection("it.text == '1\\n2'")
    end
  end },
  { "the person's own no_proxy is kept", function(child)
    child:lua("vim.env.no_proxy = 'corp.example'")
    start(child)
    child:cmd("Carrick")
    screen(child, "corp.example,127.0.0.1,localhost")
  end },
  { "a split at the bottom", function(child)
    start(child, { side = "bottom", size = 0.3 })
    child:cmd("Carrick")
    screen(child, "port")
    same("col", child:lua("return vim.fn.winlayout()[1]"))
    same(12, child:lua("return vim.api.nvim_win_get_height(0)"))
  end },
  { "a float", function(child)
    start(child, { where = "float" })
    child:cmd("Carrick")
    screen(child, "port")
    same("editor", child:lua("return vim.api.nvim_win_get_config(0).relative"))
  end },
  { "a tab page", function(child)
    start(child, { where = "tab" })
    child:cmd("Carrick")
    screen(child, "port")
    same(2, child:lua("return #vim.api.nvim_list_tabpages()"))
  end },
  { "several sessions, each by its name", function(child)
    start(child)
    child:cmd("Carrick toggle one")
    screen(child, "session=one")
    child:type("<C-\\><C-n>")
    child:cmd("Carrick toggle two")
    screen(child, "session=two")
    same(2, wins(child))
    same({ "one", "two" }, child:lua("return vim.fn.getcompletion('Carrick toggle ', 'cmdline')"))
    local pid = child:lua("return vim.fn.jobpid(vim.bo.channel)")
    child:cmd("Carrick add a.txt")
    same(pid, child:told("mention").pid)
    child:forget()
    child:cmd("Carrick focus one")
    screen(child, "session=one")
    pid = child:lua("return vim.fn.jobpid(vim.bo.channel)")
    child:cmd("Carrick add a.txt")
    same(pid, child:told("mention").pid)
  end },
  { "resume and continue pass the flag on", function(child)
    start(child)
    child:cmd("Carrick continue")
    screen(child, "args=--continue")
    child:cmd("Carrick resume other abc")
    screen(child, "args=--resume abc")
  end },
  { "send types words after the mention, and ! sends them off", function(child)
    start(child)
    child:cmd("Carrick")
    screen(child, "port")
    child:type("<C-\\><C-n>")
    child:cmd("wincmd p")
    child:cmd("1,2Carrick! send explain this")
    same({ 0, 1 }, { child:told("mention").line_start, child:told("mention").line_end })
    child:cmd("wincmd p")
    screen(child, "explain this")
  end },
  { "a session that ends well closes, one that fails is left to read", function(child)
    start(child)
    child:cmd("Carrick")
    screen(child, "port")
    child:type("<C-d>")
    child:until_true("return #vim.api.nvim_list_wins() == 1")
    same({}, child:lua("return require('carrick.terminal').names()"))
    child:lua("require('carrick.config').get().terminal.cmd = { 'sh', '-c', 'echo last words; exit 3' }")
    child:cmd("Carrick")
    child:heard("ended with code 3")
    screen(child, "last words")
  end },
  { "waits for the port when carrick has only just started", function(child)
    start(child)
    child:lua("require('carrick.status').forget()")
    child:cmd("Carrick")
    same(1, wins(child))
    child:call("status", { port = 815, clients = {}, reviews = 0 })
    screen(child, "port=815")
  end },
  { "a missing agent is said", function(child)
    start(child, { cmd = "no-such-agent" })
    child:cmd("Carrick")
    child:heard("there is no program `no-such-agent`")
    same(1, wins(child))
  end },
  { "outside, by a command of one's own", function(child)
    local out = child.folder .. "/out"
    start(child, { where = "external", external = { "sh", "-c", "{cmd} </dev/null >" .. out } })
    child:cmd("Carrick continue")
    child:until_true("local file = io.open(...); local text = file and file:read('*a') or ''; return text:find('session') ~= nil", out)
    has(table.concat(vim.fn.readfile(out)), "port=4711 ide=true")
    has(table.concat(vim.fn.readfile(out)), "args=--continue")
    same(1, wins(child))
  end },
  { "outside, by a function", function(child)
    start(child, { where = "external" })
    child:lua("require('carrick.config').get().terminal.external = function(argv, env, cwd) _G.got = { argv, env.CLAUDE_CODE_SSE_PORT, cwd } end")
    child:cmd("Carrick")
    same({ { child.folder .. "/agent" }, "4711", child.folder }, child:until_true("return _G.got"))
  end },
  { "outside, in a pane of a real tmux", function(child)
    local socket, out = child.folder .. "/tmux", child.folder .. "/out"
    local function tmux(...)
      return vim.system({ "tmux", "-S", socket, ... }, { text = true, env = { TMUX = "" } }):wait()
    end
    same(0, tmux("new-session", "-d", "-x", "120", "-y", "30", "cat").code)
    local pid = vim.trim(tmux("display-message", "-p", "#{pid}").stdout)
    child:lua("vim.env.TMUX = ...", socket .. "," .. pid .. ",0")
    local agent = child:write("writer", ('#!/bin/sh\necho "$CLAUDE_CODE_SSE_PORT $PWD" >"%s"; exec cat\n'):format(out))
    vim.uv.fs_chmod(agent, 493)
    start(child, { where = "external", cmd = { agent } })
    child:cmd("Carrick")
    local ok, problem = pcall(child.until_true, child, "return vim.fn.getfsize(...) > 0", out)
    local panes = vim.split(vim.trim(tmux("list-panes").stdout), "\n")
    tmux("kill-server")
    assert(ok, problem)
    same({ "4711 " .. child.folder }, vim.fn.readfile(out))
    same(2, #panes)
  end },
  { "outside, in a pane of tmux, kitty and wezterm", function(child)
    local out = child.folder .. "/line"
    for _, name in ipairs({ "tmux", "kitty", "wezterm" }) do
      local program = child:write("bin/" .. name, ('#!/bin/sh\nprintf "%%s|" "$@" >"%s.tmp"; mv "%s.tmp" "%s.%s"\n'):format(out, out, out, name))
      vim.uv.fs_chmod(program, 493)
    end
    child:lua("vim.env.PATH = ... .. '/bin:' .. vim.env.PATH", child.folder)
    start(child, { where = "external" })
    for name, begins in pairs({ tmux = "split-window|-h|-c|", kitty = "@|launch|", wezterm = "cli|split-pane|" }) do
      child:lua("require('carrick.config').get().terminal.external = ...", name)
      child:cmd("Carrick")
      child:until_true("return vim.uv.fs_stat(...) ~= nil", out .. "." .. name)
      local line = table.concat(vim.fn.readfile(out .. "." .. name))
      has(line, begins)
      has(line, "|env|")
      has(line, "|CLAUDE_CODE_SSE_PORT=4711|")
      has(line, child.folder .. "/agent|")
    end
  end },
}
