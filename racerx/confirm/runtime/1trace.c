// traces ----------------------------------------------------------------------------------
//
// With `trace` in its plan the runtime stalls nobody but writes down what each thread does, in a file of the thread's
// own that is mapped: no lock, no system call on the way, and what was written outlives any end of the process. What a
// thread did already since it last locked, let go, waited or woke is not written again. `stamp` counts such steps over
// all threads: taken after a lock and before its release, so that what saw a release has the greater one.
//
// A thread's file is bounded. From half of it on accesses are kept of one stretch in eight, at the end of none; code
// that sweeps over an array has its first places kept. A stretch with something left out says so (EVENT_HOLE).

enum {
    EVENT_READ = 1, // as in racerx/confirm/predict.h
    EVENT_WRITE,
    EVENT_ATOMIC_READ,
    EVENT_ATOMIC_WRITE,
    EVENT_FREE,
    EVENT_ALLOCATE, // address, size
    EVENT_LOCK,     // address; the kind is its size
    EVENT_UNLOCK,
    EVENT_GIVE,   // address of what is signalled, posted, stored
    EVENT_TAKE,   // likewise: waited for, loaded
    EVENT_CREATE, // address: number of the thread
    EVENT_JOIN,   // likewise
    EVENT_HOLE,
    EVENT_CALL,  // address: code of the function that was called, at its beginning
    SEEN = 8192, // remembered accesses of a thread
    SWEEPS = 1024,
    SWEEP_MOST = 32, // places of one instruction in one stretch
    CALLS = 2048,
    LOADS = 64,
    BOOT = 1 << 16
};
#define TRACE_MAGIC 0x3154786572636172ull

typedef struct {
    uint64_t pc; // behind the call into here; the kind is in the highest byte
    uint64_t address;
    uint32_t size, stamp;
} Event;
struct TraceHead {
    uint64_t magic, start;        // of the thread: its function
    uint32_t thread, count, lost; // its number; events; those that had no room
    uint32_t room;                //
    uint64_t low, high;           // its stack
    Event events[];
};
struct TraceMemory {
    uint64_t seen[SEEN], sweeps[SWEEPS], calls[CALLS], loads[LOADS];
};
static uint32_t stamps;
static long begun; // microseconds: keeps the files of programs apart that one process becomes
static struct {
    Word handle;
    int number;
} created[THREADS_MOST * 2];

static uint64_t mixed(uint64_t a, uint64_t b) {
    uint64_t x = (a ^ b >> 32 ^ b << 29) * 0x9e3779b97f4a7c15ull;
    return (x ^ x >> 31) * 0xd6e8feb86659fd93ull;
}

