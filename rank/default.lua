-- default.lua: how sure a finding is, by its features. rank/README.md explains what is here; every number that
-- counts is a setting in this table, and scripts and --set NAME=VALUE change them.
--
-- One scale for all kinds, so that the first page mixes what is surest: about 14 is a lock-order circle of two threads
-- over global locks, or an unprotected write that two threads provably run; about 8 a clear violation of a clear
-- belief; under `line`, 4, what is not worth a reader's time.
settings {
    p0 = 0.9,                     -- protected accesses that are no evidence yet: the p0 of the z-test
    wide = 32,                    -- a member of more bits is not accessed in one piece
    line = 4,                     -- a finding with a lower score is shown only with --all

    feedback = 3,                 -- what reviewers said moves unreviewed siblings: points for each factor e in the odds; 0: it does not
    feedback_belief = 2,          -- so many verdicts on the same belief weigh as much as what was known without them
    feedback_function = 4,        -- in the same function
    feedback_record = 6,          -- on members of the same record; on what is believed to block
    feedback_lock = 8,            -- under the same lock
    feedback_share = 0.1,         -- and of the last two, this share of all their findings more
    feedback_unconfirmed = 0.5,   -- an unconfirmed one counts as so much of a confirmed one

    deadlock = 12,                -- two threads wait for each other's lock
    deadlock_wait = 12.5,         -- one waits for the end of what needs its lock
    deadlock_thread = -1.5,       -- for each thread over two
    deadlock_all_global = 2,      -- all locks are global: no doubt that both mean the same ones
    deadlock_some_global = 1,
    deadlock_rare = 0.5,          -- one order is four times as common as the other
    deadlock_asserted = -1,       -- a lock is held only because an assertion says so
    deadlock_depth = -0.25,       -- for each call between the root and the acquisitions, of 12 at most
    deadlock_conditional = -0.025, -- for each conditional on the way, of 40 at most

    double_lock = 8,
    irq_deadlock = 8,
    sleep_in_atomic = 6,
    lock_leak = 6,
    unlock_unheld = 5,
    depth = -0.2,                 -- of these kinds, for each call since the root, of 10 at most
    conditional = -0.02,          -- likewise for each conditional, of 40 at most

    race_proven = 10,             -- two threads of the program run both accesses
    race_likely = 5,              -- they seem to: through calls with many targets, or one is a signal handler
    race_targets = 8,             -- of a call through a pointer: with more, that says nothing of a member of a type
    race_only_often = 4,          -- the only object of more than one critical section: the lock is for it
    race_only_once = 2,           -- of one critical section
    race_edge = 1,                -- the first or the last object of a critical section
    race_z_high = 2,              -- z over race_high
    race_z_low = -2,              -- z under race_low, and not global
    race_high = 2,
    race_low = -2,
    race_mostly = 1,              -- at least race_least accesses are protected, and a share of race_share
    race_share = 0.75,
    race_least = 3,
    race_same_object = 1,         -- the lock is a member of the same object
    race_many = 2,                -- more than two objects of one section without a lock
    race_two = 1,                 -- two
    race_nonatomic = 1,           -- accessed in more than one piece
    race_interrupt_write = 2,     -- an interrupt handler writes it
    race_modified = 1,            -- somebody writes it
    race_interrupt = 1,           -- one side is an interrupt handler
    race_read = -2,               -- the access that goes against the belief only reads, and in one piece
    race_roots = 2,               -- more than two roots write it
    race_update = 3,              -- a handler and what it interrupts both write, one of them what it read before
    race_instance = 5,            -- one object under a lock of which there are many
    race_marked = 1,              -- an annotator says: several threads, or interrupts
    race_no_concurrency = -4,     -- no concurrency operation here or above, and not proven to run in parallel
    race_wrong_lock = -1,         -- a lock is held: it may be another name of the right one
    race_initialisation = -4,     -- and now why a warning may be false:
    race_unlikely_aliasing = -6,
    race_unsharing = -3,
    race_reentrant_lock = -3,
    race_non_parallel = -5,
    race_conditional_locking = -3,
    race_no_lock_either = -2,
    race_type_only = -5,
    race_signal = -3,
    race_published = -5,
    race_different_bits = -5,
    race_unknown_lock = -3,
    race_depth = -0.05,           -- decides between equals: for each call since the root, of 15 at most
    race_conditional = -0.001,    -- then for each conditional, of 40 at most
}

