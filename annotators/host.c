// host.c: the sandbox. In: the text of a script and the C functions it may call. Out: their
// effects, or one message with script and line.
//
// The idea: nothing is taken away from a full Lua; a small one is put together by hand. What is
// not in the lists below does not exist for a script. Invariants:
// - no way to run C, bytecode or a finaliser: no load, no metatables, no coroutines;
// - no unbounded work between two steps: whatever can take long is charged, capped or left out
//   (Lua's own patterns, rep and move can run for years);
// - the same answer on every run: pairs() is sorted, no addresses, no random numbers, no clock.
#include "annotators/host.h"

#include <lauxlib.h>
#include <lualib.h>
#include <time.h>

const HostLimits host_default_limits = {
    .instructions = 20000000,
    .memory = (u64)32 << 20,
    .allocated = (u64)2 << 30,
    .seconds = 20,
};

#define HOOK_STEPS 200
#define CLOCK_STEPS 1000 // the clock is looked at so often
#define MOST_SCRIPT_BYTES ((size_t)1 << 20)
#define MOST_PRINTED 100
#define MOST_MESSAGE 1000 // bytes of an error that a script makes

struct Host {
    lua_State *lua;
    HostLimits limits;
    char *script;    // what errors call it
    u64 steps;       // taken so far
    u64 held;        // bytes allocated now
    u64 asked;       // bytes ever asked for
    u32 denied_line; // where the script was when it got no more memory; 0: it always did
    u32 printed;     // lines of print()
    double start;    // processor time when it began
};

// Errors inside Lua call every script this; host_message puts the real name there.
static const char chunk_name[] = "script";

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

Host *host_of(lua_State *lua) { return *(Host **)lua_getextraspace(lua); }
lua_State *host_lua(Host *self) { return self->lua; }
const char *host_script(const Host *self) { return self->script; }

static u32 line_at(lua_State *lua, int level) { // the innermost line of Lua from this level on
    lua_Debug frame;
    for (; lua_getstack(lua, level, &frame); level++) {
        lua_getinfo(lua, "l", &frame);
        if (frame.currentline > 0)
            return (u32)frame.currentline;
    }
    return 0;
}

u32 host_line(lua_State *lua) { return line_at(lua, 1); }

// limits ----------------------------------------------------------------------

static void *host_allocate(void *data, void *old, size_t old_size, size_t size) {
    Host *self = data;
    if (!old)
        old_size = 0; // Lua says there what it wants the memory for
    if (!size) {
        free(old);
        self->held -= old_size;
        return NULL;
    }
    u64 growth = size > old_size ? size - old_size : 0;
    if (self->held + growth > self->limits.memory || self->asked + growth > self->limits.allocated) {
        if (self->lua)
            self->denied_line = line_at(self->lua, 0);
        return NULL;
    }
    self->held = self->held - old_size + size;
    self->asked += growth;
    return must_realloc(old, size); // that there is none left is not the script's fault
}

static void stop(lua_State *lua, const char *limit) {
    lua_pushfstring(lua, "%s:%d: %s", chunk_name, (int)line_at(lua, 0), limit);
    lua_error(lua);
}

void host_charge(lua_State *lua, u64 steps) {
    Host *self = host_of(lua);
    u64 before = self->steps;
    self->steps += steps;
    if (self->steps > self->limits.instructions)
        stop(lua, "the script takes too many steps; is there a loop that does not end?");
    if (before / CLOCK_STEPS != self->steps / CLOCK_STEPS && processor_seconds() - self->start > self->limits.seconds)
        stop(lua, "the script takes too long; make it do less work on large strings or tables");
}

void host_restart(Host *self, const HostLimits *limits) {
    self->limits = *limits;
    self->steps = self->asked = 0;
    self->start = processor_seconds();
}

HostLimits host_used(const Host *self) {
    return (HostLimits){self->steps, self->held, self->asked, processor_seconds() - self->start};
}

static void count_steps(lua_State *lua, lua_Debug *frame) {
    (void)frame;
    host_charge(lua, HOOK_STEPS);
}

