-- default.lua: how sure a finding is, by its features. rank/README.md explains what is here; every number that
-- counts is a setting in these tables, and scripts and --set NAME=VALUE change them.
--
-- One scale for all kinds: the score is the log-odds that the finding is true. 0 is one in two, -2.2 about one in ten, which is
-- the line. A kind starts at its base rate, and every feature adds the logarithm of how much more often it is seen on true findings
-- than on others. The second table is measured (`make fit`, bench/fit/README.md); the first is what has to be chosen.
settings {
    p0 = 0.9,                     -- protected accesses that are no evidence yet: the p0 of the z-test
    wide = 32,                    -- a member of more bits is not accessed in one piece
    line = -2.2,                  -- a finding with a lower score is shown only with --all: fewer than one in ten are true
    terms = 0,                    -- 1: points are the features' values, reasons the settings' names, for `make fit-data`

    on_purpose = -4,              -- marked "test" by an annotator: wrong on purpose, or no part of the product

    feedback = 1.6,               -- what reviewers said moves unreviewed siblings: points for each factor e in the odds; 0: it does not
    feedback_belief = 2,          -- so many verdicts on the same belief weigh as much as what was known without them
    feedback_function = 4,        -- in the same function
    feedback_record = 6,          -- on members of the same record; on what is believed to block
    feedback_lock = 8,            -- under the same lock
    feedback_share = 0.1,         -- and of the last two, this share of all their findings more
    feedback_unconfirmed = 0.5,   -- an unconfirmed one counts as so much of a confirmed one

    blunt_from = 2,               -- what speaks for a finding counts in full up to here
    watched_much = 40,            -- assertions for a thousand acquisitions: more says no more

    race_targets = 8,             -- of a call through a pointer: with more, it says nothing of a member of a type
    race_high = 2,                -- a z over it is a clear belief
    race_low = -2,                -- a z under it is none
    race_share = 0.75,            -- mostly protected: this share of the accesses,
    race_least = 3,               -- and at least so many

    stale_check = -1.2,           -- where kinds that nothing was fitted on begin: by what was read of them (bench/verdicts)
    stale_copy = -0.8,
    escaped_object = -1.5,
    check_then_act = -1.8,
    stale_dereference = 1.6,      -- a pointer that may be null by now is dereferenced
    stale_index = 1,              -- a number that may be too large by now is an index
    stale_pointer = 0.5,          -- of what is written: a pointer, which may be overwritten and lost
    stale_constant = -1.2,        -- a constant is written: twice the same does little harm
    stale_set_here = -0.3,        -- it was set, not checked
    stale_not_again = -0.2,       -- the lock is not held where it is relied on: that is a race, too
    stale_below = -0.6,           -- a callee lets the lock go, perhaps not always
    stale_own_writer = -0.7,      -- nobody else writes it but this function itself
    stale_writers = 0.3,          -- for each factor e in the places that write it under the lock
    stale_bare = -0.4,            -- likewise of places that write it without: the lock is not for it
    stale_same_object = 0.4,      -- the lock is of the same object
    stale_proven = 0.6,           -- two threads of the program run both
    stale_far = -0.2,             -- for each factor e in the lines between
    stale_siblings = -0.3,        -- for each factor e in the findings that share something with it
    stale_inside = 0.4,           -- of an object that was found: for each factor e in the functions that use it under the lock only
}

