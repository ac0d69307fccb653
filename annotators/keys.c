// keys.c: reads the tables of declarations. In: { acquire = "lock_it", arg = 1 } on the Lua
// stack. Out: Options, or an error with the script's line.
//
// The idea: every key is a row below: its type, and where its value goes. Anything else is an error.
#include "annotators/keys.h"

#include <lauxlib.h>

#define MOST_ARGUMENT 64

// words -----------------------------------------------------------------------

typedef struct {
    const char *word;
    u32 value;
} Word;
#define LOCK_KIND(name, word, traits, disables, state, meaning) {word, LOCK_##name},
static const Word kind_words[] = {
#include "annotators/lock_kinds.def"
    {NULL, 0}};
#undef LOCK_KIND
static const Word returns_words[] = {{"zero", RETURNS_ZERO},
                                     {"nonzero", RETURNS_NONZERO},
                                     {"null", RETURNS_NULL},
                                     {"nonnull", RETURNS_NONNULL},
                                     {"negative", RETURNS_NEGATIVE},
                                     {"nonnegative", RETURNS_NONNEGATIVE},
                                     {NULL, 0}};
static const Word context_words[] = {
    {"thread", CONTEXT_THREAD}, {"interrupt", CONTEXT_INTERRUPT}, {"softirq", CONTEXT_SOFTIRQ},
    {"timer", CONTEXT_TIMER},   {"work", CONTEXT_WORK},           {"syscall", CONTEXT_SYSCALL},
    {"init", CONTEXT_INIT},     {"exit", CONTEXT_EXIT},           {"signal", CONTEXT_SIGNAL},
    {"once", CONTEXT_ONCE},     {"call", CONTEXT_CALL},           {NULL, 0}};
static const Word access_words[] = {
    {"read", ACCESS_READ}, {"write", ACCESS_WRITE}, {"both", ACCESS_READ | ACCESS_WRITE}, {NULL, 0}};
static const Word counts_words[] = {
    {"up", COUNTS_UP}, {"down", COUNTS_DOWN}, {"up to", COUNTS_UP_TO}, {"down to", COUNTS_DOWN_TO}, {NULL, 0}};
static const Word disables_words[] = {{"interrupts", DISABLES_INTERRUPTS},
                                      {"softirqs", DISABLES_SOFTIRQS},
                                      {"preemption", DISABLES_PREEMPTION},
                                      {"signals", DISABLES_SIGNALS},
                                      {NULL, 0}};

static const char *word_of(const Word *words, u32 value) {
    for (; words->word; words++)
        if (words->value == value)
            return words->word;
    return "?";
}
const char *lock_kind_word(LockKind kind) { return word_of(kind_words, kind); }

const LockKindRow lock_kinds[] = {
#define LOCK_KIND(name, word, traits, disables, state, meaning) {traits, disables, state},
#include "annotators/lock_kinds.def"
#undef LOCK_KIND
};
const char *context_word(Context context) { return word_of(context_words, context); }

// keys ------------------------------------------------------------------------

