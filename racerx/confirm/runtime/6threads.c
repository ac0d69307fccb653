// threads, locks and waits of the program -----------------------------------------------------

// Nothing is kept, and nothing is held back, in a handler that interrupted us.
static Thread *outside(void) {
    Thread *thread = plan.active ? current() : NULL;
    return thread && !thread->inside ? thread : NULL;
}

typedef int LockCall(void *lock);

static void gap_here(Caller caller) {
    Thread *thread = plan.gaps ? outside() : NULL;
    if (thread && thread->fact)
        gap(thread, caller);
}

// A semaphore is posted by anybody: it orders, it is no lock.
static void traced_note(Thread *thread, Caller caller, void *lock, char kind) {
    trace_step(thread, kind == 's' ? EVENT_TAKE : EVENT_LOCK, caller.pc, (Word)lock, (Word)kind);
    thread->inside++;
    delay(thread, thread->locked++ < 8 ? 3 : 16);
    thread->inside--;
}
static int traced_take(Thread *thread, Caller caller, void *lock, char kind, LockCall *take) {
    thread->inside++;
    delay(thread, thread->locked < 8 ? 3 : 16);
    thread->inside--;
    int result = take(lock);
    if (!result || result == EOWNERDEAD)
        traced_note(thread, caller, lock, kind);
    return result;
}
// `try` says EBUSY when it would have to wait; `take` waits.
static int lock_take(Caller caller, void *lock, char kind, LockCall *try, LockCall *take) {
    Thread *thread = outside();
    gap_here(caller);
    access_at(caller, lock, 1, READ | ATOMIC); // who destroys it writes it
    if (!thread)
        return take(lock);
    if (plan.trace)
        return traced_take(thread, caller, lock, kind, take);
    thread->inside++;
    delay(thread, thread->locked < 8 ? 3 : 16);
    hold_back(thread, caller, (Word)lock, kind);
    int result = try(lock);
    if (result == EBUSY) {
        waits_begin(thread, caller, (Word)lock, kind);
        cycle_check(thread);
        block_begin(thread);
        thread->inside--;
        result = take(lock);
        thread->inside++;
        block_end(thread);
        waits_end(thread);
    }
    if (!result || result == EOWNERDEAD)
        held_add(thread, (Word)lock, kind, caller.pc);
    delay(thread, thread->locked++ < 8 ? 3 : 16);
    thread->inside--;
    return result;
}
// Of one that does not wait for ever: done already.
static int lock_note(Caller caller, void *lock, char kind, int result) {
    Thread *thread = outside();
    if (thread && plan.trace && (!result || result == EOWNERDEAD))
        traced_note(thread, caller, lock, kind);
    else if (thread && (!result || result == EOWNERDEAD)) {
        thread->inside++;
        held_add(thread, (Word)lock, kind, caller.pc);
        delay(thread, thread->locked++ < 8 ? 3 : 16);
        thread->inside--;
    }
    return result;
}
static void lock_drop(Caller caller, void *lock, char kind) {
    Thread *thread = outside();
    access_at(caller, lock, 1, READ | ATOMIC);
    if (thread && plan.trace)
        trace_step(thread, kind == 's' ? EVENT_GIVE : EVENT_UNLOCK, caller.pc, (Word)lock, (Word)kind);
    else if (thread) {
        thread->inside++;
        held_drop(thread, (Word)lock);
        thread->inside--;
    }
}

static int mutex_try(void *lock) { return REAL(pthread_mutex_trylock)(lock); }
static int mutex_take(void *lock) { return REAL(pthread_mutex_lock)(lock); }
static int read_try(void *lock) { return REAL(pthread_rwlock_tryrdlock)(lock); }
static int read_take(void *lock) { return REAL(pthread_rwlock_rdlock)(lock); }
static int write_try(void *lock) { return REAL(pthread_rwlock_trywrlock)(lock); }
static int write_take(void *lock) { return REAL(pthread_rwlock_wrlock)(lock); }
static int spin_try(void *lock) { return REAL(pthread_spin_trylock)(lock); }
static int spin_take(void *lock) { return REAL(pthread_spin_lock)(lock); }
static int semaphore_try(void *lock) { return !REAL(sem_trywait)(lock) ? 0 : errno == EAGAIN ? EBUSY : errno; }
static int semaphore_take(void *lock) { return REAL(sem_wait)(lock) ? errno : 0; }

