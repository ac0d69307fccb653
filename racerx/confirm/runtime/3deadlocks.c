// deadlocks -------------------------------------------------------------------------------

static int lock_target(const Word *stack, int depth) {
    for (int i = 0; plan.locks && i < depth; i++) {
        int range = range_of(stack[i]);
        EACH_TARGET(k, range)
        if (plan.targets[ranges[k].target].role == LOCKS)
            return ranges[k].target;
    }
    return -1;
}

static int holds_against(const Thread *thread, Word lock, char wanted) {
    for (int i = 0; i < thread->held_count; i++)
        if (thread->held[i].lock == lock && thread->held[i].kind != 's' &&
            !(wanted == 'r' && thread->held[i].kind == 'r'))
            return 1;
    return 0;
}

// Is there a way from who waits to `goal`? The graph is taken. A semaphore may be posted by anybody: no edge.
static int way_to(Thread *from, const Thread *goal, Thread **path, int depth) {
    path[depth++] = from;
    if (!from->wants || depth == CYCLE_MOST || from->wants_kind == 's' || from->wants_kind == 'c')
        return 0;
    for (int i = 0; i < THREADS_MOST && threads[i].number | threads[i].live; i++) {
        Thread *next = &threads[i];
        int edge = from->wants_kind == 'j' ? from->joins == next : holds_against(next, from->wants, from->wants_kind);
        int back = 0, found = 0;
        if (!next->live || !edge)
            continue;
        for (int k = 1; k < depth; k++)
            back |= path[k] == next;
        if (next == goal)
            return depth;
        if (!back && next != path[0] && (found = way_to(next, goal, path, depth)))
            return found;
    }
    return 0;
}

