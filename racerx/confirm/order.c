// order.c: who comes before whom in a run. In: the events of a process. Out: its accesses, each with the clock of its
// thread and what the thread had seen of the others' by then (vector clocks).
//
// A thread that was created under a lock comes, once it takes that lock, after its creator's section; one that is also
// joined under it has the lock itself. Steps are replayed by their stamps. A stretch with holes (something was left out
// of the trace) is taken as ordered by the locks it holds, in full: what is not known never makes a prediction.
// Stretches that were unlocked with a hole order whoever takes the lock next.
#include "racerx/confirm/predict.h"

enum {
    HELD_MOST = 64,
    READERS = 4,         // of a word, that are remembered
    GRANULES_MOST = 8,   // of an access that hands over: words
    LINES_MOST = 64,     // of a block that is freed: lines of 64 bytes, half of them from each end
    PAGES_MOST = 4096,   // of a larger one
    ALWAYS = UINT32_MAX, // a stamp that never comes
};

typedef struct {
    u32 next;            // event
    u32 clock;           // its own
    u32 before;          // snapshot of `seen`
    bool seen_changed;   // since then
    u32 *seen;           // clocks of the others
    u64 held[HELD_MOST]; // lock's address, times two, plus one if it is shared
    u32 held_count;
    u32 lockset;         // number of the above
    bool hole;           // of the stretch
    u64 born[HELD_MOST]; // locks that its creator held when it began: who takes one comes after the creator let it go
    u32 born_count;
    bool section_hole; // of any since it held nothing
} Runner;

typedef struct {
    u32 thread, clock, before, lockset; // who used a word under locks; clock 0: nobody
} User;
typedef struct {
    User writer, readers[READERS]; // the last; those since
    u32 next;                      // reader to be replaced
} Users;

struct Order {
    u32 threads;
    Array(u32) snapshots; // `threads` clocks each
    Map objects;          // address -> clocks of what was given there
    Map released;         // lock -> clocks of all that let it go
    Map unsure;           // likewise, of those that had a hole
    Map freed;            // line -> clocks
    Map freed_pages;      // likewise of large blocks
    Array(u32) clocks;    // of these, `threads` each
    Map users;            // word -> who used it last under a lock
    Array(Users) user;
    Map set_map;
    Array(u64) set_locks; // of locksets
    Array(u32) set_starts;
    Array(TraceBlock) blocks; // that were allocated so far
    Map block_at[3];          // the last that has a part of these bytes, by size of the block
    Runner *runners;
};

// clocks --------------------------------------------------------------------------

static u32 *clocks_of(Order *self, Map *map, u64 key) {
    bool fresh;
    u32 *at = map_put(map, key, &fresh);
    if (fresh) {
        *at = self->clocks.count;
        for (u32 i = 0; i < self->threads; i++)
            array_push(&self->clocks, 0);
    }
    return self->clocks.items + *at;
}
static const u32 *clocks_at(const Order *self, const Map *map, u64 key) {
    const u32 *at = map_get(map, key);
    return at ? self->clocks.items + *at : NULL;
}

static void give(Order *self, Map *map, u64 key, u32 thread) {
    const Runner *runner = &self->runners[thread];
    u32 *to = clocks_of(self, map, key);
    for (u32 i = 0; i < self->threads; i++)
        if (runner->seen[i] > to[i])
            to[i] = runner->seen[i];
    to[thread] = runner->clock;
}

static void take(Order *self, u32 thread, const u32 *from) {
    Runner *runner = &self->runners[thread];
    for (u32 i = 0; from && i < self->threads; i++)
        if (i != thread && from[i] > runner->seen[i]) {
            runner->seen[i] = from[i];
            runner->seen_changed = true;
        }
}

static void snapshot(Order *self, u32 thread) {
    Runner *runner = &self->runners[thread];
    if (!runner->seen_changed)
        return;
    runner->seen_changed = false;
    runner->before = self->snapshots.count / self->threads;
    for (u32 i = 0; i < self->threads; i++)
        array_push(&self->snapshots, runner->seen[i]);
}

