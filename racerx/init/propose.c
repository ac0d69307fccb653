// propose.c: runs racerx/init/*.lua over what was discovered in a tree.
// In: a Discovery, what presets say already. Out: the text of a racerx.lua, and its entries one by one.
// Idea: C counts, Lua decides. The script asks for names, measures pairs of them, and writes; each function it can
// call is below, and returns plain tables. Everything is in the order of spelling, so the text is always the same.
#include "racerx/init/propose.h"

#include "annotators/host.h"
#include "racerx/init/discover.h"

#include <ctype.h>
#include <lauxlib.h>

extern const char init_lua[]; // racerx/init/*.lua

// What calls of a name look like.
typedef struct {
    u32 tested, null, assigned, returned, ends;                                        // calls with these flags
    u32 scalar[TEXT_ARGS], constant[TEXT_ARGS], address[TEXT_ARGS], string[TEXT_ARGS]; // by argument
    u32 counts[TEXT_ARGS + 1]; // calls with that many arguments; the last: that many or more
} Profile;

#define MOST_WORDS 64
typedef struct {
    Discovery *discovery; // the proposal's
    bool discovered;      // the script has asked for it
    const ProposeOptions *options;
    Profile *profiles; // by name
    Proposal *out;
} Proposer;

static Proposer *proposer_of(lua_State *lua) { return lua_touserdata(lua, lua_upvalueindex(1)); }

// tables ------------------------------------------------------------------------

static void set_number(lua_State *lua, const char *key, u32 value) {
    lua_pushinteger(lua, value);
    lua_setfield(lua, -2, key);
}
static void set_flag(lua_State *lua, const char *key, bool value) {
    lua_pushboolean(lua, value);
    lua_setfield(lua, -2, key);
}
static void set_name(lua_State *lua, const Discovery *discovery, const char *key, u32 name) {
    if (name)
        lua_pushstring(lua, discovery_text(discovery, name));
    else
        lua_pushboolean(lua, false);
    lua_setfield(lua, -2, key);
}
static void set_numbers(lua_State *lua, const char *key, const u32 *values, u32 count) {
    lua_createtable(lua, (int)count, 0);
    for (u32 i = 0; i < count; i++) {
        lua_pushinteger(lua, values[i]);
        lua_rawseti(lua, -2, (lua_Integer)i + 1);
    }
    lua_setfield(lua, -2, key);
}
static void append(lua_State *lua) {
    lua_rawseti(lua, -2, (lua_Integer)lua_rawlen(lua, -2) + 1);
} // the table on top to the list below
static u32 get_number(lua_State *lua, int index, const char *key) {
    lua_getfield(lua, index, key);
    u32 value = (u32)lua_tointeger(lua, -1);
    lua_pop(lua, 1);
    return value;
}
static u32 get_name(lua_State *lua, const Discovery *discovery, int index, const char *key) {
    lua_getfield(lua, index, key);
    u32 name = lua_type(lua, -1) == LUA_TSTRING ? discovery_name(discovery, lua_tostring(lua, -1)) : 0;
    lua_pop(lua, 1);
    return name;
}

// names -------------------------------------------------------------------------

static void fill_profiles(Proposer *self) {
    const Discovery *discovery = self->discovery;
    self->profiles = must_zero(sizeof(Profile) * (discovery->names.entries.count + 1));
    for (u32 i = 0; i < discovery->steps.count; i++) {
        const TextStep *step = &discovery->steps.items[i];
        Profile *profile = &self->profiles[step->name];
        if (step->kind != TEXT_CALL)
            continue;
        profile->tested += (step->flags & FLAG_TESTED) != 0;
        profile->null += (step->flags & FLAG_NULL) != 0;
        profile->assigned += (step->flags & FLAG_ASSIGNED) != 0;
        profile->returned += (step->flags & FLAG_RETURNED) != 0;
        profile->ends += (step->flags & FLAG_ENDS) != 0;
        profile->counts[step->arg_count < TEXT_ARGS ? step->arg_count : TEXT_ARGS]++;
        for (u32 a = 0; a < TEXT_ARGS; a++) {
            profile->scalar[a] += step->scalars >> a & 1;
            profile->constant[a] += step->constants >> a & 1;
            profile->address[a] += step->addresses >> a & 1;
            profile->string[a] += step->strings >> a & 1;
        }
    }
}

