// lower_flow.c: statements to blocks.
// In: statement nodes. Out: raw blocks and the events in them; locals; labels.
// The idea: every construct makes the blocks it needs, ends the current one and starts the next. Code
// that is not reached is followed all the same, because a label or a case in it may be.
// Invariant: a statement that holds an error costs that statement at most; what is nested in it and
// whole is kept.
#include "extract/lower.h"

static u32 last_child(const Lowering *self, u32 node) {
    u32 last = 0;
    for (u32 child = ast_at(self, node)->first; child; child = ast_at(self, child)->next)
        last = child;
    return last;
}

static Place end_place(Lowering *self, u32 node) { return offset_place(self, ast_at(self, node)->end - 1); }

// An expression used as a statement; false (and lost) when it cannot be read.
static bool whole(Lowering *self, u32 node) {
    if (!node_holds_bad(self, node))
        return true;
    lower_lost(self, node);
    return false;
}

// declarations ----------------------------------------------------------------

static void initialise(Lowering *self, u32 var, u32 value_node, bool is_auto, Place place) {
    TypeId type = self->body.vars.items[var].type;
    bool list = node_kind(self, value_node) == NODE_LIST;
    if (!list && !whole(self, value_node))
        return;
    bool guard = !list && !self->mute && node_kind(self, value_node) == NODE_CALL && call_is_guard(self, value_node);
    ExprId value = list    ? lower_list(self, value_node, type)
                   : guard ? lower_guard(self, value_node, false)
                           : lower_value(self, value_node);
    if (is_auto) {
        TypeId known = lowered_type(self, value);
        Type type_of = {.kind = TYPE_TYPEOF, .count = 1};
        self->body.vars.items[var].type = known ? known : tree_type(self->tree, type_of, &value);
    }
    ExprId target = expr_add(self, (Expr){.kind = EXPR_VAR, .a = var});
    lower_store(self, target, value, EVENT_INIT, place);
}

static void declare(Lowering *self, const Specifiers *specifiers, const Declarator *declarator, u32 value_node) {
    bool function = self->tree->types.items[declarator->type].kind == TYPE_FUNCTION;
    StrId name = node_string(self, declarator->name);
    if (function || specifiers->flags & DECL_EXTERN) {
        scope_bind(self, name, BOUND_GLOBAL);
        array_push(&self->tree->globals, ((Global){.name = name,
                                                   .file = self->file,
                                                   .type = declarator->type,
                                                   .flags = specifiers->flags | DECL_EXTERN,
                                                   .place = node_place(self, declarator->name)}));
        return;
    }
    Var var = {.name = name,
               .type = declarator->type,
               .cleanup = specifiers->cleanup,
               .flags = specifiers->flags,
               .place = node_place(self, declarator->name)};
    u32 index = var_add(self, var);
    if (specifiers->flags & DECL_STATIC) {
        u32 first = 0, count = 0;
        if (value_node)
            lower_initialiser(self, value_node, &first, &count);
        self->body.vars.items[index].init = first;
        self->body.vars.items[index].init_count = count;
        self->body.vars.items[index].flags |= value_node ? DECL_INITIALISED : 0;
        return;
    }
    ExprId expr = expr_add(self, (Expr){.kind = EXPR_VAR, .a = index});
    event_add(self, EVENT_DECL, 0, expr, 0, var.place);
    if (value_node)
        initialise(self, index, value_node, specifiers->is_auto, var.place);
}

// `x * y;` reads as a declaration although x is a local: both are only read.
static bool lower_product_statement(Lowering *self, u32 node) {
    u32 type = ast_at(self, node)->first, declarator = ast_at(self, type)->next;
    if (node_kind(self, type) != NODE_T_NAME || node_kind(self, declarator) != NODE_D_POINTER)
        return false;
    u32 right = ast_at(self, declarator)->first;
    if (node_kind(self, right) != NODE_NAME || scope_lookup(self, node_string(self, type)) < BOUND_VAR)
        return false;
    event_add(self, EVENT_READ, 0, expr_name(self, type), 0, node_place(self, type));
    event_add(self, EVENT_READ, 0, expr_name(self, right), 0, node_place(self, right));
    return true;
}

