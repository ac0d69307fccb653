// view.c: a finding as a script sees it. In: a Finding. Out: a value whose fields are read by name.
//
// Most scripts look at few fields of most findings, so lists are made when they are first asked for. Nothing can be
// written, a name that no finding has is an error, and a finding kept for later answers no more.
#include "rank/script.h"

#include <lauxlib.h>
#include <math.h>

static const char metatable[] = "racerx.finding";

typedef struct {
    const Finding *finding; // NULL once it was scored
} View;

typedef void (*PushFn)(lua_State *lua, const Finding *finding);
typedef struct {
    const char *name;
    PushFn push;
    bool made; // a table: made once for each finding
} ViewField;

// parts -----------------------------------------------------------------------

static void set_text(lua_State *lua, const char *key, const char *text) {
    lua_pushstring(lua, text);
    lua_setfield(lua, -2, key);
}

static void set_integer(lua_State *lua, const char *key, u32 number) {
    lua_pushinteger(lua, number);
    lua_setfield(lua, -2, key);
}

static void push_number(lua_State *lua, double number) { // 3, not 3.0
    if (fabs(number) < 1e15 && number == floor(number))
        lua_pushinteger(lua, (lua_Integer)number);
    else
        lua_pushnumber(lua, number);
}

static void push_site(lua_State *lua, const Site *site) {
    host_charge(lua, 10 + site->lockset.count + site->callchain.count);
    lua_createtable(lua, 0, 12);
    set_text(lua, "file", site->file);
    set_integer(lua, "line", site->line);
    set_integer(lua, "column", site->column);
    set_text(lua, "function", site->function); // a word of Lua: site["function"]
    set_text(lua, "function_name", site->function);
    set_text(lua, "role", role_word(site->role));
    set_integer(lua, "side", site->side);
    set_text(lua, "object", site->object);
    set_text(lua, "note", site->note);
    set_integer(lua, "conditionals", site->conditionals);
    lua_createtable(lua, (int)site->lockset.count, 0);
    for (u32 i = 0; i < site->lockset.count; i++) {
        lua_pushstring(lua, site->lockset.items[i].name);
        lua_rawseti(lua, -2, i + 1);
    }
    host_seal(lua);
    lua_setfield(lua, -2, "lockset");
    lua_createtable(lua, (int)site->callchain.count, 0);
    for (u32 i = 0; i < site->callchain.count; i++) {
        lua_pushstring(lua, site->callchain.items[i].function);
        lua_rawseti(lua, -2, i + 1);
    }
    host_seal(lua);
    lua_setfield(lua, -2, "callchain");
    host_seal(lua);
}

static void push_sites(lua_State *lua, const Site *sites, u32 count) {
    lua_createtable(lua, (int)count, 0);
    for (u32 i = 0; i < count; i++) {
        push_site(lua, &sites[i]);
        lua_rawseti(lua, -2, i + 1);
    }
    host_seal(lua);
}

// "a b" is { "a", "b", a = true, b = true }
static void push_marks(lua_State *lua, const char *text) {
    lua_Integer count = 0;
    lua_newtable(lua);
    for (const char *at = text; *(at += strspn(at, " ,\t\n"));) {
        size_t length = strcspn(at, " ,\t\n");
        lua_pushlstring(lua, at, length);
        lua_pushvalue(lua, -1);
        lua_rawseti(lua, -3, ++count);
        lua_pushboolean(lua, 1);
        lua_rawset(lua, -3);
        at += length;
    }
    host_seal(lua);
}

// fields ----------------------------------------------------------------------

static void put_kind(lua_State *lua, const Finding *finding) { lua_pushstring(lua, kind_word(finding->kind)); }
static void put_message(lua_State *lua, const Finding *finding) { lua_pushstring(lua, finding->message); }
static void put_object(lua_State *lua, const Finding *finding) { lua_pushstring(lua, finding->object); }
static void put_lock(lua_State *lua, const Finding *finding) { lua_pushstring(lua, finding->lock); }
static void put_file(lua_State *lua, const Finding *finding) { lua_pushstring(lua, finding->file); }
static void put_line(lua_State *lua, const Finding *finding) { lua_pushinteger(lua, finding->line); }
static void put_function(lua_State *lua, const Finding *finding) { lua_pushstring(lua, finding->function); }
static void put_id(lua_State *lua, const Finding *finding) { lua_pushstring(lua, finding->id); }
static void put_score(lua_State *lua, const Finding *finding) { lua_pushnumber(lua, finding->score); }
static void put_below(lua_State *lua, const Finding *finding) { lua_pushboolean(lua, finding->below_line); }