static const char **word_list(Proposer *self, lua_State *lua, const char *key) {
    const char **list = arena_array(&self->out->arena, const char *, MOST_WORDS + 1);
    u32 count = 0;
    lua_getfield(lua, 1, key);
    for (lua_Integer i = 1;
         lua_type(lua, -1) == LUA_TTABLE && count < MOST_WORDS && lua_rawgeti(lua, -1, i) == LUA_TSTRING; i++) {
        list[count++] = arena_copy(&self->out->arena, lua_tostring(lua, -1), lua_rawlen(lua, -1));
        lua_pop(lua, 1);
    }
    list[count] = NULL;
    lua_settop(lua, 1);
    return list;
}

// discover { noreturn = { … }, likely = { … }, zero = { … } }: reads the tree; before anything else is asked.
static int lua_discover(lua_State *lua) {
    Proposer *self = proposer_of(lua);
    if (self->discovered)
        return luaL_error(lua, "discover: the tree was read already");
    DiscoverWords words = {word_list(self, lua, "noreturn"), word_list(self, lua, "likely"),
                           word_list(self, lua, "zero")};
    discover(self->discovery, self->options->store, &words, self->options->jobs);
    fill_profiles(self);
    self->discovered = true;
    return 0;
}

// find(text, part): where it first occurs, or nil; split(text): its words in small letters, and how it is spelled.
static int lua_find(lua_State *lua) {
    const char *text = luaL_checkstring(lua, 1), *found = strstr(text, luaL_checkstring(lua, 2));
    if (!found)
        return 0;
    lua_pushinteger(lua, found - text + 1);
    return 1;
}

// Declarations take C names only, of a length that scripts may have; whoever wrote the tree may have had others.
static bool is_plain(const Discovery *discovery, u32 name) {
    const char *text = discovery_text(discovery, name);
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++)
        if (!(text[i] >= 'a' && text[i] <= 'z') && !(text[i] >= 'A' && text[i] <= 'Z') && text[i] != '_' &&
            !(i && text[i] >= '0' && text[i] <= '9'))
            return false;
    return length < 200;
}