void lower_local(Lowering *self, u32 node) {
    if (lower_product_statement(self, node))
        return;
    Specifiers common = lower_specifiers(self, node, 0);
    lose_errors(self, node);
    for (u32 child = ast_at(self, node)->first; child; child = ast_at(self, child)->next) {
        u8 kind = node_kind(self, child);
        if (!kind_is_declarator(kind))
            continue;
        Specifiers specifiers = common;
        Declarator declarator = lower_declarator(self, child, common.type, &specifiers);
        if (kind == NODE_D_INIT)
            lose_errors(self, child);
        if (declarator.name)
            declare(self, &specifiers, &declarator, kind == NODE_D_INIT ? node_child(self, child, 1) : 0);
        else
            lower_lost(self, child);
    }
}

// `name * x;` declares a pointer when `name` is no local.
static bool lower_product_declaration(Lowering *self, u32 node) {
    const AstNode *ast = ast_at(self, node);
    if (ast->kind != NODE_BINARY || ast->op != OP_MUL || node_kind(self, ast->first) != NODE_NAME)
        return false;
    StrId name = node_string(self, ast->first);
    u32 declared = node_child(self, node, 1), pointers = 1;
    for (; node_kind(self, declared) == NODE_POINTER && ast_at(self, declared)->op == OP_MUL; pointers++)
        declared = ast_at(self, declared)->first;
    if (scope_lookup(self, name) >= BOUND_VAR || node_kind(self, declared) != NODE_NAME)
        return false;
    TypeId type = tree_type(self->tree, (Type){.kind = TYPE_NAMED, .name = name}, NULL);
    for (; pointers; pointers--)
        type = type_pointer(self, type, 0);
    declare(self, &(Specifiers){.type = type}, &(Declarator){.type = type, .name = declared}, 0);
    return true;
}

// loops -----------------------------------------------------------------------

typedef struct {
    Target break_to, continue_to;
} Targets;

static Targets enter_loop(Lowering *self, u32 break_block, u32 continue_block) {
    Targets saved = {self->break_to, self->continue_to};
    self->break_to = (Target){break_block, self->cleanup};
    self->continue_to = (Target){continue_block, self->cleanup};
    return saved;
}

static void leave_loop(Lowering *self, Targets saved) {
    self->break_to = saved.break_to;
    self->continue_to = saved.continue_to;
}

// What hangs on an `if` or a loop is a scope, with braces or without: a guard ends with it.
static void lower_body(Lowering *self, u32 node) {
    if (!node)
        return;
    Scope scope = scope_open(self);
    lower_statement(self, node);
    scope_close(self, scope, end_place(self, node));
}

static void lower_while(Lowering *self, u32 node) {
    u32 head = block_new(self), body = block_new(self), end = block_new(self);
    Place place = node_place(self, node);
    lose_errors(self, node);
    block_jump(self, head, place);
    block_start(self, head);
    lower_condition(self, node_child(self, node, 0), body, end);
    block_start(self, body);
    Targets saved = enter_loop(self, end, head);
    lower_body(self, node_child(self, node, 1));
    leave_loop(self, saved);
    block_jump(self, head, place);
    block_start(self, end);
}

static void lower_do(Lowering *self, u32 node) {
    u32 body = block_new(self), check_block = block_new(self), end = block_new(self);
    u32 condition = node_child(self, node, 1);
    lose_errors(self, node);
    block_jump(self, body, node_place(self, node));
    block_start(self, body);
    Targets saved = enter_loop(self, end, check_block);
    lower_body(self, node_child(self, node, 0));
    leave_loop(self, saved);
    block_jump(self, check_block, node_place(self, condition ? condition : node));
    block_start(self, check_block);
    if (condition)
        lower_condition(self, condition, body, end);
    block_start(self, end);
}

