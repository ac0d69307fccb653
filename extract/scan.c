// scan.c: which files a run reads.
// In: the paths of the command line. Out: a list of C files, sorted by the bytes of the path
// they are shown under, each file once however many names lead to it, with its compile command.
//
// The idea: walk every root with a stack of directories (no recursion: the tree may be hostile),
// gather everything, then sort twice: by device and inode to drop the second names of a file, by
// shown path for the order. So no order of directory entries can show in the result.
// Invariant: nothing but regular files is ever opened for reading, so no fifo can block us.
#include "extract/scan.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    INCLUDED_MOST = 20000, // files read for the sake of a single file's includes,
    LOOKED_MOST = 100000,  // and #include lines followed
};

typedef struct {
    char *full;   // the directory, absolute, symbolic links resolved
    char *prefix; // what its shown paths start with: "" or "name/"
    char *single; // the name of the file that was given; NULL: the directory was
} ScanRoot;

typedef struct {
    SourceFile file;
    u64 device, inode;
    u32 rank; // of several names for one file the least is kept: 0 itself, 1 a link, 2 only included
} Found;

typedef struct {
    char *full;  // absolute
    char *shown; // "" or ends in '/'
} Directory;

typedef struct {
    const ScanOptions *options;
    Scan *out;
    u64 max_file_size;
    PathArray excludes; // the globs, without "./" and a last '/'
    bool *exclude_used; // by exclude: it took something out
    Array(ScanRoot) roots;
    Array(Found) found;
    Array(Directory) pending; // directories still to be read
    u32 looked;               // #include lines followed for the single file at hand
} FileScanner;

// names -----------------------------------------------------------------------

static bool has_suffix(const char *name, const char *suffix) {
    size_t length = strlen(name), wanted = strlen(suffix);
    return length > wanted && !strcmp(name + length - wanted, suffix);
}

static int kind_of(const char *name) { // a FileKind, or -1 for what is no C
    if (has_suffix(name, ".c"))
        return FILE_SOURCE;
    if (has_suffix(name, ".i"))
        return FILE_PREPROCESSED;
    if (has_suffix(name, ".h") || has_suffix(name, ".inl") || has_suffix(name, ".def"))
        return FILE_HEADER;
    return has_suffix(name, ".inc") && strncmp(name, "Makefile", 8) ? FILE_HEADER : -1;
}

