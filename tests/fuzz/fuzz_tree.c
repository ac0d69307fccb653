// fuzz_tree.c: trees as a damaged database would give them, past its checksums. In: a byte that says which of some
// trees, and changes of its bytes: where (two bytes), how (one), with what (one). Out: nothing; what is wrong aborts.
// Whatever is accepted must be safe to dump, and to encode again.
#include "annotators/declare.h"
#include "extract/preprocess.h"
#include "extract/tree.h"
#include "tests/fuzz/fuzz.h"

static const char *const sources[] = {
    "struct queue { int count; struct lock { int held; } lock; int (*run)(void *); };\n"
    "static struct queue all[4] = { [1] = { .count = 3, .run = 0 } };\n"
    "int f(struct queue *q, int n) { for (int i = 0; i < n; i++) { if (q[i].count && n) q[i].count--; else continue; "
    "}\n"
    "switch (n) { case 1 ... 3: return q->run(q); default: goto out; } out: return all[n & 3].count ? n : -n; }\n",
    "typedef unsigned long word; enum { A, B = 7 }; extern word table[];\n"
    "__attribute__((noinline)) static word g(word a, ...) { word b = a + sizeof(struct { int x; }); "
    "asm(\"nop\" : \"=r\"(b)); return b == B ? table[a] : ({ word c = b; c++; c; }); }\n"
    "void h(void) { g(1, 2, \"text\", 3.5); do { g(2); } while (g(3) && !g(4)); } // racerx: ignore race none\n",
    "int x;\n",
};
enum { SOURCES = sizeof sources / sizeof *sources };
static Buffer heads[SOURCES], bodies[SOURCES];

static u32 count_none(void *context, const char *name) { return (void)context, (void)name, 0; }

static void make_tree(u32 index) {
    static const char *const presets[] = {NULL};
    DeclareOptions declare = {.presets = presets, .count = count_none};
    FuzzFile file = fuzz_file((const u8 *)sources[index], strlen(sources[index]));
    Scan scan = {0};
    SourceFile source = {
        .path = "main.c", .full = file.path, .kind = FILE_SOURCE, .size = strlen(sources[index]), .command = -1};
    array_push(&scan.files, source);
    Harvest harvest = {0};
    DefineOptions defines = {0};
    harvest_scan(&harvest, &scan, 1);
    harvest_index(&harvest);
    Worker *worker = worker_new(&harvest, &defines);
    worker->declarations = declarations_load(&declare);
    harvest_choose(&harvest, &worker, 1);
    unit_begin(worker, 0);
    unit_trees(worker, sources[index], strlen(sources[index]));
    tree_write_head(&worker->tree, &heads[index]);
    buffer_put(&bodies[index], worker->tree.bodies.bytes, worker->tree.bodies.size);
    check(worker->tree.functions.count || index == 2);
}

static void change(Buffer *bytes, u32 at, u8 how, u8 with) {
    if (!bytes->size)
        return;
    at %= (u32)bytes->size;
    switch (how % 5) {
    case 0: bytes->bytes[at] ^= (u8)(1 << with % 8); break;
    case 1: bytes->bytes[at] = with; break;
    case 2: bytes->bytes[at] = (u8)(bytes->bytes[at] + with); break;
    case 3: bytes->size -= with % bytes->size; break;
    case 4: bytes->bytes[at] = 0xff; break;
    }
}

static void use(const Buffer *head, const Buffer *body_bytes) {
    Tree tree = {0};
    Body body = {0};
    Buffer again = {0};
    if (tree_read_head(&tree, head->bytes, head->size)) {
        char *text = NULL;
        size_t length;
        buffer_put(&tree.bodies, body_bytes->bytes, body_bytes->size);
        FILE *out = open_memstream(&text, &length);
        tree_dump(&tree, "main.c", NULL, out);
        fclose(out);
        free(text);
        tree_write_head(&tree, &again);
        for (u32 i = 0; i < tree.functions.count; i++)
            if (tree_body(&tree, i, &body) && body_fits(&body, &tree))
                body_write(&body, &again);
    }
    buffer_free(&again);
    body_free(&body);
    tree_free(&tree);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size) {
    if (!fuzz_try() || !size)
        return 0;
    for (u32 i = 0; !heads[SOURCES - 1].size && i < SOURCES; i++)
        make_tree(i);
    u32 which = data[0] % SOURCES;
    Buffer head = {0}, body = {0};
    buffer_put(&head, heads[which].bytes, heads[which].size);
    buffer_put(&body, bodies[which].bytes, bodies[which].size);
    for (size_t i = 1; i + 4 <= size; i += 4)
        change(data[i] & 0x80 ? &body : &head, (u32)(data[i] & 0x7f) << 8 | data[i + 1], data[i + 2], data[i + 3]);
    use(&head, &body);
    buffer_free(&head);
    buffer_free(&body);
    return 0;
}
