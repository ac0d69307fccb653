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
    { "disable", "enable restore", strength = 2, needs = cpu_words },
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
local plain_words = set [[ enter exit leave lock unlock mask unmask set clear push pop section all global arch hw cpu cpus os sys port kernel k
    machine md hal platform core system asm native on off begin end bits level x86 arm mips riscv suspend resume raise lower task tasks ]]
local soft = set [[ try trylock tryget nested nest interruptible killable timeout timed timedout until slow fast nowait wait sig intr io
    notrace noresched no resched polled poll slowpath noclear recursive rec ip common acquire2 nb from isr non owner cond conditional
    noerr forever ticks once one all last owned spinning sleep sleeping clock irqrestore2 safe checked caller debug ]]
local hard = set [[ read write rd wr reader writer readers writers shared excl exclusive r w s x irqsave irqrestore irq flags save restore bh
    upgrade upgradable sx raw reading writing share rdwr ]]
local same_word = { irqsave = "irqs", irqrestore = "irqs", save = "sv", restore = "sv", saved = "sv", disable = "sw", enable = "sw" }
local glued_soft, glued_hard = words "try timed", words "rd wr read write r w s x"

-- What a lock is called.
local lock_words = set [[ lock locks mutex mutexes mtx spin spinlock sem sema semaphore semaphores rwlock rwl rwsem latch critical crit
    cs section token giant monitor lk lck mut mux rw sx rm seqlock slock glock futex bkl seq seqcount rcu smr srcu serialize serializer guard splock ]]
local lock_parts = { "lock", "mutex", "mtx", "sem", "latch", "spin", "token" }
local try_words = set "try trylock trywait trydown tryget tryenter trytake conditional attempt tryacquire"
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
-- No single word of theirs says so.
local cpu_names = "^(push_off|push_?cli|popcli|intr_?push|irq_?push)$|suspend_?all$|suspend_?sched|lock_?sched"
local preemption_names = "suspend_?all$|suspend_?sched|lock_?sched"
local spl = "^_?spl[a-z0-9]+$" -- splnet, splx …: levels of interrupts

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

-- what runs by itself ------------------------------------------------------------------
local contexts = {
    { "interrupt", set "irq irqs intr interrupt interrupts isr vector exti nmi" },
    { "work", set "work workqueue taskqueue workq defer deferred task_queue wq job jobs" },
    { "timer", set "timer timeout callout hrtimer alarm ktimer tick ticker timeouts cyclic" },
    { "softirq", set "softirq softint tasklet bh softintr dpc rcu" },
    { "thread", set "thread threads kthread pthread task lwp proc process fiber coroutine spawn fork thrd daemon worker kproc" },
    { "signal", set "signal sigaction sighandler" },
}
local register_verbs = set [[ create start init register request attach establish connect add set setup new spawn fork run reset schedule
    enqueue queue submit launch install dispatch arg hook exec begin define make make2 post kick ]]
local register_parts = { "create", "start", "register", "establish", "attach", "request", "init", "spawn", "timeout", "callout", "setup", "connect", "launch" }
local not_register = set [[ free del delete cancel stop destroy remove unregister disestablish detach join kill test assert printf print log
    find search foreach each for walk iterate sort cmp compare visit apply map disconnect cleanup clean resolve update next get has is unset
    clear release put end crash test tests check ]]
