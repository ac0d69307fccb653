// script.c: the declarations as Lua functions. In: tables of scripts, read by keys.c. Out:
// effects and facts in the table. annotators/README.md documents them.
//
// The idea: every declaration is a row at the end: its keys, and what makes facts of them.
#include "annotators/keys.h"

#include <lauxlib.h>

typedef void (*DeclarationFn)(Options *self);
typedef struct {
    const char *name;   // of the Lua function
    const char *keys;   // it takes; NAMES: values without a key
    DeclarationFn make; // facts of its options
    u32 said;           // what it says of its names
} DeclarationRow;

static void raise(Options *self, const char *error) {
    if (error)
        luaL_error(self->lua, "%s: %s", self->declaration, error);
}

static Source *source_of(Options *self, u32 index) {
    Source *source;
    raise(self, table_source(self->loader->table, self->loader->layer, self->all->items[index], &source));
    return source;
}

static const DeclarationRow *row_of(const Options *self);

static void say(Options *self, NameList list, Declared declared) {
    for (u32 i = 0; i < list.count; i++)
        raise(self, table_say(self->loader->table, source_of(self, list.first + i), declared, self->origin));
}

static void need_names(Options *self) {
    if (!self->names.count)
        luaL_error(self->lua, "%s: names nothing; write %s { \"name\", … }", self->declaration, self->declaration);
}

// locks -----------------------------------------------------------------------

typedef enum { ON_ACQUIRE = 1, ON_RELEASE = 2, ON_RETURN = 4 } EffectUse; // which options reach an effect

static LockEffect effect_of(Options *self, EffectKind kind, u32 uses) {
    LockEffect effect = {
        .kind = (u8)kind,
        .lock = (u8)(self->kind ? self->kind - 1 : LOCK_MUTEX),
        .mode = (u8)(self->shared == FLAG_TRUE ? MODE_SHARED
                     : uses & ON_ACQUIRE       ? MODE_EXCLUSIVE
                                               : MODE_ANY),
        .argument = self->arg,
        .global = self->global,
        .member = self->member,
        .choice = self->when,
        .origin = self->origin,
    };
    if (self->also.argument) {
        Choice *also = arena_array(&self->loader->table->arena, Choice, 1);
        *also = self->also;
        effect.choice.also = also;
    }
    if (uses & ON_RETURN)
        effect.returns = (u8)(self->returns ? self->returns - 1 : RETURNS_ANY);
    if (uses & ON_RETURN)
        effect.fails = (u8)(self->fails ? self->fails - 1 : RETURNS_ANY);
    if (uses & (ON_ACQUIRE | ON_RELEASE)) {
        effect.disables = self->disables;
        effect.flags_argument = self->flags;
    }
    if (uses & ON_ACQUIRE) {
        effect.nested_argument = self->nested;
        effect.flags |= self->timed == FLAG_TRUE ? LOCK_TIMED : 0;
    }
    effect.flags |= self->sure == FLAG_TRUE && (uses & ON_RETURN) ? LOCK_SURE : 0;
    effect.flags |= self->recursive == FLAG_TRUE ? LOCK_RECURSIVE : 0;
    effect.flags |= self->release_on_block == FLAG_TRUE ? LOCK_RELEASE_ON_BLOCK : 0;
    effect.flags |= self->sleepless == FLAG_TRUE ? LOCK_SLEEPLESS : 0;
    effect.flags |= self->everywhere == FLAG_TRUE ? LOCK_EVERYWHERE : 0;
    return effect;
}

static void add_effects(Options *self, NameList list, LockEffect effect) {
    for (u32 i = 0; i < list.count; i++)
        raise(self, table_effect(self->loader->table, source_of(self, list.first + i), &effect));
}

static void add_acquisitions(Options *self) {
    LockEffect effect = effect_of(self, EFFECT_ACQUIRE, ON_ACQUIRE | ON_RETURN);
    add_effects(self, self->acquire, effect);
    effect.flags |= LOCK_SCOPED;
    add_effects(self, self->guard, effect);
    effect.flags ^= LOCK_SCOPED | LOCK_TRY;
    if (!effect.returns)
        effect.returns = RETURNS_NONZERO;
    add_effects(self, self->attempt, effect);
}

