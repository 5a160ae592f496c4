-- Tests `stint lsp` through Neovim's own client.
-- Run by `.ci/long editor`: nvim --headless --clean -c 'luafile Tests/Editor/language-server.lua'
-- The environment contains STINT, the program, and POLICY, a copy of policy.stint that the test changes.

local stint = assert(os.getenv('STINT'), 'set STINT to the path of the program')
local policy = assert(os.getenv('POLICY'), 'set POLICY to the path of a copy of policy.stint')
local passed, failed = 0, 0

local function say(text) io.stdout:write(text .. '\n') end

local function check(name, holds, found)
  if holds then
    passed = passed + 1
    say('  ok      ' .. name)
  else
    failed = failed + 1
    say('  FAILED  ' .. name .. (found ~= nil and ': ' .. vim.inspect(found) or ''))
  end
end

-- Waits for a condition, at most 20 s. Returns false when the condition is still false then.
local function wait(condition) return vim.wait(20000, condition, 10) end

vim.fn.writefile({
  'policy "other"', 'use location.gnss as gps', 'rule last while gps.on { batch gps until 5 min }',
}, vim.fn.fnamemodify(policy, ':h') .. '/the other.stint')
vim.cmd('edit ' .. vim.fn.fnameescape(policy))
local buffer = vim.api.nvim_get_current_buf()
local exit_code
local configuration = {
  name = 'stint',
  cmd = { stint, 'lsp' },
  root_dir = vim.fn.fnamemodify(policy, ':h'),
  on_exit = function(code) exit_code = code end,
}
local id
if vim.lsp.start then
  id = vim.lsp.start(configuration)
else
  id = vim.lsp.start_client(configuration)
  vim.lsp.buf_attach_client(buffer, id)
end

local function client() return vim.lsp.get_client_by_id(id) end

local function lines() return vim.api.nvim_buf_get_lines(buffer, 0, -1, false) end

-- Moves the cursor to the first letter of one occurrence of a text, counted from 1.
local function go(text, number)
  local left = number or 1
  for row, line in ipairs(lines()) do
    local from = 1
    while true do
      local column = line:find(text, from, true)
      if not column then break end
      left = left - 1
      if left == 0 then
        vim.api.nvim_win_set_cursor(0, { row, column - 1 })
        return
      end
      from = column + 1
    end
  end
  error('“' .. text .. '” is not in the policy')
end

local function replace(text, new)
  local all = table.concat(lines(), '\n')
  local first, last = all:find(text, 1, true)
  assert(first, text)
  all = all:sub(1, first - 1) .. new .. all:sub(last + 1)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(all, '\n', { plain = true }))
end

local function contains(text) return table.concat(lines(), '\n'):find(text, 1, true) ~= nil end

-- Returns the result of a request at the cursor, and its error.
local function ask(method, more)
  local parameters = vim.tbl_extend('force', vim.lsp.util.make_position_params(0, 'utf-16'), more or {})
  local answers = vim.lsp.buf_request_sync(buffer, method, parameters, 20000) or {}
  local answer = answers[id] or {}
  return answer.result, answer.err or answer.error
end

local function codes()
  local found = vim.tbl_map(function(item) return item.code end, vim.diagnostic.get(buffer))
  table.sort(found)
  return found
end

local function publishes(wanted)
  return wait(function() return vim.deep_equal(codes(), wanted) end)
end

local checks = {}

function checks.start()
  check('the server answers initialize', wait(function() return client() and client().initialized end))
  check('the server announces its capabilities', client().server_capabilities.renameProvider ~= nil)
end

function checks.diagnostics()
  local clean = codes()
  replace('batch gps until 1 min', 'batch gpz until 1 min')
  check('a mistake is shown while it is typed', publishes({ 'P0202' }), codes())
  local item = vim.diagnostic.get(buffer)[1] or {}
  check('the mistake is shown at its position', item.lnum == 14 and item.col == 8 and item.end_col == 11, item)
  check('the mistake is shown as an error', item.severity == vim.diagnostic.severity.ERROR, item)
  replace('batch gpz', 'batch gps')
  check('the error disappears when the mistake is corrected', publishes(clean), codes())
