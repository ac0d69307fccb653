// settings.c: numbers with names. In: settings { … } of scripts, --set of the command line. Out: one table that all
// scripts read, and the analysis, too.
//
// rank/default.lua says which names there are. A later script overrules an earlier one, --set overrules them all.
// Invariant: values are finite, and those that the analysis divides by are in their range.
#include "rank/script.h"

#include <lauxlib.h>
#include <math.h>

static const struct {
    const char *name;
    double least, most;
} ranges[] = {
    {"p0", 0.001, 0.999},
    {"wide", 1, 1024},
    {"feedback", 0, 1000},
    {"feedback_belief", 0.1, 1e6},
    {"feedback_function", 0.1, 1e6},
    {"feedback_record", 0.1, 1e6},
    {"feedback_lock", 0.1, 1e6},
    {"feedback_share", 0, 1},
    {"feedback_unconfirmed", 0, 1},
};

static const char metatable[] = "racerx.settings";

typedef struct {
    Settings *settings;
    Finding *const *scoring; // what is being scored
    bool defines;            // settings { … } makes new names
} SettingAccess;

void settings_free(Settings *self) {
    intern_free(&self->names);
    array_free(&self->values);
}

static Setting *find(const Settings *self, const char *name, size_t length) {
    u32 id = length && length < 256 ? intern_find(&self->names, name, (u32)length) : UINT32_MAX;
    return id == UINT32_MAX ? NULL : &self->values.items[id];
}

const Setting *settings_find(const Settings *self, const char *name) { return find(self, name, strlen(name)); }

void settings_list(const Settings *self, FindingList *list) {
    for (u32 i = 1; i < self->values.count; i++)
        findings_add_setting(list, intern_text(&self->names, i), self->values.items[i].value);
}

// What to say of a name that nobody knows; malloc'd.
static char *unknown_name(const Settings *self, const char *name) {
    Array(const char *) known = {0};
    Buffer out = {0};
    for (u32 i = 1; i < self->values.count; i++)
        array_push(&known, intern_text(&self->names, i));
    array_push(&known, NULL);
    const char *near = nearest_word(name, known.items);
    char *shown = quote_path(name);
    buffer_format(&out, "there is no setting '%.100s'", shown);
    if (near)
        buffer_format(&out, "; did you mean '%s'?", near);
    else
        buffer_text(&out, "; rank/README.md lists them");
    buffer_byte(&out, 0);
    free(shown);
    array_free(&known);
    return (char *)out.bytes;
}

// NULL when the value can be had, else what is wrong with it.
static const char *refusal(const char *name, double value, char text[100]) {
    if (!isfinite(value))
        return "a setting is a finite number";
    for (u32 i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (!strcmp(ranges[i].name, name) && (value < ranges[i].least || value > ranges[i].most)) {
            snprintf(text, 100, "it must be from %g to %g", ranges[i].least, ranges[i].most);
            return text;
        }
    return NULL;
}

void settings_assign(Settings *self, const char *assignment) {
    const char *equals = strchr(assignment, '=');
    char *shown = quote_path(assignment), *end, text[100];
    if (!equals || equals == assignment)
        fatal("--set %s: write --set NAME=VALUE, as in --set line=3", shown);
    Setting *setting = find(self, assignment, (size_t)(equals - assignment));
    char *name = must_strdup(assignment);
    name[equals - assignment] = 0;
    if (!setting)
        fatal("--set %s: %s", shown, unknown_name(self, name));
    double value = strtod(equals + 1, &end);
    if (end == equals + 1 || *end)
        fatal("--set %s: the value is no number", shown);
    const char *why = refusal(name, value, text);
    if (why)
        fatal("--set %s: %s", shown, why);
    *setting = (Setting){value, true};
    free(name);
    free(shown);
}

// for scripts -------------------------------------------------------------------

static void add_setting(Settings *self, const char *name, size_t length, double value) {
    u32 id = intern_add(&self->names, name, (u32)length);
    while (self->values.count <= id)
        array_push(&self->values, ((Setting){0}));
    self->values.items[id].value = value;
}

static SettingAccess *access_of(lua_State *lua) { return luaL_checkudata(lua, 1, metatable); }

static int settings_get(lua_State *lua) {
    const SettingAccess *self = access_of(lua);
    size_t length = 0;
    const char *name = lua_type(lua, 2) == LUA_TSTRING ? lua_tolstring(lua, 2, &length) : "?";
    const Setting *setting = find(self->settings, name, length);
    if (!setting) {
        char *why = unknown_name(self->settings, name);
        lua_pushstring(lua, why);
        free(why);
        return luaL_error(lua, "settings: %s", lua_tostring(lua, -1));
    }
    lua_pushnumber(lua, setting->value);
    return 1;
}

static int settings_refuse(lua_State *lua) {
    return luaL_error(lua, "settings: a setting is changed at the top of a script, by settings { name = value }");
}

static void set_one(lua_State *lua, SettingAccess *self, const char *name, size_t length) { // the value is on top
    char text[100];
    Setting *setting = find(self->settings, name, length);
    if (!setting && !self->defines) {
        char *why = unknown_name(self->settings, name);
        lua_pushstring(lua, why);
        free(why);
        luaL_error(lua, "settings: %s", lua_tostring(lua, -1));
    }
    if (lua_type(lua, -1) != LUA_TNUMBER)
        luaL_error(lua, "settings: %s is a %s; a setting is a number", name, luaL_typename(lua, -1));
    double value = lua_tonumber(lua, -1);
    const char *why = refusal(name, value, text);
    if (why)
        luaL_error(lua, "settings: %s: %s", name, why);
    if (!setting)
        add_setting(self->settings, name, length, value);
    else if (!setting->fixed)
        setting->value = value;
}

static int settings_set(lua_State *lua) { // settings { name = value, … }
    SettingAccess *self = access_of(lua);
    if (*self->scoring)
        return settings_refuse(lua);
    if (lua_gettop(lua) != 2 || lua_type(lua, 2) != LUA_TTABLE)
        return luaL_error(lua, "settings: takes one table: settings { name = value, … }");
    host_push_sorted_keys(lua, 2);
    for (lua_Integer i = 1; lua_rawgeti(lua, 3, i) != LUA_TNIL; i++) {
        size_t length;
        if (lua_type(lua, 4) != LUA_TSTRING)
            return luaL_error(lua, "settings: a value has no name; write settings { name = value }");
        const char *name = lua_tolstring(lua, 4, &length);
        lua_pushvalue(lua, 4);
        lua_rawget(lua, 2);
        set_one(lua, self, name, length);
        lua_settop(lua, 3);
    }
    return 0;
}

void settings_open(Settings *self, Host *host, bool defines, Finding *const *scoring) {
    static const luaL_Reg methods[] = {
        {"__index", settings_get}, {"__newindex", settings_refuse}, {"__call", settings_set}, {NULL, NULL}};
    lua_State *lua = host_lua(host);
    SettingAccess *access = lua_newuserdatauv(lua, sizeof *access, 0);
    *access = (SettingAccess){self, scoring, defines};
    luaL_newmetatable(lua, metatable);
    luaL_setfuncs(lua, methods, 0);
    lua_pushboolean(lua, 0);
    lua_setfield(lua, -2, "__metatable");
    lua_setmetatable(lua, -2);
    lua_setglobal(lua, "settings");
}
