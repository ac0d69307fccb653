// lower.c: one item: its grammar tree in, declarations and functions in the Tree out.
// requires: an Item and the tree of its text. fills: Tree; for a function also its encoded body.
// The idea: the grammar's tree becomes an array (ast.c); lower_type.c and lower_record.c read
// declarations, lower_flow.c statements, lower_cond.c, lower_expr.c and lower_call.c what is evaluated,
// lower_block.c makes the final graph.
#include "extract/lower.h"

// nodes -----------------------------------------------------------------------

bool node_is(const Lowering *self, u32 node, const char *text) {
    size_t length = strlen(text);
    return node_length(self, node) == length && !memcmp(node_text(self, node), text, length);
}

u32 node_child(const Lowering *self, u32 node, u32 index) {
    u32 child = ast_at(self, node)->first;
    for (; child; child = ast_at(self, child)->next)
        if (node_kind(self, child) != NODE_ERROR && !index--)
            return child;
    return 0;
}

u32 node_strip(const Lowering *self, u32 node) {
    while (node_kind(self, node) == NODE_PAREN)
        node = ast_at(self, node)->first;
    return node;
}

StrId node_string(Lowering *self, u32 node) {
    return intern_add(&self->tree->strings, node_text(self, node), node_length(self, node));
}

static u32 token_at(const Item *item, u32 offset) { // the last token that starts at or before it
    u32 low = 0, high = item->token_count;
    while (high - low > 1) {
        u32 middle = low + (high - low) / 2;
        if (item->starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

Place item_place(const Item *self, u32 offset) {
    return self->token_count ? self->places[token_at(self, offset)] : self->first;
}

// Places are asked for in nearly ascending order: the token after the last one is tried first.
Place offset_place(Lowering *self, u32 offset) {
    const Item *item = self->item;
    if (!item->token_count)
        return item->first;
    u32 hint = self->place_hint < item->token_count ? self->place_hint : 0;
    for (u32 tries = 0; tries < 4 && item->starts[hint] <= offset; tries++, hint++)
        if (hint + 1 == item->token_count || item->starts[hint + 1] > offset) {
            self->place_hint = hint;
            return item->places[hint];
        }
    self->place_hint = token_at(item, offset);
    return item->places[self->place_hint];
}

Place node_place(Lowering *self, u32 node) { return offset_place(self, ast_at(self, node)->start); }

// what is lost ------------------------------------------------------------------

void lower_lost_bytes(Lowering *self, u32 bytes, Place place) {
    if (!self->in_function) {
        self->tree->lost_items++;
        self->tree->lost_bytes += bytes;
        return;
    }
    self->function.lost_count++;
    self->function.lost_bytes += bytes;
    self->function.flags |= DECL_INCOMPLETE;
    event_add(self, EVENT_LOST, 0, 0, bytes, place);
}

void lower_lost(Lowering *self, u32 node) { lower_lost_bytes(self, node_length(self, node), node_place(self, node)); }

void lose_errors(Lowering *self, u32 node) {
    for (u32 child = ast_at(self, node)->first; child; child = ast_at(self, child)->next)
        if (node_kind(self, child) == NODE_ERROR)
            lower_lost(self, child);
}

// tables ------------------------------------------------------------------------

static void use_tables(Lowering *self) {
    self->shared_count = 0;
    if (!++self->stamp) { // once in four thousand million items
        memset(self->shared, 0, sizeof(SharedSlot) * self->shared_size);
        self->stamp = 1;
    }
}

void use_body_tables(Lowering *self) {
    use_tables(self);
    self->exprs = &self->body.exprs;
    self->lists = &self->body.lists;
    self->inits = &self->body.inits;
    self->steps = &self->body.steps;
    self->mute = 0;
}

void use_file_tables(Lowering *self) {
    use_tables(self);
    self->exprs = &self->tree->exprs;
    self->lists = &self->tree->lists;
    self->inits = &self->tree->inits;
    self->steps = &self->tree->steps;
    self->mute = 1;
}

// functions ---------------------------------------------------------------------

static void add_parameter(Lowering *self, u32 name, TypeId type, u32 node) {
    Var var = {.name = name ? node_string(self, name) : 0, .type = type, .flags = DECL_PARAM};
    var.place = node_place(self, name ? name : node);
    var_add(self, var);
}

// `f(a, b) { … }` without declarations reads as parameters of unknown types a and b.
static bool is_bare_name(const Lowering *self, u32 node) {
    u32 only = ast_at(self, node)->first;
    return only && node_kind(self, only) == NODE_T_NAME && !ast_at(self, only)->next && !is_type_name(self, only);
}

// Returns whether some had no type of their own.
static bool add_parameters(Lowering *self, u32 parameters) {
    bool old_style = false;
    TypeId integer = tree_type(self->tree, (Type){.kind = TYPE_INT, .bits = 32}, NULL);
    for (u32 child = ast_at(self, parameters)->first; child; child = ast_at(self, child)->next) {
        u32 name = 0;
        bool bare = node_kind(self, child) == NODE_PARAMETER && is_bare_name(self, child);
        if (bare || node_kind(self, child) == NODE_NAME) {
            add_parameter(self, bare ? ast_at(self, child)->first : child, integer, child);
            old_style = true;
        } else if (node_kind(self, child) == NODE_PARAMETER) {
            TypeId type = lower_parameter_type(self, child, &name);
            if (name || self->tree->types.items[type].kind != TYPE_VOID)
                add_parameter(self, name, type, child);
        }
    }
    return old_style;
}

// The declarations between an old-style header and the body give the parameters their types.
static void type_parameters(Lowering *self, u32 declaration) {
    Specifiers specifiers = lower_specifiers(self, declaration, 0);
    for (u32 child = ast_at(self, declaration)->first; child; child = ast_at(self, child)->next) {
        if (!kind_is_declarator(node_kind(self, child)))
            continue;
        Declarator declarator = lower_declarator(self, child, specifiers.type, &specifiers);
        u32 bound = declarator.name ? scope_lookup(self, node_string(self, declarator.name)) : BOUND_NONE;
        if (bound < BOUND_VAR)
            continue;
        const Type *type = &self->tree->types.items[declarator.type];
        TypeId decayed = type->kind == TYPE_ARRAY      ? type_pointer(self, type->inner, 0)
                         : type->kind == TYPE_FUNCTION ? type_pointer(self, declarator.type, 0)
                                                       : declarator.type;
        self->body.vars.items[bound - BOUND_VAR].type = decayed;
    }
}

static TypeId old_style_type(Lowering *self, TypeId id) { // with the parameters' types as declared
    Type type = self->tree->types.items[id];
    u32 base = self->stack.count;
    for (u32 i = 0; i < self->body.vars.count; i++)
        array_push(&self->stack, self->body.vars.items[i].type);
    type.kind = TYPE_FUNCTION;
    type.quals |= QUAL_NO_PROTOTYPE;
    type.count = self->body.vars.count;
    TypeId made = tree_type(self->tree, type, self->stack.items + base);
    self->stack.count = base;
    return made;
}

static void begin_function(Lowering *self) {
    const Item *item = self->item;
    body_reset(&self->body);
    use_body_tables(self);
    block_reset(self);
    self->in_function = true;
    self->labels.count = self->undo.count = self->cleanups.count = self->stack.count = 0;
    array_push(&self->cleanups, (Cleanup){0});
    self->cleanup = 0;
    self->in_switch = false;
    self->break_to = self->continue_to = (Target){BLOCK_NONE, 0};
    self->function =
        (Function){.file = self->file, .flags = item->flags, .end_line = item->last.line, .place = item->first};
    block_start(self, block_new(self));
}

static void end_function(Lowering *self, Scope scope) {
    const Item *item = self->item;
    scope_close(self, scope, item->last);
    block_finish(self, item->last);
    for (u32 i = 0; i < self->labels.count; i++)
        self->label_of.items[self->labels.items[i].name] = 0;
    self->in_function = false;
    Tree *tree = self->tree;
    self->function.body_offset = tree->bodies.size;
    body_write(&self->body, &tree->bodies);
    self->function.body_size = tree->bodies.size - self->function.body_offset;
    array_push(&tree->functions, self->function);
    use_file_tables(self);
}

static void set_header(Lowering *self, const Specifiers *specifiers, const Declarator *declarator) {
    const Item *item = self->item;
    Function *function = &self->function;
    bool named = item->kind == ITEM_FUNCTION && item->name;
    function->name = named ? intern_add(&self->tree->strings, item->name, (u32)strlen(item->name))
                           : node_string(self, declarator->name);
    if (declarator->name && node_string(self, declarator->name) == function->name)
        function->place = node_place(self, declarator->name);
    function->flags |= specifiers->flags;
    function->mark = specifiers->mark;
    function->type = declarator->type;
    function->param_count = self->body.vars.count;
    if (self->tree->types.items[function->type].kind != TYPE_FUNCTION ||
        self->tree->types.items[function->type].count != function->param_count)
        function->type = old_style_type(self, declarator->type);
}

void lower_function(Lowering *self, u32 node) {
    begin_function(self);
    Scope scope = scope_open(self);
    Specifiers specifiers = lower_specifiers(self, node, 0);
    Declarator declarator = {0};
    u32 body = 0;
    bool old_style = false;
    for (u32 child = ast_at(self, node)->first; child; child = ast_at(self, child)->next) {
        u8 kind = node_kind(self, child);
        if (kind_is_declarator(kind) && !declarator.name) {
            declarator = lower_declarator(self, child, specifiers.type, &specifiers);
            old_style = add_parameters(self, declarator.parameters);
        } else if (kind == NODE_DECLARATION) {
            type_parameters(self, child);
        } else if (kind == NODE_S_COMPOUND) {
            body = child;
        }
    }
    if (old_style)
        declarator.type = old_style_type(self, declarator.type);
    set_header(self, &specifiers, &declarator);
    if (body)
        lower_statement(self, body);
    end_function(self, scope);
}

// A function whose header the grammar did not understand: its name is known, its body is there.
static void lower_headless(Lowering *self, u32 root) {
    begin_function(self);
    Scope scope = scope_open(self);
    Specifiers specifiers = {0};
    TypeId integer = tree_type(self->tree, (Type){.kind = TYPE_INT, .bits = 32}, NULL);
    Declarator declarator = {.type = lower_function_type(self, 0, integer)};
    u32 first = ast_at(self, root)->first;
    if (node_kind(self, first) == NODE_ERROR || node_kind(self, first) == NODE_S_EXPRESSION) {
        for (u32 child = ast_at(self, first)->first; child; child = ast_at(self, child)->next) {
            u8 kind = node_kind(self, child);
            if (kind == NODE_D_FUNCTION) {
                declarator = lower_declarator(self, child, integer, &specifiers);
                add_parameters(self, declarator.parameters);
                break;
            }
            if (kind == NODE_CALL) { // `f(a, b) int a; { … }`
                add_parameters(self, node_child(self, child, 1));
                break;
            }
        }
    }
    u32 body = first;
    while (body && node_kind(self, body) != NODE_S_COMPOUND)
        body = ast_at(self, body)->next;
    for (u32 child = first; child && child != body; child = ast_at(self, child)->next)
        if (node_kind(self, child) == NODE_DECLARATION && body)
            type_parameters(self, child);
    if (self->body.vars.count)
        declarator.type = old_style_type(self, declarator.type);
    set_header(self, &specifiers, &declarator);
    lower_statements(self, body ? body : first);
    end_function(self, scope);
}

// the file ----------------------------------------------------------------------

static void lower_file_call(Lowering *self, u32 node) {
    u32 callee = node_strip(self, ast_at(self, node)->first);
    FileCall call = {.name = node_string(self, callee), .file = self->file, .place = node_place(self, callee)};
    u32 base = self->stack.count;
    for (u32 at = ast_at(self, node_child(self, node, 1))->first; at; at = ast_at(self, at)->next) {
        ExprId value = lower_value(self, at);
        array_push(&self->stack, value);
    }
    ExprId name = expr_add(self, (Expr){.kind = EXPR_NAME, .a = call.name});
    call.call = expr_list(self, (Expr){.kind = EXPR_CALL, .a = name}, base);
    array_push(&self->tree->calls, call);
}

static void lower_file_statement(Lowering *self, u32 node) {
    u32 value = node_child(self, node, 0);
    bool is_call =
        value && node_kind(self, value) == NODE_CALL && node_kind(self, ast_at(self, value)->first) == NODE_NAME;
    if (is_call && !node_holds_bad(self, value))
        lower_file_call(self, value);
    else if (value || node_holds_bad(self, node))
        lower_lost(self, node);
}

static void lower_top(Lowering *self, u32 node) {
    if (ast_at(self, node)->flags & AST_DEEP) {
        lower_lost(self, node);
        return;
    }
    switch (node_kind(self, node)) {
    case NODE_FUNCTION: lower_function(self, node); break;
    case NODE_DECLARATION: lower_globals(self, node); break;
    case NODE_TYPEDEF:
        lose_errors(self, node);
        lower_typedef(self, node);
        break;
    case NODE_T_STRUCT:
    case NODE_T_UNION:
    case NODE_T_ENUM:
        lose_errors(self, node);
        lower_record(self, node, 0, 0);
        break;
    case NODE_S_EXPRESSION: lower_file_statement(self, node); break;
    case NODE_LINKAGE:
    case NODE_DECLARATION_LIST:
        for (u32 child = ast_at(self, node)->first; child; child = ast_at(self, child)->next)
            if (node_kind(self, child) != NODE_STRING)
                lower_top(self, child);
        break;
    case NODE_T_NAME:
    case NODE_T_PRIMITIVE: break;
    default: lower_lost(self, node);
    }
}

static void lower_function_item(Lowering *self, u32 root) {
    u32 node = ast_at(self, root)->first;
    while (node && node_kind(self, node) != NODE_FUNCTION)
        node = ast_at(self, node)->next;
    if (node)
        lower_function(self, node);
    else
        lower_headless(self, root);
}

void lower_item(Lowering *self, const struct Declarations *declarations, const Item *item, TSNode root, Tree *tree) {
    if (self->declarations != declarations)
        map_clear(&self->said);
    self->declarations = declarations;
    self->item = item;
    self->tree = tree;
    self->place_hint = 0;
    self->in_function = false;
    self->stack.count = self->path.count = self->path_base = self->entry_stack.count = self->field_stack.count = 0;
    self->file = item->file ? intern_add(&tree->strings, item->file, (u32)strlen(item->file)) : 0;
    self->current = BLOCK_NONE;
    use_file_tables(self);
    ast_build(&self->ast, root);
    if (item->kind == ITEM_FUNCTION) {
        lower_function_item(self, 1);
        return;
    }
    for (u32 node = ast_at(self, 1)->first; node; node = ast_at(self, node)->next)
        lower_top(self, node);
}

Lowering *lowering_new(void) { return must_zero(sizeof(Lowering)); }

void lowering_free(Lowering *self) {
    if (!self)
        return;
    ast_free(&self->ast);
    map_free(&self->said);
    body_free(&self->body);
    buffer_free(&self->text);
    free(self->shared);
    array_free(&self->stack);
    array_free(&self->entry_stack);
    array_free(&self->field_stack);
    array_free(&self->path);
    array_free(&self->bindings);
    array_free(&self->undo);
    array_free(&self->cleanups);
    array_free(&self->blocks);
    array_free(&self->order);
    array_free(&self->events);
    array_free(&self->successors);
    array_free(&self->cases);
    array_free(&self->labels);
    array_free(&self->label_of);
    array_free(&self->pending);
    array_free(&self->forward);
    array_free(&self->fresh);
    array_free(&self->preds);
    free(self);
}
