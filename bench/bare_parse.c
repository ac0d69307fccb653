// bare_parse.c: what the grammar alone costs. Every .c file of a tree is read and parsed
// once by tree-sitter, on N threads, and the tree thrown away. The extractor's time is
// measured against this one.
//
// IN  directories and files as arguments, or `-`: names on standard input, one a line.
// OUT one line: `seconds=S files=N bytes=N errors=N` (errors: files whose tree has one).
#include "base/base.h"

#include <fts.h>
#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_c(void);

#define MOST_WORKERS 256

typedef struct {
    PathArray paths;                 // sorted, so that every run does the same work in the same order
    TSParser *parsers[MOST_WORKERS]; // one per thread
    u64 bytes[MOST_WORKERS];         // read by each thread
    u32 files[MOST_WORKERS];         // parsed by each thread
    u32 errors[MOST_WORKERS];        // trees with an error in them, by thread
} BareParse;

static bool ends_in_c(const char *path) {
    size_t length = strlen(path);
    return length > 2 && !strcmp(path + length - 2, ".c");
}

static void walk_tree(BareParse *self, char *root) {
    char *roots[] = {root, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    if (!walk)
        fatal("%s: cannot be read; give a directory or a .c file", root);
    for (FTSENT *entry; (entry = fts_read(walk));)
        if (entry->fts_info == FTS_F && ends_in_c(entry->fts_path))
            array_push(&self->paths, must_strdup(entry->fts_path));
    fts_close(walk);
}

static void read_list(BareParse *self) {
    char *line = NULL;
    size_t capacity = 0;
    for (ssize_t length; (length = getline(&line, &capacity, stdin)) > 0;) {
        if (line[length - 1] == '\n')
            line[length - 1] = 0;
        array_push(&self->paths, must_strdup(line));
    }
    free(line);
}

static void parse_file(void *context, u32 worker, u32 index) {
    BareParse *self = context;
    size_t size;
    char *text = file_read(self->paths.items[index], &size);
    if (!text)
        return;
    TSTree *tree = size <= UINT32_MAX ? ts_parser_parse_string(self->parsers[worker], NULL, text, (u32)size) : NULL;
    if (tree) {
        self->errors[worker] += ts_node_has_error(ts_tree_root_node(tree));
        self->bytes[worker] += size;
        self->files[worker]++;
        ts_tree_delete(tree);
    }
    free(text);
}

static int compare_paths(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static void parse_all(BareParse *self, u32 jobs) {
    for (u32 i = 0; i < jobs; i++) {
        self->parsers[i] = ts_parser_new();
        if (!ts_parser_set_language(self->parsers[i], tree_sitter_c()))
            fatal("the tree-sitter runtime refuses the C grammar: its ABI is too new; see extract/grammar.sh");
    }
    parallel_for(jobs, self->paths.count, parse_file, self);
    for (u32 i = 0; i < jobs; i++)
        ts_parser_delete(self->parsers[i]);
}

int main(int argc, char **argv) {
    static BareParse self;
    u32 jobs = cpu_count();
    int first = 1;
    if (argc > 2 && !strcmp(argv[1], "-j")) {
        jobs = (u32)strtoul(argv[2], NULL, 10);
        first = 3;
    }
    if (first >= argc || !jobs || jobs > MOST_WORKERS)
        fatal("usage: bare_parse [-j N] DIR|FILE|- ...");
    for (int i = first; i < argc; i++)
        if (!strcmp(argv[i], "-"))
            read_list(&self);
        else
            walk_tree(&self, argv[i]);
    if (self.paths.count)
        qsort(self.paths.items, self.paths.count, sizeof *self.paths.items, compare_paths);
    double start = clock_seconds();
    parse_all(&self, jobs);
    double seconds = clock_seconds() - start;
    u64 bytes = 0, files = 0, errors = 0;
    for (u32 i = 0; i < jobs; i++) {
        bytes += self.bytes[i];
        files += self.files[i];
        errors += self.errors[i];
    }
    printf("seconds=%.2f files=%llu bytes=%llu errors=%llu\n", seconds, (unsigned long long)files,
           (unsigned long long)bytes, (unsigned long long)errors);
    return 0;
}