-- fitted: written by `make fit`
settings {
    race = -2.85,
    deadlock = 0.77,
    deadlock_wait = 0.67,
    double_lock = 1.31,
    irq_deadlock = 0.30,
    sleep_in_atomic = 1.60,
    lock_leak = -0.09,
    unlock_unheld = -3.02,
    blunt_race = 0.22,
    blunt_deadlock = 0.00,
    blunt_double_lock = 0.00,
    blunt_irq_deadlock = 0.00,
    blunt_sleep_in_atomic = 0.00,
    blunt_lock_leak = 0.25,
    blunt_unlock_unheld = 0.13,
    deadlock_all_global = 0.60,
    deadlock_around = 1.50,
    deadlock_asserted = -2.54,
    deadlock_between = -0.30,
    deadlock_both_ways = 1.60,
    deadlock_callback = -2.60,
    deadlock_conditional = -0.10,
    deadlock_depth = -0.33,
    deadlock_elsewhere = -0.48,
    deadlock_rare = 0.10,
    deadlock_same_directory = 0.10,
    deadlock_same_file = 0.30,
    deadlock_same_function = 0.30,
    deadlock_siblings = -0.20,
    deadlock_some_global = 1.19,
    deadlock_stands_for = -0.50,
    deadlock_thread = -1.84,
    deadlock_told_apart = 0.80,
    deadlock_twice = 0.30,
    deadlock_watched = -1.50,
    deadlock_wide = -0.30,
    deadlock_within = -1.80,
    double_bare = -1.50,
    double_reads = -1.60,
    double_semaphore = -1.50,
    double_signal = -2.50,
    held_between = -0.30,
    held_conditional = -0.10,
    held_cpu_state = -2.62,
    held_depth = -0.05,
    held_elsewhere = -0.50,
    held_global = 0.10,
    held_handler = -2.12,
    held_other_way_free = -3.10,
    held_same_directory = -1.13,
    held_same_file = 0.10,
    held_same_function = 0.30,
    held_siblings = -0.71,
    held_taken_below = -2.23,
    held_wide = -2.05,
    irq_apart = -1.20,
    irq_believed = 0.50,
    irq_far = -0.40,
    irq_files = -0.60,
    irq_nobody = -0.90,
    irq_root = -1.20,
    irq_same_place = -0.90,
    irq_way = -0.80,
    irq_wide = -0.50,
    leak_always = 1.50,
    leak_bare = -1.00,
    leak_callers = -0.70,
    leak_error = 2.18,
    leak_gives_back = -2.50,
    leak_handover = -0.59,
    leak_inside = 2.47,
    leak_passes_release = -3.50,
    leak_rare = 0.40,
    leak_tells = -2.00,
    leak_watched = -1.80,
    race_causes = -0.50,
    race_claims = 0.80,
    race_claims_slot = 0.80,
    race_conditional_locking = -2.00,
    race_counter = -1.00,
    race_decides = 0.50,
    race_depth = -0.05,
    race_edge = 1.34,
    race_far = -1.50,
    race_global = 0.20,
    race_initialisation = -4.64,
    race_instance = 2.50,
    race_interrupt = 0.60,
    race_interrupt_write = 1.20,
    race_likely = 0.40,
    race_locks_here = 0.50,
    race_many = 1.07,
    race_marked = 0.20,
    race_modified = 0.40,
    race_monotonic = -1.60,
    race_mostly = 0.50,
    race_no_concurrency = -0.45,
    race_no_lock_either = -0.30,
    race_non_parallel = -3.00,
    race_nonatomic = 0.20,
    race_only_often = 0.80,
    race_only_once = 0.40,
    race_pointer = 1.00,
    race_prepares = -2.00,
    race_proven = 1.50,
    race_published = -4.00,
    race_ratio = 0.70,
    race_read = -1.80,
    race_rechecked = -2.50,
    race_reentrant_lock = -2.00,
    race_roots = 0.20,
    race_same_file = 0.20,
    race_same_function = -1.20,
    race_same_object = 0.60,
    race_sets_up = -1.20,
    race_siblings = -0.10,
    race_signal = -1.00,
    race_slot = -0.10,
    race_tears_down = -1.50,
    race_test_root = -1.00,
    race_thread = 0.70,
    race_two = 0.05,
    race_type_only = -0.73,
    race_unlikely_aliasing = -4.41,
    race_unsharing = -3.00,
    race_update = 1.20,
    race_vague = -0.30,
    race_wrong_lock = -0.20,
    race_z = 0.10,
    race_z_high = 0.50,
    race_z_low = -1.00,
    sleep_program = -2.60,
    unheld_bare = -0.50,
    unheld_below = 4.90,
    unheld_booked = -5.20,
    unheld_calls = -1.00,
    unheld_early = 5.90,
    unheld_failed = 5.90,
    unheld_guarded = -2.50,
    unheld_keeps = -4.00,
    unheld_left = -2.00,
    unheld_never = 4.40,
    unheld_other = 5.90,
    unheld_other_way = -0.50,
    unheld_twice = 6.40,
    race_same_directory = 0,
    race_accesses = 0,
}
-- end of what is fitted

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
    { "sets_up", "the function seems to make the object ready" },
    { "tears_down", "the object is freed right after" },
    { "counter", "only counted, and nothing is decided by it" },
    { "monotonic", "a flag that is only ever set, or only ever cleared" },
    { "rechecked", "looked at again under the lock" },
}

