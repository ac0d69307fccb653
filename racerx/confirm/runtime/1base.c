// runtime.c: steers a program that was compiled with `racerx cc`, so that what was found in its text happens.
//
// No part of racerx itself: its text is built in, and `racerx cc` makes a shared object of it. The compiler is asked
// for thread sanitizer's calls (__tsan_read4 and the like) and this file is what they reach, with the functions of the
// C library that lock, start, wait, copy and free. Without a plan in the environment (RACERX_CONFIRM) all of it only
// passes on.
//
// In: the plan, a text: which ranges of code belong to which side of which finding, whom to stall, how long, a seed.
// Out: in the plan's directory, records of what was seen (log.PID), and how often each side ran (a mapped file, which
// outlives any end of the process). Of a plan that says `trace`: what each thread did (trace.PID.…).
//
// A race is witnessed when a thread stands right before an access and another does one that conflicts with it: nothing
// orders the two, whatever locks there are. A deadlock is, when threads that stand before (or in) a wait form a cycle
// with what they hold; or when no thread can run. Neither needs belief, so what is reported happened.
//
// Everything here may run in a signal handler, before the constructors, and after fork(). So: no allocation, no lock
// that a handler could find taken (`inside` says that this thread is in here), and memory of the program is only read
// by the kernel, which says so when it is gone.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <linux/futex.h>
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <threads.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum {
    FRAMES = 24,    // of a stack that is kept
    HELD_MOST = 24, // locks of one thread that are known
    THREADS_MOST = 2048,
    WATCHES_MOST = 64,
    TARGETS_MOST = 4096,
    RANGES_MOST = 1 << 18,
    MODULES_MOST = 256,
    CYCLE_MOST = 16,
    STALLS_MOST = 60,  // of one target in one process
    STALLS_FIRST = 6,  // of its hits that are stalled before chance decides
    ELSEWHERE_MOST = 4 // records of conflicts with other lines, of one finding
};
enum { READ = 0, WRITE = 1, ATOMIC = 2, FREE = 4 }; // an access
// What a target waits for: `role` of the plan. Of a fact that goes stale: where it is established, where its lock is
// let go (or taken too late), where it is relied on, and who writes in between.
enum { ANY = 0, READS = 1, WRITES = 2, LOCKS = 3, CHECKS = 4, GAPS = 5, USES = 6, MEETS = 7 };

typedef uintptr_t Word;
typedef struct {
    Word pc;     // behind the call into here
    Word *frame; // of the function that was called
} Caller;
#define CALLER ((Caller){(Word)__builtin_return_address(0), __builtin_frame_address(0)})

typedef struct {
    Word lock, pc; // which, and who took it
    char kind;     // m mutex, r w rwlock, p spin lock, s semaphore
} Held;

enum { UNUSED, CLAIMED, ARMED, TAKEN, DONE };
typedef struct {
    int state;                    // the above
    struct Thread *owner, *other; // who stands before its access; who came by
    int target, flags;            // the owner's
    int other_target, other_flags;
    Word address, size, other_address, other_size;
    Word stack[FRAMES], other_stack[FRAMES];
    int depth, other_depth;
    uint64_t before; // the value, when the other came
    int known;       // the value could be read
    Held held[HELD_MOST], other_held[HELD_MOST];
    int held_count, other_held_count;
} Watch;
typedef struct TraceHead TraceHead;
typedef struct TraceMemory TraceMemory;
typedef struct Thread {
    int live;             // 0: this slot is free
    int number;           // 1 is the first; in the order of creation
    int inside;           // runs code of this file: what it accesses then is ours
    int stalled, blocked; // in a stall; in a wait without end
    int passed;           // it was at a target of a deadlock
    int locked;           // times it took a lock
    long noise;           // microseconds that it may still be delayed
    long budget;          // microseconds it may still be stalled
    uint64_t random;      // its own sequence, from the seed and its number
    Word start;           // the function it runs; 0: not known
    pthread_t handle;     // for those who join it
    Word low, high;       // its stack
    Held held[HELD_MOST]; // the oldest first
    int held_count;       //
    Word wants;           // a lock, a condition; 0: nothing
    char wants_kind;      // as in Held; c condition, b barrier, j join
    struct Thread *joins; // whose end it waits for
    Word stack[FRAMES];   // where it waits
    int depth;            // of it
    int fact;             // finding whose fact it has established last, plus one; 0: none
    int stale;            // likewise: it was written since, and by whom is in the next
    Watch written;        //
    Word fact_address, fact_size;
    TraceHead *trace;    // of a traced run: what it did; NULL: none
    TraceMemory *memory; // likewise: what need not be written again
    uint32_t epoch;      // likewise: its stretch
    int dark, hole;      // of the stretch: nothing is kept of it; something was left out
} Thread;