static u32 for_part(const Lowering *self, u32 node, ForField field) {
    for (u32 child = ast_at(self, node)->first; child; child = ast_at(self, child)->next)
        if (ast_at(self, child)->field == field && node_kind(self, child) != NODE_ERROR)
            return child;
    return 0;
}

// The call in `v = ITER(…)`, `T v = ITER(…)` or `ITER(…)`.
static u32 iterator_call(const Lowering *self, u32 node) {
    if (node && node_kind(self, node) == NODE_DECLARATION)
        node = last_child(self, node);
    if (node && (node_kind(self, node) == NODE_D_INIT || node_kind(self, node) == NODE_ASSIGN))
        node = node_child(self, node, 1);
    return node && node_kind(self, node) == NODE_CALL ? node : 0;
}

// `for (v = ITER(args); ITER(); )`, or with plain ITER: an iterator macro. Each round takes a new element.
static u32 iterator_name(Lowering *self, u32 init, u32 condition) {
    u32 call = iterator_call(self, init);
    if (condition && node_kind(self, condition) == NODE_CALL && !node_child(self, node_child(self, condition, 1), 0))
        condition = ast_at(self, condition)->first;
    if (!call || !condition || node_kind(self, condition) != NODE_NAME)
        return 0;
    u32 callee = ast_at(self, call)->first;
    bool same = node_length(self, callee) == node_length(self, condition) &&
                !memcmp(node_text(self, callee), node_text(self, condition), node_length(self, callee));
    return same && node_kind(self, callee) == NODE_NAME ? callee : 0;
}

static void lower_for_init(Lowering *self, u32 node) {
    if (!node)
        return;
    if (node_kind(self, node) == NODE_DECLARATION)
        lower_local(self, node);
    else if (whole(self, node))
        lower_discard(self, node);
}

// `for (; GUARD(args); )`: the guard's scope. Its body runs once; break and continue leave it.
static void lower_guarded(Lowering *self, u32 node, u32 guard) {
    u32 end = block_new(self);
    Scope scope = scope_open(self);
    Targets saved = enter_loop(self, end, end);
    lose_errors(self, node);
    lower_discard(self, guard);
    lower_body(self, for_part(self, node, FIELD_BODY));
    leave_loop(self, saved);
    scope_close(self, scope, end_place(self, node));
    block_jump(self, end, end_place(self, node));
    block_start(self, end);
}

static void lower_for(Lowering *self, u32 node) {
    u32 init = for_part(self, node, FIELD_INITIALISER), condition = for_part(self, node, FIELD_CONDITION);
    u32 update = for_part(self, node, FIELD_UPDATE), iterator = iterator_name(self, init, condition);
    if (!init && !update && condition && call_is_guard(self, condition)) {
        lower_guarded(self, node, condition);
        return;
    }
    u32 head = block_new(self), body = block_new(self), step = block_new(self), end = block_new(self);
    Place place = node_place(self, node);
    Scope scope = scope_open(self);
    lose_errors(self, node);
    if (!iterator)
        lower_for_init(self, init);
    block_jump(self, head, place);
    block_start(self, head);
    if (iterator) {
        lower_for_init(self, init);
        RawBlock *block = block_end(self, TERM_BRANCH, node_place(self, iterator));
        ExprId name = expr_name(self, iterator);
        if (block)
            block->value = block->subject = name, block->to[0] = body, block->to[1] = end;
    } else if (condition) {
        lower_condition(self, condition, body, end);
    } else {
        block_jump(self, body, place);
    }
    block_start(self, body);
    Targets saved = enter_loop(self, end, step);
    lower_body(self, for_part(self, node, FIELD_BODY));
    leave_loop(self, saved);
    block_jump(self, step, place);
    block_start(self, step);
    if (update && whole(self, update))
        lower_discard(self, update);
    block_jump(self, head, place);
    block_start(self, end);
    scope_close(self, scope, end_place(self, node));
}

// choices ---------------------------------------------------------------------

