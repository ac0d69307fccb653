// link_test.c: the linked program as the stages after it see it: call sites, bindings, registrations, types.
// In: programs written here. Out: `not ok` lines and status 1 when something is not as it should be.
#include "extract/extract.h"
#include "racerx/link/link.h"

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

// a program -------------------------------------------------------------------

static char directory[512];

static void write_file(const char *name, const char *text) {
    char path[1024];
    snprintf(path, sizeof path, "%s/tree/%s", directory, name);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file))
        die("cannot write %s", path);
}

static Program *load(Declarations **declarations, u32 jobs) {
    char tree[1024], db[1024];
    static const char *const presets[] = {"pthreads", NULL};
    snprintf(tree, sizeof tree, "%s/tree", directory);
    snprintf(db, sizeof db, "%s/test.db", directory);
    const char *paths[] = {tree};
    ExtractOptions options = {.scan = {.paths = paths, .path_count = 1, .max_file_size = SCAN_MAX_FILE_SIZE},
                              .declare = {.presets = presets, .preset_count = 1},
                              .jobs = jobs};
    ExtractStats stats = {0};
    Store *store = store_open(db, STORE_WRITE);
    extract(&options, store, &stats);
    for (u32 i = 0; i < stats.worst_count; i++) {
        free(stats.worst[i].file);
        free(stats.worst[i].why);
    }
    free(stats.presets);
    *declarations = declarations_load(&options.declare);
    Program *program = program_load(store, *declarations, jobs);
    store_close(store);
    return program;
}

static NameId name_of(const Program *self, const char *text) {
    return intern_find(&self->names, text, (u32)strlen(text));
}
static FunctionId function(const Program *self, const char *name) {
    NameId id = name_of(self, name);
    return id == UINT32_MAX ? NO_ID : program_named(self, id, 0);
}
// The call of `callee` in `from` (NULL: the first through a pointer).
static const CallSite *site(const Program *self, const char *from, const char *callee) {
    const ProgramFunction *one = &self->functions.items[function(self, from)];
    for (u32 c = one->call; c < one->call + one->call_count; c++) {
        const CallSite *found = &self->calls.items[c];
        if (callee ? found->name == name_of(self, callee) : found->indirect)
            return found;
    }
    die("%s does not call %s", from, callee ? callee : "through a pointer");
}
static bool calls(const Program *self, const CallSite *from, const char *callee) {
    for (u32 t = 0; t < from->target_count; t++)
        if (self->targets.items[from->target + t] == function(self, callee))
            return true;
    return false;
}

// tests -----------------------------------------------------------------------

static void test_bindings(const Program *self) {
    const CallSite *inner = site(self, "call_fp", NULL), *first = site(self, "first", "call_fp");
    const CallSite *on = site(self, "pass_on", "call_fp"), *second = site(self, "second", "pass_on");
    expect(inner->parameter == 1 && inner->indirect && inner->target_count == 2);
    expect(calls(self, inner, "reads") && calls(self, inner, "writes"));
    expect(first->binding_count == 1);
    expect(self->bindings.items[first->binding].function == function(self, "reads"));
    expect(self->bindings.items[first->binding].argument == 0);
    expect(on->binding_count == 1 && self->bindings.items[on->binding].function == NO_ID);
    expect(self->bindings.items[on->binding].parameter == 0 && self->bindings.items[on->binding].argument == 0);
    expect(second->binding_count == 1 && self->bindings.items[second->binding].function == function(self, "writes"));
    expect(!first->repeats && site(self, "looping", "reads")->repeats);
    expect(program_call(self, function(self, "first"), first->expr) == first);
    expect(!program_call(self, function(self, "first"), first->expr + 1));
}

static void test_registrations(const Program *self) {
    FunctionId thread = function(self, "thread_body");
    expect(self->registrations.count == 1);
    const Registration *one = &self->registrations.items[0];
    expect(one->handler == thread && one->from == function(self, "main") && one->fact->context == CONTEXT_THREAD);
    expect(self->functions.items[thread].contexts == 1u << CONTEXT_THREAD);
    expect(self->functions.items[thread].marks & MARK_THREAD_ONCE);
    expect(self->functions.items[thread].marks & MARK_ADDRESS_TAKEN);
    expect(!(self->functions.items[function(self, "reads")].marks & MARK_ROOT));
    expect(self->functions.items[function(self, "stops")].marks & MARK_NORETURN);
    expect(program_said(self, name_of(self, "pthread_mutex_lock")) & SAID_LOCK);
}

