// lower_block.c: raw blocks while a function is built, and their final form.
// In: blocks made in any order, ended by jumps to one another. Out: Body.blocks, events, successors:
// what cannot be reached is dropped, empty blocks are passed over, a block with one way in is joined to
// the one before it.
// Invariant: a block's events lie together, because a block is filled from start to end before another.
#include "extract/lower.h"

void block_reset(Lowering *self) {
    self->blocks.count = self->order.count = self->events.count = self->successors.count = 0;
    self->cases.count = self->pending.count = 0;
    self->current = BLOCK_NONE;
}

u32 block_new(Lowering *self) {
    RawBlock block = {.to = {BLOCK_NONE, BLOCK_NONE}, .term = TERM_UNREACHABLE};
    array_push(&self->blocks, block);
    return self->blocks.count - 1;
}

void block_start(Lowering *self, u32 block) {
    RawBlock *raw = &self->blocks.items[block];
    promised(block < self->blocks.count && !raw->started); // filled from start to end before another
    raw->started = true;
    raw->event = self->events.count;
    array_push(&self->order, block);
    self->current = block;
}

RawBlock *block_end(Lowering *self, TermKind term, Place place) {
    if (self->current == BLOCK_NONE)
        return NULL;
    RawBlock *raw = &self->blocks.items[self->current];
    promised(raw->started && raw->event <= self->events.count);
    raw->event_count = self->events.count - raw->event;
    raw->term = (u8)term;
    raw->place = place;
    self->current = BLOCK_NONE;
    return raw;
}

void block_jump(Lowering *self, u32 to, Place place) {
    RawBlock *raw = block_end(self, TERM_JUMP, place);
    if (raw)
        raw->to[0] = to;
}

// finishing -------------------------------------------------------------------

static void finish_gotos(Lowering *self) {
    for (u32 i = 0; i < self->pending.count; i++) {
        PendingGoto pending = self->pending.items[i];
        const Label *label = &self->labels.items[pending.label];
        u32 target = label->block, to = label->cleanup;
        block_start(self, pending.block);
        // A jump into a scope beside this one leaves everything down to what both have in common.
        u32 from = pending.cleanup;
        while (self->cleanups.items[to].depth > self->cleanups.items[from].depth)
            to = self->cleanups.items[to].parent;
        for (u32 up = from; to;) {
            while (self->cleanups.items[up].depth > self->cleanups.items[to].depth)
                up = self->cleanups.items[up].parent;
            if (up == to)
                break;
            to = self->cleanups.items[to].parent;
        }
        cleanups_run(self, from, to, pending.place);
        block_jump(self, target, pending.place);
    }
}

#define MAX_COMPUTED (1u << 16) // edges of computed gotos, before they meet in one block

// So many that each cannot have its own edges: all go on to one block that has them.
static void join_computed(Lowering *self, Place place) {
    u32 dispatch = block_new(self);
    for (u32 i = 0; i < self->blocks.count; i++)
        if (self->blocks.items[i].term == TERM_COMPUTED) {
            self->blocks.items[i].term = TERM_JUMP;
            self->blocks.items[i].to[0] = dispatch;
        }
    block_start(self, dispatch);
    block_end(self, TERM_COMPUTED, place);
}

// Every block a computed goto may reach, shared by all of them.
static void finish_computed(Lowering *self, Place end) {
    u32 first = self->successors.count;
    u64 computed = 0;
    for (u32 i = 0; i < self->blocks.count; i++)
        computed += self->blocks.items[i].term == TERM_COMPUTED;
    if (computed > 1 && computed * self->labels.count > MAX_COMPUTED)
        join_computed(self, end);
    for (u32 i = 0; i < self->labels.count; i++)
        if (self->labels.items[i].addressed && self->labels.items[i].defined)
            array_push(&self->successors, ((Successor){.block = self->labels.items[i].block}));
    for (u32 i = 0; i < self->blocks.count; i++)
        if (self->blocks.items[i].term == TERM_COMPUTED) {
            self->blocks.items[i].successor = first;
            self->blocks.items[i].successor_count = self->successors.count - first;
        }
}

static u32 successor_count(const RawBlock *raw) {
    return raw->term == TERM_JUMP ? 1 : raw->term == TERM_BRANCH ? 2 : raw->successor_count;
}

static u32 *successor_at(Lowering *self, RawBlock *raw, u32 index) {
    return raw->term == TERM_JUMP || raw->term == TERM_BRANCH ? &raw->to[index]
                                                              : &self->successors.items[raw->successor + index].block;
}

static void clear(U32Array *self, u32 count, u32 value) {
    array_reserve(self, count);
    self->count = count;
    for (u32 i = 0; i < count; i++)
        self->items[i] = value;
}

static bool is_empty_jump(const Lowering *self, u32 block) {
    const RawBlock *raw = &self->blocks.items[block];
    return raw->started && raw->term == TERM_JUMP && !raw->event_count && raw->to[0] != block;
}

