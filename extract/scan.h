// scan.h: inside extract/, the edge between walking a tree (scan.c) and reading how it is
// compiled (compile_commands.c).
#ifndef EXTRACT_SCAN_H
#define EXTRACT_SCAN_H

#include "extract/store.h"

typedef struct {
    char *file;  // absolute, as the entry says it; it may not exist
    i64 command; // index into Scan.commands
} CompileEntry;
typedef Array(CompileEntry) CompileEntryArray;

// Appends the entries of a compile_commands.json, and to out->commands what they say. A file that
// cannot be understood is fatal() when `named` by the user, else a note(), and false.
bool compile_commands_read(const char *path, bool named, Scan *out, CompileEntryArray *entries);
void compile_entries_free(CompileEntryArray *entries);

// The absolute path of `name` seen from `directory`; symbolic links resolved when it exists. malloc'd.
char *path_from(const char *directory, const char *name);

#endif
