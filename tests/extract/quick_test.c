// quick_test.c: what watch.c puts in front of the grammar (quick tokens, rows of actions) against the grammar alone:
// the same trees, node by node, of texts with a space around each token. In: no arguments, the C files of
// tests/extract/ and tests/races/, as they are read for extraction and with tokens left out (so that there are errors);
// files, those.
#include "extract/preprocess.h"

#include <glob.h>

static u64 nodes;

typedef struct {
    TSParser *bare, *watched;
    const char *path;
} Test;

static void compare_trees(const Test *self, TSNode a, TSNode b) {
    TSTreeCursor left = ts_tree_cursor_new(a), right = ts_tree_cursor_new(b);
    for (bool more = true; more; nodes++) {
        TSNode x = ts_tree_cursor_current_node(&left), y = ts_tree_cursor_current_node(&right);
        if (ts_node_symbol(x) != ts_node_symbol(y) || ts_node_start_byte(x) != ts_node_start_byte(y) ||
            ts_node_end_byte(x) != ts_node_end_byte(y) || ts_node_is_missing(x) != ts_node_is_missing(y) ||
            ts_node_end_point(x).column != ts_node_end_point(y).column)
            die("%s: %s at %u, not %s at %u", self->path, ts_node_type(y), ts_node_start_byte(y), ts_node_type(x),
                ts_node_start_byte(x));
        bool down = ts_tree_cursor_goto_first_child(&left);
        check(ts_tree_cursor_goto_first_child(&right) == down);
        while (!down && more) {
            bool beside = ts_tree_cursor_goto_next_sibling(&left);
            check(ts_tree_cursor_goto_next_sibling(&right) == beside);
            if (beside)
                break;
            more = ts_tree_cursor_goto_parent(&left) && ts_tree_cursor_goto_parent(&right);
        }
    }
    ts_tree_cursor_delete(&left);
    ts_tree_cursor_delete(&right);
}

static void compare_text(const Test *self, const Buffer *text) {
    const char *bytes = (const char *)text->bytes;
    TSTree *bare = ts_parser_parse_string(self->bare, NULL, bytes, (u32)text->size);
    TSTree *watched = watched_parse(self->watched, bytes, (u32)text->size, UINT32_MAX);
    check(bare && watched);
    compare_trees(self, ts_tree_root_node(bare), ts_tree_root_node(watched));
    ts_tree_delete(bare);
    ts_tree_delete(watched);
}

// Without every `hole`th token; 0: all.
static void join_tokens(const TokenArray *tokens, u32 hole, Buffer *out) {
    out->size = 0;
    for (u32 i = 0; i < tokens->count; i++) {
        if (tokens->items[i].kind == TOKEN_DIRECTIVE || (hole && i % hole == hole - 1))
            continue;
        buffer_put(out, tokens->items[i].text, tokens->items[i].length);
        buffer_byte(out, ' ');
    }
    buffer_byte(out, '\n');
}

static void compare_file(Test *self, const char *path) {
    size_t size;
    char *bytes = file_read(path, &size);
    NameTable names = {0};
    Lexed lexed = {0};
    Arena arena = {0};
    Buffer text = {0};
    if (!bytes)
        die("%s cannot be read", path);
    self->path = path;
    lex(&lexed, &names, bytes, size, &arena);
    for (u32 hole = 0; hole < 200; hole = hole * 3 + 23) {
        join_tokens(&lexed.tokens, hole, &text);
        compare_text(self, &text);
    }
    buffer_free(&text);
    arena_free(&arena);
    array_free(&lexed.tokens);
    array_free(&lexed.directives);
    array_free(&lexed.remarks);
    array_free(&lexed.marks);
    array_free(&lexed.mark_files);
    array_free(&names.names);
    intern_free(&names.intern);
    free(bytes);
}

// Words that are nearly keywords or prefixes of strings, marks side by side.
static void compare_odd(Test *self) {
    static const char *const texts[] = {"int i ; ",
                                        " int  format ; ",
                                        "u8 L ; u8 x ; L L ; ",
                                        "int f ( ) { U = u ; R : goto R ; } ",
                                        "x",
                                        " x",
                                        " x ",
                                        "",
                                        " ; ",
                                        "int a [ ] = { 0 , 1 , 0x2 , 3u , .5 , - 5 , -5 , + + a } ; ",
                                        "ifx ; returns 1 ; return1 ; _ ; __ ; ",
                                        "a . b . . . c -> d ; ",
                                        "char c = 'x' , * s = \"a b\" ; ",
                                        "\xc3\xa4 = \xc3\xb6 ; a\xc3\xa4 b ; ",
                                        "# define x\n ; "};
    self->path = "odd text";
    for (u32 i = 0; i < sizeof texts / sizeof *texts; i++) {
        Buffer text = {0};
        buffer_text(&text, texts[i]);
        buffer_reserve(&text, 1);
        compare_text(self, &text);
        buffer_free(&text);
    }
}

int main(int argc, char **argv) {
    Test test = {.watched = watched_parser()}; // first: it says where memory comes from
    glob_t files = {0};
    test.bare = ts_parser_new();
    check(ts_parser_set_language(test.bare, tree_sitter_c()));
    if (argc > 1) {
        for (int i = 1; i < argc; i++)
            compare_file(&test, argv[i]);
    } else {
        glob("tests/extract/*/*.c", 0, NULL, &files);
        glob("tests/races/*/*.c", GLOB_APPEND, NULL, &files);
        for (size_t i = 0; i < files.gl_pathc; i++)
            compare_file(&test, files.gl_pathv[i]);
        globfree(&files);
    }
    compare_odd(&test);
    printf("%llu nodes\n", (unsigned long long)nodes);
    ts_parser_delete(test.bare);
    ts_parser_delete(test.watched);
    return 0;
}
