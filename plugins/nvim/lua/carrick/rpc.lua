-- The table of everything carrick can ask of this Neovim (docs/neovim-rpc.md): one row per name.
local M = {}

local function hello(args)
  local version = require("carrick.version")
  if args.contract ~= version.contract then
    local older = (args.contract or 0) < version.contract and "the carrick program" or "this plug-in"
    local words = ("carrick %s and the Neovim plug-in %s do not fit: %s is older. "):format(
      tostring(args.version),
      version.plugin,
      older
    ) .. "Install both from the same release; `carrick plugin nvim` gives the plug-in that fits."
    require("carrick.say").error(words)
    error(words, 0)
  end
  require("carrick.job").greeted(args.channel, args.version)
  local nvim = vim.version()
  return {
    version = version.plugin,
    contract = version.contract,
    nvim = ("%d.%d.%d"):format(nvim.major, nvim.minor, nvim.patch),
    pid = vim.fn.getpid(),
    cwd = vim.fn.getcwd(-1, -1),
    folders = require("carrick.folders").list(),
  }
end

local function notify(args)
  vim.schedule(function()
    vim.notify("carrick: " .. args.text, args.level, { title = "carrick" })
  end)
end

local function from(module, name)
  return function(args)
    return require("carrick." .. module)[name](args)
  end
end

local CALLS = {
  hello = hello,
  open = from("open", "open"),
  tabs = from("tabs", "list"),
  close_tab = from("tabs", "close"),
  dirty = from("tabs", "dirty"),
  save = from("tabs", "save"),
  content = from("text", "content"),
  diagnostics = from("diagnostics", "collect"),
  format = from("format", "format"),
  can = from("format", "can"),
  review_open = from("review", "open"),
  review_close = from("review", "close"),
  checktime = from("reload", "check"),
  notify = notify,
  status = from("status", "update"),
}

-- msgpack's nil arrives as vim.NIL, which is true in Lua; what was left out must be nil.
local function without_nil(args)
  local clean = {}
  for key, value in pairs(args or {}) do
    if value ~= vim.NIL then
      clean[key] = value
    end
  end
  return clean
end

function M.call(name, args)
  local call = CALLS[name]
  if not call then
    error(("the Neovim plug-in does not know `%s`; update it to carrick's version"):format(tostring(name)), 0)
  end
  return call(without_nil(args))
end

return M
