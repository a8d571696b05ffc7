-- Runs one file of tests: `nvim --clean -l run.lua <name>_spec.lua`. Each test gets a Neovim of its own, driven by keys.
local here = vim.fs.dirname(vim.fs.normalize(vim.fn.fnamemodify(arg[0], ":p")))
package.path = here .. "/?.lua;" .. package.path

local Child = require("child")

local function run(name, test)
  local child = Child.start(vim.fs.dirname(here))
  local ok, problem = xpcall(function()
    test(child)
  end, debug.traceback)
  child:stop()
  print(("%s  %s"):format(ok and "ok  " or "FAIL", name))
  if not ok then
    print((problem:gsub("\n", "\n      ")))
  end
  return ok
end

local only = arg[2]
local failed, ran = 0, 0
for _, entry in ipairs(dofile(arg[1])) do
  if not only or entry[1]:find(only, 1, true) then
    ran = ran + 1
    if not run(entry[1], entry[2]) then
      failed = failed + 1
    end
  end
end
print(("%d ran, %d failed"):format(ran, failed))
os.exit((failed == 0 and ran > 0) and 0 or 1)
