-- After a review everything is as it was: windows, sizes, views, cursors, jumps, options, and other people's diffs.
local check = require("same")
local same, has = check.same, check.has

local FILE = {}
for line = 1, 200 do
  FILE[line] = "line " .. line
end
FILE = table.concat(FILE, "\n") .. "\n"

local CHANGED = FILE:gsub("line 50\n", "LINE 50\n")

-- Everything about the screen that a person would notice.
local STATE = [[
  local state = { layout = vim.fn.winlayout(), tabs = #vim.api.nvim_list_tabpages(), current = vim.api.nvim_get_current_win(),
    alternate = vim.fn.bufnr("#"), rest = vim.fn.winrestcmd(), windows = {}, globals = {}, listed = {} }
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    local options = {}
    for name, info in pairs(vim.api.nvim_get_all_options_info()) do
      if info.scope == "win" then options[name] = vim.api.nvim_get_option_value(name, { win = window }) end
    end
    state.windows[tostring(window)] = { buffer = vim.api.nvim_win_get_buf(window), options = options,
      view = vim.api.nvim_win_call(window, vim.fn.winsaveview), jumps = vim.fn.getjumplist(window),
      height = vim.api.nvim_win_get_height(window), width = vim.api.nvim_win_get_width(window) }
  end
  for name, info in pairs(vim.api.nvim_get_all_options_info()) do
    -- 0.10 lists options that it does not have.
    local known, value = pcall(vim.api.nvim_get_option_value, name, {})
    if info.scope == "global" and known then state.globals[name] = value end
  end
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do table.insert(state.listed, buffer) end
  return state
]]

-- Three windows of odd sizes, some jumps, a scrolled view.
local function furnish(child)
  child:edit("a.txt", FILE)
  child:cmd("vsplit")
  child:cmd("vertical resize 37")
  child:cmd("split")
  child:cmd("resize 21")
  child:type("G30%10jgg90Gzb")
  child:cmd("setlocal number nowrap scrolloff=3")
end

local function open(child, more)
  local args = {
    id = 1, path = child.folder .. "/a.txt", tab_name = "t", original = FILE, original_kind = "text",
    proposed = CHANGED, client_name = "claude",
  }
  child:call("review_open", vim.tbl_extend("force", args, more or {}))
  child:event("ReviewOpened")
  child:until_true("return vim.iter(vim.api.nvim_list_wins()):any(function(w) return vim.b[vim.api.nvim_win_get_buf(w)].carrick_review end)")
end

local function differs(before, after)
  for key, value in pairs(before) do
    if not vim.deep_equal(value, after[key]) then
      if type(value) == "table" and type(after[key]) == "table" and not vim.islist(value) then
        differs(value, after[key])
      end
      error(("%s was %s, is %s"):format(key, vim.inspect(value):sub(1, 400), vim.inspect(after[key]):sub(1, 400)), 0)
    end
  end
end