typedef struct {
    int finding, side, role;
    long stall;       // microseconds; 0: the plan's
    int stalls, seen; // in this process
} Target;
typedef struct {
    uint64_t hits, fitting, threads; // times it ran; likewise with the role's access; bits: number of thread modulo 64
} Hits;
typedef struct {
    Word start, end;
    int target;
} Range;

static struct {
    int active, modes, locks; // a plan is there; bits of sides that stall; some finding is a deadlock
    int gaps;                 // some finding is a fact that goes stale
    long stall, budget;       // microseconds
    long noise;               // likewise: of a delay; 0: none
    long trace;               // events of a thread, in a traced run; 0: it is none
    int spurious;             // conditions wake without cause, as they may; signals come, as they may
    uint64_t seed;            //
    char text[1 << 20];       // the plan itself
    char directory[PATH_MAX]; // of the logs
    Target targets[TARGETS_MOST];
    int target_count;
    Hits *hits; // of each target
} plan;
static unsigned char done[TARGETS_MOST], elsewhere[TARGETS_MOST]; // by finding
static Thread threads[THREADS_MOST];
static uint64_t handled; // signals with a handler that anybody may send, in bits
static int live, blocked, stalled, numbers, handlers, progress;
static Watch watches[WATCHES_MOST];
static int watch_count;
static int graph_lock; // of everybody's held, wants, joins
static Range *ranges;  // sorted by start
static int range_count;
static uint64_t granules[1024]; // a bit for each 16 bytes that a range has a part of, folded
static __thread Thread *self __attribute__((tls_model("initial-exec")));
static pthread_key_t at_end;

// small things ------------------------------------------------------------------------

static void *next_symbol(const char *name) {
    int condition = 1; // strncmp() would ask for itself here
    for (int i = 0; condition && i < 12; i++)
        condition = name[i] == "pthread_cond"[i];
    void *found = condition ? dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2") : NULL;
    found = found ? found : dlsym(RTLD_NEXT, name);
    if (!found)
        abort();
    return found;
}
// The function of this name that comes after ours.
#define REAL(name)                                                                                                     \
    ({                                                                                                                 \
        static void *found;                                                                                            \
        if (!__atomic_load_n(&found, __ATOMIC_RELAXED))                                                                \
            __atomic_store_n(&found, next_symbol(#name), __ATOMIC_RELAXED);                                            \
        (__typeof__(&name))__atomic_load_n(&found, __ATOMIC_RELAXED);                                                  \
    })

static long now(void) { // microseconds
    struct timespec time;
    REAL(clock_gettime)(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000L + time.tv_nsec / 1000;
}

static void futex_wait(int *word, int value, long microseconds) {
    struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &time, NULL, 0);
}
static void futex_wake(int *word) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0); }

static void graph_take(void) {
    while (__atomic_exchange_n(&graph_lock, 1, __ATOMIC_ACQUIRE))
        sched_yield();
}
static void graph_drop(void) { __atomic_store_n(&graph_lock, 0, __ATOMIC_RELEASE); }

static void add(int *counter, int number) { __atomic_fetch_add(counter, number, __ATOMIC_SEQ_CST); }
static int load(int *counter) { return __atomic_load_n(counter, __ATOMIC_SEQ_CST); }

static uint64_t random_of(Thread *thread) {
    thread->random ^= thread->random << 13;
    thread->random ^= thread->random >> 7;
    return thread->random ^= thread->random << 17;
}

// What is at an address, whether it is still there or not.
static int peek(Word address, Word size, uint64_t *out) {
    struct iovec to = {out, size}, from = {(void *)address, size};
    *out = 0;
    return size <= 8 && process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)size;
}

// records -----------------------------------------------------------------------------

typedef struct {
    char text[24000];
    int size;
} Record;

static void put_text(Record *out, const char *text) {
    while (*text && out->size < (int)sizeof out->text - 1)
        out->text[out->size++] = *text++;
}
static void put_number(Record *out, uint64_t value, unsigned base) {
    char digits[24];
    int at = sizeof digits;
    digits[--at] = 0;
    do
        digits[--at] = "0123456789abcdef"[value % base];
    while ((value /= base) && at);
    put_text(out, digits + at);
}
static void put_word(Record *out, const char *before, uint64_t value) {
    put_text(out, before);
    put_number(out, value, 16);
}
static void put_count(Record *out, const char *before, uint64_t value) {
    put_text(out, before);
    put_number(out, value, 10);
}