typedef enum {
    KEY_NAMES,    // names and patterns
    KEY_ARGUMENT, // 1 …, or "result"
    KEY_NUMBER,   // 0 …
    KEY_FLAG,     // true or false
    KEY_WORD,     // one of `words`: kept as value + 1
    KEY_WORDS,    // several of them: kept as a mask
    KEY_TEXT,
    KEY_WHEN,   // { 2, "SHARED" }
    KEY_ANSWER, // a number or boolean kept as text
} KeyType;
typedef struct {
    const char *name;
    KeyType type;
    size_t offset;     // in Options
    const Word *words; // of KEY_WORD and KEY_WORDS
} KeyRow;
#define AT(field) offsetof(Options, field)
static const KeyRow key_rows[] = {
    {"acquire", KEY_NAMES, AT(acquire), NULL},
    {"release", KEY_NAMES, AT(release), NULL},
    {"try", KEY_NAMES, AT(attempt), NULL},
    {"wait", KEY_NAMES, AT(wait), NULL},
    {"asserts_held", KEY_NAMES, AT(assert_held), NULL},
    {"asserts_free", KEY_NAMES, AT(assert_free), NULL},
    {"test", KEY_NAMES, AT(test), NULL},
    {"owned", KEY_NAMES, AT(owned), NULL},
    {"guard", KEY_NAMES, AT(guard), NULL},
    {"init", KEY_NAMES, AT(init), NULL},
    {"destroy", KEY_NAMES, AT(destroy), NULL},
    {"downgrade", KEY_NAMES, AT(downgrade), NULL},
    {"upgrade", KEY_NAMES, AT(upgrade), NULL},
    {"save", KEY_NAMES, AT(save), NULL},
    {"types", KEY_NAMES, AT(types), NULL},
    {"detect", KEY_NAMES, AT(detect), NULL},
    {"arg", KEY_ARGUMENT, AT(arg), NULL},
    {"data", KEY_ARGUMENT, AT(data), NULL},
    {"parameter", KEY_ARGUMENT, AT(parameter), NULL},
    {"object", KEY_ARGUMENT, AT(object), NULL},
    {"var", KEY_ARGUMENT, AT(var), NULL},
    {"flags", KEY_ARGUMENT, AT(flags), NULL},
    {"nested", KEY_ARGUMENT, AT(nested), NULL},
    {"count", KEY_ARGUMENT, AT(count), NULL},
    {"like", KEY_ARGUMENT, AT(like), NULL},
    {"least", KEY_NUMBER, AT(least), NULL},
    {"shared", KEY_FLAG, AT(shared), NULL},
    {"recursive", KEY_FLAG, AT(recursive), NULL},
    {"release_on_block", KEY_FLAG, AT(release_on_block), NULL},
    {"sleepless", KEY_FLAG, AT(sleepless), NULL},
    {"timed", KEY_FLAG, AT(timed), NULL},
    {"retakes", KEY_FLAG, AT(retakes), NULL},
    {"sure", KEY_FLAG, AT(sure), NULL},
    {"everywhere", KEY_FLAG, AT(everywhere), NULL},
    {"other", KEY_FLAG, AT(other), NULL},
    {"device", KEY_FLAG, AT(device), NULL},
    {"always", KEY_FLAG, AT(always), NULL},
    {"is", KEY_FLAG, AT(is), NULL},
    {"kind", KEY_WORD, AT(kind), kind_words},
    {"returns", KEY_WORD, AT(returns), returns_words},
    {"fails", KEY_WORD, AT(fails), returns_words},
    {"context", KEY_WORD, AT(context), context_words},
    {"access", KEY_WORD, AT(access), access_words},
    {"counts", KEY_WORD, AT(counts), counts_words},
    {"disables", KEY_WORDS, AT(disables), disables_words},
    {"global", KEY_TEXT, AT(global), NULL},
    {"member", KEY_TEXT, AT(member), NULL},
    {"text", KEY_TEXT, AT(text), NULL},
    {"type", KEY_TEXT, AT(type), NULL},
    {"field", KEY_TEXT, AT(field), NULL},
    {"name", KEY_TEXT, AT(name), NULL},
    {"mark", KEY_TEXT, AT(mark), NULL},
    {"states", KEY_TEXT, AT(states), NULL},
    {"closed_by", KEY_TEXT, AT(closed_by), NULL},
    {"hides", KEY_TEXT, AT(hides), NULL},
    {"unless", KEY_TEXT, AT(unless), NULL},
    {"headers", KEY_TEXT, AT(headers), NULL},
    {"beside", KEY_TEXT, AT(beside), NULL},
    {"when", KEY_WHEN, AT(when), NULL},
    {"also", KEY_WHEN, AT(also), NULL},
    {"answer", KEY_ANSWER, AT(answer), NULL},
};

