-- Files that were written outside: buffers without changes are read again at once, those with changes ask.
local place = require("carrick.place")

local M = {}

-- Per buffer: the file's stamp when Neovim last read or wrote it, the watcher of its folder, and what was asked.
local seen, watchers, asked = {}, {}, {}

-- A file that is written in place is empty for a moment; so long is waited until it is looked at.
local SETTLE_MS = 40
local due = {}

local function stamp(path)
  local stat = vim.uv.fs_stat(path)
  return stat and ("%d.%d.%d"):format(stat.mtime.sec, stat.mtime.nsec, stat.size) or nil
end

local function remember(buffer)
  local path = place.file_of(buffer)
  if path then
    seen[buffer], asked[buffer] = stamp(path), nil
  end
end

local function read_again(buffer)
  local before = vim.bo[buffer].autoread
  vim.bo[buffer].autoread = true
  pcall(vim.cmd, ("silent! checktime %d"):format(buffer))
  if vim.api.nvim_buf_is_valid(buffer) then
    vim.bo[buffer].autoread = before
  end
end

local function throw_away(buffer)
  vim.api.nvim_buf_call(buffer, function()
    vim.cmd("silent edit!")
  end)
end

local CHOICES = { "Keep mine", "Load the file from disk" }

-- Asked once for each state of the file: the person may put it off.
local function ask(buffer, path, now)
  if asked[buffer] == now then
    return
  end
  asked[buffer] = now
  local prompt = ("%s was changed outside, and has unsaved changes here"):format(vim.fn.fnamemodify(path, ":~:."))
  vim.schedule(function()
    vim.ui.select(CHOICES, { prompt = prompt, kind = "carrick_reload" }, function(choice)
      if choice == CHOICES[2] and vim.api.nvim_buf_is_valid(buffer) then
        throw_away(buffer)
      end
    end)
  end)
end

local function check_one(buffer)
  local path = place.file_of(buffer)
  local now = path and stamp(path)
  if not now or now == seen[buffer] then
    return
  end
  if vim.bo[buffer].modified then
    if seen[buffer] then
      ask(buffer, path, now)
    end
    return
  end
  read_again(buffer)
  -- The stamp from before the reading: a writer that was not done by then makes another.
  seen[buffer] = now
end

--- The call `checktime`.
function M.check()
  if not require("carrick.config").get().reload then
    return
  end
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) then
      check_one(buffer)
    end
  end
end

local function stop(buffer)
  if watchers[buffer] then
    watchers[buffer]:stop()
    watchers[buffer]:close()
    watchers[buffer] = nil
  end
  seen[buffer], asked[buffer] = nil, nil
end

-- The folder is watched, not the file: a file that is replaced by rename would be lost from sight.
local function follow(buffer)
  local path = place.file_of(buffer)
  if watchers[buffer] or not path or not require("carrick.config").get().reload then
    return
  end
  local event = vim.uv.new_fs_event()
  local name = vim.fs.basename(path)
  local started = event:start(vim.fs.dirname(path), {}, function(problem, changed)
    if not problem and changed == name and not due[buffer] then
      due[buffer] = true
      vim.defer_fn(function()
        due[buffer] = nil
        if vim.api.nvim_buf_is_valid(buffer) and vim.api.nvim_buf_is_loaded(buffer) then
          check_one(buffer)
        end
      end, SETTLE_MS)
    end
  end)
  if started then
    watchers[buffer] = event
  else
    event:close()
  end
end

--- Begins to know and watch the files of all buffers, those there are and those to come.
function M.watch(group)
  vim.api.nvim_create_autocmd({ "BufReadPost", "BufWritePost", "BufNewFile", "FileChangedShellPost" }, {
    group = group,
    callback = function(event)
      remember(event.buf)
      follow(event.buf)
    end,
  })
  vim.api.nvim_create_autocmd({ "BufUnload", "BufFilePre" }, {
    group = group,
    callback = function(event)
      stop(event.buf)
    end,
  })
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) then
      remember(buffer)
      follow(buffer)
    end
  end
end

return M