bool order_before(const Order *self, const TracedTouch *a, const TracedTouch *b) {
    return a->thread == b->thread || self->snapshots.items[(size_t)b->before * self->threads + a->thread] >= a->clock;
}

// locks ---------------------------------------------------------------------------

static int address_order(const void *a, const void *b) {
    u64 x = *(const u64 *)a, y = *(const u64 *)b;
    return x < y ? -1 : x > y;
}

static void intern_held(Order *self, Runner *runner) {
    u64 locks[HELD_MOST];
    bool fresh;
    u32 count = runner->held_count;
    memcpy(locks, runner->held, sizeof *locks * count);
    qsort(locks, count, sizeof *locks, address_order);
    u32 *at = map_put(&self->set_map, hash_bytes(locks, sizeof *locks * count, count), &fresh);
    if (fresh) {
        *at = self->set_starts.count;
        array_push(&self->set_starts, self->set_locks.count);
        for (u32 i = 0; i < count; i++)
            array_push(&self->set_locks, locks[i]);
    }
    runner->lockset = *at;
}

bool order_disjoint(const Order *self, u32 a, u32 b) {
    u32 x = self->set_starts.items[a], y = self->set_starts.items[b];
    u32 x_end = a + 1 < self->set_starts.count ? self->set_starts.items[a + 1] : self->set_locks.count;
    u32 y_end = b + 1 < self->set_starts.count ? self->set_starts.items[b + 1] : self->set_locks.count;
    while (x < x_end && y < y_end) {
        u64 p = self->set_locks.items[x], q = self->set_locks.items[y];
        if (p >> 1 == q >> 1 && !(p & q & 1))
            return false;
        x += p >> 1 <= q >> 1;
        y += q >> 1 <= p >> 1;
    }
    return true;
}

static void lock(Order *self, u32 thread, const TraceEvent *event) {
    Runner *runner = &self->runners[thread];
    if (!runner->held_count)
        runner->section_hole = false;
    if (runner->held_count < HELD_MOST)
        runner->held[runner->held_count++] = event->address << 1 | (event->size == 'r');
    take(self, thread, clocks_at(self, &self->unsure, event->address));
    for (u32 i = 0; i < runner->born_count; i++)
        if (runner->born[i] >> 1 == event->address)
            take(self, thread, clocks_at(self, &self->released, event->address));
    intern_held(self, runner);
}

static void unlock(Order *self, u32 thread, const TraceEvent *event) {
    Runner *runner = &self->runners[thread];
    for (u32 i = runner->held_count; i-- > 0;)
        if (runner->held[i] >> 1 == event->address) {
            memmove(&runner->held[i], &runner->held[i + 1], sizeof *runner->held * (--runner->held_count - i));
            break;
        }
    give(self, &self->released, event->address, thread);
    if (runner->section_hole)
        give(self, &self->unsure, event->address, thread);
    runner->clock++;
    intern_held(self, runner);
}

// Something of this stretch is not known: whatever its locks may have handed over, they did.
static void hole(Order *self, u32 thread) {
    Runner *runner = &self->runners[thread];
    runner->hole = runner->section_hole = true;
    for (u32 i = 0; i < runner->held_count; i++)
        take(self, thread, clocks_at(self, &self->released, runner->held[i] >> 1));
}

// accesses ------------------------------------------------------------------------

static void take_user(Order *self, u32 thread, const User *user) {
    Runner *runner = &self->runners[thread];
    if (!user->clock || user->thread == thread || order_disjoint(self, user->lockset, runner->lockset))
        return;
    take(self, thread, self->snapshots.items + (size_t)user->before * self->threads);
    if (runner->seen[user->thread] < user->clock) {
        runner->seen[user->thread] = user->clock;
        runner->seen_changed = true;
    }
}

