// init.c: `racerx init`: a racerx.lua for a tree that nobody described.
// In: a directory. Out: DIR/racerx.lua (or -o FILE), and a summary with what to do next. What somebody wrote there is
// never lost: docs/init.md says when the file is written.
#include "racerx/cli/command.h"

#include "racerx/init/propose.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    ExtractArguments extract;
    const char *output;
    bool no_presets, add;
} InitArguments;

// Has the database what an earlier command read from this very directory?
static bool has_tree(const char *db, const char *directory) {
    struct stat info;
    if (stat(db ? db : STORE_DEFAULT_PATH, &info))
        return false;
    Store *store = store_make(db, STORE_WRITE); // one of an older version becomes empty, and is read anew
    PathArray paths = {0};
    SourceFileArray files = {0};
    char *wanted = realpath(directory, NULL);
    bool found = false;
    remembered_paths(store, &paths);
    for (u32 i = 0; i < paths.count && wanted && paths.count == 1; i++) {
        char *full = realpath(paths.items[i], NULL);
        found |= full && !strcmp(full, wanted);
        free(full);
    }
    store_load_files(store, &files);
    found &= files.count > 0;
    source_files_free(&files);
    paths_free(&paths);
    free(wanted);
    store_close(store);
    return found;
}

// The file --------------------------------------------------------------------

// The last line of what we wrote has the hash of the lines above: while it agrees, nobody changed anything.
#define SEAL "-- racerx init 1 "

static void seal(Buffer *text) {
    buffer_format(text, "\n" SEAL "%016llx\n", (unsigned long long)hash_bytes(text->bytes, text->size, 1));
}

static bool is_sealed(const char *text, size_t size) {
    size_t length = strlen(SEAL) + 16 + 1;
    if (size <= length + 1 || text[size - length - 1] != '\n' || memcmp(text + size - length, SEAL, strlen(SEAL)))
        return false;
    char wanted[17];
    snprintf(wanted, sizeof wanted, "%016llx", (unsigned long long)hash_bytes(text, size - length - 1, 1));
    return !memcmp(text + size - 17, wanted, 16);
}

static _Noreturn void cannot_write(const char *path, const char *why, bool chosen) {
    char *shown = quote_path(path);
    fatal("cannot write %s: %s; %s", shown, why,
          chosen ? "name another file with -o FILE"
                 : "write it elsewhere with -o FILE, and name it with --annotator FILE in later commands");
}

// As a whole or not at all.
static void replace_file(const char *path, const Buffer *text, bool chosen) {
    fflush(stdout);
    const char *why = file_write(path, text->bytes, text->size);
    if (why)
        cannot_write(path, why, chosen);
}

// Proposing -------------------------------------------------------------------

static Declarations *load_known(const char *presets, const char *script) {
    static const char *const none[] = {NULL};
    TextArray names = {0};
    char *text = must_strdup(presets ? presets : "");
    for (char *word = strtok(text, ", "); word; word = strtok(NULL, ", "))
        if (strcmp(word, "c"))
            array_push(&names, word);
    DeclareOptions options = {.presets = names.count ? names.items : none,
                              .preset_count = names.count,
                              .scripts = &script,
                              .script_count = script ? 1 : 0};
    Declarations *declarations = declarations_load(&options);
    array_free(&names);
    free(text);
    return declarations;
}

// The presets that extraction picked, without "c", which is always there; malloc'd.
static char *picked_presets(Store *store) {
    size_t size;
    char *all = store_get_meta(store, "presets", &size);
    Buffer text = {0};
    for (char *word = all ? strtok(all, ", ") : NULL; word; word = strtok(NULL, ", "))
        if (strcmp(word, "c"))
            buffer_format(&text, "%s%s", text.size ? " " : "", word);
    buffer_byte(&text, 0);
    free(all);
    return (char *)text.bytes;
}

typedef struct {
    const char *path; // of the file
    bool chosen;      // by -o
    char *before;     // its content; NULL: there is none
    size_t before_size;
    bool untouched; // by anybody but us
} InitTarget;