static char lowered(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

static bool contains_word(const char *text, const char *word) {
    for (; *text; text++) {
        u32 i = 0;
        while (word[i] && lowered(text[i]) == word[i])
            i++;
        if (!word[i])
            return true;
    }
    return false;
}

static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

// A word ends at _, before a capital after a small letter, and before the last of several capitals that a small
// letter follows: xSemaphoreTake, taskENTER_CRITICAL, VFSLock.
static bool ends_word(const char *text, u32 i) {
    if (!text[i + 1] || text[i + 1] == '_')
        return true;
    if (is_upper(text[i + 1]) && !is_upper(text[i]))
        return true;
    return is_upper(text[i]) && is_upper(text[i + 1]) && is_lower(text[i + 2]);
}

static int lua_split(lua_State *lua) {
    const char *text = luaL_checkstring(lua, 1);
    char word[256];
    u32 length = 0;
    bool small = false;
    lua_newtable(lua);
    for (u32 i = 0; text[i]; i++) {
        small |= is_lower(text[i]);
        if (text[i] == '_')
            continue;
        if (length < sizeof word)
            word[length++] = lowered(text[i]);
        if (ends_word(text, i)) {
            lua_pushlstring(lua, word, length);
            append(lua);
            length = 0;
        }
    }
    lua_pushboolean(lua, small);
    return 2;
}

// names_with({ "lock", … }): names that are called and have one of these in them, any case.
static int lua_names_with(lua_State *lua) {
    const Proposer *self = proposer_of(lua);
    Array(const char *) words = {0};
    lua_Unsigned count = lua_rawlen(lua, 1);
    for (lua_Unsigned i = 1; i <= count; i++) {
        lua_rawgeti(lua, 1, (lua_Integer)i);
        array_push(&words, lua_tostring(lua, -1)); // the table keeps it
        lua_pop(lua, 1);
    }
    lua_newtable(lua);
    lua_Integer at = 0;
    for (u32 name = 1; name < self->discovery->names.entries.count; name++) {
        const char *text = discovery_text(self->discovery, name);
        bool found = false;
        for (u32 i = 0;
             i < words.count && !found && self->discovery->facts[name].calls && is_plain(self->discovery, name); i++)
            found = contains_word(text, words.items[i]);
        if (found) {
            lua_pushstring(lua, text);
            lua_rawseti(lua, -2, ++at);
        }
    }
    array_free(&words);
    return 1;
}

// facts "name": counts; nil when nobody says it.
static int lua_facts(lua_State *lua) {
    const Proposer *self = proposer_of(lua);
    u32 name = discovery_name(self->discovery, luaL_checkstring(lua, 1));
    if (!name)
        return 0;
    const NameFacts *facts = &self->discovery->facts[name];
    const Profile *profile = &self->profiles[name];
    lua_newtable(lua);
    set_number(lua, "calls", facts->calls);
    set_number(lua, "uses", facts->uses);
    set_number(lua, "handed_on", facts->handed_on);
    set_number(lua, "functions", facts->functions);
    set_number(lua, "macros", facts->macros);
    set_number(lua, "hollow", facts->hollow);
    set_flag(lua, "noreturn", facts->noreturn);
    set_number(lua, "tested", profile->tested);
    set_number(lua, "null", profile->null);
    set_number(lua, "assigned", profile->assigned);
    set_number(lua, "returned", profile->returned);
    set_number(lua, "ends", profile->ends);
    set_numbers(lua, "scalar", profile->scalar, TEXT_ARGS);
    set_numbers(lua, "constant", profile->constant, TEXT_ARGS);
    set_numbers(lua, "address", profile->address, TEXT_ARGS);
    set_numbers(lua, "string", profile->string, TEXT_ARGS);
    set_numbers(lua, "counts", profile->counts, TEXT_ARGS + 1);
    return 1;
}

static const char *effect_word(u8 kind) {
    static const char *const words[] = {
        [EFFECT_ACQUIRE] = "acquire",          [EFFECT_RELEASE] = "release", [EFFECT_WAIT] = "wait",
        [EFFECT_DOWNGRADE] = "downgrade",      [EFFECT_UPGRADE] = "upgrade", [EFFECT_ASSERT] = "asserts_held",
        [EFFECT_ASSERT_FREE] = "asserts_free", [EFFECT_TEST] = "test",       [EFFECT_INIT] = "init",
        [EFFECT_DESTROY] = "destroy",          [EFFECT_SAVE] = "save",
    };
    return words[kind];
}

// known "name": what the presets in force say it does to a lock, and to what else; two values or nil.
static bool is_mentioned(const char *text, const char *name) {
    size_t length = strlen(name);
    for (const char *at = text; length && at && (at = strstr(at, name)); at++) {
        bool before = at > text && (isalnum((u8)at[-1]) || at[-1] == '_'),
             after = isalnum((u8)at[length]) || at[length] == '_';
        if (!before && !after)
            return true;
    }
    return false;
}

static int lua_known(lua_State *lua) {
    const Proposer *self = proposer_of(lua);
    const char *name = luaL_checkstring(lua, 1);
    if (is_mentioned(self->options->mentioned, name)) { // declared, forgotten, commented out: somebody looked at it
        lua_pushliteral(lua, "decided");
        lua_pushboolean(lua, true);
        return 2;
    }
    const Declarations *declarations = self->options->declarations;
    const LockEffect *effects;
    if (!declarations)
        return 0;
    u32 count = declarations_effects(declarations, name, (u32)strlen(name), &effects);
    Declared said = declarations_look(declarations, name, (u32)strlen(name));
    if (count)
        lua_pushstring(lua, effect_word(effects[0].kind));
    else
        lua_pushnil(lua);
    lua_pushboolean(lua, said.said != 0);
    return 2;
}

// known_field "struct type": do the presets say what runs the functions stored in it?
static int lua_known_field(lua_State *lua) {
    const Declarations *declarations = proposer_of(lua)->options->declarations;
    lua_pushboolean(lua, declarations && declarations_field(declarations, luaL_checkstring(lua, 1), ""));
    return 1;
}

// pairs ---------------------------------------------------------------------------

static void read_pairs(lua_State *lua, const Discovery *discovery, PairArray *out) {
    lua_Unsigned count = lua_rawlen(lua, 1);
    for (lua_Unsigned i = 1; i <= count; i++) {
        lua_rawgeti(lua, 1, (lua_Integer)i);
        int at = lua_gettop(lua);
        Pair pair = {.acquire = get_name(lua, discovery, at, "acquire"),
                     .release = get_name(lua, discovery, at, "release"),
                     .family = get_name(lua, discovery, at, "family"),
                     .meet = get_number(lua, at, "meet"),
                     .argument = (u8)get_number(lua, at, "argument")};
        pair.family = pair.family ? pair.family : pair.release;
        if (pair.acquire && pair.release && pair.acquire != pair.release)
            array_push(out, pair);
        lua_pop(lua, 1);
    }
}

static void unique_pairs(PairArray *pairs) {
    u32 kept = 0;
    if (pairs->count)
        qsort(pairs->items, pairs->count, sizeof(Pair), pair_compare);
    for (u32 i = 0; i < pairs->count; i++)
        if (!kept || pair_compare(&pairs->items[kept - 1], &pairs->items[i]))
            pairs->items[kept++] = pairs->items[i];
    pairs->count = kept;
}

// measure({ { acquire = "a", release = "b" }, … }): the same with counts, by release.
static int lua_measure(lua_State *lua) {
    const Proposer *self = proposer_of(lua);
    PairArray pairs = {0};
    read_pairs(lua, self->discovery, &pairs);
    for (u32 i = 0; i < pairs.count; i++)
        pairs.items[i].meet = pairs.items[i].argument = 0;
    unique_pairs(&pairs);
    discover_pairs(self->discovery, &pairs, self->options->jobs);
    lua_createtable(lua, (int)pairs.count, 0);
    for (u32 i = 0; i < pairs.count; i++) {
        const Pair *pair = &pairs.items[i];
        lua_newtable(lua);
        set_name(lua, self->discovery, "acquire", pair->acquire);
        set_name(lua, self->discovery, "release", pair->release);
        set_number(lua, "meet", pair->meet);
        set_number(lua, "both", pair->both);
        set_number(lua, "balanced", pair->balanced);
        set_number(lua, "mixed", pair->mixed);
        set_number(lua, "inverted", pair->inverted);
        set_number(lua, "acquire_only", pair->acquire_only);
        set_number(lua, "release_only", pair->release_only);
        set_number(lua, "decided", pair->decided);
        set_number(lua, "always", pair->good[CONVENTION_ALWAYS]);
        set_number(lua, "nonzero", pair->good[CONVENTION_NONZERO]);
        set_number(lua, "zero", pair->good[CONVENTION_ZERO]);
        set_number(lua, "argument", pair->argument);
        set_numbers(lua, "same", pair->same, TEXT_ARGS);
        set_numbers(lua, "constant", pair->constant, TEXT_ARGS);
        set_numbers(lua, "result", pair->result, TEXT_ARGS);
        append(lua);
    }
    array_free(&pairs);
    return 1;
}

static void set_wrapper(lua_State *lua, const Discovery *discovery, u32 wrapper, const char *key, u32 of, bool passes) {
    lua_pushstring(lua, discovery_text(discovery, wrapper));
    lua_pushvalue(lua, -1);
    if (lua_rawget(lua, -3) == LUA_TNIL) {
        lua_pop(lua, 1);
        lua_newtable(lua);
    }
    set_name(lua, discovery, key, of);
    set_flag(lua, "passes", passes);
    lua_rawset(lua, -3);
}

// wrappers(pairs): by name, what functions and macros take or give without doing the other.
static int lua_wrappers(lua_State *lua) {
    const Proposer *self = proposer_of(lua);
    PairArray pairs = {0};
    Wrappers wrappers;
    read_pairs(lua, self->discovery, &pairs);
    unique_pairs(&pairs);
    discover_wrappers(self->discovery, &pairs, &wrappers);
    lua_newtable(lua);
    for (u32 b = 0; b < self->discovery->bodies.count; b++) {
        u32 name = self->discovery->bodies.items[b].name;
        if (name && wrappers.acquires[b] != NO_BODY)
            set_wrapper(lua, self->discovery, name, "takes", pairs.items[wrappers.acquires[b]].acquire,
                        wrappers.passes[b]);
        if (name && wrappers.releases[b] != NO_BODY)
            set_wrapper(lua, self->discovery, name, "gives", pairs.items[wrappers.releases[b]].release,
                        wrappers.passes[b]);
    }
    free(wrappers.acquires);
    free(wrappers.releases);
    free(wrappers.passes);
    array_free(&pairs);
    return 1;
}

// companions(pairs): who else is given the objects of these.
static int lua_companions(lua_State *lua) {
    const Proposer *self = proposer_of(lua);
    PairArray pairs = {0};
    CompanionArray found = {0};
    read_pairs(lua, self->discovery, &pairs);
    unique_pairs(&pairs);
    discover_companions(self->discovery, &pairs, &found);
    lua_newtable(lua);
    for (u32 i = 0; i < found.count; i++) {
        if (!is_plain(self->discovery, found.items[i].name))
            continue;
        lua_newtable(lua);
        set_name(lua, self->discovery, "name", found.items[i].name);
        set_name(lua, self->discovery, "release", found.items[i].release);
        set_number(lua, "argument", found.items[i].argument);
        set_number(lua, "beside", found.items[i].beside);
        set_number(lua, "by_name", found.items[i].by_name);
        append(lua);
    }
    array_free(&found);
    array_free(&pairs);
    return 1;
}

// tails({ { name = "f", argument = 1 }, … }): { name, argument, tail, count, uses }, most first for each.
static int lua_tails(lua_State *lua) {
    const Proposer *self = proposer_of(lua);
    TailArray asked = {0}, found = {0};
    lua_Unsigned count = lua_rawlen(lua, 1);
    for (lua_Unsigned i = 1; i <= count; i++) {
        lua_rawgeti(lua, 1, (lua_Integer)i);
        int at = lua_gettop(lua);
        Tail tail = {.function = get_name(lua, self->discovery, at, "name"),
                     .argument = (u8)get_number(lua, at, "argument")};
        if (tail.function && is_plain(self->discovery, tail.function))
            array_push(&asked, tail);
        lua_pop(lua, 1);
    }
    discover_tails(self->discovery, &asked, &found);
    lua_newtable(lua);
    for (u32 i = 0; i < found.count; i++) {
        lua_newtable(lua);
        set_name(lua, self->discovery, "name", found.items[i].function);
        set_name(lua, self->discovery, "tail",
                 is_plain(self->discovery, found.items[i].tail) ? found.items[i].tail : found.items[i].function);
        set_number(lua, "argument", found.items[i].argument);
        set_number(lua, "count", found.items[i].count);
        const NameFacts *facts = &self->discovery->facts[found.items[i].tail];
        set_number(lua, "uses", facts->uses);
        set_number(lua, "handed_on", facts->handed_on);
        append(lua);
    }
    array_free(&asked);
    array_free(&found);
    return 1;
}

static int lua_neighbours(lua_State *lua) {
    const Proposer *self = proposer_of(lua);
    NeighboursArray found = {0};
    discover_neighbours(self->discovery, (u32)luaL_checkinteger(lua, 1), &found);
    lua_newtable(lua);
    for (u32 i = 0; i < found.count; i++) {
        if (!is_plain(self->discovery, found.items[i].first) || !is_plain(self->discovery, found.items[i].second))
            continue;
        lua_newtable(lua);
        set_name(lua, self->discovery, "acquire", found.items[i].first);
        set_name(lua, self->discovery, "release", found.items[i].second);
        set_number(lua, "next", found.items[i].next);
        set_number(lua, "alone", found.items[i].alone);
        set_number(lua, "orphan", found.items[i].orphan);
        append(lua);
    }
    array_free(&found);
    return 1;
}

// what runs by itself -----------------------------------------------------------

// Functions handed to one argument of one function.
typedef struct {
    u32 callee;
    u32 argument;
    u32 count;        // calls with a function of the file there
    u32 pointer;      // of these: the function's first parameter is a void pointer
    u32 params[3];    // of these: with no, one, more parameters
    u32 data[8];      // of these: argument i + 1 is neither constant, string nor missing
    u32 arguments[9]; // of these: calls with that many
} HandedTo;
typedef Array(HandedTo) HandedToArray;

static int compare_handed(const void *left, const void *right) {
    const HandedTo *a = left, *b = right;
    if (a->callee != b->callee)
        return a->callee < b->callee ? -1 : 1;
    return a->argument < b->argument ? -1 : a->argument > b->argument;
}

static void add_handed(HandedTo *to, const Discovery *discovery, const HandedName *handed) {
    const TextStep *step = &discovery->steps.items[handed->step];
    u32 body = discovery->facts[handed->handler].body;
    to->count++;
    to->arguments[step->arg_count < 8 ? step->arg_count : 8]++;
    for (u32 a = 0; a < 8 && a < step->arg_count; a++)
        to->data[a] += !((step->constants | step->strings) >> a & 1);
    if (body == NO_BODY)
        return;
    const TextBody *handler = &discovery->bodies.items[body];
    to->pointer += (handler->flags & BODY_POINTER) != 0;
    to->params[handler->param_count < 2 ? handler->param_count : 2]++;
}

static void sum_handed(const Discovery *discovery, HandedToArray *out) {
    Map index = {0};
    for (u32 i = 0; i < discovery->handed.count; i++) {
        const HandedName *handed = &discovery->handed.items[i];
        u32 callee = discovery->steps.items[handed->step].name;
        u32 *at = map_put(&index, (u64)callee << 8 | handed->argument, NULL);
        if (!*at) {
            array_push(out, ((HandedTo){.callee = callee, .argument = handed->argument}));
            *at = out->count;
        }
        add_handed(&out->items[*at - 1], discovery, handed);
    }
    if (out->count)
        qsort(out->items, out->count, sizeof(HandedTo), compare_handed);
    map_free(&index);
}

// handed(): { name, argument, count, calls, pointer, params, data, arguments }: functions given to functions.
static int lua_handed(lua_State *lua) {
    const Proposer *self = proposer_of(lua);
    HandedToArray found = {0};
    sum_handed(self->discovery, &found);
    lua_newtable(lua);
    for (u32 i = 0; i < found.count; i++) {
        const HandedTo *to = &found.items[i];
        if (!is_plain(self->discovery, to->callee))
            continue;
        lua_newtable(lua);
        set_name(lua, self->discovery, "name", to->callee);
        set_number(lua, "argument", to->argument);
        set_number(lua, "count", to->count);
        set_number(lua, "calls", self->discovery->facts[to->callee].calls);
        set_number(lua, "pointer", to->pointer);
        set_numbers(lua, "params", to->params, 3);
        set_numbers(lua, "data", to->data, 8);
        set_numbers(lua, "arguments", to->arguments, 9);
        append(lua);
    }
    array_free(&found);
    return 1;
}

static int compare_stored(const void *left, const void *right) {
    const Stored *a = left, *b = right;
    const u32 x[] = {a->type, a->member, a->type ? 0 : a->variable},
              y[] = {b->type, b->member, b->type ? 0 : b->variable};
    for (u32 i = 0; i < 3; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

// stored(): { type, member, variable, array, count }: functions in initialisers at file scope.
static int lua_stored(lua_State *lua) {
    const Proposer *self = proposer_of(lua);
    u32 count = self->discovery->stored.count;
    Stored *all = must_alloc(sizeof(Stored) * (count + 1));
    if (count) {
        memcpy(all, self->discovery->stored.items, sizeof(Stored) * count);
        qsort(all, count, sizeof(Stored), compare_stored);
    }
    lua_newtable(lua);
    for (u32 i = 0; i < count;) {
        u32 end = i + 1;
        while (end < count && !compare_stored(&all[i], &all[end]))
            end++;
        if (!is_plain(self->discovery, all[i].type) || !is_plain(self->discovery, all[i].variable)) {
            i = end;
            continue;
        }
        lua_newtable(lua);
        set_name(lua, self->discovery, "type", all[i].type);
        set_name(lua, self->discovery, "member", all[i].member);
        set_name(lua, self->discovery, "variable", all[i].type ? 0 : all[i].variable);
        set_flag(lua, "array", all[i].array);
        set_number(lua, "count", end - i);
        append(lua);
        i = end;
    }
    free(all);
    return 1;
}

static u32 type_total(const Discovery *discovery, u32 first) {
    const Typed *typed = &discovery->typed.items[first];
    u32 total = 0;
    for (u32 i = first; i < discovery->typed.count && discovery->typed.items[i].type == typed->type &&
                        discovery->typed.items[i].tagged == typed->tagged;
         i++)
        total += discovery->typed.items[i].count;
    return total;
}

// typed({ name = true, … }): objects with these names: { name, type, tagged, count, total }: how many have this name
// and type, and how many the type in all.
static int lua_typed(lua_State *lua) {
    const Discovery *discovery = proposer_of(lua)->discovery;
    u32 total = 0;
    lua_newtable(lua);
    for (u32 i = 0; i < discovery->typed.count; i++) {
        const Typed *typed = &discovery->typed.items[i];
        if (!i || typed->type != typed[-1].type || typed->tagged != typed[-1].tagged)
            total = type_total(discovery, i);
        lua_getfield(lua, 1, discovery_text(discovery, typed->name));
        bool wanted = lua_toboolean(lua, -1);
        lua_pop(lua, 1);
        if (!wanted || !is_plain(discovery, typed->type))
            continue;
        lua_newtable(lua);
        set_name(lua, discovery, "name", typed->name);
        set_name(lua, discovery, "type", typed->type);
        set_flag(lua, "tagged", typed->tagged);
        set_number(lua, "count", typed->count);
        set_number(lua, "total", total);
        append(lua);
    }
    return 1;
}

// the result --------------------------------------------------------------------

static const char *keep_text(Proposer *self, lua_State *lua, int index) {
    size_t length;
    const char *text = lua_tolstring(lua, index, &length);
    return text ? arena_copy(&self->out->arena, text, length) : NULL;
}

// entry { name, effect, kind, reason, calls, argument, sure }
static int lua_entry(lua_State *lua) {
    Proposer *self = proposer_of(lua);
    const char *texts[4];
    static const char *const keys[] = {"name", "effect", "kind", "reason"};
    for (u32 i = 0; i < 4; i++) {
        lua_getfield(lua, 1, keys[i]);
        texts[i] = keep_text(self, lua, -1);
        lua_pop(lua, 1);
    }
    lua_getfield(lua, 1, "sure");
    ProposedName name = {.name = texts[0],
                         .effect = texts[1],
                         .kind = texts[2],
                         .reason = texts[3],
                         .calls = get_number(lua, 1, "calls"),
                         .argument = (i32)get_number(lua, 1, "argument"),
                         .sure = lua_toboolean(lua, -1)};
    array_push(&self->out->names, name);
    return 0;
}

// result { text, summary, rows, doubtful }
static int lua_result(lua_State *lua) {
    Proposer *self = proposer_of(lua);
    lua_getfield(lua, 1, "text");
    self->out->length = (u32)lua_rawlen(lua, -1);
    self->out->text = keep_text(self, lua, -1);
    lua_getfield(lua, 1, "summary");
    self->out->summary = keep_text(self, lua, -1);
    self->out->rows = get_number(lua, 1, "rows");
    self->out->doubtful = get_number(lua, 1, "doubtful");
    return 0;
}

static void register_all(Proposer *self, Host *host) {
    static const struct {
        const char *name;
        lua_CFunction function;
    } functions[] = {{"discover", lua_discover},
                     {"find", lua_find},
                     {"split", lua_split},
                     {"names_with", lua_names_with},
                     {"facts", lua_facts},
                     {"known", lua_known},
                     {"measure", lua_measure},
                     {"wrappers", lua_wrappers},
                     {"companions", lua_companions},
                     {"tails", lua_tails},
                     {"neighbours", lua_neighbours},
                     {"handed", lua_handed},
                     {"stored", lua_stored},
                     {"typed", lua_typed},
                     {"entry", lua_entry},
                     {"result", lua_result},
                     {"known_field", lua_known_field}};
    for (u32 i = 0; i < sizeof functions / sizeof *functions; i++)
        host_register(host, functions[i].name, functions[i].function, self);
    lua_State *lua = host_lua(host);
    lua_pushstring(lua, self->options->presets ? self->options->presets : "");
    lua_setglobal(lua, "presets_used");
    lua_pushstring(lua, self->options->directory);
    lua_setglobal(lua, "directory");
    lua_pushboolean(lua, self->options->addition);
    lua_setglobal(lua, "addition");
}

void propose(Proposal *self, const ProposeOptions *options) {
    static const HostLimits limits = {
        .instructions = 4000000000, .memory = (u64)4 << 30, .allocated = (u64)64 << 30, .seconds = 600};
    double start = clock_seconds();
    *self = (Proposal){.discovery = must_zero(sizeof(Discovery))};
    Proposer proposer = {.options = options, .out = self, .discovery = self->discovery};
    Host *host = host_new("init.lua", &limits);
    register_all(&proposer, host);
    char *error = host_run(host, init_lua, strlen(init_lua));
    if (error)
        die("%s", error); // the script is ours
    host_free(host);
    self->unread = self->discovery->unread;
    self->deep = self->discovery->deep;
    self->cut = self->discovery->cut;
    free(proposer.profiles);
    self->seconds = clock_seconds() - start;
}

u32 proposal_calls(const Proposal *self, const char *name) {
    u32 id = discovery_name(self->discovery, name);
    return id ? self->discovery->facts[id].calls : 0;
}

const char *proposal_called(const Proposal *self, u32 *next) {
    while (++*next < self->discovery->names.entries.count)
        if (self->discovery->facts[*next].calls)
            return discovery_text(self->discovery, *next);
    return NULL;
}

void proposal_free(Proposal *self) {
    discovery_free(self->discovery);
    free(self->discovery);
    arena_free(&self->arena);
    array_free(&self->names);
    *self = (Proposal){0};
}