// What was written under a lock and is read under it was handed over; what was read and is written was taken off.
// Before an access others' are taken, after it it is the last.
static void hand_over(Order *self, u32 thread, const TraceEvent *event, bool writes, bool after) {
    Runner *runner = &self->runners[thread];
    u64 first = event->address >> 3, last = (event->address + event->size - 1) >> 3;
    for (u64 word = first; word <= last && word < first + GRANULES_MOST; word++) {
        bool fresh = false;
        u32 *at = after ? map_put(&self->users, word, &fresh) : map_get(&self->users, word);
        if (fresh) {
            *at = self->user.count;
            array_push(&self->user, ((Users){0}));
        }
        Users *users = at ? &self->user.items[*at] : NULL;
        if (!users)
            continue;
        User own = {thread, runner->clock, runner->before, runner->lockset};
        if (after && writes)
            *users = (Users){.writer = own};
        else if (after)
            users->readers[users->next++ % READERS] = own;
        else
            take_user(self, thread, &users->writer);
        for (u32 i = 0; !after && writes && i < READERS; i++)
            take_user(self, thread, &users->readers[i]);
    }
}

static void access(Order *self, u32 thread, const TraceEvent *event, u8 flags, const OrderNamer *namer,
                   TouchArray *out) {
    Runner *runner = &self->runners[thread];
    bool hands = runner->held_count && !(flags & ~TOUCH_WRITES);
    if (hands)
        hand_over(self, thread, event, flags & TOUCH_WRITES, false);
    u32 name = namer->name(namer->context, self, thread, event, runner->held, runner->held_count);
    snapshot(self, thread);
    if (name != UINT32_MAX)
        array_push(out, ((TracedTouch){event->address, event->size ? event->size : 1, thread, runner->clock,
                                       runner->before, runner->lockset, name, flags}));
    if (hands)
        hand_over(self, thread, event, flags & TOUCH_WRITES, true);
}

// memory --------------------------------------------------------------------------

// Memory that is given out again is ordered after its release: small blocks by lines of 64 bytes, of larger ones also
// every page, since what is given out next may be anywhere in it.
static void each_line(Order *self, u32 thread, const TraceEvent *event, bool gives) {
    u64 first = event->address >> 6, count = ((event->address + event->size) >> 6) - first + 1;
    for (u64 i = 0; i < count && i < LINES_MOST; i++) {
        u64 line = first + (count > LINES_MOST && i >= LINES_MOST / 2 ? count - LINES_MOST + i : i);
        if (gives)
            give(self, &self->freed, line, thread);
        else
            take(self, thread, clocks_at(self, &self->freed, line));
    }
    u64 page = event->address >> 12, last = (event->address + event->size) >> 12;
    for (u64 at = page; at <= last && at < page + PAGES_MOST; at++) {
        if (gives && count > LINES_MOST)
            give(self, &self->freed_pages, at, thread);
        else if (!gives)
            take(self, thread, clocks_at(self, &self->freed_pages, at));
    }
}

// Which block an address is in: small ones by their 16 bytes, others by coarser steps.
static const struct {
    u32 most, shift; // bytes of a block; of a step
} scales[] = {{1024, 4}, {1 << 16, 10}, {UINT32_MAX, 12}};
enum { SCALES = sizeof scales / sizeof *scales, STEPS_MOST = 4096 };

static void add_block(Order *self, const TraceEvent *event) {
    u32 scale = 0;
    while (event->size > scales[scale].most)
        scale++;
    u64 first = event->address >> scales[scale].shift;
    u64 last = (event->address + (event->size ? event->size - 1 : 0)) >> scales[scale].shift;
    for (u64 at = first; at <= last && at < first + STEPS_MOST; at++) {
        bool fresh;
        *map_put(&self->block_at[scale], at, &fresh) = self->blocks.count;
    }
    array_push(&self->blocks, ((TraceBlock){event->address, event->size, event_pc(event), event->stamp}));
}

const TraceBlock *order_block(const Order *self, u64 address) {
    const TraceBlock *best = NULL;
    for (u32 i = 0; i < SCALES; i++) {
        const u32 *at = map_get(&self->block_at[i], address >> scales[i].shift);
        const TraceBlock *block = at ? &self->blocks.items[*at] : NULL;
        if (block && address >= block->base && address < block->base + block->size &&
            (!best || block->stamp > best->stamp))
            best = block;
    }
    return best;
}