local function restored(layout, keys)
  return function(child)
    child:lua("require('carrick').setup({ review = { layout = ... } })", layout)
    child:connect()
    furnish(child)
    local before = child:lua(STATE)
    open(child)
    assert(#child:lua("return vim.api.nvim_list_wins()") > 3, "nothing was opened")
    child:type("gg]cx")
    child:type("u")
    child:type(keys)
    child:event("ReviewSettled")
    differs(before, child:lua(STATE))
  end
end

local DIFFS = [[
  local shown = {}
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.wo[window].diff then table.insert(shown, vim.fn.bufname(vim.api.nvim_win_get_buf(window))) end
  end
  return shown
]]

return {
  { "vertical, accepted", restored("vertical", ":w<CR>") },
  { "vertical, quit", restored("vertical", ":q<CR>") },
  { "vertical, written and quit", restored("vertical", ":wq<CR>") },
  { "horizontal", restored("horizontal", ":w<CR>") },
  { "tab", restored("tab", ":w<CR>") },
  { "tab, quit", restored("tab", ":q<CR>") },
  { "inline", restored("inline", ":w<CR>") },
  { "inline, quit", restored("inline", ":q<CR>") },
  { "a view that had to scroll is back", function(child)
    child:connect()
    child:edit("a.txt", FILE)
    for id, keys in ipairs({ "90Gzb", "90Gzz", "100Gzt20j" }) do
      child:type(keys)
      local view = child:lua("return vim.fn.winsaveview()")
      open(child, { id = id })
      child:cmd("redraw!")
      child:until_true("return vim.fn.getwininfo(vim.fn.win_getid(vim.fn.winnr('$')))[1].topline ~= ...", view.topline)
      child:type(":q<CR>")
      child:event("ReviewSettled")
      child:forget()
      same(view, child:lua("return vim.fn.winsaveview()"), keys)
    end
  end },
  { "splitkeep does not move a cursor or add a jump", function(child)
    child:connect()
    for id, value in ipairs({ "screen", "topline" }) do
      child:cmd("set splitkeep=" .. value)
      child:edit("a.txt", FILE)
      child:type("90Gzb")
      local before = child:lua(STATE)
      open(child, { id = id })
      child:cmd("redraw!")
      child:type(":q<CR>")
      child:event("ReviewSettled")
      child:forget()
      differs(before, child:lua(STATE))
    end
  end },
  { "the first change is in sight", function(child)
    child:connect()
    child:edit("a.txt", FILE)
    open(child)
    same(50, child:lua("return vim.fn.line('.')"))
  end },
  { "equalalways does not even out the person's windows", function(child)
    child:cmd("set equalalways")
    restored("vertical", ":w<CR>")(child)
    child:forget()
    child:cmd("wincmd p")
    local widths = [[return vim.tbl_map(function(window)
      return vim.b[vim.api.nvim_win_get_buf(window)].carrick_review == nil and vim.api.nvim_win_get_width(window) or 0
    end, vim.api.nvim_list_wins())]]
    local function own()
      return vim.tbl_filter(function(width)
        return width > 0
      end, child:lua(widths))
    end
    local before = own()
    open(child, { id = 2 })
    same(before, own())
  end },
  { "side by side where there is room, one above the other where there is none", function(child)
    child:connect()
    child:edit("a.txt", FILE)
    local function widths()
      return child:lua("return vim.tbl_map(vim.api.nvim_win_get_width, vim.api.nvim_list_wins())")
    end
    child:cmd("vsplit | vertical resize 30")
    open(child)
    local list = widths()
    table.sort(list)
    same({ 30, 44, 44, 89 }, list)
    child:cmd("Carrick reject")
    child:event("ReviewSettled")
    child:forget()
    child:lua("vim.o.columns = 50")
    child:cmd("only")
    open(child, { id = 2 })
    same({ 50, 50, 50 }, widths())
  end },
  { "a diff of the person's own is not touched", function(child)
    child:connect()
    child:edit("one.txt", "a\nb\n")
    local other = child:write("two.txt", "a\nc\n")
    child:cmd("vertical diffsplit " .. other)
    local before = child:lua(STATE)
    open(child)
    same(2, child:lua("return #vim.api.nvim_list_tabpages()"))
    child:type(":q<CR>")
    child:event("ReviewSettled")
    differs(before, child:lua(STATE))
    same(2, #child:lua(DIFFS))
  end },
  { "a diff that the person opens meanwhile survives", function(child)
    child:connect()
    child:edit("one.txt", "a\nb\n")
    open(child)
    child:cmd("tabnew " .. child:write("two.txt", "x\n"))
    child:cmd("vertical diffsplit " .. child:write("three.txt", "y\n"))
    child:cmd("Carrick reject 1")
    child:event("ReviewSettled")
    same(2, #child:lua(DIFFS))
  end },
  { "a cursor that was moved meanwhile stays", function(child)
    child:connect()
    child:edit("a.txt", FILE)
    open(child)
    child:type("<C-w>j")
    child:until_true("return vim.b.carrick_review == nil")
    child:type("120G")
    child:cmd("Carrick accept")
    child:event("ReviewSettled")
    same(120, child:lua("return vim.fn.line('.')"))
  end },
  { "from a terminal: the cursor goes to the review and comes back typing", function(child)
    child:connect()
    child:edit("a.txt", FILE)
    child:cmd("botright vertical terminal cat")
    child:type("i")
    child:until_true("return vim.fn.mode() == 't'")
    open(child)
    child:until_true("return vim.b.carrick_review == 1 and vim.fn.mode() == 'n'")
    child:type(":w<CR>")
    child:event("ReviewSettled")
    child:until_true("return vim.bo.buftype == 'terminal' and vim.fn.mode() == 't'")
    same(2, child:lua("return #vim.api.nvim_list_wins()"))
  end },
  { "only a terminal on the screen", function(child)
    child:connect()
    child:cmd("terminal cat")
    local before = child:lua("return vim.fn.winlayout()")
    open(child)
    child:until_true("return vim.b.carrick_review == 1")
    child:type(":w<CR>")
    child:event("ReviewSettled")
    same(before, child:lua("return vim.fn.winlayout()"))
  end },
  { "a float is on the screen", function(child)
    child:connect()
    child:edit("a.txt", FILE)
    child:lua("vim.api.nvim_open_win(vim.api.nvim_create_buf(false, true), true, { relative = 'editor', row = 1, col = 1, width = 20, height = 5 })")
    local before = child:lua(STATE)
    open(child)
    child:type(":q<CR>")
    child:event("ReviewSettled")
    differs(before, child:lua(STATE))
  end },
  { "the buffers of a review are gone afterwards", function(child)
    child:connect()
    child:edit("a.txt", FILE)
    open(child)
    child:type(":w<CR>")
    child:event("ReviewSettled")
    same({}, child:lua([[return vim.tbl_filter(function(b) return vim.api.nvim_buf_get_name(b):find('carrick://', 1, true) ~= nil end, vim.api.nvim_list_bufs())]]))
  end },
  { "the title names the file and the keys", function(child)
    child:connect()
    child:edit("a.txt", FILE)
    open(child)
    has(child:lua("return vim.wo.winbar"), "a.txt")
    has(child:lua("return vim.wo.winbar"), ":w accepts")
  end },
}