static void add_other_effects(Options *self) {
    LockEffect wait = effect_of(self, EFFECT_WAIT, ON_RELEASE);
    wait.flags |= self->retakes == FLAG_FALSE ? 0 : LOCK_RETAKES;
    add_effects(self, self->wait, wait);
    add_effects(self, self->release, effect_of(self, EFFECT_RELEASE, ON_RELEASE));
    add_effects(self, self->downgrade, effect_of(self, EFFECT_DOWNGRADE, 0));
    LockEffect upgrade = effect_of(self, EFFECT_UPGRADE, ON_RETURN);
    upgrade.flags |= self->retakes == FLAG_FALSE ? 0 : LOCK_RETAKES;
    add_effects(self, self->upgrade, upgrade);
    add_effects(self, self->assert_held, effect_of(self, EFFECT_ASSERT, 0));
    add_effects(self, self->assert_free, effect_of(self, EFFECT_ASSERT_FREE, 0));
    LockEffect test = effect_of(self, EFFECT_TEST, ON_RETURN);
    test.returns = test.returns ? test.returns : RETURNS_NONZERO;
    add_effects(self, self->test, test);
    LockEffect owned = effect_of(self, EFFECT_ASSERT, ON_RETURN); // a fact where the answer is yes
    owned.returns = owned.returns ? owned.returns : RETURNS_NONZERO;
    add_effects(self, self->owned, owned);
    LockEffect init = effect_of(self, EFFECT_INIT, 0);
    init.count_argument = self->count;
    init.like_argument = self->like;
    add_effects(self, self->init, init);
    add_effects(self, self->destroy, effect_of(self, EFFECT_DESTROY, 0));
    LockEffect save = effect_of(self, EFFECT_SAVE, ON_RELEASE);
    add_effects(self, self->save, save);
}

static void declare_lock(Options *self) {
    bool state = self->kind && lock_kinds[self->kind - 1].disables;
    u32 calls = self->all->count - self->types.count;
    if (!self->all->count)
        luaL_error(self->lua, "lock: names no function; write acquire = \"…\", release = \"…\" and the like");
    if (state && (self->arg || self->global))
        luaL_error(self->lua, "lock: the state of the CPU has neither arg nor global; leave them out");
    if (state)
        self->global = lock_kind_word(self->kind - 1);
    if (self->arg && self->global)
        luaL_error(self->lua, "lock: arg and global contradict each other; the lock is one or the other");
    if (calls && !self->arg && !self->global)
        luaL_error(self->lua, "lock: which lock? Write arg = 1 for the first argument, or global = \"name\"");
    if (self->save.count && !self->flags)
        luaL_error(self->lua, "lock: save needs flags = n, the argument the state is saved in");
    if (self->sure && !self->returns)
        luaL_error(self->lua, "lock: sure speaks of returns, and there is none: write returns = \"zero\", say");
    if (self->retakes && !self->wait.count && !self->upgrade.count)
        luaL_error(self->lua, "lock: retakes speaks of wait and upgrade, and there is none");
    if (self->like && !self->init.count)
        luaL_error(self->lua, "lock: like speaks of init, and there is none");
    if (self->returns && !self->acquire.count && !self->attempt.count && !self->test.count && !self->guard.count &&
        !self->upgrade.count)
        luaL_error(self->lua,
                   "lock: returns speaks of acquire, try, guard, upgrade and test, and there is none of them");
    if (self->fails && !self->returns)
        luaL_error(self->lua, "lock: fails needs returns = \"…\", what the call returns when it has the lock");
    add_acquisitions(self);
    add_other_effects(self);
    say(self, self->types, (Declared){.said = SAID_LOCK_TYPE});
}

// how names are read ----------------------------------------------------------

static void declare_reading(Options *self) {
    need_names(self);
    if (self->mark && !is_c_name(self->mark, strlen(self->mark)))
        luaL_error(self->lua, "%s: mark is one word, not '%s'", self->declaration, self->mark);
    if (self->states && !is_c_name(self->states, strlen(self->states)))
        luaL_error(self->lua, "%s: states is the name of a function, not '%s'", self->declaration, self->states);
    if (self->closed_by && !is_c_name(self->closed_by, strlen(self->closed_by)))
        luaL_error(self->lua, "%s: closed_by is the name of a function or macro, not '%s'", self->declaration,
                   self->closed_by);
    if (self->var < 0)
        luaL_error(self->lua, "%s: var is the number of an argument", self->declaration);
    Declared declared = {.said = row_of(self)->said,
                         .iterator_variable = (u32)self->var,
                         .value = self->answer,
                         .type = self->type,
                         .mark = self->mark,
                         .states = self->states,
                         .closed_by = self->closed_by};
    say(self, self->names, declared);
}

