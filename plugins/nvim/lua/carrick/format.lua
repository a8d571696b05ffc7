-- The calls `format` and `can`: what a file would be when formatted. The buffer itself is never changed.
local job = require("carrick.job")
local place = require("carrick.place")
local text = require("carrick.text")

local M = {}

-- Numbers of pending calls; far from those of the diagnostics.
local next_id = 1000001

local METHOD = "textDocument/formatting"

local function server_for(buffer)
  return vim.lsp.get_clients({ bufnr = buffer, method = METHOD })[1]
end

local function done(id, value, problem)
  job.notify("done", { id = id, value = value, error = problem })
end

local function form_of(buffer)
  return { dos = vim.bo[buffer].fileformat == "dos", eol = vim.bo[buffer].eol or vim.bo[buffer].fixeol }
end

-- The edits are applied to a copy, which nobody sees.
local function formatted(buffer, edits, client)
  local copy = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(copy, 0, -1, false, vim.api.nvim_buf_get_lines(buffer, 0, -1, false))
  vim.lsp.util.apply_text_edits(edits, copy, client.offset_encoding)
  local result = text.join(text.lines(copy), form_of(buffer))
  vim.api.nvim_buf_delete(copy, { force = true })
  return result
end

local function by_server(buffer, client, id)
  local params = {
    textDocument = vim.lsp.util.make_text_document_params(buffer),
    options = { tabSize = vim.lsp.util.get_effective_tabstop(buffer), insertSpaces = vim.bo[buffer].expandtab },
  }
  local function answered(problem, edits)
    if problem then
      return done(id, nil, ("%s could not format it: %s"):format(client.name, problem.message or "no reason given"))
    end
    local ok, result = pcall(formatted, buffer, edits or {}, client)
    done(id, ok and { text = result } or nil, not ok and result or nil)
  end
  -- 0.11 made the client's functions methods; the old form still works in 0.10 alone.
  if vim.fn.has("nvim-0.11") == 1 then
    client:request(METHOD, params, answered, buffer)
  else
    client.request(METHOD, params, answered, buffer)
  end
end

local function program_for(buffer)
  local program = vim.bo[buffer].formatprg
  if program == "" then
    program = vim.go.formatprg
  end
  return program ~= "" and program or nil
end

local function by_program(buffer, program, id)
  local before = text.of_buffer(buffer)
  local line = program:gsub("%%", vim.fn.shellescape(vim.api.nvim_buf_get_name(buffer)))
  vim.system({ vim.o.shell, vim.o.shellcmdflag, line }, { stdin = before, text = false }, vim.schedule_wrap(function(result)
    if result.code ~= 0 then
      local words = vim.trim(result.stderr or "")
      return done(id, nil, ("`%s` failed with code %d: %s"):format(program, result.code, words))
    end
    done(id, { text = result.stdout })
  end))
end

function M.format(args)
  local buffer = place.loaded(args.path)
  if not buffer then
    return { error = ("%s is not open in Neovim; open it, then format it"):format(args.path) }
  end
  local id = next_id
  next_id = id + 1
  local server, program = server_for(buffer), program_for(buffer)
  if server then
    by_server(buffer, server, id)
  elseif program then
    by_program(buffer, program, id)
  else
    return { error = "no language server formats this file, and 'formatprg' is empty" }
  end
  return { pending = id }
end

function M.can()
  local buffers = vim.tbl_filter(vim.api.nvim_buf_is_loaded, vim.api.nvim_list_bufs())
  local able = vim.iter(buffers):any(function(buffer)
    return place.file_of(buffer) ~= nil and (server_for(buffer) ~= nil or program_for(buffer) ~= nil)
  end)
  return { format = able }
end

return M