static bool never_entered(const char *name) {
    static const char *const names[] = {".", "..", ".git", ".svn", ".hg", ".bzr", ".pc", ".racerx"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

static char *concatenate(const char *first, const char *second, const char *third) {
    Buffer out = {0};
    buffer_text(&out, first);
    buffer_text(&out, second);
    buffer_text(&out, third);
    buffer_byte(&out, 0);
    return (char *)out.bytes;
}

static char *trim_slashes(const char *path) { // without the last ones; malloc'd
    char *out = must_strdup(path);
    for (size_t length = strlen(out); length > 1 && out[length - 1] == '/';)
        out[--length] = 0;
    return out;
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// The last `count` components of an absolute path, or all of it without its first '/'.
static const char *last_components(const char *full, u32 count) {
    for (const char *at = full + strlen(full); at > full + 1; at--)
        if (at[-1] == '/' && !--count)
            return at;
    return full + 1;
}

static u32 component_count(const char *path) {
    u32 count = 1;
    for (; *path; path++)
        count += *path == '/' && path[1];
    return count;
}

// `target` seen from `directory`, both absolute: "../include/x.h". malloc'd.
static char *relative_path(const char *directory, const char *target) {
    size_t common = 0, i = 0;
    for (; directory[i] && directory[i] == target[i]; i++)
        if (directory[i] == '/')
            common = i + 1;
    if (!directory[i] && target[i] == '/')
        common = i + 1;
    Buffer out = {0};
    if (common <= strlen(directory))
        for (const char *at = directory + common; *at;) {
            buffer_text(&out, "../");
            at = strchr(at, '/') ? strchr(at, '/') + 1 : at + strlen(at);
        }
    buffer_text(&out, target + common);
    buffer_byte(&out, 0);
    return (char *)out.bytes;
}

// one entry -------------------------------------------------------------------

static void pass_over(FileScanner *self, const char *shown, const char *reason) {
    skip(shown, "%s", reason);
    self->out->skipped++;
}

// Every directory above `shown` was asked before it was entered.
static bool excluded(FileScanner *self, const char *shown) {
    for (u32 i = 0; i < self->excludes.count; i++) {
        const char *glob = self->excludes.items[i];
        if (!fnmatch(glob, shown, 0) || !fnmatch(glob, base_name(shown), 0)) {
            self->exclude_used[i] = true;
            self->out->excluded++;
            return true;
        }
    }
    return false;
}

static const char *type_reason(mode_t mode) {
    if (S_ISFIFO(mode))
        return "a named pipe, not a file";
    if (S_ISSOCK(mode))
        return "a socket, not a file";
    return S_ISDIR(mode) ? "a directory, not a file" : "a device, not a file";
}

// Takes `full` and `shown` over. `where` and `name` are as for fstatat().
static void add_file(FileScanner *self, int where, const char *name, char *full, char *shown, int kind, u32 rank,
                     const struct stat *info) {
    char reason[128] = "";
    if (!S_ISREG(info->st_mode))
        snprintf(reason, sizeof reason, "%s", type_reason(info->st_mode));
    else if ((u64)info->st_size > self->max_file_size)
        snprintf(reason, sizeof reason, "%llu bytes are over --max-file-size (%llu)", (unsigned long long)info->st_size,
                 (unsigned long long)self->max_file_size);
    else if (strlen(full) >= PATH_MAX)
        snprintf(reason, sizeof reason, "its path is too long");
    else if (faccessat(where, name, R_OK, 0))
        snprintf(reason, sizeof reason, "cannot be read: %s", strerror(errno));
    if (*reason) {
        pass_over(self, shown, reason);
        free(full);
        free(shown);
        return;
    }
    Found found = {.device = info->st_dev, .inode = info->st_ino, .rank = rank};
    found.file = (SourceFile){.path = shown, .full = full, .kind = (u8)kind, .size = (u64)info->st_size, .command = -1};
    found.file.mtime = (i64)info->st_mtim.tv_sec * 1000000000 + info->st_mtim.tv_nsec;
    array_push(&self->found, found);
}

static void push_directory(FileScanner *self, char *full, char *shown) {
    Directory directory = {full, shown};
    array_push(&self->pending, directory);
}

static bool under_a_root(const FileScanner *self, const char *full) {
    for (u32 i = 0; i < self->roots.count; i++) {
        const char *root = self->roots.items[i].full;
        size_t length = strlen(root);
        if (!strncmp(full, root, length) && (!full[length] || full[length] == '/' || root[length - 1] == '/'))
            return true;
    }
    return false;
}

bool path_leads_out(const char *path, const char *root) {
    char *target = realpath(path, NULL), *top = realpath(root, NULL);
    size_t length = top ? strlen(top) : 0;
    bool inside = target && top && !strncmp(target, top, length) &&
                  (!target[length] || target[length] == '/' || top[length - 1] == '/');
    free(target);
    free(top);
    return !inside;
}

// A link out of the tree shows what whoever made the tree could not read, and we can.
static bool refuse_link(FileScanner *self, const char *full, const char *shown) {
    if (self->options->follow_links)
        return false;
    char *target = realpath(full, NULL);
    bool outside = !target || !under_a_root(self, target);
    if (outside)
        pass_over(self, shown, "a symbolic link out of the tree; --follow-links reads it");
    free(target);
    return outside;
}

// Links to directories are not followed: what they lead to inside the tree is met under its own
// name, and cycles cannot be entered.
static void visit_directory_link(FileScanner *self, const char *full, const char *shown) {
    char *target = realpath(full, NULL);
    if (!target || !under_a_root(self, target))
        pass_over(self, shown,
                  "a symbolic link to a directory outside the tree; name it on the command line to read it");
    free(target);
}

static void visit_link(FileScanner *self, int where, const char *name, char *full, char *shown) {
    struct stat info;
    int kind = kind_of(name);
    if (fstatat(where, name, &info, 0)) {
        char reason[128];
        snprintf(reason, sizeof reason, "a symbolic link that leads nowhere: %s", strerror(errno));
        pass_over(self, shown, errno == ELOOP ? "a symbolic link that leads back to itself" : reason);
    } else if (S_ISDIR(info.st_mode)) {
        visit_directory_link(self, full, shown);
    } else if (kind >= 0 && (!S_ISREG(info.st_mode) || !refuse_link(self, full, shown))) {
        add_file(self, where, name, full, shown, kind, 1, &info);
        return;
    }
    free(full);
    free(shown);
}

static u8 entry_type(int where, const struct dirent *entry) {
    struct stat info;
    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type;
    return fstatat(where, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) ? DT_UNKNOWN : IFTODT(info.st_mode);
}

static void pass_over_error(FileScanner *self, const char *shown, const char *what) {
    char reason[128];
    snprintf(reason, sizeof reason, "%s: %s", what, strerror(errno));
    pass_over(self, shown, reason);
}

static void visit_entry(FileScanner *self, int where, const Directory *directory, const struct dirent *entry) {
    const char *name = entry->d_name;
    u8 type = entry_type(where, entry);
    int kind = kind_of(name);
    if (type != DT_DIR && type != DT_LNK && kind < 0)
        return;
    if (never_entered(name))
        return;
    char *shown = concatenate(directory->shown, name, "");
    if (excluded(self, shown)) {
        free(shown);
        return;
    }
    char *full = concatenate(directory->full, directory->full[1] ? "/" : "", name);
    struct stat info;
    if (type == DT_DIR) {
        push_directory(self, full, concatenate(shown, "/", ""));
        free(shown);
    } else if (type == DT_LNK) {
        visit_link(self, where, name, full, shown);
    } else if (!fstatat(where, name, &info, AT_SYMLINK_NOFOLLOW)) {
        add_file(self, where, name, full, shown, kind, 0, &info);
    } else {
        if (errno != ENOENT) // else it went away in this moment
            pass_over_error(self, shown, "cannot be looked at");
        free(full);
        free(shown);
    }
}

// directories -----------------------------------------------------------------

static void read_directory(FileScanner *self, const Directory *directory) {
    int where = open(directory->full, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    DIR *stream = where < 0 ? NULL : fdopendir(where);
    const char *shown = *directory->shown ? directory->shown : directory->full;
    if (!stream) {
        pass_over_error(self, shown, "the directory cannot be read");
        if (where >= 0)
            close(where);
        return;
    }
    for (struct dirent *entry; errno = 0, (entry = readdir(stream));)
        visit_entry(self, where, directory, entry);
    if (errno)
        pass_over_error(self, shown, "the directory cannot be read to its end");
    closedir(stream);
}

static void walk(FileScanner *self, const ScanRoot *root) {
    push_directory(self, must_strdup(root->full), must_strdup(root->prefix));
    while (self->pending.count) {
        Directory directory = self->pending.items[--self->pending.count];
        read_directory(self, &directory);
        free(directory.full);
        free(directory.shown);
    }
}

// single files ----------------------------------------------------------------

// The name in `#include "name"` on the line [at, end), as malloc'd text, or NULL.
static char *quoted_include(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    if (at == end || *at++ != '#')
        return NULL;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    if (end - at < 8 || memcmp(at, "include", 7))
        return NULL;
    at += 7;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    if (at == end || *at++ != '"')
        return NULL;
    const char *close = memchr(at, '"', (size_t)(end - at));
    if (!close || close == at || *at == '/' || memchr(at, 0, (size_t)(close - at)) || close - at >= PATH_MAX)
        return NULL;
    char *name = must_alloc((size_t)(close - at) + 1);
    memcpy(name, at, (size_t)(close - at));
    name[close - at] = 0;
    return name;
}

static char *directory_of(const char *full) { // malloc'd
    const char *slash = strrchr(full, '/');
    size_t length = slash && slash > full ? (size_t)(slash - full) : 1;
    char *out = must_alloc(length + 1);
    memcpy(out, full, length);
    out[length] = 0;
    return out;
}

// Is there a link among the components of `name`?
static bool has_link(const char *directory, const char *name) {
    struct stat info;
    bool found = false;
    char *path = concatenate(directory, "/", name);
    for (char *at = path + strlen(directory) + 1; *at && !found; at++) {
        at += strcspn(at, "/");
        char after = *at;
        *at = 0;
        found = !lstat(path, &info) && S_ISLNK(info.st_mode);
        *at = after;
        if (!after)
            break;
    }
    free(path);
    return found;
}

// Looks beside the file that includes, then beside the one the user named.
static void add_include(FileScanner *self, const ScanRoot *root, Intern *seen, const char *includer, const char *name) {
    if (self->looked++ >= LOOKED_MOST)
        return;
    char *beside = directory_of(includer);
    char *full = path_from(beside, name);
    struct stat info;
    bool linked = has_link(beside, name);
    if (stat(full, &info)) {
        free(full);
        full = path_from(root->full, name);
        linked = has_link(root->full, name);
    }
    free(beside);
    u32 known = seen->entries.count;
    if (stat(full, &info) || S_ISDIR(info.st_mode) || intern_add(seen, full, (u32)strlen(full)) < known) {
        free(full);
        return;
    }
    char *relative = relative_path(root->full, full);
    char *shown = concatenate(root->prefix, relative, "");
    free(relative);
    if (excluded(self, shown) || (linked && refuse_link(self, full, name))) {
        free(full);
        free(shown);
        return;
    }
    add_file(self, AT_FDCWD, full, full, shown, FILE_HEADER, 2, &info);
}

static void read_includes(FileScanner *self, const ScanRoot *root, Intern *seen, const char *full) {
    size_t size;
    char *text = file_read(full, &size);
    if (!text)
        return; // whoever needs its contents will say why
    for (const char *at = text, *end = text + size; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        char *name = quoted_include(at, stop);
        if (name)
            add_include(self, root, seen, full, name);
        free(name);
        at = stop + 1;
    }
    free(text);
}

static void add_single(FileScanner *self, const ScanRoot *root) {
    char *full = concatenate(root->full, root->full[1] ? "/" : "", root->single);
    struct stat info;
    if (stat(full, &info))
        fatal("cannot read %s: %s", full, strerror(errno));
    int kind = kind_of(root->single);
    Intern seen = {0};
    intern_add(&seen, full, (u32)strlen(full));
    char *shown = quote_path(root->single);
    u32 next = self->found.count, first = next;
    self->looked = 0;
    add_file(self, AT_FDCWD, full, full, concatenate(root->prefix, root->single, ""), kind < 0 ? FILE_SOURCE : kind, 0,
             &info);
    for (; next < self->found.count && next - first < INCLUDED_MOST; next++)
        if (self->found.items[next].file.kind != FILE_PREPROCESSED)
            read_includes(self, root, &seen, self->found.items[next].file.full);
    if (next < self->found.count || self->looked > LOOKED_MOST)
        note("%s: it includes too much: only the first %d files and %d #include lines are followed", shown,
             (int)INCLUDED_MOST, (int)LOOKED_MOST);
    free(shown);
    intern_free(&seen);
}

// roots -----------------------------------------------------------------------

// What the user called it, unless that says nothing ("." or "a/..").
static char *root_name(const char *given, const char *full) {
    char *trimmed = trim_slashes(given);
    const char *name = base_name(trimmed);
    if (!*name || !strcmp(name, ".") || !strcmp(name, ".."))
        name = base_name(full);
    char *out = must_strdup(name);
    free(trimmed);
    return out;
}

static void root_free(ScanRoot *self) {
    free(self->full);
    free(self->prefix);
    free(self->single);
}

static bool root_known(const FileScanner *self, const ScanRoot *root) {
    for (u32 i = 0; i < self->roots.count; i++) {
        const ScanRoot *other = &self->roots.items[i];
        if (!strcmp(other->full, root->full) && !other->single == !root->single &&
            (!root->single || !strcmp(other->single, root->single)))
            return true;
    }
    return false;
}

// A file's directory is the one it was named in, even when its name is a link into another.
static ScanRoot file_root(const char *given) {
    const char *name = base_name(given);
    char *above = must_strdup(given);
    above[name - given] = 0;
    char *full = realpath(*above ? above : ".", NULL);
    if (!full)
        fatal("cannot read %s: %s", quote_path(given), strerror(errno));
    free(above);
    return (ScanRoot){full, must_strdup(""), must_strdup(name)};
}

static ScanRoot directory_root(const FileScanner *self, const char *given) {
    char *full = realpath(given, NULL);
    if (!full)
        fatal("cannot read %s: %s", quote_path(given), strerror(errno));
    char *name = root_name(given, full);
    bool prefixed = self->options->path_count > 1 && *name;
    ScanRoot root = {full, prefixed ? concatenate(name, "/", "") : must_strdup(""), NULL};
    free(name);
    return root;
}

static void add_root(FileScanner *self, const char *given) {
    struct stat info;
    if (!*given)
        fatal("the path is empty: name a directory or a C file");
    if (stat(given, &info))
        fatal("cannot read %s: %s", quote_path(given), strerror(errno));
    if (!S_ISDIR(info.st_mode) && !S_ISREG(info.st_mode))
        fatal("%s is %s: name a directory or a C file", quote_path(given), type_reason(info.st_mode));
    ScanRoot root = S_ISREG(info.st_mode) ? file_root(given) : directory_root(self, given);
    if (root_known(self, &root))
        root_free(&root);
    else
        array_push(&self->roots, root);
}

// Two directories of one name get as much of their paths in front as tells them apart.
static void tell_roots_apart(FileScanner *self) {
    for (u32 i = 0; i < self->roots.count; i++)
        for (u32 j = 0; j < i; j++) {
            ScanRoot *a = &self->roots.items[i], *b = &self->roots.items[j];
            for (u32 count = 2; !a->single && !b->single && *a->prefix && !strcmp(a->prefix, b->prefix); count++) {
                free(a->prefix);
                free(b->prefix);
                a->prefix = concatenate(last_components(a->full, count), "/", "");
                b->prefix = concatenate(last_components(b->full, count), "/", "");
            }
        }
}

// order -----------------------------------------------------------------------

static int compare_shown(const void *left, const void *right) {
    const Found *a = left, *b = right;
    int order = strcmp(a->file.path, b->file.path);
    return order ? order : strcmp(a->file.full, b->file.full);
}

static int compare_identity(const void *left, const void *right) {
    const Found *a = left, *b = right;
    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    if (a->inode != b->inode)
        return a->inode < b->inode ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return compare_shown(left, right);
}

static void source_file_free(SourceFile *file) {
    free(file->path);
    free(file->full);
}

static void drop_second_names(FileScanner *self) {
    Found *items = self->found.items;
    u32 kept = 0;
    if (self->found.count)
        qsort(items, self->found.count, sizeof *items, compare_identity);
    for (u32 i = 0; i < self->found.count; i++)
        if (kept && items[i].device == items[kept - 1].device && items[i].inode == items[kept - 1].inode)
            source_file_free(&items[i].file);
        else
            items[kept++] = items[i];
    self->found.count = kept;
}

// Sorts; where two files would be shown alike, both get one more directory in front, until none are.
static void order_files(FileScanner *self) {
    Found *items = self->found.items;
    for (bool again = true; again;) {
        again = false;
        if (self->found.count)
            qsort(items, self->found.count, sizeof *items, compare_shown);
        for (u32 i = 0, end; i < self->found.count; i = end) {
            for (end = i + 1; end < self->found.count && !strcmp(items[i].file.path, items[end].file.path);)
                end++;
            for (u32 j = i; end - i > 1 && j < end; j++) {
                char *longer =
                    must_strdup(last_components(items[j].file.full, component_count(items[j].file.path) + 1));
                again |= strcmp(longer, items[j].file.path) != 0;
                free(items[j].file.path);
                items[j].file.path = longer;
            }
        }
    }
}

// compile commands ------------------------------------------------------------

static u64 identity_key(u64 device, u64 inode) { return hash_mix(device, inode); }

static void match_commands(FileScanner *self, const CompileEntryArray *entries) {
    Map by_identity = {0};
    for (u32 i = 0; i < self->found.count; i++)
        *map_put(&by_identity, identity_key(self->found.items[i].device, self->found.items[i].inode), NULL) = i;
    for (u32 i = 0; i < entries->count; i++) {
        struct stat info;
        u32 *index = NULL;
        if (!stat(entries->items[i].file, &info))
            index = map_get(&by_identity, identity_key(info.st_dev, info.st_ino));
        if (!index)
            self->out->outside++;
        else if (self->found.items[*index].file.command < 0) // compiled twice: the first one counts
            self->found.items[*index].file.command = entries->items[i].command;
    }
    map_free(&by_identity);
}

static void find_commands(FileScanner *self, CompileEntryArray *entries) {
    const char *named = self->options->compile_commands;
    if (named && compile_commands_read(named, true, self->out, entries))
        self->out->compile_commands = must_strdup(named);
    static const char *const places[] = {"/compile_commands.json", "/build/compile_commands.json"};
    for (u32 i = 0; !named && i < self->roots.count * 2; i++) {
        const ScanRoot *root = &self->roots.items[i / 2];
        struct stat info;
        char *path = concatenate(root->full, places[i % 2], "");
        if (!root->single && !stat(path, &info) && S_ISREG(info.st_mode) &&
            (!path_leads_out(path, root->full) || !refuse_link(self, path, places[i % 2] + 1)) &&
            compile_commands_read(path, false, self->out, entries)) {
            if (!self->out->compile_commands)
                self->out->compile_commands = must_strdup(path);
            i |= 1; // the one in build/ is not wanted any more
        }
        free(path);
    }
}

static void keep_only_compiled(FileScanner *self) {
    u32 kept = 0;
    for (u32 i = 0; i < self->found.count; i++) {
        Found *item = &self->found.items[i];
        if (item->file.kind == FILE_SOURCE && item->file.command < 0)
            source_file_free(&item->file);
        else
            self->found.items[kept++] = *item;
    }
    self->found.count = kept;
}

static void use_commands(FileScanner *self) {
    CompileEntryArray entries = {0};
    find_commands(self, &entries);
    match_commands(self, &entries);
    if (self->out->outside)
        note("%s: %u of %u entries are for files that are not in the analysed tree",
             base_name(self->out->compile_commands), self->out->outside, entries.count);
    if (self->options->only_compiled && !self->out->compile_commands)
        fatal("--only-compiled needs a compile_commands.json: none was found; name one with --compile-commands FILE");
    if (self->options->only_compiled)
        keep_only_compiled(self);
    compile_entries_free(&entries);
}

// the pass --------------------------------------------------------------------

static void say_nothing_found(const FileScanner *self) {
    const char *first = self->options->paths[0];
    skip_report(stderr, 10);
    if (self->out->skipped)
        fatal("no C file could be read in %s%s", quote_path(first), self->options->path_count > 1 ? " …" : "");
    if (self->out->excluded)
        fatal("every C file in %s is excluded: see --exclude", quote_path(first));
    fatal("no C file (.c, .h, .i) in %s%s", quote_path(first), self->options->path_count > 1 ? " …" : "");
}

static void begin(FileScanner *self) {
    const ScanOptions *options = self->options;
    self->max_file_size = options->max_file_size ? options->max_file_size : SCAN_MAX_FILE_SIZE;
    self->exclude_used = must_zero(options->exclude_count + 1);
    for (u32 i = 0; i < options->exclude_count; i++) {
        const char *glob = options->excludes[i];
        array_push(&self->excludes, trim_slashes(strncmp(glob, "./", 2) ? glob : glob + 2));
    }
    if (!options->path_count)
        fatal("no path: name a directory or a C file");
    for (u32 i = 0; i < options->path_count; i++)
        add_root(self, options->paths[i]);
    tell_roots_apart(self);
}

static void hand_over(FileScanner *self) {
    for (u32 i = 0; i < self->found.count; i++)
        array_push(&self->out->files, self->found.items[i].file);
    for (u32 i = 0; i < self->roots.count; i++) {
        array_push(&self->out->roots, must_strdup(self->roots.items[i].full));
        root_free(&self->roots.items[i]);
    }
    for (u32 i = 0; i < self->excludes.count; i++) {
        if (!self->exclude_used[i])
            note("--exclude %s took nothing out", self->excludes.items[i]);
        free(self->excludes.items[i]);
    }
    array_free(&self->found);
    array_free(&self->roots);
    array_free(&self->pending);
    array_free(&self->excludes);
    free(self->exclude_used);
}

// fills: out->files, commands, roots.
void scan(const ScanOptions *options, Scan *out) {
    FileScanner self = {.options = options, .out = out};
    *out = (Scan){0};
    begin(&self);
    for (u32 i = 0; i < self.roots.count; i++)
        if (self.roots.items[i].single)
            add_single(&self, &self.roots.items[i]);
        else
            walk(&self, &self.roots.items[i]);
    drop_second_names(&self);
    order_files(&self);
    use_commands(&self);
    if (!self.found.count)
        say_nothing_found(&self);
    hand_over(&self);
}

void scan_free(Scan *self) {
    for (u32 i = 0; i < self->files.count; i++)
        source_file_free(&self->files.items[i]);
    for (u32 i = 0; i < self->roots.count; i++)
        free(self->roots.items[i]);
    for (u32 i = 0; i < self->commands.count; i++) {
        char **lists[] = {self->commands.items[i].defines, self->commands.items[i].undefines,
                          self->commands.items[i].includes};
        for (u32 j = 0; j < 3; j++) {
            for (char **item = lists[j]; *item; item++)
                free(*item);
            free(lists[j]);
        }
    }
    array_free(&self->files);
    array_free(&self->roots);
    array_free(&self->commands);
    free(self->compile_commands);
    *self = (Scan){0};
}