// Length of what follows a `$` in a template, 0 when there is no such thing.
static size_t template_word(const char *text) {
    if ((*text >= '0' && *text <= '9') || *text == '*' || *text == '$')
        return 1;
    size_t head = !strncmp(text, "pairs(", 6) ? 6 : *text == '(' ? 1 : 0;
    size_t digits = head ? strspn(text + head, "0123456789") : 0;
    size_t star = head == 1 && text[head + digits] == '*';
    return digits && digits < 3 && text[head + digits + star] == ')' ? head + digits + star + 1 : 0;
}

static void check_template(Options *self, const char *text) {
    while ((text = strchr(text, '$'))) {
        size_t length = template_word(++text);
        if (!length)
            luaL_error(self->lua, "definition: '$%s': after $ comes 0, 1 …, (10), *, (2*), pairs(2) or $", text);
        text += length;
    }
}

static void declare_definition(Options *self) {
    need_names(self);
    if (!self->text)
        luaL_error(self->lua, "definition: needs text = \"…\", the C that the macro stands for");
    check_template(self, self->text);
    say(self, self->names, (Declared){.said = SAID_DEFINITION, .definition = self->text});
}

static void declare_forget(Options *self) {
    need_names(self);
    for (u32 i = 0; i < self->names.count; i++)
        source_of(self, self->names.first + i)->forgotten = true;
}

// define { NAME = 1, ["MAX(a, b)"] = "((a) > (b) ? (a) : (b))" }: the keys are the names. So in constant { NAME = 1 }.
static Declared read_define(Options *self, int value) {
    lua_State *lua = self->lua;
    Declared declared = {.said = row_of(self)->said};
    if (declared.said == SAID_CONSTANT && !lua_isinteger(lua, value))
        luaL_error(lua, "constant: a value must be a whole number");
    if (lua_type(lua, value) == LUA_TBOOLEAN && lua_toboolean(lua, value))
        declared.value = "1";
    else if (lua_isinteger(lua, value) || lua_type(lua, value) == LUA_TSTRING) {
        size_t length;
        lua_pushvalue(lua, value); // lua_tolstring changes what it converts
        const char *text = lua_tolstring(lua, -1, &length);
        if (length > 4096 || strlen(text) != length)
            luaL_error(lua, "define: a value is longer than 4096 bytes or has a NUL byte");
        declared.value = arena_copy(&self->loader->table->arena, text, length);
    } else
        luaL_error(lua, "define: a value must be a whole number, text or true; undefine { … } takes names away");
    return declared;
}

static void define_one(Options *self, const char *name, Declared declared) {
    size_t length = strcspn(name, "(");
    if (name[length] && declared.said == SAID_DEFINED) {
        size_t rest = strlen(name + length);
        if (name[length + rest - 1] != ')' || strchr(name + length + 1, '('))
            luaL_error(self->lua, "define: '%s' is no macro; write [\"NAME(a, b)\"] = \"…\"", name);
        declared.said = SAID_MACRO;
        declared.parameters = arena_copy(&self->loader->table->arena, name + length + 1, rest - 2);
    }
    if ((name[length] && declared.said == SAID_CONSTANT) || !is_c_name(name, length))
        luaL_error(self->lua, "%s: '%s' is no C name", self->declaration, name);
    Subject subject = {arena_copy(&self->loader->table->arena, name, length), (u32)length, false};
    array_push(self->all, subject);
    say(self, (NameList){self->all->count - 1, 1}, declared);
}

static void declare_define(Options *self) {
    lua_State *lua = self->lua;
    host_push_sorted_keys(lua, 1);
    int keys = lua_gettop(lua);
    for (lua_Unsigned i = 1; i <= lua_rawlen(lua, keys); i++) {
        if (lua_rawgeti(lua, keys, (lua_Integer)i) != LUA_TSTRING)
            luaL_error(lua, "%s: a value has no name; write %s { NAME = value }", self->declaration, self->declaration);
        lua_pushvalue(lua, -1);
        lua_rawget(lua, 1);
        Declared declared = read_define(self, keys + 2);
        define_one(self, lua_tostring(lua, keys + 1), declared);
        lua_settop(lua, keys);
    }
}

