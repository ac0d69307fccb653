// handles.c: the linked program as scripts see it.
// In: the program. Out: values for Lua: strings, numbers, lists, and handles of functions, globals and types.
// The idea: a handle is a light userdata, that is, a number; all of them share one metatable that scripts cannot reach,
// and every use asks the program. Invariant: nothing here changes the program; lists and loops are charged for.
#include "racerx/mark/annotate.h"

#include <lauxlib.h>

#define LIST_STEPS 10 // what a new list costs a script, apart from what is in it

_Static_assert(sizeof(void *) == 8, "a handle is a kind and an id in one pointer");

typedef struct {
    HandleKind kind;
    const char *name;
    void (*value)(lua_State *lua, Annotation *self, u32 id); // of f.name; NULL: a method
    lua_CFunction method;                                    // of f:name()
} HandleMember;

void handle_push(lua_State *lua, HandleKind kind, u32 id) {
    lua_pushlightuserdata(lua, (void *)(uintptr_t)((u64)kind << 32 | id));
}

HandleKind handle_at(lua_State *lua, int index, u32 *id) {
    u64 value = lua_islightuserdata(lua, index) ? (u64)(uintptr_t)lua_touserdata(lua, index) : 0;
    *id = (u32)value;
    return (HandleKind)(value >> 32);
}

static const char *const kind_words[] = {"a value", "the program", "a function", "a global", "a type"};

// What a method was called on; an error when it is something else.
static u32 self_at(lua_State *lua, HandleKind kind) {
    u32 id;
    if (handle_at(lua, 1, &id) != kind)
        luaL_error(lua, "this is a method of %s: write it with a colon, as in %s", kind_words[kind],
                   kind == HANDLE_PROGRAM ? "program:functions()" : "f:callers()");
    return id;
}

// texts -----------------------------------------------------------------------

static void push_text(lua_State *lua, Annotation *self) { // and empties it
    lua_pushlstring(lua, self->text.bytes ? (char *)self->text.bytes : "", self->text.size);
    self->text.size = 0;
}

static void push_name(lua_State *lua, const Annotation *self, NameId id) {
    lua_pushstring(lua, program_text(self->program, id));
}

static void push_type(lua_State *lua, Annotation *self, TypeRef type) {
    self->text.size = 0;
    type_text(self->program, type, &self->text);
    push_text(lua, self);
}

static void list_put(lua_State *lua, u32 *count) { // the value on top goes to the end of the list below it
    lua_rawseti(lua, -2, ++*count);
}

// functions -------------------------------------------------------------------

static const ProgramFunction *function_at(const Annotation *self, u32 id) {
    return &self->program->functions.items[id];
}

static void function_name(lua_State *lua, Annotation *self, u32 id) {
    push_name(lua, self, function_at(self, id)->name);
}
static void function_file(lua_State *lua, Annotation *self, u32 id) {
    lua_pushstring(lua, function_path(self->program, id));
}
static void function_line(lua_State *lua, Annotation *self, u32 id) {
    lua_pushinteger(lua, function_at(self, id)->place.line);
}
static void function_static(lua_State *lua, Annotation *self, u32 id) {
    lua_pushboolean(lua, function_at(self, id)->flags & DECL_STATIC);
}

static const char *function_mark(const Annotation *self, u32 id, u32 n) {
    const ProgramFunction *function = function_at(self, id);
    return mark_word_at(function->flags, function->contexts, function->marks, n);
}

static void function_marks(lua_State *lua, Annotation *self, u32 id) {
    const char *word;
    u32 count = 0;
    host_charge(lua, LIST_STEPS);
    lua_newtable(lua);
    for (u32 n = 0; (word = function_mark(self, id, n)); n++) {
        lua_pushstring(lua, word);
        list_put(lua, &count);
    }
}

static const Type *code_type(const Annotation *self, u32 id, TypeRef *type) { // NULL: not known
    *type = function_type(self->program, id);
    const Type *one = &self->program->files.items[type->file].tree.types.items[type->type];
    return one->kind == TYPE_FUNCTION ? one : NULL;
}

static void function_returns(lua_State *lua, Annotation *self, u32 id) {
    TypeRef type;
    const Type *code = code_type(self, id, &type);
    type.type = code ? code->inner : 0;
    push_type(lua, self, type);
}