// It tells who takes it twice, and nobody waits.
static int checks_errors(const pthread_mutex_t *lock) {
#ifdef __GLIBC__
    return (lock->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK;
#else
    return lock == NULL;
#endif
}

static void put_waiter(Record *out, const Thread *thread) {
    char kind[] = {' ', thread->wants_kind ? thread->wants_kind : '-', '\n', 0};
    put_thread(out, thread, "waits", lock_target(thread->stack, thread->depth));
    put_word(out, " ", thread->wants_kind == 'j' && thread->joins ? (Word)thread->joins->number : thread->wants);
    put_text(out, kind);
    put_stack(out, thread->stack, thread->depth);
    put_held(out, thread->held, thread->held_count);
}

static void report_deadlock(Thread **path, int count, const char *word) {
    static Record record;
    record.size = 0;
    put_text(&record, word);
    put_count(&record, " ", (uint64_t)count);
    put_text(&record, "\n");
    for (int i = 0; i < count; i++)
        put_waiter(&record, path[i]);
    put_text(&record, "end\n");
    record_write(&record);
}

static void cycle_check(Thread *thread) {
    static int reported;
    Thread *path[CYCLE_MOST];
    graph_take();
    int length = way_to(thread, thread, path, 0);
    if (length == 1 && thread->wants_kind == 'm' && checks_errors((void *)thread->wants))
        length = 0;
    if (length && !reported++)
        report_deadlock(path, length, "deadlock");
    graph_drop();
}

static void waits_begin(Thread *thread, Caller caller, Word wants, char kind) {
    Word stack[FRAMES];
    int depth = stack_of(thread, caller, stack);
    graph_take();
    thread->wants = wants;
    thread->wants_kind = kind;
    thread->depth = depth;
    memcpy(thread->stack, stack, sizeof stack);
    graph_drop();
    add(&progress, 1);
}
static void waits_end(Thread *thread) {
    graph_take();
    thread->wants = 0;
    thread->wants_kind = 0;
    thread->joins = NULL;
    graph_drop();
    add(&progress, 1);
}
static void block_begin(Thread *thread) {
    thread->blocked = 1;
    add(&blocked, 1);
}
static void block_end(Thread *thread) {
    thread->blocked = 0;
    add(&blocked, -1);
}

static void held_add(Thread *thread, Word lock, char kind, Word pc) {
    graph_take();
    if (thread->held_count < HELD_MOST)
        thread->held[thread->held_count++] = (Held){lock, pc, kind};
    graph_drop();
    add(&progress, 1);
}
static int held_drop_of(Thread *thread, Word lock) {
    for (int i = thread->held_count; i-- > 0;)
        if (thread->held[i].lock == lock) {
            memmove(&thread->held[i], &thread->held[i + 1], sizeof(Held) * (size_t)(--thread->held_count - i));
            return 1;
        }
    return 0;
}
// Who lets go may be another one than who took it.
static void held_drop(Thread *thread, Word lock) {
    graph_take();
    int found = held_drop_of(thread, lock);
    for (int i = 0; !found && i < THREADS_MOST && threads[i].number | threads[i].live; i++)
        found = threads[i].live && held_drop_of(&threads[i], lock);
    graph_drop();
    add(&progress, 1);
}

// So long as the others may still come to theirs. It counts as waiting already: nothing is between it and the lock.
static void hold(Thread *thread, Caller caller, Word lock, char kind) {
    int nothing = 0;
    long start = now(), alone = 0, length = plan.stall / 2 + (long)(random_of(thread) % (uint64_t)(plan.stall + 1));
    waits_begin(thread, caller, lock, kind);
    cycle_check(thread);
    add(&stalled, 1);
    while (now() - start < length) {
        futex_wait(&nothing, 0, 1000);
        alone = nobody_runs() ? alone ? alone : now() : 0;
        if (alone && now() - alone > 3000 + (long)(random_of(thread) % 4000))
            break;
    }
    add(&stalled, -1);
    thread->budget -= now() - start;
    waits_end(thread);
}

// One more time at a target; is it to be held back there?
static int hold_wanted(Thread *thread, int index) {
    Target *target = &plan.targets[index];
    __atomic_fetch_add(&plan.hits[index].hits, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&plan.hits[index].fitting, 1, __ATOMIC_RELAXED);
    __atomic_fetch_or(&plan.hits[index].threads, 1ull << (thread->number & 63), __ATOMIC_RELAXED);
    int seen = __atomic_add_fetch(&target->seen, 1, __ATOMIC_RELAXED);
    thread->passed = 1;
    if ((plan.seed - 1) % 8 > 3 && random_of(thread) % 2)
        return 0;
    return plan.modes >> (target->side & 1) & 1 &&
           (seen <= STALLS_FIRST || random_of(thread) % (uint64_t)(seen / 4) == 0);
}

// Before a lock that a side of a deadlock takes last. Who was there already is held back elsewhere as well, by chance:
// the finding names one of the places that a side may be at.
static void hold_back(Thread *thread, Caller caller, Word lock, char kind) {
    Word stack[FRAMES];
    if (!plan.locks)
        return;
    int index = lock_target(stack, stack_of(thread, caller, stack));
    int wanted = index >= 0 ? hold_wanted(thread, index) : thread->passed && plan.noise && random_of(thread) % 3 == 0;
    if (wanted && thread->budget > 0 && load(&live) > 1 && !holds_against(thread, lock, 'm'))
        hold(thread, caller, lock, kind);
}

// The lock under which a fact was established has just been let go, or the one it should have been established under is
// about to be taken: now others may write.
static void gap(Thread *thread, Caller caller) {
    Word stack[FRAMES];
    int depth = stack_of(thread, caller, stack), found = -1, saved = errno;
    for (int i = 0; i < depth && found < 0; i++) {
        int range = range_of(stack[i]);
        EACH_TARGET(k, range)
        if (plan.targets[ranges[k].target].role == GAPS && plan.targets[ranges[k].target].finding + 1 == thread->fact)
            found = ranges[k].target;
    }
    if (found < 0)
        return;
    thread->inside++;
    if (hold_wanted(thread, found) && plan.modes & 1 && thread->budget > 0 && load(&live) > 1 && !thread->stalled &&
        !is_done(&plan.targets[found]))
        stall(thread, caller, thread->fact_address, thread->fact_size, READ, found);
    thread->inside--;
    errno = saved;
}

// All threads wait, for a while already, and nothing has moved: none will.
static void *watch_for_standstill(void *nothing) {
    static Thread ours = {.inside = 1};
    static Thread *path[THREADS_MOST];
    int before = -1, same = 0, word = 0;
    self = &ours;
    for (;;) {
        futex_wait(&word, 0, 100000);
        int moved = load(&progress), count = 0;
        same = moved == before && load(&live) && load(&blocked) == load(&live) ? same + 1 : 0;
        before = moved;
        if (same != 6)
            continue;
        graph_take();
        for (int i = 0; i < THREADS_MOST && count < CYCLE_MOST; i++)
            if (threads[i].live)
                path[count++] = &threads[i];
        report_deadlock(path, count, "standstill");
        graph_drop();
    }
    return nothing;
}
