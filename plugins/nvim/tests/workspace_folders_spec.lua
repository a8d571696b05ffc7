-- The workspace follows the person: `:cd`, `:tcd`, `:lcd`, and the folders of language servers.
local same = require("same").same

local function start(child)
  child:connect()
  for _, name in ipairs({ "one", "two", "three" }) do
    vim.fn.mkdir(child.folder .. "/" .. name)
  end
  child:told("folders")
  child:forget()
end

local function folders(child, ...)
  local wanted = vim.tbl_map(function(name)
    return child.folder .. name
  end, { ... })
  child:until_true([[ local wanted = ...
    for index = #_G.sent, 1, -1 do
      if _G.sent[index].kind == "folders" then return vim.deep_equal(_G.sent[index].payload.list, wanted) end
    end ]], wanted)
end

return {
  { ":cd", function(child)
    start(child)
    child:cmd("cd one")
    folders(child, "/one")
  end },
  { ":tcd adds that of the tab page, and closing it takes it away", function(child)
    start(child)
    child:cmd("tabnew | tcd two")
    folders(child, "/two", "")
    child:cmd("tabclose")
    folders(child, "")
  end },
  { ":lcd", function(child)
    start(child)
    child:cmd("split | lcd three")
    folders(child, "/three", "")
    child:cmd("close")
    folders(child, "")
  end },
  { "equal folders are not told again", function(child)
    start(child)
    child:cmd("cd .")
    child:cmd("cd one")
    folders(child, "/one")
    same(1, #vim.tbl_filter(function(kind)
      return kind == "folders"
    end, child:kinds()))
  end },
  { "language servers: attached, and their folders changed", function(child)
    start(child)
    child:edit("one/a.txt", "x\n")
    child:lua([[
      local folder = ...
      _G.id = vim.lsp.start({ name = "toy", root_dir = folder .. "/one", cmd = function()
        return {
          request = function(method, _, callback)
            if method == "initialize" then
              callback(nil, { capabilities = { workspace = { workspaceFolders = { supported = true, changeNotifications = true } } } })
            elseif method == "shutdown" then callback(nil, nil) end
            return true, 1
          end,
          notify = function() return true end, is_closing = function() return false end, terminate = function() end,
        }
      end })
    ]], child.folder)
    folders(child, "", "/one")
    child:lua("vim.lsp.buf.add_workspace_folder(...)", child.folder .. "/two")
    folders(child, "", "/one", "/two")
  end },
}