local function number(f, name) return tonumber(f.features[name]) or 0 end
local function clamp(value, least, most) return math.max(math.min(value, most), least) end
local function log(count) return math.log(1 + clamp(count, 0, 1e6)) end
local function is(condition) return condition and 1 or 0 end

local terms -- settings.terms, for the finding being scored
local much  -- what speaks for it so far

-- So much of what the setting of this name weighs; the reason is a format.
local function plural(count) return count == 1 and "" or "s" end

local function term(name, value, reason, ...)
    if value == 0 then return end
    if terms then
        add(value, name)
    else
        local points = settings[name] * value
        much = much + math.max(points, 0)
        add(points, string.format(reason, ...))
    end
end

-- Where a kind begins.
local function base(name, reason)
    add(terms and 1 or settings[name], terms and name or reason)
end

-- What findings of all kinds have -----------------------------------------------

-- Real mistakes come alone: what many share is one misunderstanding.
local function siblings(f, name)
    local count = math.max(number(f, "siblings"), 1)
    term(name, math.log(count), "%.0f findings share a lock, a place or a way with it", count - 1)
end

-- The way between the lock and what happens under it; of the calls from the root only the logarithm, for ties.
local function way(f, kind, calls)
    local between = tonumber(f.features.distance_calls) or tonumber(f.features.between_calls)
    local wide = number(f, "distance_wide") + number(f, "between_wide")
    local conditionals = number(f, "distance_conditionals") + number(f, "between_conditionals")
    if between then
        term(kind .. "_between", log(between), "%.0f call%s between the lock and this", between, plural(between))
    else
        term(kind .. "_elsewhere", 1, "the lock was taken by a call that is not on the way")
    end
    term(kind .. "_wide", wide > 1 and log(wide) or 0, "calls through pointers in between, %.0f targets wide", wide)
    term(kind .. "_conditional", log(conditionals), "%.0f conditionals in between", conditionals)
    term(kind .. "_depth", log(calls), "%.0f call%s from the root", calls, plural(calls))
end

local function nearness(f, kind)
    if number(f, "same_function") > 0 then
        term(kind .. "_same_function", 1, "all in one function")
    elseif number(f, "same_file") > 0 then
        term(kind .. "_same_file", 1, "all in one file")
    elseif number(f, "same_directory") > 0 then
        term(kind .. "_same_directory", 1, "all in one directory")
    end
end

-- Who asserts which locks are held runs with checks of them, and these find the same.
local function watched(f, kind)
    local count = number(f, "watched")
    term(kind .. "_watched", clamp(count / settings.watched_much, 0, 1), "the code asserts its locks: %.0f times for a thousand that are taken", count)
end

-- kinds -----------------------------------------------------------------------

