-- locks.lua: from pairs to rows: families, wrappers, kinds, attributes.

-- locks ----------------------------------------------------------------------------
find_candidates()
local candidates, strengths = make_pairs()
spl_pairs(candidates, strengths)

-- Pairs that never meet in a function have the object where everybody has it.
local function guess_argument(pair)
    if pair.meet == 0 and arguments_of(pair.acquire) > 0 and arguments_of(pair.release) > 0 then pair.argument = 1 end
end
local function measure_all(list)
    local out = measure(list)
    for _, pair in ipairs(out) do guess_argument(pair) end
    ask_tails(out)
    return out
end
local from_names = {} -- candidates by their names, not by what they wrap
local function score(pair)
    local direct = from_names[pair.acquire .. " " .. pair.release] and 0.01 or 0
    return pair.balanced + 0.5 * pair.mixed + 0.001 * (pair.strength or 0) + direct
end
for _, pair in ipairs(candidates) do
    from_names[pair.acquire .. " " .. pair.release] = true
    from_names[pair.acquire], from_names[pair.release] = true, true
end
local function judge_all(list)
    local sure, doubtful = {}, {}
    for _, pair in ipairs(list) do
        local verdict, reason = judge(pair, strengths)
        if verdict == "sure" then sure[#sure + 1] = pair
        elseif verdict == "doubtful" then
            pair.reason = reason
            doubtful[#doubtful + 1] = pair
        end
    end
    return sure, doubtful
end

-- First by pairs; then with all that lets the same thing go in one family: variants, and functions that wrap them.
local function joined(list)
    local leader = {}
    local function lead(name)
        while leader[name] and leader[name] ~= name do name = leader[name] end
        return name
    end
    local function join(a, b)
        a, b = lead(a), lead(b)
        if a ~= b then leader[a < b and b or a] = a < b and a or b end
    end
    local top = {}
    for _, pair in ipairs(list) do
        local now = top[pair.acquire]
        if not now or score(pair) > score(now) then top[pair.acquire] = pair end
    end
    local out, seen = {}, {}
    local function add(acquire, release, strength, argument, meet)
        local both = acquire .. " " .. release
        if acquire ~= release and not seen[both] then
            seen[both] = true
            out[#out + 1] = { acquire = acquire, release = release, argument = argument, meet = meet }
            strengths[both] = math.max(strengths[both] or 0, strength)
        end
    end
    for _, pair in ipairs(list) do
        local now = top[pair.acquire]
        if pair == now or (score(pair) >= 1 and score(pair) * 4 >= score(now)) then
            join(pair.release, now.release)
            add(pair.acquire, pair.release, pair.strength, pair.argument, pair.meet)
        end
    end
    local gives = {}
    for name, found in pairs(wrappers(out)) do
        if found.gives and not found.takes and found.passes then
            local of = gives[found.gives] or {}
            gives[found.gives] = of
            if #of < 20 then of[#of + 1] = name end
        end
    end
    for _, pair in ipairs(list) do
        for _, wrapper in ipairs(top[pair.acquire] == pair and gives[pair.release] or {}) do
            join(wrapper, pair.release)
            add(pair.acquire, wrapper, pair.strength, pair.argument, 0)
        end
    end
    for _, pair in ipairs(out) do pair.family = lead(pair.release) end
    return out
end

local sure, doubtful = judge_all(measure_all(candidates))

-- Much called, and no partner by name: vn_lock and VOP_UNLOCK. Whatever unlocks is tried, and must show it.
do
    local paired, lone, keys, seen = {}, {}, {}, {}
    for _, pair in ipairs(sure) do paired[pair.acquire], paired[pair.release] = true, true end
    for _, name in ipairs(names_with { "lock" }) do
        local f, lower = fact(name), name:lower()
        if f.calls >= 20 and find(lower, "unlock") then keys[#keys + 1] = name
        elseif f.calls >= 20 and not paired[name] and match(lower, "(^|[^bcn])lock$") then lone[#lone + 1] = name end
    end
    local tried = {}
    for i, acquire in ipairs(lone) do
        for k, release in ipairs(keys) do
            if i <= 100 and k <= 200 then tried[#tried + 1] = { acquire = acquire, release = release } end
        end
    end
    local kept = {}
    for _, pair in ipairs(measure_all(tried)) do
        pair.strength = 3
        local quality = share(pair.balanced + 0.5 * pair.mixed, pair.both)
        if pair.argument > 0 and pair.both >= 8 and quality >= 0.6 and share(pair.both, pair.both + pair.acquire_only) >= 0.3 then
            strengths[pair.acquire .. " " .. pair.release] = 3
            from_names[pair.acquire .. " " .. pair.release] = true
            from_names[pair.acquire], from_names[pair.release] = true, true
            kept[#kept + 1] = { acquire = pair.acquire, release = pair.release }
        end
    end
    if #kept > 0 then
        for _, pair in ipairs(kept) do candidates[#candidates + 1] = pair end
        sure, doubtful = judge_all(measure_all(candidates))
    end
end
do
    local all = {}
    for _, pair in ipairs(sure) do all[#all + 1] = pair end
    for _, pair in ipairs(doubtful) do all[#all + 1] = pair end
    sure, doubtful = judge_all(measure_all(joined(all)))
end

-- The best pair of every name: what it is decided by.
local best = {} -- name -> { pair, role }
local function consider(name, role, pair, verdict)
    local now = best[name]
    local points = score(pair) + (verdict and 0 or 0)
    if not now or points > now.points then best[name] = { pair = pair, role = role, points = points } end
end
for _, pair in ipairs(sure) do
    consider(pair.acquire, "acquire", pair)
    consider(pair.release, "release", pair)
end

local accepted = {}
for _, pair in ipairs(sure) do
    local a, r = best[pair.acquire], best[pair.release]
    -- A weak partner of something that has a much better one is no pair.
    if a.role == "acquire" and r.role == "release" and score(pair) * 20 >= a.points and from_names[pair.acquire .. " " .. pair.release] then
        accepted[#accepted + 1] = pair
    end
end

-- What types have objects of locks, and what they say of the kind.
local tail_names = {}
for _, pair in ipairs(accepted) do
    if pair.object and (pair.lockish >= 0.3 or pair.exclusive >= 0.6) then
        for _, side in ipairs { pair.acquire, pair.release } do
            for _, tail in ipairs(tails_of(side, pair.argument).names) do
                if tail.handed_on * 10 >= tail.uses * 7 then tail_names[tail.tail] = true end
            end
        end
    end
end

-- Types by the names of their objects; a type's objects are locks when most of them have a lock's name.
local types_of_tail, type_among = {}, {}
for _, found in ipairs(typed(tail_names)) do
    local id = (found.tagged and "struct " or "") .. found.type
    type_among[id] = (type_among[id] or 0) + found.count
    local list = types_of_tail[found.name] or {}
    types_of_tail[found.name] = list
    list[#list + 1] = { id = id, type = found.type, count = found.count, total = found.total }
end

local wraps = wrappers(accepted)
local function wrapped(name, role)
    local found = wraps[name]
    local other = found and (role == "acquire" and found.takes or role ~= "acquire" and found.gives)
    if other and other ~= name and best[other] then return other end
end

-- Does it need an entry? Not when it comes down to something that has one, unless it is what everybody calls.
local function is_primitive(name, role, pair)
    local other = wrapped(name, role)
    if not from_names[name] then return false, other end
    if not other then return true end
    if known(other) then return false, other end
    if pair.object and pair.lockish >= 0.5 and pair.exclusive >= 0.5 then return true, other end
    return fact(name).calls > fact(other).calls, other
end

-- attributes -----------------------------------------------------------------------
local function is_try(name)
    if has_word(name, try_words) then return true end
    local lower = name:lower()
    return match(lower, "(^|[^a-z])try_?(lock|enter)|[^n]trylock|[^n]tryenter") and true or false
end
local function is_shared(name)
    if has_word(name, shared_words) then return true end
    return match(name:lower(), "(^|_)(try)?(rd|r|s|shared|read)(un)?lock(_|$)") ~= nil
end

-- With which result is it taken?
local function returns_of(pair, try)
    if pair.decided >= 2 or (try and pair.decided >= 1) then
        local top = math.max(pair.nonzero, pair.zero)
        if top > pair.always and top >= pair.decided * 0.3 then
            if pair.nonzero > pair.zero then return "nonzero" end
            if pair.zero > pair.nonzero then return "zero" end
        end
    end
    return nil
end

-- Constants that choose readers: rw_enter(&l, RW_READER).
local constants_of = {}
do
    local asked = {}
    for _, pair in ipairs(accepted) do
        for i = 2, 3 do
            if pair.object and i ~= pair.argument and share(fact(pair.acquire).constant[i], fact(pair.acquire).calls) >= 0.5 then
                asked[#asked + 1] = { name = pair.acquire, argument = i }
            end
        end
    end
    for _, tail in ipairs(tails(asked)) do
        local id = tail.name .. " " .. tail.argument
        local list = constants_of[id] or {}
        constants_of[id] = list
        list[#list + 1] = tail
    end
end
local function reader_constants(pair)
    local f = fact(pair.acquire)
    for i = 2, 3 do
        if i ~= pair.argument and share(f.constant[i], f.calls) >= 0.5 and share(f.counts[i + 1], f.calls) > 0.8 then
            local readers, others = {}, 0
            for _, tail in ipairs(constants_of[pair.acquire .. " " .. i] or {}) do
                if is_shared(tail.tail) and not has_word(tail.tail, set "write writer excl exclusive") then readers[#readers + 1] = tail.tail
                else others = others + tail.count end
            end
            if #readers > 0 and #readers <= 4 then return i, readers, others end
        end
    end
end

local function kind_of(pair)
    local kind = kind_by_words(pair.acquire, not pair.object) or kind_by_words(pair.release, not pair.object)
    if not kind and pair.object and pair.argument <= 3 then -- by the objects' names, then by their types
        local votes = {}
        for _, tail in ipairs(tails_of(pair.acquire, pair.argument).names) do
            local by = tail.count * 6 > tail.handed_on and kind_by_words(tail.tail, false)
            if by then votes[by] = (votes[by] or 0) + tail.count end
        end
        local most = 0
        for word, count in pairs(votes) do
            if count > most and count * 2 > tails_of(pair.acquire, pair.argument).total then kind, most = word, count end
        end
        if not kind then
            local by_type = {}
            for _, tail in ipairs(tails_of(pair.acquire, pair.argument).names) do
                for _, type in ipairs(tail.count * 6 > tail.handed_on and types_of_tail[tail.tail] or {}) do
                    local by = kind_by_words(type.type, false)
                    if by and type_among[type.id] * 2 > type.total then by_type[by] = (by_type[by] or 0) + math.min(tail.count, type.count) end
                end
            end
            local count = 0
            for by, points in pairs(by_type) do
                if points > count then kind, count = by, points end
            end
        end
    end
    if kind == "semaphore" and (has_word(pair.acquire, hard) or has_part(pair.acquire, { "read", "write" })) then kind = "mutex" end
    if not kind and pair.cpu and match(pair.acquire:lower(), preemption_names) then return "preemption" end
    if not kind and match(pair.acquire:lower(), cpu_names) then return "interrupts" end
    return kind or (pair.object and "mutex") or (pair.cpu and "interrupts") or "mutex"
end

-- rows -----------------------------------------------------------------------------
local function quote(text) return string.format("%q", text) end

local entries, wrapper_list = {}, {}
local kept_names, chosen_of = {}, {}
for _, pair in ipairs(accepted) do
    for _, role in ipairs { "acquire", "release" } do
        local name = pair[role]
        local now = chosen_of[name]
        if best[name].role == role and (not now or score(pair) > score(now)) then chosen_of[name] = pair end
    end
end
-- A function that comes down to another lock needs no entry, nor does its partner.
for _, pair in ipairs(accepted) do
    local a, a_other = is_primitive(pair.acquire, "acquire", pair)
    local r, r_other = is_primitive(pair.release, "release", pair)
    if a and r then
        for _, name in ipairs { pair.acquire, pair.release } do
            if not known(name) then kept_names[name] = true end
        end
    elseif not known(pair.acquire) then
        wrapper_list[#wrapper_list + 1] = { name = pair.acquire, partner = pair.release, of = a_other or r_other, calls = fact(pair.acquire).calls }
    end
end
for _, pair in ipairs(accepted) do -- decided by a pair that is kept
    for _, role in ipairs { "acquire", "release" } do
        local name, now = pair[role], chosen_of[pair[role]]
        local both = kept_names[pair.acquire] and kept_names[pair.release]
        local had = now and kept_names[now.acquire] and kept_names[now.release]
        if best[name].role == role and both and (not had or score(pair) > score(now)) then chosen_of[name] = pair end
    end
end
-- Families: names that are connected by accepted pairs.
local family = {}
local function root(name)
    while family[name] and family[name] ~= name do name = family[name] end
    return name
end
for name in pairs(kept_names) do family[name] = name end
for _, pair in ipairs(accepted) do
    if kept_names[pair.acquire] and kept_names[pair.release] and score(pair) * 5 >= math.min(best[pair.acquire].points, best[pair.release].points) then
        local a, r = root(pair.acquire), root(pair.release)
        if a ~= r then family[a < r and r or a] = a < r and a or r end
    end
end

-- One kind for a family, by what most of its calls say; words of the functions say more than names of objects.
local family_kind = {}
do
    local votes = {}
    for name in pairs(kept_names) do
        local pair = chosen_of[name]
        local by_words = kind_by_words(name, not pair.object)
        local kind = by_words or kind_of(pair)
        local of = votes[root(name)] or {}
        votes[root(name)] = of
        of[kind] = (of[kind] or 0) + fact(name).calls * (by_words and 10 or 1)
    end
    for name, of in pairs(votes) do
        local most = 0
        for kind, count in pairs(of) do
            if count > most then family_kind[name], most = kind, count end
        end
    end
end

-- One function's effect, as keys of a row.
local function describe(name, role, pair)
    local kind = family_kind[root(name)] or kind_of(pair)
    local out = { name = name, role = role, kind = kind, pair = pair, calls = fact(name).calls }
    local cpu = kind == "interrupts" or kind == "softirqs" or kind == "preemption"
    if cpu and pair.object then
        kind = kind_by_words(name, false) or "mutex"
        out.kind, cpu = kind, false
    end
    local flags, flags_release = flags_of(pair)
    if pair.object then out.arg = pair.argument
    elseif pair.by_result then out.arg = role == "acquire" and "result" or pair.by_result
    elseif not cpu then out.global = true end
    if flags == "result" then out.flags = role == "acquire" and "result" or flags_release
    elseif flags and flags ~= out.arg then out.flags = flags end
    if out.flags and not cpu and kind ~= "spin" and not pair.object then out.global = nil; out.kind = "interrupts"; cpu = true end
    out.disables = not cpu and disables_by_words(name) or ""
    if out.flags and not cpu and out.disables == "" then out.disables = "interrupts" end
    out.shared = is_shared(name)
    if role == "acquire" then
        if is_try(name) then out.role = "try" end
        out.returns = returns_of(pair, out.role == "try")
        if out.role == "try" and out.returns == "nonzero" then out.returns = nil end
        out.timed = out.role ~= "try" and has_word(name, timed_words)
        if has_word(name, set "nested nest") and not out.flags and arguments_of(name) == 2 and pair.object and out.arg == 1 then out.nested = 2 end
    end
    return out
end

for name in pairs(kept_names) do
    entries[#entries + 1] = describe(name, best[name].role, chosen_of[name])
end

-- A release must go with its acquires, and the other way round.
local function partners_kept(entry)
    for _, pair in ipairs(accepted) do
        if pair.acquire == entry.name and (kept_names[pair.release] or known(pair.release)) then return true end
        if pair.release == entry.name and (kept_names[pair.acquire] or known(pair.acquire)) then return true end
    end
    return false
end

local function attributes(entry)
    local out = { "kind = " .. quote(entry.kind) }
    if entry.arg then out[#out + 1] = "arg = " .. (entry.arg == "result" and '"result"' or entry.arg) end
    if entry.global then out[#out + 1] = "global = " .. quote(root(entry.name)) end
    if entry.shared then out[#out + 1] = "shared = true, recursive = true" end
    if entry.disables ~= "" then out[#out + 1] = "disables = " .. quote(entry.disables) end
    if entry.flags then out[#out + 1] = "flags = " .. (entry.flags == "result" and '"result"' or entry.flags) end
    if entry.nested then out[#out + 1] = "nested = " .. entry.nested end
    if entry.returns then out[#out + 1] = "returns = " .. quote(entry.returns) end
    if entry.timed then out[#out + 1] = "timed = true" end
    return table.concat(out, ", ")
end

local rows, row_at = {}, {}
local function add_to_row(entry, text, extra)
    local id = root(entry.name) .. " " .. text .. (extra or "")
    local row = row_at[id]
    if not row then
        row = { text = text .. (extra or ""), family = root(entry.name), entries = {}, calls = 0 }
        row_at[id] = row
        rows[#rows + 1] = row
    end
    row.entries[#row.entries + 1] = entry
    row.calls = row.calls + entry.calls
end
table.sort(entries, function(a, b) return a.calls > b.calls or (a.calls == b.calls and a.name < b.name) end)
for _, entry in ipairs(entries) do
    if partners_kept(entry) then
        local text = attributes(entry)
        local place, readers, others
        if entry.role == "acquire" and entry.pair.object then place, readers, others = reader_constants(entry.pair) end
        if place and not entry.shared then
            local quoted, negated = {}, {}
            for i, reader in ipairs(readers) do quoted[i], negated[i] = quote(reader), quote("!" .. reader) end
            for _, reader in ipairs(quoted) do
                add_to_row(entry, text, ", shared = true, recursive = true, when = { " .. place .. ", " .. reader .. " }")
            end
            add_to_row(entry, text, ", when = { " .. place .. ", " .. table.concat(negated, ", ") .. " }")
        else
            add_to_row(entry, text)
        end
    end
end

-- Families by how much they are called; inside one the plain row first.
local family_calls, family_rank = {}, {}
for _, row in ipairs(rows) do family_calls[row.family] = (family_calls[row.family] or 0) + row.calls end
table.sort(rows, function(a, b)
    if a.family ~= b.family then
        local x, y = family_calls[a.family], family_calls[b.family]
        if x ~= y then return x > y end
        return a.family < b.family
    end
    if a.calls ~= b.calls then return a.calls > b.calls end
    return a.text < b.text
end)