int pthread_mutex_lock(pthread_mutex_t *lock) { return lock_take(CALLER, lock, 'm', mutex_try, mutex_take); }
int pthread_mutex_trylock(pthread_mutex_t *lock) { return lock_note(CALLER, lock, 'm', mutex_try(lock)); }
int pthread_mutex_timedlock(pthread_mutex_t *lock, const struct timespec *until) {
    return lock_note(CALLER, lock, 'm', REAL(pthread_mutex_timedlock)(lock, until));
}
int pthread_mutex_clocklock(pthread_mutex_t *lock, clockid_t clock, const struct timespec *until) {
    return lock_note(CALLER, lock, 'm', REAL(pthread_mutex_clocklock)(lock, clock, until));
}
int pthread_mutex_unlock(pthread_mutex_t *lock) {
    lock_drop(CALLER, lock, 'm');
    int result = REAL(pthread_mutex_unlock)(lock);
    gap_here(CALLER);
    return result;
}
int pthread_mutex_destroy(pthread_mutex_t *lock) {
    access_at(CALLER, lock, 1, WRITE);
    return REAL(pthread_mutex_destroy)(lock);
}
int pthread_rwlock_rdlock(pthread_rwlock_t *lock) { return lock_take(CALLER, lock, 'r', read_try, read_take); }
int pthread_rwlock_wrlock(pthread_rwlock_t *lock) { return lock_take(CALLER, lock, 'w', write_try, write_take); }
int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) { return lock_note(CALLER, lock, 'r', read_try(lock)); }
int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) { return lock_note(CALLER, lock, 'w', write_try(lock)); }
int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until) {
    return lock_note(CALLER, lock, 'r', REAL(pthread_rwlock_timedrdlock)(lock, until));
}
int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until) {
    return lock_note(CALLER, lock, 'w', REAL(pthread_rwlock_timedwrlock)(lock, until));
}
int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    lock_drop(CALLER, lock, 'm');
    int result = REAL(pthread_rwlock_unlock)(lock);
    gap_here(CALLER);
    return result;
}
int pthread_spin_lock(pthread_spinlock_t *lock) { return lock_take(CALLER, (void *)lock, 'p', spin_try, spin_take); }
int pthread_spin_trylock(pthread_spinlock_t *lock) {
    return lock_note(CALLER, (void *)lock, 'p', spin_try((void *)lock));
}
int pthread_spin_unlock(pthread_spinlock_t *lock) {
    lock_drop(CALLER, (void *)lock, 'p');
    int result = REAL(pthread_spin_unlock)(lock);
    gap_here(CALLER);
    return result;
}

int sem_wait(sem_t *semaphore) {
    int result = lock_take(CALLER, semaphore, 's', semaphore_try, semaphore_take);
    errno = result ? result : errno;
    return result ? -1 : 0;
}
int sem_trywait(sem_t *semaphore) {
    int result = lock_note(CALLER, semaphore, 's', semaphore_try(semaphore));
    errno = result == EBUSY ? EAGAIN : result ? result : errno;
    return result ? -1 : 0;
}
int sem_timedwait(sem_t *semaphore, const struct timespec *until) {
    return lock_note(CALLER, semaphore, 's', REAL(sem_timedwait)(semaphore, until));
}
int sem_post(sem_t *semaphore) {
    lock_drop(CALLER, semaphore, 's');
    int result = REAL(sem_post)(semaphore);
    gap_here(CALLER);
    return result;
}

