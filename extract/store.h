// store.h: the list of files of an analysed tree, and the SQLite file that holds their trees.
#ifndef EXTRACT_STORE_H
#define EXTRACT_STORE_H

#include "base/base.h"

typedef enum {
    FILE_SOURCE,       // .c
    FILE_HEADER,       // .h and whatever else is only included
    FILE_PREPROCESSED, // .i
} FileKind;

typedef struct {
    char *path;      // as shown to users: relative to the analysed directory
    char *full;      // as opened
    u8 kind;         // FileKind
    u64 size;        // bytes, from stat
    i64 mtime;       // nanoseconds, from stat
    Key content;     // of the bytes; zero until read
    Key environment; // of the macros that shaped the tree; zero until extracted
    Key tree;        // key of its tree; zero until extracted
    i64 command;     // index into the compile commands, or -1
} SourceFile;

// scan.c ----------------------------------------------------------------------
typedef struct {
    const char *const *paths; // directories and single files
    u32 path_count;
    const char *const *excludes; // globs, matched against the shown path, its basename, its directories
    u32 exclude_count;
    u64 max_file_size;            // larger files are skipped; 0: SCAN_MAX_FILE_SIZE
    const char *compile_commands; // named by the user; NULL: looked for in each directory
    bool only_compiled;           // leave out sources that no compile command names
    bool follow_links;            // also out of the tree
} ScanOptions;
#define SCAN_MAX_FILE_SIZE ((u64)32 << 20)
typedef struct {
    char **defines; // NAME or NAME=VALUE; NULL-terminated
    char **undefines;
    char **includes; // directories, absolute
} CompileCommand;
typedef struct {
    Array(SourceFile) files;        // sorted by shown path: no directory order shows
    Array(CompileCommand) commands; // equal ones once
    Array(char *) roots;            // the analysed directories, absolute; of a single file, the one it is in
    char *compile_commands;         // the (first) one used, or NULL
    u32 skipped;                    // files passed over (too large, unreadable …): each also said by skip()
    u32 excluded;                   // files and directories that an exclude glob took out; not skip()ped
    u32 outside;                    // compile commands for files that are not in the tree
} Scan;
void scan(const ScanOptions *options, Scan *out); // fatal() when nothing can be read at all
void scan_free(Scan *self);
bool path_leads_out(const char *path,
                    const char *root); // of the directory `root`, by a link; also when it leads nowhere

// store.c ---------------------------------------------------------------------
typedef struct Store Store;
#define STORE_DEFAULT_PATH ".racerx/racerx.db"
typedef enum {
    STORE_WRITE,     // made when missing; waits for another writer and says so
    STORE_READ,      // fatal() when missing, with the command that makes it; one consistent state until closed
    STORE_WRITE_NOW, // as STORE_WRITE, but fatal() instead of waiting
} StoreMode;
// The default database: here, else of the nearest directory above that has one of one's own.
const char *store_default(void);
// NULL: the default; a writer takes the one above only after a reader has, else it makes one here.
Store *store_open(const char *path, StoreMode mode);
// May it be written now? For what is only worth keeping when nobody has to wait for it.
bool store_is_free(const char *path);
// The same for writing, by whoever fills it from the sources: one that is damaged is set aside, and made anew.
Store *store_make(const char *path, StoreMode mode);
void store_close(Store *self);
// Facts about the whole: options, declarations, harvest. NULL when absent; malloc'd.
// What was derived from the list of files has a name that begins so: it goes when the list is saved anew.
#define STORE_DERIVED "derived-"
char *store_get_meta(Store *self, const char *name, size_t *size);
void store_set_meta(Store *self, const char *name, const void *bytes, size_t size);
// The files of the last run, sorted by path; content, environment and tree as they were.
typedef Array(SourceFile) SourceFileArray;
void store_load_files(Store *self, SourceFileArray *out);                  // command is -1
void store_load_file(Store *self, const char *path, SourceFileArray *out); // the one of this shown path, if any
void source_files_free(SourceFileArray *files);
// Replaces the list of files in one transaction (at the end of a run). Trees that no file
// names any more are removed, with their names.
void store_save_files(Store *self, const SourceFile *files, u32 count);
// Remembered per file between runs: the sorted hashes of the names it looked up.
void store_put_names(Store *self, Key tree, const u32 *names, u32 count);
u32 *store_get_names(Store *self, Key tree, u32 *count); // malloc'd; NULL when absent
// Trees, keyed by content and environment. Thread-safe; committed in batches, so a kill
// loses at most the last one.
bool store_has_tree(Store *self, Key tree);
void store_put_tree(Store *self, Key tree, const Buffer *head, const Buffer *bodies);
bool store_get_head(Store *self, Key tree, Buffer *head);     // appends nothing and returns false when absent
bool store_get_bodies(Store *self, Key tree, Buffer *bodies); // likewise
bool store_get_body(Store *self, Key tree, u64 offset, u64 size, Buffer *body); // one function's
void store_commit(Store *self);
// Copies the trees and names of another database, a part of the same tree, and leaves this one as a run that was killed
// does: the next one completes it. How many trees were new.
u64 store_take_trees(Store *self, Store *part);
// For a later stage that keeps tables of its own here: the database, with what was pending committed. Until
// its transaction is over no other function of the store may be called, and no other thread may be in one. A
// reader is inside a transaction already. Failures go to store_fail(), which rolls back and says what to do.
struct sqlite3;
struct sqlite3 *store_handle(Store *self);
_Noreturn void store_fail(Store *self, int code); // SQLite's code

#endif
