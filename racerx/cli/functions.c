// functions.c: `racerx functions`: every function with a body that the database knows.
// In: the linked program (with --quick: the heads of the trees). Out: one line each, sorted by file, line and
// name. The lines are made before anything is printed, so that a slow reader of them does not keep the database
// busy.
#include "extract/tree.h"
#include "racerx/cli/command_link.h"

#include <fnmatch.h>

typedef struct {
    const char *db;
    Format format;
    TextArray files; // globs
    TextArray annotators;
    u32 jobs;
    bool quick, stats, no_config;
} FunctionsArguments;

typedef struct {
    const char *file, *name; // in the listing's arena
    u32 line, end_line, lost_bytes;
    u32 flags;    // DECL_…
    u32 contexts; // 1 << CONTEXT_…: how it is started; 0: only called, or not linked
    u32 marks;    // MARK_…; 0: not linked
} Row;

typedef struct {
    Array(Row) rows;
    Arena arena;
    const TextArray *globs; // of files; empty: all
    const char *wanted;     // name or glob of the function; NULL: all
    const char *file;       // of the last row; NULL: none
} FunctionListing;

// gathering -------------------------------------------------------------------

static bool file_wanted(const FunctionListing *self, const char *path) {
    const char *slash = strrchr(path, '/');
    for (u32 i = 0; i < self->globs->count; i++)
        if (!fnmatch(self->globs->items[i], path, 0) || (slash && !fnmatch(self->globs->items[i], slash + 1, 0)))
            return true;
    return !self->globs->count;
}

static void add_row(FunctionListing *self, const Row *row) {
    Row copy = *row;
    copy.name = arena_copy(&self->arena, row->name, strlen(row->name));
    array_push(&self->rows, copy);
}

static void add_functions(FunctionListing *self, const Tree *tree, const char *path) {
    const char *file = NULL;
    for (u32 i = 0; i < tree->functions.count; i++) {
        const Function *function = &tree->functions.items[i];
        const char *name = tree_text(tree, function->name);
        const char *own = function->file ? tree_text(tree, function->file) : path; // .i: as its markers say
        if ((self->wanted && fnmatch(self->wanted, name, 0)) || !file_wanted(self, own))
            continue;
        if (own == path)
            own = file ? file : (file = arena_copy(&self->arena, path, strlen(path)));
        else
            own = arena_copy(&self->arena, own, strlen(own));
        add_row(self, &(Row){own, name, function->place.line, function->end_line, function->lost_bytes, function->flags,
                             0, 0});
    }
}

// The same from a linked program, which also knows where control starts.
static void add_linked(void *context, const AtlasFunction *function) {
    FunctionListing *self = context;
    if ((self->wanted && fnmatch(self->wanted, function->name, 0)) || !file_wanted(self, function->path))
        return;
    if (!self->file || strcmp(self->file, function->path))
        self->file = arena_copy(&self->arena, function->path, strlen(function->path));
    add_row(self, &(Row){self->file, function->name, function->line, function->end_line, function->lost_bytes,
                         function->flags, function->contexts, function->marks});
}

static void gather_linked(FunctionListing *self, const FunctionsArguments *arguments) {
    LinkArguments link = {.db = arguments->db, .jobs = arguments->jobs, .stats = arguments->stats};
    link.annotators = arguments->annotators;
    link.no_config = arguments->no_config;
    Lookup lookup = lookup_open(&link);
    U32Array ids = {0};
    if (self->wanted && !strpbrk(self->wanted, "*?[\\")) {
        AtlasFunction function;
        atlas_named(lookup.atlas, self->wanted, &ids);
        for (u32 i = 0; i < ids.count; i++)
            if (atlas_function(lookup.atlas, ids.items[i], &function))
                add_linked(self, &function);
    } else {
        atlas_each(lookup.atlas, false, add_linked, self);
    }
    array_free(&ids);
    lookup_close(&lookup);
}

