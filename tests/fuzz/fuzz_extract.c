// fuzz_extract.c: stage one on hostile text, without database or threads.
// In: bytes; lines `//--- NAME` split them into files, the first is main.c. Out: nothing; what is wrong aborts.
// Each file goes the whole way: harvest, choose, expand, split, normalise, parse, lower, encode. The encoded
// tree is read back and must encode to the same bytes and dump to the same text; with some bytes changed it
// must be refused or be safe to dump.
#include "annotators/declare.h"
#include "extract/preprocess.h"
#include "extract/tree.h"

#include <sys/mman.h>
#include <unistd.h>

#define MOST_FILES 4

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

// Most of the time would go to memory that is put aside.
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "quarantine_size_mb=8:malloc_context_size=6"; }

// files -----------------------------------------------------------------------

static u8 kind_of(const char *path) {
    size_t length = strlen(path);
    char last = length > 2 && path[length - 2] == '.' ? path[length - 1] : 'h';
    return last == 'c' ? FILE_SOURCE : last == 'i' ? FILE_PREPROCESSED : FILE_HEADER;
}

static void add_file(Scan *scan, char *path, const u8 *text, size_t size) {
    int fd = memfd_create("fuzz", 0);
    check(fd >= 0 && (!size || write(fd, text, size) == (ssize_t)size));
    char full[40];
    snprintf(full, sizeof full, "/proc/self/fd/%d", fd);
    SourceFile file = {.path = path, .full = must_strdup(full), .kind = kind_of(path), .size = size, .command = -1};
    u32 at = scan->files.count;
    array_push(&scan->files, file);
    for (; at && strcmp(scan->files.items[at - 1].path, path) > 0; at--) {
        scan->files.items[at] = scan->files.items[at - 1];
        scan->files.items[at - 1] = file;
    }
}

static bool has_file(const Scan *scan, const char *path) {
    for (u32 i = 0; i < scan->files.count; i++)
        if (!strcmp(scan->files.items[i].path, path))
            return true;
    return false;
}

// Up to the next separator; its name, or NULL at the end.
static char *next_part(const u8 **at, const u8 *end, const u8 **stop) {
    for (const u8 *line = *at; line < end;) {
        const u8 *newline = memchr(line, '\n', (size_t)(end - line)), *past = newline ? newline : end;
        if (past - line > 6 && past - line < 40 && !memcmp(line, "//--- ", 6)) {
            char *name = must_zero((size_t)(past - line));
            memcpy(name, line + 6, (size_t)(past - line - 6));
            *stop = line;
            *at = newline ? newline + 1 : end;
            return name;
        }
        line = newline ? newline + 1 : end;
    }
    *stop = *at = end;
    return NULL;
}

static void split_input(Scan *scan, const u8 *data, size_t size) {
    const u8 *at = data, *end = data + size, *stop;
    char *path = must_strdup("main.c");
    while (path) {
        const u8 *first = at;
        char *next = next_part(&at, end, &stop);
        bool good = *path && strlen(path) == strcspn(path, "\\") && path[0] != '/' && !has_file(scan, path);
        if (good && scan->files.count < MOST_FILES)
            add_file(scan, path, first, (size_t)(stop - first));
        else
            free(path);
        path = next;
    }
}

static void close_files(Scan *scan) {
    for (u32 i = 0; i < scan->files.count; i++) {
        close(atoi(scan->files.items[i].full + strlen("/proc/self/fd/")));
        free(scan->files.items[i].path);
        free(scan->files.items[i].full);
    }
    array_free(&scan->files);
}

// checks ----------------------------------------------------------------------

static void dump_to(const Tree *tree, char **text, size_t *size) {
    FILE *out = open_memstream(text, size);
    check(out);
    tree_dump(tree, "main.c", NULL, out);
    fclose(out);
}