bool list_has(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (!at[length] || at[length] == ' '))
            return true;
    return false;
}

// reading values --------------------------------------------------------------

bool is_c_name(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
        if (!letter && !(i && c >= '0' && c <= '9'))
            return false;
    }
    return length > 0 && length < 256;
}

static const char *keep_text(Options *self, const char *text, size_t length) {
    return arena_copy(&self->loader->table->arena, text, length);
}

static void read_subject(Options *self, const char *text, size_t length, bool pattern) {
    if (!pattern && !is_c_name(text, length)) {
        lua_pushlstring(self->lua, text, length < 100 ? length : 100);
        luaL_error(self->lua, "%s: '%s' is no C name; a pattern begins with ^ or is written re \"…\"",
                   self->declaration, lua_tostring(self->lua, -1));
    }
    if (length > 1000)
        luaL_error(self->lua, "%s: a pattern is longer than 1000 bytes; write several", self->declaration);
    array_push(self->all, ((Subject){keep_text(self, text, length), (u32)length, pattern}));
}

static bool is_tag_word(const char *text, size_t length) {
    return (length == 6 && !memcmp(text, "struct", 6)) || (length == 5 && !memcmp(text, "union", 5)) ||
           (length == 4 && !memcmp(text, "enum", 4));
}

// "a b ^c struct d": names, a pattern, a type.
static void read_names_text(Options *self, const char *text) {
    static const char blank[] = " \t\r\n";
    for (;;) {
        text += strspn(text, blank);
        size_t length = strcspn(text, blank);
        if (!length)
            return;
        const char *next = text + length + strspn(text + length, blank);
        size_t next_length = strcspn(next, blank);
        if (!is_tag_word(text, length) || !is_c_name(next, next_length)) {
            read_subject(self, text, length, *text == '^');
            text += length;
            continue;
        }
        char *joined = arena_alloc(&self->loader->table->arena, length + next_length + 2);
        sprintf(joined, "%.*s %.*s", (int)length, text, (int)next_length, next);
        array_push(self->all, ((Subject){joined, (u32)(length + next_length + 1), false}));
        text = next + next_length;
    }
}

static void read_names_value(Options *self, int index, const char *key) {
    const char *pattern = pattern_of_re(self->lua, index);
    if (pattern)
        read_subject(self, pattern, strlen(pattern), true);
    else if (lua_type(self->lua, index) == LUA_TSTRING &&
             strlen(lua_tostring(self->lua, index)) == lua_rawlen(self->lua, index))
        read_names_text(self, lua_tostring(self->lua, index));
    else
        luaL_error(self->lua, "%s: %s must be names or patterns, not a %s", self->declaration, key,
                   luaL_typename(self->lua, index));
}

static void read_names(Options *self, int index, NameList *list, const char *key) {
    list->first = self->all->count;
    if (lua_type(self->lua, index) == LUA_TTABLE) {
        host_push_sorted_keys(self->lua, index);
        int keys = lua_gettop(self->lua);
        for (lua_Unsigned i = 1; i <= lua_rawlen(self->lua, keys); i++) {
            if (lua_rawgeti(self->lua, keys, (lua_Integer)i) != LUA_TNUMBER)
                luaL_error(self->lua, "%s: %s is a plain list of names; it has no '%s'", self->declaration, key,
                           lua_tostring(self->lua, -1));
            lua_rawget(self->lua, index);
            read_names_value(self, lua_gettop(self->lua), key);
            lua_pop(self->lua, 1);
        }
        lua_pop(self->lua, 1);
    } else {
        read_names_value(self, index, key);
    }
    list->count = self->all->count - list->first;
    if (!list->count)
        luaL_error(self->lua, "%s: %s is empty; name at least one function, or leave it out", self->declaration, key);
}