static int function_parameters(lua_State *lua) {
    u32 id = self_at(lua, HANDLE_FUNCTION), count = 0;
    Annotation *self = annotation_of(lua);
    TypeRef type;
    const Type *code = code_type(self, id, &type);
    lua_newtable(lua);
    for (u32 i = 0; code && i < code->count; i++) {
        push_type(lua, self,
                  (TypeRef){type.file, self->program->files.items[type.file].tree.lists.items[code->list + i], 0, 0});
        list_put(lua, &count);
    }
    if (code && code->quals & QUAL_VARIADIC) {
        lua_pushliteral(lua, "...");
        list_put(lua, &count);
    }
    host_charge(lua, LIST_STEPS + count * 4);
    return 1;
}

static void push_functions(lua_State *lua, const u32 *functions, u32 count) {
    u32 put = 0;
    host_charge(lua, LIST_STEPS + count);
    lua_createtable(lua, (int)count, 0);
    for (u32 i = 0; i < count; i++) {
        handle_push(lua, HANDLE_FUNCTION, functions[i]);
        list_put(lua, &put);
    }
}

static int function_callers(lua_State *lua) {
    const Annotation *self = annotation_of(lua);
    const ProgramFunction *function = function_at(self, self_at(lua, HANDLE_FUNCTION));
    push_functions(lua, self->program->callers.items + function->caller, function->caller_count);
    return 1;
}

static int compare_ids(const void *left, const void *right) {
    u32 a = *(const u32 *)left, b = *(const u32 *)right;
    return a < b ? -1 : a > b;
}

void sort_ids(U32Array *ids) {
    u32 kept = 0;
    if (ids->count > 1)
        qsort(ids->items, ids->count, sizeof(u32), compare_ids);
    for (u32 i = 0; i < ids->count; i++)
        if (!kept || ids->items[kept - 1] != ids->items[i])
            ids->items[kept++] = ids->items[i];
    ids->count = kept;
}

static int function_callees(lua_State *lua) {
    Annotation *self = annotation_of(lua);
    const Program *program = self->program;
    const ProgramFunction *function = function_at(self, self_at(lua, HANDLE_FUNCTION));
    U32Array *ids = &self->first;
    ids->count = 0;
    for (u32 c = function->call; c < function->call + function->call_count; c++)
        for (u32 t = 0; t < program->calls.items[c].target_count; t++)
            array_push(ids, program->targets.items[program->calls.items[c].target + t]);
    host_charge(lua, ids->count + function->call_count);
    sort_ids(ids);
    push_functions(lua, ids->items, ids->count);
    return 1;
}

// Names that are called, also those of functions outside the tree.
static int function_calls(lua_State *lua) {
    Annotation *self = annotation_of(lua);
    const ProgramFunction *function = function_at(self, self_at(lua, HANDLE_FUNCTION));
    U32Array *ids = &self->first;
    u32 count = 0;
    ids->count = 0;
    for (u32 c = function->call; c < function->call + function->call_count; c++)
        if (self->program->calls.items[c].name)
            array_push(ids, self->program->calls.items[c].name);
    host_charge(lua, LIST_STEPS + function->call_count * 2);
    sort_ids(ids);
    lua_newtable(lua);
    for (u32 i = 0; i < ids->count; i++) {
        push_name(lua, self, ids->items[i]);
        list_put(lua, &count);
    }
    return 1;
}

static int function_is(lua_State *lua) {
    u32 id = self_at(lua, HANDLE_FUNCTION);
    const char *wanted = luaL_checkstring(lua, 2), *word;
    bool found = false;
    for (u32 n = 0; !found && (word = function_mark(annotation_of(lua), id, n)); n++)
        found = !strcmp(word, wanted);
    lua_pushboolean(lua, found);
    return 1;
}

// places ----------------------------------------------------------------------

static u32 *name_slot(Annotation *self, const char *text, size_t length) {
    u32 name = intern_add(&self->field_names, text, (u32)length);
    while (self->field_first.count <= name)
        array_push(&self->field_first, 0);
    return &self->field_first.items[name];
}

