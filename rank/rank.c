// rank.c: scores findings by scripts and puts them in order.
// In: findings with features; rank/default.lua and the user's scripts. Out: score, reasons, below_line, order.
//
// Each script has a Lua state of its own and goes over all findings before the next one does, in the order of the score
// so far; so a script that counts what it saw gives the same answer whatever order the checks found things in.
// Invariant: a score is the sum of its reasons' points, rounded to millionths, so that no order of adding shows.
#include "annotators/declare.h"
#include "rank/script.h"

#include <errno.h>
#include <lauxlib.h>
#include <math.h>

extern const char rank_default_lua[];

#define POINTS_MOST 1e6
#define REASONS_MOST 100
#define REASON_BYTES 400

typedef struct {
    Ranking *ranking;
    Host *host;
    char *path;         // as errors name it
    U32Array functions; // of rank(…), in the registry
    int entry;          // score_one(), likewise
    bool replaces;      // what scripts before it said does not count
    HostLimits left;    // of what it may use for this list
} RankScript;

struct Ranking {
    Settings settings;
    Array(RankScript *) scripts; // the default, then the user's
    FindingList *list;           // being ranked
    Finding *scoring;            // of these the one being scored, or NULL
};

// while a finding is scored ----------------------------------------------------

static Ranking *ranking_of(lua_State *lua, const char *function) {
    RankScript *script = lua_touserdata(lua, lua_upvalueindex(1));
    if (!script->ranking->scoring)
        luaL_error(lua, "%s: only in a function given to rank(…)", function);
    return script->ranking;
}

// The reason at this index, cut where it is very long: names of the analysed tree may be.
static const char *reason_at(lua_State *lua, int index, const char *function, char text[REASON_BYTES + 8]) {
    if (lua_type(lua, index) != LUA_TSTRING || !*lua_tostring(lua, index))
        luaL_error(lua, "%s: needs a reason in words, for the report", function);
    const char *given = lua_tostring(lua, index);
    size_t length = strnlen(given, REASON_BYTES);
    bool cut = given[length];
    while (cut && length && ((u8)given[length] & 0xc0) == 0x80) // not inside a character
        length--;
    snprintf(text, REASON_BYTES + 8, "%.*s%s", (int)length, given, cut ? "…" : "");
    return text;
}

static void give_reason(lua_State *lua, Ranking *self, double points, const char *reason) {
    if (self->scoring->reasons.count >= REASONS_MOST)
        luaL_error(lua, "a finding has %d reasons at most; add up what belongs together", REASONS_MOST);
    finding_add_reason(self->list, self->scoring, points, reason);
    self->scoring->score += points;
}

static int script_add(lua_State *lua) { // add(points, reason)
    char text[REASON_BYTES + 8];
    Ranking *self = ranking_of(lua, "add");
    if (lua_type(lua, 1) != LUA_TNUMBER)
        return luaL_error(lua, "add: points must be a number, not a %s; write add(2, \"why\")", luaL_typename(lua, 1));
    double points = lua_tonumber(lua, 1);
    if (!isfinite(points) || fabs(points) > POINTS_MOST)
        return luaL_error(lua, "add: %f points; they must be a number from -1000000 to 1000000", points);
    const char *reason = reason_at(lua, 2, "add", text);
    if (points != 0)
        give_reason(lua, self, points, reason);
    return 0;
}

static int script_below(lua_State *lua) { // below(reason): the score stays
    char text[REASON_BYTES + 8];
    Ranking *self = ranking_of(lua, "below");
    give_reason(lua, self, 0, reason_at(lua, 1, "below", text));
    self->scoring->below_line = true;
    return 0;
}

static int script_veto(lua_State *lua) { // veto(reason): it is not true
    char text[REASON_BYTES + 8];
    Ranking *self = ranking_of(lua, "veto");
    double score = self->scoring->score;
    give_reason(lua, self, score > VETOED ? VETOED - score : 0, reason_at(lua, 1, "veto", text));
    self->scoring->below_line = true;
    return 0;
}

static void finding_reset(Finding *finding) {
    finding->reasons.count = 0;
    finding->score = 0;
    finding->below_line = false;
}

static int script_reset(lua_State *lua) { // reset(): as if nothing had been said so far
    finding_reset(ranking_of(lua, "reset")->scoring);
    return 0;
}

