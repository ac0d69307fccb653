// annotate.c: marks that Lua puts on the linked program.
// In: the scripts that called annotate(function) when declarations were read. Out: marks of functions, pairs
// that never run in parallel, and what follows from both (marks.c).
// The idea: a script is run a second time; its declarations do nothing now, and the functions it gives to annotate()
// are called with the program. Scripts run in the order of their layers, so that the user's last word counts.
// Invariant: a script that fails stops everything before the analysis; nothing was written.
#include "racerx/mark/annotate.h"

#include <lauxlib.h>

#define MOST_KNOWN_PATTERNS 1000
#define MOST_NESTED 8
#define MOST_RULES 10000
#define MEMBER_STEPS 64 // charged for each function in never_parallel(): they are kept

static const char annotation_key; // its address: where Lua's registry has the Annotation
static const char functions_key;  // likewise: the list of functions given to annotate()

Annotation *annotation_of(lua_State *lua) {
    lua_rawgetp(lua, LUA_REGISTRYINDEX, &annotation_key);
    Annotation *self = lua_touserdata(lua, -1);
    lua_pop(lua, 1);
    return self;
}

// patterns --------------------------------------------------------------------

const Pattern *annotation_pattern(Annotation *self, lua_State *lua, const char *text) {
    char reason[256];
    for (u32 i = 0; i < self->patterns.count; i++)
        if (!strcmp(self->patterns.items[i].text, text))
            return self->patterns.items[i].pattern;
    host_charge(lua, 200);
    if (self->patterns.count == MOST_KNOWN_PATTERNS)
        luaL_error(lua, "more than %d different patterns; make one of several with |", MOST_KNOWN_PATTERNS);
    Pattern *pattern = pattern_new(text, reason);
    if (!pattern)
        luaL_error(lua, "the pattern '%s' is not usable: %s", text, reason);
    array_push(&self->patterns, ((KnownPattern){must_strdup(text), pattern}));
    return pattern;
}

bool annotation_matches(lua_State *lua, const Pattern *pattern, const char *text, size_t length) {
    int found = pattern_try(pattern, text, length > UINT32_MAX ? UINT32_MAX : (u32)length);
    if (found < 0)
        luaL_error(lua, "the pattern takes too long on the name '%s'; write it without nested repetition", text);
    return found > 0;
}

// which functions -------------------------------------------------------------

static void want_function(Annotation *self, FunctionId id) {
    if (self->wanted->count >= 2 * self->program->functions.count + 1000) // a script says the same over and over
        sort_ids(self->wanted);
    array_push(self->wanted, id);
}

static void want_matching(Annotation *self, lua_State *lua, const char *text) {
    const Program *program = self->program;
    const Pattern *pattern = annotation_pattern(self, lua, text);
    for (FunctionId f = 0; f < program->functions.count; f++) {
        const char *name = program_text(program, program->functions.items[f].name);
        if (annotation_matches(lua, pattern, name, strlen(name)))
            want_function(self, f);
    }
    host_charge(lua, program->functions.count);
}

static bool path_ends_in(const char *path, const char *wanted, size_t length) { // at a '/'
    size_t total = strlen(path);
    return total >= length && !memcmp(path + total - length, wanted, length) &&
           (total == length || path[total - length - 1] == '/');
}

static int no_function(const Annotation *self, lua_State *lua, const char *name) {
    Array(const char *) names = {0};
    for (u32 i = 0; i < self->program->functions.count; i++)
        array_push(&names, program_text(self->program, self->program->functions.items[i].name));
    array_push(&names, NULL);
    const char *near = nearest_word(name, names.items);
    array_free(&names);
    if (near)
        return luaL_error(lua, "no function is called '%s': did you mean '%s'?", name, near);
    return luaL_error(lua, "no function is called '%s'; a pattern, as \"^%s$\", may match nothing", name, name);
}

// All functions of a name, or FILE:NAME. Presets speak of functions that a tree need not have.
static void want_named(Annotation *self, lua_State *lua, const char *text, size_t length) {
    const char *colon = memrchr(text, ':', length), *name = colon ? colon + 1 : text;
    u32 id = intern_find(&self->program->names, name, (u32)(text + length - name)), n = 0, found = 0;
    FunctionId function;
    for (; id != UINT32_MAX && (function = program_named(self->program, id, n)) != NO_ID; n++)
        if (!colon || path_ends_in(function_path(self->program, function), text, (size_t)(colon - text))) {
            want_function(self, function);
            found++;
        }
    host_charge(lua, 4 + n);
    if (!found && self->script->user)
        no_function(self, lua, lua_pushlstring(lua, text, length));
}

