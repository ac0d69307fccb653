// atlas.h: the linked program in tables: what look-ups ask of it, without linking it again.
// In: a Program, once, when it was linked anyway. Out: rows of atlas.sql; single functions and calls from them.
#ifndef RACERX_ATLAS_H
#define RACERX_ATLAS_H

#include "racerx/link/program.h"

#define ATLAS_VERSION 1 // of the tables and blobs
#define ATLAS_META STORE_DERIVED "atlas"

struct sqlite3;

typedef struct {
    u32 id;             // FunctionId when it was linked
    const char *name;   // good until atlas_close(), as the next
    const char *path;   // as shown
    u32 line, end_line; // of the definition
    u32 lost_bytes;     // of the body, not understood
    u32 flags;          // DECL_…
    u32 contexts;       // 1 << CONTEXT_…: how it is started
    u32 marks;          // MARK_…
    bool called;        // somebody calls it
} AtlasFunction;

typedef struct {
    u32 line;                            // of the call
    bool indirect, cut, guessed, handed; // as in CallSite
    const char *name;                    // what is called, where it is not in the tree; "": not known, or a target
    u32 target, target_count;            // in AtlasCalls.ids: sorted ids
    u32 given, given_count;              // likewise: functions that are arguments
} AtlasCall;
typedef struct {
    Array(AtlasCall) items; // in the order of the body's expressions
    U32Array ids;
} AtlasCalls;

// Makes the tables anew, in the transaction that is open.
// `store`: that the database belongs to; NULL: it is in memory.
void atlas_save(const Program *program, struct sqlite3 *db, Store *store);

typedef struct Atlas Atlas;
// The tables must be there, and `db` stays open until it is closed.
Atlas *atlas_open(struct sqlite3 *db, Store *store);
void atlas_close(Atlas *self);
bool atlas_function(Atlas *self, u32 id, AtlasFunction *out);   // false: there is no such id
void atlas_named(Atlas *self, const char *name, U32Array *out); // ids, ascending
void atlas_calls(Atlas *self, u32 id, AtlasCalls *out);         // replaces what it held
void atlas_callers(Atlas *self, u32 id, U32Array *out);         // ids, ascending
bool atlas_call_reaches(const AtlasCalls *calls, const AtlasCall *call, u32 id);
// All of them, or those where control starts, in the order of ids.
typedef void (*AtlasVisit)(void *context, const AtlasFunction *function);
void atlas_each(Atlas *self, bool roots, AtlasVisit visit, void *context);
void atlas_calls_free(AtlasCalls *self);

#endif