// Opened for each: a program may close what it did not open. Whole records only.
static void record_write(Record *out) {
    char path[PATH_MAX];
    Record name = {.size = 0};
    put_text(&name, plan.directory);
    put_count(&name, "/log.", (uint64_t)getpid());
    name.text[name.size < PATH_MAX ? name.size : PATH_MAX - 1] = 0;
    memmove(path, name.text, (size_t)name.size + 1 < sizeof path ? (size_t)name.size + 1 : sizeof path);
    int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0)
        return;
    if (syscall(SYS_write, file, out->text, (size_t)out->size) < 0)
        errno = 0;
    close(file);
}

static void put_thread_name(Record *out, const Thread *thread) {
    char name[64] = "";
    if (thread == self)
        prctl(PR_GET_NAME, name);
    else if (thread->live && thread->handle)
        pthread_getname_np(thread->handle, name, sizeof name);
    for (char *c = name; *c; c++)
        *c = *c <= ' ' || *c > '~' ? '_' : *c;
    put_text(out, *name ? name : "-");
}
static void put_stack(Record *out, const Word *stack, int depth) {
    put_text(out, "stack");
    for (int i = 0; i < depth; i++)
        put_word(out, " ", stack[i]);
    put_text(out, "\n");
}
static void put_held(Record *out, const Held *held, int count) {
    for (int i = 0; i < count; i++) {
        char kind[] = {' ', held[i].kind, '\n', 0};
        put_word(out, "held ", held[i].lock);
        put_word(out, " ", held[i].pc);
        put_text(out, kind);
    }
}
static void put_thread(Record *out, const Thread *thread, const char *word, int target) {
    put_text(out, word);
    put_count(out, " ", (uint64_t)thread->number);
    put_text(out, target < 0 ? " -" : " ");
    if (target >= 0)
        put_number(out, (uint64_t)target, 10);
    put_word(out, " ", thread->start);
    put_text(out, " ");
    put_thread_name(out, thread);
}

// modules and their ranges --------------------------------------------------------------

static int range_order(const void *a, const void *b) {
    const Range *x = a, *y = b;
    return x->start != y->start ? (x->start < y->start ? -1 : 1) : x->target - y->target;
}

static int number_at(const char **at, unsigned base, uint64_t *out) {
    const char *from = *at;
    *out = 0;
    for (;; ++*at) {
        unsigned digit = **at >= 'a' ? (unsigned)(**at - 'a') + 10 : (unsigned)(**at - '0');
        if (**at < '0' || digit >= base || (**at > '9' && **at < 'a'))
            break;
        *out = *out * base + digit;
    }
    while (**at == ' ')
        ++*at;
    return *at != from;
}

// The plan's ranges of one module, at the place it has in this process. The plan names it by its real path.
static void module_ranges(const char *path, Word base, Range *into, int *count) {
    size_t length = strlen(path);
    const char *line = plan.text;
    int mine = 0;
    for (; line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
        uint64_t target, start, end;
        if (line[0] == 'm' && line[1] == ' ')
            mine = !strncmp(line + 2, path, length) && line[2 + length] == '\n';
        const char *at = line + 2;
        if (!mine || line[0] != 'r' || line[1] != ' ' || !number_at(&at, 10, &target) || !number_at(&at, 16, &start) ||
            !number_at(&at, 16, &end) || *count == RANGES_MOST || target >= (uint64_t)plan.target_count)
            continue;
        into[(*count)++] = (Range){base + start, base + end, (int)target};
    }
}

typedef struct {
    Range *ranges;
    int count;
    Record *record;
} Modules;

static int module_add(struct dl_phdr_info *info, size_t size, void *to) {
    Modules *modules = to;
    char path[PATH_MAX];
    Word low = ~(Word)0, high = 0;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD) {
            Word start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, end = start + info->dlpi_phdr[i].p_memsz;
            low = start < low ? start : low;
            high = end > high ? end : high;
        }
    if (!realpath(info->dlpi_name && *info->dlpi_name ? info->dlpi_name : "/proc/self/exe", path))
        return 0;
    module_ranges(path, info->dlpi_addr, modules->ranges, &modules->count);
    put_word(modules->record, "module ", low);
    put_word(modules->record, " ", high);
    put_word(modules->record, " ", info->dlpi_addr);
    put_text(modules->record, " ");
    put_text(modules->record, path);
    put_text(modules->record, "\n");
    return 0;
}