local roots_found = {}
for _, h in ipairs(handed()) do
    local context
    local _, said = known(h.name)
    if not said and share(h.count, h.calls) >= 0.4 and h.calls >= 1 and not has_word(h.name, not_register) then
        for _, c in ipairs(contexts) do
            if not context and has_word(h.name, c[2]) then context = c[1] end
        end
        if not context then
            local lower = h.name:lower()
            for _, c in ipairs(contexts) do
                for word in pairs(c[2]) do
                    if not context and #word > 5 and find(lower, word) then context = c[1] end
                end
            end
        end
    end
    if context then
        local verb = has_word(h.name, register_verbs) or has_part(h.name, register_parts) or context == "timer" or context == "work"
        local item = { name = h.name, argument = h.argument, context = context, count = h.count, calls = h.calls, sure = verb and (h.count >= 2 or context == "thread") }
        -- The argument after the handler goes to it, when the handler takes one untyped pointer.
        local usual = 1
        for i = 2, 9 do
            if h.arguments[i] > h.arguments[usual] then usual = i end
        end
        local data = h.argument + 1
        if data <= 8 and data <= usual - 1 and share(h.pointer, h.count) >= 0.5 and share(h.params[1], h.count) < 0.5 then item.data = data end
        if h.argument > 1 and h.data[1] == h.count and context ~= "interrupt" then item.object = 1 end
        roots_found[#roots_found + 1] = item
    end
end
table.sort(roots_found, function(a, b) return a.count > b.count or (a.count == b.count and (a.name < b.name or (a.name == b.name and a.argument < b.argument))) end)

local register_rows, register_order, registers_sure = {}, {}, 0
for _, item in ipairs(roots_found) do
    local text = "arg = " .. item.argument .. (item.data and ", data = " .. item.data or "") .. (item.object and ", object = " .. item.object or "")
        .. ", context = " .. quote(item.context)
    if item.sure then
        if not register_rows[text] then
            register_rows[text] = {}
            register_order[#register_order + 1] = text
        end
        local list = register_rows[text]
        if #list < 12 then
            list[#list + 1] = item
            registers_sure = registers_sure + 1
        end
    end
    entry { name = item.name, effect = "registers", kind = item.context, reason = plural(item.count, "function") .. " handed to it", calls = item.calls,
        argument = item.argument, sure = item.sure }
end
section "What runs by itself"
local budget = math.max(8, math.min(20, 88 - active))
for i, text in ipairs(register_order) do
    if i <= budget then
        local names, count = {}, 0
        for _, item in ipairs(register_rows[text]) do
            names[#names + 1] = item.name
            count = count + item.count
        end
        put(string.format("-- %s handed over", plural(count, "function")))
        put("registers { " .. names_text(names) .. ", " .. text .. " }")
        active = active + 1
    end
end
do
    local shown = 0
    for _, item in ipairs(roots_found) do
        if not item.sure and shown < 8 then
            shown = shown + 1
            put_doubtful(string.format("Doubtful, no word says that it starts something: %s handed over", plural(item.count, "function")),
                string.format("registers { %s, arg = %d, context = %s }", quote(item.name), item.argument, quote(item.context)))
        end
    end
end

-- Waiting for the end of something that was started.
local join_verbs = set "join stop cancel kill del delete drain flush halt untimeout disestablish sync"
do
    local groups, order = {}, {}
    for _, name in ipairs(names_with { "join", "cancel", "drain", "del_", "untimeout", "disestablish", "halt" }) do
        local context
        if has_word(name, join_verbs) and not known(name) and fact(name).calls >= 2 and arguments_of(name) >= 1 and arguments_of(name) <= 2 then
            for _, c in ipairs(contexts) do
                if not context and has_word(name, c[2]) and c[1] ~= "signal" then context = c[1] end
            end
            local found = false -- only where something of the context is started, and only what surely waits
            for _, item in ipairs(roots_found) do found = found or (item.sure and item.context == context) end
            local waits_ = has_word(name, set "join drain sync flush") or find(name:lower(), "halt") or find(name:lower(), "disestablish")
            if context and found and waits_ then
                if not groups[context] then
                    groups[context] = {}
                    order[#order + 1] = context
                end
                local list = groups[context]
                if #list < 10 then list[#list + 1] = name end
            end
        end
    end
    for _, context in ipairs(order) do
        put("joins { " .. names_text(groups[context]) .. ", arg = 1, context = " .. quote(context) .. " }")
        active = active + 1
    end
end

-- Tables of functions: of system calls and of operations.
local table_words = set "syscall syscalls sysent sys_call_table systbl sysvec"
local operation_words = set "ops operations fops methods vtable switch cdevsw bdevsw sw vector vfsops vnodeops calls funcs functions interface api procs"
local user_words = set "file files vnode vnops vops cdevsw bdevsw dev_ops chr char block tty fs inode super socket proto proc vfs cdev bdev devsw vop net device driver"
local tables, operations = {}, {}
for _, st in ipairs(stored()) do
    local lower = (st.variable or ""):lower()
    if st.variable and (has_word(st.variable, table_words) or find(lower, "syscall") or find(lower, "sysent")) and st.count >= 3 then
        tables[#tables + 1] = st.variable
    end
    if st.type and st.member then
        operations[st.type] = operations[st.type] or { members = 0, count = 0 }
        operations[st.type].members = operations[st.type].members + 1
        operations[st.type].count = operations[st.type].count + st.count
    elseif st.type and (find(st.type:lower(), "syscall") or find(st.type:lower(), "sysent")) and st.count >= 3 then
        operations[st.type] = operations[st.type] or { members = 2, count = 0 }
        operations[st.type].count = operations[st.type].count + st.count
        operations[st.type].syscall = true
    end
end
local has_main = fact("main").functions > 0
if #tables > 0 and not addition then
    put "annotate(function(program) -- tables of system calls: any thread, at any time"
    for i, name in ipairs(tables) do
        if i <= 5 then put("    mark(program:stored_in(" .. quote(name) .. "), \"multithreaded\")") end
    end
    put "end)"
    active = active + 1
end
do
    local list = {}
    for type, found in pairs(operations) do
        if found.members >= 2 and found.count >= 4 then list[#list + 1] = { name = type, calls = found.count, syscall = found.syscall, members = found.members } end
    end
    table.sort(list, by_calls)
    local shown = 0
    for _, item in ipairs(list) do
        local known_type = addition or known_field("struct " .. item.name)
        local user = item.syscall or (has_word(item.name, operation_words) and has_word(item.name, user_words)) or find(item.name:lower(), "devsw") ~= nil
        if not known_type and user and shown < 6 then
            shown = shown + 1
            local text = string.format("registers { field = %s, context = \"syscall\" }", quote("struct " .. item.name))
            local why = string.format("%s in %s", plural(item.calls, "function"), plural(item.members, "member"))
            if has_main and not item.syscall and presets_used ~= "" then put_doubtful("Doubtful in a program with main: " .. why, text)
            elseif item.calls >= 8 or item.syscall then
                put("-- " .. why)
                put(text)
                active = active + 1
            else put_doubtful("Doubtful, few: " .. why, text) end
            entry { name = item.name, effect = "registers", kind = "syscall", reason = why, calls = item.calls, argument = 0, sure = item.calls >= 8 }
        end
    end
end

-- what functions do --------------------------------------------------------------------
section "What functions do"
local function put_list(declaration, list, note_, least)
    table.sort(list, by_calls)
    local names, count = {}, 0
    for _, item in ipairs(list) do
        if #names < (least or 30) then
            names[#names + 1] = item.name
            count = count + item.calls
            entry { name = item.name, effect = declaration, kind = "", reason = note_, calls = item.calls, argument = 0, sure = true }
        end
    end
    if #names == 0 then return end
    put(string.format("-- %s, %s", plural(count, "call"), note_))
    put(declaration .. " " .. (#names == 1 and quote(names[1]) or names_text(names)))
    active = active + 1
end
local function candidate(name)
    local _, said = known(name)
    return not said and not best[name] and fact(name).calls >= 2
end

local gone, maybe_gone = {}, {}
local gone_words = set "panic fatal abort die bug bugcheck halt trap unreachable croak oops hang bail fail exit reboot crash kpanic doom"
for _, name in ipairs(names_with { "panic", "fatal", "abort", "die", "bug", "halt", "unreachable", "crash", "exit", "hang", "fail" }) do
    local f = fact(name)
    if candidate(name) and not is_hollow(name) then
        local strong = has_word(name, set "panic kpanic abort die unreachable") and #(split_name(name)) <= 2
        if f.noreturn then gone[#gone + 1] = { name = name, calls = f.calls }
        elseif strong and share(f.tested + f.assigned, f.calls) < 0.02 and share(f.ends, f.calls) >= 0.3 and f.calls >= 5
            and (find(name:lower(), "panic") or name == "die" or name == "unreachable") then gone[#gone + 1] = { name = name, calls = f.calls }
        elseif has_word(name, gone_words) and share(f.ends, f.calls) >= 0.6 and f.calls >= 10 and share(f.tested + f.assigned, f.calls) == 0 then
            maybe_gone[#maybe_gone + 1] = { name = name, calls = f.calls }
        end
    end
end
put_list("noreturn", gone, "declared so, or called where a path ends")
table.sort(maybe_gone, by_calls)
for i, item in ipairs(maybe_gone) do
    if i <= 3 then put_doubtful(string.format("Doubtful: %s of %s end a block", percent(fact(item.name).ends, item.calls), plural(item.calls, "call")), "noreturn " .. quote(item.name)) end
end

local fresh, freed = {}, {}
for _, name in ipairs(names_with { "alloc", "strdup", "memdup" }) do
    local f = fact(name)
    local words_ = split_name(name)
    local last = words_[#words_] or ""
    local ends_right = match(name:lower(), "(alloc|zalloc|calloc|malloc|strdup|memdup|realloc)(_(array|node|zero|clear|wait|nowait|flags|aligned|atomic|r))?$") ~= nil
    if candidate(name) and not is_hollow(name) and f.calls >= 4 and share(f.assigned + f.returned, f.calls) >= 0.7 and share(f.null, f.calls) >= 0.3
        and (ends_right or starts(name:lower(), "alloc")) then
        fresh[#fresh + 1] = { name = name, calls = f.calls }
    end
end
for _, name in ipairs(names_with { "free" }) do
    local f = fact(name)
    if candidate(name) and not is_hollow(name) and f.calls >= 4 and arguments_of(name) >= 1 and share(f.assigned + f.tested, f.calls) < 0.05
        and match(name:lower(), "(^|_)[a-z]?free$") and arguments_of(name) <= 2 and share(f.constant[1], f.calls) < 0.2 then
        freed[#freed + 1] = { name = name, calls = f.calls }
    end
end
put_list("allocates", fresh, "results tested for NULL, and fresh by their names", 25)
put_list("frees", freed, "by their names", 15)

local sleeps, maybe_sleeps = {}, {}
local sleep_words = set "sleep msleep usleep tsleep nanosleep delay yield wait pause suspend relinquish pend kpause ssleep waitfor"
for _, name in ipairs(names_with { "sleep", "delay", "yield", "wait", "pause", "suspend", "pend" }) do
    local f = fact(name)
    if candidate(name) and not is_hollow(name) and f.calls >= 3 and not has_word(name, set "init queue head no nowait set get is has try state mode power pm busy cpu atomic udelay ndelay poll spin trace latency") then
        local list = split_name(name)
        local last = list[#list]
        local words_ = #list
        local strong = match(name:lower(), "(^|_)[a-z]{0,2}sleep(_ticks|_ms|_us|_for|_until|_ns|_range)?$") ~= nil or match(name:lower(), "task_?delay|thread_?(sleep|delay|yield|suspend)|task_?yield") ~= nil
        local is_wait = false
        for _, w in ipairs(waits) do is_wait = is_wait or w.name == name end
        if (strong or is_wait) then sleeps[#sleeps + 1] = { name = name, calls = f.calls }
        elseif has_word(name, set "wait") and words_ <= 3 then maybe_sleeps[#maybe_sleeps + 1] = { name = name, calls = f.calls } end
    end
end
for _, w in ipairs(waits) do
    local there = false
    for _, item in ipairs(sleeps) do there = there or item.name == w.name end
    if not there then sleeps[#sleeps + 1] = { name = w.name, calls = w.calls } end
end
put_list("blocks", sleeps, "sleep or wait, by their names", 25)
table.sort(maybe_sleeps, by_calls)
do
    local names = {}
    for i, item in ipairs(maybe_sleeps) do
        if i <= 8 then names[#names + 1] = item.name end
    end
    if #names > 0 then put_doubtful("Doubtful: waits, perhaps without sleeping", "blocks " .. names_text(names)) end
end

-- the summary --------------------------------------------------------------------------
local summary = {}
local function say(text) summary[#summary + 1] = text end
say(string.format("presets         %s", presets_used ~= "" and presets_used or "none"))
say(string.format("lock functions  %d in %s", lock_count, plural(#shown_rows, "row")))
local shown_names = {}
for i, row in ipairs(shown_rows) do
    local pair = row.entries[1].pair
    if i <= 40 and #shown_names < 4 and row.entries[1].role ~= "try" then
        local text = pair.acquire .. "/" .. pair.release
        local there = false
        for _, other in ipairs(shown_names) do there = there or other == text end
        if not there and #table.concat(shown_names, ", ") + #text < 58 then shown_names[#shown_names + 1] = text end
    end
end
if #shown_names > 0 then say("                " .. table.concat(shown_names, ", ")) end
say(string.format("registrations   %d", registers_sure))
say(string.format("in all          %s active, %d commented out as doubtful", plural(active, "declaration"), commented))

result { text = table.concat(lines, "\n") .. "\n", summary = table.concat(summary, "\n") .. "\n", rows = active, doubtful = commented }
