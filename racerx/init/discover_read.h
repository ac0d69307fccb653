// discover_read.h: inside extract/, one file's text to steps (discover_body.c, discover_read.c), before all files
// are put together (discover.c).
#ifndef EXTRACT_DISCOVER_READ_H
#define EXTRACT_DISCOVER_READ_H

#include "racerx/init/discover.h"
#include "extract/preprocess.h"

// What one file gives. Names are the worker's; steps count from the file's first.
typedef struct {
    Array(TextStep) steps;
    Array(TextBody) bodies;
    Array(HandedName) handed; // any name handed on; those that are functions are found later
    Array(Stored) stored;
    Array(Typed) typed;
    u32 worker; // whose names these are
    u32 deep;
    u64 bytes;
    bool unread;
} FileFound;

typedef struct {
    u32 hash; // of the text that was assigned to
    u32 step; // the call that gave the value
} Assigned;

// A worker's memory between files.
typedef struct {
    const DiscoverWords *words;
    NameTable names;
    Lexed lexed;
    Arena arena;
    TokenArray tokens;        // what is read: the chosen arms of a file, or a macro's body
    U32Array partners;        // of every bracket in it; NO_TOKEN: none
    U32Array open;            // brackets, while partners are looked for
    U32Array uses, handed_on; // by name: see NameFacts
    Array(u8) noreturn;       // by name
    U32Array hollow;          // by name
    U32Array likely;          // name ids of words->likely
    FileFound *out;
    // the body being read
    u32 at, end;      // tokens
    u32 first;        // its first step
    u32 body;         // its index
    u32 depth;        // of statements around this one
    U32Array scalars; // locals that are no pointers
    Array(Assigned) assigned;
    Array(Assigned) called; // token -> step, of the condition being read
} DiscoverReader;

// discover_read.c: a file into reader->out.
void discover_read(DiscoverReader *self, const char *text, size_t size);
// discover_body.c
// The statements between the tokens `first` and `end` become steps of the body that was pushed last.
void discover_body(DiscoverReader *self, u32 first, u32 end);
u32 discover_hash(const DiscoverReader *self, u32 first, u32 end); // of the text of these tokens; never 0
void discover_grow(U32Array *array, u32 name);                     // so that it has an item for this name

#endif