// the replay ----------------------------------------------------------------------

static u32 thread_index(const TraceProcess *process, u64 number) {
    for (u32 i = 0; i < process->threads.count; i++)
        if (process->threads.items[i].number == number)
            return i;
    return UINT32_MAX;
}

static void drain(Order *self, const TraceProcess *process, u32 thread, u32 until, const OrderNamer *namer,
                  TouchArray *out);

static void create(Order *self, const TraceProcess *process, u32 thread, u64 number) {
    u32 child = thread_index(process, number);
    Runner *runner = &self->runners[thread];
    if (child != UINT32_MAX && child != thread) {
        take(self, child, runner->seen);
        self->runners[child].seen[thread] = runner->clock;
        self->runners[child].seen_changed = true;
        self->runners[child].born_count = runner->held_count;
        memcpy(self->runners[child].born, runner->held, sizeof runner->held);
    }
    runner->clock++;
}

static void join(Order *self, const TraceProcess *process, u32 thread, u64 number, const OrderNamer *namer,
                 TouchArray *out) {
    u32 child = thread_index(process, number);
    if (child == UINT32_MAX || child == thread)
        return;
    drain(self, process, child, ALWAYS, namer, out);
    take(self, thread, self->runners[child].seen);
    self->runners[thread].seen[child] = self->runners[child].clock;
    self->runners[thread].seen_changed = true;
}

static void step(Order *self, const TraceProcess *process, u32 thread, const TraceEvent *event, const OrderNamer *namer,
                 TouchArray *out) {
    Runner *runner = &self->runners[thread];
    switch (event_kind(event)) {
    case EVENT_READ: access(self, thread, event, 0, namer, out); break;
    case EVENT_WRITE: access(self, thread, event, TOUCH_WRITES, namer, out); break;
    case EVENT_ATOMIC_READ: access(self, thread, event, TOUCH_ATOMIC, namer, out); break;
    case EVENT_ATOMIC_WRITE: access(self, thread, event, TOUCH_ATOMIC | TOUCH_WRITES, namer, out); break;
    case EVENT_FREE:
        access(self, thread, event, TOUCH_WRITES | TOUCH_FREES, namer, out);
        each_line(self, thread, event, true);
        runner->clock++;
        break;
    case EVENT_ALLOCATE:
        add_block(self, event);
        each_line(self, thread, event, false);
        break;
    case EVENT_LOCK: lock(self, thread, event); break;
    case EVENT_UNLOCK: unlock(self, thread, event); break;
    case EVENT_GIVE:
        give(self, &self->objects, event->address, thread);
        runner->clock++;
        break;
    case EVENT_TAKE: take(self, thread, clocks_at(self, &self->objects, event->address)); break;
    case EVENT_CREATE: create(self, process, thread, event->address); break;
    case EVENT_JOIN: join(self, process, thread, event->address, namer, out); break;
    case EVENT_HOLE: hole(self, thread); break;
    case EVENT_CALL: break;
    }
}

// All that a thread did up to the step with this stamp, and that step.
static void drain(Order *self, const TraceProcess *process, u32 thread, u32 until, const OrderNamer *namer,
                  TouchArray *out) {
    const TraceThread *from = &process->threads.items[thread];
    for (Runner *runner = &self->runners[thread]; runner->next < from->count;) {
        const TraceEvent *event = &from->events[runner->next++];
        step(self, process, thread, event, namer, out);
        if (event->stamp && event->stamp >= until)
            return;
    }
}