// Again with every module that comes. Who looks meanwhile sees the old table, which stays.
static void modules_read(void) {
    static Record record;
    Modules modules = {
        mmap(NULL, sizeof(Range) * RANGES_MOST, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 0,
        &record};
    if (modules.ranges == MAP_FAILED)
        return;
    record.size = 0;
    dl_iterate_phdr(module_add, &modules);
    qsort(modules.ranges, (size_t)modules.count, sizeof(Range), range_order);
    for (int i = 0; i < modules.count; i++)
        for (Word at = modules.ranges[i].start >> 4; at <= modules.ranges[i].end >> 4; at++)
            granules[at >> 6 & 1023] |= 1ull << (at & 63);
    __atomic_store_n(&range_count, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&ranges, modules.ranges, __ATOMIC_SEQ_CST);
    __atomic_store_n(&range_count, modules.count, __ATOMIC_SEQ_CST);
    record_write(&record);
}

// The first range that the call before `pc` is in; -1: none. Others with the same start follow.
static int range_of(Word pc) {
    pc--;
    if (!(granules[pc >> 10 & 1023] >> (pc >> 4 & 63) & 1))
        return -1;
    int low = 0, high = range_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (ranges[middle].start <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low || ranges[low - 1].end <= pc)
        return -1;
    Word start = ranges[--low].start;
    while (low && ranges[low - 1].start == start)
        low--;
    return low;
}
// Goes over all targets of a place.
#define EACH_TARGET(i, range)                                                                                          \
    for (int i = range; i >= 0 && i < range_count && ranges[i].start == ranges[range].start; i++)

// threads -------------------------------------------------------------------------------

static void trace_open(Thread *thread);
static void trace_close(Thread *thread);

static Thread *thread_claim(void) {
    for (int i = 0; i < THREADS_MOST; i++) {
        int none = 0;
        if (!threads[i].live &&
            __atomic_compare_exchange_n(&threads[i].live, &none, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
            Thread *thread = &threads[i];
            memset((char *)thread + sizeof thread->live, 0, sizeof *thread - sizeof thread->live);
            thread->number = __atomic_add_fetch(&numbers, 1, __ATOMIC_SEQ_CST);
            thread->random = (plan.seed + 1) * 0x9e3779b97f4a7c15ull ^ (uint64_t)thread->number * 0xd1b54a32d192ed03ull;
            thread->budget = plan.budget;
            thread->noise = plan.noise * 20;
            add(&live, 1);
            return thread;
        }
    }
    return NULL;
}

static void thread_bounds(Thread *thread) {
    pthread_attr_t attributes;
    void *low;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes))
        return;
    pthread_attr_getstack(&attributes, &low, &size);
    thread->low = (Word)low;
    thread->high = (Word)low + size;
    pthread_attr_destroy(&attributes);
}

static void thread_adopt(Thread *thread) {
    self = thread;
    thread->inside++;
    thread->handle = pthread_self();
    pthread_setspecific(at_end, (void *)1);
    thread_bounds(thread);
    if (plan.trace)
        trace_open(thread);
    thread->inside--;
}

static Thread *current(void) {
    if (!self && plan.active) {
        static __thread int busy __attribute__((tls_model("initial-exec")));
        Thread *thread = busy++ ? NULL : thread_claim();
        if (thread)
            thread_adopt(thread);
        busy--;
    }
    return self;
}

// Destructors of the program may follow ours: we are the last of them, as far as that goes.
static void thread_end(void *round) {
    if ((Word)round < PTHREAD_DESTRUCTOR_ITERATIONS - 1) {
        pthread_setspecific(at_end, (char *)round + 1);
        return;
    }
    Thread *thread = self;
    self = NULL;
    if (!thread)
        return;
    trace_close(thread);
    add(&live, -1);
    graph_take();
    thread->held_count = 0;
    graph_drop();
    __atomic_store_n(&thread->live, 0, __ATOMIC_SEQ_CST);
}

// By the chain of frames, which `racerx cc` keeps; nothing outside the stack is touched.
static int stack_of(const Thread *thread, Caller caller, Word *out) {
    int depth = 0;
    out[depth++] = caller.pc;
#if defined __x86_64__ || defined __aarch64__
    Word *frame = caller.frame;
    for (int step = 0; depth < FRAMES; step++) {
        Word *next = (Word)frame >= thread->low && (Word)(frame + 2) <= thread->high ? (Word *)frame[0] : NULL;
        if (next <= frame || (Word)next & 7 || (Word)(next + 2) > thread->high || !next[1])
            break;
        out[depth++] = next[1];
        frame = next;
    }
#else
    (void)thread;
#endif
    return depth;
}