// what calls do ---------------------------------------------------------------

static CallFact fact_of(Options *self) {
    u32 said = row_of(self)->said;
    CallFact fact = {
        .said = said,
        .argument = self->arg,
        .data = self->data,
        .parameter = self->parameter ? self->parameter
                     : self->data    ? 1
                                     : 0,
        .object = self->object,
        .global = self->global,
        .context = (u8)(self->context ? self->context - 1 : CONTEXT_NONE),
        .returns = (u8)(self->returns ? self->returns - 1 : RETURNS_ANY),
        .access = (u8)(self->access ? self->access - 1 : ACCESS_READ | ACCESS_WRITE),
        .counts = (u8)(self->counts ? self->counts - 1 : COUNTS_NOT),
        .is_false = self->is == FLAG_FALSE,
        .other = self->other == FLAG_TRUE,
        .device = self->device == FLAG_TRUE,
        .choice = self->when,
        .origin = self->origin,
    };
    if (!fact.argument && said & (SAID_FREES | SAID_ACCESSOR | SAID_ASSERTS | SAID_SIGNALS | SAID_AWAITS | SAID_MEETS |
                                  SAID_QUEUES | SAID_WAKES))
        fact.argument = 1;
    if (!fact.argument && said & (SAID_ALLOCATES | SAID_ORDERED))
        fact.argument = ARGUMENT_RESULT;
    return fact;
}

static void add_facts(Options *self, CallFact fact) {
    for (u32 i = 0; i < self->names.count; i++)
        raise(self, table_fact(self->loader->table, source_of(self, self->names.first + i), &fact));
}

static void declare_call(Options *self) {
    need_names(self);
    add_facts(self, fact_of(self));
}

static void declare_accesses(Options *self) {
    if (self->arg && self->global)
        luaL_error(self->lua, "accesses: arg and global contradict each other; the object is one or the other");
    if (self->device == FLAG_TRUE && (self->arg || self->global))
        luaL_error(self->lua, "accesses: what a device is told is no object: leave arg and global out");
    declare_call(self);
}

static void declare_registers(Options *self) {
    CallFact fact = fact_of(self);
    if (!self->context)
        luaL_error(self->lua, "registers: needs context = \"thread\", \"interrupt\", … : where the handler runs");
    if (self->parameter && !self->data)
        luaL_error(self->lua, "registers: parameter needs data = n, the argument that is handed on");
    if (self->field) {
        const char *dot = strchr(self->field, '.');
        bool known = !strncmp(self->field, "struct ", 7) || !strncmp(self->field, "union ", 6) || dot != self->field;
        if (!known || (dot && strchr(dot + 1, '.')) || self->names.count)
            luaL_error(self->lua, "registers: field is written \"struct type.member\", or \"struct type\" for all its "
                                  "members, and takes no function names beside it");
        lua_pushfstring(self->lua, dot ? "%s" : "%s.", self->field);
        raise(self, table_field(self->loader->table, self->loader->layer, lua_tostring(self->lua, -1), &fact));
        return;
    }
    need_names(self);
    if (self->arg < 1)
        luaL_error(self->lua, "registers: needs arg = n, the argument that is the handler");
    add_facts(self, fact);
}

// scripts and presets ---------------------------------------------------------

static void declare_world(Options *self) {
    World *world = self->loader->world;
    if (!self->name)
        luaL_error(self->lua, "world: needs name = \"…\", the preset's own name");
    if (self->detect.count && self->least > self->detect.count)
        luaL_error(self->lua, "world: least = %d, but detect has only %d names", (int)self->least,
                   (int)self->detect.count);
    for (u32 i = 0; i < self->detect.count; i++)
        if (self->all->items[self->detect.first + i].pattern)
            luaL_error(self->lua, "world: detect takes names, not patterns");
    world->said = true;
    world->always = self->always == FLAG_TRUE;
    world->hides = self->hides;
    world->unless = self->unless;
    world->headers = self->headers;
    world->beside = self->beside;
    world->least = self->least ? self->least : 1;
    for (u32 i = 0; i < self->detect.count; i++)
        array_push(&world->detect, must_strdup(self->all->items[self->detect.first + i].text));
    if (self->loader->probing)
        luaL_error(self->lua, "probed"); // what was asked is known; the rest of the script is not run
}