// conditions ----------------------------------------------------------------------------------

static Thread *condition_begin(Caller caller, void *condition, void *lock, int for_ever) {
    Thread *thread = outside();
    if (!thread)
        return NULL;
    if (plan.trace) {
        trace_step(thread, EVENT_UNLOCK, caller.pc, (Word)lock, 'm');
        return thread;
    }
    thread->inside++;
    hold_back(thread, caller, (Word)condition, 'c');
    held_drop(thread, (Word)lock);
    waits_begin(thread, caller, (Word)condition, 'c');
    if (for_ever)
        block_begin(thread);
    thread->inside--;
    return thread;
}
static void condition_end(Caller caller, Thread *thread, void *condition, void *lock, int for_ever, int woken) {
    if (!thread)
        return;
    if (plan.trace) {
        trace_step(thread, EVENT_LOCK, caller.pc, (Word)lock, 'm');
        if (woken)
            trace_step(thread, EVENT_TAKE, caller.pc, (Word)condition, 'c');
        return;
    }
    thread->inside++;
    if (for_ever)
        block_end(thread);
    waits_end(thread);
    held_add(thread, (Word)lock, 'm', caller.pc);
    thread->inside--;
}
#define CONDITION_WAIT(name, condition, lock, for_ever, ...)                                                           \
    Thread *thread = condition_begin(CALLER, condition, lock, for_ever);                                               \
    int result = REAL(name)(__VA_ARGS__);                                                                              \
    condition_end(CALLER, thread, condition, lock, for_ever, !result);                                                 \
    return result
// A wait may end without cause, says POSIX; then whoever relies on the cause is wrong.
static int wakes_early(Thread *thread) { return plan.spurious && thread && random_of(thread) % 2; }

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *lock) {
    if (wakes_early(outside())) {
        struct timespec until;
        REAL(clock_gettime)(CLOCK_REALTIME, &until);
        until.tv_nsec += 3000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        int result = pthread_cond_timedwait(condition, lock, &until);
        return result == ETIMEDOUT ? 0 : result;
    }
    CONDITION_WAIT(pthread_cond_wait, condition, lock, 1, condition, lock);
}
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *lock, const struct timespec *until) {
    CONDITION_WAIT(pthread_cond_timedwait, condition, lock, 0, condition, lock, until);
}
int cnd_wait(cnd_t *condition, mtx_t *lock) {
    if (wakes_early(outside()))
        return pthread_cond_wait((pthread_cond_t *)condition, (pthread_mutex_t *)lock) ? thrd_error : thrd_success;
    CONDITION_WAIT(cnd_wait, condition, lock, 1, condition, lock);
}
int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict lock, const struct timespec *restrict until) {
    CONDITION_WAIT(cnd_timedwait, condition, lock, 0, condition, lock, until);
}
static void progresses(Caller caller, void *condition) {
    access_at(caller, condition, 1, READ | ATOMIC);
    trace_here(EVENT_GIVE, caller.pc, condition, 'c');
    add(&progress, plan.active);
}
int pthread_cond_signal(pthread_cond_t *condition) {
    progresses(CALLER, condition);
    return REAL(pthread_cond_signal)(condition);
}
int pthread_cond_broadcast(pthread_cond_t *condition) {
    progresses(CALLER, condition);
    return REAL(pthread_cond_broadcast)(condition);
}
int pthread_cond_destroy(pthread_cond_t *condition) {
    access_at(CALLER, condition, 1, WRITE);
    return REAL(pthread_cond_destroy)(condition);
}

