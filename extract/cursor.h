// cursor.h: a walk over the grammar's tree, node by node in source order.
// It knows nothing of racerx, and includes nothing: cursor.c sees the library's insides, whose names are also ours.
#ifndef EXTRACT_CURSOR_H
#define EXTRACT_CURSOR_H

#include <stdbool.h>
#include <stdint.h>
#include <tree_sitter/api.h>

typedef struct CursorFrame CursorFrame;
typedef struct {
    const TSLanguage *language;
    CursorFrame *frames; // from the root to the node, with those between that the grammar hides
    uint32_t depth, room;
    // the node that was come to last, on the way down or beside
    uint32_t start, end; // bytes
    uint16_t symbol;     // as the library's users see it
    bool missing;        // the parser put it there
} NodeCursor;

void cursor_begin(NodeCursor *self, TSNode root); // keeps the room of earlier walks; zero it once
bool cursor_first_child(NodeCursor *self);
bool cursor_next_sibling(NodeCursor *self); // false: the cursor stands on the parent
uint16_t cursor_field(const NodeCursor *self);
const char *cursor_type(const NodeCursor *self);
void cursor_free(NodeCursor *self);

#endif