-- Why a race may be none: the features of that name.
local doubts = {
    { "initialisation", "the object may not be shared yet: initialisation" },
    { "unlikely_aliasing", "the two sides hardly mean the same object" },
    { "unsharing", "the object was taken out of what is shared" },
    { "reentrant_lock", "the lock may be held already by the caller: re-entrant" },
    { "non_parallel", "the two sides hardly run at the same time" },
    { "conditional_locking", "locked under a condition that may hold here" },
    { "published", "accessed by a primitive made for access without a lock" },
    { "type_only", "the two sides may mean different objects of one type, hardly ever locked" },
    { "signal", "one side is a signal handler" },
    { "different_bits", "the two sides use different bits" },
    { "unknown_lock", "a lock may be held here that could not be named" },
}

local function number(f, name) return tonumber(f.features[name]) or 0 end

-- For so many of something, `most` at most.
local function each(f, weight, name, most, reason)
    add(settings[weight] * math.max(math.min(number(f, name), most), 0), reason)
end

-- kinds -----------------------------------------------------------------------

local function deadlock(f)
    local threads, globals = number(f, "threads"), number(f, "global_locks")
    if f.features.cause == "wait" then
        add(settings.deadlock_wait, "waits for what needs the lock")
        if globals > 0 then add(settings.deadlock_some_global, "the lock is global") end
        each(f, "deadlock_depth", "wait_depth", 10, "call chain")
        each(f, "deadlock_depth", "take_depth", 10, "calls until the lock is taken")
    else
        add(settings.deadlock + settings.deadlock_thread * math.max(math.min(threads, 1000) - 2, 0),
            threads > 2 and "more than two threads" or "two threads")
        if globals > 0 and globals >= threads then
            add(settings.deadlock_all_global, "all locks are global")
        elseif globals > 0 then
            add(settings.deadlock_some_global, "some lock is global")
        end
        if number(f, "most_common_order") >= 4 * number(f, "least_common_order") and number(f, "most_common_order") > 0 then
            add(settings.deadlock_rare, "one order is common, the other rare")
        end
        if number(f, "asserted") > 0 then add(settings.deadlock_asserted, "a lock is held only by an assertion") end
        each(f, "deadlock_depth", "depth", 12, "call chains are long")
        each(f, "deadlock_conditional", "conditionals", 40, "conditionals on the way")
    end
end

local function other(weight, reason)
    return function(f)
        add(settings[weight], reason)
        each(f, "depth", "depth", 10, "call chain")
        each(f, "conditional", "conditionals", 40, "conditionals on the way")
    end
end

-- What the programmers believed: which lock, and how sure that is.
local function belief(f)
    local lock = f.lock ~= "" and f.lock or "a lock"
    local only = number(f, "only")
    if only > 1 then
        add(settings.race_only_often, string.format("the only object of %.0f critical sections of %s", only, lock))
    elseif only > 0 then
        add(settings.race_only_once, "the only object of a critical section of " .. lock)
    end
    if number(f, "first") + number(f, "last") > 0 then
        add(settings.race_edge, string.format("the first object of %.0f critical sections, the last of %.0f",
                                              number(f, "first"), number(f, "last")))
    end
    local s, n = number(f, "s_lock"), number(f, "s_lock") + number(f, "f_lock")
    local s_any, n_any = number(f, "s_any"), number(f, "s_any") + number(f, "f_any")
    if s_any * n > s * n_any or n == 0 then s, n, lock = s_any, n_any, "some lock" end
    local z_any, z_lock = tonumber(f.features.z_any), tonumber(f.features.z_lock)
    local z = math.max(z_any or z_lock or 0, z_lock or z_any or 0)
    local words = string.format("%.0f of %.0f accesses are under %s, z = %.1f", s, n, lock, z)
    if z > settings.race_high then add(settings.race_z_high, words) end
    if z < settings.race_low and number(f, "global") == 0 and s_any > 0 then add(settings.race_z_low, "only " .. words) end
    if s >= settings.race_least and s >= settings.race_share * n then
        add(settings.race_mostly, z > settings.race_high and "mostly protected" or words)
    end
    if number(f, "same_object") > 0 then add(settings.race_same_object, "the lock is of the same object") end
