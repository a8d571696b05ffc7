-- The two buffers of a review: what is on disk, which cannot be changed, and what is proposed, which can.
local text = require("carrick.text")

local M = {}

local MARKS = vim.api.nvim_create_namespace("carrick_newline")
-- A large text goes in so many lines at a time, for so many nanoseconds in a turn of the loop.
local SLICE, TURN = 200, 3e6

local function create(review, role, kind)
  local buffer = vim.api.nvim_create_buf(false, true)
  local options = vim.bo[buffer]
  options.buftype, options.bufhidden, options.swapfile = kind, "hide", false
  vim.b[buffer].carrick_review = review.id
  vim.api.nvim_buf_set_name(buffer, ("carrick://review/%d/%s/%s"):format(review.id, role, vim.fs.basename(review.path)))
  return buffer
end

-- Colours without the FileType event: no language server or plug-in should take it for a file of the project.
local function colour(buffer, path)
  local filetype = vim.filetype.match({ filename = path })
  if not filetype then
    return
  end
  local language = vim.treesitter.language.get_lang(filetype) or filetype
  if not pcall(vim.treesitter.start, buffer, language) then
    vim.bo[buffer].syntax = filetype
  end
end

local function set_form(buffer, form)
  local options = vim.bo[buffer]
  options.fileformat = form.dos and "dos" or "unix"
  options.fixeol, options.eol = false, form.eol
end

local function put(buffer, lines)
  local levels = vim.bo[buffer].undolevels
  vim.bo[buffer].undolevels = -1
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].undolevels = levels
  vim.bo[buffer].modified = false
end

--- Fills a buffer with a text. An empty one stays as it was made: no line at all.
local function fill(buffer, contents)
  local lines, form = text.split(contents)
  if #lines > 0 then
    put(buffer, lines)
  end
  set_form(buffer, form)
  vim.bo[buffer].modified = false
end

-- The lines from `at` on, at most a slice of them, and where the next ones begin.
local function slice(contents, at)
  local lines = {}
  while at <= #contents and #lines < SLICE do
    local stop = contents:find("\n", at, true)
    table.insert(lines, contents:sub(at, (stop or #contents + 1) - 1))
    at = (stop or #contents) + 1
  end
  return lines, at
end

--- Fills a buffer slice by slice, each in a turn of the loop of its own, then calls `ready`.
function M.fill_slowly(buffer, contents, ready)
  local at, row = 1, 0
  local levels = vim.bo[buffer].undolevels
  vim.bo[buffer].undolevels, vim.bo[buffer].modifiable = -1, true
  local function step()
    if not vim.api.nvim_buf_is_valid(buffer) then
      return
    end
    local began = vim.uv.hrtime()
    while at <= #contents and vim.uv.hrtime() - began < TURN do
      local lines
      lines, at = slice(contents, at)
      vim.api.nvim_buf_set_lines(buffer, row, row == 0 and -1 or row, false, lines)
      row = row + #lines
    end
    if at <= #contents then
      return vim.defer_fn(step, 1)
    end
    set_form(buffer, { dos = false, eol = contents:sub(-1) == "\n" })
    vim.bo[buffer].undolevels, vim.bo[buffer].modified = levels, false
    ready()
  end
  -- Not in the turn that read the message: that one was long enough.
  vim.defer_fn(step, 1)
end

-- A missing final newline is a difference that no diff view shows.
local function mark_newline(review)
  local original, proposed = review.buffers.original, review.buffers.proposed
  if not original or vim.bo[original].eol == vim.bo[proposed].eol then
    return
  end
  for _, buffer in pairs(review.buffers) do
    if not vim.bo[buffer].eol then
      local last = vim.api.nvim_buf_line_count(buffer) - 1
      local words = { { " no newline at the end of the file", "CarrickNoNewline" } }
      vim.api.nvim_buf_set_extmark(buffer, MARKS, last, 0, { virt_text = words, virt_text_pos = "eol" })
    end
  end
end

--- Makes the buffers of a review; `done` is called when they hold their texts, at once unless they are large.
function M.make(review, done)
  local function ready()
    review.tick = vim.api.nvim_buf_get_changedtick(review.buffers.proposed)
    done()
  end
  local proposed = create(review, "proposed", "acwrite")
  review.buffers = { proposed = proposed }
  if review.is_large then
    return M.fill_slowly(proposed, review.proposed, ready)
  end
  local original = create(review, "original", "nofile")
  review.buffers.original = original
  fill(original, review.original or "")
  fill(proposed, review.proposed)
  vim.bo[original].modifiable, vim.bo[original].readonly = false, true
  mark_newline(review)
  colour(original, review.path)
  colour(proposed, review.path)
  ready()
end

--- What would be accepted now; nil when it is what was proposed.
function M.contents(review)
  local buffer = review.buffers and review.buffers.proposed
  if not buffer or not vim.api.nvim_buf_is_loaded(buffer) then
    return nil
  end
  -- Spares a large text that nobody touched.
  if vim.api.nvim_buf_get_changedtick(buffer) == review.tick then
    return nil
  end
  local form = { dos = vim.bo[buffer].fileformat == "dos", eol = vim.bo[buffer].eol }
  local contents = text.join(text.lines(buffer), form)
  return contents ~= review.proposed and contents or nil
end

function M.delete(review)
  for _, buffer in pairs(review.buffers or {}) do
    if vim.api.nvim_buf_is_valid(buffer) then
      vim.api.nvim_buf_delete(buffer, { force = true })
    end
  end
  review.buffers = nil
end

return M
