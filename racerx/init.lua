-- init.lua: what `racerx init` looks for, and how it decides. C counts (racerx/propose.c has the functions that are
-- called here), this script knows the words. docs/init.md explains the evidence and the thresholds.

-- words ----------------------------------------------------------------------------
local function set(text)
    local out = {}
    for _, word in ipairs(words(text)) do out[word] = true end
    return out
end

discover {
    noreturn = words "noreturn does_not_return no_return __dead",
    likely = words "likely unlikely __builtin_expect LIKELY UNLIKELY G_LIKELY G_UNLIKELY __predict_true __predict_false",
    zero = words "null false _ok eok success nil",
}

-- A stem takes, its partners let go. strength: how much the words alone say. part: also inside a longer word.
-- needs: only next to one of these words.
local cpu_words = set [[ irq irqs irqn interrupt interrupts intr ints int spl preempt preemption sched scheduler scheduling dispatch bh softirq
    softint critical crit dpc cli sti isr basepri primask local migrate migration systick nmi ]]
local stems = {
    { "lock", "unlock release", strength = 3, part = true },
    { "acquire", "release", strength = 3, part = true },
    { "obtain", "release", strength = 2 },
    { "seize", "release unseize", strength = 2 },
    { "grab", "release drop ungrab", strength = 2 },
    { "hold", "release unhold drop", strength = 1 },
    { "claim", "release unclaim", strength = 1 },
    { "enter", "exit leave", strength = 2, part = true },
    { "take", "give release put untake", strength = 2 },
    { "pend", "post", strength = 2 },
    { "down", "up", strength = 2 },
    { "p", "v", strength = 2 },
    { "wait", "post signal give release", strength = 2, needs = set "sem sema semaphore semaphores sem4 nxsem xsem ksem" },
    { "wait", "post signal give", strength = 2, part = true, needs = set "sem sema semaphore" },
    { "disable", "enable", strength = 2, needs = cpu_words },
    { "off", "on", strength = 2, needs = cpu_words },
    { "push", "pop", strength = 2, needs = set "off irq intr cli" },
    { "mask", "unmask", strength = 2, needs = cpu_words },
    { "set", "clear", strength = 2, needs = set "interrupt irq intr mask" },
    { "suspend", "resume", strength = 2, needs = set "all scheduler sched preempt interrupt interrupts irq tasks" },
    { "save", "restore", strength = 2, needs = cpu_words },
    { "block", "unblock", strength = 1, needs = cpu_words },
    { "raise", "lower", strength = 2, needs = set "irql ipl spl" },
    { "get", "put rel release", strength = 1 },
    { "begin", "end retry", strength = 1, part = true },
    { "start", "end stop", strength = 1 },
}

-- Words that make a variant of the same lock function.
local soft = set [[ try trylock tryget nested nest interruptible killable timeout timed timedout until slow fast nowait wait sig intr io
    notrace noresched no resched polled poll slowpath noclear recursive rec ip common acquire2 nb from isr non owner cond conditional
    noerr forever ticks once owned spinning sleep sleeping clock irqrestore2 safe checked caller debug ]]
local hard = set [[ read write rd wr reader writer readers writers shared excl exclusive r w s x irqsave irqrestore irq flags save restore bh
    upgrade upgradable sx raw reading writing share rdwr ]]
local same_word = { irqsave = "irqs", irqrestore = "irqs", save = "sv", restore = "sv", saved = "sv", disable = "sw", enable = "sw" }
local glued_soft, glued_hard = words "try timed", words "rd wr read write r w s x"

-- What a lock is called.
local lock_words = set [[ lock locks mutex mutexes mtx spin spinlock sem sema semaphore semaphores rwlock rwl rwsem latch critical crit
    cs section token giant monitor lk lck mut mux rw sx rm seqlock slock glock futex bkl seq seqcount serialize serializer guard splock ]]
local lock_parts = { "lock", "mutex", "mtx", "sem", "latch", "spin", "token" }
local try_words = set "try trylock trywait trydown tryget tryenter trytake cond conditional attempt test tryacquire"
local timed_words = set "timed timeout timedwait timedlock until"
local shared_words = set "read rd reader readers shared share rlock rdlock slock runlock rdunlock tryrdlock tryrlock sharedlock rwlockrd"
-- Words of what comes in pairs and is no lock.
local other_words = set [[ trace tracer log logger dbg debug print stat stats prof profile profiler perf measure test bench func function
    context section2 list node scope tag element elem array object json xml html frame transaction tx sg dma map clk clock power pm
    runtime regulator device dev ref reference refcount kref count va batch draw paint render iter cursor parse level block
    bus phy pwm gpio pin module usb pci ]]