end

-- What can go wrong when the belief is right.
local function harm(f)
    local nvars = number(f, "nvars")
    if nvars > 2 then
        add(settings.race_many, string.format("%.0f objects are used without the lock", nvars))
    elseif nvars > 1 then
        add(settings.race_two, "two objects are used without the lock")
    end
    if number(f, "nonatomic") > 0 then add(settings.race_nonatomic, "not accessed in one piece") end
    if number(f, "interrupt_write") > 0 then
        add(settings.race_interrupt_write, "written by an interrupt handler")
    elseif number(f, "modified") + number(f, "write") > 0 then
        add(settings.race_modified, "written")
    end
    if f.features.write and number(f, "write") == 0 and number(f, "nonatomic") == 0 and number(f, "proven_parallel") == 0 then
        add(settings.race_read, "this access only reads")
    end
    if number(f, "interrupt") > 0 then add(settings.race_interrupt, "shared with an interrupt handler") end
    if number(f, "update") > 0 and number(f, "interrupt") > 0 then
        add(settings.race_update, "an update can be lost between the handler and what it interrupts")
    end
    if f.features.evidence == "instance" then
        add(settings.race_instance, "the lock is one of many, the object is one")
    end
    if number(f, "modifying_roots") > 2 then
        add(settings.race_roots, string.format("written from %.0f roots", number(f, "modifying_roots")))
    end
end

local function race(f)
    local proven = number(f, "proven_parallel") > 0
    local likely = number(f, "likely_parallel") > 0
    if proven then add(settings.race_proven, "two threads of the program run both") end
    local vague = number(f, "targets") > settings.race_targets and number(f, "global") == 0
    if likely and vague then add(0, "reached through calls with too many targets to say") end
    if likely and not vague then add(settings.race_likely, "two threads of the program seem to run both") end
    belief(f)
    harm(f)
    if f.marks.multithreaded or f.marks.interrupt then add(settings.race_marked, "marked so by an annotator") end
    if number(f, "has_locked") == 0 and not (proven or likely) then
        add(settings.race_no_concurrency, "no concurrency operation here or in a caller")
    end
    if number(f, "wrong_lock") > 0 then add(settings.race_wrong_lock, "another lock is held") end
    if number(f, "no_lock_either") > 0 and not proven then
        add(settings.race_no_lock_either, "neither side holds a lock")
    end
    for _, doubt in ipairs(doubts) do
        if number(f, doubt[1]) > 0 then add(settings["race_" .. doubt[1]], doubt[2]) end
    end
    each(f, "race_depth", "depth", 15, "call chain")
    each(f, "race_conditional", "conditionals", 40, "conditionals on the way")
    if f.marks["single-threaded"] then below("marked single-threaded by an annotator") end
end

local scores = {
    race = race,
    deadlock = deadlock,
    ["double-lock"] = other("double_lock", "the same lock twice"),
    ["irq-deadlock"] = other("irq_deadlock", "shared with an interrupt handler"),
    ["sleep-in-atomic"] = other("sleep_in_atomic", "may sleep in atomic context"),
    ["lock-leak"] = other("lock_leak", "some paths return with the lock"),
    ["unlock-unheld"] = other("unlock_unheld", "never held where it is released"),
}

rank(function(f)
    scores[f.kind](f)
    if f.marks.ignore then below("marked ignore by an annotator") end
end)
