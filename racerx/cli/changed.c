// changed.c: --changed-since REV: the findings that a change has to do with.
// In: a database, a revision of the git tree that was analysed. Out: Finding.left_out of all findings without a site in
// a function that was changed since, or in one that calls such a function.
//
// git says which lines are others now (commits, what is not committed, files it does not know yet); the tables of the
// program say which functions have them, and who calls those. Nothing goes through a shell.
#include "racerx/cli/command_link.h"

#include "racerx/findings/findings.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
    u32 first, last; // lines
} LineRange;
typedef struct {
    char *full;             // absolute path
    Array(LineRange) lines; // that changed; none: all of it did
} ChangedFile;
typedef Array(ChangedFile) ChangedFiles;

typedef struct {
    const ChangedFiles *files;
    Store *store;
    const ChangedFile *file; // that the last function was in; NULL: it did not change
    char *path;              // of the last function; NULL: none yet
    U32Array functions;      // that changed
} ChangeSearch;

// git ---------------------------------------------------------------------------

static void become_git(char **words, int out) {
    dup2(out, 1);
    execvp("git", words);
    _exit(127);
}

// What git prints; fatal() when it cannot.
static void ask_git(char **words, const char *revision, Buffer *out) {
    int ends[2], status = 0;
    fflush(NULL);
    if (pipe(ends))
        fatal("cannot make a pipe: %s", strerror(errno));
    pid_t child = fork();
    if (child < 0)
        fatal("cannot start git: %s", strerror(errno));
    if (!child)
        become_git(words, ends[1]);
    close(ends[1]);
    for (ssize_t size = 1; size > 0 || (size < 0 && errno == EINTR);) {
        buffer_reserve(out, 1 << 16);
        size = read(ends[0], out->bytes + out->size, 1 << 16);
        out->size += size > 0 ? (size_t)size : 0;
    }
    close(ends[0]);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        fatal("--changed-since needs git, which is not installed");
    if (status)
        fatal("--changed-since %s: git cannot tell; is the analysed directory in a git tree that has this revision?",
              quote_path(revision));
    buffer_byte(out, 0);
}

static ChangedFile *add_file(ChangedFiles *files, const char *directory, const char *name, size_t length) {
    Buffer full = {0};
    buffer_format(&full, "%s/%.*s%c", directory, (int)length, name, 0);
    array_push(files, (ChangedFile){.full = (char *)full.bytes});
    return &files->items[files->count - 1];
}

// "@@ -3,2 +4,5 @@": the lines that are there now; of a deletion the two around it.
static void add_hunk(ChangedFile *file, const char *line) {
    const char *plus = strchr(line, '+');
    if (!plus)
        return;
    char *end;
    unsigned long first = strtoul(plus + 1, &end, 10), count = *end == ',' ? strtoul(end + 1, NULL, 10) : 1;
    LineRange range = {(u32)first, (u32)(count ? first + count - 1 : first + 1)};
    array_push(&file->lines, range);
}

static void read_diff(char *text, const char *directory, ChangedFiles *files) {
    ChangedFile *file = NULL;
    for (char *line = text, *end; *line; line = end + (*end == '\n')) {
        end = line + strcspn(line, "\n");
        if (!strncmp(line, "+++ ", 4))
            file = strncmp(line, "+++ /dev/null", 13) ? add_file(files, directory, line + 4, (size_t)(end - line) - 4)
                                                      : NULL;
        else if (file && !strncmp(line, "@@ ", 3))
            add_hunk(file, line);
    }
}

static void changes_in(const char *directory, const char *revision, ChangedFiles *files) {
    char *diff[] = {"git",
                    "-C",
                    (char *)directory,
                    "-c",
                    "core.quotePath=false",
                    "diff",
                    "-U0",
                    "--no-color",
                    "--no-ext-diff",
                    "--no-renames",
                    "--no-prefix",
                    "--relative",
                    (char *)revision,
                    "--",
                    ".",
                    NULL};
    char *others[] = {"git",      "-C",       (char *)directory,    "-c", "core.quotePath=false",
                      "ls-files", "--others", "--exclude-standard", NULL};
    Buffer out = {0};
    ask_git(diff, revision, &out);
    read_diff((char *)out.bytes, directory, files);
    out.size = 0;
    ask_git(others, revision, &out);
    for (char *line = (char *)out.bytes, *end; *line; line = end + (*end == '\n')) {
        end = line + strcspn(line, "\n");
        add_file(files, directory, line, (size_t)(end - line));
    }
    buffer_free(&out);
}

