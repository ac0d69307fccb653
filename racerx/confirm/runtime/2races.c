// races -----------------------------------------------------------------------------------

static int nobody_runs(void) { return load(&live) - load(&blocked) - load(&stalled) <= 0; }

// Lets others go first, now and then: who starts, who created, who is about to lock or has just done so.
static void delay(Thread *thread, int one_in) {
    int nothing = 0, alone = 0;
    if (!plan.noise || thread->noise <= 0 || load(&live) < 2 || random_of(thread) % (uint64_t)one_in)
        return;
    long start = now(), length = (long)(random_of(thread) % (uint64_t)plan.noise);
    add(&stalled, 1);
    while (now() - start < length && alone < 3) {
        futex_wait(&nothing, 0, 500);
        alone = nobody_runs() ? alone + 1 : 0;
    }
    add(&stalled, -1);
    thread->noise -= now() - start;
}

static void put_access(Record *out, const Watch *watch, int other) {
    int flags = other ? watch->other_flags : watch->flags;
    put_thread(out, other ? watch->other : watch->owner, "side", other ? watch->other_target : watch->target);
    put_text(out, flags & FREE ? " free" : flags & WRITE ? " write" : " read");
    put_text(out, flags & ATOMIC ? " atomic" : " plain");
    put_word(out, " ", other ? watch->other_address : watch->address);
    put_count(out, " ", other ? watch->other_size : watch->size);
    put_text(out, "\n");
    put_stack(out, other ? watch->other_stack : watch->stack, other ? watch->other_depth : watch->depth);
    put_held(out, other ? watch->other_held : watch->held, other ? watch->other_held_count : watch->held_count);
}

static void report_race(const Watch *watch, int exact) {
    Record record = {.size = 0};
    uint64_t after;
    put_count(&record, "race ", (uint64_t)plan.targets[watch->target].finding);
    put_text(&record, exact ? " exact" : " elsewhere");
    put_text(&record, watch->owner == watch->other ? " signal" : " threads");
    if (watch->known)
        put_word(&record, " ", watch->before);
    else
        put_text(&record, " -");
    if (exact && peek(watch->address, watch->size, &after))
        put_word(&record, " ", after);
    else
        put_text(&record, " -");
    put_text(&record, "\n");
    put_access(&record, watch, 0);
    put_access(&record, watch, 1);
    put_text(&record, "end\n");
    record_write(&record);
}

// An access that came by while somebody stands before a conflicting one.
static void watch_hit(Watch *watch, Thread *thread, Caller caller, Word address, Word size, int flags, int range) {
    int finding = plan.targets[watch->target].finding, exact = 0, armed = ARMED;
    watch->other_target = -1;
    EACH_TARGET(i, range)
    if (plan.targets[ranges[i].target].finding == finding &&
        (plan.targets[watch->target].role != GAPS || plan.targets[ranges[i].target].role == MEETS)) {
        exact = 1;
        if (watch->other_target < 0 || plan.targets[ranges[i].target].side != plan.targets[watch->target].side)
            watch->other_target = ranges[i].target;
    }
    if (!exact && elsewhere[finding] >= ELSEWHERE_MOST)
        goto leave;
    watch->other = thread;
    watch->other_flags = flags;
    watch->other_address = address;
    watch->other_size = size;
    watch->other_depth = stack_of(thread, caller, watch->other_stack);
    watch->other_held_count = thread->held_count;
    memcpy(watch->other_held, thread->held, sizeof thread->held);
    watch->known = peek(watch->address, watch->size, &watch->before);
    if (!exact) {
        elsewhere[finding]++;
        report_race(watch, 0);
    }
leave:
    armed = exact ? DONE : ARMED;
    __atomic_store_n(&watch->state, armed, __ATOMIC_SEQ_CST);
    futex_wake(&watch->state);
}