static void put_objects(lua_State *lua, const Finding *finding) {
    lua_createtable(lua, (int)finding->objects.count, 0);
    for (u32 i = 0; i < finding->objects.count; i++) {
        lua_pushstring(lua, finding->objects.items[i]);
        lua_rawseti(lua, -2, i + 1);
    }
    host_seal(lua);
}

static void put_sites(lua_State *lua, const Finding *finding) {
    push_sites(lua, finding->sites.items, finding->sites.count);
}

static void put_evidence(lua_State *lua, const Finding *finding) {
    push_sites(lua, finding->evidence.items, finding->evidence.count);
}

static void put_features(lua_State *lua, const Finding *finding) {
    lua_createtable(lua, 0, (int)finding->features.count);
    for (u32 i = 0; i < finding->features.count; i++) {
        const Feature *feature = &finding->features.items[i];
        if (feature->text)
            lua_pushstring(lua, feature->text);
        else
            push_number(lua, feature->number);
        lua_setfield(lua, -2, feature->name);
    }
    host_seal(lua);
}

static void put_marks(lua_State *lua, const Finding *finding) {
    const char *text = "";
    for (u32 i = 0; i < finding->features.count; i++)
        if (finding->features.items[i].text && !strcmp(finding->features.items[i].name, "marks"))
            text = finding->features.items[i].text;
    push_marks(lua, text);
}

static const ViewField fields[] = {
    {"features", put_features, true},
    {"kind", put_kind, false},
    {"score", put_score, false},
    {"marks", put_marks, true},
    {"file", put_file, false},
    {"line", put_line, false},
    {"function", put_function, false},
    {"function_name", put_function, false},
    {"object", put_object, false},
    {"objects", put_objects, true},
    {"lock", put_lock, false},
    {"message", put_message, false},
    {"sites", put_sites, true},
    {"evidence", put_evidence, true},
    {"id", put_id, false},
    {"below", put_below, false},
};

// the value -------------------------------------------------------------------

static const ViewField *find_field(const char *name) {
    for (u32 i = 0; i < sizeof fields / sizeof *fields; i++)
        if (!strcmp(fields[i].name, name))
            return &fields[i];
    return NULL;
}

static int unknown_field(lua_State *lua, const char *name) {
    const char *names[sizeof fields / sizeof *fields + 1] = {0};
    for (u32 i = 0; i < sizeof fields / sizeof *fields; i++)
        names[i] = fields[i].name;
    const char *near = nearest_word(name, names);
    if (near)
        return luaL_error(lua, "a finding has no '%s'; did you mean '%s'?", name, near);
    return luaL_error(lua, "a finding has no '%s'; its features are in features", name);
}

static int view_get(lua_State *lua) {
    const View *self = luaL_checkudata(lua, 1, metatable);
    const char *name = lua_type(lua, 2) == LUA_TSTRING ? lua_tostring(lua, 2) : "?";
    const ViewField *field = find_field(name);
    if (!field)
        return unknown_field(lua, name);
    if (!self->finding)
        return luaL_error(lua, "a finding can be read only while it is scored; keep what you need of it instead");
    if (!field->made) {
        field->push(lua, self->finding);
        return 1;
    }
    lua_getiuservalue(lua, 1, 1);
    if (lua_getfield(lua, -1, name) == LUA_TNIL) {
        lua_pop(lua, 1);
        field->push(lua, self->finding);
        lua_pushvalue(lua, -1);
        lua_setfield(lua, -3, name);
    }
    return 1;
}

static int view_set(lua_State *lua) {
    return luaL_error(lua, "a finding can be read, but not changed; add(points, reason) changes its score");
}

void view_open(Host *host) {
    static const luaL_Reg methods[] = {{"__index", view_get}, {"__newindex", view_set}, {NULL, NULL}};
    lua_State *lua = host_lua(host);
    luaL_newmetatable(lua, metatable);
    luaL_setfuncs(lua, methods, 0);
    lua_pushboolean(lua, 0);
    lua_setfield(lua, -2, "__metatable");
    lua_pop(lua, 1);
}

void *view_push(lua_State *lua, const Finding *finding) {
    View *self = lua_newuserdatauv(lua, sizeof *self, 1);
    self->finding = finding;
    lua_createtable(lua, 0, 2);
    lua_setiuservalue(lua, -2, 1);
    luaL_setmetatable(lua, metatable);
    return self;
}

void view_close(void *view) { ((View *)view)->finding = NULL; }
