// lower_test.c: lowering and the tree format on their own: C text in, dump out, without preprocessing.
// In: files on the command line, already clean C. Out: the dump of each, after a trip through the
// encoding. With --check each dump is compared with the .dump beside its .c, with --promote it is written
// there. With --bench, how long parsing, lowering and encoding take; with --mangle, encodings with bytes
// changed are read back, which must never crash.
#include "base/base.h"
#include "extract/item.h"
#include "extract/lower.h"

const TSLanguage *tree_sitter_c(void);

// Stands in for annotators/: what the cases use is declared here.
struct Declarations {
    int unused;
};
Declared declarations_look(const Declarations *self, const char *name, u32 length) {
    static const struct {
        const char *name;
        u32 said;
    } known[] = {{"likely", SAID_LIKELY},          {"unlikely", SAID_LIKELY}, {"__builtin_expect", SAID_LIKELY},
                 {"container_of", SAID_CONTAINER}, {"guard", SAID_GUARD},     {"scoped_guard", SAID_GUARD}};
    (void)self;
    for (u32 i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].name) == length && !memcmp(known[i].name, name, length))
            return (Declared){.said = known[i].said};
    return (Declared){0};
}

bool declarations_constant(const Declarations *self, const char *name, u32 length, i64 *value) {
    (void)self;
    *value = 16;
    return length == 4 && !memcmp(name, "BUSY", 4);
}

typedef struct {
    u32 *starts;
    Place *places;
    u32 count;
} Tokens;

// Places as an editor would give them: a token starts where its kind of character does.
static Tokens find_tokens(const char *text, u32 length) {
    Tokens out = {must_alloc(sizeof(u32) * (length + 1)), must_alloc(sizeof(Place) * (length + 1)), 0};
    u32 line = 1, begin = 0;
    bool in_word = false;
    for (u32 i = 0; i < length; i++) {
        u8 c = (u8)text[i];
        bool word = c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || c >= 128;
        if (c > ' ' && !(word && in_word)) {
            out.starts[out.count] = i;
            out.places[out.count++] = (Place){line, i - begin + 1};
        }
        in_word = word;
        if (c == '\n')
            line++, begin = i + 1;
    }
    return out;
}

typedef struct {
    TSParser *parser;
    Lowering *lowering;
    const Declarations *declarations;
    double parse, lower, encode;
    u64 bytes, lost, encoded, functions;
} Test;

static void name_before_paren(const char *text, u32 length, char *out, size_t size) {
    const char *paren = memchr(text, '(', length), *begin = paren;
    while (begin && begin > text && (begin[-1] == '_' || (begin[-1] | 32) >= 'a'))
        begin--;
    if (begin)
        snprintf(out, size, "%.*s", (int)(paren - begin), begin);
}

// Every child of the file's root is an item of its own, as preprocessing would give it.
static void lower_part(Test *self, const char *text, const Tokens *tokens, u32 start, u32 end, bool body, Tree *tree) {
    u32 first = 0;
    while (start < end && (u8)text[start] <= ' ')
        start++;
    while (first + 1 < tokens->count && tokens->starts[first + 1] <= start)
        first++;
    u32 count = 0;
    u32 *starts = must_alloc(sizeof(u32) * (tokens->count + 1));
    for (u32 i = first; i < tokens->count && tokens->starts[i] < end; i++)
        starts[count++] = tokens->starts[i] - start;
    Item item = {.kind = ITEM_DECLARATION,
                 .text = text + start,
                 .length = end - start,
                 .token_count = count,
                 .starts = starts,
                 .places = tokens->places + first};
    if (count)
        item.first = item.places[0], item.last = item.places[count - 1];
    char name[64] = "";
    if (body) // the name is what stands before the first parenthesis
        name_before_paren(item.text, item.length, name, sizeof name);
    if (*name)
        item.kind = ITEM_FUNCTION, item.name = name;
    double begin = clock_seconds();
    TSTree *parsed = ts_parser_parse_string(self->parser, NULL, item.text, item.length);
    double middle = clock_seconds();
    lower_item(self->lowering, self->declarations, &item, ts_tree_root_node(parsed), tree);
    self->parse += middle - begin;
    self->lower += clock_seconds() - middle;
    ts_tree_delete(parsed);
    free(starts);
}

static void lower_text(Test *self, const char *text, u32 length, Tree *tree) {
    tree_reset(tree);
    Tokens tokens = find_tokens(text, length);
    TSTree *whole = ts_parser_parse_string(self->parser, NULL, text, length);
    TSNode root = ts_tree_root_node(whole);
    u32 from = 0;
    bool broken = false;
    TSTreeCursor cursor = ts_tree_cursor_new(root);
    if (ts_tree_cursor_goto_first_child(&cursor)) {
        bool more = true;
        while (more) {
            TSNode node = ts_tree_cursor_current_node(&cursor);
            more = ts_tree_cursor_goto_next_sibling(&cursor);
            bool cut = !strcmp(ts_node_type(node), ";") || !strcmp(ts_node_type(node), "function_definition") ||
                       !strcmp(ts_node_type(node), "compound_statement") ||
                       (!broken && text[ts_node_end_byte(node) - (ts_node_end_byte(node) > 0)] == ';');
            broken |= ts_node_has_error(node);
            if (ts_node_is_named(node) && !strcmp(ts_node_type(node), "comment"))
                continue;
            if (cut || !more) {
                bool body = !strcmp(ts_node_type(node), "compound_statement");
                lower_part(self, text, &tokens, from, ts_node_end_byte(node), body, tree);
                from = ts_node_end_byte(node);
                broken = false;
            }
        }
    }
    ts_tree_cursor_delete(&cursor);
    ts_tree_delete(whole);
    free(tokens.starts);
    free(tokens.places);
}

