-- The environment that ties an agent to this Neovim's carrick.
local M = {}

-- A proxy must not be asked for the loopback door.
local function without_proxy()
  local have = vim.env.no_proxy or vim.env.NO_PROXY or ""
  local hosts = vim.split(have, ",", { trimempty = true })
  for _, host in ipairs({ "127.0.0.1", "localhost" }) do
    if not vim.tbl_contains(hosts, host) then
      table.insert(hosts, host)
    end
  end
  return table.concat(hosts, ",")
end

--- The variables for a session; without a port the agent is left to find the lock file.
function M.of(port, name)
  local hosts = without_proxy()
  local env = { ENABLE_IDE_INTEGRATION = "true", no_proxy = hosts, NO_PROXY = hosts, CARRICK_SESSION = name }
  if port then
    env.CLAUDE_CODE_SSE_PORT = tostring(port)
  end
  return vim.tbl_extend("force", env, require("carrick.config").get().terminal.env)
end

return M