static void index_names(Annotation *self) {
    const Program *program = self->program;
    for (u32 i = program->fields.count; i-- > 0;) {
        self->text.size = 0;
        field_name(program, &program->fields.items[i], &self->text);
        u32 *first = name_slot(self, (char *)self->text.bytes, self->text.size);
        self->field_next.items[i] = *first;
        *first = i + 1;
    }
    self->text.size = 0;
}

static void index_functions(Annotation *self) {
    const Program *program = self->program;
    u32 *first = self->function_field.items; // one ahead while it is filled
    for (u32 i = 0; i < program->fields.count; i++)
        for (u32 f = 0; f < program->fields.items[i].count; f++)
            first[program->stored.items[program->fields.items[i].first + f] + 2]++;
    for (u32 f = 0; f < program->functions.count; f++)
        first[f + 2] += first[f + 1];
    array_reserve(&self->function_fields, first[program->functions.count + 1] + 1);
    for (u32 i = 0; i < program->fields.count; i++)
        for (u32 f = 0; f < program->fields.items[i].count; f++)
            self->function_fields.items[first[program->stored.items[program->fields.items[i].first + f] + 1]++] = i;
}

// fills: field_names and what follows it, when a script asks for the first time.
static void index_fields(Annotation *self) {
    const Program *program = self->program;
    if (self->indexed)
        return;
    self->indexed = true;
    array_reserve(&self->field_next, program->fields.count + 1);
    array_reserve(&self->function_field, program->functions.count + 2);
    memset(self->function_field.items, 0, sizeof(u32) * ((size_t)program->functions.count + 2));
    index_names(self);
    index_functions(self);
}

static int function_fields(lua_State *lua) {
    Annotation *self = annotation_of(lua);
    u32 id = self_at(lua, HANDLE_FUNCTION), count = 0;
    index_fields(self);
    lua_newtable(lua);
    for (u32 i = self->function_field.items[id]; i < self->function_field.items[id + 1]; i++) {
        self->text.size = 0;
        field_name(self->program, &self->program->fields.items[self->function_fields.items[i]], &self->text);
        push_text(lua, self);
        list_put(lua, &count);
    }
    host_charge(lua, LIST_STEPS + count * 4);
    return 1;
}

static int program_stored_in(lua_State *lua) {
    Annotation *self = annotation_of(lua);
    size_t length;
    self_at(lua, HANDLE_PROGRAM);
    const char *text = luaL_checklstring(lua, 2, &length);
    U32Array *ids = &self->first;
    index_fields(self);
    ids->count = 0;
    u32 name = intern_find(&self->field_names, text, (u32)length);
    u32 next = name == UINT32_MAX ? 0 : self->field_first.items[name];
    for (; next; next = self->field_next.items[next - 1]) {
        const StoredField *field = &self->program->fields.items[next - 1];
        for (u32 f = 0; f < field->count; f++)
            array_push(ids, self->program->stored.items[field->first + f]);
    }
    host_charge(lua, ids->count + 4);
    sort_ids(ids);
    push_functions(lua, ids->items, ids->count);
    return 1;
}

// globals ---------------------------------------------------------------------

static const Global *global_header(const Annotation *self, u32 id) { // NULL: a static local
    const ProgramGlobal *global = &self->program->globals.items[id];
    return global->function == NO_ID ? &self->program->files.items[global->file].tree.globals.items[global->index]
                                     : NULL;
}

static void global_name(lua_State *lua, Annotation *self, u32 id) {
    push_name(lua, self, self->program->globals.items[id].name);
}
static void global_file(lua_State *lua, Annotation *self, u32 id) {
    lua_pushstring(lua, self->program->files.items[self->program->globals.items[id].file].path);
}
static void global_line(lua_State *lua, Annotation *self, u32 id) {
    const Global *global = global_header(self, id);
    FunctionId function = self->program->globals.items[id].function;
    lua_pushinteger(lua, global ? global->place.line : function_at(self, function)->place.line);
}
static void global_static(lua_State *lua, Annotation *self, u32 id) {
    lua_pushboolean(lua, self->program->globals.items[id].is_static);
}
static void global_type_text(lua_State *lua, Annotation *self, u32 id) {
    push_type(lua, self, global_type(self->program, id));
}

