// cursor.c: a walk over the grammar's tree, from the library's own structures.
// The library has cursors, but they keep rows, columns and counts of descendants at every step: they cost an eighth of
// reading a tree. Here a step adds lengths in bytes. The runtime is pinned (grammar.sh), so its structures are, too.
// Invariant: what this says of a node is what ts_tree_cursor_current_node() and its kind say
// (tests/extract/lower_test.c compares them).
#include "extract/cursor.h"

#include <runtime/src/language.h>
#include <runtime/src/subtree.h>

void *must_realloc(void *old, size_t size);

struct CursorFrame {
    Subtree tree;
    uint32_t start;      // byte
    uint32_t index;      // among the children of the frame below
    uint32_t structural; // likewise, without what the grammar allows anywhere
    TSSymbol alias;      // what its parent calls it; 0: its own name
    bool shown;          // a node to the library's users
};

static void see(NodeCursor *self) {
    const CursorFrame *top = &self->frames[self->depth - 1];
    TSSymbol symbol = top->alias ? top->alias : ts_subtree_symbol(top->tree);
    self->symbol = symbol == ts_builtin_sym_error ? symbol : self->language->public_symbol_map[symbol];
    self->start = top->start;
    self->end = top->start + ts_subtree_size(top->tree).bytes;
    self->missing = ts_subtree_missing(top->tree);
}

static CursorFrame *push(NodeCursor *self) {
    if (self->depth == self->room) {
        self->room = self->room ? self->room * 2 : 64;
        self->frames = must_realloc(self->frames, sizeof(CursorFrame) * self->room);
    }
    return &self->frames[self->depth++];
}

// The child of the top frame at `index`, which begins after byte `after`.
static void push_child(NodeCursor *self, uint32_t index, uint32_t structural, uint32_t after) {
    CursorFrame *made = push(self), *parent = made - 1;
    Subtree child = ts_subtree_children(parent->tree)[index];
    TSSymbol alias =
        ts_subtree_extra(child) ? 0 : ts_language_alias_at(self->language, parent->tree.ptr->production_id, structural);
    uint32_t start = index ? after + ts_subtree_padding(child).bytes : after;
    *made = (CursorFrame){child, start, index, structural, alias, ts_subtree_visible(child) || alias};
}

// To the frame beside the top one, or beside the hidden ones above it. False: the cursor stands on the parent.
static bool advance(NodeCursor *self) {
    for (;;) {
        CursorFrame left = self->frames[--self->depth];
        const CursorFrame *parent = &self->frames[self->depth - 1];
        if (left.index + 1 < ts_subtree_child_count(parent->tree)) {
            push_child(self, left.index + 1, left.structural + !ts_subtree_extra(left.tree),
                       left.start + ts_subtree_size(left.tree).bytes);
            return true;
        }
        if (parent->shown)
            return false;
    }
}

// From the top frame down through hidden ones to a node, past those that hold none.
static bool settle(NodeCursor *self) {
    for (;;) {
        const CursorFrame *top = &self->frames[self->depth - 1];
        if (top->shown)
            break;
        if (ts_subtree_visible_child_count(top->tree))
            push_child(self, 0, 0, top->start);
        else if (!advance(self))
            return false;
    }
    see(self);
    return true;
}

void cursor_begin(NodeCursor *self, TSNode root) {
    self->language = ts_tree_language(root.tree);
    self->depth = 0;
    *push(self) = (CursorFrame){.tree = *(const Subtree *)root.id, .start = ts_node_start_byte(root), .shown = true};
    see(self);
}

bool cursor_first_child(NodeCursor *self) {
    const CursorFrame *top = &self->frames[self->depth - 1];
    if (!ts_subtree_visible_child_count(top->tree))
        return false;
    push_child(self, 0, 0, top->start);
    return settle(self);
}

bool cursor_next_sibling(NodeCursor *self) { return self->depth > 1 && advance(self) && settle(self); }

uint16_t cursor_field(const NodeCursor *self) {
    for (uint32_t i = self->depth - 1; i > 0; i--) {
        const CursorFrame *frame = &self->frames[i];
        if ((i != self->depth - 1 && frame->shown) || ts_subtree_extra(frame->tree))
            break;
        const TSFieldMapEntry *map, *end;
        ts_language_field_map(self->language, frame[-1].tree.ptr->production_id, &map, &end);
        for (; map < end; map++)
            if (!map->inherited && map->child_index == frame->structural)
                return map->field_id;
    }
    return 0;
}

const char *cursor_type(const NodeCursor *self) {
    const CursorFrame *top = &self->frames[self->depth - 1];
    return ts_language_symbol_name(self->language, top->alias ? top->alias : ts_subtree_symbol(top->tree));
}

void cursor_free(NodeCursor *self) {
    free(self->frames);
    *self = (NodeCursor){0};
}