static void look_at(InitTarget *target) {
    struct stat info;
    if (stat(target->path, &info) ? lstat(target->path, &info) : !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
        return; // nothing there, or a device or pipe that is written to
    check(!lstat(target->path, &info));
    if (S_ISLNK(info.st_mode))
        cannot_write(target->path, "it is a link: name the file itself, or remove the link", target->chosen);
    target->before = file_read(target->path, &target->before_size);
    if (!target->before)
        fatal("cannot read %s: %m; name another file with -o FILE", quote_path(target->path));
    target->untouched = is_sealed(target->before, target->before_size);
}

static void propose_for(const InitArguments *arguments, const char *directory, const InitTarget *target,
                        Proposal *out) {
    Store *store = store_open(arguments->extract.db, STORE_READ);
    char *presets = arguments->no_presets ? must_strdup("") : picked_presets(store);
    bool theirs = target->before && !target->untouched;
    Declarations *known = load_known(presets, theirs ? target->path : NULL);
    ProposeOptions options = {.store = store,
                              .declarations = known,
                              .presets = presets,
                              .directory = directory,
                              .jobs = arguments->extract.jobs ? arguments->extract.jobs : cpu_count(),
                              .addition = theirs,
                              .mentioned = theirs ? target->before : NULL};
    propose(out, &options);
    store_close(store);
    declarations_free(known);
    free(presets);
}

static void print_next(const InitArguments *arguments, const char *directory, const InitTarget *target) {
    char *shown = quote_path(directory), *file = quote_path(target->path);
    Buffer with = {0};
    if (target->chosen)
        buffer_format(&with, " --annotator %s", file);
    if (arguments->extract.db)
        buffer_format(&with, " --db %s", arguments->extract.db);
    buffer_byte(&with, 0);
    printf("\nnext:\n  racerx run%s %s\n  racerx locks%s\n  racerx roots --registrations%s\n", (char *)with.bytes,
           shown, (char *)with.bytes, (char *)with.bytes);
    buffer_free(&with);
    free(shown);
    free(file);
}

static void write_new(const InitTarget *target, const Proposal *proposal) {
    Buffer text = {0};
    buffer_put(&text, proposal->text, proposal->length);
    seal(&text);
    char *shown = quote_path(target->path);
    bool same = target->before && target->before_size == text.size && !memcmp(target->before, text.bytes, text.size);
    if (!same)
        replace_file(target->path, &text, target->chosen);
    printf("%s: %s\n\n%s", shown,
           same             ? "as it was, nothing is new"
           : target->before ? "written anew; nobody had changed it"
                            : "written",
           proposal->summary);
    free(shown);
    buffer_free(&text);
}

static void write_addition(const InitArguments *arguments, const InitTarget *target, const Proposal *proposal) {
    char *shown = quote_path(target->path);
    if (!proposal->rows && (arguments->add || !proposal->doubtful))
        printf("%s: somebody's, and nothing to add\n", shown);
    else if (arguments->add) {
        Buffer text = {0};
        buffer_put(&text, target->before, target->before_size);
        buffer_put(&text, proposal->text, proposal->length);
        replace_file(target->path, &text, target->chosen);
        buffer_free(&text);
        printf("%s: %u declarations added at its end, what was there is as it was\n\n%s", shown, proposal->rows,
               proposal->summary);
    } else
        printf("%s: somebody's, and left as it is. `racerx init --add` would add at its end:\n%s", shown,
               proposal->text);
    free(shown);
}

static int init_run(const Command *self, int count, char **words) {
    InitArguments arguments = {0};
    TextArray paths = {0};
    ExtractStats stats = {0};
    Buffer path = {0};
    struct stat info;
    arguments_read(self, count, words, &arguments, &paths);
    if (paths.count != 1)
        fatal("init takes one DIR (see `racerx init --help`)");
    if (stat(paths.items[0], &info) && errno == ENOENT)
        fatal("there is no directory %s: init takes one DIR", quote_path(paths.items[0]));
    if (stat(paths.items[0], &info))
        fatal("cannot read %s: %s", quote_path(paths.items[0]), strerror(errno));
    if (!S_ISDIR(info.st_mode))
        fatal("%s is no directory: init takes one DIR", quote_path(paths.items[0]));
    diag_set_quiet(arguments.extract.quiet);
    buffer_format(&path, "%s/racerx.lua", paths.items[0]);
    buffer_byte(&path, 0);
    InitTarget target = {.path = arguments.output ? arguments.output : (char *)path.bytes,
                         .chosen = arguments.output != NULL};
    look_at(&target);
    if (!target.before && !target.chosen && access(paths.items[0], W_OK)) // before the time is spent
        cannot_write(target.path, strerror(errno), false);
    if (!has_tree(arguments.extract.db, paths.items[0]))
        extract_paths(&arguments.extract, &paths, &stats);
    Proposal proposal;
    propose_for(&arguments, paths.items[0], &target, &proposal);
    if (!target.before || target.untouched)
        write_new(&target, &proposal);
    else
        write_addition(&arguments, &target, &proposal);
    if (proposal.deep || proposal.cut)
        note("%u functions were nested too deeply and %u had too many locks: looked at in part", proposal.deep,
             proposal.cut);
    print_next(&arguments, paths.items[0], &target);
    if (arguments.extract.stats)
        fprintf(stderr, "proposals took %.1f s\n", proposal.seconds);
    proposal_free(&proposal);
    free(target.before);
    extract_stats_free(&stats);
    extract_arguments_free(&arguments.extract);
    array_free(&paths);
    buffer_free(&path);
    return 0;
}

#define AT(field) offsetof(InitArguments, field)
static const Option init_options[] = {
    {OPTION_TEXT, 'o', "output", "FILE", AT(output), "write there instead of DIR/racerx.lua"},
    {OPTION_FLAG, 0, "no-presets", NULL, AT(no_presets), "use no preset: show what is found in the tree alone"},
    {OPTION_FLAG, 0, "add", NULL, AT(add), "append what is new to a file that somebody changed"},
    {0},
};

const Command command_init = {
    .name = "init",
    .arguments = "DIR",
    .summary = "propose a racerx.lua for a tree nobody described",
    .details =
        "Looks at how functions are named and called in DIR and writes DIR/racerx.lua: the presets that fit, and\n"
        "under them lock functions, registrations of threads, timers and handlers, allocators, functions that\n"
        "sleep or never return, each with its counts. Doubtful ones are commented out, with the reason.\n"
        "Reads the tree into the database first when that was not done; `racerx run` goes on from there.\n"
        "\n"
        "A file that somebody changed is never rewritten: what is new is shown, and appended with --add.\n"
        "A file that nobody changed is written anew.\n"
        "\n"
        "  racerx init ~/src/kernel && racerx run ~/src/kernel\n"
        "  racerx init -o kernel.lua /usr/src/sys     the tree cannot be written\n",
    .options = init_options,
    .shared = extract_options,
    .run = init_run,
};
