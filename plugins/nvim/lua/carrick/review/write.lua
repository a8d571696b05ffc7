-- Decides whether a write of a proposal was asked for by the person. Autosave plug-ins write too, and must not accept.
local M = {}

local VERBS = { write = true, update = true, wq = true, xit = true, exit = true }

local typed = nil
local watching = nil

-- Holds for the command that is about to run, and no longer.
local function note(line)
  local ok, command = pcall(vim.api.nvim_parse_cmd, line, {})
  if ok and VERBS[command.cmd] then
    typed = command.cmd
    vim.schedule(function()
      typed = nil
    end)
  end
end

--- The write command the person has just entered, if that is what runs now.
function M.typed()
  return typed
end

-- Keys on which people have put `<Cmd>w<CR>` enter no command line; their mapping says what they do.
local function listen_to_keys()
  local command = vim.keycode("<Cmd>")
  return vim.on_key(function(key, pressed)
    if key ~= command or not pressed then
      return
    end
    local rhs = vim.fn.maparg(vim.fn.keytrans(pressed), vim.fn.mode(), false, true).rhs
    local line = rhs and rhs:match("^<[Cc][Mm][Dd]>(.-)<[Cc][Rr]>")
    if line then
      note(line)
    end
  end)
end

--- Listens while at least one review waits.
function M.listen()
  if watching then
    return
  end
  local group = vim.api.nvim_create_augroup("carrick_write", { clear = true })
  vim.api.nvim_create_autocmd("CmdlineLeave", {
    group = group,
    pattern = ":",
    callback = function()
      if not vim.v.event.abort then
        note(vim.fn.getcmdline())
      end
    end,
  })
  watching = listen_to_keys()
end

function M.stop()
  if watching then
    vim.on_key(nil, watching)
    vim.api.nvim_create_augroup("carrick_write", { clear = true })
    watching, typed = nil, nil
  end
end

return M