// A lock that a creator holds from a thread's creation to its join is the thread's as well. Each lock of the creator's
// is known by where it was taken.
typedef struct {
    u64 lock;
    u32 taken, child; // event that took it; thread that was created meanwhile
} Guarded;
static void inherit(Order *self, const TraceProcess *process, u32 thread) {
    const TraceThread *from = &process->threads.items[thread];
    Array(Guarded) guarded = {0};
    u64 held[HELD_MOST];
    u32 taken[HELD_MOST], count = 0;
    for (u32 i = 0; i < from->count; i++) {
        const TraceEvent *event = &from->events[i];
        TracedKind kind = event_kind(event);
        u32 at = 0;
        while (kind == EVENT_UNLOCK && at < count && held[at] >> 1 != event->address)
            at++;
        if (kind == EVENT_LOCK && count < HELD_MOST)
            held[count] = event->address << 1 | (event->size == 'r'), taken[count++] = i;
        else if (kind == EVENT_UNLOCK && at < count)
            held[at] = held[--count], taken[at] = taken[count];
        for (u32 k = 0; kind == EVENT_CREATE && k < count; k++)
            array_push(&guarded, ((Guarded){held[k], taken[k], thread_index(process, event->address)}));
        u32 joined = kind == EVENT_JOIN ? thread_index(process, event->address) : UINT32_MAX;
        for (u32 k = 0; joined != UINT32_MAX && k < guarded.count; k++)
            for (u32 m = 0; guarded.items[k].child == joined && m < count; m++)
                if (taken[m] == guarded.items[k].taken && self->runners[joined].held_count < HELD_MOST)
                    self->runners[joined].held[self->runners[joined].held_count++] = held[m];
    }
    array_free(&guarded);
}

typedef struct {
    u32 stamp, thread;
} OrderStep;
static int step_order(const void *a, const void *b) {
    const OrderStep *x = a, *y = b;
    return x->stamp < y->stamp ? -1 : x->stamp > y->stamp;
}

// Of a thread that had no more room its last steps are not known, so nothing is from there on.
static u32 horizon(const TraceProcess *process) {
    u32 end = ALWAYS;
    for (u32 i = 0; i < process->threads.count; i++) {
        const TraceThread *thread = &process->threads.items[i];
        u32 last = 0;
        for (u32 k = thread->lost ? thread->count : 0; k-- > 0 && !last;)
            last = thread->events[k].stamp;
        end = thread->lost && last < end ? last : end;
    }
    return end;
}

Order *order_make(const TraceProcess *process, const OrderNamer *namer, TouchArray *out) {
    Order *self = must_zero(sizeof *self);
    Array(OrderStep) steps = {0};
    self->threads = process->threads.count;
    self->runners = must_zero(sizeof *self->runners * (self->threads + 1));
    for (u32 i = 0; i < self->threads; i++) {
        self->runners[i].seen = must_zero(sizeof(u32) * self->threads);
        self->runners[i].clock = 1;
        array_push(&self->snapshots, 0); // the first snapshot has seen nobody
        for (u32 k = 0; k < process->threads.items[i].count; k++)
            if (process->threads.items[i].events[k].stamp)
                array_push(&steps, ((OrderStep){process->threads.items[i].events[k].stamp, i}));
    }
    for (u32 i = 0; i < self->threads; i++)
        inherit(self, process, i);
    for (u32 i = 0; i < self->threads; i++)
        intern_held(self, &self->runners[i]);
    if (steps.count)
        qsort(steps.items, steps.count, sizeof *steps.items, step_order);
    u32 end = horizon(process);
    for (u32 i = 0; i < steps.count && steps.items[i].stamp <= end; i++)
        drain(self, process, steps.items[i].thread, steps.items[i].stamp, namer, out);
    for (u32 i = 0; end == ALWAYS && i < self->threads; i++)
        drain(self, process, i, ALWAYS, namer, out);
    array_free(&steps);
    return self;
}

void order_free(Order *self) {
    for (u32 i = 0; i < self->threads; i++)
        free(self->runners[i].seen);
    free(self->runners);
    array_free(&self->snapshots);
    array_free(&self->clocks);
    array_free(&self->user);
    array_free(&self->set_locks);
    array_free(&self->set_starts);
    array_free(&self->blocks);
    map_free(&self->objects);
    map_free(&self->released);
    map_free(&self->unsure);
    map_free(&self->freed);
    map_free(&self->freed_pages);
    map_free(&self->users);
    for (u32 i = 0; i < SCALES; i++)
        map_free(&self->block_at[i]);
    map_free(&self->set_map);
    free(self);
}