// All functions of the script on the finding; runs protected, so that even making the view may fail.
static int score_one(lua_State *lua) {
    RankScript *script = lua_touserdata(lua, lua_upvalueindex(1));
    void *view = view_push(lua, script->ranking->scoring);
    for (u32 i = 0; i < script->functions.count; i++) {
        lua_rawgeti(lua, LUA_REGISTRYINDEX, (lua_Integer)script->functions.items[i]);
        lua_pushvalue(lua, -1);
        lua_pushvalue(lua, 1);
        lua_call(lua, 1, 1);
        if (!lua_isnil(lua, -1)) {
            lua_Debug function;
            const char *type = luaL_typename(lua, -1);
            lua_pop(lua, 1);
            lua_getinfo(lua, ">S", &function);
            lua_pushfstring(lua,
                            "script:%d: the ranking function returns a %s; it returns nothing, and says "
                            "add(points, reason) instead",
                            function.linedefined, type);
            return lua_error(lua);
        }
        lua_settop(lua, 1);
    }
    view_close(view);
    return 0;
}

// while a script is loaded -----------------------------------------------------

static void read_rank_table(lua_State *lua, RankScript *script) { // rank { replace = true, function(f) … end }
    bool replace = false;
    host_push_sorted_keys(lua, 1);
    for (lua_Integer i = 1; lua_rawgeti(lua, 2, i) != LUA_TNIL; i++) {
        bool named = lua_type(lua, 3) == LUA_TSTRING && !strcmp(lua_tostring(lua, 3), "replace");
        if (!named && !(lua_isinteger(lua, 3) && lua_tointeger(lua, 3) == 1))
            luaL_error(lua, "rank: takes replace = true and one function, nothing else");
        lua_rawget(lua, 1);
        if (named && lua_type(lua, 3) != LUA_TBOOLEAN)
            luaL_error(lua, "rank: replace is true or false");
        replace |= named && lua_toboolean(lua, 3);
        lua_settop(lua, 2);
    }
    lua_rawgeti(lua, 1, 1);
    lua_replace(lua, 1);
    lua_settop(lua, 1);
    if (replace)
        script->functions.count = 0;
    script->replaces |= replace;
}

static int script_rank(lua_State *lua) {
    RankScript *script = lua_touserdata(lua, lua_upvalueindex(1));
    if (script->ranking->scoring)
        return luaL_error(lua, "rank: only at the top of a script, not while a finding is scored");
    if (lua_gettop(lua) == 1 && lua_type(lua, 1) == LUA_TTABLE)
        read_rank_table(lua, script);
    if (lua_gettop(lua) != 1 || lua_type(lua, 1) != LUA_TFUNCTION)
        return luaL_error(lua, "rank: takes a function: rank(function(f) … end)");
    array_push(&script->functions, (u32)luaL_ref(lua, LUA_REGISTRYINDEX));
    return 0;
}

static const HostLimits load_limits = {20000000, (u64)256 << 20, (u64)2 << 30, 20};

static RankScript *script_new(Ranking *self, const char *path, bool defines) {
    RankScript *script = must_zero(sizeof *script);
    script->ranking = self;
    script->path = must_strdup(path);
    script->host = host_new(path, &load_limits);
    declarations_ignore(script->host);
    host_register(script->host, "rank", script_rank, script);
    host_register(script->host, "add", script_add, script);
    host_register(script->host, "below", script_below, script);
    host_register(script->host, "veto", script_veto, script);
    host_register(script->host, "reset", script_reset, script);
    settings_open(&self->settings, script->host, defines, &self->scoring);
    view_open(script->host);
    lua_State *lua = host_lua(script->host);
    lua_pushlightuserdata(lua, script);
    lua_pushcclosure(lua, score_one, 1);
    script->entry = luaL_ref(lua, LUA_REGISTRYINDEX);
    array_push(&self->scripts, script);
    return script;
}

static void script_run(RankScript *self, const char *text, size_t length) {
    char *error = host_run(self->host, text, length);
    if (error)
        fatal("%s (annotators/README.md and rank/README.md have what a script can say)", error);
}

static bool is_loaded(const Ranking *self, const char *path) {
    for (u32 i = 1; i < self->scripts.count; i++)
        if (!strcmp(self->scripts.items[i]->path, path))
            return true;
    return false;
}

static void load_file(Ranking *self, const char *path) {
    size_t size;
    if (is_loaded(self, path))
        return;
    char *text = file_read(path, &size);
    if (!text) {
        int error = errno;
        fatal("cannot read the script %s: %s; check the path", quote_path(path), strerror(error));
    }
    script_run(script_new(self, path, false), text, size);
    free(text);
}

