-- The changes that wait for this person: opened by carrick, decided here once each, one on the screen at a time.
local buffers = require("carrick.review.buffers")
local config = require("carrick.config")
local job = require("carrick.job")
local keys = require("carrick.review.keys")
local say = require("carrick.say")
local view = require("carrick.review.view")
local write = require("carrick.review.write")

local M = {}

-- In the order they came.
local reviews = {}

local function find(id)
  for index, review in ipairs(reviews) do
    if review.id == id then
      return review, index
    end
  end
  return nil
end

local function shown()
  return vim.iter(reviews):find(function(review)
    return review.view ~= nil
  end)
end

function M.count()
  return #reviews
end

--- What waits, without contents.
function M.list()
  return vim.tbl_map(function(review)
    return { id = review.id, path = review.path, tab_name = review.tab_name, client_name = review.client_name,
      is_shown = review.view ~= nil }
  end, reviews)
end

local function file_name(review)
  return vim.fn.fnamemodify(review.path, ":~:.")
end

-- What cannot be put on the screen still waits, and can be shown later or decided elsewhere.
local function present(review)
  local ok, problem = pcall(view.show, review)
  if not ok then
    say.error("the change of %s cannot be shown: %s. `:Carrick review` tries again.", file_name(review), problem)
  end
end

-- Its buffers hold their texts: it can be shown, unless it was over before that.
local function begin(review)
  if review.is_settled then
    return
  end
  keys.set(review)
  review.is_ready = true
  say.event("ReviewOpened", { id = review.id, path = review.path, client_name = review.client_name })
  if shown() then
    say.info("%d changes wait; the next is %s", #reviews, file_name(review))
  else
    present(review)
  end
end

local function forget(review)
  local _, index = find(review.id)
  if index then
    table.remove(reviews, index)
  end
end

local function is_large(args)
  return #args.proposed + #(args.original or "") > config.get().review.large
end

--- The call `review_open`.
function M.open(args)
  if find(args.id) then
    return
  end
  local review = vim.tbl_extend("error", args, { is_dirty = view.is_dirty(args.path), is_large = is_large(args) })
  table.insert(reviews, review)
  write.listen()
  if review.is_dirty then
    say.warn("%s has unsaved changes; the proposed change is shown against what is on disk", file_name(review))
  end
  local ok, problem = pcall(buffers.make, review, function()
    begin(review)
  end)
  if not ok then
    forget(review)
    buffers.delete(review)
    error(problem, 0)
  end
end

local function drop(review, decision)
  forget(review)
  review.is_settled = true
  view.remove(review)
  say.event("ReviewSettled", { id = review.id, path = review.path, decision = decision })
  if #reviews == 0 then
    write.stop()
  end
end

local function show_next()
  local review = vim.iter(reviews):find(function(review)
    return review.is_ready
  end)
  if review and not shown() then
    present(review)
  end
end

local function settle(review, decision, contents)
  job.notify("review", { id = review.id, decision = decision, contents = contents })
  drop(review, decision)
  show_next()
end

-- The one that is meant: by its number, the one the cursor is in, the one on the screen, the only one.
local function meant(id)
  if id then
    local review = find(id)
    return review, not review and ("there is no change %d"):format(id) or nil
  end
  local review = find(vim.b.carrick_review) or shown() or (#reviews == 1 and reviews[1])
  if review then
    return review
  end
  return nil, #reviews == 0 and "no change waits" or "several changes wait: say which, by its number"
end

--- Accepts the change as it stands in its buffer now.
function M.accept(id)
  local review, problem = meant(id)
  if not review then
    return false, problem
  end
  local contents = buffers.contents(review)
  settle(review, contents and "accept_with" or "accept", contents)
  return true
end

function M.reject(id)
  local review, problem = meant(id)
  if not review then
    return false, problem
  end
  settle(review, "reject")
  return true
end

--- Puts a waiting change on the screen, instead of the one that is there.
function M.show(id)
  local review, problem = meant(id)
  if not review then
    return false, problem
  end
  local other = shown()
  if other and other ~= review then
    view.hide(other)
  end
  if not review.buffers or not vim.api.nvim_buf_is_loaded(review.buffers.proposed) then
    buffers.delete(review)
    review.original_lines = nil
    buffers.make(review, function()
      keys.set(review)
      present(review)
    end)
  elseif review.view then
    vim.api.nvim_set_current_win(review.view.windows[#review.view.windows])
  else
    present(review)
  end
  return true
end

local WHY = {
  accepted = "was accepted elsewhere",
  rejected = "was rejected elsewhere",
  closed = "was taken back by the agent",
  gone = "can no longer be decided: the agent's connection went away",
}

-- What the person has typed into a proposal is theirs, whoever closes it.
local function keep_edits(review)
  if not review.buffers or not buffers.contents(review) then
    return ""
  end
  local buffer = review.buffers.proposed
  review.buffers.proposed = nil
  vim.bo[buffer].buftype, vim.bo[buffer].buflisted = "nofile", true
  vim.b[buffer].carrick_review = nil
  return (" Your edited proposal is in buffer %d."):format(buffer)
end

--- The call `review_close`: it is over, by somebody else's hand when we still know it.
function M.close(args)
  local review = find(args.id)
  if not review then
    return
  end
  if review.view then
    view.hide(review)
  end
  local kept = keep_edits(review)
  drop(review, args.why)
  say.info("the change of %s %s.%s", file_name(review), WHY[args.why] or args.why, kept)
  show_next()
end

--- carrick has gone: nobody would hear a decision.
function M.abandon()
  for _, review in ipairs(vim.list_slice(reviews)) do
    M.close({ id = review.id, why = "gone" })
  end
end

return M
