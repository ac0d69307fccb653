// host.h: a Lua state for scripts nobody vouches for: no files, no processes, no C, bounded
// steps and memory, the same answer on every run. Declarations, marks and ranking share it.
#ifndef ANNOTATORS_HOST_H
#define ANNOTATORS_HOST_H

#include "base/base.h"

#include <lua.h>

// The presets, made from annotators/*.lua by annotators/embed.sh when the program is built.
typedef struct {
    const char *name; // "linux"
    const char *text; // the script
    u32 length;       // bytes of text
} BuiltinPreset;
extern const BuiltinPreset builtin_presets[];
extern const u32 builtin_preset_count;

typedef struct {
    u64 instructions; // steps of Lua one host may take in all
    u64 memory;       // bytes it may hold at once
    u64 allocated;    // bytes it may ask for in all: bounds copying, too
    double seconds;   // of processor time: the last resort, far above what the others allow
} HostLimits;
extern const HostLimits host_default_limits;

typedef struct Host Host;
// A state with the safe library and nothing else. `script` is the name errors give.
Host *host_new(const char *script, const HostLimits *limits);
void host_free(Host *self);
lua_State *host_lua(Host *self);
Host *host_of(lua_State *lua);
const char *host_script(const Host *self);
u32 host_line(lua_State *lua); // of the script, where it called the running C function
// Makes `function` a global of the script; it finds `data` as its first upvalue.
void host_register(Host *self, const char *name, lua_CFunction function, void *data);
// Runs a script's text. NULL when it went well; else a malloc'd message "SCRIPT:LINE: what".
char *host_run(Host *self, const char *text, size_t length);
// Calls the function below `arguments` values on the stack, like lua_pcall; NULL or a message.
char *host_call(Host *self, int arguments, int results);
// Counts steps, memory asked for and time from zero, against these limits: for a caller that comes back many times.
void host_restart(Host *self, const HostLimits *limits);
HostLimits host_used(const Host *self); // since it started; of memory what it holds now
// Adds to the steps taken: for C functions whose work is not one step.
void host_charge(lua_State *lua, u64 steps);
// lua_next in an order of its own: replaces the table at `index` (which stays) by an array on
// top of the stack with its keys, numbers first, then strings by their bytes.
void host_push_sorted_keys(lua_State *lua, int index);
// Replaces the table on top of the stack by one that reads the same and cannot be written to.
void host_seal(lua_State *lua);

// script.c --------------------------------------------------------------------
// For the stages after the first: a script's declarations are accepted and do nothing; while `inside` holds (the
// script's function of that stage is running) they are errors. annotate and rank do nothing until registered anew.
void script_open_later(Host *self, const bool *inside);

// pattern.c -------------------------------------------------------------------
// PCRE2 as scripts may use it: plain patterns, bounded work. Thread-safe.
typedef struct Pattern Pattern;
// NULL and a reason when the pattern does not compile or is not plain.
Pattern *pattern_new(const char *text, char reason[256]);
// One pattern that matches where any of these does, and says which came first. NULL: too large.
Pattern *pattern_new_union(const Pattern *const *parts, u32 count);
void pattern_free(Pattern *self);
bool pattern_matches(const Pattern *self, const char *text, u32 length);
int pattern_try(const Pattern *self, const char *text, u32 length); // the same; -1: it takes too long
bool pattern_may_begin(const Pattern *self, char first);            // could a text that begins so match?
// Of a union: the index of the first alternative that matches, or UINT32_MAX.
u32 pattern_first(const Pattern *self, const char *text, u32 length);
// For scripts: match(text, pattern), and re "pattern".
void pattern_open(Host *host);
// The text of a re "…" at this stack index, or NULL when there is none.
const char *pattern_of_re(lua_State *lua, int index);

#endif