static void want_words(Annotation *self, lua_State *lua, const char *at) { // as declarations write names
    for (size_t length;; at += length) {
        at += strspn(at, " \t\r\n");
        if (!(length = strcspn(at, " \t\r\n")))
            return;
        int top = lua_gettop(lua);
        if (*at == '^')
            want_matching(self, lua, lua_pushlstring(lua, at, length));
        else
            want_named(self, lua, at, length);
        lua_settop(lua, top);
    }
}

// Adds what the value at `index` means: a handle, names and patterns, re, program:functions(), or a list of them.
static void want_value(Annotation *self, lua_State *lua, int index, const char *verb, u32 depth) {
    u32 id;
    luaL_checkstack(lua, 6, NULL);
    if (handle_at(lua, index, &id) == HANDLE_FUNCTION) {
        want_function(self, id);
    } else if (lua_type(lua, index) == LUA_TSTRING) {
        want_words(self, lua, lua_tostring(lua, index));
    } else if (pattern_of_re(lua, index)) {
        want_matching(self, lua, pattern_of_re(lua, index));
    } else if (lua_type(lua, index) == LUA_TTABLE && depth < MOST_NESTED) {
        host_charge(lua, lua_rawlen(lua, index));
        for (lua_Unsigned i = 1; i <= lua_rawlen(lua, index); i++) {
            lua_rawgeti(lua, index, (lua_Integer)i);
            want_value(self, lua, lua_gettop(lua), verb, depth + 1);
            lua_pop(lua, 1);
        }
    } else if (is_functions_iterator(lua, index)) {
        for (;; lua_pop(lua, 1)) {
            lua_pushvalue(lua, index);
            lua_call(lua, 0, 1);
            if (handle_at(lua, -1, &id) != HANDLE_FUNCTION)
                break;
            want_function(self, id);
        }
        lua_pop(lua, 1);
    } else {
        luaL_error(
            lua, "%s: a function is wanted, not %s; give a function of the program, a name, a pattern, or a list", verb,
            lua_isnoneornil(lua, index) ? "nothing (is there no such function?)" : luaL_typename(lua, index));
    }
}

// fills: *out, sorted, each function once.
static void want(Annotation *self, lua_State *lua, int index, const char *verb, U32Array *out) {
    host_charge(lua, 20);
    out->count = 0;
    self->wanted = out;
    want_value(self, lua, index, verb, 0);
    sort_ids(out);
}

// marks -----------------------------------------------------------------------

static void say_words(lua_State *lua, const char *verb, const char *text) {
    luaL_Buffer words;
    luaL_buffinit(lua, &words);
    for (const MarkRow *row = mark_rows; row->mark; row++)
        if (row->uses & MARKS_SAID) {
            luaL_addstring(&words, words.n ? ", \"" : "\"");
            luaL_addstring(&words, row->word);
            luaL_addchar(&words, '"');
        }
    luaL_pushresult(&words);
    luaL_error(lua, "%s: %s%s; write %s", verb, text ? "there is no mark " : "the mark is missing", text ? text : "",
               lua_tostring(lua, -1));
}

static const MarkRow *check_word(lua_State *lua, int index, const char *verb) {
    const char *text = lua_type(lua, index) == LUA_TSTRING ? lua_tostring(lua, index) : NULL, *known[32] = {NULL};
    u32 count = 0;
    for (const MarkRow *row = mark_rows; row->mark; row++) {
        if (!(row->uses & MARKS_SAID))
            continue;
        if (text && !strcmp(row->word, text))
            return row;
        known[count++] = row->word;
    }
    const char *near = text ? nearest_word(text, known) : NULL;
    if (near)
        luaL_error(lua, "%s: there is no mark '%s': did you mean '%s'?", verb, text, near);
    say_words(lua, verb, text);
    return NULL;
}

static void take_away(ProgramFunction *function, u32 marks, u32 contexts) {
    function->marks &= ~marks;
    function->contexts &= ~contexts;
    if (!function->contexts && function->marks & MARK_ROOT)
        function->contexts = 1u << CONTEXT_NONE;
}

// mark(f, "word")
static int script_mark(lua_State *lua) {
    Annotation *self = annotation_of(lua);
    const MarkRow *word = check_word(lua, 2, "mark");
    want(self, lua, 1, "mark", &self->first);
    for (u32 i = 0; i < self->first.count; i++) {
        ProgramFunction *function = &self->program->functions.items[self->first.items[i]];
        take_away(function, word->excludes, word->excludes & MARK_INIT ? 1u << CONTEXT_INIT : 0);
        function->marks |= word->mark;
        self->said[self->first.items[i]] |= word->mark;
    }
    lua_pushinteger(lua, self->first.count);
    return 1;
}