// A chain of `else if` is walked in a loop: it may be thousands long.
static void lower_if(Lowering *self, u32 node) {
    u32 end = block_new(self);
    Place place = node_place(self, node);
    while (node) {
        u32 yes = block_new(self), no = block_new(self), otherwise = node_child(self, node, 2);
        lose_errors(self, node);
        lower_condition(self, node_child(self, node, 0), yes, no);
        block_start(self, yes);
        lower_body(self, node_child(self, node, 1));
        block_jump(self, end, place);
        block_start(self, no);
        u32 rest = otherwise ? node_child(self, otherwise, 0) : 0;
        node = rest && node_kind(self, rest) == NODE_S_IF && !(ast_at(self, rest)->flags & AST_DEEP) ? rest : 0;
        if (otherwise)
            lose_errors(self, otherwise);
        if (!node)
            lower_body(self, rest);
    }
    block_jump(self, end, place);
    block_start(self, end);
}

static void case_range(Lowering *self, u32 low_node, u32 high_node, Successor *out) {
    i64 low, high;
    bool known = lower_constant(self, low_node, &low) && (!high_node || lower_constant(self, high_node, &high));
    self->mute++;
    out->value = lower_value(self, low_node);
    self->mute--;
    out->known = known;
    out->lo = known ? low : 0;
    out->hi = known ? (high_node ? high : low) : 0;
}

// `case lo ... hi:` which the grammar cannot read: one end is the value, the other sits in an error beside it.
static bool mend_case_range(Lowering *self, u32 node, u32 *value, Successor *out) {
    u32 first = ast_at(self, node)->first, second = first ? ast_at(self, first)->next : 0;
    if (!second)
        return false;
    bool before = node_kind(self, first) == NODE_ERROR;
    u32 error = before ? first : second, plain = before ? second : first;
    const char *text = node_text(self, error);
    u32 other = ast_at(self, error)->first, length = node_length(self, error);
    if (node_kind(self, error) != NODE_ERROR || !other || length < 4 || node_holds_bad(self, other))
        return false;
    if (memcmp(before ? text + length - 3 : text, "...", 3))
        return false;
    case_range(self, before ? other : plain, before ? plain : other, out);
    *value = before ? plain : error; // the statements follow it
    return true;
}

static void lower_case(Lowering *self, u32 node) {
    Successor one = {.block = block_new(self)};
    u32 rest = ast_at(self, node)->first;
    if (node_first(self, node) == 'd') {
        one.is_default = true;
    } else if (rest && !mend_case_range(self, node, &rest, &one)) {
        u32 range = call_named(self, rest, "__rx_range");
        if (range && node_child(self, range, 1))
            case_range(self, node_child(self, range, 0), node_child(self, range, 1), &one);
        else if (whole(self, rest))
            case_range(self, rest, 0, &one);
    }
    block_jump(self, one.block, node_place(self, node));
    block_start(self, one.block);
    if (self->in_switch)
        array_push(&self->cases, one);
    if (rest && !one.is_default)
        rest = ast_at(self, rest)->next;
    lower_statements(self, rest);
}

// Only the arm a literal picks is possible.
static void pick_case(Lowering *self, i64 value, u32 base) {
    u32 chosen = UINT32_MAX;
    for (u32 i = base; i < self->cases.count; i++) {
        const Successor *one = &self->cases.items[i];
        if (!one->is_default && !one->known)
            return;
        if (one->is_default ? chosen == UINT32_MAX : one->lo <= value && value <= one->hi)
            chosen = i;
        if (chosen == i && !one->is_default)
            break;
    }
    self->cases.items[base] = self->cases.items[chosen];
    self->cases.count = base + 1;
}

static void end_switch(Lowering *self, RawBlock *head, u32 base, u32 end) {
    bool has_default = false;
    for (u32 i = base; i < self->cases.count; i++)
        has_default |= self->cases.items[i].is_default;
    if (!has_default)
        array_push(&self->cases, ((Successor){.block = end, .is_default = true}));
    const Expr *value = &self->exprs->items[head->value];
    if (value->kind == EXPR_INT)
        pick_case(self, expr_int(value), base);
    if (value->kind == EXPR_INT && self->cases.count == base + 1) {
        head->term = TERM_JUMP;
        head->to[0] = self->cases.items[base].block;
        return;
    }
    head->successor = self->successors.count;
    head->successor_count = self->cases.count - base;
    for (u32 i = base; i < self->cases.count; i++)
        array_push(&self->successors, self->cases.items[i]);
}

