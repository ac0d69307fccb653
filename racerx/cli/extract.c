// extract.c: `racerx extract`: a source tree in, trees in the database out.
#include "racerx/cli/command.h"

#include <errno.h>
#include <sys/stat.h>

static void check_names(const TextArray *list, const char *option, bool with_value) {
    for (u32 i = 0; i < list->count; i++) {
        size_t length = with_value ? strcspn(list->items[i], "=") : strlen(list->items[i]);
        if (!is_macro_name(list->items[i], length))
            fatal("--%s: '%s' does not begin with a C name", option, list->items[i]);
    }
}

static bool is_gathered(const PathArray *scripts, const char *path) { // under whatever name
    struct stat info, other;
    if (stat(path, &info))
        return false;
    for (u32 i = 0; i < scripts->count; i++)
        if (!stat(scripts->items[i], &other) && info.st_ino == other.st_ino && info.st_dev == other.st_dev)
            return true;
    return false;
}

static bool links_followed; // by --follow-links, now or when the tree was read

bool tree_file(const ExtractArguments *arguments, const char *directory, const char *name, Buffer *path) {
    static bool said; // once: a run asks several times
    struct stat info;
    path->size = 0;
    buffer_format(path, "%s/%s", directory, name);
    buffer_byte(path, 0);
    errno = 0;
    if (stat(directory, &info) || !S_ISDIR(info.st_mode) || lstat((char *)path->bytes, &info)) {
        if (errno && errno != ENOENT && errno != ENOTDIR) // what it says would be missing, and nobody would know
            fatal("cannot look at %s: %s", quote_path((char *)path->bytes), strerror(errno));
        return false;
    }
    bool follow = arguments->follow_links || links_followed;
    const char *why = !follow && path_leads_out((char *)path->bytes, directory)
                          ? "leads out of the tree: it is not read; --follow-links reads it"
                      : stat((char *)path->bytes, &info) || !S_ISREG(info.st_mode) ? "is no file: it is not read"
                                                                                   : NULL;
    if (why && !said)
        note("%s %s", quoted_path((char *)path->bytes), why);
    said |= why != NULL;
    return !why;
}

// racerx.lua at the top of every directory that is analysed, then the user's scripts.
void gather_scripts(const ExtractArguments *arguments, const TextArray *paths, PathArray *scripts) {
    for (u32 i = 0; !arguments->no_config && i < paths->count; i++) {
        Buffer path = {0};
        if (tree_file(arguments, paths->items[i], "racerx.lua", &path))
            array_push(scripts, must_strdup((char *)path.bytes));
        buffer_free(&path);
    }
    for (u32 i = 0; i < arguments->annotators.count; i++)
        if (!is_gathered(scripts, arguments->annotators.items[i]))
            array_push(scripts, must_strdup(arguments->annotators.items[i]));
}

// Later commands look there for a racerx.lua. Written only when it changes: a run with nothing to do writes nothing.
static void remember_paths(Store *store, const ExtractArguments *arguments, const TextArray *paths) {
    Buffer all = {0};
    size_t size = 0;
    for (u32 i = 0; !arguments->no_config && i < paths->count; i++) {
        char *full = realpath(paths->items[i], NULL);
        buffer_put(&all, full ? full : "", full ? strlen(full) + 1 : 0);
        free(full);
    }
    char *before = store_get_meta(store, "paths", &size);
    if (!before || size != all.size || (size && memcmp(before, all.bytes, size))) {
        store_set_meta(store, "paths", all.bytes ? (char *)all.bytes : "", all.size);
        store_commit(store);
    }
    char *followed = store_get_meta(store, "follow-links", NULL);
    if (arguments->follow_links != (followed && *followed)) {
        store_set_meta(store, "follow-links", "1", arguments->follow_links);
        store_commit(store);
    }
    free(followed);
    free(before);
    buffer_free(&all);
}

// As seen from where we are, so that messages are short.
static char *path_from_here(const char *path) {
    char *here = realpath(".", NULL);
    size_t length = here ? strlen(here) : 0;
    bool below = length > 1 && !strncmp(path, here, length);
    const char *rest = below && path[length] == '/' ? path + length + 1 : below && !path[length] ? "." : path;
    char *copy = must_strdup(rest);
    free(here);
    return copy;
}

void remembered_paths(Store *store, PathArray *paths) {
    size_t size = 0;
    char *all = store_get_meta(store, "paths", &size), *followed = store_get_meta(store, "follow-links", NULL);
    links_followed = followed && *followed;
    free(followed);
    for (size_t at = 0; all && at < size; at += strlen(all + at) + 1)
        array_push(paths, path_from_here(all + at));
    free(all);
}

void paths_free(PathArray *paths) {
    for (u32 i = 0; i < paths->count; i++)
        free(paths->items[i]);
    array_free(paths);
}

