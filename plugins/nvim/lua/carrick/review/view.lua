-- A review on the screen: shown when it disturbs nobody, with its keys and its title, and taken down again.
local buffers = require("carrick.review.buffers")
local config = require("carrick.config")
local layout = require("carrick.review.layout")
local place = require("carrick.place")
local say = require("carrick.say")
local write = require("carrick.review.write")

local M = {}

local function how(review)
  local wanted = config.get().review.layout
  if wanted == "inline" or review.is_large then
    return "inline", layout.needs_tab() and "tab" or "vertical"
  end
  return "native", layout.needs_tab() and "tab" or wanted
end

-- The person's keys must not land in a window they did not ask for.
local function may_take_cursor()
  local focus = config.get().review.focus
  if focus ~= "auto" then
    return focus
  end
  return vim.fn.mode():match("^[nt]") ~= nil
end

local function escape(text)
  return (text:gsub("%%", "%%%%"))
end

-- Below this width the title has no room for the keys.
local NARROW = 90

local function hint(width)
  local keys = config.get().review
  if width < NARROW then
    return ":w accepts, :q rejects"
  end
  local function key(lhs)
    return lhs and (" (%s)"):format(lhs) or ""
  end
  return (":w accepts%s, :q rejects%s"):format(key(keys.accept), key(keys.reject))
end

local KINDS = { missing = "new file", binary = "proposed instead of what is not text" }

-- What does not fit is cut off at the end.
local function title(review, width)
  local name = escape(vim.fn.fnamemodify(review.path, ":~:."))
  local what = KINDS[review.original_kind] or "proposed"
  local warning = review.is_dirty and "%#CarrickWarning#your unsaved changes are not in it %*" or ""
  return ("%%#CarrickTitle# %s: %s %%*%s%%#CarrickHint#%s%%*%%<"):format(name, what, warning, escape(hint(width)))
end

local function set_titles(review, windows)
  local proposed = windows[#windows]
  local width = vim.api.nvim_win_get_width(proposed)
  vim.api.nvim_set_option_value("winbar", title(review, width), { scope = "local", win = proposed })
  if #windows > 1 then
    local name = escape(vim.fn.fnamemodify(review.path, ":t"))
    local bar = ("%%#CarrickHint# %s: on disk%%*"):format(name)
    vim.api.nvim_set_option_value("winbar", bar, { scope = "local", win = windows[1] })
  end
end

local function on_window_closed(review)
  local view = review.view
  if not view or view.closing then
    return
  end
  view.closing = true
  local rejects, accepts = view.quitting, view.accepting
  vim.schedule(function()
    if accepts then
      require("carrick.review").accept(review.id)
    elseif rejects then
      require("carrick.review").reject(review.id)
    else
      M.hide(review)
      say.info("the change of %s still waits; `:Carrick review` shows it", vim.fs.basename(review.path))
    end
  end)
end

-- `:q` says no, or yes after a typed `:x`; other ways to lose a window decide nothing.
local function on_quit(review)
  local view = review.view
  if not view then
    return
  end
  view.quitting, view.accepting = true, write.typed() ~= nil
  view.memory.left_inside = true
  vim.schedule(function()
    if not view.closing then
      view.quitting, view.accepting = false, false
      view.memory.left_inside = nil
    end
  end)
end

local function watch_windows(review, windows)
  local group = vim.api.nvim_create_augroup("carrick_review_" .. review.id, { clear = true })
  for _, window in ipairs(windows) do
    vim.api.nvim_create_autocmd("WinClosed", {
      group = group,
      pattern = tostring(window),
      callback = function()
        on_window_closed(review)
      end,
    })
  end
  for _, buffer in pairs(review.buffers) do
    vim.api.nvim_create_autocmd("QuitPre", {
      group = group,
      buffer = buffer,
      callback = function()
        on_quit(review)
      end,
    })
  end
end

--- Puts it on the screen now.
local function show_now(review)
  local kind, where = how(review)
  local take = may_take_cursor()
  local memory = layout.remember()
  local windows = require("carrick.review." .. kind).open(review, where)
  set_titles(review, windows)
  review.view = { memory = memory, windows = windows, kind = kind }
  watch_windows(review, windows)
  if take then
    vim.cmd.stopinsert()
    vim.api.nvim_set_current_win(windows[#windows])
  elseif where == "tab" then
    vim.api.nvim_set_current_tabpage(memory.tab)
    vim.api.nvim_set_current_win(memory.focus)
  end
  if vim.wo[windows[#windows]].diff then
    vim.cmd("diffupdate")
  end
end

-- A command line, its window or a prompt is open: windows cannot or should not come up now.
local function is_busy()
  return vim.fn.getcmdwintype() ~= "" or vim.fn.mode():match("^[cr!]") ~= nil
end

--- Shows it as soon as no command line is in the way.
function M.show(review)
  if not is_busy() then
    return show_now(review)
  end
  vim.api.nvim_create_autocmd({ "CmdlineLeave", "CmdwinLeave" }, {
    once = true,
    callback = function()
      vim.schedule(function()
        if not review.is_settled and not review.view then
          M.show(review)
        end
      end)
    end,
  })
end

--- Takes it off the screen; the review itself goes on waiting.
function M.hide(review)
  local view = review.view
  if not view then
    return
  end
  view.closing = true
  pcall(vim.api.nvim_del_augroup_by_name, "carrick_review_" .. review.id)
  layout.restore(view.memory, view.windows)
  review.view = nil
end

--- Takes it off the screen for good.
function M.remove(review)
  M.hide(review)
  buffers.delete(review)
end

M.is_dirty = function(path)
  local buffer = place.loaded(path)
  return buffer ~= nil and vim.bo[buffer].modified
end

return M