// fills: forward, where an edge to each block really leads. A ring of empty blocks leads to the
// block at which it is noticed.
static void fill_forward(Lowering *self) {
    u32 count = self->blocks.count;
    clear(&self->forward, count, BLOCK_NONE);
    clear(&self->fresh, count, 0);
    for (u32 i = 0; i < count; i++) {
        u32 at = i;
        while (self->forward.items[at] == BLOCK_NONE && self->fresh.items[at] != i + 1 && is_empty_jump(self, at)) {
            self->fresh.items[at] = i + 1;
            at = self->blocks.items[at].to[0];
        }
        u32 target = self->forward.items[at] == BLOCK_NONE ? at : self->forward.items[at];
        self->forward.items[target] = target;
        for (at = i; self->forward.items[at] == BLOCK_NONE; at = self->blocks.items[at].to[0])
            self->forward.items[at] = target;
    }
}

// requires: forward. fills: preds, how many ways lead into each block; 0 for what is not reached.
static void fill_preds(Lowering *self, u32 entry) {
    clear(&self->preds, self->blocks.count, 0);
    u32 base = self->stack.count;
    array_push(&self->stack, entry);
    self->preds.items[entry] = 1;
    while (self->stack.count > base) {
        RawBlock *raw = &self->blocks.items[self->stack.items[--self->stack.count]];
        for (u32 i = 0; i < successor_count(raw); i++) {
            u32 *to = successor_at(self, raw, i);
            *to = self->forward.items[*to];
            if (!self->preds.items[*to]++)
                array_push(&self->stack, *to);
        }
    }
}

// The block that `raw` can only go on to and that only it leads to, or BLOCK_NONE.
static u32 only_next(const Lowering *self, const RawBlock *raw, u32 entry) {
    if (raw->term != TERM_JUMP || raw->to[0] == entry || self->preds.items[raw->to[0]] != 1)
        return BLOCK_NONE;
    return raw->to[0];
}

static void write_successors(Lowering *self, RawBlock *raw, Block *out) {
    out->successor = self->body.successors.count;
    out->successor_count = successor_count(raw);
    for (u32 i = 0; i < out->successor_count; i++) {
        Successor one = {0};
        if (raw->term == TERM_SWITCH)
            one = self->successors.items[raw->successor + i];
        one.block = self->fresh.items[*successor_at(self, raw, i)];
        array_push(&self->body.successors, one);
    }
}

static void write_block(Lowering *self, u32 block, u32 entry) {
    RawBlock *raw = &self->blocks.items[block];
    Block out = {.event = self->body.events.count};
    for (;;) {
        for (u32 i = 0; i < raw->event_count; i++)
            array_push(&self->body.events, self->events.items[raw->event + i]);
        u32 next = only_next(self, raw, entry);
        if (next == BLOCK_NONE)
            break;
        raw = &self->blocks.items[next];
    }
    out.event_count = self->body.events.count - out.event;
    out.term = raw->term;
    out.relation = raw->relation;
    out.value = raw->value;
    out.subject = raw->subject;
    out.constant = raw->constant;
    out.place = raw->place;
    if (out.term != TERM_BRANCH)
        out.relation = out.subject = 0, out.constant = 0;
    if (out.term == TERM_JUMP)
        out.value = 0;
    write_successors(self, raw, &out);
    array_push(&self->body.blocks, out);
}

// requires: preds. fills: fresh, the final number of each block that is kept.
static u32 number_blocks(Lowering *self, u32 entry) {
    clear(&self->fresh, self->blocks.count, BLOCK_NONE);
    for (u32 i = 0; i < self->order.count; i++) { // marks what is joined to the block before it
        u32 block = self->order.items[i];
        u32 next = self->preds.items[block] ? only_next(self, &self->blocks.items[block], entry) : BLOCK_NONE;
        if (next != BLOCK_NONE)
            self->fresh.items[next] = 0;
    }
    u32 count = 0;
    for (u32 i = 0; i < self->order.count; i++) {
        u32 block = self->order.items[i];
        bool kept = self->preds.items[block] && self->fresh.items[block] == BLOCK_NONE;
        if (kept)
            self->fresh.items[block] = count++;
        self->order.items[i] = kept ? block : BLOCK_NONE;
    }
    return count;
}

void block_finish(Lowering *self, Place end) {
    block_end(self, TERM_RETURN, end);
    finish_gotos(self);
    for (u32 i = 0; i < self->labels.count; i++)
        if (!self->labels.items[i].defined) { // goto nowhere: nothing comes after it
            block_start(self, self->labels.items[i].block);
            block_end(self, TERM_UNREACHABLE, end);
        }
    finish_computed(self, end);
    fill_forward(self);
    u32 entry = 0; // the entry stays first even when it is empty
    fill_preds(self, entry);
    u32 kept = number_blocks(self, entry);
    array_reserve(&self->body.blocks, kept);
    for (u32 i = 0; i < self->order.count; i++)
        if (self->order.items[i] != BLOCK_NONE)
            write_block(self, self->order.items[i], entry);
}