static int script_preset(lua_State *lua) {
    Loader *loader = lua_touserdata(lua, lua_upvalueindex(1));
    const char *name = luaL_checkstring(lua, 1);
    if (loader->probing)
        return luaL_error(lua, "preset: world { … } must come first in a preset");
    const char *known = declarations_load_preset(loader->table, name);
    if (known)
        return luaL_error(lua, "preset: there is no preset '%s'; there are %s", name, known);
    return 0;
}

// annotate(function) and rank(function) (and settings { … }) are for later stages, which run the script again.
static int say_later(lua_State *lua, u32 later) {
    Loader *loader = lua_touserdata(lua, lua_upvalueindex(1));
    luaL_checktype(lua, 1, LUA_TFUNCTION);
    if (loader)
        loader->later |= later;
    return 0;
}
static int script_annotate(lua_State *lua) { return say_later(lua, LATER_ANNOTATE); }
static int script_rank(lua_State *lua) { // rank(function), or rank { replace = true, function }: rank/ checks it
    Loader *loader = lua_touserdata(lua, lua_upvalueindex(1));
    if (loader)
        loader->later |= LATER_RANK;
    return 0;
}

// What annotate(function) alone can do.
static const char *const marking[] = {"mark", "unmark", "never_parallel", NULL};

static int script_too_early(lua_State *lua) {
    return luaL_error(lua, "%s: there are no functions yet; write it inside annotate(function(program) … end)",
                      lua_tostring(lua, lua_upvalueindex(1)));
}

static int script_ignored(lua_State *lua) {
    (void)lua;
    return 0;
}

static const DeclarationRow rows[] = {
    {"lock",
     "acquire release try wait asserts_held asserts_free test owned guard init destroy downgrade upgrade save types "
     "kind arg global "
     "member shared recursive release_on_block sleepless everywhere timed retakes returns fails sure disables flags "
     "nested count like when also",
     declare_lock, SAID_LOCK},
    {"keep", "NAMES type closed_by", declare_reading, SAID_KEEP},
    {"iterator", "NAMES var", declare_reading, SAID_ITERATOR},
    {"attribute", "NAMES mark states", declare_reading, SAID_ATTRIBUTE},
    {"likely", "NAMES", declare_reading, SAID_LIKELY},
    {"container", "NAMES", declare_reading, SAID_CONTAINER},
    {"condition", "NAMES answer", declare_reading, SAID_CONDITION},
    {"definition", "NAMES text", declare_definition, SAID_DEFINITION},
    {"undefine", "NAMES", declare_reading, SAID_UNDEFINED},
    {"noreturn", "NAMES when", declare_call, SAID_NORETURN},
    {"blocks", "NAMES when", declare_call, SAID_BLOCKS},
    {"allocates", "NAMES arg other when", declare_call, SAID_ALLOCATES},
    {"frees", "NAMES arg", declare_call, SAID_FREES},
    {"registers", "NAMES arg data parameter object context field when", declare_registers, SAID_REGISTERS},
    {"joins", "NAMES arg context", declare_call, SAID_JOINS},
    {"signals", "NAMES arg", declare_call, SAID_SIGNALS},
    {"awaits", "NAMES arg returns", declare_call, SAID_AWAITS},
    {"meets", "NAMES arg", declare_call, SAID_MEETS},
    {"queues", "NAMES arg object", declare_call, SAID_QUEUES},
    {"ordered", "NAMES arg is", declare_call, SAID_ORDERED},
    {"wakes", "NAMES arg is", declare_call, SAID_WAKES},
    {"atomic", "NAMES arg access counts data returns", declare_call, SAID_ATOMIC},
    {"accessor", "NAMES arg access", declare_call, SAID_ATOMIC | SAID_ACCESSOR},
    {"accesses", "NAMES arg global access device when", declare_accesses, SAID_ACCESSES},
    {"opaque", "NAMES", declare_call, SAID_OPAQUE},
    {"percpu", "NAMES arg other", declare_call, SAID_PERCPU},
    {"asserts", "NAMES arg is", declare_call, SAID_ASSERTS},
    {"forget", "NAMES", declare_forget, 0},
    {"world", "name detect least always hides unless headers beside", declare_world, 0},
    {"define", NULL, declare_define, SAID_DEFINED},
    {"constant", NULL, declare_define, SAID_CONSTANT},
};