local function deadlock(f)
    local threads, globals = number(f, "threads"), number(f, "global_locks")
    if f.features.cause == "wait" then
        base("deadlock_wait", "waits for what needs the lock")
    elseif f.features.cause == "callback" then
        base("deadlock_callback", "users are called with the lock held, and take it by calling")
        term("deadlock_around", is(number(f, "called_around") > 0), "let go around the same call in %.0f places", number(f, "called_around"))
    else
        base("deadlock", "locks are taken in a circle")
        term("deadlock_thread", clamp(threads - 2, 0, 8), "more than two threads")
        local most, least = number(f, "most_common_order"), number(f, "least_common_order")
        term("deadlock_rare", is(most >= 4 * least and most > 0), "one order is common, the other rare")
        term("deadlock_asserted", is(number(f, "asserted") > 0), "a lock is held only by an assertion")
        term("deadlock_within", number(f, "within_type"), "two objects of one type, which may have an order")
        term("deadlock_both_ways", number(f, "both_ways"), "they are seen to come in both orders")
        local stands_for = number(f, "stands_for")
        term("deadlock_stands_for", stands_for > 2 and log(stands_for - 2) or 0, "known by its type only, a lock may be any of %.0f", stands_for)
        term("deadlock_told_apart", number(f, "told_apart"), "it is asked whether they are the same: they may be any two")
        term("deadlock_twice", clamp(number(f, "derived_twice"), 0, 2), "seen in one function alone, too")
    end
    term("deadlock_all_global", is(globals > 0 and globals >= threads), "all locks are global")
    term("deadlock_some_global", is(globals > 0 and globals < threads), "some lock is global")
    watched(f, "deadlock")
    siblings(f, "deadlock_siblings")
    nearness(f, "deadlock")
    way(f, "deadlock", number(f, "depth"))
end

-- What the other exits of the function say, and who else lets go what others took.
local function exits(f)
    local kept, released = number(f, "exits_held"), number(f, "exits_released")
    term("leak_rare", is(released > kept), "%.0f exits let it go, %.0f keep it", released, kept)
    term("leak_error", number(f, "error_return"), "an error return")
    term("leak_always", number(f, "kept_always"), "kept on every exit, and nobody lets it go")
    watched(f, "leak")
    term("leak_inside", is(number(f, "releases_in_function") > 0), "the function lets it go itself elsewhere")
    term("leak_passes_release", is(f.features.plain_way and number(f, "plain_way") == 0),
         "the way to this exit passes by what may let it go")
    term("leak_tells", number(f, "tells_success"), "kept on success only, and the caller is told")
    term("leak_gives_back", number(f, "gives_back"), "the function also lets it go without having taken it")
    term("leak_bare", is(number(f, "released_bare") > 0), "let go elsewhere by %.0f who were never seen to hold it", number(f, "released_bare"))
    term("leak_callers", is(number(f, "released_by_callers") > 0), "callers let such a lock go")
    term("leak_handover", is(number(f, "kept_always") == 0) * clamp(number(f, "handover_z"), 0, 10) / 4, "often let go by others than took it: %.0f of %.0f, z = %.1f",
         number(f, "handover_s"), number(f, "handover_s") + number(f, "handover_f"), number(f, "handover_z"))
end

-- Why it is not held, and whether that is meant.
local function unheld(f)
    local reasons = {
        twice = "it was let go before", below = "a function that was called let it go before", failed = "taking it may have failed",
        early = "a way comes here that has not taken it", never = "the function never takes it",
        other = "another lock of the same object was taken, and is kept",
    }
    local why = f.features.unheld
    if reasons[why] then term("unheld_" .. why, 1, reasons[why]) end
    term("unheld_other_way", is(number(f, "other_way_holds") > 0), "other ways come here with it")
    term("unheld_guarded", is(number(f, "guarded") > 0), "let go under a condition that may tell")
    term("unheld_booked", number(f, "booked"), "taken where something says that it is not held, and says so from then on")
    term("unheld_keeps", number(f, "keeps") > 0 and ({ early = 1, failed = 0.5 })[why] or 0, "the function is also left with it")
    term("unheld_left", is(number(f, "left_by") > 0), "%.0f functions are left with it for others to let go", number(f, "left_by"))
    term("unheld_bare", log(number(f, "released_bare") - 1), "let go by %.0f who were never seen to hold it", number(f, "released_bare"))
    term("unheld_calls", is(number(f, "calls_below") > 0), "let go by a function that is called")
end

