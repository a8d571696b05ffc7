-- A Neovim under test: it gets real keys, its state is asked over RPC, and what it would tell carrick is kept.
local Child = {}
Child.__index = Child

local WAIT_MS = tonumber(vim.env.WAIT_MS) or 10000

-- Runs inside the child: the plug-in is real, carrick is an open ear.
local PREPARE = [[
  local plugin = ...
  vim.opt.runtimepath:prepend(plugin)
  vim.o.lines, vim.o.columns = 40, 120
  _G.sent, _G.said, _G.events = {}, {}, {}
  vim.rpcnotify = function(_, _, kind, payload) table.insert(_G.sent, { kind = kind, payload = payload }) end
  vim.notify = function(text, level) table.insert(_G.said, { text = text, level = level }) end
  vim.api.nvim_create_autocmd("User", { pattern = "Carrick*", callback = function(event)
    table.insert(_G.events, event.match)
  end })
  vim.cmd("runtime plugin/carrick.lua")
]]

function Child.start(plugin)
  local folder = vim.uv.fs_realpath(vim.fn.tempname()) or vim.fn.tempname()
  vim.fn.mkdir(folder, "p")
  folder = vim.uv.fs_realpath(folder)
  local argv = { vim.v.progpath, "--embed", "--headless", "-u", "NONE", "-i", "NONE", "-n" }
  local env = { HOME = folder, XDG_CONFIG_HOME = folder .. "/config", XDG_STATE_HOME = folder .. "/state" }
  local job = vim.fn.jobstart(argv, { rpc = true, cwd = folder, env = env })
  assert(job > 0, "Neovim cannot be started")
  local child = setmetatable({ job = job, folder = folder, plugin = plugin }, Child)
  child:lua(PREPARE, plugin)
  return child
end

function Child:stop()
  pcall(vim.fn.jobstop, self.job)
  vim.fn.jobwait({ self.job }, WAIT_MS)
  vim.fn.delete(self.folder, "rf")
end

--- Runs Lua in the child.
function Child:lua(code, ...)
  return vim.rpcrequest(self.job, "nvim_exec_lua", code, { ... })
end

--- Plays carrick: makes a call of the contract.
function Child:call(name, args)
  return self:lua("return require('carrick.rpc').call(...)", name, args or vim.empty_dict())
end

--- Connects the open ear.
function Child:connect()
  self:call("hello", { version = "0.1.0", contract = 1, channel = 1 })
  self:until_true("return vim.iter(_G.sent):any(function(one) return one.kind == 'focus' end)")
  return self
end

function Child:cmd(line)
  vim.rpcrequest(self.job, "nvim_command", line)
end

--- Presses keys, as a person does.
function Child:type(keys)
  vim.rpcrequest(self.job, "nvim_input", keys)
  -- A deferred call is served only when all keys have been read.
  self:lua("return 1")
end

--- Waits until Lua in the child returns something true; that is returned.
function Child:until_true(code, ...)
  local args, value = { ... }, nil
  local came = vim.wait(WAIT_MS, function()
    value = self:lua(code, unpack(args))
    return value and value ~= vim.NIL
  end, 5)
  if not came then
    error(("waited in vain for: %s\n  sent: %s\n  said: %s"):format(code, vim.inspect(self:kinds()), vim.inspect(self:lua("return _G.said"))), 2)
  end
  return value
end

--- Writes a file in the child's folder; its path.
function Child:write(name, text)
  local path = self.folder .. "/" .. name
  vim.fn.mkdir(vim.fs.dirname(path), "p")
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
  return path
end

--- Writes a file and edits it in the current window.
function Child:edit(name, text)
  local path = self:write(name, text)
  self:lua("vim.cmd.edit(vim.fn.fnameescape(...))", path)
  return path
end

function Child:kinds()
  return self:lua("return vim.tbl_map(function(one) return one.kind end, _G.sent)")
end

function Child:forget()
  self:lua("_G.sent = {}; _G.said = {}; _G.events = {}")
end

--- The payload of the last notification of this kind; waits for one.
function Child:told(kind)
  return self:until_true(
    [[
      for index = #_G.sent, 1, -1 do
        if _G.sent[index].kind == ... then return _G.sent[index].payload end
      end
    ]],
    kind
  )
end

--- Waits until the last selection told satisfies the Lua condition on `it`.
function Child:selection(condition)
  return self:until_true(([[
    for index = #_G.sent, 1, -1 do
      if _G.sent[index].kind == "selection" then
        local it = _G.sent[index].payload
        return (%s) and it or nil
      end
    end
  ]]):format(condition))
end

--- Waits until something was said that contains the text.
function Child:heard(text)
  return self:until_true(
    [[ local text = ...
       for _, one in ipairs(_G.said) do if one.text:find(text, 1, true) then return one.text end end ]],
    text
  )
end

function Child:event(name)
  return self:until_true("return vim.tbl_contains(_G.events, ...)", "Carrick" .. name)
end

function Child:mode()
  return self:lua("return vim.fn.mode()")
end

return Child