static int compare_rows(const void *left, const void *right) {
    const Row *a = left, *b = right;
    int order = a->file == b->file ? 0 : strcmp(a->file, b->file);
    if (!order)
        order = a->line < b->line ? -1 : a->line > b->line;
    if (!order)
        order = strcmp(a->name, b->name);
    if (!order)
        order = a->end_line < b->end_line ? -1 : a->end_line > b->end_line;
    return order ? order : a->flags < b->flags ? -1 : a->flags > b->flags;
}

// A header's function that several preprocessed files carry is one function.
static void sort_rows(FunctionListing *self) {
    u32 kept = 0;
    if (self->rows.count)
        qsort(self->rows.items, self->rows.count, sizeof(Row), compare_rows);
    for (u32 i = 0; i < self->rows.count; i++) {
        const Row *row = &self->rows.items[i];
        Row *last = &self->rows.items[kept ? kept - 1 : 0];
        if (!kept || row->line != last->line || strcmp(row->name, last->name) || strcmp(row->file, last->file))
            self->rows.items[kept++] = *row;
        else
            last->contexts |= row->contexts, last->marks |= row->marks;
    }
    self->rows.count = kept;
}

static void gather(FunctionListing *self, const char *db) {
    Store *store = store_open(db, STORE_READ);
    SourceFileArray files = {0};
    Tree tree = {0};
    Buffer head = {0};
    store_load_files(store, &files);
    if (!files.count)
        fatal("%s holds no finished run: complete it with `racerx extract DIR`", db ? db : store_default());
    for (u32 i = 0; i < files.count; i++) {
        const SourceFile *file = &files.items[i];
        head.size = 0;
        // Only preprocessed files hold functions of another path than their own.
        if (file->kind != FILE_PREPROCESSED && !file_wanted(self, file->path))
            continue;
        if (!store_get_head(store, file->tree, &head))
            continue; // could not be read when the list was made
        if (!tree_read_head(&tree, head.bytes, head.size))
            fatal("%s is damaged: the tree of %s cannot be read; remove it and run `racerx extract` again",
                  db ? db : store_default(), quote_path(file->path));
        add_functions(self, &tree, file->path);
    }
    buffer_free(&head);
    tree_free(&tree);
    source_files_free(&files);
    store_close(store);
}

// printing --------------------------------------------------------------------

static const char *row_mark(const Row *row, u32 n) { return mark_word_at(row->flags, row->contexts, row->marks, n); }

static void print_jsonl(const FunctionListing *self, Buffer *out) {
    for (u32 i = 0; i < self->rows.count; i++) {
        const Row *row = &self->rows.items[i];
        const char *mark;
        buffer_text(out, "{\"file\":");
        buffer_json(out, row->file, strlen(row->file));
        buffer_format(out, ",\"line\":%u,\"function\":", row->line);
        buffer_json(out, row->name, strlen(row->name));
        buffer_text(out, ",\"marks\":[");
        for (u32 m = 0; (mark = row_mark(row, m)); m++)
            buffer_format(out, "%s\"%s\"", m ? "," : "", mark);
        buffer_format(out, "],\"end_line\":%u,\"lost_bytes\":%u}\n", row->end_line, row->lost_bytes);
    }
}

static u32 place_width(const Row *row) {
    char number[16];
    return (u32)strlen(row->file) + 1 + (u32)snprintf(number, sizeof number, "%u", row->line);
}

// Widths of the two columns, as wide as needed up to a bound.
static void measure(const FunctionListing *self, u32 *place, u32 *name) {
    *place = *name = 0;
    for (u32 i = 0; i < self->rows.count; i++) {
        u32 width = place_width(&self->rows.items[i]), length = (u32)strlen(self->rows.items[i].name);
        *place = width > *place ? width : *place;
        *name = length > *name ? length : *name;
    }
    *place = *place > 60 ? 60 : *place;
    *name = *name > 40 ? 40 : *name;
}

