-- Text between buffers, disk and carrick, byte for byte: final newline or none, CRLF, byte order mark, empty file.
local place = require("carrick.place")

local M = {}

local BOM = "\239\187\191"

--- A text as lines for a buffer, and what must be remembered to make the same text of them again.
function M.split(text)
  local form = { eol = true, dos = false }
  if text == "" then
    return {}, form
  end
  local lines = vim.split(text, "\n", { plain = true })
  if lines[#lines] == "" then
    table.remove(lines)
  else
    form.eol = false
  end
  form.dos = M.is_dos(text, #lines, form.eol)
  if form.dos then
    -- A CR after which the text simply ends is no line end.
    for index = 1, form.eol and #lines or #lines - 1 do
      lines[index] = lines[index]:sub(1, -2)
    end
  end
  return lines, form
end

--- Every line end is CRLF. A text with both kinds keeps its CRs as visible characters.
function M.is_dos(text, count, eol)
  local ends = eol and count or count - 1
  if ends < 1 then
    return false
  end
  local _, crlf = text:gsub("\r\n", "")
  return crlf == ends
end

--- The text that a buffer's lines stand for.
function M.join(lines, form)
  if #lines == 0 then
    return ""
  end
  local eol = form.dos and "\r\n" or "\n"
  local plain = {}
  for index, line in ipairs(lines) do
    -- Neovim's API gives a NUL inside a line as a line feed.
    plain[index] = line:find("\n", 1, true) and line:gsub("\n", "\0") or line
  end
  return table.concat(plain, eol) .. (form.eol and eol or "")
end

--- The lines of a buffer; none for one that would be an empty file.
function M.lines(buffer)
  local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  if #lines == 1 and lines[1] == "" then
    local bytes = vim.api.nvim_buf_call(buffer, function()
      return vim.fn.wordcount().bytes
    end)
    if bytes == 0 then
      return {}
    end
  end
  return lines
end

--- What writing this buffer would put on the disk.
function M.of_buffer(buffer)
  local options = vim.bo[buffer]
  local form = { dos = options.fileformat == "dos", eol = options.eol or (options.fixeol and not options.binary) }
  local text = M.join(M.lines(buffer), form)
  return options.bomb and text ~= "" and BOM .. text or text
end

--- The bytes on disk; nil when there is no such file.
function M.of_disk(path)
  local file = io.open(path, "rb")
  if not file then
    return nil
  end
  local text = file:read("*a")
  file:close()
  return text
end

-- The shapes of a character beyond ASCII, by its length.
local CHARACTERS = {
  { "^[\194-\223][\128-\191]", 2 },
  { "^\224[\160-\191][\128-\191]", 3 },
  { "^[\225-\236\238\239][\128-\191][\128-\191]", 3 },
  { "^\237[\128-\159][\128-\191]", 3 },
  { "^\240[\144-\191][\128-\191][\128-\191]", 4 },
  { "^[\241-\243][\128-\191][\128-\191][\128-\191]", 4 },
  { "^\244[\128-\143][\128-\191][\128-\191]", 4 },
}

local function length_at(text, at)
  for _, shape in ipairs(CHARACTERS) do
    if text:find(shape[1], at) then
      return shape[2]
    end
  end
  return nil
end

--- Whether bytes are UTF-8. (`vim.iconv` puts question marks instead of saying no.)
function M.is_utf8(text)
  local at = text:find("[\128-\255]")
  while at do
    local length = length_at(text, at)
    if not length then
      return false
    end
    at = text:find("[\128-\255]", at + length)
  end
  return true
end

--- The call `content`.
function M.content(args)
  local buffer = place.loaded(args.path)
  if buffer and args.saved and vim.bo[buffer].modified then
    buffer = nil
  end
  local text
  if buffer and vim.tbl_contains({ "", "utf-8" }, vim.bo[buffer].fileencoding) then
    text = M.of_buffer(buffer)
    local is_new = not vim.bo[buffer].modified and not vim.uv.fs_stat(args.path)
    if is_new and text == "" then
      return { kind = "missing" }
    end
  else
    text = M.of_disk(args.path)
  end
  if not text then
    return { kind = "missing" }
  end
  return M.is_utf8(text) and { kind = "text", text = text } or { kind = "binary" }
end

return M