static void lower_switch(Lowering *self, u32 node) {
    u32 condition = node_child(self, node, 0), end = block_new(self);
    ExprId value = condition && whole(self, condition) ? lower_value(self, condition)
                                                       : expr_add(self, (Expr){.kind = EXPR_UNKNOWN});
    u32 head = self->current, base = self->cases.count, outer_base = self->case_base;
    bool outer = self->in_switch;
    RawBlock *block = block_end(self, TERM_SWITCH, node_place(self, condition ? condition : node));
    if (block)
        block->value = value;
    Target saved = self->break_to;
    self->break_to = (Target){end, self->cleanup};
    self->in_switch = true;
    self->case_base = base;
    lose_errors(self, node);
    lower_body(self, node_child(self, node, 1));
    self->in_switch = outer;
    self->case_base = outer_base;
    self->break_to = saved;
    block_jump(self, end, end_place(self, node));
    if (block)
        end_switch(self, &self->blocks.items[head], base, end);
    self->cases.count = base;
    block_start(self, end);
}

// jumps -----------------------------------------------------------------------

static void lower_goto(Lowering *self, u32 node) {
    Place place = node_place(self, node);
    u32 name = node_child(self, node, 0);
    if (!name)
        return;
    u32 label = label_add(self, node_string(self, name));
    if (!self->cleanup) {
        block_jump(self, self->labels.items[label].block, place);
        return;
    }
    PendingGoto pending = {.block = block_new(self), .label = label, .cleanup = self->cleanup, .place = place};
    block_jump(self, pending.block, place);
    array_push(&self->pending, pending);
}

static void lower_leave(Lowering *self, u32 node, Target to) {
    Place place = node_place(self, node);
    if (to.block == BLOCK_NONE) {
        block_end(self, TERM_UNREACHABLE, place);
        return;
    }
    cleanups_run(self, self->cleanup, to.cleanup, place);
    block_jump(self, to.block, place);
}

static void lower_return(Lowering *self, u32 node) {
    u32 value_node = node_child(self, node, 0);
    Place place = node_place(self, node);
    ExprId value = 0;
    if (value_node && whole(self, value_node))
        value = lower_value(self, value_node);
    lose_errors(self, node);
    cleanups_run(self, self->cleanup, 0, place);
    RawBlock *block = block_end(self, TERM_RETURN, place);
    if (block)
        block->value = value;
}

static void lower_label(Lowering *self, u32 node) {
    u32 name = node_child(self, node, 0);
    if (name) {
        u32 index = label_add(self, node_string(self, name));
        Label *label = &self->labels.items[index];
        bool again = label->defined;
        label->defined = true;
        label->cleanup = self->cleanup;
        if (!again) {
            u32 block = label->block;
            block_jump(self, block, node_place(self, node));
            block_start(self, block);
        }
    }
    lower_statements(self, name ? ast_at(self, name)->next : 0);
}

// statements ------------------------------------------------------------------

ExprId lower_block_value(Lowering *self, u32 compound, bool discard) {
    if (self->mute)
        return expr_add(self, (Expr){.kind = EXPR_UNKNOWN});
    Scope scope = scope_open(self);
    ExprId value = 0;
    for (u32 child = ast_at(self, compound)->first; child; child = ast_at(self, child)->next) {
        u32 inner = node_kind(self, child) == NODE_S_EXPRESSION ? node_child(self, child, 0) : 0;
        if (!ast_at(self, child)->next && inner && !discard && !node_holds_bad(self, child))
            value = lower_value(self, inner);
        else
            lower_statement(self, child);
    }
    scope_close(self, scope, end_place(self, compound));
    return expr_add(self, (Expr){.kind = EXPR_BLOCK, .a = value});
}