static int panic(lua_State *lua) { die("Lua outside protection: %s", lua_tostring(lua, -1)); }

// what scripts have of the base library -------------------------------------------

static int base_tostring(lua_State *lua) { // no addresses: they differ from run to run
    int type = lua_type(lua, 1);
    luaL_checkany(lua, 1);
    if (type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TUSERDATA)
        lua_pushstring(lua, lua_typename(lua, type));
    else
        luaL_tolstring(lua, 1, NULL);
    return 1;
}

static int base_print(lua_State *lua) {
    Host *self = host_of(lua);
    int count = lua_gettop(lua);
    if (self->printed++ >= MOST_PRINTED)
        return luaL_error(lua, "prints more than %d lines; print less", MOST_PRINTED);
    luaL_Buffer line;
    luaL_buffinit(lua, &line);
    for (int i = 1; i <= count; i++) {
        lua_pushcfunction(lua, base_tostring);
        lua_pushvalue(lua, i);
        lua_call(lua, 1, 1);
        luaL_addvalue(&line);
        if (i < count)
            luaL_addchar(&line, ' ');
    }
    luaL_pushresult(&line);
    char *shown = quote_path(lua_tostring(lua, -1));
    note("%s: %.1000s", self->script, shown);
    free(shown);
    return 0;
}

typedef struct {
    const char *text; // NULL for a number
    size_t length;
    lua_Number number;
    int index; // in the array of keys
} SortedKey;