// Any wait for others that has no lock.
static Thread *wait_begin(Caller caller, void *what, char kind, pthread_t joined) {
    Thread *thread = outside();
    if (!thread)
        return NULL;
    if (plan.trace) {
        if (kind == 'b')
            trace_step(thread, EVENT_GIVE, caller.pc, (Word)what, kind);
        return thread;
    }
    thread->inside++;
    hold_back(thread, caller, (Word)what, kind);
    waits_begin(thread, caller, (Word)what, kind);
    graph_take();
    for (int i = 0; kind == 'j' && i < THREADS_MOST && !thread->joins && threads[i].number | threads[i].live; i++)
        if (threads[i].live && &threads[i] != thread && threads[i].handle == joined)
            thread->joins = &threads[i];
    graph_drop();
    if (kind == 'j')
        cycle_check(thread);
    block_begin(thread);
    thread->inside--;
    return thread;
}
static void wait_end(Caller caller, Thread *thread, void *what, char kind, int number) {
    if (!thread)
        return;
    if (plan.trace) {
        if (kind == 'b' || number)
            trace_step(thread, kind == 'b' ? EVENT_TAKE : EVENT_JOIN, caller.pc,
                       kind == 'b' ? (Word)what : (Word)number, (Word)kind);
        return;
    }
    thread->inside++;
    block_end(thread);
    waits_end(thread);
    thread->inside--;
}
int pthread_barrier_wait(pthread_barrier_t *barrier) {
    Thread *thread = wait_begin(CALLER, barrier, 'b', 0);
    int result = REAL(pthread_barrier_wait)(barrier);
    wait_end(CALLER, thread, barrier, 'b', 0);
    return result;
}
int pthread_join(pthread_t joined, void **result) {
    int number = created_number((Word)joined); // before its handle is used again
    Thread *thread = wait_begin(CALLER, (void *)(Word)joined, 'j', joined);
    int status = REAL(pthread_join)(joined, result);
    wait_end(CALLER, thread, NULL, 'j', status ? 0 : number);
    return status;
}
int thrd_join(thrd_t joined, int *result) {
    int number = created_number((Word)joined);
    Thread *thread = wait_begin(CALLER, (void *)(Word)joined, 'j', (pthread_t)joined);
    int status = REAL(thrd_join)(joined, result);
    wait_end(CALLER, thread, NULL, 'j', status == thrd_success ? number : 0);
    return status;
}

// Who comes first does it, and the others come after it.
static __thread void (*once_routine)(void) __attribute__((tls_model("initial-exec")));
static __thread void *once_control __attribute__((tls_model("initial-exec")));
static void once_run(void) {
    void *control = once_control;
    once_routine();
    trace_here(EVENT_GIVE, (Word)once_run, control, 'o');
}
static int once(Caller caller, pthread_once_t *control, void (*routine)(void)) {
    if (!tracing())
        return REAL(pthread_once)(control, routine);
    once_routine = routine;
    once_control = control;
    int result = REAL(pthread_once)(control, once_run);
    trace_here(EVENT_TAKE, caller.pc, control, 'o');
    return result;
}
int pthread_once(pthread_once_t *control, void (*routine)(void)) { return once(CALLER, control, routine); }
void call_once(once_flag *control, void (*routine)(void)) { once(CALLER, (pthread_once_t *)control, routine); }

// The C11 ones are the same objects here.
int mtx_lock(mtx_t *lock) { return lock_take(CALLER, lock, 'm', mutex_try, mutex_take) ? thrd_error : thrd_success; }
int mtx_trylock(mtx_t *lock) {
    int result = lock_note(CALLER, lock, 'm', mutex_try(lock));
    return result == EBUSY ? thrd_busy : result ? thrd_error : thrd_success;
}
int mtx_timedlock(mtx_t *restrict lock, const struct timespec *restrict until) {
    int result = REAL(mtx_timedlock)(lock, until);
    lock_note(CALLER, lock, 'm', result == thrd_success ? 0 : EBUSY);
    return result;
}
int mtx_unlock(mtx_t *lock) {
    lock_drop(CALLER, lock, 'm');
    int result = REAL(mtx_unlock)(lock);
    gap_here(CALLER);
    return result;
}

// creation ------------------------------------------------------------------------------------