static const DeclarationRow *row_of(const Options *self) {
    for (u32 i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].name, self->declaration))
            return &rows[i];
    die("no declaration %s", self->declaration);
}

static int script_declare(lua_State *lua) { // upvalues: the loader, the row
    Options options = {.lua = lua,
                       .loader = lua_touserdata(lua, lua_upvalueindex(1)),
                       .declaration = lua_tostring(lua, lua_upvalueindex(2))};
    options.all = &options.loader->subjects;
    options.all->count = 0;
    options.origin = (Origin){options.loader->table->layers.items[options.loader->layer].name, host_line(lua)};
    const DeclarationRow *row = row_of(&options);
    if (options.loader->probing && row->make != declare_world)
        return luaL_error(lua, "%s: world { … } must come first in a preset", row->name);
    if (lua_gettop(lua) == 1 && row->keys && (lua_type(lua, 1) == LUA_TSTRING || pattern_of_re(lua, 1))) {
        lua_createtable(lua, 1, 0); // keep "name" is keep { "name" }
        lua_insert(lua, 1);
        lua_rawseti(lua, 1, 1);
    }
    if (lua_gettop(lua) != 1 || lua_type(lua, 1) != LUA_TTABLE)
        return luaL_error(lua, "%s: takes one table: %s { … }", row->name, row->name);
    if (row->keys)
        options_read(&options, row->keys);
    row->make(&options);
    return 0;
}

void script_open(Host *host, Loader *loader) {
    lua_State *lua = host_lua(host);
    for (u32 i = 0; i < sizeof rows / sizeof *rows; i++) {
        lua_pushlightuserdata(lua, loader);
        lua_pushstring(lua, rows[i].name);
        lua_pushcclosure(lua, script_declare, 2);
        lua_setglobal(lua, rows[i].name);
    }
    host_register(host, "preset", script_preset, loader);
    host_register(host, "annotate", script_annotate, loader);
    host_register(host, "rank", script_rank, loader); // rank/ looks at them before anything else is done
    host_register(host, "settings", script_ignored, loader);
    for (const char *const *name = marking; *name; name++) {
        lua_pushstring(lua, *name);
        lua_pushcclosure(lua, script_too_early, 1);
        lua_setglobal(lua, *name);
    }
}

void declarations_ignore(Host *host) {
    for (u32 i = 0; i < sizeof rows / sizeof *rows; i++)
        host_register(host, rows[i].name, script_ignored, NULL);
    host_register(host, "preset", script_ignored, NULL);
    host_register(host, "annotate", script_ignored, NULL);
    for (const char *const *name = marking; *name; name++)
        host_register(host, *name, script_ignored, NULL);
}

static int script_too_late(lua_State *lua) { // upvalues: inside, the declaration
    const bool *inside = lua_touserdata(lua, lua_upvalueindex(1));
    if (*inside)
        return luaL_error(lua, "%s: declarations shape how the code was read; write it outside the function",
                          lua_tostring(lua, lua_upvalueindex(2)));
    return 0;
}

static void register_too_late(lua_State *lua, const char *name, const bool *inside) {
    lua_pushlightuserdata(lua, (void *)inside);
    lua_pushstring(lua, name);
    lua_pushcclosure(lua, script_too_late, 2);
    lua_setglobal(lua, name);
}

static int print_inside(lua_State *lua) { // upvalues: inside, print; the script's own lines were printed at first
    if (!*(const bool *)lua_touserdata(lua, lua_upvalueindex(1)))
        return 0;
    lua_pushvalue(lua, lua_upvalueindex(2));
    lua_insert(lua, 1);
    lua_call(lua, lua_gettop(lua) - 1, 0);
    return 0;
}

void script_open_later(Host *self, const bool *inside) {
    lua_State *lua = host_lua(self);
    for (u32 i = 0; i < sizeof rows / sizeof *rows; i++)
        register_too_late(lua, rows[i].name, inside);
    register_too_late(lua, "preset", inside);
    lua_pushlightuserdata(lua, (void *)inside);
    lua_getglobal(lua, "print");
    lua_pushcclosure(lua, print_inside, 2);
    lua_setglobal(lua, "print");
    host_register(self, "annotate", script_annotate, NULL);
    host_register(self, "rank", script_rank, NULL);
    host_register(self, "settings", script_ignored, NULL);
}