// unmark(f, "word")
static int script_unmark(lua_State *lua) {
    Annotation *self = annotation_of(lua);
    const MarkRow *word = check_word(lua, 2, "unmark");
    want(self, lua, 1, "unmark", &self->first);
    for (u32 i = 0; i < self->first.count; i++) {
        take_away(&self->program->functions.items[self->first.items[i]], word->mark,
                  word->context == CONTEXT_NONE ? 0 : 1u << word->context);
        self->said[self->first.items[i]] |= word->mark;
    }
    lua_pushinteger(lua, self->first.count);
    return 1;
}

// pairs -----------------------------------------------------------------------

static i32 check_argument(lua_State *lua, int index) {
    lua_Integer value = lua_isinteger(lua, index) ? lua_tointeger(lua, index) : 0;
    if (value < 1 || value > 127)
        luaL_error(lua,
                   "never_parallel: an argument is counted from 1: write { arg = 1 }, or { arg = { 1, 2 } } for the "
                   "first of f and the second of g");
    return (i32)value;
}

// Is this the one key of the third argument?
static bool has_key(lua_State *lua, const char *key) {
    host_push_sorted_keys(lua, 3);
    bool only =
        lua_rawlen(lua, -1) == 1 && lua_rawgeti(lua, -1, 1) == LUA_TSTRING && !strcmp(lua_tostring(lua, -1), key);
    lua_settop(lua, 3);
    return only;
}

static bool speaks_of_roots(lua_State *lua) {
    if (lua_type(lua, 3) != LUA_TTABLE || !has_key(lua, "roots"))
        return false;
    lua_pushliteral(lua, "roots");
    lua_rawget(lua, 3);
    if (lua_type(lua, -1) != LUA_TBOOLEAN || !lua_toboolean(lua, -1))
        luaL_error(lua, "never_parallel: write { roots = true }, or leave it out");
    lua_settop(lua, 3);
    return true;
}

// { arg = n }, { arg = { n, m } }, or the numbers themselves; { roots = true }.
static NeverParallel check_arguments(lua_State *lua) {
    NeverParallel rule = {0, 0, false};
    if (lua_isnoneornil(lua, 3))
        return rule;
    rule.roots = speaks_of_roots(lua);
    if (rule.roots)
        return rule;
    if (lua_type(lua, 3) == LUA_TTABLE) {
        if (!has_key(lua, "arg"))
            luaL_error(lua, "never_parallel: its third argument has one key: { arg = 1 }, or { roots = true }");
        lua_pushliteral(lua, "arg");
        lua_rawget(lua, 3);
        if (lua_type(lua, 4) == LUA_TTABLE) {
            lua_rawgeti(lua, 4, 1);
            lua_rawgeti(lua, 4, 2);
        } else {
            lua_pushvalue(lua, 4);
            lua_pushvalue(lua, 4);
        }
    } else {
        lua_settop(lua, 4);
        lua_pushvalue(lua, 3);
        lua_pushvalue(lua, lua_isnil(lua, 4) ? 3 : 4);
    }
    rule.f_argument = check_argument(lua, 5);
    rule.g_argument = check_argument(lua, 6);
    return rule;
}

// Leaves those with so many parameters.
static void keep_with_argument(Annotation *self, lua_State *lua, U32Array *functions, i32 argument) {
    u32 kept = 0, count = functions->count;
    for (u32 i = 0; i < count; i++)
        if (program_header(self->program, functions->items[i])->param_count >= (u32)argument)
            functions->items[kept++] = functions->items[i];
    functions->count = kept;
    if (count && !kept && self->script->user)
        luaL_error(lua, "never_parallel: %s has no argument %d",
                   program_text(self->program, self->program->functions.items[functions->items[0]].name),
                   (int)argument);
}

static void put_members(Program *program, const U32Array *functions, u32 rule, u32 list) {
    for (u32 i = 0; i < functions->count; i++)
        array_push(&program->never_parallel_lists, ((NeverParallelMember){functions->items[i], rule, list}));
}

// never_parallel(f, g [, { arg = n } or { roots = true }])
static int script_never_parallel(lua_State *lua) {
    Annotation *self = annotation_of(lua);
    Program *program = self->program;
    want(self, lua, 1, "never_parallel", &self->first);
    want(self, lua, 2, "never_parallel", &self->second);
    NeverParallel rule = check_arguments(lua);
    if (program->never_parallel.count == MOST_RULES)
        return luaL_error(lua, "never_parallel: more than %d calls; give lists or patterns to fewer of them",
                          MOST_RULES);
    keep_with_argument(self, lua, &self->first, rule.f_argument);
    keep_with_argument(self, lua, &self->second, rule.g_argument);
    host_charge(lua, MEMBER_STEPS * ((u64)self->first.count + self->second.count));
    if (!self->first.count || !self->second.count)
        return 0;
    put_members(program, &self->first, program->never_parallel.count, 1);
    put_members(program, &self->second, program->never_parallel.count, 2);
    array_push(&program->never_parallel, rule);
    return 0;
}