static void lower_compound(Lowering *self, u32 node) {
    Scope scope = scope_open(self);
    lower_statements(self, ast_at(self, node)->first);
    scope_close(self, scope, end_place(self, node));
}

static void lower_expression(Lowering *self, u32 node) {
    u32 value = node_child(self, node, 0);
    if (!value)
        lose_errors(self, node);
    else if (whole(self, node) && !lower_product_declaration(self, value))
        lower_discard(self, value);
}

// A statement made of several (a guarded block and its handler, say): each in turn.
static void lower_parts(Lowering *self, u32 node) {
    for (u32 child = ast_at(self, node)->first; child; child = ast_at(self, child)->next) {
        u8 kind = node_kind(self, child);
        if (kind == NODE_S_EXCEPT || kind == NODE_S_FINALLY)
            lower_parts(self, child);
        else if (kind != NODE_ATTRIBUTES && kind != NODE_PAREN)
            lower_statement(self, child);
    }
}

static bool can_stand_alone(u8 kind) {
    return (kind >= NODE_S_ATTRIBUTED && kind <= NODE_S_TRY && kind != NODE_S_ELSE) || kind == NODE_DECLARATION ||
           kind == NODE_CALL || kind == NODE_ASSIGN || kind == NODE_UPDATE;
}

// What an error holds that is whole is kept; the bytes between are lost.
void lower_pieces(Lowering *self, u32 error) {
    u32 from = ast_at(self, error)->start, bytes = 0;
    for (u32 child = ast_at(self, error)->first; child; child = ast_at(self, child)->next) {
        const AstNode *ast = ast_at(self, child);
        if (!can_stand_alone(ast->kind) || ast->flags & AST_HOLDS_BAD)
            continue;
        bytes += ast->start - from;
        from = ast->end;
        lower_statement(self, child);
    }
    bytes += ast_at(self, error)->end - from;
    lower_lost_bytes(self, bytes, node_place(self, error));
}

void lower_statements(Lowering *self, u32 first) {
    for (u32 node = first; node; node = ast_at(self, node)->next)
        lower_statement(self, node);
}

void lower_statement(Lowering *self, u32 node) {
    if (ast_at(self, node)->flags & AST_DEEP) {
        lower_lost(self, node);
        return;
    }
    switch (node_kind(self, node)) {
    case NODE_S_COMPOUND: lower_compound(self, node); break;
    case NODE_S_EXPRESSION: lower_expression(self, node); break;
    case NODE_DECLARATION: lower_local(self, node); break;
    case NODE_TYPEDEF: lower_typedef(self, node); break;
    case NODE_T_STRUCT:
    case NODE_T_UNION:
    case NODE_T_ENUM: lower_record(self, node, 0, 0); break;
    case NODE_S_IF: lower_if(self, node); break;
    case NODE_S_WHILE: lower_while(self, node); break;
    case NODE_S_DO: lower_do(self, node); break;
    case NODE_S_FOR: lower_for(self, node); break;
    case NODE_S_SWITCH: lower_switch(self, node); break;
    case NODE_S_CASE: lower_case(self, node); break;
    case NODE_S_LABEL: lower_label(self, node); break;
    case NODE_S_RETURN: lower_return(self, node); break;
    case NODE_S_GOTO: lower_goto(self, node); break;
    case NODE_S_BREAK: lower_leave(self, node, self->break_to); break;
    case NODE_S_CONTINUE: lower_leave(self, node, self->continue_to); break;
    case NODE_S_ATTRIBUTED:
    case NODE_S_TRY: lower_parts(self, node); break;
    case NODE_S_LEAVE:
    case NODE_T_NAME:
    case NODE_T_PRIMITIVE: break;
    case NODE_ERROR: lower_pieces(self, node); break;
    case NODE_CALL:
    case NODE_ASSIGN:
    case NODE_UPDATE: lower_discard(self, node); break;
    default: lower_lost(self, node);
    }
}
