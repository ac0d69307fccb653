// checked.h: inside extract/, the database with a checksum on every page (checked.c).
#ifndef EXTRACT_CHECKED_H
#define EXTRACT_CHECKED_H

#include "base/base.h"
#include "extract/tree.h"

#define APPLICATION_ID 0x72637278 // "rcrx"
enum {
    SCHEMA_VERSION = 2,
    STORE_VERSION = SCHEMA_VERSION * 1000 + TREE_VERSION, // user_version
    CHECKED_SINCE = 2000,                                 // the first that had checksums
};
#define CHECK_BYTES 8 // at the end of each page
#define CHECKED_VFS "racerx-checked"

struct sqlite3;
int checked_connect(const char *path, struct sqlite3 **db, int flags); // sqlite3_open_v2(), and its code
int checked_reserve(struct sqlite3 *db);  // of a database that is made, or before it is vacuumed
bool code_is_damage(int code);            // of SQLite's
bool header_is_damaged(const u8 *header); // the first 100 bytes of one of ours: they must say that there are checksums
// Reads all of the database: SQLITE_OK when it is what was written, or is not ours at all; else what is wrong.
int database_look(const char *path, int (*busy)(void *, int), void *context);

#endif
