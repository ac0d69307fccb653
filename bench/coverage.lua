-- coverage.lua: how much of a tree was extracted, by the word of universal-ctags.
--
-- IN   coverage.lua ROOT TAGS FUNCTIONS MISSES
--      TAGS       ctags --kinds-C=f --fields=+ne --excmd=number of the .c files, named from ROOT
--      FUNCTIONS  racerx functions --format jsonl
-- OUT  `name=value` lines for bench/run.sh; and the file MISSES: the functions not found,
--      the commonest names first, to be read: ctags reports things that are no functions.
--
-- A function that ctags reports is found when the same file has one of that name. Where a
-- macro writes a function's header ctags reports the macro (`SYSCALL_DEFINE3(read, ...) {`);
-- such a one is found when a function marked from-macro starts within its lines. Both are
-- counted apart.

local root, tags_path, functions_path, misses_path = table.unpack(arg)
if not misses_path then
    io.stderr:write("usage: coverage.lua ROOT TAGS FUNCTIONS MISSES\n")
    os.exit(2)
end

local escapes = { n = "\n", t = "\t", r = "\r", b = "\b", f = "\f" }

-- The string that a JSON line has under a key.
local function json_text(line, key)
    local _, at = line:find('"' .. key .. '":%s*"')
    if not at then
        return nil
    end
    local plain = line:match('^[^"\\]*"', at + 1)
    if plain then
        return plain:sub(1, -2)
    end
    local parts, i = {}, at + 1
    while i <= #line do
        local c = line:sub(i, i)
        if c == '"' then
            break
        elseif c == "\\" then
            local next_one = line:sub(i + 1, i + 1)
            if next_one == "u" then
                parts[#parts + 1] = utf8.char(tonumber(line:sub(i + 2, i + 5), 16) or 0xfffd)
                i = i + 6
            else
                parts[#parts + 1] = escapes[next_one] or next_one
                i = i + 2
            end
        else
            parts[#parts + 1] = c
            i = i + 1
        end
    end
    return table.concat(parts)
end

local function json_number(line, key)
    return tonumber(line:match('"' .. key .. '":%s*(%d+)')) or 0
end

-- What racerx has ------------------------------------------------------------------

local ours = {} -- file -> { names = {name -> true}, macros = {line, ...} }
local our_count, lost_bytes, lost_functions = 0, 0, 0
for line in io.lines(functions_path) do
    local file, name = json_text(line, "file"), json_text(line, "function")
    if file and name and file:sub(-2) == ".c" then
        local entry = ours[file]
        if not entry then
            entry = { names = {}, macros = {} }
            ours[file] = entry
        end
        entry.names[name] = true
        if line:find('"from%-macro"') or line:find('"from_macro":%s*true') then
            entry.macros[#entry.macros + 1] = json_number(line, "line")
        end
        local lost = json_number(line, "lost_bytes")
        our_count = our_count + 1
        lost_bytes = lost_bytes + lost
        lost_functions = lost_functions + (lost > 0 and 1 or 0)
    end
end

-- What ctags has -------------------------------------------------------------------

local function has_macro_within(entry, first, last)
    for _, line in ipairs(entry.macros) do
        if line >= first and line <= last then
            return true
        end
    end
    return false
end

local function tag_text(text)
    return (text:gsub("\\(.)", function(c)
        return escapes[c] or c
    end))
end

local files, file_order = {}, {} -- file -> list of { first line, last line, name, missed }
local total, by_name, by_macro, without_end = 0, 0, 0, 0
for line in io.lines(tags_path) do
    local name, file, first = line:match('^([^!\t][^\t]*)\t([^\t]+)\t(%d+);"\t')
    if name then
        file, first = tag_text(file), tonumber(first)
        local last = tonumber(line:match("\tend:(%d+)"))
        local entry, missed = ours[file], false
        total = total + 1
        if entry and entry.names[name] then
            by_name = by_name + 1
        elseif entry and has_macro_within(entry, first, last or first) then
            by_macro = by_macro + 1
        else
            missed = true
        end
        if not last then
            without_end = without_end + 1
        end
        if not files[file] then
            files[file] = {}
            file_order[#file_order + 1] = file
        end
        table.insert(files[file], { first, last or first, name, missed })
    end
end

-- The bytes of the functions' lines: read from the sources, a file at a time.
local function span_bytes(file, spans)
    local handle = io.open(root .. "/" .. file, "rb")
    if not handle then
        return 0, 0
    end
    local text = handle:read("a")
    handle:close()
    local starts, at, line = { [1] = 1 }, 1, 1
    while true do
        local newline = text:find("\n", at, true)
        if not newline then
            break
        end
        line, at = line + 1, newline + 1
        starts[line] = at
    end
    local body, missed = 0, 0
    for _, span in ipairs(spans) do
        local bytes = (starts[span[2] + 1] or #text + 1) - (starts[span[1]] or #text + 1)
        body = body + bytes
        missed = missed + (span[4] and bytes or 0)
    end
    return body, missed
end

local body_bytes, missed_bytes = 0, 0
for _, file in ipairs(file_order) do
    local body, missed = span_bytes(file, files[file])
    body_bytes, missed_bytes = body_bytes + body, missed_bytes + missed
end

-- What was missed ------------------------------------------------------------------

local function by_frequency(counts)
    local list = {}
    for key, entry in pairs(counts) do
        list[#list + 1] = { key = key, count = entry.count, example = entry.example }
    end
    table.sort(list, function(a, b)
        return a.count > b.count or a.count == b.count and a.key < b.key
    end)
    return list
end

local names, in_files, all = {}, {}, {}
local function count_in(counts, key, example)
    counts[key] = counts[key] or { count = 0, example = example }
    counts[key].count = counts[key].count + 1
end
for _, file in ipairs(file_order) do
    for _, span in ipairs(files[file]) do
        if span[4] then
            local place = file .. ":" .. span[1]
            count_in(names, span[3], place)
            count_in(in_files, file, span[3])
            all[#all + 1] = place .. ": " .. span[3]
        end
    end
end

local out = assert(io.open(misses_path, "w"))
local function write_top(title, list)
    out:write(title, "\n")
    for i = 1, math.min(50, #list) do
        out:write(string.format("%7d  %-40s %s\n", list[i].count, list[i].key, list[i].example))
    end
    out:write("\n")
end
write_top("The 50 names missed most often, and where first", by_frequency(names))
write_top("The 50 files with the most misses, and the first one", by_frequency(in_files))
out:write("All ", #all, "\n", table.concat(all, "\n"), "\n")
out:close()

local function say(name, value)
    print(name .. "=" .. value)
end
local function percent(part, whole)
    return whole > 0 and string.format("%.3f", 100 * part / whole) or "0.000"
end
say("ctags_functions", total)
say("our_functions", our_count)
say("by_name", by_name)
say("by_macro", by_macro)
say("missed", total - by_name - by_macro)
say("without_end", without_end)
say("name_percent", percent(by_name, total))
say("covered_percent", percent(by_name + by_macro, total))
say("body_bytes", body_bytes)
say("lost_functions", lost_functions)
say("lost_statement_bytes", lost_bytes)
say("missed_function_bytes", missed_bytes)
say("lost_statement_percent", percent(lost_bytes, body_bytes))
say("lost_percent", percent(lost_bytes + missed_bytes, body_bytes))