static int compare_members(const void *left, const void *right) {
    const NeverParallelMember *a = left, *b = right;
    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    return a->rule < b->rule ? -1 : a->rule > b->rule;
}

// A function that is in both lists of a rule is one entry.
static void sort_members(Program *self) {
    u32 kept = 0;
    NeverParallelMember *all = self->never_parallel_lists.items;
    if (self->never_parallel_lists.count)
        qsort(all, self->never_parallel_lists.count, sizeof *all, compare_members);
    for (u32 i = 0; i < self->never_parallel_lists.count; i++) {
        if (kept && !compare_members(&all[kept - 1], &all[i]))
            all[kept - 1].lists |= all[i].lists;
        else
            all[kept++] = all[i];
    }
    self->never_parallel_lists.count = kept;
}

// running ---------------------------------------------------------------------

static int script_annotate(lua_State *lua) {
    luaL_checktype(lua, 1, LUA_TFUNCTION);
    if (annotation_of(lua)->inside)
        return luaL_error(lua, "annotate: this function is running already; write annotate(…) beside it");
    lua_rawgetp(lua, LUA_REGISTRYINDEX, &functions_key);
    lua_pushvalue(lua, 1);
    lua_rawseti(lua, -2, (lua_Integer)lua_rawlen(lua, -2) + 1);
    return 0;
}

// A large program is gone through in more steps. A handle is no memory but where it is put is.
static HostLimits limits_for(const Program *program) {
    HostLimits limits = host_default_limits;
    u64 size = (u64)program->functions.count + program->globals.count + program->records.count;
    limits.instructions += size * 1000;
    limits.memory += size * 200;
    limits.allocated += size * 4000;
    limits.seconds += (double)size / 5000;
    return limits;
}

static Host *open_host(Annotation *self) {
    HostLimits limits = limits_for(self->program);
    Host *host = host_new(self->script->name, &limits);
    lua_State *lua = host_lua(host);
    lua_pushlightuserdata(lua, self);
    lua_rawsetp(lua, LUA_REGISTRYINDEX, &annotation_key);
    lua_newtable(lua);
    lua_rawsetp(lua, LUA_REGISTRYINDEX, &functions_key);
    script_open_later(host, &self->inside);
    handles_open(host);
    host_register(host, "annotate", script_annotate, NULL);
    host_register(host, "mark", script_mark, NULL);
    host_register(host, "unmark", script_unmark, NULL);
    host_register(host, "never_parallel", script_never_parallel, NULL);
    return host;
}

static void run_script(Annotation *self, const LaterScript *script) {
    self->script = script;
    self->inside = false;
    Host *host = open_host(self);
    lua_State *lua = host_lua(host);
    char *error = host_run(host, script->text, script->length);
    self->inside = true;
    for (lua_Integer i = 1; !error; i++) {
        lua_rawgetp(lua, LUA_REGISTRYINDEX, &functions_key);
        if (lua_rawgeti(lua, -1, i) == LUA_TNIL)
            break;
        handle_push(lua, HANDLE_PROGRAM, 0);
        error = host_call(host, 1, 0);
        lua_settop(lua, 0);
    }
    if (error)
        fatal("%s (annotators/README.md has the calls)", error);
    host_free(host);
}

static void annotation_free(Annotation *self) {
    for (u32 i = 0; i < self->patterns.count; i++) {
        free(self->patterns.items[i].text);
        pattern_free(self->patterns.items[i].pattern);
    }
    array_free(&self->patterns);
    array_free(&self->first);
    array_free(&self->second);
    array_free(&self->field_first);
    array_free(&self->field_next);
    array_free(&self->function_field);
    array_free(&self->function_fields);
    intern_free(&self->field_names);
    buffer_free(&self->text);
    free(self->said);
}

void annotate(Program *program) {
    Annotation self = {.program = program, .said = must_zero(sizeof(u32) * ((size_t)program->functions.count + 1))};
    u32 count = 0;
    const LaterScript *scripts = program->declarations ? declarations_later(program->declarations, &count) : NULL;
    for (u32 i = 0; i < count; i++)
        if (scripts[i].later & LATER_ANNOTATE)
            run_script(&self, &scripts[i]);
    sort_members(program);
    settle_marks(program, self.said);
    annotation_free(&self);
}