static void print_text(const FunctionListing *self, Buffer *out) {
    u32 place_column, name_column;
    bool colour = colour_wanted(stdout);
    measure(self, &place_column, &name_column);
    for (u32 i = 0; i < self->rows.count; i++) {
        const Row *row = &self->rows.items[i];
        char *file = quote_path(row->file);
        u32 width = place_width(row), length = (u32)strlen(row->name);
        buffer_format(out, "%s:%u%*s  %s%s%s", file, row->line, width < place_column ? (int)(place_column - width) : 0,
                      "", colour ? "\033[1m" : "", row->name, colour ? "\033[0m" : "");
        free(file);
        const char *mark;
        for (u32 m = 0; (mark = row_mark(row, m)); m++) {
            if (!m)
                buffer_format(out, "%*s ", length < name_column ? (int)(name_column - length) : 0, "");
            buffer_format(out, " %s", mark);
        }
        buffer_byte(out, '\n');
    }
}

static int functions_run(const Command *self, int count, char **words) {
    FunctionsArguments arguments = {0};
    TextArray rest = {0};
    arguments_read(self, count, words, &arguments, &rest);
    if (rest.count > 1)
        fatal("functions takes one NAME; '%s' is one too many", rest.items[1]);
    FunctionListing listing = {.globs = &arguments.files, .wanted = rest.count ? rest.items[0] : NULL};
    Buffer out = {0};
    if (arguments.quick)
        gather(&listing, arguments.db);
    else
        gather_linked(&listing, &arguments);
    sort_rows(&listing);
    if (!listing.rows.count)
        note("no function%s%s%s", listing.wanted ? " is called " : "", listing.wanted ? listing.wanted : "",
             arguments.files.count ? " in these files" : "");
    if (arguments.format == FORMAT_JSONL)
        print_jsonl(&listing, &out);
    else
        print_text(&listing, &out);
    write_output(&out);
    buffer_free(&out);
    array_free(&listing.rows);
    arena_free(&listing.arena);
    array_free(&arguments.files);
    array_free(&arguments.annotators);
    array_free(&rest);
    return 0;
}

static const Option functions_options[] = {
    {OPTION_TEXT, 0, "db", "FILE", offsetof(FunctionsArguments, db), "the database (default: " STORE_DEFAULT_PATH ")"},
    {OPTION_FORMAT, 0, "format", "FORMAT", offsetof(FunctionsArguments, format),
     "text (default), or jsonl: one JSON object per function and line"},
    {OPTION_LIST, 0, "file", "GLOB", offsetof(FunctionsArguments, files),
     "only functions in files of this path or name; repeatable"},
    {OPTION_FLAG, 0, "quick", NULL, offsetof(FunctionsArguments, quick),
     "do not link: only what the files say themselves, without root and the marks after it"},
    {OPTION_LIST, 0, "annotator", "FILE", offsetof(FunctionsArguments, annotators),
     "also run this Lua script, as `extract` did; repeatable"},
    {OPTION_FLAG, 0, "no-config", NULL, offsetof(FunctionsArguments, no_config),
     "do not run the racerx.lua of the analysed directories"},
    {OPTION_NUMBER, 'j', "jobs", "N", offsetof(FunctionsArguments, jobs), "threads (default: one per processor)"},
    {OPTION_FLAG, 0, "stats", NULL, offsetof(FunctionsArguments, stats), "print on standard error what was linked"},
    {0},
};

const Command command_functions = {
    .name = "functions",
    .arguments = "[NAME]",
    .summary = "list the functions that were read",
    .details =
        "Lists every function with a body, sorted by file, line and name; with NAME (a glob) only those called so.\n"
        "The marks after a name: static, inline, alternative (defined in a conditional arm that was not chosen),\n"
        "from-macro (a macro wrote its header), incomplete (part of its body was not understood); root (control\n"
        "starts here), and how, when that is known: thread, interrupt, softirq, timer, work, syscall, init, exit,\n"
        "signal; what annotators say: multithreaded, single-threaded, interrupt, init, attach, ignore; by-equivalence "
        "(one of\n"
        "these was said of a function that is stored in the same place).\n"
        "\n"
        "JSON lines: {\"file\",\"line\",\"function\",\"marks\":[…],\"end_line\",\"lost_bytes\"}\n"
        "\n"
        "  racerx functions --file 'drivers/*' '*_open'\n",
    .options = functions_options,
    .run = functions_run,
};