static void watches_check(Thread *thread, Caller caller, Word address, Word size, int flags, int range) {
    for (int i = 0; i < WATCHES_MOST; i++) {
        Watch *watch = &watches[i];
        int armed = ARMED;
        if (load(&watch->state) != ARMED || address + size <= watch->address ||
            watch->address + watch->size <= address || !((flags | watch->flags) & WRITE) ||
            flags & watch->flags & ATOMIC)
            continue;
        if (__atomic_compare_exchange_n(&watch->state, &armed, TAKEN, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            watch_hit(watch, thread, caller, address, size, flags, range);
    }
}

// What anybody may send at any time comes now.
static void send_signals(void) {
    for (int number = 1; number < 64; number++)
        if (handled >> number & 1)
            syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
}

// Until somebody comes, the time is over, or nobody is left who could come.
static void watch_wait(Watch *watch, Thread *thread, long length, int signals) {
    long start = now(), alone = 0, patience = 3000 + (long)(random_of(thread) % 6000);
    int sent = !plan.spurious || !handled || !signals;
    for (long passed = 0; passed < length && load(&watch->state) == ARMED; passed = now() - start) {
        long left = length - passed;
        futex_wait(&watch->state, ARMED, left < 1000 ? left : 1000);
        if (!sent++ && load(&watch->state) == ARMED) {
            send_signals();
            length = load(&live) > 1 ? length : 0; // nobody else is there to come
        }
        alone = nobody_runs() && !handlers ? alone ? alone : now() : 0;
        if (alone && now() - alone > patience)
            break;
    }
    thread->budget -= now() - start;
}

static void stall(Thread *thread, Caller caller, Word address, Word size, int flags, int target) {
    Watch *watch = NULL;
    for (int i = 0; i < WATCHES_MOST && !watch; i++) {
        int unused = UNUSED;
        if (__atomic_compare_exchange_n(&watches[i].state, &unused, CLAIMED, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            watch = &watches[i];
    }
    if (!watch)
        return;
    watch->owner = thread;
    watch->target = target;
    watch->flags = flags;
    watch->address = address;
    watch->size = size;
    watch->depth = stack_of(thread, caller, watch->stack);
    watch->held_count = thread->held_count;
    memcpy(watch->held, thread->held, sizeof thread->held);
    __atomic_store_n(&watch->state, ARMED, __ATOMIC_SEQ_CST);
    add(&watch_count, 1);
    add(&stalled, 1);
    thread->stalled = 1;
    thread->inside--; // a signal handler that runs meanwhile is another party
    long own = plan.targets[target].stall;
    long length = own ? own : plan.stall / 2 + (long)(random_of(thread) % (uint64_t)(plan.stall + 1));
    watch_wait(watch, thread, length, plan.targets[target].stalls == 1);
    thread->inside++;
    thread->stalled = 0;
    add(&stalled, -1);
    add(&watch_count, -1);
    int state = ARMED;
    while (!__atomic_compare_exchange_n(&watch->state, &state, UNUSED, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) &&
           state == TAKEN) {
        futex_wait(&watch->state, TAKEN, 1000);
        state = ARMED;
    }
    if (state != DONE)
        return;
    int nothing = 0;
    if (plan.targets[target].role == GAPS) { // the fact is stale: will it be relied on?
        thread->written = *watch;
        thread->stale = thread->fact;
    } else {
        __atomic_store_n(&done[plan.targets[target].finding], 1, __ATOMIC_RELAXED);
        futex_wait(&nothing, 0, 2000); // lets the other do what it was about to
        report_race(watch, 1);
    }
    __atomic_store_n(&watch->state, UNUSED, __ATOMIC_SEQ_CST);
}

static int role_fits(int role, int flags) {
    return role == ANY || (role == WRITES && flags & WRITE) || (role == READS && !(flags & WRITE));
}

static int is_done(const Target *target) { return __atomic_load_n(&done[target->finding], __ATOMIC_RELAXED); }

static int stall_wanted(Thread *thread, Target *target, int flags) {
    if (!(plan.modes >> (target->side < 2 ? target->side : 1) & 1) || is_done(target) || target->role >= LOCKS ||
        !role_fits(target->role, flags) || thread->budget <= 0 || thread->stalled || (load(&live) < 2 && !handlers) ||
        target->stalls >= STALLS_MOST)
        return 0;
    int seen = __atomic_add_fetch(&target->seen, 1, __ATOMIC_RELAXED);
    // Later seeds leave out some, so that other hits than the first are met.
    if ((plan.seed - 1) % 8 > 3 && random_of(thread) % 2)
        return 0;
    if (seen > STALLS_FIRST && random_of(thread) % (uint64_t)(seen / 4))
        return 0;
    __atomic_fetch_add(&target->stalls, 1, __ATOMIC_RELAXED);
    return 1;
}

// A fact: what it is about; whether it went stale before it is relied on.
static void fact_meets(Thread *thread, Target *target, Word address, Word size) {
    if (target->role == CHECKS) {
        thread->fact = target->finding + 1;
        thread->stale = 0;
        thread->fact_address = address;
        thread->fact_size = size;
    } else if (target->role == USES && thread->stale == target->finding + 1) {
        thread->stale = thread->fact = 0;
        __atomic_store_n(&done[target->finding], 1, __ATOMIC_RELAXED);
        report_race(&thread->written, 1);
    }
}

// Who looks again, or writes himself, has a fresh fact; but not where it is relied on.
static void fact_renewed(Thread *thread, Word address, Word size, int range) {
    if (!thread->stale || address + size <= thread->fact_address || thread->fact_address + thread->fact_size <= address)
        return;
    EACH_TARGET(i, range)
    if (plan.targets[ranges[i].target].role == USES && plan.targets[ranges[i].target].finding + 1 == thread->stale)
        return;
    thread->stale = 0;
}

static void access_known(Caller caller, Word address, Word size, int flags, int range) {
    Thread *thread = current();
    if (!thread || thread->inside)
        return;
    int saved = errno, chosen = -1;
    thread->inside++;
    fact_renewed(thread, address, size, range);
    EACH_TARGET(i, range) {
        int index = ranges[i].target, fits = role_fits(plan.targets[index].role, flags);
        __atomic_fetch_add(&plan.hits[index].hits, 1, __ATOMIC_RELAXED);
        if (plan.targets[index].role == LOCKS || plan.targets[index].role == GAPS)
            continue;
        fact_meets(thread, &plan.targets[index], address, size);
        __atomic_fetch_add(&plan.hits[index].fitting, fits, __ATOMIC_RELAXED);
        __atomic_fetch_or(&plan.hits[index].threads, 1ull << (thread->number & 63), __ATOMIC_RELAXED);
        if (chosen < 0 && stall_wanted(thread, &plan.targets[index], flags))
            chosen = index;
    }
    if (load(&watch_count))
        watches_check(thread, caller, address, size, flags, range);
    if (chosen >= 0 && !is_done(&plan.targets[chosen]))
        stall(thread, caller, address, size, flags, chosen);
    thread->inside--;
    errno = saved;
}

static inline __attribute__((always_inline)) void access_at(Caller caller, const volatile void *address, Word size,
                                                            int flags) {
    if (!plan.active)
        return;
    if (plan.trace) {
        Thread *thread = numbers > 1 ? tracing() : NULL; // alone it races with nobody
        if (thread)
            trace_access(thread, caller.pc, (Word)address, size ? size : 1, flags);
        return;
    }
    int range = range_of(caller.pc);
    if (range >= 0 || plan.gaps || __atomic_load_n(&watch_count, __ATOMIC_RELAXED))
        access_known(caller, (Word)address, size ? size : 1, flags, range);
}