-- What the way from the handler and the other takers of the lock say.
local function interruption(f)
    local far, away, let_in = number(f, "handler_calls"), number(f, "taken_away"), number(f, "taken_let_in")
    term("irq_far", log(far), "%.0f calls from the handler to where it takes it", far)
    term("irq_wide", is(number(f, "handler_price") > far), "some of them through pointers")
    term("irq_root", is(number(f, "known_root") == 0), "nothing says that the other side runs with handlers let in")
    term("irq_way", is(number(f, "plain_price") > number(f, "depth")), "it is reached through calls with many targets")
    local typed = number(f, "global_locks") == 0
    term("irq_apart", is(typed and number(f, "same_directory") == 0), "the two sides hardly mean the same object")
    term("irq_files", is(typed and number(f, "same_directory") > 0 and number(f, "same_file") == 0), "the two sides may mean different objects of one type")
    term("irq_same_place", number(f, "same_place"), "both sides take it at one place")
    term("irq_nobody", is(away == 0), "nobody takes it with such handlers kept away")
    term("irq_believed", away > 0 and clamp(log(away) - log(let_in - 1), -3, 3) or 0,
         "%.0f functions take it with handlers kept away, %.0f do not", away, let_in)
end

-- Something that happens with a lock held, on a way from where it was taken.
local function held(setting, reason, more)
    return function(f)
        base(setting, reason)
        term("held_cpu_state", number(f, "cpu_state"), "a state of the processor, not a lock")
        term("sleep_program", number(f, "program"), "a program's thread: others only spin for longer")
        term("held_handler", number(f, "handler"), "a handler, which holds nothing itself")
        term("held_global", is(number(f, "global_locks") > 0), "the lock is global")
        term("held_taken_below", number(f, "taken_below"), "taken by a function that came back with it")
        term("held_other_way_free", number(f, "other_way_free"), "some way comes here without it")
        if more then more(f) end
        siblings(f, "held_siblings")
        nearness(f, "held")
        way(f, "held", number(f, "depth"))
    end
end

-- What the programmers believed: which lock, and how sure that is.
local function belief(f)
    local lock = f.lock ~= "" and f.lock or "a lock"
    local only, edges = number(f, "only"), number(f, "first") + number(f, "last")
    term("race_only_often", is(only > 1), "the only object of %.0f critical sections of %s", only, lock)
    term("race_only_once", is(only == 1), "the only object of a critical section of %s", lock)
    term("race_edge", is(edges > 0), "the first object of %.0f critical sections, the last of %.0f",
         number(f, "first"), number(f, "last"))
    local s, n = number(f, "s_lock"), number(f, "s_lock") + number(f, "f_lock")
    local s_any, n_any = number(f, "s_any"), number(f, "s_any") + number(f, "f_any")
    if s_any * n > s * n_any or n == 0 then s, n, lock = s_any, n_any, "some lock" end
    local z_any, z_lock = tonumber(f.features.z_any), tonumber(f.features.z_lock)
    local z, what = math.max(z_any or z_lock or 0, z_lock or z_any or 0), "accesses"
    local s_write, n_write = number(f, "s_write"), number(f, "s_write") + number(f, "f_write")
    if s_write >= settings.race_least and s_write * n > s * n_write then -- readers do without it, writers hold it
        s, n, what, lock, z = s_write, n_write, "writes", f.lock, math.max(z, number(f, "z_write"))
    end
    term("race_z", clamp(z, -10, 4) / 4, "%.0f of %.0f %s are under %s, z = %.1f", s, n, what, lock, z)
    term("race_z_high", is(z > settings.race_high), "a clear belief")
    term("race_z_low", is(z < settings.race_low and number(f, "global") == 0 and s_any > 0), "hardly a belief")
    term("race_mostly", is(s >= settings.race_least and s >= settings.race_share * n), "mostly protected")
    term("race_ratio", s >= settings.race_least and clamp(log(s) - log(clamp(n, 0, 1e6) - clamp(s, 0, 1e6) + 1), 0, 3) or 0,
         "few go without")
    term("race_accesses", log(n), "%.0f accesses in all", n)
    term("race_locks_here", is(number(f, "locks_here") > 0), "the function takes the lock, but not for this")
    term("race_same_object", is(number(f, "same_object") > 0), "the lock is of the same object")
    term("race_global", is(number(f, "global") > 0), "a global")
