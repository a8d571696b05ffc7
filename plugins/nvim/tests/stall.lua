-- Measures how long Neovim is held up: the longest gap of a 1 ms timer. `nvim --clean -l stall.lua`; the numbers in
-- docs/neovim.md come from here.
local here = vim.fs.dirname(vim.fs.normalize(vim.fn.fnamemodify(arg[0], ":p")))
package.path = here .. "/?.lua;" .. package.path

local child = require("child").start(vim.fs.dirname(here))

local START = [[
  _G.gaps, _G.last = {}, vim.uv.hrtime()
  _G.timer = vim.uv.new_timer()
  _G.timer:start(0, 1, vim.schedule_wrap(function()
    local now = vim.uv.hrtime()
    table.insert(_G.gaps, (now - _G.last) / 1e6)
    _G.last = now
  end))
]]

local STOP = [[
  _G.timer:stop()
  table.sort(_G.gaps, function(a, b) return a > b end)
  return { _G.gaps[1] or 0, _G.gaps[2] or 0, _G.gaps[3] or 0 }
]]

local function measure(what, work)
  child:lua(START)
  work()
  local gaps = child:lua(STOP)
  print(("%-40s %6.1f %6.1f %6.1f ms"):format(what, unpack(gaps)))
end

local function idle(milliseconds)
  vim.wait(milliseconds, function()
    return false
  end)
end

local PAINTED = [[
  local buffer = vim.fn.bufnr("carrick://review/1/proposed/a.txt")
  return #vim.api.nvim_buf_get_extmarks(buffer, vim.api.nvim_create_namespace("carrick_inline"), 0, -1, {}) > 0
]]

local lines = {}
for number = 1, 200000 do
  lines[number] = ("line %d of a large file with some words in it, so long"):format(number)
end
local original = table.concat(lines, "\n") .. "\n"
for number = 1, 200000, 1000 do
  lines[number] = "changed " .. number
end
local proposed = table.concat(lines, "\n") .. "\n"

child:connect()
local path = child:edit("a.txt", original)
print(("%-40s the three longest gaps"):format(("file %.1f MB, 200 hunks"):format(#original / 1e6)))
measure("nothing, for a second", function()
  idle(1000)
end)
measure("the change is opened", function()
  child:call("review_open", {
    id = 1, path = path, tab_name = "t", original = original, original_kind = "text", proposed = proposed,
    client_name = "claude",
  })
  child:until_true(PAINTED)
  idle(200)
end)
measure("it is accepted", function()
  child:type(":w<CR>")
  child:told("review")
end)
child:edit("b.txt", ("some words in a line\n"):rep(1000))
measure("1 000 selection changes a second", function()
  local began = vim.uv.hrtime()
  for number = 1, 2000 do
    local key = number == 1 and "ggV" or (number % 400 < 200 and "j" or "k")
    vim.rpcnotify(child.job, "nvim_input", key)
    while vim.uv.hrtime() - began < number * 1e6 do
      vim.uv.run("nowait")
    end
  end
end)
child:stop()