end

function checks.completion()
  local function words(line)
    vim.api.nvim_buf_set_lines(buffer, -1, -1, false, { line })
    vim.api.nvim_win_set_cursor(0, { vim.api.nvim_buf_line_count(buffer), #line })
    local result = ask('textDocument/completion', {
      position = { line = vim.api.nvim_buf_line_count(buffer) - 1, character = #line },
    })
    local prefix = line:match('%S*$')
    local items = vim.lsp.util.text_document_completion_list_to_complete_items(result or {}, prefix)
    vim.api.nvim_buf_set_lines(buffer, -2, -1, false, {})
    return vim.tbl_map(function(item) return item.word end, items)
  end
  local facts = words('let a = gps.acc')
  check('facts are completed', vim.tbl_contains(facts, 'gps.accuracy'), facts)
  local units = words('let a = gps.accuracy > 5 ')
  check('units of the dimension are completed', vim.tbl_contains(units, 'km') and not vim.tbl_contains(units, 's'), units)
  local activities = words('let a = motion.activity is ')
  check('words of a fact are completed', vim.tbl_contains(activities, 'cycling'), activities)
  local devices = words('rule last always { pause ')
  check('devices are completed', vim.tbl_contains(devices, 'gps') and vim.tbl_contains(devices, 'radio.wifi'), devices)
  local rules = words('rule last over pa')
  check('names of rules are completed', vim.tbl_contains(rules, 'pack'), rules)
end

function checks.hover()
  go('accuracy')
  vim.lsp.buf.hover()
  local text
  check('a description opens', wait(function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        text = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\n')
        vim.api.nvim_win_close(window, true)
        return true
      end
    end
  end))
  check('the description contains type and range', text and text:find('length', 1, true) and text:find('0 m .. 10 km', 1, true), text)
  check('the description contains the units', text and text:find('(m, km)', 1, true), text)
  check('the description contains the power of the device', text and text:find('track 60 mW', 1, true), text)
end

-- Edits of a line that contains a character of two UTF-16 units.
function checks.edits()
  local row = 8
  local function put(column, text) vim.api.nvim_buf_set_text(buffer, row, column, row, column, { text }) end
  put(#'rule pack "😀', ' and 👩‍🚀')
  put(#'rule pack "', 'ä')
  go('pack', 1)
  local result = ask('textDocument/hover')
  local value = result and result.contents and result.contents.value or ''
  check('the server has the text after 😀', value:find('"ä😀 and 👩‍🚀 one burst"', 1, true), value)
  replace('"ä😀 and 👩‍🚀 one burst"', '"😀 one burst"')
  check('the edited text has no diagnostics', publishes({}), codes())
end

-- A policy in the same folder that is not open.
function checks.neighbours()
  local line = 'rule late over other/last while poor { batch gps until 2 min }'
  vim.api.nvim_buf_set_lines(buffer, -1, -1, false, { line })
  check('a rule of a policy that is not open is known', publishes({}), codes())
  go('other/last')
  vim.api.nvim_win_set_cursor(0, { vim.api.nvim_win_get_cursor(0)[1], (line:find('/last')) })
  local result = ask('textDocument/definition')
  check('the definition of that rule is found', result and (result.uri or ''):find('the%20other.stint', 1, true), result)
  vim.api.nvim_buf_set_lines(buffer, -2, -1, false, {})
  check('removing the line leaves no diagnostics', publishes({}), codes())
end

function checks.definition()
  go('poor and')
  vim.lsp.buf.definition()
  check('the cursor goes to the declaration', wait(function()
    return vim.deep_equal(vim.api.nvim_win_get_cursor(0), { 7, 4 })
  end), vim.api.nvim_win_get_cursor(0))
end

function checks.references()
  vim.fn.setqflist({})
  go('gps', 2)
  vim.lsp.buf.references()
  check('all uses are listed', wait(function() return #vim.fn.getqflist() == 6 end), vim.fn.getqflist())
  local last = vim.fn.getqflist()[4] or {}
  check('positions are in the units of the editor', last.lnum == 9 and last.col == 47, last)
  vim.cmd('cclose')
end

function checks.rename()
  go('gps.on')
  local place = ask('textDocument/prepareRename')
  check('prepareRename returns the current name', place and place.placeholder == 'gps', place)
  vim.lsp.buf.rename('sky')
  check('every use changes', wait(function() return contains('poor and not sky.on {') end), lines())
  check('the declaration changes too', contains('as sky required') and not contains('gps'), lines())
  local _, problem = ask('textDocument/rename', { newName = 'accel' })
  check('a name that is in use is rejected', problem ~= nil and problem.message:find('line 5', 1, true), problem)
end

function checks.code_action()
  replace('sky.accuracy >', 'sky.acuracy >')
  check('a misspelling is shown', publishes({ 'P0201' }), codes())
  go('acuracy')
  vim.ui.select = function(items, _, choose) choose(items[1], 1) end
  vim.lsp.buf.code_action()
  check('the fix corrects the misspelling', wait(function() return contains('sky.accuracy >') end), lines())
  check('the corrected text has no diagnostics', publishes({}), codes())
end

function checks.formatting()
  replace('let poor = not', 'let    poor   =   not')
  if vim.lsp.buf.format then
    vim.lsp.buf.format({ timeout_ms = 20000 })
  else
    vim.lsp.buf.formatting_sync(nil, 20000)
  end
  check('formatting gives the canonical layout', contains('let poor = not known'), lines())
  check('formatting keeps comments', contains('# Größe 😀: an editor'), lines())
end

function checks.semantic_tokens()
  local result = ask('textDocument/semanticTokens/full')
  local data = result and result.data or {}
  check('every token has a semantic token', #data > 100 and #data % 5 == 0, #data)
  local legend = client().server_capabilities.semanticTokensProvider.legend.tokenTypes
  check('the first semantic token is a comment', legend[(data[4] or -1) + 1] == 'comment', vim.list_slice(data, 1, 5))
end

function checks.symbols()
  vim.fn.setqflist({})
  vim.fn.setloclist(0, {})
  vim.lsp.buf.document_symbol()
  local function listed()
    local items = vim.fn.getqflist()
    return #items > 0 and items or vim.fn.getloclist(0)
  end
  check('the outline lists all items', wait(function() return #listed() == 6 end), listed())
  vim.cmd('cclose | lclose')
end

function checks.burst()
  local row = vim.api.nvim_buf_line_count(buffer)
  vim.api.nvim_buf_set_lines(buffer, -1, -1, false, { 'let b = ' })
  for number = 1, 1000 do
    local column = #'let b = ' + number - 1
    vim.api.nvim_buf_set_text(buffer, row, column, row, column, { 'z' })
  end
  local start = vim.loop.hrtime()
  local result = ask('textDocument/documentSymbol')
  local waited = (vim.loop.hrtime() - start) / 1e6
  check('after a thousand edits the server has the text', result and result[#result].name == 'b', result)
  check('the answer comes within two seconds', waited < 2000, waited)
  check('the diagnostics of the text are published', publishes({ 'P0201', 'W0202' }), codes())
end

function checks.stop()
  client().stop()
  check('the server ends', wait(function() return exit_code ~= nil end))
  check('the exit code of the server is 0', exit_code == 0, exit_code)
end

local order = {
  'start', 'diagnostics', 'completion', 'hover', 'edits', 'neighbours', 'definition', 'references', 'rename',
  'code_action', 'formatting', 'semantic_tokens', 'symbols', 'burst', 'stop',
}
for _, name in ipairs(order) do
  say(name:gsub('_', ' '))
  local ran, problem = pcall(checks[name])
  if not ran then check(name .. ' runs', false, problem) end
end
say(passed .. ' passed, ' .. failed .. ' failed, Neovim ' .. tostring(vim.version().major) .. '.' .. vim.version().minor)
vim.cmd(failed == 0 and 'qall!' or 'cquit 1')
