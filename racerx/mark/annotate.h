// annotate.h: inside racerx/, the second run of the scripts: marks on the linked program. In pipeline order:
// handles (what scripts see of the program), annotate (what they say of it), marks (what follows from that).
#ifndef RACERX_ANNOTATE_H
#define RACERX_ANNOTATE_H

#include "annotators/host.h"
#include "racerx/link/program.h"

typedef struct {
    char *text;
    Pattern *pattern;
} KnownPattern;

typedef struct {
    Program *program;
    const LaterScript *script;    // that is running
    bool inside;                  // its annotate(function) is running
    u32 *said;                    // by function: MARK_… that scripts gave it, or took from it
    U32Array first, second;       // scratch: functions that an argument of a script means
    U32Array *wanted;             // the one of them being filled
    Array(KnownPattern) patterns; // that scripts used
    Buffer text;                  // scratch
    bool indexed;                 // what follows is filled
    Intern field_names;           // "struct file_operations.open" …
    U32Array field_first;         // by name in field_names: 1 + a field of that name
    U32Array field_next;          // by field: 1 + the next one of the same name
    U32Array function_field;      // by function: its first in function_fields; one more at the end
    U32Array function_fields;     // fields it is stored in
} Annotation;
Annotation *annotation_of(lua_State *lua);
const Pattern *annotation_pattern(Annotation *self, lua_State *lua, const char *text); // or raises an error
bool annotation_matches(lua_State *lua, const Pattern *pattern, const char *text, size_t length);

// handles.c -------------------------------------------------------------------------
// Functions, globals, types and the program itself are numbers to a script, with a kind in their upper half: nothing to
// collect, nothing to forge, the same on every run.
typedef enum { HANDLE_NONE, HANDLE_PROGRAM, HANDLE_FUNCTION, HANDLE_GLOBAL, HANDLE_TYPE } HandleKind;
void handles_open(Host *host); // gives handles their members; requires: annotation_of
void handle_push(lua_State *lua, HandleKind kind, u32 id);
HandleKind handle_at(lua_State *lua, int index, u32 *id); // HANDLE_NONE: it is none
bool is_functions_iterator(lua_State *lua, int index);    // made by program:functions()
void sort_ids(U32Array *ids);                             // and leaves each once

// marks.c ---------------------------------------------------------------------------
// requires: all scripts ran; said by them. fills: marks by equivalence, roots and contexts that follow from marks.
void settle_marks(Program *self, const u32 *said);

// stubs.c ---------------------------------------------------------------------------
void forget_stubs(Program *self); // calls of what only a test has in place of a library lead out of the tree

#endif