static i32 read_argument(Options *self, int index, const char *key) {
    int whole;
    lua_Integer value = lua_tointegerx(self->lua, index, &whole);
    if (lua_type(self->lua, index) == LUA_TSTRING && !strcmp(lua_tostring(self->lua, index), "result"))
        return ARGUMENT_RESULT;
    if (lua_type(self->lua, index) != LUA_TNUMBER || !whole || value < 1 || value > MOST_ARGUMENT)
        luaL_error(self->lua, "%s: %s must be the number of an argument (1 to %d) or \"result\"", self->declaration,
                   key, MOST_ARGUMENT);
    return (i32)value;
}

static u32 read_word(Options *self, const char *text, size_t length, const KeyRow *row) {
    for (const Word *word = row->words; word->word; word++)
        if (strlen(word->word) == length && !memcmp(word->word, text, length))
            return word->value + 1;
    luaL_Buffer known;
    luaL_buffinit(self->lua, &known);
    for (const Word *word = row->words; word->word; word++) {
        luaL_addstring(&known, word == row->words ? "" : ", ");
        luaL_addstring(&known, word->word);
    }
    luaL_pushresult(&known);
    lua_pushlstring(self->lua, text, length < 100 ? length : 100);
    luaL_error(self->lua, "%s: %s = '%s' is not known; it is one of %s", self->declaration, row->name,
               lua_tostring(self->lua, -1), lua_tostring(self->lua, -2));
    return 0;
}

static u32 read_words(Options *self, const char *text, const KeyRow *row) {
    u32 mask = 0;
    for (size_t length; *(text += strspn(text, " \t\n")); text += length) {
        length = strcspn(text, " \t\n");
        mask |= read_word(self, text, length, row) - 1;
    }
    return mask;
}

static ChoiceWord read_choice_word(Options *self, int index) {
    if (lua_type(self->lua, index) == LUA_TNUMBER && lua_isinteger(self->lua, index)) {
        char number[24];
        int length = snprintf(number, sizeof number, "%lld", (long long)lua_tointeger(self->lua, index));
        return (ChoiceWord){.text = keep_text(self, number, (size_t)length)};
    }
    if (lua_type(self->lua, index) != LUA_TSTRING)
        luaL_error(self->lua, "%s: when = { argument, constants … }: a constant is a name, a pattern or a number",
                   self->declaration);
    const char *text = lua_tostring(self->lua, index);
    bool absent = *text == '!';
    text += absent;
    Subject subject = {keep_text(self, text, strlen(text)), (u32)strlen(text), *text == '^'};
    if (!subject.pattern && !is_c_name(text, strlen(text)))
        luaL_error(self->lua, "%s: when: '%s' is no constant's name", self->declaration, text);
    Source *source;
    const char *error = table_source(self->loader->table, self->loader->layer, subject, &source);
    if (!error) // else its value would be seen, and the name gone
        error = table_say(self->loader->table, source, (Declared){.said = SAID_KEEP}, self->origin);
    if (error)
        luaL_error(self->lua, "%s: when: %s", self->declaration, error);
    return (ChoiceWord){source->text, absent, source->pattern};
}

static void read_when(Options *self, int index, Choice *choice) {
    lua_State *lua = self->lua;
    lua_Unsigned length = lua_type(lua, index) == LUA_TTABLE ? lua_rawlen(lua, index) : 0;
    if (length < 2 || length > 17)
        luaL_error(lua, "%s: when is written { argument, constant, … }, as in when = { 2, \"SHARED\" }",
                   self->declaration);
    lua_rawgeti(lua, index, 1);
    i32 argument = read_argument(self, lua_gettop(lua), "when");
    if (argument < 0)
        luaL_error(lua, "%s: when looks at an argument, not at the result; see returns", self->declaration);
    ChoiceWord *words = arena_array(&self->loader->table->arena, ChoiceWord, length - 1);
    for (lua_Unsigned i = 2; i <= length; i++) {
        lua_rawgeti(lua, index, (lua_Integer)i);
        words[i - 2] = read_choice_word(self, lua_gettop(lua));
    }
    lua_pop(lua, (int)length);
    *choice = (Choice){(u32)argument, (u32)length - 1, words, NULL};
}