typedef struct {
    void *(*run)(void *);
    int (*run_c11)(void *);
    void *argument;
    Thread *thread;
    int number; // of the thread
    int ready;  // the new one has taken the above
} Start;

// In traced runs every second thread starts late, and in the next run the others.
static void late_start(Thread *thread) {
    int nothing = 0;
    long until = now() + plan.noise;
    while ((thread->number + (long)plan.seed) % 2 && now() < until)
        futex_wait(&nothing, 0, until - now() + 1);
}

static void start_delay(Thread *thread, int one_in, int begins) {
    if (!thread || thread->inside)
        return;
    thread->inside++;
    if (plan.trace && plan.noise && begins)
        late_start(thread);
    else
        delay(thread, one_in);
    thread->inside--;
}

static Start start_take(Start *from) {
    Start start = *from;
    if (start.thread) {
        start.thread->start = start.run ? (Word)start.run : (Word)start.run_c11;
        thread_adopt(start.thread);
    }
    __atomic_store_n(&from->ready, 1, __ATOMIC_SEQ_CST);
    futex_wake(&from->ready);
    start_delay(start.thread, 2, 1);
    return start;
}
static void *run_posix(void *from) {
    Start start = start_take(from);
    return start.run(start.argument);
}
static int run_c11(void *from) {
    Start start = start_take(from);
    return start.run_c11(start.argument);
}
static void start_wait(Start *start, int failed, Word handle) {
    if (!failed && start->number)
        created_note(handle, start->number);
    while (!failed && !load(&start->ready))
        futex_wait(&start->ready, 0, 1000000);
    if (!failed)
        start_delay(current(), 8, 0);
    if (failed && start->thread) {
        add(&live, -1);
        __atomic_store_n(&start->thread->live, 0, __ATOMIC_SEQ_CST);
    }
}
int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
    Start start = {.run = run, .argument = argument};
    if (!plan.active)
        return REAL(pthread_create)(handle, attributes, run, argument);
    start.thread = thread_claim();
    access_at(CALLER, handle, sizeof *handle, WRITE);
    start.number = start.thread ? start.thread->number : 0;
    trace_here(EVENT_CREATE, CALLER.pc, (void *)(Word)start.number, 0);
    int result = REAL(pthread_create)(handle, attributes, run_posix, &start);
    start_wait(&start, result, result ? 0 : (Word)*handle);
    return result;
}
int thrd_create(thrd_t *handle, thrd_start_t run, void *argument) {
    Start start = {.run_c11 = run, .argument = argument};
    if (!plan.active)
        return REAL(thrd_create)(handle, run, argument);
    start.thread = thread_claim();
    start.number = start.thread ? start.thread->number : 0;
    trace_here(EVENT_CREATE, CALLER.pc, (void *)(Word)start.number, 0);
    int result = REAL(thrd_create)(handle, run_c11, &start);
    start_wait(&start, result != thrd_success, result == thrd_success ? (Word)*handle : 0);
    return result;
}

// Signals that another process may send when it likes; those that end or report the program's own faults are left out.
static void handler_note(int number, void (*handler)(int)) {
    static const int not [] = {SIGSEGV, SIGBUS, SIGFPE,  SIGILL,  SIGABRT, SIGPIPE,
                               SIGTERM, SIGINT, SIGQUIT, SIGTRAP, SIGSYS};
    if (handler == SIG_DFL || handler == SIG_IGN || number <= 0 || number >= 64)
        return;
    handlers = 1;
    for (unsigned i = 0; i < sizeof not / sizeof *not ; i++)
        if (not [i] == number)
            return;
    handled |= 1ull << number;
}
__sighandler_t signal(int number, __sighandler_t handler) {
    handler_note(number, handler);
    return REAL(signal)(number, handler);
}
int sigaction(int number, const struct sigaction *action, struct sigaction *before) {
    if (action)
        handler_note(number, action->sa_handler);
    return REAL(sigaction)(number, action, before);
}