static void test_graph(const Program *self) {
    const ProgramFunction *reads = &self->functions.items[function(self, "reads")];
    expect(reads->caller_count == 2); // call_fp, looping
    for (u32 f = 0; f < self->functions.count; f++) {
        const ProgramFunction *one = &self->functions.items[f];
        for (u32 c = one->call; c < one->call + one->call_count; c++)
            for (u32 t = 0; t < self->calls.items[c].target_count; t++)
                expect(self->functions.items[self->targets.items[self->calls.items[c].target + t]].component <=
                       one->component);
    }
}

static void test_types(const Program *self) {
    RecordId node = program_record(self, 0, name_of(self, "node"), TYPE_STRUCT), owner;
    const Field *field;
    TypeRef type;
    expect(node != NO_ID);
    expect(record_member(self, node, name_of(self, "deep"), &owner, &field, &type) && owner != node);
    expect(type_kind(self, type_strip(self, type)) == TYPE_INT);
    expect(record_member(self, node, name_of(self, "next"), &owner, &field, &type) && owner == node);
    expect(type_record(self, type_target(self, type)) == node);
    expect(!record_member(self, node, name_of(self, "reads"), &owner, &field, &type));
    NameId a = name_of(self, "deep"), b = name_of(self, "next");
    NameId joined = program_join(self, a, b);
    expect(!strcmp(program_text(self, joined), "deep.next") && program_join(self, a, b) == joined);
    expect(program_join(self, 0, b) == b && program_join(self, a, 0) == a);
    expect(program_intern(self, "deep.next", 9) == joined && program_intern(self, "deep", 4) == a);
}

// Rows: 0 -> 1 -> 2 -> 1, 3 -> 3, 0 -> 3.
static void test_components(void) {
    static const u32 first[] = {0, 2, 3, 4, 5}, edges[] = {1, 3, 2, 1, 3};
    u32 component[4];
    expect(fill_components(4, first, edges, component) == 3);
    expect(component[1] == component[2] && component[0] > component[1] && component[0] > component[3]);
}

static const char source[] = "#include <pthread.h>\n"
                             "#include \"node.h\"\n"
                             "typedef int (*fn)(int);\n"
                             "static int reads(int x) { return x; }\n"
                             "static int writes(int x) { return x; }\n"
                             "static int call_fp(fn f, int x) { return f(x); }\n"
                             "static int pass_on(fn f, int x) { return call_fp(f, x); }\n"
                             "int first(void) { return call_fp(&reads, 1); }\n"
                             "int second(void) { return pass_on(writes, 2); }\n"
                             "void looping(int n) { while (n--) reads(n); }\n"
                             "void stops(void) __attribute__((noreturn));\n"
                             "void stops(void) { for (;;) ; }\n"
                             "static void *thread_body(void *p) { pthread_mutex_lock(p); pthread_mutex_unlock(p); }\n"
                             "int main(void) { pthread_t t; pthread_create(&t, 0, thread_body, 0); return 0; }\n";

int main(void) {
    const char *temporary = getenv("TMP");
    snprintf(directory, sizeof directory, "%s/link.XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(directory))
        die("cannot make %s", directory);
    char tree[1024];
    snprintf(tree, sizeof tree, "%s/tree", directory);
    mkdir(tree, 0777);
    write_file("node.h", "struct node { struct node *next; union { struct { int deep; }; long other; }; };\n");
    write_file("a.c", source);
    test_components();
    for (u32 jobs = 1; jobs <= 3; jobs += 2) {
        Declarations *declarations;
        Program *program = load(&declarations, jobs);
        test_bindings(program);
        test_registrations(program);
        test_graph(program);
        test_types(program);
        program_free(program);
        declarations_free(declarations);
    }
    printf("%s\n", failures ? "failed" : "ok");
    return failures > 0;
}