static void round_trip(const Tree *tree, Tree *out) {
    Buffer head = {0};
    tree_write_head(tree, &head);
    if (!tree_read_head(out, head.bytes, head.size))
        die("a head that was written cannot be read");
    buffer_put(&out->bodies, tree->bodies.bytes, tree->bodies.size);
    Body body = {0};
    for (u32 i = 0; i < out->functions.count; i++)
        if (!tree_body(out, i, &body))
            die("the body of %s cannot be read", tree_text(out, out->functions.items[i].name));
    body_free(&body);
    buffer_free(&head);
}

static u32 next_random(u32 *state) { return *state = *state * 1664525u + 1013904223u; }

static void mangle(const Tree *tree, u32 rounds) {
    Buffer head = {0};
    tree_write_head(tree, &head);
    Tree broken = {0};
    Body body = {0};
    FILE *sink = fopen("/dev/null", "w");
    u32 state = 12345, read = 0;
    for (u32 round = 0; round < rounds; round++) {
        Buffer copy = {0}, bodies = {0};
        buffer_put(&copy, head.bytes, head.size);
        buffer_put(&bodies, tree->bodies.bytes, tree->bodies.size);
        for (u32 i = 0; i < 1 + round % 3; i++) {
            Buffer *which = next_random(&state) % 3 && bodies.size ? &bodies : &copy;
            which->bytes[(next_random(&state) >> 8) % which->size] = (u8)(next_random(&state) >> 16);
        }
        if (tree_read_head(&broken, copy.bytes, copy.size)) {
            buffer_put(&broken.bodies, bodies.bytes, bodies.size);
            tree_dump(&broken, "mangled", NULL, sink);
            read++;
        }
        buffer_free(&copy);
        buffer_free(&bodies);
    }
    printf("mangled %u, readable %u\n", rounds, read);
    fclose(sink);
    body_free(&body);
    tree_free(&broken);
    buffer_free(&head);
}

// The dump against the file that holds what is expected; false: it differs.
static bool check_dump(const Tree *tree, const char *path, bool promote) {
    char *text = NULL, *name = must_strdup(path), *expected_path = NULL;
    size_t size = 0, expected_size = 0;
    FILE *memory = open_memstream(&text, &size);
    char *slash = strrchr(name, '/'), *dot = strrchr(name, '.');
    tree_dump(tree, slash ? slash + 1 : name, NULL, memory);
    fclose(memory);
    if (dot)
        *dot = 0;
    if (asprintf(&expected_path, "%s.dump", name) < 0)
        die("no memory for a path");
    FILE *out = promote ? fopen(expected_path, "w") : NULL;
    if (out) {
        fwrite(text, 1, size, out);
        fclose(out);
    }
    char *expected = file_read(expected_path, &expected_size);
    bool same = expected && expected_size == size && !memcmp(expected, text, size);
    if (!same)
        printf("%s: the dump differs from %s\n", path, expected_path);
    free(text);
    free(name);
    free(expected);
    free(expected_path);
    return same;
}

typedef enum { MODE_DUMP, MODE_BENCH, MODE_MANGLE, MODE_CHECK, MODE_PROMOTE } Mode;

static Mode read_mode(const char *argument) {
    static const char *const names[] = {"--dump", "--bench", "--mangle", "--check", "--promote"};
    for (u32 i = 0; argument && i < sizeof names / sizeof *names; i++)
        if (!strcmp(argument, names[i]))
            return (Mode)i;
    return MODE_DUMP;
}

static bool test_file(Test *self, const char *path, Mode mode) {
    Tree tree = {0}, again = {0};
    size_t size;
    char *text = file_read(path, &size);
    if (!text)
        fatal("cannot read %s", path);
    lower_text(self, text, (u32)size, &tree);
    double begin = clock_seconds();
    round_trip(&tree, &again);
    self->encode += clock_seconds() - begin;
    self->bytes += size;
    self->encoded += tree.bodies.size;
    self->functions += tree.functions.count;
    for (u32 f = 0; f < tree.functions.count; f++)
        self->lost += tree.functions.items[f].lost_bytes;
    bool good = true;
    const char *slash = strrchr(path, '/');
    if (mode == MODE_MANGLE)
        mangle(&tree, 2000);
    else if (mode == MODE_DUMP)
        tree_dump(&again, slash ? slash + 1 : path, NULL, stdout);
    else if (mode != MODE_BENCH)
        good = check_dump(&again, path, mode == MODE_PROMOTE);
    tree_free(&tree);
    tree_free(&again);
    free(text);
    return good;
}

int main(int argc, char **argv) {
    static const Declarations declarations;
    Test test = {.parser = ts_parser_new(), .lowering = lowering_new(), .declarations = &declarations};
    Mode mode = read_mode(argc > 1 ? argv[1] : NULL);
    ts_parser_set_language(test.parser, tree_sitter_c());
    u32 failed = 0;
    for (int i = argc > 1 && argv[1][0] == '-' ? 2 : 1; i < argc; i++)
        failed += !test_file(&test, argv[i], mode);
    if (mode == MODE_BENCH)
        printf("%.1f MB, %llu functions, parse %.2f s, lower and encode %.2f s, read back %.2f s, bodies %.1f MB, "
               "lost %.3f %%\n",
               (double)test.bytes / 1e6, (unsigned long long)test.functions, test.parse, test.lower, test.encode,
               (double)test.encoded / 1e6, 100.0 * (double)test.lost / (double)(test.bytes + 1));
    lowering_free(test.lowering);
    ts_parser_delete(test.parser);
    return failed ? 1 : 0;
}
