// tree_check.c: what is promised of a finished tree, verified in test builds before it is kept.
// In: a tree that lowering made. The idea: the reader of trees refuses what could harm it (it must not trust the
// database), so what lowering makes has to pass it; and what was read is written as the same bytes, so nothing is lost
// on the way. Beside that, what the reader cannot see: functions are in the order of the text, their bodies side by
// side.
#include "extract/tree.h"

static void check_body(const Tree *self, u32 function, Body *body, Buffer *again) {
    const Function *one = &self->functions.items[function];
    check(tree_body(self, function, body));
    again->size = 0;
    body_write(body, again);
    check(again->size == one->body_size && !memcmp(again->bytes, self->bodies.bytes + one->body_offset, again->size));
    check(body->blocks.count); // control comes in somewhere
}

static void check_bodies(const Tree *self) {
    Body body = {0};
    Buffer again = {0};
    u64 end = 0;
    for (u32 f = 0; f < self->functions.count; f++) {
        const Function *one = &self->functions.items[f];
        check(one->body_offset == end);
        end = one->body_offset + (u64)one->body_size;
        check_body(self, f, &body, &again);
    }
    check(end == self->bodies.size);
    body_free(&body);
    buffer_free(&again);
}

static void check_head(const Tree *self) {
    Tree copy = {0};
    Buffer head = {0}, again = {0};
    tree_write_head(self, &head);
    check(tree_read_head(&copy, head.bytes, head.size));
    tree_write_head(&copy, &again);
    check(again.size == head.size && !memcmp(again.bytes, head.bytes, head.size));
    check(copy.functions.count == self->functions.count && copy.types.count == self->types.count);
    tree_free(&copy);
    buffer_free(&head);
    buffer_free(&again);
}

void tree_check(const Tree *self) {
    check_head(self);
    check_bodies(self);
}