static void check_bodies(const Tree *tree, Body *body) {
    for (u32 i = 0; i < tree->functions.count; i++) {
        const Function *function = &tree->functions.items[i];
        check(tree_body(tree, i, body));
        check(body_fits(body, tree));
        Buffer again = {0};
        body_write(body, &again);
        check(again.size == function->body_size);
        check(!memcmp(again.bytes, tree->bodies.bytes + function->body_offset, again.size));
        buffer_free(&again);
        check(function->param_count <= body->vars.count);
        check(function->lost_bytes == 0 || function->lost_count > 0);
    }
}

static void check_same(const Tree *tree, const Tree *copy, const Buffer *head) {
    Buffer again = {0};
    char *text[2];
    size_t size[2];
    tree_write_head(copy, &again);
    check(again.size == head->size && !memcmp(again.bytes, head->bytes, head->size));
    dump_to(tree, &text[0], &size[0]);
    dump_to(copy, &text[1], &size[1]);
    check(size[0] == size[1] && !memcmp(text[0], text[1], size[0]));
    free(text[0]), free(text[1]);
    buffer_free(&again);
}

// Whatever is accepted must be safe to use.
static void check_mangled(Tree *copy, Buffer *head, Buffer *bodies, u64 seed) {
    for (u32 round = 0; round < 6; round++) {
        Buffer *bytes = round & 1 ? bodies : head;
        for (u32 i = 0; i <= round && bytes->size; i++) {
            seed = hash_mix(seed, i + 1);
            bytes->bytes[seed % bytes->size] ^= (u8)(seed >> 40 | 1);
        }
        if (!tree_read_head(copy, head->bytes, head->size))
            continue;
        buffer_put(&copy->bodies, bodies->bytes, bodies->size);
        char *text;
        size_t size;
        dump_to(copy, &text, &size);
        free(text);
    }
}

static void check_encoding(const Tree *tree, u64 seed) {
    Buffer head = {0}, bodies = {0};
    Tree copy = {0};
    Body body = {0};
    check_bodies(tree, &body);
    tree_write_head(tree, &head);
    check(tree_read_head(&copy, head.bytes, head.size));
    buffer_put(&bodies, tree->bodies.bytes, tree->bodies.size);
    buffer_put(&copy.bodies, bodies.bytes, bodies.size);
    check_same(tree, &copy, &head);
    check_mangled(&copy, &head, &bodies, seed);
    buffer_free(&head), buffer_free(&bodies);
    body_free(&body);
    tree_free(&copy);
}

// one input -------------------------------------------------------------------

static u32 count_none(void *context, const char *name) {
    (void)context;
    return !strcmp(name, "mutex_lock");
}

static Declarations *load_declarations(void) {
    static const char *const presets[] = {"linux"};
    DeclareOptions options = {.presets = presets, .preset_count = 1, .count = count_none};
    return declarations_load(&options);
}

static void run_unit(Worker *worker, const Harvest *harvest, u32 index) {
    const SourceFile *file = &harvest->scan->files.items[index];
    size_t size;
    char *text = file_read(file->full, &size);
    check(text);
    unit_begin(worker, index);
    unit_trees(worker, text, size);
    u32 hashes[2] = {worker->used.count ? worker->names.names.items[worker->used.items[0]].hash : 0, UINT32_MAX};
    Key first = unit_environment(worker, hashes, 2), second = unit_environment(worker, hashes, 2);
    check(key_equal(first, second));
    check_encoding(&worker->tree, file->content.a);
    free(text);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size) {
    static Declarations *declarations;
    if (!declarations) {
        setenv("RACERX_ABORT", "1", 1);
        declarations = load_declarations();
    }
    DefineOptions defines = {0};
    Harvest harvest = {0};
    Scan scan = {0};
    split_input(&scan, data, size);
    harvest_scan(&harvest, &scan, 1);
    harvest_index(&harvest);
    Worker *worker = worker_new(&harvest, &defines);
    worker->declarations = declarations;
    worker->allowance = 50000; // explosions are bounded all the same, and soon enough for a fuzzer
    harvest_choose(&harvest, &worker, 1);
    for (u32 i = 0; i < scan.files.count; i++)
        run_unit(worker, &harvest, i);
    parsing_free(worker);
    worker_free(worker);
    harvest_free(&harvest);
    close_files(&scan);
    skip_reset();
    return 0;
}