Ranking *rank_load(const RankOptions *options) {
    Ranking *self = must_zero(sizeof *self);
    script_run(script_new(self, "rank/default.lua", true), rank_default_lua, strlen(rank_default_lua));
    for (u32 i = 0; i < options->assignment_count; i++)
        settings_assign(&self->settings, options->assignments[i]);
    for (u32 i = 0; i < options->script_count; i++)
        load_file(self, options->scripts[i]);
    return self;
}

void rank_free(Ranking *self) {
    if (!self)
        return;
    for (u32 i = 0; i < self->scripts.count; i++) {
        RankScript *script = self->scripts.items[i];
        host_free(script->host);
        array_free(&script->functions);
        free(script->path);
        free(script);
    }
    array_free(&self->scripts);
    settings_free(&self->settings);
    free(self);
}

double rank_setting(const Ranking *self, const char *name) {
    const Setting *setting = settings_find(&self->settings, name);
    if (!setting)
        die("no setting %s in rank/default.lua", name);
    return setting->value;
}

// scoring ---------------------------------------------------------------------

// What a script may use for a whole list grows with it; what it may use for one finding does not.
static HostLimits list_limits(const FindingList *list) {
    u64 rows = 0;
    for (u32 i = 0; i < list->items.count; i++) {
        const Finding *finding = list->items.items[i];
        rows += 8 + finding->features.count;
        for (u32 k = 0; k < finding->sites.count; k++)
            rows += 8 + finding->sites.items[k].lockset.count + finding->sites.items[k].callchain.count;
        for (u32 k = 0; k < finding->evidence.count; k++)
            rows += 8 + finding->evidence.items[k].lockset.count + finding->evidence.items[k].callchain.count;
    }
    return (HostLimits){load_limits.instructions + rows * 1000, load_limits.memory, load_limits.allocated + rows * 4096,
                        load_limits.seconds + (double)rows * 1e-4};
}

static HostLimits finding_limits(const RankScript *script) {
    HostLimits limits = {2000000, load_limits.memory, (u64)512 << 20, 10};
    if (script->left.instructions < limits.instructions)
        limits.instructions = script->left.instructions;
    if (script->left.allocated < limits.allocated)
        limits.allocated = script->left.allocated;
    if (script->left.seconds < limits.seconds)
        limits.seconds = script->left.seconds;
    return limits;
}

static void pay(RankScript *script) {
    HostLimits used = host_used(script->host);
    HostLimits *left = &script->left;
    left->instructions -= used.instructions < left->instructions ? used.instructions : left->instructions;
    left->allocated -= used.allocated < left->allocated ? used.allocated : left->allocated;
    left->seconds -= used.seconds < left->seconds ? used.seconds : left->seconds;
}

static void score_finding(RankScript *script, Finding *finding) {
    HostLimits limits = finding_limits(script);
    host_restart(script->host, &limits);
    script->ranking->scoring = finding;
    lua_rawgeti(host_lua(script->host), LUA_REGISTRYINDEX, script->entry);
    char *error = host_call(script->host, 0, 0);
    if (error)
        fatal("%s (scoring the %s at %s:%u; rank/README.md has what a script can say)", error, kind_word(finding->kind),
              quote_path(finding->file), finding->line);
    script->ranking->scoring = NULL;
    finding->score = round(finding->score * 1e6) / 1e6;
    check(isfinite(finding->score)); // points are finite, and no more than can be added
    pay(script);
}

static void run_script(Ranking *self, RankScript *script) {
    script->left = list_limits(self->list);
    findings_sort(self->list);
    for (u32 i = 0; i < self->list->items.count; i++)
        score_finding(script, self->list->items.items[i]);
}

static u32 first_that_counts(const Ranking *self) {
    u32 first = self->scripts.count - 1;
    while (first && !self->scripts.items[first]->replaces)
        first--;
    return first;
}

double share_of(double score) { return 1 / (1 + exp(-score)); }

void rank_findings(Ranking *self, FindingList *list) {
    self->list = list;
    for (u32 i = 0; i < list->items.count; i++)
        finding_reset(list->items.items[i]);
    for (u32 i = first_that_counts(self); i < self->scripts.count; i++)
        if (self->scripts.items[i]->functions.count)
            run_script(self, self->scripts.items[i]);
    double line = rank_setting(self, "line");
    for (u32 i = 0; i < list->items.count; i++) {
        Finding *finding = list->items.items[i];
        finding->below_line |= finding->score < line;
        finding->share = share_of(finding->score);
    }
    settings_list(&self->settings, list);
    findings_sort(list);
    self->list = NULL;
}
