// dump.c: `racerx dump FILE[:FUNCTION]`: one tree of the database, as readable text.
#include "extract/tree.h"
#include "racerx/cli/command_link.h"
#include "racerx/facts/analysis.h"

typedef struct {
    const char *db;
    bool types;
    bool skeleton, events, ways, samples;
} DumpArguments;

// Whether `path` is `wanted`, or ends in it at a '/'.
static bool ends_in(const char *path, const char *wanted, size_t length) {
    size_t total = strlen(path);
    return total >= length && !memcmp(path + total - length, wanted, length) &&
           (total == length || path[total - length - 1] == '/');
}

static _Noreturn void say_ambiguous(const SourceFileArray *files, const char *wanted, size_t length) {
    Buffer list = {0};
    u32 shown = 0;
    for (u32 i = 0; i < files->count; i++)
        if (ends_in(files->items[i].path, wanted, length) && shown++ < 5) {
            char *path = quote_path(files->items[i].path);
            buffer_format(&list, "%s%s", shown > 1 ? ", " : "", path);
            free(path);
        }
    fatal("several files end in %.*s: %.*s%s; write more of the path", (int)length, wanted, (int)list.size,
          (char *)list.bytes, shown > 5 ? " …" : "");
}

const SourceFile *find_file(const SourceFileArray *files, const char *wanted, size_t length) {
    const SourceFile *found = NULL;
    u32 matches = 0;
    char *copy = must_alloc(length + 1);
    memcpy(copy, wanted, length);
    copy[length] = 0;
    char *real = realpath(copy, NULL);
    free(copy);
    for (u32 i = 0; i < files->count; i++) {
        const SourceFile *file = &files->items[i];
        bool whole = strlen(file->path) == length && !memcmp(file->path, wanted, length);
        if (whole || (real && !strcmp(real, file->full))) {
            free(real);
            return file;
        }
        if (ends_in(file->path, wanted, length)) {
            found = file;
            matches++;
        }
    }
    free(real);
    if (matches > 1)
        say_ambiguous(files, wanted, length);
    return found;
}

static void check_function(const Tree *tree, const char *path, const char *function) {
    Array(const char *) names = {0};
    for (u32 i = 0; i < tree->functions.count; i++) {
        const char *name = tree_text(tree, tree->functions.items[i].name);
        if (!strcmp(name, function)) {
            array_free(&names);
            return;
        }
        array_push(&names, name);
    }
    array_push(&names, NULL);
    const char *near = nearest_word(function, names.items);
    char *shown = quote_path(path);
    if (near)
        fatal("%s has no function '%s': did you mean '%s'?", shown, function, near);
    fatal("%s has no function '%s': `racerx functions --file GLOB` lists what there is", shown, function);
}

// With what linking all files says of this one.
static void dump_linked(const DumpArguments *arguments, const Tree *tree, const char *path, const char *function) {
    LinkArguments link = {.db = arguments->db};
    Linked linked = link_database(&link);
    char *text;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        fatal("cannot hold the dump in memory: %m");
    tree_dump(tree, path, function, memory);
    fclose(memory);
    print_typed_dump(linked.program, path, function, text, size);
    free(text);
    linked_free(&linked);
}

// What the analysis makes of one function, room by room.
static void dump_analysed(const DumpArguments *arguments, const char *path, const char *function) {
    LinkArguments link = {.db = arguments->db};
    Linked linked = link_database(&link);
    const Program *program = linked.program;
    AnalysisOptions options = {.p0 = ANALYSIS_P0, .wide = ANALYSIS_WIDE};
    u32 wanted = (arguments->skeleton ? DUMP_SKELETON : 0) | (arguments->events ? DUMP_EVENTS : 0) |
                 (arguments->ways ? DUMP_WAYS : 0) | (arguments->samples ? DUMP_SAMPLES : 0);
    Buffer out = {0};
    for (FunctionId f = 0; f < program->functions.count; f++)
        if (!strcmp(program_text(program, program->functions.items[f].name), function) &&
            !strcmp(program->files.items[program->functions.items[f].file].path, path))
            dump_products(linked.program, &options, f, wanted, &out);
    write_output(&out);
    buffer_free(&out);
    linked_free(&linked);
}

