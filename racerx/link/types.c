// types.c: types of expressions, through typedefs and typeof, across files.
// In: a type as some tree wrote it, or an expression of a body. Out: a TypeRef, NO_TYPE when nothing is known.
// The idea: nothing is stored per expression; a path is typed from its root each time it is asked for, through
// links that were resolved once per file (resolve.c). Types that declarations give to kept names are a tree of
// their own behind the last file.
// Invariant: every question costs a bounded number of steps, whatever the tree says.
#include "racerx/link/link.h"

typedef struct {
    const Program *program;
    u32 budget; // steps left
} Typing;

static TypeRef typing_expr(Typing *self, const BodyScope *scope, ExprId id);

static const Type *type_at(const Program *self, TypeRef type) {
    return &self->files.items[type.file].tree.types.items[type.type];
}

// stripping -------------------------------------------------------------------

// What typeof(expression) stands for.
static TypeRef typing_typeof(Typing *self, const BodyScope *scope, TypeRef type) {
    const Tree *tree = &self->program->files.items[type.file].tree;
    ExprId expr = tree->lists.items[type_at(self->program, type)->list];
    if (!type.owner) {
        BodyScope file = {self->program, NO_ID, type.file, NULL};
        return expr < tree->exprs.count ? typing_expr(self, &file, expr) : NO_TYPE;
    }
    bool ours = scope && scope->body && scope->function + 1 == type.owner;
    return ours && expr < scope->body->exprs.count ? typing_expr(self, scope, expr) : NO_TYPE;
}

static TypeRef typing_strip(Typing *self, const BodyScope *scope, TypeRef type) {
    const Program *program = self->program;
    for (u32 hops = 0; type_known(type) && !type.pointers; hops++) {
        if (limit_cuts(LIMIT_HOPS_MOST, hops >= HOPS_MOST))
            return NO_TYPE;
        const Type *one = type_at(program, type);
        u32 link = program->files.items[type.file].links[type.type];
        if (one->kind == TYPE_NAMED && link < program->typedefs.count) {
            const ProgramTypedef *named = &program->typedefs.items[link];
            const Tree *tree = &program->files.items[named->file].tree;
            type = (TypeRef){named->file, tree->typedefs.items[named->index].type, 0, 0};
        } else if (one->kind == TYPE_TYPEOF) {
            type = typing_typeof(self, scope, type);
        } else {
            return type;
        }
    }
    return type.pointers ? type : NO_TYPE;
}

TypeRef type_unname(const Program *self, TypeRef type) {
    u32 link = type_known(type) && !type.pointers ? self->files.items[type.file].links[type.type] : NO_ID;
    if (link >= self->typedefs.count || type_at(self, type)->kind != TYPE_NAMED)
        return type;
    const ProgramTypedef *named = &self->typedefs.items[link];
    return (TypeRef){named->file, self->files.items[named->file].tree.typedefs.items[named->index].type, 0, 0};
}

TypeRef type_strip(const Program *self, TypeRef type) {
    Typing typing = {self, STEPS_MOST};
    return typing_strip(&typing, NULL, type);
}

TypeRef scope_strip(const BodyScope *scope, TypeRef type) {
    Typing typing = {scope->program, STEPS_MOST};
    return typing_strip(&typing, scope, type);
}

u8 type_kind(const Program *self, TypeRef type) {
    return !type_known(type) ? TYPE_UNKNOWN : type.pointers ? TYPE_POINTER : type_at(self, type)->kind;
}

static TypeRef typing_target(Typing *self, const BodyScope *scope, TypeRef type) {
    type = typing_strip(self, scope, type);
    if (!type_known(type))
        return type;
    if (type.pointers) {
        type.pointers--;
        return type;
    }
    const Type *one = type_at(self->program, type);
    if (one->kind == TYPE_FUNCTION) // *f is f
        return type;
    if (one->kind != TYPE_POINTER && one->kind != TYPE_ARRAY)
        return NO_TYPE;
    return (TypeRef){type.file, one->inner, type.owner, 0};
}

TypeRef type_target(const Program *self, TypeRef type) {
    Typing typing = {self, STEPS_MOST};
    return typing_target(&typing, NULL, type);
}

static RecordId typing_record(Typing *self, const BodyScope *scope, TypeRef type) {
    type = typing_strip(self, scope, type);
    if (!type_known(type) || type.pointers)
        return NO_ID;
    u32 link = self->program->files.items[type.file].links[type.type];
    switch (type_at(self->program, type)->kind) {
    case TYPE_STRUCT:
    case TYPE_UNION: return link;
    case TYPE_NAMED: return link - self->program->typedefs.count;
    default: return NO_ID;
    }
}

RecordId type_record(const Program *self, TypeRef type) {
    Typing typing = {self, STEPS_MOST};
    return typing_record(&typing, NULL, type);
}

bool type_is_code(const Program *self, TypeRef type) {
    for (u32 depth = 0; depth < 4; depth++) {
        type = type_strip(self, type);
        u8 kind = type_kind(self, type);
        if (kind != TYPE_POINTER && kind != TYPE_ARRAY)
            return kind == TYPE_FUNCTION;
        type = type_target(self, type);
    }
    return false;
}