static void gather_changes(Store *store, const char *revision, ChangedFiles *files) {
    PathArray analysed = {0};
    struct stat info;
    remembered_paths(store, &analysed);
    if (*revision == '-')
        fatal("--changed-since: '%s' is no revision", quote_path(revision));
    for (u32 i = 0; i < analysed.count; i++) {
        char *full = realpath(analysed.items[i], NULL), *slash = full ? strrchr(full, '/') : NULL;
        if (!full)
            fatal("--changed-since: %s, which was analysed, is gone", quote_path(analysed.items[i]));
        if (!stat(full, &info) && !S_ISDIR(info.st_mode) && slash > full)
            *slash = 0; // a file: its directory
        changes_in(full, revision, files);
        free(full);
    }
    if (!analysed.count)
        fatal("--changed-since: the database does not say which directory was analysed: run without --no-config");
    paths_free(&analysed);
}

// functions ---------------------------------------------------------------------

static const char *last_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static const ChangedFile *changed_file(const ChangeSearch *self, const char *path) {
    SourceFileArray files = {0};
    const ChangedFile *found = NULL;
    store_load_file(self->store, path, &files);
    bool likely = false; // by the last name, before the disk is asked
    for (u32 i = 0; files.count && i < self->files->count && !likely; i++)
        likely = !strcmp(last_name(self->files->items[i].full), last_name(files.items[0].full));
    char *full = likely ? realpath(files.items[0].full, NULL) : NULL;
    for (u32 i = 0; full && i < self->files->count && !found; i++)
        if (!strcmp(self->files->items[i].full, full))
            found = &self->files->items[i];
    free(full);
    source_files_free(&files);
    return found;
}

static bool overlaps(const ChangedFile *file, const AtlasFunction *function) {
    for (u32 i = 0; i < file->lines.count; i++)
        if (file->lines.items[i].first <= function->end_line && file->lines.items[i].last >= function->line)
            return true;
    return !file->lines.count;
}

static void look_at(void *context, const AtlasFunction *function) {
    ChangeSearch *self = context;
    if (!self->path || strcmp(self->path, function->path)) {
        free(self->path);
        self->path = must_strdup(function->path);
        self->file = changed_file(self, function->path);
    }
    if (self->file && overlaps(self->file, function))
        array_push(&self->functions, function->id);
}

static u64 function_key(const char *file, const char *function) {
    return hash_bytes(function, strlen(function) + 1, hash_bytes(file, strlen(file) + 1, 1));
}

static void add_key(Map *keys, Atlas *atlas, u32 id) {
    AtlasFunction function;
    if (atlas_function(atlas, id, &function))
        map_put(keys, function_key(function.path, function.name), NULL);
}

static void gather_functions(const ChangedFiles *files, const LinkArguments *link, Map *keys) {
    Lookup lookup = lookup_open(link);
    ChangeSearch search = {.files = files, .store = store_open(link->db, STORE_READ)};
    U32Array callers = {0};
    atlas_each(lookup.atlas, false, look_at, &search);
    for (u32 i = 0; i < search.functions.count; i++) {
        add_key(keys, lookup.atlas, search.functions.items[i]);
        callers.count = 0;
        atlas_callers(lookup.atlas, search.functions.items[i], &callers);
        for (u32 c = 0; c < callers.count; c++)
            add_key(keys, lookup.atlas, callers.items[c]);
    }
    note("%u function%s changed", search.functions.count, search.functions.count == 1 ? "" : "s");
    array_free(&callers);
    array_free(&search.functions);
    free(search.path);
    store_close(search.store);
    lookup_close(&lookup);
}

// findings ----------------------------------------------------------------------

void keep_changed(FindingList *findings, const char *db, const TextArray *annotators, bool no_config,
                  const char *revision) {
    LinkArguments link = {.db = db, .annotators = *annotators, .no_config = no_config};
    ChangedFiles files = {0};
    Map keys = {0};
    Store *store = store_open(db, STORE_READ);
    gather_changes(store, revision, &files);
    store_close(store);
    gather_functions(&files, &link, &keys);
    for (u32 i = 0; i < findings->items.count; i++) {
        Finding *finding = findings->items.items[i];
        bool near = false;
        for (u32 s = 0; s < finding->sites.count && !near; s++)
            near = map_get(&keys, function_key(finding->sites.items[s].file, finding->sites.items[s].function)) != NULL;
        finding->left_out |= !near;
    }
    for (u32 i = 0; i < files.count; i++) {
        free(files.items[i].full);
        array_free(&files.items[i].lines);
    }
    array_free(&files);
    map_free(&keys);
}
