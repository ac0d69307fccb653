// keys.h: inside annotators/, the table a declaration was called with, checked and read.
#ifndef ANNOTATORS_KEYS_H
#define ANNOTATORS_KEYS_H

#include "annotators/table.h"

// Some of Options.all.
typedef struct {
    u32 first, count;
} NameList;

typedef enum { FLAG_NOT_GIVEN, FLAG_FALSE, FLAG_TRUE } Flag;

// What a key does is in annotators/README.md; what was not given is 0.
typedef struct {
    lua_State *lua;
    Loader *loader;
    const char *declaration; // "lock"
    Origin origin;
    SubjectArray *all; // every name in it
    NameList names;    // those without a key
    NameList acquire, release, attempt, wait, assert_held, assert_free, test, owned, guard, init, destroy, downgrade,
        upgrade, save;
    NameList types, detect;
    i32 arg, data, parameter, object, var, flags, nested, count, like; // arguments: 1 … or ARGUMENT_RESULT
    u32 least;
    u8 shared, recursive, release_on_block, sleepless, timed, retakes, sure, everywhere, other, device, always,
        is;                                            // Flag
    u32 kind, returns, fails, context, access, counts; // the word's value + 1
    u32 disables;                                      // DISABLES_…
    const char *global, *member, *text, *type, *field, *name, *answer, *mark, *states, *closed_by, *hides, *unless,
        *headers, *beside;
    Choice when, also;
} Options;

// keys.c: fills `self` from the table at stack index 1, or raises an error that says what the
// declaration knows. `keys` are its keys; "NAMES" among them allows values without one.
void options_read(Options *self, const char *keys);
bool list_has(const char *list, const char *word); // of words separated by blanks
bool is_c_name(const char *text, size_t length);

#endif