TypeRef function_type(const Program *self, FunctionId id) {
    return (TypeRef){self->functions.items[id].file, program_header(self, id)->type, 0, 0};
}

TypeRef global_type(const Program *self, GlobalId id) {
    const ProgramGlobal *global = &self->globals.items[id];
    return (TypeRef){global->file, global->type, global->function == NO_ID ? 0 : global->function + 1, 0};
}

// expressions -----------------------------------------------------------------

static const Expr *scope_expr(const BodyScope *scope, ExprId id) {
    return scope->body ? &scope->body->exprs.items[id] : &scope->program->files.items[scope->file].tree.exprs.items[id];
}

static const u32 *scope_lists(const BodyScope *scope) {
    return scope->body ? scope->body->lists.items : scope->program->files.items[scope->file].tree.lists.items;
}

static TypeRef scope_type(const BodyScope *scope, TypeId type) { // a type written in the body (or in the file)
    return (TypeRef){scope->file, type, scope->body ? scope->function + 1 : 0, 0};
}

static TypeRef name_type(const BodyScope *scope, NameId name) {
    const Program *program = scope->program;
    FunctionId function = program_function(program, scope->file, name);
    if (function != NO_ID)
        return function_type(program, function);
    GlobalId global = program_global(program, scope->file, name);
    if (global != NO_ID)
        return global_type(program, global);
    u32 *declared = map_get(&program->tables->declared, name);
    return declared ? (TypeRef){program->files.count, *declared - 1, 0, 0} : NO_TYPE;
}

static TypeRef typing_member(Typing *self, const BodyScope *scope, const Expr *expr) {
    RecordId record = typing_record(self, scope, typing_expr(self, scope, expr->a)), owner;
    const Field *field;
    TypeRef type;
    if (record == NO_ID)
        return NO_TYPE;
    NameId name = file_name(self->program, scope->file, expr->b);
    return record_member(self->program, record, name, &owner, &field, &type) ? type : NO_TYPE;
}

// Accessors have the value of the object they are given, per-CPU ones that of another copy of it.
static ExprId passed_through(const BodyScope *scope, const Expr *call, NameId name) {
    u32 said = program_said(scope->program, name);
    const CallFact *fact;
    u32 kind = said & SAID_ACCESSOR ? SAID_ATOMIC : said & SAID_PERCPU ? SAID_PERCPU : 0;
    const char *text = program_text(scope->program, name);
    if (!kind || !declarations_facts(scope->program->declarations, text, (u32)strlen(text), kind, &fact))
        return 0;
    if (fact->argument < 1 || (u32)fact->argument > call->c)
        return 0;
    return scope_lists(scope)[call->b + (u32)fact->argument - 1];
}

static TypeRef typing_call(Typing *self, const BodyScope *scope, const Expr *expr) {
    const Expr *callee = scope_expr(scope, expr->a);
    TypeRef type;
    if (callee->kind == EXPR_NAME) {
        NameId name = file_name(self->program, scope->file, callee->a);
        ExprId same = passed_through(scope, expr, name);
        if (same)
            return typing_expr(self, scope, same);
        u32 *declared = map_get(&self->program->tables->declared, name);
        if (declared)
            return (TypeRef){self->program->files.count, *declared - 1, 0, 0};
        type = name_type(scope, name);
    } else {
        type = typing_expr(self, scope, expr->a);
    }
    type = typing_strip(self, scope, type);
    if (type_kind(self->program, type) == TYPE_POINTER)
        type = typing_strip(self, scope, typing_target(self, scope, type));
    if (type_kind(self->program, type) != TYPE_FUNCTION)
        return NO_TYPE;
    return (TypeRef){type.file, type_at(self->program, type)->inner, type.owner, 0};
}

static TypeRef typing_binary(Typing *self, const BodyScope *scope, const Expr *expr) {
    if (expr->op != OP_ADD && expr->op != OP_SUB)
        return expr->op <= OP_XOR ? typing_expr(self, scope, expr->a) : NO_TYPE;
    TypeRef left = typing_expr(self, scope, expr->a);
    u8 kind = type_kind(self->program, typing_strip(self, scope, left));
    if (kind == TYPE_POINTER || kind == TYPE_ARRAY)
        return left;
    TypeRef right = typing_expr(self, scope, expr->b);
    kind = type_kind(self->program, typing_strip(self, scope, right));
    return kind == TYPE_POINTER || kind == TYPE_ARRAY ? right : left;
}

static TypeRef typing_choice(Typing *self, const BodyScope *scope, const Expr *expr) {
    TypeRef type = typing_expr(self, scope, expr->b ? expr->b : expr->a);
    return type_known(type) ? type : typing_expr(self, scope, expr->c);
}

static TypeRef pointer_to(TypeRef type) {
    type.pointers += type_known(type);
    return type;
}

