-- write.lua: the text of the locks, and what else is done to them.

-- writing --------------------------------------------------------------------------
local lines, active, commented = {}, 0, 0
local function put(line) lines[#lines + 1] = line end
local function wrap(prefix, list, suffix, indent) -- names over lines of 100 characters
    local out, line = {}, prefix
    for i, word in ipairs(list) do
        if #line + #word + 1 > 98 then
            out[#out + 1] = line
            line = indent .. word
        else
            line = line .. (i > 1 and " " or "") .. word
        end
    end
    out[#out + 1] = line .. suffix
    return out
end
local function names_text(list)
    if #list == 1 then return quote(list[1]) end
    local one = '"' .. table.concat(list, " ") .. '"'
    if #one < 70 then return one end
    return "[[ " .. table.concat(wrap("", list, "", "        "), "\n") .. " ]]"
end
local function plural(count, word) return count .. " " .. word .. (count == 1 and "" or "s") end

local function evidence(row)
    local pair
    for _, entry in ipairs(row.entries) do
        if not pair or score(entry.pair) > score(pair) then pair = entry.pair end
    end
    local parts = { plural(row.calls, "call"), string.format("%s in both in %s", pair.acquire .. "/" .. pair.release, plural(pair.both, "function")),
        percent(pair.balanced + pair.mixed, pair.both) .. " paired" }
    if pair.acquire_only > 0 then parts[#parts + 1] = plural(pair.acquire_only, "function") .. " only take" end
    return table.concat(parts, ", ")
end

local function row_text(row)
    local by_role, order = {}, { "acquire", "try", "release" }
    for _, entry in ipairs(row.entries) do
        by_role[entry.role] = by_role[entry.role] or {}
        local list = by_role[entry.role]
        list[#list + 1] = entry.name
    end
    local out = {}
    for _, role in ipairs(order) do
        if by_role[role] then out[#out + 1] = role .. " = " .. names_text(by_role[role]) end
    end
    local one = "lock { " .. row.text .. ", " .. table.concat(out, ", ") .. " }"
    if #one <= 100 then return one end
    return "lock { " .. row.text .. ",\n    " .. table.concat(out, ",\n    ") .. " }"
end

local function put_row(row)
    put("-- " .. evidence(row))
    put(row_text(row))
    active = active + 1
    for _, e in ipairs(row.entries) do
        entry { name = e.name, effect = e.role, kind = e.kind, reason = evidence(row), calls = e.calls, argument = e.arg ~= "result" and e.arg or 0, sure = true }
    end
end


-- Many rows are no use to anybody: after the families that are called most, rows that say the same are one.
local most_rows, most_own = 62, 40
local function merge_rows()
    local out, merged, left, total = {}, {}, {}, 0
    for _, row in ipairs(rows) do total = total + row.calls end
    for i, row in ipairs(rows) do
        if family_calls[row.family] * 4000 < total then left[#left + 1] = row -- in a large tree, a handful of calls
        elseif i <= most_own then out[#out + 1] = row
        elseif find(row.text, "global =") then left[#left + 1] = row
        elseif merged[row.text] then
            local into = merged[row.text]
            for _, e in ipairs(row.entries) do into.entries[#into.entries + 1] = e end
            into.calls = into.calls + row.calls
            into.families = into.families + 1
        elseif #out >= most_rows then left[#left + 1] = row
        else
            row.families = 1
            merged[row.text] = row
            out[#out + 1] = row
        end
    end
    local dropped = {}
    for _, row in ipairs(left) do
        if #out < most_rows and family_calls[row.family] * 4000 >= total then out[#out + 1] = row else dropped[#dropped + 1] = row end
    end
    return out, dropped
end

local function section(title) put ""; put("-- " .. title .. " " .. string.rep("-", math.max(3, 92 - #title))) end
local function put_commented(text) -- every line of it
    local from = 1
    while true do
        local at = find(text:sub(from), "\n")
        put("-- " .. text:sub(from, at and from + at - 2 or #text))
        if not at then return end
        from = from + at
    end
end
local function put_doubtful(reason, text)
    put("-- " .. reason)
    put_commented(text)
    commented = commented + 1
end

if addition then
    section "Added by racerx init --add"
else
    put "-- racerx.lua: what racerx should know about this tree; `racerx init` proposed it from the source."
    put "-- Sure proposals are active; doubtful ones are commented out, with the reason. Change anything: a later"
    put "-- `racerx init` does not touch a file that somebody changed. annotators/README.md has the declarations."
end
if presets_used ~= "" and not addition then
    section "Presets"
    for _, preset_name in ipairs(words(presets_used)) do
        put("preset " .. quote(preset_name))
        active = active + 1
    end
end

-- One function, told by a constant what to do: lockmgr(&l, LK_EXCLUSIVE), lockmgr(&l, LK_RELEASE).
local give_constant = set "release unlock exit leave drop give rel put un"
local take_constant = set "exclusive excl shared acquire lock enter take get read write reader writer shlock exlock"
local function put_by_constant()
    local asked, by_name = {}, {}
    for _, name in ipairs(names_with { "lock", "lk", "mtx", "sem", "latch" }) do
        local f = fact(name)
        if f.calls >= 8 and not known(name) and not best[name] and share(f.constant[2], f.calls) >= 0.4 and share(f.address[1], f.calls) >= 0.4 then
            asked[#asked + 1] = { name = name, argument = 2 }
        end
    end
    for _, tail in ipairs(tails(asked)) do
        local found = by_name[tail.name] or { takes = {}, gives = {}, taken = 0, given = 0, order = tail.name }
        by_name[tail.name] = found
        local gives, takes = has_word(tail.tail, give_constant), has_word(tail.tail, take_constant)
        if gives then
            found.gives[#found.gives + 1] = tail.tail
            found.given = found.given + tail.count
        elseif takes then
            found.takes[#found.takes + 1] = tail.tail
            found.taken = found.taken + tail.count
        end
    end
    for name, found in pairs(by_name) do
        if found.given >= 3 and found.taken >= 3 and #found.gives <= 4 and #found.takes <= 6 then
            local kind = kind_by_words(name, false) or "mutex"
            put(string.format("-- %s: told by its second argument, %s that take and %s that let go", plural(fact(name).calls, "call"), found.taken, found.given))
            for _, constant in ipairs(found.takes) do
                put(string.format("lock { kind = %s, arg = 1, acquire = %s, when = { 2, %s }%s }", quote(kind), quote(name), quote(constant),
                    is_shared(constant) and ", shared = true, recursive = true" or ""))
                active = active + 1
            end
            for _, constant in ipairs(found.gives) do
                put(string.format("lock { kind = %s, arg = 1, release = %s, when = { 2, %s } }", quote(kind), quote(name), quote(constant)))
                active = active + 1
            end
            kept_names[name] = true
            entry { name = name, effect = "acquire", kind = kind, reason = "by its second argument", calls = fact(name).calls, argument = 1, sure = true }
        end
    end
end

local lock_count = 0
section "Locks"
put_by_constant()
local shown_rows, dropped_rows = merge_rows()
for _, row in ipairs(shown_rows) do put_row(row) end
do
    local counted = {}
    for _, row in ipairs(shown_rows) do
        for _, e in ipairs(row.entries) do
            if not counted[e.name] then lock_count = lock_count + 1 end
            counted[e.name] = true
        end
    end
end
if #dropped_rows > 0 then
    put ""
    put(string.format("-- %d more are called so seldom that they are left out; the first of them:", #dropped_rows))
    for i = 1, math.min(10, #dropped_rows) do put_commented(row_text(dropped_rows[i])) end
end
if #rows == 0 then put(presets_used ~= "" and "-- None that the presets do not know." or "-- None found.") end
if #wrapper_list > 0 then
    table.sort(wrapper_list, function(a, b) return a.calls > b.calls or (a.calls == b.calls and a.name < b.name) end)
    local names, seen = {}, {}
    for _, w in ipairs(wrapper_list) do
        for _, name in ipairs { w.name, w.partner } do
            if #names < 80 and not kept_names[name] and not seen[name] and not known(name) then
                names[#names + 1] = name
                seen[name] = true
            end
        end
    end
    if #names > 0 then
        put "-- These come down to functions above and need no entry:"
        for _, line in ipairs(wrap("--     ", names, #names == 80 and " …" or "", "--     ")) do put(line) end
    end
end

-- What is done to locks besides --------------------------------------------------------
-- Waits that are given a lock, assertions, initialisers.
local wait_words = set "wait sleep timedwait tsleep msleep mtsleep await waitfor"
local assert_words = set "assert asserts held owned locked check verify ensure expect iowned own"
local init_words = set "init initialize initialise setup create new make alloc construct"
local destroy_words = set "destroy fini deinit free delete term uninit dispose finish deinitialize cleanup del"
local function part_of(name, wanted) -- words, and inside words for the longer ones: initlock, tsleep
    if has_word(name, wanted) then return true end
    local lower = name:lower()
    for word in pairs(wanted) do
        if #word > 3 and find(lower, word) then return true end
    end
    return false
end
local lock_kind_of = {} -- by release: the kind; also of presets' locks
for _, e in ipairs(entries) do lock_kind_of[e.name] = e.kind end
local waits, asserts_, inits, destroys, tests = {}, {}, {}, {}, {}
do
    local all = {}
    for _, pair in ipairs(accepted) do
        if pair.object and (kept_names[pair.release] or known(pair.release)) then all[#all + 1] = pair end
    end
    local total = {}
    local list = companions(all)
    for _, c in ipairs(list) do
        local id = c.name .. " " .. c.argument
        total[id] = total[id] or { beside = 0, by_name = 0, best = c }
        local t = total[id]
        t.beside, t.by_name = t.beside + c.beside, t.by_name + c.by_name
        if c.beside + c.by_name > t.best.beside + t.best.by_name then t.best = c end
    end
    for _, t in pairs(total) do
        local c = t.best
        local calls = fact(c.name).calls
        local kind = lock_kind_of[c.release] or "mutex"
        local item = { name = c.name, argument = c.argument, calls = calls, kind = kind, count = t.beside, by_name = t.by_name }
        local held_word = has_part(c.name, { "hold", "held", "owned", "_is_", "islocked", "is_locked" })
        if not known(c.name) and not best[c.name] and not has_word(c.name, set "trace track expect test") then
            if held_word and share(t.by_name, calls) >= 0.5 and c.argument == 1 and share(fact(c.name).tested + fact(c.name).returned, calls) >= 0.5 then
                tests[#tests + 1] = item
            elseif part_of(c.name, wait_words) and c.argument >= 2 and not held_word and share(t.beside, calls) >= 0.3 and t.beside >= 2 and kind ~= "semaphore" then waits[#waits + 1] = item
            elseif wraps[c.name] then -- takes or lets go in its own way
            elseif part_of(c.name, assert_words) and share(t.by_name, calls) >= 0.5 and c.argument == 1 and calls >= 2
                and part_of(c.name, set "assert held owned") then asserts_[#asserts_ + 1] = item
            elseif share(t.by_name, calls) >= 0.6 and c.argument == 1 and calls >= 1 and (kept_names[c.release]) then
                if part_of(c.name, destroy_words) then destroys[#destroys + 1] = item
                elseif part_of(c.name, init_words) then inits[#inits + 1] = item end
            end
        end
    end
end
local function by_calls(a, b) return a.calls > b.calls or (a.calls == b.calls and a.name < b.name) end
local function put_companions(list, key, note_, filter)
    table.sort(list, by_calls)
    local groups, order = {}, {}
    for i, item in ipairs(list) do
        if i <= 24 then
            local id = item.kind .. " " .. item.argument
            if not groups[id] then
                groups[id] = {}
                order[#order + 1] = id
            end
            groups[id][#groups[id] + 1] = item
        end
    end
    for _, id in ipairs(order) do
        local names, count = {}, 0
        for _, item in ipairs(groups[id]) do
            names[#names + 1] = item.name
            count = count + item.calls
            entry { name = item.name, effect = key, kind = item.kind, reason = note_, calls = item.calls, argument = item.argument, sure = true }
        end
        put(string.format("-- %s, %s", plural(count, "call"), note_))
        put(string.format("lock { kind = %s, arg = %d, %s = %s }", quote(groups[id][1].kind), groups[id][1].argument, key, names_text(names)))
        active = active + 1
    end
end
put_companions(waits, "wait", "given a lock that its caller holds: let go meanwhile")
put_companions(asserts_, "asserts_held", "given locks only")
put_companions(tests, "test", "given locks only, and asked")
put_companions(inits, "init", "given locks only")
put_companions(destroys, "destroy", "given locks only")

-- Types of locks.
do
    local list, all = {}, {}
    for tail, types in pairs(types_of_tail) do
        for _, type in ipairs(types) do
            if not all[type.id] then
                all[type.id] = true
                if type_among[type.id] >= 2 and type_among[type.id] * 10 >= type.total * 6 and is_lock_word(type.type) then
                    list[#list + 1] = { id = type.id, count = type.total, kind = kind_by_words(type.type, false) or "mutex" }
                end
            end
        end
    end
    table.sort(list, function(a, b) return a.count > b.count or (a.count == b.count and a.id < b.id) end)
    local by_kind, order = {}, {}
    for i, type in ipairs(list) do
        local _, said = known(type.id)
        if i <= 20 and not said then
            if not by_kind[type.kind] then
                by_kind[type.kind] = {}
                order[#order + 1] = type.kind
            end
            local names = by_kind[type.kind]
            names[#names + 1] = type.id
        end
    end
    if #order > 0 then put "-- Types of objects that are handed to these functions and used for nothing else" end
    for _, kind in ipairs(order) do
        put("lock { kind = " .. quote(kind) .. ", arg = 1, types = " .. names_text(by_kind[kind]) .. " }")
        active = active + 1
    end
end

-- Pairs that go together although their names do not say so.
do
    local found = {}
    for _, n in ipairs(neighbours(4)) do
        local f = fact(n.acquire)
        if not best[n.acquire] and not best[n.release] and not known(n.acquire) and not known(n.release)
            and n.alone * 10 <= n.next and n.orphan * 10 <= n.next and not from_names[n.acquire .. " " .. n.release] then
            found[#found + 1] = n
        end
    end
    local again = measure_all(found)
    table.sort(again, function(a, b) return a.both > b.both or (a.both == b.both and a.acquire < b.acquire) end)
    local shown = 0
    for _, pair in ipairs(again) do
        local t = tails_of(pair.acquire, 1)
        local exclusive, lockish = share(t.exclusive, t.total), share(t.lockish, t.total)
        local good = share(pair.balanced, pair.both)
        local z = pair.both > 0 and (good - 0.9) / math.sqrt(0.09 / pair.both) or -9
        local init_like = part_of(pair.acquire, init_words) or part_of(pair.release, destroy_words)
        if pair.argument == 1 and pair.both >= 4 and good >= 0.9 and exclusive >= 0.9 and shown < 10 and not init_like then
            shown = shown + 1
            local text = string.format("lock { arg = 1, acquire = %s, release = %s }", quote(pair.acquire), quote(pair.release))
            local why = string.format("by behaviour alone: %s, %s paired (z = %.1f), objects never read", plural(pair.both, "function"),
                percent(pair.balanced, pair.both), z)
            local is_sure = pair.both >= 20 and good >= 0.97 and exclusive >= 0.98 and lockish >= 0.8
            if is_sure then
                put("-- " .. why)
                put(text)
                active = active + 1
            else put_doubtful(why, text) end
            for _, side in ipairs { { pair.acquire, "acquire" }, { pair.release, "release" } } do
                entry { name = side[1], effect = side[2], kind = "mutex", reason = why, calls = fact(side[1]).calls, argument = 1, sure = is_sure }
            end
        end
    end
end

do -- doubtful pairs by name
    table.sort(doubtful, function(a, b) return score(a) > score(b) or (score(a) == score(b) and a.acquire .. " " .. a.release < b.acquire .. " " .. b.release) end)
    local shown = 0
    for _, pair in ipairs(doubtful) do
        if not best[pair.acquire] and not best[pair.release] and not known(pair.acquire) and not known(pair.release) and shown < 20
            and from_names[pair.acquire .. " " .. pair.release] and not (wraps[pair.acquire] and wraps[pair.acquire].takes) then
            shown = shown + 1
            local place = pair.object and "arg = " .. pair.argument or "global = " .. quote(pair.acquire)
            put_doubtful(string.format("Doubtful, %s: %s, %s paired", pair.reason, plural(pair.both, "function"), percent(pair.balanced + pair.mixed, pair.both)),
                "lock { " .. place .. ", acquire = " .. quote(pair.acquire) .. ", release = " .. quote(pair.release) .. " }")
            for _, side in ipairs { { pair.acquire, "acquire" }, { pair.release, "release" } } do
                entry { name = side[1], effect = side[2], kind = "mutex", reason = pair.reason, calls = fact(side[1]).calls, argument = pair.argument, sure = false }
            end
        end
    end
end

