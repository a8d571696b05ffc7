-- What a person can do inside a review: the keys, and `:w` on the proposal.
local config = require("carrick.config")
local say = require("carrick.say")
local write = require("carrick.review.write")

local M = {}

local function map(buffer, lhs, words, action)
  if lhs then
    vim.keymap.set("n", lhs, action, { buffer = buffer, desc = "carrick: " .. words })
  end
end

-- `:w elsewhere` saves a copy of the proposal, which decides nothing.
local function save_copy(review, path)
  local contents = require("carrick.review.buffers").contents(review) or review.proposed
  local file, problem = io.open(path, "wb")
  if not file then
    return say.error("cannot write %s: %s", path, problem)
  end
  file:write(contents)
  file:close()
  say.info("the proposal was saved as %s; the change itself still waits", path)
end

local function on_write(review, event)
  local name = vim.api.nvim_buf_get_name(event.buf)
  if event.match ~= name and event.file ~= name then
    return save_copy(review, vim.fn.fnamemodify(event.file, ":p"))
  end
  if write.typed() and vim.api.nvim_get_current_buf() == event.buf then
    vim.bo[event.buf].modified = false
    vim.schedule(function()
      require("carrick.review").accept(review.id)
    end)
  elseif not review.told then
    review.told = true
    local key = config.get().review.accept
    local keys = key and (", or %s,"):format(key) or ""
    say.warn("not accepted: something other than you wrote the proposal. A `:w` that you type%s accepts it.", keys)
  end
end

--- Sets the review's buffers up.
function M.set(review)
  local reviews = require("carrick.review")
  local keys = config.get().review
  for _, buffer in pairs(review.buffers) do
    local accept = function()
      reviews.accept(review.id)
    end
    local reject = function()
      reviews.reject(review.id)
    end
    map(buffer, keys.accept, "accept this change", accept)
    map(buffer, keys.reject, "reject this change", reject)
    map(buffer, "ZZ", "accept this change", accept)
    map(buffer, "ZQ", "reject this change", reject)
  end
  vim.api.nvim_create_autocmd("BufWriteCmd", {
    buffer = review.buffers.proposed,
    callback = function(event)
      on_write(review, event)
    end,
  })
end

return M
