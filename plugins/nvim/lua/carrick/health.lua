-- `:checkhealth carrick`: looks, starts nothing, and says what to do about everything that is not well.
local M = {}

local health = vim.health

local function neovim()
  if vim.fn.has("nvim-0.10") == 1 then
    health.ok("Neovim " .. tostring(vim.version()))
  else
    health.error("Neovim is older than 0.10", { "Install Neovim 0.10 or newer" })
  end
end

local function program()
  local job = require("carrick.job")
  local name = job.argv()[1]
  local path = vim.fn.exepath(name)
  if path == "" then
    health.error(("there is no program `%s`"):format(name), {
      "Install carrick and put it on your PATH",
      'or say where it is: require("carrick").setup{ cmd = "/path/to/carrick" }',
    })
    return
  end
  health.ok(("carrick is %s"):format(path))
  if not job.is_running() then
    health.warn("carrick is not running", { "`:Carrick restart` starts it" })
  elseif not job.version() then
    health.warn("carrick runs, but has not said hello", { "`:Carrick log` may say why", "`:Carrick restart`" })
  else
    local whose = job.is_ours() and "started by this Neovim" or "attached to this Neovim"
    health.ok(("carrick %s runs, %s"):format(job.version(), whose))
  end
end

local function versions()
  local running, plugin = require("carrick.job").version(), require("carrick.version").plugin
  if running and running ~= plugin then
    health.warn(("carrick is %s, this plug-in is %s"):format(running, plugin), {
      "Both come from one release; `carrick plugin nvim` gives the plug-in that fits",
    })
  end
end

local function agent()
  local cmd = require("carrick.config").get().terminal.cmd
  local name = type(cmd) == "table" and cmd[1] or vim.split(cmd, " ")[1]
  local path = vim.fn.exepath(name)
  if path == "" then
    health.error(("there is no program `%s`"):format(name), {
      "Install Claude Code, or set terminal.cmd to where it is",
    })
  else
    health.ok(("the agent is %s"):format(path))
  end
end

local function connection()
  local status = require("carrick.status")
  if not status.get().port then
    return
  end
  health.ok(("listening on port %d for %s"):format(status.get().port, tostring(status.get().root)))
  if #status.clients() > 0 then
    health.ok(("%d agents are connected"):format(#status.clients()))
  else
    health.info("no agent is connected: `:Carrick` starts one, `/ide` inside `claude` connects one that runs")
  end
end

local function options()
  for _, problem in ipairs(require("carrick.config").problems()) do
    health.warn("setup: " .. problem, { "`:help carrick-options` lists them" })
  end
end

local function others()
  if package.loaded["claudecode"] then
    health.warn("claudecode.nvim is loaded too: two lock files for one folder confuse the agent", {
      "Use one of the two in a Neovim",
    })
  end
end

function M.check()
  for _, part in ipairs({
    { "carrick: programs", { neovim, program, versions, agent } },
    { "carrick: connection", { connection } },
    { "carrick: options", { options, others } },
  }) do
    health.start(part[1])
    for _, look in ipairs(part[2]) do
      look()
    end
  end
end

return M