// What its definition was marked with ([[rx::mark("percpu")]]), and thread-local.
static void global_marks(lua_State *lua, Annotation *self, u32 id) {
    const Global *global = global_header(self, id);
    const ProgramFile *file = &self->program->files.items[self->program->globals.items[id].file];
    const char *mark = global ? program_text(self->program, file->names[global->mark]) : "";
    u32 count = 0;
    lua_newtable(lua);
    for (size_t length; *mark; mark += length ? length : 1)
        if ((length = strcspn(mark, ", "))) {
            lua_pushlstring(lua, mark, length);
            list_put(lua, &count);
        }
    if (self->program->globals.items[id].flags & DECL_THREAD_LOCAL) {
        lua_pushliteral(lua, "thread-local");
        list_put(lua, &count);
    }
}

// types -----------------------------------------------------------------------

static const Record *record_at(const Annotation *self, u32 id) {
    const ProgramRecord *record = &self->program->records.items[id];
    return &self->program->files.items[record->file].tree.records.items[record->index];
}

static void type_name(lua_State *lua, Annotation *self, u32 id) {
    self->text.size = 0;
    record_name(self->program, id, &self->text);
    push_text(lua, self);
}
static void type_file(lua_State *lua, Annotation *self, u32 id) {
    lua_pushstring(lua, self->program->files.items[self->program->records.items[id].file].path);
}
static void type_line(lua_State *lua, Annotation *self, u32 id) {
    lua_pushinteger(lua, record_at(self, id)->place.line);
}

static int type_fields(lua_State *lua) {
    Annotation *self = annotation_of(lua);
    u32 id = self_at(lua, HANDLE_TYPE), count = 0;
    const Record *record = record_at(self, id);
    const ProgramFile *file = &self->program->files.items[self->program->records.items[id].file];
    lua_createtable(lua, (int)record->member_count, 0);
    for (u32 i = 0; i < record->member_count; i++) {
        lua_createtable(lua, 0, 2);
        push_name(lua, self, file->names[file->tree.fields.items[record->member + i].name]);
        lua_setfield(lua, -2, "name");
        push_type(lua, self, record_field_type(self->program, id, i));
        lua_setfield(lua, -2, "type");
        list_put(lua, &count);
    }
    host_charge(lua, LIST_STEPS + count * 8);
    return 1;
}

// the program -----------------------------------------------------------------

static bool is_shown(const Program *program, HandleKind kind, u32 id) {
    if (kind == HANDLE_GLOBAL)
        return !program->globals.items[id].is_function;
    const ProgramRecord *record = kind == HANDLE_TYPE ? &program->records.items[id] : NULL;
    return !record || (record->index != NO_ID && (record->kind == TYPE_STRUCT || record->kind == TYPE_UNION) &&
                       program_text(program, record->tag)[0] != '@');
}

// The name that patterns see; valid until the next.
static const char *shown_name(Annotation *self, HandleKind kind, u32 id, size_t *length) {
    const Program *program = self->program;
    const char *text = NULL;
    if (kind == HANDLE_FUNCTION)
        text = program_text(program, program->functions.items[id].name);
    if (kind == HANDLE_GLOBAL)
        text = program_text(program, program->globals.items[id].name);
    *length = text ? strlen(text) : 0;
    if (text)
        return text;
    self->text.size = 0;
    if (kind == HANDLE_TYPE)
        record_name(program, id, &self->text);
    else
        field_name(program, &program->fields.items[id], &self->text);
    *length = self->text.size;
    buffer_byte(&self->text, 0);
    return (char *)self->text.bytes;
}

static u32 shown_count(const Program *program, HandleKind kind) {
    return kind == HANDLE_FUNCTION ? program->functions.count
           : kind == HANDLE_GLOBAL ? program->globals.count
           : kind == HANDLE_TYPE   ? program->records.count
                                   : program->fields.count;
}

static const char *file_of(const Program *program, u32 function, size_t *length) {
    const char *path = program->files.items[program->functions.items[function].file].path;
    *length = strlen(path);
    return path;
}

