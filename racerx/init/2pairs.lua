-- pairs.lua: candidate pairs by their names, and what is sure of a pair. Follows words.lua, in one chunk with it.

-- helpers --------------------------------------------------------------------------
local split_of, facts_of = {}, {}
local function split_name(name)
    local found = split_of[name]
    if not found then
        local list, small = split(name)
        found = { list, small }
        split_of[name] = found
    end
    return found[1], found[2]
end
local none = { calls = 0, uses = 0, handed_on = 0, functions = 0, macros = 0, hollow = 0, noreturn = false, tested = 0, null = 0, assigned = 0,
    returned = 0, ends = 0, scalar = { 0, 0, 0, 0 }, constant = { 0, 0, 0, 0 }, address = { 0, 0, 0, 0 }, string = { 0, 0, 0, 0 },
    counts = { 0, 0, 0, 0, 0 } }
local function fact(name)
    local found = facts_of[name]
    if not found then
        found = facts(name) or none
        facts_of[name] = found
    end
    return found
end
local function has_word(name, wanted)
    for _, word in ipairs((split_name(name))) do
        if wanted[word] then return true end
    end
    return false
end
local function has_part(name, parts)
    local lower = name:lower()
    for _, part in ipairs(parts) do
        local at = find(lower, part)
        local before = at and at > 1 and lower:sub(at - 1, at - 1) or ""
        if at and not (part == "lock" and (before == "b" or before == "c")) and not (part == "sem" and (before == "s" or lower:sub(at + 3, at + 3) == "b"))
            and not (part == "spin" and before == "o") then
            return true
        end
    end
    return false