static void choose_presets(const ExtractArguments *arguments, DeclareOptions *declare) {
    const TextArray *wanted = &arguments->presets;
    static const char *const none[] = {NULL};
    for (u32 i = 0; i < wanted->count; i++)
        if (!strcmp(wanted->items[i], "none") && wanted->count > 1)
            fatal("--preset none goes with no other preset");
    if (wanted->count && !strcmp(wanted->items[0], "none"))
        declare->presets = none;
    else if (wanted->count) {
        declare->presets = wanted->items;
        declare->preset_count = wanted->count;
    }
}

static void check_paths(const TextArray *paths) {
    struct stat info;
    for (u32 i = 0; i < paths->count; i++)
        if (!*paths->items[i])
            fatal("the path is empty: name a directory or a C file");
        else if (stat(paths->items[i], &info))
            fatal("cannot read %s: %m", quote_path(paths->items[i]));
}

// "2/8": the second of eight.
static void read_shard(const char *text, ExtractOptions *options) {
    char *slash, *end;
    unsigned long shard = strtoul(text, &slash, 10), shards = *slash == '/' ? strtoul(slash + 1, &end, 10) : 0;
    if (*slash != '/' || *end || !shard || shard > shards || shards > 10000)
        fatal("--shard: '%s' is no share: write 1/8 for the first of eight", quote_path(text));
    options->shard = (u32)shard - 1;
    options->shards = (u32)shards;
}

void extract_paths(const ExtractArguments *arguments, const TextArray *paths, ExtractStats *stats) {
    check_names(&arguments->defines, "define", true);
    check_names(&arguments->undefines, "undefine", false);
    check_paths(paths); // before a database is made for nothing
    diag_set_quiet(arguments->quiet);
    PathArray scripts = {0};
    gather_scripts(arguments, paths, &scripts);
    ExtractOptions options = {
        .scan = {.paths = paths->items,
                 .path_count = paths->count,
                 .excludes = arguments->excludes.items,
                 .exclude_count = arguments->excludes.count,
                 .max_file_size = arguments->max_file_size ? arguments->max_file_size : SCAN_MAX_FILE_SIZE,
                 .compile_commands = arguments->compile_commands,
                 .only_compiled = arguments->only_compiled,
                 .follow_links = arguments->follow_links},
        .defines = arguments->defines.items,
        .define_count = arguments->defines.count,
        .undefines = arguments->undefines.items,
        .undefine_count = arguments->undefines.count,
        .declare = {.scripts = (const char *const *)scripts.items, .script_count = scripts.count},
        .jobs = arguments->jobs ? arguments->jobs : cpu_count(),
    };
    choose_presets(arguments, &options.declare);
    if (arguments->shard)
        read_shard(arguments->shard, &options);
    Store *store = store_make(arguments->db, arguments->no_wait ? STORE_WRITE_NOW : STORE_WRITE);
    *stats = (ExtractStats){0};
    extract(&options, store, stats);
    if (!options.shards) {
        remember_paths(store, arguments, paths);
        remember_facts(store, stats, paths);
    }
    store_close(store);
    if (!arguments->quiet)
        skip_report(stderr, arguments->stats ? UINT32_MAX : 10);
    if (arguments->stats)
        print_stats(stats, stderr);
    paths_free(&scripts);
}

void extract_arguments_free(ExtractArguments *arguments) {
    array_free(&arguments->defines);
    array_free(&arguments->undefines);
    array_free(&arguments->excludes);
    array_free(&arguments->presets);
    array_free(&arguments->annotators);
    array_free(&arguments->ranks);
    array_free(&arguments->settings);
    array_free(&arguments->suppressions);
}

void extract_stats_free(ExtractStats *stats) {
    for (u32 i = 0; i < stats->worst_count; i++) {
        free(stats->worst[i].file);
        free(stats->worst[i].why);
    }
    free(stats->presets);
    *stats = (ExtractStats){0};
}

static int extract_run(const Command *self, int count, char **words) {
    ExtractArguments arguments = {0};
    TextArray paths = {0};
    ExtractStats stats;
    arguments_read(self, count, words, &arguments, &paths);
    if (!paths.count)
        fatal("extract needs a PATH: a directory or a C file (see `racerx extract --help`)");
    extract_paths(&arguments, &paths, &stats);
    if (!arguments.quiet && arguments.shard)
        note("share %s is read: `racerx link` puts all of them together", arguments.shard);
    else if (!arguments.quiet && !arguments.stats)
        print_summary(&stats, arguments.db, stderr);
    extract_stats_free(&stats);
    extract_arguments_free(&arguments);
    array_free(&paths);
    return 0;
}