static void dump_file(const DumpArguments *arguments, Store *store, const SourceFile *file, const char *function) {
    Tree tree = {0};
    Buffer head = {0};
    char *shown = quote_path(file->path);
    if (!store_get_head(store, file->tree, &head))
        fatal("%s was skipped: it has no tree", shown);
    if (!tree_read_head(&tree, head.bytes, head.size) || !store_get_bodies(store, file->tree, &tree.bodies))
        fatal("the tree of %s is damaged: remove the database and run `racerx extract` again", shown);
    if (function)
        check_function(&tree, file->path, function);
    if (arguments->skeleton || arguments->events || arguments->ways || arguments->samples) {
        if (!function)
            fatal("--skeleton, --events, --ways and --samples are of one function: write FILE:FUNCTION");
        dump_analysed(arguments, file->path, function);
    } else if (arguments->types)
        dump_linked(arguments, &tree, file->path, function);
    else
        tree_dump(&tree, file->path, function, stdout);
    buffer_free(&head);
    tree_free(&tree);
    free(shown);
}

static int dump_run(const Command *self, int count, char **words) {
    DumpArguments arguments = {0};
    TextArray rest = {0};
    arguments_read(self, count, words, &arguments, &rest);
    if (rest.count != 1)
        fatal("dump takes one FILE or FILE:FUNCTION (see `racerx dump --help`)");
    const char *wanted = rest.items[0], *function = NULL;
    Store *store = store_open(arguments.db, STORE_READ);
    SourceFileArray files = {0};
    store_load_files(store, &files);
    const SourceFile *file = find_file(&files, wanted, strlen(wanted));
    const char *colon = strrchr(wanted, ':'); // a name may have one of its own: the whole is tried first
    if (!file && colon && colon[1]) {
        file = find_file(&files, wanted, (size_t)(colon - wanted));
        function = colon + 1;
    }
    if (!file)
        fatal("%s: no such file in the database: `racerx functions` shows what there is", quote_path(wanted));
    dump_file(&arguments, store, file, function);
    source_files_free(&files);
    array_free(&rest);
    store_close(store);
    return 0;
}

static const Option dump_options[] = {
    {OPTION_TEXT, 0, "db", "FILE", offsetof(DumpArguments, db), "the database (default: " STORE_DEFAULT_PATH ")"},
    {OPTION_FLAG, 0, "types", NULL, offsetof(DumpArguments, types),
     "link all files, and print behind each access the object it reaches, behind each call what it calls"},
    {OPTION_FLAG, 0, "skeleton", NULL, offsetof(DumpArguments, skeleton),
     "what the analysis keeps of the function: lock operations, accesses, calls, what branches test"},
    {OPTION_FLAG, 0, "events", NULL, offsetof(DumpArguments, events),
     "what the walk met in the function, with which locks, for each way it was entered"},
    {OPTION_FLAG, 0, "ways", NULL, offsetof(DumpArguments, ways),
     "the ways on which control comes to it: from which root, by which call, holding what"},
    {OPTION_FLAG, 0, "samples", NULL, offsetof(DumpArguments, samples),
     "its accesses of shared data, each with its protection and the root it is reached from"},
    {0},
};

const Command command_dump = {
    .name = "dump",
    .arguments = "FILE[:FUNCTION]",
    .summary = "print what was read of one file",
    .details =
        "Prints the tree of a file as text: types, declarations, and the control flow of every function, or of one.\n"
        "FILE is a path as `racerx functions` shows it, or as much of its end as is unique.\n"
        "\n"
        "  racerx dump kernel/fork.c:copy_process\n"
        "  racerx dump fork.c\n"
        "  racerx dump --types fork.c:copy_process\n"
        "\n"
        "--skeleton, --events, --ways and --samples analyse the whole tree again, as `racerx check` does, and print "
        "what each\n"
        "stage made of one function. They are for whoever works on racerx, or wonders what it saw.\n",
    .options = dump_options,
    .run = dump_run,
};