end

-- What can go wrong when the belief is right.
local function harm(f, proven)
    local nvars, written = number(f, "nvars"), number(f, "modified") + number(f, "write") > 0
    local nonatomic = number(f, "nonatomic") > 0
    term("race_many", is(nvars > 2), "%.0f objects are used without the lock", nvars)
    term("race_two", is(nvars == 2), "two objects are used without the lock")
    term("race_nonatomic", is(nonatomic), "not accessed in one piece")
    if number(f, "interrupt_write") > 0 then
        term("race_interrupt_write", 1, "written by an interrupt handler")
    else
        term("race_modified", is(written), "written")
    end
    if f.features.write and number(f, "write") == 0 and not nonatomic and not proven then
        term("race_read", 1, "this access only reads")
        term("race_decides", is(number(f, "decides") > 0), "something is decided by it")
        term("race_pointer", is(number(f, "decides") > 0 and number(f, "pointer") > 0), "a pointer, which may lead to what is gone")
    end
    term("race_interrupt", is(number(f, "interrupt") > 0), "shared with an interrupt handler")
    term("race_update", is(number(f, "update") > 0 and number(f, "interrupt") > 0),
         "an update can be lost between the handler and what it interrupts")
    term("race_instance", is(f.features.evidence == "instance"), "the lock is one of many, the object is one")
    term("race_thread", is(f.features.evidence == "thread"), "an update can be lost between a thread and a system call")
    term("race_roots", is(number(f, "modifying_roots") > 2), "written from %.0f roots", number(f, "modifying_roots"))
end

local function race(f)
    local proven = number(f, "proven_parallel") > 0
    local likely = number(f, "likely_parallel") > 0
    local vague = number(f, "targets") > settings.race_targets and number(f, "global") == 0
    base("race", "two sides without a common lock")
    term("race_proven", is(proven), "two threads of the program run both")
    term("race_likely", is(likely and not vague), "two threads of the program seem to run both")
    term("race_vague", is(number(f, "targets") > settings.race_targets), "reached through calls with too many targets to say")
    belief(f)
    harm(f, proven)
    term("race_marked", is(f.marks.multithreaded or f.marks.interrupt), "marked so by an annotator")
    term("race_no_concurrency", is(number(f, "has_locked") == 0 and not (proven or likely)),
         "no concurrency operation here or in a caller")
    local takers = number(f, "takers")
    term("race_far", (takers > 0 and not proven) and 1 / takers or 0,
        "held far above by %.0f function(s) only, perhaps for something else", takers)
    term("race_wrong_lock", is(number(f, "wrong_lock") > 0), "another lock is held")
    term("race_no_lock_either", is(number(f, "no_lock_either") > 0 and not proven), "neither side holds a lock")
    for _, doubt in ipairs(doubts) do
        term("race_" .. doubt[1], is(number(f, doubt[1]) > 0), doubt[2])
    end
    term("race_claims", is(number(f, "claims") > 0), "seen free and then set: two can both find it so")
    term("race_claims_slot", is(number(f, "claims") > 1), "a slot of a table")
    term("race_test_root", is(number(f, "test_root") > 0), "only a test is seen to come here")
    term("race_slot", is(number(f, "slot") > 0), "entered through a table of operations")
    term("race_prepares", is(number(f, "prepares") > 0 and (number(f, "slot") > 0 or number(f, "nvars") > 1)),
         "only stored, as before what the handler is for is started")
    siblings(f, "race_siblings")
    local causes = math.max(number(f, "siblings_cause"), 1)
    term("race_causes", math.log(causes), "%.0f more go without it for the same", causes - 1)
    if not proven and number(f, "claims") == 0 then nearness(f, "race") end -- two threads at one place are no doubt
    term("race_depth", log(number(f, "depth")), "%.0f call%s from the root", number(f, "depth"), plural(number(f, "depth")))
    if f.marks["single-threaded"] then below("marked single-threaded by an annotator") end