// Upvalues: the kind (HANDLE_NONE: names of places), the pattern or nil, what comes next, whether the pattern is of
// files.
static int iterate_step(lua_State *lua) {
    Annotation *self = annotation_of(lua);
    HandleKind kind = (HandleKind)lua_tointeger(lua, lua_upvalueindex(1));
    const Pattern *pattern = lua_touserdata(lua, lua_upvalueindex(2));
    bool files = lua_toboolean(lua, lua_upvalueindex(4)), same = false;
    u32 start = (u32)lua_tointeger(lua, lua_upvalueindex(3)), at = start, count = shown_count(self->program, kind);
    bool found = false;
    size_t length;
    for (; at < count && !found; at++) {
        same = files && at > start &&
               self->program->functions.items[at].file == self->program->functions.items[at - 1].file;
        if (same) // as the one before: not found
            continue;
        const char *name = !is_shown(self->program, kind, at) ? NULL
                           : files                            ? file_of(self->program, at, &length)
                                                              : shown_name(self, kind, at, &length);
        found = name && (!pattern || annotation_matches(lua, pattern, name, length));
    }
    host_charge(lua, 4 + at - start);
    lua_pushinteger(lua, at);
    lua_replace(lua, lua_upvalueindex(3));
    if (!found)
        lua_pushnil(lua);
    else if (kind)
        handle_push(lua, kind, at - 1);
    else
        lua_pushstring(lua, shown_name(self, kind, at - 1, &length));
    return 1;
}

bool is_functions_iterator(lua_State *lua, int index) {
    if (lua_tocfunction(lua, index) != iterate_step || !lua_getupvalue(lua, index, 1))
        return false;
    bool functions = lua_tointeger(lua, -1) == HANDLE_FUNCTION;
    lua_pop(lua, 1);
    return functions;
}

static int push_iterator(lua_State *lua, HandleKind kind, bool files) {
    self_at(lua, HANDLE_PROGRAM);
    const char *text = pattern_of_re(lua, 2);
    text = text || lua_isnoneornil(lua, 2) ? text : luaL_checkstring(lua, 2);
    lua_pushinteger(lua, kind);
    if (text)
        lua_pushlightuserdata(lua, (void *)annotation_pattern(annotation_of(lua), lua, text));
    else
        lua_pushnil(lua);
    lua_pushinteger(lua, 0);
    lua_pushboolean(lua, files);
    lua_pushcclosure(lua, iterate_step, 4);
    return 1;
}
static int program_functions(lua_State *lua) { return push_iterator(lua, HANDLE_FUNCTION, false); }
static int program_functions_in(lua_State *lua) { return push_iterator(lua, HANDLE_FUNCTION, true); }
static int program_globals(lua_State *lua) { return push_iterator(lua, HANDLE_GLOBAL, false); }
static int program_types(lua_State *lua) { return push_iterator(lua, HANDLE_TYPE, false); }
static int program_fields(lua_State *lua) { return push_iterator(lua, HANDLE_NONE, false); }

static int push_named(lua_State *lua, HandleKind kind) { // the first of this very name, or nil
    Annotation *self = annotation_of(lua);
    size_t wanted, length;
    self_at(lua, HANDLE_PROGRAM);
    const char *name = luaL_checklstring(lua, 2, &wanted);
    u32 at = 0, count = shown_count(self->program, kind);
    for (; at < count; at++) {
        const char *other = is_shown(self->program, kind, at) ? shown_name(self, kind, at, &length) : NULL;
        if (other && length == wanted && !memcmp(name, other, length))
            break;
    }
    host_charge(lua, at / 4 + 1);
    if (at < count)
        handle_push(lua, kind, at);
    else
        lua_pushnil(lua);
    return 1;
}
static int program_global_named(lua_State *lua) { return push_named(lua, HANDLE_GLOBAL); }
static int program_type_named(lua_State *lua) { return push_named(lua, HANDLE_TYPE); }

static int program_function_named(lua_State *lua) { // the widest visible one
    Annotation *self = annotation_of(lua);
    self_at(lua, HANDLE_PROGRAM);
    const char *name = luaL_checkstring(lua, 2);
    u32 id = intern_find(&self->program->names, name, (u32)strlen(name));
    FunctionId function = id == UINT32_MAX ? NO_ID : program_named(self->program, id, 0);
    if (function == NO_ID)
        lua_pushnil(lua);
    else
        handle_push(lua, HANDLE_FUNCTION, function);
    return 1;
}

// members ---------------------------------------------------------------------