local kinds = {
    { "rcu", set "rcu smr epoch" },
    { "sequence", set "seq seqcount seqlock" },
    { "semaphore", set "sem sema semaphore semaphores nxsem ksem sem4" },
    { "softirqs", set "bh softirq softint", cpu = true },
    { "preemption", set "preempt preemption sched scheduler scheduling dispatch kpreempt migrate migration tasks", cpu = true },
    { "interrupts", set "irq irqs interrupt interrupts intr ints spl cli critical crit primask basepri isr irql", cpu = true },
    { "spin", set "spin spinlock raw slock splock spinlocks" },
    { "mutex", set "mutex mtx mut rw rwlock rwsem sx" },
}
local spl = "^spl" -- splnet, splx …: levels of interrupts

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
local function key_of(list, at, word, small, drop_hard)
    local out = {}
    for i, text in ipairs(list) do
        if i == at then text = word end
        local mapped = same_word[text] or text
        local dropped = i ~= at and (soft[text] or (drop_hard and (hard[text] or mapped == "irqs" or mapped == "sv")))
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
    note(item.side, item.class .. ":1", key_of(list, at, softly, small, false), name)
    local hardly = key_of(list, at, strip_glued(softly, glued_hard), small, true)
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
                    if acquire ~= release and not seen[both] then
                        seen[both] = true
                        out[#out + 1] = { acquire = acquire, release = release }
                    end
                    strengths[both] = math.max(strengths[both] or 0, class_strength[class])
                    if id:sub(#class + 2, #class + 2) == "1" then near[both] = true end
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
        if starts(name, "spl") or starts(name, "_spl") then
            local f = fact(name)
            if arguments_of(name) == 1 then restores[#restores + 1] = name
            elseif share(f.assigned, f.calls) > 0.4 then levels[#levels + 1] = name end
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
            for _, word in ipairs(list) do
                if kind[2][word] then return kind[1] end
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
        if match(word, "^(irq|irqsave|irqrestore|intr|int|interrupts?)$") then out.interrupts = true
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
    return f.hollow > 0 and f.macros == 0 and f.functions == 0
end

-- Sure, doubtful with a reason, or nothing.
local function judge(pair, strengths)
    local strength = strength_of(strengths, pair)
    local both, closed = pair.both, share(pair.both, pair.both + pair.acquire_only)
    local quality = share(pair.balanced + 0.5 * pair.mixed, both)
    local a, r = tails_of(pair.acquire, pair.argument), tails_of(pair.release, pair.argument)
    local lockish = share(a.lockish + r.lockish, a.total + r.total)
    local exclusive = share(a.exclusive + r.exclusive, a.total + r.total)
    local named = is_lock_word(pair.acquire) or is_lock_word(pair.release)
    local cpu = has_word(pair.acquire, cpu_words) or match(pair.acquire, spl) ~= nil
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
    if pair.inverted > pair.balanced + pair.mixed then return nil end
    if strength <= 2 and has_word(pair.acquire, other_words) and lockish < 0.8 then
        if both >= 3 and quality >= 0.8 and closed >= 0.6 and named then return "doubtful", "its words are of something else" end
        return nil
    end
    if has_word(pair.acquire, set "trace tracer") then return nil end
    if is_hollow(pair.acquire) or is_hollow(pair.release) then return nil end
    if both == 0 and not (semaphore and strength >= 2 and near[pair.acquire .. " " .. pair.release]) then
        if strength >= 3 and object and (lockish >= 0.5 or named) and exclusive >= 0.5 and near[pair.acquire .. " " .. pair.release] then return "sure" end
        return nil
    end
    if strength >= 3 then
        if semaphore then return "sure" end
        if find(pair.acquire:lower(), "lock") and find(pair.release:lower(), "unlock") then
            if both >= 1 and quality >= 0.5 and closed >= 0.25 then return "sure" end
            if both >= 1 then return "doubtful", quality < 0.5 and "seldom paired on all paths" or "often left open" end
            return nil
        end
        if match(pair.acquire, spl) then return both >= 1 and quality >= 0.5 and "sure" or nil end
        if object and lockish >= 0.8 and exclusive >= 0.8 and quality >= 0.5 then return "sure" end
        if (named or lockish >= 0.5 or exclusive >= 0.9) and both >= 2 and quality >= 0.6 and closed >= 0.4 then return "sure" end
        if both >= 3 and quality >= 0.6 and closed >= 0.4 then return "doubtful", "nothing but the name says that it is a lock" end
        return nil
    end
    if strength == 2 then
        if semaphore then return "sure" end
        if pair.cpu and both >= 1 and quality >= 0.5 and closed >= 0.3 then return "sure" end
        if (named or lockish >= 0.5) and both >= 2 and quality >= 0.6 and closed >= 0.4 then return "sure" end
        if object and exclusive >= 0.9 and both >= 5 and quality >= 0.9 and closed >= 0.8 then return "sure" end
        if both >= 3 and quality >= 0.7 and closed >= 0.5 then return "doubtful", "paired, but nothing says that it is a lock" end
        return nil
    end
    if object and lockish >= 0.6 and exclusive >= 0.6 and both >= 3 and quality >= 0.8 and closed >= 0.6 then return "sure" end
    if named and both >= 3 and quality >= 0.8 and closed >= 0.6 then return "doubtful", "weak words" end
    if both >= 10 and quality >= 0.9 and closed >= 0.8 and (exclusive >= 0.8 or not object) then return "doubtful", "paired, but nothing says that it is a lock" end
    return nil
end

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
    return find(lower, "trylock") ~= nil or find(lower, "try_lock") ~= nil or find(lower, "tryenter") ~= nil
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
            if pair.object and i ~= pair.argument and share(fact(pair.acquire).constant[i], fact(pair.acquire).calls) >= 0.8 then
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
        if i ~= pair.argument and share(f.constant[i], f.calls) >= 0.8 and share(f.counts[i + 1], f.calls) > 0.8 then
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
            local by = tail.count * 3 > tail.handed_on and kind_by_words(tail.tail, false)
            if by then votes[by] = (votes[by] or 0) + tail.count end
        end
        local most = 0
        for word, count in pairs(votes) do
            if count > most and count * 2 > tails_of(pair.acquire, pair.argument).total then kind, most = word, count end
        end
        if not kind then
            local by_type = {}
            for _, tail in ipairs(tails_of(pair.acquire, pair.argument).names) do
                for _, type in ipairs(tail.count * 3 > tail.handed_on and types_of_tail[tail.tail] or {}) do
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
        wrapper_list[#wrapper_list + 1] = { name = pair.acquire, of = a_other or r_other, calls = fact(pair.acquire).calls }
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

put "-- Locks ---------------------------------------------------------------------------------------"
for _, row in ipairs(rows) do put_row(row) end
if #doubtful > 0 then
    put ""
    put "-- Doubtful: take the dashes away where you know better."
    table.sort(doubtful, function(a, b) return score(a) > score(b) or (score(a) == score(b) and a.acquire .. " " .. a.release < b.acquire .. " " .. b.release) end)
    local shown = 0
    for _, pair in ipairs(doubtful) do
        if not best[pair.acquire] and not best[pair.release] and not known(pair.acquire) and not known(pair.release) and shown < 20
            and not (wraps[pair.acquire] and wraps[pair.acquire].takes) then
            shown = shown + 1
            commented = commented + 1
            local place = pair.object and "arg = " .. pair.argument or "global = " .. quote(pair.acquire)
            put(string.format("-- %s: %s, %s paired", pair.reason, plural(pair.both, "function"), percent(pair.balanced + pair.mixed, pair.both)))
            put("-- lock { " .. place .. ", acquire = " .. quote(pair.acquire) .. ", release = " .. quote(pair.release) .. " }")
            entry { name = pair.acquire, effect = "acquire", kind = "mutex", reason = pair.reason, calls = fact(pair.acquire).calls, argument = pair.argument, sure = false }
            entry { name = pair.release, effect = "release", kind = "mutex", reason = pair.reason, calls = fact(pair.release).calls, argument = pair.argument, sure = false }
        end
    end
end

result { text = table.concat(lines, "\n") .. "\n", summary = "", rows = active, doubtful = commented }