static const char *read_text(Options *self, int index, const char *key) {
    size_t length;
    if (lua_type(self->lua, index) != LUA_TSTRING)
        luaL_error(self->lua, "%s: %s must be text, not a %s", self->declaration, key, luaL_typename(self->lua, index));
    const char *text = lua_tolstring(self->lua, index, &length);
    if (!length || length > 4096 || strlen(text) != length)
        luaL_error(self->lua, "%s: %s is empty, longer than 4096 bytes or has a NUL byte", self->declaration, key);
    return keep_text(self, text, length);
}

static void read_value(Options *self, const KeyRow *row, int index) {
    void *place = (char *)self + row->offset;
    lua_State *lua = self->lua;
    int type = lua_type(lua, index);
    if (row->type == KEY_NAMES)
        read_names(self, index, place, row->name);
    else if (row->type == KEY_ARGUMENT)
        *(i32 *)place = read_argument(self, index, row->name);
    else if (row->type == KEY_WHEN)
        read_when(self, index, place);
    else if (row->type == KEY_WORD)
        *(u32 *)place = read_word(self, read_text(self, index, row->name), lua_rawlen(lua, index), row);
    else if (row->type == KEY_WORDS)
        *(u32 *)place = read_words(self, read_text(self, index, row->name), row);
    else if (row->type == KEY_TEXT)
        *(const char **)place = read_text(self, index, row->name);
    else if (row->type == KEY_FLAG && type == LUA_TBOOLEAN)
        *(u8 *)place = lua_toboolean(lua, index) ? 2 : 1;
    else if (row->type == KEY_NUMBER && lua_isinteger(lua, index) && lua_tointeger(lua, index) > 0 &&
             lua_tointeger(lua, index) < 1000)
        *(u32 *)place = (u32)lua_tointeger(lua, index);
    else if (row->type == KEY_ANSWER && lua_isinteger(lua, index))
        *(const char **)place = lua_tointeger(lua, index) ? "1" : "0";
    else
        luaL_error(lua, "%s: %s must be %s, not a %s", self->declaration, row->name,
                   row->type == KEY_FLAG ? "true or false" : "a whole number", luaL_typename(lua, index));
}

static const KeyRow *key_row(const char *name) {
    for (u32 i = 0; i < sizeof key_rows / sizeof *key_rows; i++)
        if (!strcmp(key_rows[i].name, name))
            return &key_rows[i];
    die("no row for the key %s", name);
}

static void read_entry(Options *self, const char *keys) { // the key is on top of the stack
    lua_State *lua = self->lua;
    const char *key = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : NULL;
    if (key && (!strcmp(key, "NAMES") || !is_c_name(key, strlen(key)) || !list_has(keys, key)))
        luaL_error(lua, "%s: unknown key '%s'; it knows: %s", self->declaration, key, keys);
    if (!key && !list_has(keys, "NAMES"))
        luaL_error(lua, "%s: a value has no key; write key = value; it knows: %s", self->declaration, keys);
    lua_pushvalue(lua, -1);
    lua_rawget(lua, 1);
    if (key) {
        read_value(self, key_row(key), lua_gettop(lua));
    } else {
        read_names_value(self, lua_gettop(lua), "what it names");
        self->names.count = self->all->count;
    }
}

// In the order of the keys, so that the first of several errors is always the same one; names
// without a key come first.
void options_read(Options *self, const char *keys) {
    lua_State *lua = self->lua;
    luaL_checkstack(lua, 20, NULL);
    host_push_sorted_keys(lua, 1);
    int sorted = lua_gettop(lua);
    for (lua_Unsigned i = 1; i <= lua_rawlen(lua, sorted); i++) {
        lua_rawgeti(lua, sorted, (lua_Integer)i);
        read_entry(self, keys);
        lua_settop(lua, sorted);
    }
    lua_settop(lua, 1);
}