static TypeRef typing_expr(Typing *self, const BodyScope *scope, ExprId id) {
    const Expr *expr = scope_expr(scope, id);
    if (limit_cuts(LIMIT_STEPS_MOST, !self->budget))
        return NO_TYPE;
    self->budget--;
    switch (expr->kind) {
    case EXPR_VAR: return scope->body ? scope_type(scope, scope->body->vars.items[expr->a].type) : NO_TYPE;
    case EXPR_NAME: return name_type(scope, file_name(self->program, scope->file, expr->a));
    case EXPR_MEMBER: return typing_member(self, scope, expr);
    case EXPR_DEREF:
    case EXPR_INDEX: return typing_target(self, scope, typing_expr(self, scope, expr->a));
    case EXPR_ADDRESS: return pointer_to(typing_expr(self, scope, expr->a));
    case EXPR_CALL: return typing_call(self, scope, expr);
    case EXPR_BINARY: return typing_binary(self, scope, expr);
    case EXPR_ASSIGN:
    case EXPR_STEP:
    case EXPR_BLOCK: return typing_expr(self, scope, expr->a);
    case EXPR_CAST: return scope_type(scope, expr->b);
    case EXPR_CHOICE: return typing_choice(self, scope, expr);
    case EXPR_CONTAINER: return pointer_to(scope_type(scope, expr->b));
    case EXPR_LIST: return scope_type(scope, expr->a);
    default: return NO_TYPE;
    }
}

TypeRef expr_type(const BodyScope *scope, ExprId id) {
    Typing typing = {scope->program, STEPS_MOST};
    TypeRef type = typing_expr(&typing, scope, id);
    if (type_kind(scope->program, type) == TYPE_TYPEOF)
        type = typing_strip(&typing, scope, type);
    return type;
}

// declared types --------------------------------------------------------------

#define CHUNK 4096 // names looked up at a time

typedef struct {
    Program *program;
    U32Array *typed; // by chunk: names with a type
} Declaring;

static bool is_word(const char *text, u32 length) {
    for (u32 i = 0; i < length; i++)
        if (!(text[i] == '_' || (text[i] >= '0' && text[i] <= '9') || ((text[i] | 32) >= 'a' && (text[i] | 32) <= 'z')))
            return false;
    return length && length <= 256 && !(text[0] >= '0' && text[0] <= '9');
}

static void look_chunk(void *context, u32 worker, u32 index) {
    Declaring *self = context;
    Program *program = self->program;
    (void)worker;
    for (u32 i = index * CHUNK; i < program->name_limit && i < (index + 1) * CHUNK; i++) {
        const InternEntry *name = &program->names.entries.items[i];
        if (!is_word(name->text, name->length))
            continue;
        Declared declared = declarations_look(program->declarations, name->text, name->length);
        program->said[i] = declared.said;
        if (declared.type)
            array_push(&self->typed[index], i);
    }
}

// "struct task *", "const u64": a type of the tree behind the last file.
static TypeId read_type(Tree *tree, const char *text) {
    Type type = {.kind = TYPE_NAMED};
    u32 pointers = 0;
    while (*text) {
        u32 length = (u32)strcspn(text, " *");
        if (*text == '*')
            pointers++;
        else if (length == 6 && !memcmp(text, "struct", 6))
            type.kind = TYPE_STRUCT;
        else if (length == 5 && !memcmp(text, "union", 5))
            type.kind = TYPE_UNION;
        else if (length && !(length == 5 && !memcmp(text, "const", 5)))
            type.name = intern_add(&tree->strings, text, length);
        text += length ? length : 1;
    }
    TypeId id = type.name ? tree_type(tree, type, NULL) : 0;
    for (; pointers && id; pointers--)
        id = tree_type(tree, (Type){.kind = TYPE_POINTER, .inner = id}, NULL);
    return id;
}

// requires: names. fills: said, tables->declared, the file behind the last one.
void declared_types(Program *self, u32 jobs) {
    u32 chunks = self->name_limit / CHUNK + 1;
    ProgramFile *file = &self->files.items[self->files.count];
    Declaring declaring = {self, must_zero(sizeof(U32Array) * chunks)};
    self->said = must_zero(sizeof(u32) * ((size_t)self->name_limit + 1));
    file->path = "";
    tree_reset(&file->tree);
    if (self->declarations)
        parallel_for(jobs, chunks, look_chunk, &declaring);
    for (u32 c = 0; c < chunks; c++) {
        for (u32 i = 0; i < declaring.typed[c].count; i++) {
            NameId name = declaring.typed[c].items[i];
            const InternEntry *entry = &self->names.entries.items[name];
            TypeId type =
                read_type(&file->tree, declarations_look(self->declarations, entry->text, entry->length).type);
            if (type)
                *map_put(&self->tables->declared, name, NULL) = type + 1;
        }
        array_free(&declaring.typed[c]);
    }
    free(declaring.typed);
    file->name_count = file->tree.strings.entries.count;
    file->names = must_zero(sizeof(NameId) * file->name_count);
    for (u32 i = 0; i < file->name_count; i++) {
        const InternEntry *entry = &file->tree.strings.entries.items[i];
        u32 name = intern_find(&self->names, entry->text, entry->length);
        file->names[i] = name < self->name_limit ? name : 0;
    }
}