static int compare_keys(const void *left, const void *right) {
    const SortedKey *a = left, *b = right;
    if (!a->text || !b->text)
        return a->text ? 1 : b->text ? -1 : (a->number > b->number) - (a->number < b->number);
    int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

static int collect_keys(lua_State *lua, int table) { // leaves an array of them; their number
    int count = 0;
    lua_newtable(lua);
    lua_pushnil(lua);
    while (lua_next(lua, table)) {
        lua_pop(lua, 1);
        if (lua_type(lua, -1) != LUA_TNUMBER && lua_type(lua, -1) != LUA_TSTRING)
            luaL_error(lua, "a key of the table is a %s; keys are names or numbers", luaL_typename(lua, -1));
        lua_pushvalue(lua, -1);
        lua_rawseti(lua, -3, ++count);
    }
    return count;
}

void host_push_sorted_keys(lua_State *lua, int index) {
    luaL_checkstack(lua, 6, NULL);
    int count = collect_keys(lua, lua_absindex(lua, index));
    int keys = lua_gettop(lua);
    host_charge(lua, (u64)count * 4);
    SortedKey *sorted = lua_newuserdatauv(lua, sizeof(SortedKey) * (size_t)(count + 1), 0);
    for (int i = 0; i < count; i++) {
        lua_rawgeti(lua, keys, i + 1);
        sorted[i] = (SortedKey){.index = i + 1};
        if (lua_type(lua, -1) == LUA_TSTRING)
            sorted[i].text = lua_tolstring(lua, -1, &sorted[i].length);
        else
            sorted[i].number = lua_tonumber(lua, -1);
        lua_pop(lua, 1);
    }
    qsort(sorted, (size_t)count, sizeof *sorted, compare_keys);
    lua_createtable(lua, count, 0);
    for (int i = 0; i < count; i++) {
        lua_rawgeti(lua, keys, sorted[i].index);
        lua_rawseti(lua, -2, i + 1);
    }
    lua_replace(lua, keys);
    lua_settop(lua, keys);
}

static int pairs_step(lua_State *lua) { // upvalues: the table, its keys, how many were given
    lua_Integer at = lua_tointeger(lua, lua_upvalueindex(3)) + 1;
    lua_pushinteger(lua, at);
    lua_replace(lua, lua_upvalueindex(3));
    if (lua_rawgeti(lua, lua_upvalueindex(2), at) == LUA_TNIL)
        return 1;
    lua_pushvalue(lua, -1);
    lua_rawget(lua, lua_upvalueindex(1));
    return 2;
}

static int base_pairs(lua_State *lua) {
    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_settop(lua, 1);
    if (luaL_getmetafield(lua, 1, "__index") == LUA_TTABLE) // sealed: what is behind it
        lua_replace(lua, 1);
    lua_settop(lua, 1);
    host_push_sorted_keys(lua, 1);
    lua_pushinteger(lua, 0);
    lua_pushcclosure(lua, pairs_step, 3);
    return 1;
}

static int sealed_set(lua_State *lua) { return luaL_error(lua, "this table can be read, but not changed"); }

static int sealed_length(lua_State *lua) {
    luaL_getmetafield(lua, 1, "__index");
    lua_pushinteger(lua, (lua_Integer)lua_rawlen(lua, -1));
    return 1;
}

void host_seal(lua_State *lua) {
    luaL_checkstack(lua, 4, NULL);
    lua_newtable(lua);
    lua_createtable(lua, 0, 4);
    lua_rotate(lua, -3, -1);
    lua_setfield(lua, -2, "__index");
    lua_pushcfunction(lua, sealed_set);
    lua_setfield(lua, -2, "__newindex");
    lua_pushcfunction(lua, sealed_length);
    lua_setfield(lua, -2, "__len");
    lua_pushboolean(lua, 0);
    lua_setfield(lua, -2, "__metatable");
    lua_setmetatable(lua, -2);
}

// A name that was never set is a slip of the pen, not nil.
static int unknown_global(lua_State *lua) {
    const char *name = lua_type(lua, 2) == LUA_TSTRING ? lua_tostring(lua, 2) : "?";
    return luaL_error(lua, "'%s' is neither a declaration nor a variable set before; is it misspelled?", name);
}

// strings and tables ----------------------------------------------------------

static int string_rep(lua_State *lua) { // Lua's own counts to n even when there is nothing to copy
    size_t length;
    const char *text = luaL_checklstring(lua, 1, &length);
    lua_Integer times = luaL_checkinteger(lua, 2);
    luaL_Buffer out;
    if (length && times > (lua_Integer)(host_of(lua)->limits.memory / length))
        return luaL_error(lua, "string.rep makes a string larger than the memory a script may have");
    luaL_buffinit(lua, &out);
    if (length)
        host_charge(lua, (u64)(times > 0 ? times : 0));
    for (lua_Integer i = 0; length && i < times; i++)
        luaL_addlstring(&out, text, length);
    luaL_pushresult(&out);
    return 1;
}

static bool has_pointer(const char *format) { // %p, with any flags and width
    for (const char *at = format; (at = strchr(at, '%')); at += *at != 0) {
        at += 1 + strspn(at + 1, "-+ #0123456789.");
        if (*at == 'p')
            return true;
    }
    return false;
}

static int string_format(lua_State *lua) { // upvalue: Lua's own
    const char *format = luaL_checkstring(lua, 1);
    if (has_pointer(format))
        return luaL_error(lua, "string.format has no %%p here: addresses differ from run to run");
    for (int i = 2; i <= lua_gettop(lua); i++)
        if (lua_type(lua, i) >= LUA_TTABLE)
            return luaL_error(lua, "string.format: value %d is a %s; give a string or a number", i - 1,
                              luaL_typename(lua, i));
    lua_pushvalue(lua, lua_upvalueindex(1));
    lua_insert(lua, 1);
    lua_call(lua, lua_gettop(lua) - 1, 1);
    return 1;
}

// Lua's own compares inside one step: what it may compare is bounded here.
static int table_sort(lua_State *lua) { // upvalue: Lua's own
    luaL_checktype(lua, 1, LUA_TTABLE);
    if (!lua_isnoneornil(lua, 2) && (lua_iscfunction(lua, 2) || !lua_isfunction(lua, 2)))
        return luaL_error(lua, "table.sort: the order must be a function of the script");
    lua_Unsigned count = lua_rawlen(lua, 1);
    host_charge(lua, (u64)count * 16);
    for (lua_Unsigned i = 1; lua_isnoneornil(lua, 2) && i <= count; i++) {
        lua_rawgeti(lua, 1, (lua_Integer)i);
        if (lua_type(lua, -1) == LUA_TSTRING && lua_rawlen(lua, -1) > 1024)
            return luaL_error(lua, "table.sort: a string is longer than 1024 bytes");
        lua_pop(lua, 1);
    }
    lua_settop(lua, 2);
    lua_pushvalue(lua, lua_upvalueindex(1));
    lua_insert(lua, 1);
    lua_call(lua, 2, 0);
    return 0;
}

static int base_words(lua_State *lua) { // words "a b c" is { "a", "b", "c" }
    size_t size;
    const char *at = luaL_checklstring(lua, 1, &size);
    lua_Integer count = 0;
    host_charge(lua, size / 8);
    lua_newtable(lua);
    for (;;) {
        at += strspn(at, " \t\r\n");
        size_t length = strcspn(at, " \t\r\n");
        if (!length)
            return 1;
        lua_pushlstring(lua, at, length);
        lua_rawseti(lua, -2, ++count);
        at += length;
    }
}

// putting it together ---------------------------------------------------------

// Copies what is listed from the library table on top of the stack into the table below it.
static void copy_functions(lua_State *lua, const char *const *names) {
    for (; *names; names++) {
        lua_getfield(lua, -1, *names);
        check(!lua_isnil(lua, -1));
        lua_setfield(lua, -3, *names);
    }
}

static void open_base(lua_State *lua) {
    static const char *const safe[] = {"assert", "error",    "ipairs", "rawequal", "rawlen",
                                       "select", "tonumber", "type",   NULL};
    lua_newtable(lua); // the script's globals
    lua_pushcfunction(lua, luaopen_base);
    lua_call(lua, 0, 1);
    copy_functions(lua, safe);
    lua_settop(lua, 1);
    lua_pushcfunction(lua, base_tostring);
    lua_setfield(lua, 1, "tostring");
    lua_pushcfunction(lua, base_print);
    lua_setfield(lua, 1, "print");
    lua_pushcfunction(lua, base_pairs);
    lua_setfield(lua, 1, "pairs");
    lua_pushcfunction(lua, base_words);
    lua_setfield(lua, 1, "words");
}

static void open_library(lua_State *lua, const char *name, lua_CFunction open, const char *const *safe) {
    lua_newtable(lua);
    lua_pushcfunction(lua, open);
    lua_call(lua, 0, 1);
    copy_functions(lua, safe);
    lua_pop(lua, 1);
    lua_setfield(lua, 1, name);
}

// Our own in place of what was opened; strings' metatable is replaced, too.
static void open_replacements(lua_State *lua) {
    lua_getfield(lua, 1, "string");
    lua_pushcfunction(lua, string_rep);
    lua_setfield(lua, -2, "rep");
    lua_getfield(lua, -1, "format");
    lua_pushcclosure(lua, string_format, 1);
    lua_setfield(lua, -2, "format");
    lua_getfield(lua, 1, "table");
    lua_getfield(lua, -1, "sort");
    lua_pushcclosure(lua, table_sort, 1);
    lua_setfield(lua, -2, "sort");
    lua_pop(lua, 1);
    lua_pushliteral(lua, "");
    lua_newtable(lua);
    lua_pushvalue(lua, -3);
    lua_setfield(lua, -2, "__index");
    lua_pushboolean(lua, 0);
    lua_setfield(lua, -2, "__metatable");
    lua_setmetatable(lua, -2);
    lua_settop(lua, 1);
}

static int host_open(lua_State *lua) {
    static const char *const strings[] = {"byte", "char", "format", "len", "lower", "reverse", "sub", "upper", NULL};
    static const char *const tables[] = {"concat", "insert", "pack", "remove", "sort", "unpack", NULL};
    static const char *const maths[] = {"abs", "ceil", "exp",        "floor", "fmod",       "huge",
                                        "log", "max",  "maxinteger", "min",   "mininteger", "modf",
                                        "pi",  "sqrt", "tointeger",  "type",  "ult",        NULL};
    lua_settop(lua, 0);
    open_base(lua);
    open_library(lua, "string", luaopen_string, strings);
    open_library(lua, "table", luaopen_table, tables);
    open_library(lua, "math", luaopen_math, maths);
    open_replacements(lua);
    lua_newtable(lua);
    lua_pushcfunction(lua, unknown_global);
    lua_setfield(lua, -2, "__index");
    lua_pushboolean(lua, 0);
    lua_setfield(lua, -2, "__metatable");
    lua_setmetatable(lua, 1);
    lua_rawseti(lua, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    return 0;
}

Host *host_new(const char *script, const HostLimits *limits) {
    Host *self = must_zero(sizeof *self);
    self->limits = limits ? *limits : host_default_limits;
    self->script = quote_path(script);
    self->start = processor_seconds();
    lua_State *lua = lua_newstate(host_allocate, self);
    if (!lua)
        fatal("%s: a script needs more memory than it may have even to start", self->script);
    *(Host **)lua_getextraspace(lua) = self;
    lua_atpanic(lua, panic);
    lua_pushcfunction(lua, host_open);
    if (lua_pcall(lua, 0, 0, 0) != LUA_OK)
        die("cannot open the script library: %s", lua_tostring(lua, -1));
    lua_sethook(lua, count_steps, LUA_MASKCOUNT, HOOK_STEPS);
    self->lua = lua;
    pattern_open(self);
    return self;
}

void host_free(Host *self) {
    if (!self)
        return;
    lua_close(self->lua);
    free(self->script);
    free(self);
}

void host_register(Host *self, const char *name, lua_CFunction function, void *data) {
    lua_pushlightuserdata(self->lua, data);
    lua_pushcclosure(self->lua, function, 1);
    lua_setglobal(self->lua, name);
}

// running ---------------------------------------------------------------------

static char *host_message(Host *self, int status) {
    Buffer out = {0};
    buffer_text(&out, self->script);
    if (status == LUA_ERRMEM) {
        buffer_format(&out, ":%u: the script uses more than %llu MiB of memory; make its strings and tables smaller",
                      self->denied_line, (unsigned long long)(self->limits.memory >> 20));
    } else {
        const char *text = lua_type(self->lua, -1) == LUA_TSTRING ? lua_tostring(self->lua, -1) : "error without text";
        size_t prefix = sizeof chunk_name - 1;
        char *shown = quote_path(text);
        bool named = !strncmp(shown, chunk_name, prefix) && shown[prefix] == ':', cut = strlen(shown) > MOST_MESSAGE;
        buffer_format(&out, "%s%.*s%s", named ? "" : ": ", MOST_MESSAGE, shown + (named ? prefix : 0), cut ? "…" : "");
        free(shown);
    }
    buffer_byte(&out, 0);
    lua_settop(self->lua, 0);
    return (char *)out.bytes;
}

// error("text", 0) and error({}) say no line: say it for them.
static int add_line(lua_State *lua) {
    size_t prefix = sizeof chunk_name - 1;
    const char *text = lua_type(lua, 1) == LUA_TSTRING ? lua_tostring(lua, 1) : "error without text";
    if (strncmp(text, chunk_name, prefix) || text[prefix] != ':')
        lua_pushfstring(lua, "%s:%d: %s", chunk_name, (int)line_at(lua, 1), text);
    return 1;
}

char *host_call(Host *self, int arguments, int results) {
    int base = lua_gettop(self->lua) - arguments;
    self->denied_line = 0;
    lua_pushcfunction(self->lua, add_line);
    lua_insert(self->lua, base);
    int status = lua_pcall(self->lua, arguments, results, base);
    lua_remove(self->lua, base);
    return status == LUA_OK ? NULL : host_message(self, status);
}

char *host_run(Host *self, const char *text, size_t length) {
    char name[16];
    snprintf(name, sizeof name, "=%s", chunk_name);
    if (length > MOST_SCRIPT_BYTES) {
        lua_pushfstring(self->lua, "the script is larger than 1 MiB; is it a script?");
        return host_message(self, LUA_ERRRUN);
    }
    if (length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
        text += 3, length -= 3;
    int status = luaL_loadbufferx(self->lua, text, length, name, "t");
    return status == LUA_OK ? host_call(self, 0, 0) : host_message(self, status);
}
