-- The plug-in's face for people's configurations: setup(), the actions behind commands and keys, a status line.
local M = {}

--- Optional. Takes options over; see `:help carrick-options`.
function M.setup(options)
  local say = require("carrick.say")
  for _, problem in ipairs(require("carrick.config").set(options)) do
    say.warn("setup: %s; see `:help carrick-options`", problem)
  end
  require("carrick.highlight").define()
  require("carrick.mappings").set()
end

--- Starts carrick unless it runs.
function M.start()
  return require("carrick.job").start()
end

function M.stop()
  require("carrick.job").stop()
end

--- A piece of status line; empty while carrick does not run.
function M.statusline()
  return require("carrick.status").line()
end

--- How many changes wait for this person.
function M.reviews()
  return require("carrick.review").list()
end

local function said(ok, problem)
  if not ok and problem then
    require("carrick.say").warn(problem)
  end
  return ok
end

function M.accept(id)
  return said(require("carrick.review").accept(id))
end

function M.reject(id)
  return said(require("carrick.review").reject(id))
end

function M.show(id)
  return said(require("carrick.review").show(id))
end

--- Shows or hides the terminal of a session; `name` may be left out.
function M.toggle(name)
  require("carrick.terminal").toggle(name)
end

--- Mentions a file, a folder or lines (from 1, both included) to the agent.
function M.mention(path, first, last)
  return require("carrick.mention").path(path, first, last)
end

local function lines_of_selection()
  if not vim.fn.mode():match("^[vV\22]") then
    return nil
  end
  local first, last = vim.fn.line("v"), vim.fn.line(".")
  return math.min(first, last), math.max(first, last)
end

--- The actions behind the `<Plug>(carrick-…)` keys.
function M.act(name)
  local first, last = lines_of_selection()
  if name == "toggle" then
    M.toggle()
  elseif name == "send" or name == "mention" then
    require("carrick.mention").here(first, last)
  else
    M[name]()
  end
end

return M