static void *trace_map(size_t size, int file) {
    void *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, file, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void trace_open(Thread *thread) {
    Record name = {.size = 0};
    size_t size = sizeof(TraceHead) + sizeof(Event) * (size_t)plan.trace;
    put_text(&name, plan.directory);
    put_count(&name, "/trace.", (uint64_t)getpid());
    put_count(&name, ".", (uint64_t)begun);
    put_count(&name, ".", (uint64_t)thread->number);
    name.text[name.size] = 0;
    int file = open(name.text, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    TraceHead *head = file < 0 || ftruncate(file, (off_t)size) ? NULL : trace_map(size, file);
    if (file >= 0)
        close(file);
    thread->memory = head ? trace_map(sizeof(TraceMemory), -1) : NULL;
    if (!thread->memory) {
        if (head)
            munmap(head, size);
        return;
    }
    head->start = thread->start;
    head->thread = (uint32_t)thread->number;
    head->room = (uint32_t)plan.trace;
    head->low = thread->low;
    head->high = thread->high;
    head->magic = TRACE_MAGIC;
    thread->epoch = 1;
    thread->trace = head;
}

static void trace_close(Thread *thread) {
    TraceHead *head = thread->trace;
    if (!head)
        return;
    thread->trace = NULL;
    munmap(head, sizeof(TraceHead) + sizeof(Event) * (size_t)plan.trace);
    munmap(thread->memory, sizeof(TraceMemory));
}

static void trace_put(Thread *thread, int kind, Word pc, Word address, Word size, uint32_t stamp) {
    TraceHead *head = thread->trace;
    if (head->count >= head->room) {
        head->lost++;
        return;
    }
    head->events[head->count] = (Event){(uint64_t)kind << 56 | (pc & 0x00ffffffffffffffull), address,
                                        size > UINT32_MAX ? UINT32_MAX : (uint32_t)size, stamp};
    __atomic_store_n(&head->count, head->count + 1, __ATOMIC_RELEASE);
}

// A new stretch: is it kept?
static void trace_stretch(Thread *thread) {
    uint32_t count = thread->trace->count, room = thread->trace->room;
    thread->epoch++;
    thread->hole = 0;
    thread->dark = count > room / 8 * 7 || (count > room / 2 && random_of(thread) % 8);
}

static void trace_hole(Thread *thread) {
    if (!thread->hole++)
        trace_put(thread, EVENT_HOLE, 0, 0, 0, 0);
}

static uint32_t stamp_next(void) { return __atomic_add_fetch(&stamps, 1, __ATOMIC_SEQ_CST); }

// Something that orders threads; the next stretch begins.
static void trace_step(Thread *thread, int kind, Word pc, Word address, Word size) {
    if (!thread || !thread->trace)
        return;
    trace_put(thread, kind, pc, address, size, stamp_next());
    if (kind != EVENT_ALLOCATE && kind != EVENT_FREE)
        trace_stretch(thread);
}

// One instruction that has touched many places in this stretch is left to itself.
static int sweeps(Thread *thread, Word pc) {
    uint64_t *slot = &thread->memory->sweeps[mixed(pc, 0) >> 40 & (SWEEPS - 1)];
    uint64_t mark = mixed(pc, thread->epoch) & ~0xffffull;
    if ((*slot & ~0xffffull) != mark)
        *slot = mark;
    return (int)(++*slot & 0xffff) > SWEEP_MOST && --*slot;
}

static void trace_access(Thread *thread, Word pc, Word address, Word size, int flags) {
    uint64_t key = mixed(pc ^ (uint64_t)flags << 58, address ^ size << 48);
    uint64_t mark = key ^ (uint64_t)thread->epoch * 0xff51afd7ed558ccdull;
    uint64_t *slot = &thread->memory->seen[key >> 20 & (SEEN - 1)];
    if (*slot == mark)
        return;
    *slot = mark;
    if (thread->dark || sweeps(thread, pc)) {
        trace_hole(thread);
        return;
    }
    int kind = flags & ATOMIC  ? flags & WRITE ? EVENT_ATOMIC_WRITE : EVENT_ATOMIC_READ
               : flags & WRITE ? EVENT_WRITE
                               : EVENT_READ;
    trace_put(thread, kind, pc, address, size, 0);
}

// Who called which function, once each.
static void trace_call(Thread *thread, Word from, Word callee) {
    uint64_t key = mixed(from, callee) | 1, *slot = &thread->memory->calls[key >> 20 & (CALLS - 1)];
    if (*slot == key)
        return;
    *slot = key;
    trace_put(thread, EVENT_CALL, from, callee, 0, 0);
}

static Thread *tracing(void) {
    Thread *thread = plan.trace ? current() : NULL;
    return thread && !thread->inside && thread->trace ? thread : NULL;
}
static void trace_here(int kind, Word pc, const volatile void *address, Word size) {
    Thread *thread = tracing();
    if (thread)
        trace_step(thread, kind, pc, (Word)address, size);
}

// What an atomic orders: before it is done what it gives, after it what it takes. Who only spins is written down once:
// a load of what was there the last time, or an operation right after the same one, tells nothing new.
static int just_did(const Thread *thread, Word pc, Word address) {
    const Event *last = thread->trace->count ? &thread->trace->events[thread->trace->count - 1] : NULL;
    return last && last->address == address && (last->pc & 0x00ffffffffffffffull) == pc &&
           (last->pc >> 56 == EVENT_TAKE || last->pc >> 56 == EVENT_GIVE);
}
static void atomic_gives(Caller caller, const volatile void *address) {
    Thread *thread = tracing();
    if (thread) // what it finds there next is another's, even if it is the same
        thread->memory->loads[mixed((Word)address, 1) >> 40 & (LOADS - 1)] = 0;
    if (thread && !just_did(thread, caller.pc, (Word)address))
        trace_step(thread, EVENT_GIVE, caller.pc, (Word)address, 0);
}
static void atomic_takes(Caller caller, const volatile void *address, uint64_t value, int changes) {
    Thread *thread = tracing();
    if (!thread)
        return;
    uint64_t key = mixed((Word)address, value) | 1;
    uint64_t *slot = &thread->memory->loads[mixed((Word)address, 1) >> 40 & (LOADS - 1)];
    if (*slot != key || (changes && !just_did(thread, caller.pc, (Word)address)))
        trace_step(thread, EVENT_TAKE, caller.pc, (Word)address, 0);
    *slot = key;
}
#define BEFORE_ATOMIC(gives)                                                                                           \
    if (plan.trace && (gives))                                                                                         \
    atomic_gives(CALLER, address)
#define AFTER_ATOMIC(value, takes, changes)                                                                            \
    if (plan.trace && (takes))                                                                                         \
    atomic_takes(CALLER, address, (uint64_t)(value), changes)

// Handles of threads, for those who join them: a number is the thread's for good, a handle is used again.
static void created_note(Word handle, int number) {
    for (unsigned i = 0, at = (unsigned)(mixed(handle, 0) >> 40); plan.trace && i < THREADS_MOST; i++, at++) {
        Word none = 0, *slot = &created[at % (THREADS_MOST * 2)].handle;
        if (__atomic_compare_exchange_n(slot, &none, handle, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) || none == handle) {
            __atomic_store_n(&created[at % (THREADS_MOST * 2)].number, number, __ATOMIC_SEQ_CST);
            return;
        }
    }
}
static int created_number(Word handle) {
    for (unsigned i = 0, at = (unsigned)(mixed(handle, 0) >> 40); plan.trace && i < THREADS_MOST; i++, at++) {
        Word found = __atomic_load_n(&created[at % (THREADS_MOST * 2)].handle, __ATOMIC_SEQ_CST);
        if (found == handle)
            return load(&created[at % (THREADS_MOST * 2)].number);
        if (!found)
            return 0;
    }
    return 0;
}
