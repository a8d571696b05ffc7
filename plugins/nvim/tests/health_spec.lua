-- `:checkhealth carrick` and `:help carrick`: what they say, and that looking starts nothing.
local check = require("same")
local same, has = check.same, check.has

local function report(child)
  child:cmd("silent checkhealth carrick")
  return child:until_true([[
    local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
    return text:find("carrick: options") and text or nil
  ]])
end

return {
  { "without a program it says what to do, and starts nothing", function(child)
    child:lua("require('carrick').setup({ cmd = 'no-such-carrick', terminal = { cmd = 'no-such-agent' }, nonsense = 1 })")
    local text = report(child)
    has(text, "there is no program `no-such-carrick`")
    has(text, "put it on your PATH")
    has(text, "there is no program `no-such-agent`")
    has(text, "there is no option nonsense")
    same(false, child:lua("return require('carrick.job').is_running()"))
  end },
  { "a program that is there is not run", function(child)
    local path = child:write("carrick", "#!/bin/sh\ntouch " .. child.folder .. "/ran\n")
    vim.uv.fs_chmod(path, 493)
    child:lua("require('carrick').setup({ cmd = ..., terminal = { cmd = ... } })", path)
    local text = report(child)
    has(text, "carrick is " .. path)
    has(text, "carrick is not running")
    has(text, ":Carrick restart")
    same(0, vim.fn.filereadable(child.folder .. "/ran"))
  end },
  { "connected: version, port and agents; a misfit is said", function(child)
    local path = child:write("carrick", "#!/bin/sh\n")
    vim.uv.fs_chmod(path, 493)
    child:lua("require('carrick').setup({ cmd = ... })", path)
    child:call("hello", { version = "0.2.0", contract = 1, channel = 1 })
    child:call("status", { port = 4711, root = "/r", clients = { { id = 1, name = "claude", mine = true } }, reviews = 0 })
    local text = report(child)
    has(text, "carrick 0.2.0 runs")
    has(text, "port 4711")
    has(text, "1 agents are connected")
    has(text, "carrick is 0.2.0, this plug-in is 0.1.0")
  end },
  { "every help tag resolves, and every word of the command has one", function(child)
    local copy = child.folder .. "/doc"
    vim.fn.mkdir(copy)
    vim.uv.fs_copyfile(child.plugin .. "/doc/carrick.txt", copy .. "/carrick.txt")
    child:cmd("helptags " .. copy)
    child:lua("vim.opt.runtimepath:append(...)", child.folder)
    for _, tag in ipairs({ "carrick", "carrick-options", "carrick-terminal", "carrick-review", "carrick-events" }) do
      child:cmd("help " .. tag)
      has(child:lua("return vim.api.nvim_buf_get_name(0)"), "carrick.txt")
    end
    for _, word in ipairs(child:lua("return require('carrick.command').complete('', 'Carrick ')")) do
      child:cmd("help :Carrick-" .. word)
    end
    local text = table.concat(vim.fn.readfile(copy .. "/carrick.txt"), "\n")
    for _, option in ipairs(child:lua([[
      local names = {}
      local function walk(options, prefix)
        for name, value in pairs(options) do
          if type(value) == "table" and not vim.islist(value) then walk(value, prefix .. name .. ".")
          else table.insert(names, prefix .. name) end
        end
      end
      walk(require("carrick.config").defaults, "")
      return names
    ]])) do
      has(text, option)
    end
    for link in text:gmatch("|([^|%s]+)|") do
      child:cmd("help " .. link)
    end
  end },
}
