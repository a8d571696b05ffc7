-- The ways people install plug-ins: a package on 'packpath', vim.pack, a folder that lazy.nvim adds to 'runtimepath'.
local check = require("same")
local same = check.same

-- A copy without the tests, as `carrick plugin nvim` gives it.
local function copy(child, to)
  for _, part in ipairs({ "plugin", "lua", "doc" }) do
    for name, kind in vim.fs.dir(child.plugin .. "/" .. part, { depth = 5 }) do
      if kind == "file" then
        local target = to .. "/" .. part .. "/" .. name
        vim.fn.mkdir(vim.fs.dirname(target), "p")
        assert(vim.uv.fs_copyfile(child.plugin .. "/" .. part .. "/" .. name, target))
      end
    end
  end
end

-- Another Neovim, as a person starts it, with an init file of theirs; what it prints.
local function fresh(child, init, code)
  local config = child:write("config/nvim/init.lua", init)
  local script = child:write("script.lua", code)
  local env = { HOME = child.folder, XDG_CONFIG_HOME = child.folder .. "/config", XDG_DATA_HOME = child.folder .. "/data",
    XDG_STATE_HOME = child.folder .. "/state", GIT_CONFIG_GLOBAL = "/dev/null" }
  local argv = { vim.v.progpath, "--headless", "-i", "NONE", "-u", config, "-c", "luafile " .. script, "-c", "qa!" }
  local result = vim.system(argv, { env = env, cwd = child.folder, text = true }):wait(20000)
  return vim.trim(result.stderr .. result.stdout)
end

local LOOK = [[io.write(vim.fn.exists(":Carrick"), " ", tostring(require("carrick.job").is_running()))]]

return {
  { "a package on packpath, without setup()", function(child)
    copy(child, child.folder .. "/data/nvim/site/pack/carrick/start/carrick")
    same("2 false", fresh(child, "", LOOK))
    same("carrick.txt", fresh(child, "", [[vim.cmd("helptags ALL | help carrick") io.write(vim.fn.expand("%:t"))]]))
  end },
  { "a folder added to runtimepath after the start, with setup()", function(child)
    copy(child, child.folder .. "/lazy/carrick")
    local init = [[
      vim.opt.runtimepath:prepend(vim.env.HOME .. "/lazy/carrick")
      vim.cmd.source(vim.env.HOME .. "/lazy/carrick/plugin/carrick.lua")
      require("carrick").setup({ review = { layout = "inline" } })
    ]]
    same("2 false", fresh(child, init, LOOK))
  end },
  { "vim.pack, where there is one", function(child)
    if not vim.pack then
      return
    end
    local source = child.folder .. "/carrick"
    copy(child, source)
    local git = function(...)
      local argv = { "git", "-C", source, "-c", "user.name=me", "-c", "user.email=me@example.org", ... }
      assert(vim.system(argv):wait().code == 0)
    end
    git("init", "--quiet", "--initial-branch=main")
    git("add", ".")
    git("commit", "--quiet", "-m", "carrick")
    local init = ([[vim.pack.add({ "file://%s" }, { confirm = false })]]):format(source)
    assert(fresh(child, init, LOOK):find("2 false", 1, true))
    same("2 false", fresh(child, init, LOOK))
  end },
}