end
local function share(part, whole) return whole > 0 and part / whole or 0 end
local function percent(part, whole) return string.format("%d %%", math.floor(100 * share(part, whole) + 0.5)) end
local function starts(text, head) return text:sub(1, #head) == head end
local function arguments_of(name) -- the usual number
    local counts, best = fact(name).counts, 1
    for i = 2, #counts do
        if counts[i] > counts[best] then best = i end
    end
    return best - 1
end

-- Block, clock, flock and the like have a lock in their spelling only.
local function not_a_stem(word, stem, at)
    if stem == "lock" then
        local before = at > 1 and word:sub(at - 1, at - 1) or ""
        if before == "b" or before == "c" then return true end
        if at > 2 and word:sub(at - 2, at - 1) == "un" then return true end
        local rest = word:sub(at + 4)
        return starts(rest, "ed") or starts(rest, "ing") or starts(rest, "dep") or starts(rest, "er") or starts(rest, "ref")
    end
    if stem == "wait" then return false end
    return false
end

-- candidate pairs ------------------------------------------------------------------
-- The key of a name is what is left when its stem becomes @ and words that only make variants are dropped. An acquire
-- and a release with one key are a candidate; behaviour decides.
local function key_of(list, at, word, small, drop_hard, hungarian)
    local out = {}
    for i, text in ipairs(list) do
        if i == at then text = word end
        local mapped = same_word[text] or text
        local dropped = i ~= at and ((i == 1 and hungarian) or soft[text] or (drop_hard and (hard[text] or mapped == "irqs" or mapped == "sv")))
        if not dropped then out[#out + 1] = mapped end
    end
    local key = table.concat(out, "_")
    return (small and "s " or "U ") .. key
end
local function strip_glued(word, list) -- `try@` and `rd@` are variants of @
    for _, head in ipairs(list) do
        local length = #head
        if #word > length and word:sub(1, length) == head and find(word:sub(length + 1), "@") then
            return strip_glued(word:sub(length + 1), list)
        end
    end
    return word
end

local takers, givers = {}, {} -- class and key -> names
local function note(side, class, key, name)
    local id = class .. " " .. key
    local list = side[id]
    if not list then
        list = {}
        side[id] = list
    end
    if #list < 24 then list[#list + 1] = name end
end

-- Stems by their words, and those that also occur inside words.
local by_word, inside, all_stems = {}, {}, {}
do
    local seen = {}
    local function add(class, text, side)
        local stem = stems[class]
        local item = { class = tostring(class), text = text, side = side, needs = stem.needs, parts = {} }
        for needed in pairs(stem.needs or {}) do
            if #needed > 2 then item.parts[#item.parts + 1] = needed end
        end
        if stem.part then inside[#inside + 1] = item
        else
            by_word[text] = by_word[text] or {}
            local list = by_word[text]
            list[#list + 1] = item
        end
        if not seen[text] then
            seen[text] = true
            all_stems[#all_stems + 1] = text
        end
    end
    for class, stem in ipairs(stems) do
        add(class, stem[1], takers)
        for _, text in ipairs(words(stem[2])) do add(class, text, givers) end
    end
end

local function needs_met(item, list)
    if not item.needs then return true end
    for _, word in ipairs(list) do
        if item.needs[word] then return true end
    end
    for _, word in ipairs(list) do -- inside one word: nxsem_wait, semwait
        for _, part in ipairs(item.parts) do
            if find(word, part) then return true end
        end
    end
    return false
end

local function note_word(item, list, at, from, small, name)
    local word, stem = list[at], item.text
    if not_a_stem(word, stem, from) or not needs_met(item, list) then return end
    local replaced = word:sub(1, from - 1) .. "@" .. word:sub(from + #stem)
    local softly = strip_glued(replaced, glued_soft)
    -- vTaskSuspendAll, xTaskResumeAll: what they return, not who they are
    local hungarian = small and #list > 2 and #list[1] <= 2 and match(name, "^[a-z]{1,2}[A-Z]") ~= nil
    note(item.side, item.class .. ":1", key_of(list, at, softly, small, false, hungarian), name)
    local hardly = key_of(list, at, strip_glued(softly, glued_hard), small, true, hungarian)
    if #hardly > 3 then note(item.side, item.class .. ":2", hardly, name) end
end

local class_strength = {}
local glued_class
for class, stem in ipairs(stems) do
    class_strength[tostring(class)] = stem.strength
    if stem[1] == "get" then glued_class = tostring(class) end
end
local glued_take = { class = glued_class, text = "get", side = takers, parts = {} } -- gettoken, reltoken
local glued_give = { class = glued_class, text = "rel", side = givers, parts = {} }
local function find_candidates()
    for _, name in ipairs(names_with(all_stems)) do
        local list, small = split_name(name)
        for at = 1, #list do
            local word = list[at]
            for _, item in ipairs(by_word[word] or {}) do note_word(item, list, at, 1, small, name) end
            if #word > 3 then
                for n = 1, #inside do
                    local from = find(word, inside[n].text)
                    if from then note_word(inside[n], list, at, from, small, name) end
                end
                if #word > 5 and word:sub(1, 3) == "get" then note_word(glued_take, list, at, 1, small, name)
                elseif #word > 5 and word:sub(1, 3) == "rel" and word:sub(1, 7) ~= "release" then note_word(glued_give, list, at, 1, small, name) end
            end
        end
    end
end

-- Which of a stem's partners this name has: the first ones are the likely ones.
local function partner_rank(class, release)
    for i, partner in ipairs(words(stems[tonumber(class)][2])) do
        if find(release:lower(), partner) then return i end
    end
    return 9
end
local near = {} -- pairs whose names differ by nothing but the stem and soft words
local function make_pairs()
    local out, seen, strengths = {}, {}, {}
    for id, list in pairs(takers) do
        local others = givers[id]
        if others then
            local class = id:sub(1, find(id, ":") - 1)
            for _, acquire in ipairs(list) do
                for _, release in ipairs(others) do
                    local both = acquire .. " " .. release
                    local rank = partner_rank(class, release)
                    if acquire ~= release and not seen[both] then
                        seen[both] = true
                        out[#out + 1] = { acquire = acquire, release = release }
                    end
                    strengths[both] = math.max(strengths[both] or 0, class_strength[class])
                    if id:sub(#class + 2, #class + 2) == "1" then
                        near[both] = rank
                        near[acquire] = math.min(near[acquire] or rank, rank)
                    end
                end
            end
        end
    end
    return out, strengths
end

-- Levels of interrupts: `s = splnet(); … splx(s)`. Whatever begins so and returns a value goes with what takes it.
local function spl_pairs(out, strengths)
    local levels, restores = {}, {}
    for _, name in ipairs(names_with { "spl" }) do
        if match(name, spl) then
            local f = fact(name)
            if share(f.assigned, f.calls) > 0.4 then levels[#levels + 1] = name
            elseif arguments_of(name) == 1 then restores[#restores + 1] = name end
        end
    end
    for _, acquire in ipairs(levels) do
        for _, release in ipairs(restores) do
            out[#out + 1] = { acquire = acquire, release = release }
            strengths[acquire .. " " .. release] = 2
        end
    end
end

-- judging --------------------------------------------------------------------------
local function is_lock_word(name)
    return has_word(name, lock_words) or has_part(name, lock_parts)
end

-- How much the names of objects say "lock", and whether they are used for anything but calls.
local tail_facts = {} -- "function argument" -> { lockish, exclusive, total, names }
local function ask_tails(measured)
    local asked = {}
    for _, pair in ipairs(measured) do
        if pair.argument > 0 and pair.argument <= 3 then
            asked[#asked + 1] = { name = pair.acquire, argument = pair.argument }
            asked[#asked + 1] = { name = pair.release, argument = pair.argument }
        end
    end
    tail_facts = {}
    for _, tail in ipairs(tails(asked)) do
        local id = tail.name .. " " .. tail.argument
        local found = tail_facts[id]
        if not found then
            found = { lockish = 0, exclusive = 0, total = 0, names = {} }
            tail_facts[id] = found
        end
        found.total = found.total + tail.count
        if is_lock_word(tail.tail) then found.lockish = found.lockish + tail.count end
        if tail.handed_on * 10 >= tail.uses * 8 then found.exclusive = found.exclusive + tail.count end
        if #found.names < 400 then found.names[#found.names + 1] = tail end
    end
end
local no_tails = { lockish = 0, exclusive = 0, total = 0, names = {} }
local function tails_of(name, argument) return tail_facts[name .. " " .. argument] or no_tails end

local function mostly(counts, index, calls, least) return index > 0 and index <= 4 and share(counts[index], calls) >= least end

-- The argument that saves the CPU's state: a local that is no pointer, the same in both. Or what the acquire returns.
local function flags_of(pair)
    local a, r = fact(pair.acquire), fact(pair.release)
    local cpu = has_word(pair.acquire, cpu_words) or has_word(pair.acquire, set "irqsave irqrestore flags save") or match(pair.acquire, spl) ~= nil
    for i = 1, 4 do
        local spins = pair.argument > 0 and has_part(pair.acquire, { "spin" })
        if share(pair.result[i], pair.meet) > 0.5 and pair.argument ~= i and (cpu or spins) then return "result", i end
    end
    if not cpu then return nil end
    if pair.meet == 0 and arguments_of(pair.acquire) == 0 and arguments_of(pair.release) == 1 then return "result", 1 end
    for i = 1, 4 do
        if share(pair.same[i], pair.meet) > 0.5 and mostly(a.scalar, i, a.calls, 0.5) and mostly(r.scalar, i, r.calls, 0.5)
            and share(a.address[i], a.calls) < 0.2 then
            return i, i
        end
    end
end

local function kind_by_words(name, cpu)
    if match(name, spl) then return "interrupts" end
    local list = split_name(name)
    for _, kind in ipairs(kinds) do
        if not kind.cpu or cpu then
            for _, word in ipairs(list) do -- of a lock, `intr` says that signals end the wait
                if kind[2][word] and not (kind.cpu and word == "intr" and find(name:lower(), "lock")) then return kind[1] end
            end
        end
    end
    for _, kind in ipairs(kinds) do -- inside words: pthread_mutex is two words, xmutex_lock is not
        if not kind.cpu and kind[1] ~= "rcu" and kind[1] ~= "sequence" then
            for part in pairs(kind[2]) do
                if #part > 3 and find(name:lower(), part) then return kind[1] end
            end
        end
    end
end

local function disables_by_words(name)
    local list = split_name(name)
    local out = {}
    for _, word in ipairs(list) do
        if match(word, "^(irq|irqsave|irqrestore|intr|int|interrupts?)$") and not (word == "intr" and find(name:lower(), "lock")) then out.interrupts = true
        elseif word == "bh" or word == "softirq" then out.softirqs = true
        elseif word == "preempt" then out.preemption = true end
    end
    local names = {}
    for name_ in pairs(out) do names[#names + 1] = name_ end
    return table.concat(names, " ")
end

local function strength_of(strengths, pair)
    local strength = strengths[pair.acquire .. " " .. pair.release] or 0
    if match(pair.acquire, spl) then return 3 end
    return strength
end

-- Defined only as a macro that does nothing.
local function is_hollow(name)
    local f = fact(name)
    return f.hollow > 0 and f.macros == 0 and f.functions == 0 and not has_word(name, set "mutex mtx spin spinlock sem semaphore rwlock rwsem")
end

-- Sure, doubtful with a reason, or nothing.
local function judge(pair, strengths)
    local strength = strength_of(strengths, pair)
    local both, closed = pair.both, share(pair.both, pair.both + pair.acquire_only)
    local quality = share(pair.balanced + 0.5 * pair.mixed, both)
    local a, r = tails_of(pair.acquire, pair.argument), tails_of(pair.release, pair.argument)
    local lockish = share(a.lockish + r.lockish, a.total + r.total)
    local exclusive = share(a.exclusive + r.exclusive, a.total + r.total)
    if pair.argument > 0 and pair.constant[pair.argument] * 2 > pair.same[pair.argument] then exclusive = 0 end -- no object
    local named = is_lock_word(pair.acquire) or is_lock_word(pair.release)
    local cpu = has_word(pair.acquire, cpu_words) or has_part(pair.acquire, { "preempt", "interrupt" }) or match(pair.acquire, spl) ~= nil or match(pair.acquire:lower(), cpu_names) ~= nil
    local flags = flags_of(pair)
    local object = pair.argument > 0 and not (flags and flags == pair.argument)
    pair.quality, pair.closed, pair.lockish, pair.exclusive, pair.flags = quality, closed, lockish, exclusive, flags
    pair.cpu = cpu and not object
    pair.by_result = nil -- the lock is what the acquire returns
    for i = 1, 4 do
        if not object and not flags and share(pair.result[i], pair.meet) > 0.5 then pair.by_result = i end
    end
    pair.object = object
    pair.strength = strength
    local semaphore = kind_by_words(pair.acquire, false) == "semaphore" or kind_by_words(pair.release, false) == "semaphore"
    local bare = cpu and strength == 2 and arguments_of(pair.acquire) == 0 and arguments_of(pair.release) <= 1
        and near[pair.acquire .. " " .. pair.release]
    if pair.inverted > pair.balanced + pair.mixed and not (bare and both <= 2) then return nil end
    if strength == 2 and cpu and not named then -- of the CPU, not of some device
        local extra = 0
        for _, word in ipairs((split_name(pair.acquire))) do
            if #word > 1 and not cpu_words[word] and not plain_words[word] and not soft[word] and not same_word[word] then extra = extra + 1 end
        end
        if extra >= 2 or (object and exclusive < 0.8) then
            if both >= 3 and quality >= 0.8 then return "doubtful", "perhaps of a device, not of the CPU" end
            return nil
        end
    end
    if strength <= 2 and has_word(pair.acquire, other_words) and lockish < 0.8 then
        if both >= 3 and quality >= 0.8 and closed >= 0.6 and named then return "doubtful", "its words are of something else" end
        return nil
    end
    if has_word(pair.acquire, set "trace tracer") then return nil end
    if is_hollow(pair.acquire) or is_hollow(pair.release) then return nil end
    if bare and (arguments_of(pair.release) == 0 or flags == "result") then return "sure" end -- switches that functions of their own wrap
    if both == 0 and not (semaphore and strength >= 2 and near[pair.acquire .. " " .. pair.release]
        and near[pair.acquire .. " " .. pair.release] == near[pair.acquire]) then
        if strength >= 3 and object and (lockish >= 0.5 or named) and exclusive >= 0.5
            and (near[pair.acquire .. " " .. pair.release] or not near[pair.acquire]) then return "sure" end
        return nil
    end
    if strength >= 3 then
        if semaphore then return "sure" end
        if find(pair.acquire:lower(), "lock") and find(pair.release:lower(), "unlock") then
            if both >= 1 and quality >= 0.5 and closed >= 0.25 then return "sure" end
            if both >= 1 then return "doubtful", quality < 0.5 and "seldom paired on all paths" or "often left open" end
            return nil
        end
        if match(pair.acquire, spl) then return both >= 1 and quality >= 0.5 and flags == "result" and "sure" or nil end
        if object and lockish >= 0.8 and exclusive >= 0.8 and quality >= 0.5 then return "sure" end
        if (named or lockish >= 0.5 or exclusive >= 0.9) and both >= 2 and quality >= 0.6 and closed >= 0.4 then return "sure" end
        if both >= 3 and quality >= 0.6 and closed >= 0.4 then return "doubtful", "nothing but the name says that it is a lock" end
        return nil
    end
    if strength == 2 then
        if semaphore then return "sure" end
        if pair.cpu and both >= 1 and quality >= 0.5 and closed >= 0.3 then return "sure" end
        if (named or lockish >= 0.5) and both >= 2 and quality >= 0.6 and closed >= 0.4 then return "sure" end
        if object and exclusive >= 0.95 and both >= 2 and quality >= 0.95 and closed >= 0.9 then return "sure" end
        if object and exclusive >= 0.9 and both >= 5 and quality >= 0.9 and closed >= 0.8 then return "sure" end
        if both >= 3 and quality >= 0.7 and closed >= 0.5 then return "doubtful", "paired, but nothing says that it is a lock" end
        return nil
    end
    if object and lockish >= 0.6 and exclusive >= 0.6 and both >= 3 and quality >= 0.8 and closed >= 0.6 then return "sure" end
    if named and both >= 3 and quality >= 0.8 and closed >= 0.6 then return "doubtful", "weak words" end
    if both >= 10 and quality >= 0.9 and closed >= 0.8 and (exclusive >= 0.8 or not object) then return "doubtful", "paired, but nothing says that it is a lock" end
    return nil
end

