// meet.c: which accesses of a run no order keeps apart. In: the accesses of a process, with their clocks. Out: pairs of
// access-locksets that two threads did on the same bytes with no lock in common, and whether one came before the other;
// places that two threads used at all, neither before the other.
#include "racerx/confirm/predict.h"

enum {
    INSTANCES_MOST = 8,  // of one access by one thread to one place, half of them the last
    THREADS_SAME = 3,    // that do the same on the same bytes
    COMPARED_MOST = 2048 // accesses with which one is compared
};

static int touch_order(const void *a, const void *b) {
    const TracedTouch *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    if (x->access != y->access)
        return x->access < y->access ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->lockset != y->lockset)
        return x->lockset < y->lockset ? -1 : 1;
    return x->clock != y->clock ? (x->clock < y->clock ? -1 : 1) : x->before < y->before ? -1 : x->before > y->before;
}

typedef struct {
    u32 first, count; // of the touches
    u64 end;          // of the bytes
} MeetGroup;
typedef Array(MeetGroup) GroupArray;

static bool same_group(const TracedTouch *a, const TracedTouch *b) {
    return a->address == b->address && a->access == b->access && a->thread == b->thread && a->lockset == b->lockset;
}

static void make_groups(const TouchArray *touches, GroupArray *out) {
    u32 same = 0;
    for (u32 i = 0, end; i < touches->count; i = end) {
        const TracedTouch *first = &touches->items[i];
        u64 size = first->size;
        for (end = i + 1; end < touches->count && same_group(first, &touches->items[end]); end++)
            size = touches->items[end].size > size ? touches->items[end].size : size;
        const TracedTouch *last = out->count ? &touches->items[out->items[out->count - 1].first] : NULL;
        same = last && last->address == first->address && last->access == first->access ? same + 1 : 0;
        if (same < THREADS_SAME)
            array_push(out, ((MeetGroup){i, end - i, first->address + size}));
    }
}

static u32 instance(const MeetGroup *group, u32 index) {
    u32 half = INSTANCES_MOST / 2;
    return group->first +
           (group->count <= INSTANCES_MOST || index < half ? index : group->count - INSTANCES_MOST + index);
}

typedef enum { NEVER, IN_ORDER, APART } Meeting; // of two groups: not on the same bytes; one before the other; neither
// Blocks of one address differ in size from life to life: each two are asked.
static Meeting meeting(const Order *order, const TouchArray *touches, const MeetGroup *a, const MeetGroup *b) {
    Meeting best = NEVER;
    for (u32 i = 0; i < a->count && i < INSTANCES_MOST; i++)
        for (u32 k = 0; k < b->count && k < INSTANCES_MOST; k++) {
            const TracedTouch *x = &touches->items[instance(a, i)], *y = &touches->items[instance(b, k)];
            if (x->address + x->size <= y->address || y->address + y->size <= x->address)
                continue;
            if (!order_before(order, x, y) && !order_before(order, y, x))
                return APART;
            best = IN_ORDER;
        }
    return best;
}

static void note_pair(Prediction *self, u32 a, u32 b, bool apart) {
    bool fresh;
    u32 low = a < b ? a : b, high = a < b ? b : a;
    u32 *at = map_put(&self->pair_map, (u64)low << 32 | high, &fresh);
    if (fresh) {
        *at = self->pairs.count;
        array_push(&self->pairs, ((AccessPair){low, high, 0, 0, UINT32_MAX, UINT32_MAX}));
    }
    AccessPair *pair = &self->pairs.items[*at];
    pair->together += pair->last != self->samples;
    pair->last = self->samples;
    if (apart) {
        pair->apart += pair->last_apart != self->samples;
        pair->last_apart = self->samples;
    }
}

static void note_used(Prediction *self, u32 place) {
    if (place >= self->used.bits) {
        Bitset bigger = {0};
        bitset_resize(&bigger, (place + 1) * 2);
        if (self->used.words)
            memcpy(bigger.words, self->used.words, (self->used.bits + 63) / 64 * sizeof *bigger.words);
        bitset_free(&self->used);
        self->used = bigger;
    }
    bitset_set(&self->used, place);
}

static void compare(Prediction *self, const Order *order, const TouchArray *touches, const MeetGroup *a,
                    const MeetGroup *b) {
    const TracedTouch *x = &touches->items[a->first], *y = &touches->items[b->first];
    if (x->thread == y->thread || !((x->flags | y->flags) & TOUCH_WRITES) || x->flags & y->flags & TOUCH_ATOMIC)
        return;
    Meeting how = meeting(order, touches, a, b);
    if (how == NEVER)
        return;
    bool apart = how == APART, bare = order_disjoint(order, x->lockset, y->lockset);
    if (apart || !bare) { // what two threads lock for is shared as well
        note_used(self, self->accesses.items[x->access].place);
        note_used(self, self->accesses.items[y->access].place);
    }
    if (bare || self->by == BY_PLACES)
        note_pair(self, x->access, y->access, apart);
}

void meet(Prediction *self, Order *order, TouchArray *touches) {
    GroupArray groups = {0};
    if (touches->count)
        qsort(touches->items, touches->count, sizeof *touches->items, touch_order);
    make_groups(touches, &groups);
    for (u32 i = 0; i < groups.count; i++) {
        u32 compared = 0;
        for (u32 k = i + 1; k < groups.count; k++) {
            if (touches->items[groups.items[k].first].address >= groups.items[i].end)
                break;
            if (compared++ == COMPARED_MOST) {
                self->cut++;
                break;
            }
            compare(self, order, touches, &groups.items[i], &groups.items[k]);
        }
    }
    array_free(&groups);
}