static const HandleMember members[] = {
    {HANDLE_PROGRAM, "functions", NULL, program_functions},
    {HANDLE_PROGRAM, "functions_in", NULL, program_functions_in},
    {HANDLE_PROGRAM, "function_named", NULL, program_function_named},
    {HANDLE_PROGRAM, "globals", NULL, program_globals},
    {HANDLE_PROGRAM, "global_named", NULL, program_global_named},
    {HANDLE_PROGRAM, "types", NULL, program_types},
    {HANDLE_PROGRAM, "type_named", NULL, program_type_named},
    {HANDLE_PROGRAM, "fields", NULL, program_fields},
    {HANDLE_PROGRAM, "stored_in", NULL, program_stored_in},
    {HANDLE_FUNCTION, "name", function_name, NULL},
    {HANDLE_FUNCTION, "file", function_file, NULL},
    {HANDLE_FUNCTION, "line", function_line, NULL},
    {HANDLE_FUNCTION, "static", function_static, NULL},
    {HANDLE_FUNCTION, "marks", function_marks, NULL},
    {HANDLE_FUNCTION, "returns", function_returns, NULL},
    {HANDLE_FUNCTION, "parameters", NULL, function_parameters},
    {HANDLE_FUNCTION, "callers", NULL, function_callers},
    {HANDLE_FUNCTION, "callees", NULL, function_callees},
    {HANDLE_FUNCTION, "calls", NULL, function_calls},
    {HANDLE_FUNCTION, "fields", NULL, function_fields},
    {HANDLE_FUNCTION, "is", NULL, function_is},
    {HANDLE_GLOBAL, "name", global_name, NULL},
    {HANDLE_GLOBAL, "file", global_file, NULL},
    {HANDLE_GLOBAL, "line", global_line, NULL},
    {HANDLE_GLOBAL, "static", global_static, NULL},
    {HANDLE_GLOBAL, "type", global_type_text, NULL},
    {HANDLE_GLOBAL, "marks", global_marks, NULL},
    {HANDLE_TYPE, "name", type_name, NULL},
    {HANDLE_TYPE, "file", type_file, NULL},
    {HANDLE_TYPE, "line", type_line, NULL},
    {HANDLE_TYPE, "fields", NULL, type_fields},
    {HANDLE_NONE, NULL, NULL, NULL},
};

static int no_member(lua_State *lua, HandleKind kind, const char *name) {
    Annotation *self = annotation_of(lua);
    self->text.size = 0;
    for (const HandleMember *member = members; member->name; member++)
        if (member->kind == kind)
            buffer_format(&self->text, "%s%s%s", self->text.size ? ", " : "", member->name, member->method ? "()" : "");
    push_text(lua, self);
    return luaL_error(lua, "%s has no '%s'; it has %s", kind_words[kind], name, lua_tostring(lua, -1));
}

static int handle_index(lua_State *lua) {
    u32 id;
    HandleKind kind = handle_at(lua, 1, &id);
    const char *name = lua_type(lua, 2) == LUA_TSTRING ? lua_tostring(lua, 2) : "?";
    for (const HandleMember *member = members; member->name; member++) {
        if (member->kind != kind || strcmp(member->name, name))
            continue;
        if (member->value)
            member->value(lua, annotation_of(lua), id);
        else
            lua_pushcfunction(lua, member->method);
        return 1;
    }
    return no_member(lua, kind, name);
}

static int handle_assign(lua_State *lua) {
    return luaL_error(lua,
                      "functions, globals and types cannot be changed; mark(f, \"…\") says something of a function");
}

static int handle_text(lua_State *lua) {
    u32 id;
    size_t length;
    HandleKind kind = handle_at(lua, 1, &id);
    if (kind >= HANDLE_FUNCTION && kind <= HANDLE_TYPE)
        lua_pushstring(lua, shown_name(annotation_of(lua), kind, id, &length));
    else
        lua_pushliteral(lua, "program");
    return 1;
}

void handles_open(Host *host) {
    static const luaL_Reg meta[] = {
        {"__index", handle_index}, {"__newindex", handle_assign}, {"__tostring", handle_text}, {NULL, NULL}};
    lua_State *lua = host_lua(host);
    handle_push(lua, HANDLE_PROGRAM, 0);
    lua_newtable(lua);
    luaL_setfuncs(lua, meta, 0);
    lua_pushboolean(lua, 0);
    lua_setfield(lua, -2, "__metatable");
    lua_setmetatable(lua, -2);
    lua_pop(lua, 1);
}