#define AT(field) offsetof(ExtractArguments, field)
const Option extract_options[] = {
    {OPTION_TEXT, 0, "db", "FILE", AT(db), "the database (default: " STORE_DEFAULT_PATH ", made when missing)"},
    {OPTION_NUMBER, 'j', "jobs", "N", AT(jobs), "threads (default: one per processor)"},
    {OPTION_LIST, 'D', "define", "NAME[=VALUE]", AT(defines), "take a preprocessor name as defined; repeatable"},
    {OPTION_LIST, 'U', "undefine", "NAME", AT(undefines), "take a preprocessor name as not defined; repeatable"},
    {OPTION_LIST, 'x', "exclude", "GLOB", AT(excludes), "leave out files and directories by path or name; repeatable"},
    {OPTION_SIZE, 0, "max-file-size", "SIZE", AT(max_file_size), "skip larger files (default: 32M; K, M, G are known)"},
    {OPTION_TEXT, 0, "compile-commands", "FILE", AT(compile_commands),
     "take -D, -U and -I from this compile_commands.json (default: the one in DIR or DIR/build, if any)"},
    {OPTION_FLAG, 0, "only-compiled", NULL, AT(only_compiled),
     "of the .c files, read only those in compile_commands.json"},
    {OPTION_FLAG, 0, "follow-links", NULL, AT(follow_links), "also read files that links in the tree lead out to"},
    {OPTION_LIST, 0, "preset", "NAME", AT(presets),
     "use this lock table, or `none` (default: those whose functions the code calls); repeatable"},
    {OPTION_LIST, 0, "annotator", "FILE", AT(annotators), "also run this Lua script; repeatable"},
    {OPTION_FLAG, 0, "no-config", NULL, AT(no_config), "do not run the racerx.lua at the top of an analysed directory"},
    {OPTION_FLAG, 0, "no-wait", NULL, AT(no_wait),
     "exit 2 when another racerx is writing the database, instead of waiting"},
    {OPTION_FLAG, 0, "stats", NULL, AT(stats), "print counts, what was not understood and where, time and memory"},
    {OPTION_FLAG, 'q', "quiet", NULL, AT(quiet), "print only errors"},
    {0},
};

static const Option shard_options[] = {
    {OPTION_TEXT, 0, "shard", "I/N", AT(shard), "read only the Ith of N shares of the files; `racerx link` joins them"},
    {0},
};

const Command command_extract = {
    .name = "extract",
    .arguments = "PATH…",
    .summary = "read C source into the database",
    .details =
        "Reads the C files under every PATH, a directory or a single file, and stores for each what it declares\n"
        "and the control flow of its functions. Nothing is built and nothing needs to be installed: conditionals\n"
        "and macros are worked out from the files themselves. The analysed tree is only read.\n"
        "\n"
        "A second run parses only what changed. A run that was killed is completed by the next one.\n"
        "Files that cannot be read are named and skipped; the status stays 0.\n"
        "\n"
        "  racerx extract ~/src/kernel            a whole tree\n"
        "  racerx extract -x tools -x '*_test.c' .  without some of it\n"
        "  racerx extract driver.c                one file, and the headers beside it\n"
        "  racerx extract --shard 2/8 --db part2.db DIR  an eighth of it, on another machine\n",
    .options = shard_options,
    .shared = extract_options,
    .run = extract_run,
};

// parts -------------------------------------------------------------------------

static int link_run(const Command *self, int count, char **words) {
    ExtractArguments arguments = {0};
    TextArray parts = {0};
    u64 trees = 0;
    arguments_read(self, count, words, &arguments, &parts);
    if (!parts.count)
        fatal("link needs the databases that `racerx extract --shard I/N --db PART.db DIR` made");
    Store *store = store_make(arguments.db, arguments.no_wait ? STORE_WRITE_NOW : STORE_WRITE);
    for (u32 i = 0; i < parts.count; i++) {
        Store *part = store_open(parts.items[i], STORE_READ);
        trees += store_take_trees(store, part);
        store_close(part);
    }
    store_close(store);
    char number[32];
    note("%s trees of %u parts are there: `racerx run DIR` does the rest, and parses none of them again",
         grouped(trees, number), parts.count);
    extract_arguments_free(&arguments);
    array_free(&parts);
    return 0;
}

static const Option link_command_options[] = {
    {OPTION_TEXT, 0, "db", "FILE", AT(db), "the database (default: " STORE_DEFAULT_PATH ", made when missing)"},
    {OPTION_FLAG, 0, "no-wait", NULL, AT(no_wait), "do not wait for another racerx on the database"},
    {0},
};

const Command command_link = {
    .name = "link",
    .arguments = "PART.db…",
    .summary = "put together what was extracted in shares",
    .details = "For trees that one machine reads too slowly: every share is extracted with the same options into a "
               "database of\n"
               "its own, wherever that may be; `link` puts them together, and `run` finds everything parsed. What it "
               "finds is\n"
               "the same as in one go.\n"
               "\n"
               "  parallel racerx extract -q --shard {}/8 --db part{}.db ~/src ::: 1 2 3 4 5 6 7 8\n"
               "  racerx link part*.db && racerx run ~/src\n",
    .options = link_command_options,
    .run = link_run,
};