end

-- What was true under a lock and is relied on after it.
local function stale(setting, reason)
    return function(f)
        local relied = f.features.relied
        base(setting, reason)
        term("stale_dereference", is(relied == "dereference"), "a pointer that may be null by now")
        term("stale_index", is(relied == "index"), "an index")
        term("stale_pointer", is(relied ~= "dereference" and number(f, "pointer") > 0), "a pointer")
        term("stale_constant", is(number(f, "constant") > 0), "a constant is written")
        term("stale_set_here", number(f, "set_here"), "set, not checked")
        term("stale_not_again", is(number(f, "relocked") == 0 and f.kind == "stale-check"), "the lock is not taken again")
        term("stale_below", number(f, "released_below"), "let go by a function that is called")
        term("stale_own_writer", is(number(f, "other_writer") == 0), "written under the lock by this function alone")
        term("stale_writers", log(number(f, "writers") - 1), "%.0f places write it under the lock", number(f, "writers"))
        term("stale_bare", log(number(f, "writers_bare")), "%.0f places write it without any lock", number(f, "writers_bare"))
        term("stale_same_object", number(f, "same_object"), "the lock is of the same object")
        term("stale_proven", number(f, "proven_parallel"), "two threads of the program run both")
        term("stale_inside", log(number(f, "inside")), "%.0f functions use it only under the lock", number(f, "inside"))
        term("stale_far", log(number(f, "distance_lines") / 10), "%.0f lines in between", number(f, "distance_lines"))
        siblings(f, "stale_siblings")
    end
end

-- How much less what speaks for a finding counts, the more there is of it: it says the same thing more than once.
local blunt = {
    race = "blunt_race", deadlock = "blunt_deadlock", ["double-lock"] = "blunt_double_lock", ["irq-deadlock"] = "blunt_irq_deadlock",
    ["sleep-in-atomic"] = "blunt_sleep_in_atomic", ["lock-leak"] = "blunt_lock_leak", ["unlock-unheld"] = "blunt_unlock_unheld",
}

local scores = {
    ["stale-check"] = stale("stale_check", "checked, let go, relied on"),
    ["stale-copy"] = stale("stale_copy", "copied, let go, used"),
    ["escaped-object"] = stale("escaped_object", "found, let go, used"),
    ["check-then-act"] = stale("check_then_act", "checked without the lock, done under it"),
    race = race,
    deadlock = deadlock,
    ["double-lock"] = held("double_lock", "the same lock twice", function(f)
        term("double_reads", number(f, "reads"), "as a reader both times: it hangs on who is let in first")
        term("double_semaphore", number(f, "semaphore"), "a semaphore, which others may let go")
        local bare, paired = number(f, "released_bare"), number(f, "released_paired")
        term("double_bare", is(bare > 0 and paired > 0), "let go by %.0f who were never seen to hold it", bare)
        term("double_signal", is(bare > 0 and paired == 0), "only ever let go by others than hold it: taken to wait for them")
    end),
    ["irq-deadlock"] = held("irq_deadlock", "shared with an interrupt handler", interruption),
    ["sleep-in-atomic"] = held("sleep_in_atomic", "may sleep in atomic context"),
    ["lock-leak"] = held("lock_leak", "some paths return with the lock", exits),
    ["unlock-unheld"] = held("unlock_unheld", "let go where it is not held", unheld),
}

rank(function(f)
    terms = settings.terms > 0
    much = 0
    scores[f.kind](f)
    local edge = blunt[f.kind] and settings[blunt[f.kind]] or 0
    local over = math.max(much - settings.blunt_from, 0)
    if edge * over > 0 and not terms then add(over / (1 + edge * over) - over, "much of this says the same thing") end
    if f.marks.ignore then below("marked ignore by an annotator") end
    if f.features.story == "refuted" then below("cannot be: " .. (f.features.refuted or "its story does not hold")) end
    if f.marks.test then add(settings.on_purpose, "a test, or a tool of the build host") end
end)
