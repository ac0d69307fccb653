// marks_test.c: what annotate() leaves in the program: marks, contexts, places, pairs that never run in parallel.
// In: a program and scripts written here. Out: `not ok` lines and status 1 when something is not as it should be.
#include "extract/extract.h"
#include "racerx/link/program.h"

#include <sys/stat.h>
#include <unistd.h>

static int failures;
#define expect(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            printf("not ok line %d: %s\n", __LINE__, #condition);                                                      \
            failures++;                                                                                                \
        }                                                                                                              \
    } while (0)

static char directory[512];

static char *write_file(const char *name, const char *text) {
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file))
        die("cannot write %s", path);
    return path;
}

static const char source[] =
    "struct inode; struct file { int position; }; typedef long loff_t; typedef long ssize_t;\n"
    "struct file_operations { int (*open)(struct inode *, struct file *);\n"
    "    int (*release)(struct inode *, struct file *); ssize_t (*read)(struct file *, char *, unsigned long, loff_t "
    "*); };\n"
    "static int f_open(struct inode *i, struct file *f) { return 0; }\n"
    "static int f_release(struct inode *i, struct file *f) { return 0; }\n"
    "static ssize_t f_read(struct file *f, char *b, unsigned long n, loff_t *p) { return 0; }\n"
    "const struct file_operations ops = { .open = f_open, .release = f_release, .read = f_read };\n"
    "int alone(int a) { return a; }\n"
    "int other(int a, int b) { return alone(a); }\n"
    "int third(int a) { return a; }\n"
    "int main(void) { return other(1, 2); }\n";

// The program, linked with this preset and marked by these scripts.
static Program *load(Declarations **declarations, const char *preset, const char *script) {
    char tree[1024], db[1024];
    const char *presets[] = {preset, NULL}, *scripts[] = {write_file("racerx.lua", script)}, *paths[] = {tree};
    snprintf(tree, sizeof tree, "%s/tree", directory);
    snprintf(db, sizeof db, "%s/test.db", directory);
    ExtractOptions options = {
        .scan = {.paths = paths, .path_count = 1, .max_file_size = SCAN_MAX_FILE_SIZE},
        .declare = {.presets = presets, .preset_count = preset != NULL, .scripts = scripts, .script_count = 1},
        .jobs = 1};
    ExtractStats stats = {0};
    Store *store = store_open(db, STORE_WRITE);
    extract(&options, store, &stats);
    for (u32 i = 0; i < stats.worst_count; i++)
        free(stats.worst[i].file), free(stats.worst[i].why);
    free(stats.presets);
    *declarations = declarations_load(&options.declare);
    Program *program = program_load(store, *declarations, 1);
    store_close(store);
    annotate(program);
    return program;
}

static FunctionId function(const Program *self, const char *name) {
    u32 id = intern_find(&self->names, name, (u32)strlen(name));
    check(id != UINT32_MAX);
    return program_named(self, id, 0);
}

// "no", "always", or the two arguments: "2 1".
static const char *pair(const Program *self, const char *f, const char *g) {
    static char text[32];
    i32 a, b;
    if (!program_never_parallel(self, function(self, f), function(self, g), &a, &b))
        return "no";
    snprintf(text, sizeof text, "%d %d", a, b);
    return a || b ? text : "always";
}
#define expect_pair(f, g, wanted) expect(!strcmp(pair(program, f, g), wanted))

static void test_rules(void) {
    Declarations *declarations;
    Program *program = load(&declarations, NULL,
                            "annotate(function(program)\n"
                            "never_parallel('alone', 'other', { arg = { 1, 2 } })\n"
                            "never_parallel('third', 'third')\n"
                            "never_parallel('^(alone|third)$', program:functions '^other$', 1, 1)\n"
                            "never_parallel('main other', '^(main|other)$')\n"
                            "never_parallel({}, 'main')\n"
                            "end)");
    expect(program->never_parallel.count == 4);
    expect_pair("alone", "other", "1 2");
    expect_pair("other", "alone", "2 1");
    expect_pair("third", "third", "always");
    expect_pair("alone", "alone", "no");
    expect_pair("third", "other", "1 1");
    expect_pair("main", "other", "always");
    expect_pair("other", "other", "always");
    expect_pair("main", "alone", "no");
    for (u32 i = 1; i < program->never_parallel_lists.count; i++) {
        const NeverParallelMember *a = &program->never_parallel_lists.items[i - 1], *b = a + 1;
        expect(a->function < b->function || (a->function == b->function && a->rule < b->rule));
    }
    program_free(program);
    declarations_free(declarations);
}

static void test_preset(void) { // the preset's annotate(), below the script's
    Declarations *declarations;
    Program *program = load(&declarations, "linux", "annotate(function(program) mark('alone', 'ignore') end)");
    u32 count;
    const LaterScript *later = declarations_later(declarations, &count);
    expect(count == 3 && !later[0].user && !later[1].user && later[2].user && later[1].later == LATER_ANNOTATE);
    expect_pair("f_open", "f_release", "2 2");
    expect_pair("f_read", "f_release", "1 2");
    expect_pair("f_open", "f_read", "2 1");
    expect_pair("f_read", "f_read", "no");
    expect(program->functions.items[function(program, "alone")].marks & MARK_IGNORED);
    program_free(program);
    declarations_free(declarations);
}

static void test_marks(void) {
    Declarations *declarations;
    Program *program =
        load(&declarations, NULL,
             "local words = { 'multithreaded', 'interrupt', 'init' }\n"
             "annotate(function(program)\n"
             "mark('main alone', words[1]) mark('alone', words[2]) mark('third', words[3])\n"
             "end)\nannotate(function(p) mark(p:stored_in 'struct file_operations.read', 'ignore') end)");
    const ProgramFunction *all = program->functions.items;
    const ProgramFunction *alone = &all[function(program, "alone")], *main_ = &all[function(program, "main")];
    expect((alone->marks & (MARK_MULTITHREADED | MARK_INTERRUPT_HANDLER | MARK_ROOT)) ==
           (MARK_MULTITHREADED | MARK_INTERRUPT_HANDLER | MARK_ROOT));
    expect(alone->contexts == 1u << CONTEXT_INTERRUPT && alone->caller_count == 1);
    expect(main_->contexts == 1u << CONTEXT_THREAD && !(main_->marks & MARK_THREAD_ONCE));
    expect(all[function(program, "third")].contexts == 1u << CONTEXT_INIT);
    expect(all[function(program, "f_read")].marks & MARK_IGNORED);
    u32 roots = 0;
    for (u32 i = 0; i < program->functions.count; i++) {
        roots += (all[i].marks & MARK_ROOT) != 0;
        expect(!(all[i].marks & MARK_ROOT) == !all[i].contexts);
    }
    expect(roots == program->stats.roots);
    expect(program->fields.count == 3 &&
           program->stored.items[program->fields.items[0].first] == function(program, "f_open"));
    program_free(program);
    declarations_free(declarations);
}

int main(void) {
    const char *base = getenv("TMP") ? getenv("TMP") : "/tmp";
    snprintf(directory, sizeof directory, "%s/marks.XXXXXX", base);
    if (!mkdtemp(directory))
        die("cannot make %s", directory);
    char tree[1024];
    snprintf(tree, sizeof tree, "%s/tree", directory);
    mkdir(tree, 0777);
    write_file("tree/a.c", source);
    test_rules();
    test_preset();
    test_marks();
    printf("%s\n", failures ? "failed" : "ok");
    return failures > 0;
}
