// cursor_test.c: our walk over the grammar's trees against the library's own cursor, node by node: kinds, bytes, fields
// below `for`, what is missing. In: no arguments, the C files of tests/extract/ and tests/races/, whole and with bytes
// taken out (so that there are errors); files as arguments, those.
#include "base/base.h"
#include "extract/cursor.h"

#include <glob.h>

const TSLanguage *tree_sitter_c(void);

static u64 nodes;

static void compare_node(const NodeCursor *ours, TSTreeCursor *theirs, const char *path) {
    TSNode node = ts_tree_cursor_current_node(theirs);
    bool same = ours->symbol == ts_node_symbol(node) && ours->start == ts_node_start_byte(node) &&
                ours->end == ts_node_end_byte(node) && ours->missing == ts_node_is_missing(node) &&
                cursor_field(ours) == ts_tree_cursor_current_field_id(theirs) &&
                !strcmp(cursor_type(ours), ts_node_type(node));
    if (!same)
        die("%s: %s at %u to %u, not %s at %u to %u", path, cursor_type(ours), ours->start, ours->end,
            ts_node_type(node), ts_node_start_byte(node), ts_node_end_byte(node));
    nodes++;
}

static void compare_trees(NodeCursor *ours, TSNode root, const char *path) {
    TSTreeCursor theirs = ts_tree_cursor_new(root);
    cursor_begin(ours, root);
    for (bool more = true; more;) {
        compare_node(ours, &theirs, path);
        bool down = ts_tree_cursor_goto_first_child(&theirs);
        check(cursor_first_child(ours) == down);
        if (down)
            continue;
        for (;;) {
            more = ts_tree_cursor_goto_next_sibling(&theirs);
            check(cursor_next_sibling(ours) == more);
            if (more || !ts_tree_cursor_goto_parent(&theirs))
                break;
        }
    }
    ts_tree_cursor_delete(&theirs);
}

static void compare_text(TSParser *parser, NodeCursor *cursor, const char *text, size_t size, const char *path) {
    TSTree *tree = ts_parser_parse_string(parser, NULL, text, (u32)size);
    compare_trees(cursor, ts_tree_root_node(tree), path);
    ts_tree_delete(tree);
}

static void compare_file(TSParser *parser, NodeCursor *cursor, const char *path) {
    size_t size;
    char *text = file_read(path, &size);
    if (!text)
        die("%s cannot be read", path);
    compare_text(parser, cursor, text, size, path);
    for (size_t i = 40; i < size; i += 97) // a hole now and then
        text[i] = ' ';
    compare_text(parser, cursor, text, size, path);
    free(text);
}

int main(int argc, char **argv) {
    TSParser *parser = ts_parser_new();
    NodeCursor cursor = {0};
    glob_t files = {0};
    check(ts_parser_set_language(parser, tree_sitter_c()));
    if (argc > 1) {
        for (int i = 1; i < argc; i++)
            compare_file(parser, &cursor, argv[i]);
    } else {
        glob("tests/extract/*/*.c", 0, NULL, &files);
        glob("tests/races/*/*.c", GLOB_APPEND, NULL, &files);
        for (size_t i = 0; i < files.gl_pathc; i++)
            compare_file(parser, &cursor, files.gl_pathv[i]);
        globfree(&files);
    }
    compare_text(parser, &cursor, "", 0, "nothing");
    printf("%llu nodes\n", (unsigned long long)nodes);
    check(nodes > 1);
    cursor_free(&cursor);
    ts_parser_delete(parser);
    return 0;
}
