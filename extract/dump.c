// dump.c: a tree as text: stable, complete enough to compare, meant to be read.
// In: a Tree with its bodies. Out: lines; docs/trees.md shows how they read.
#include "extract/tree.h"

#define MAX_DEPTH 64   // of an expression or type that is printed
#define MAX_PARTS 2000 // of one expression: a table read from a hostile file may share without end

typedef struct {
    const Tree *tree;
    const Body *body; // NULL: the file's tables
    FILE *out;
    u32 parts;    // of the expression being printed
    Bitset twice; // vars whose name another has too
} Dump;

static const char *const op_names[] = {"",   "+", "-",  "*", "/",  "%",  "<<", ">>", "&", "|", "^", "==",
                                       "!=", "<", "<=", ">", ">=", "&&", "||", "!",  "~", "-", "+"};

// types -----------------------------------------------------------------------

static void print_type(Dump *self, TypeId id, u32 depth);
static void print_expr(Dump *self, ExprId id, u32 depth);

static void print_quals(Dump *self, const Type *type) {
    fprintf(self->out, "%s%s%s", type->quals & QUAL_CONST ? "const " : "",
            type->quals & QUAL_VOLATILE ? "volatile " : "", type->quals & QUAL_ATOMIC ? "_Atomic " : "");
}

static void print_int(Dump *self, const Type *type) {
    const char *name = type->bits == 8    ? "char"
                       : type->bits == 16 ? "short"
                       : type->bits == 32 ? "int"
                       : type->bits == 64 ? "long"
                                          : NULL;
    fprintf(self->out, "%s", type->quals & QUAL_UNSIGNED ? "unsigned " : "");
    if (name)
        fprintf(self->out, "%s", name);
    else
        fprintf(self->out, "int%u", type->bits);
}

static void print_function_type(Dump *self, const Type *type, u32 depth) {
    fprintf(self->out, "function (");
    for (u32 i = 0; i < type->count; i++) {
        fprintf(self->out, "%s", i ? ", " : "");
        print_type(self, self->tree->lists.items[type->list + i], depth + 1);
    }
    fprintf(self->out, "%s%s) returning ", type->quals & QUAL_VARIADIC ? (type->count ? ", ..." : "...") : "",
            type->quals & QUAL_NO_PROTOTYPE ? "?" : "");
    print_type(self, type->inner, depth + 1);
}

static void print_typeof(Dump *self, const Type *type) {
    ExprId expr = self->tree->lists.items[type->list];
    u32 count = self->body ? self->body->exprs.count : self->tree->exprs.count;
    fprintf(self->out, "typeof(");
    if (expr < count)
        print_expr(self, expr, 1);
    fprintf(self->out, ")");
}

static void print_type(Dump *self, TypeId id, u32 depth) {
    const Type *type = &self->tree->types.items[id < self->tree->types.count ? id : 0];
    const char *name = tree_text(self->tree, type->name);
    print_quals(self, type);
    if (depth > MAX_DEPTH) {
        fprintf(self->out, "…");
        return;
    }
    switch (type->kind) {
    case TYPE_VOID: fprintf(self->out, "void"); break;
    case TYPE_BOOL: fprintf(self->out, "bool"); break;
    case TYPE_INT: print_int(self, type); break;
    case TYPE_FLOAT: fprintf(self->out, "float%u", type->bits); break;
    case TYPE_NAMED: fprintf(self->out, "%s", name); break;
    case TYPE_STRUCT: fprintf(self->out, "struct %s", name); break;
    case TYPE_UNION: fprintf(self->out, "union %s", name); break;
    case TYPE_ENUM: fprintf(self->out, "enum %s", name); break;
    case TYPE_POINTER:
        fprintf(self->out, "pointer to ");
        print_type(self, type->inner, depth + 1);
        break;
    case TYPE_ARRAY:
        fprintf(self->out, "array %u of ", type->count);
        print_type(self, type->inner, depth + 1);
        break;
    case TYPE_FUNCTION: print_function_type(self, type, depth); break;
    case TYPE_TYPEOF: print_typeof(self, type); break;
    default: fprintf(self->out, "?");
    }
}

// expressions -----------------------------------------------------------------

static void print_string(Dump *self, StrId id) {
    fputc('"', self->out);
    for (const char *at = tree_text(self->tree, id); *at; at++) {
        if ((u8)*at < 32 || *at == 127)
            fprintf(self->out, "\\x%02x", (u8)*at);
        else
            fputc(*at, self->out);
    }
    fputc('"', self->out);
}

static void print_var(Dump *self, u32 index) {
    const char *name = tree_text(self->tree, self->body->vars.items[index].name);
    fprintf(self->out, "%s", name);
    if (bitset_has(&self->twice, index) || !*name)
        fprintf(self->out, "'%u", index);
}

static const InitEntry *entries(const Dump *self) {
    return self->body ? self->body->inits.items : self->tree->inits.items;
}
static const Step *steps(const Dump *self) { return self->body ? self->body->steps.items : self->tree->steps.items; }
static const u32 *lists(const Dump *self) { return self->body ? self->body->lists.items : self->tree->lists.items; }

static void print_steps(Dump *self, const InitEntry *entry, u32 depth) {
    for (u32 i = 0; i < entry->step_count; i++) {
        const Step *step = &steps(self)[entry->step + i];
        switch (step->kind) {
        case STEP_FIELD: fprintf(self->out, ".%s", tree_text(self->tree, step->value)); break;
        case STEP_INDEX: fprintf(self->out, "[%u]", step->value); break;
        case STEP_RANGE: fprintf(self->out, "[%u ... ", step->value); break;
        case STEP_RANGE_END: fprintf(self->out, "%u]", step->value); break;
        case STEP_POSITION: fprintf(self->out, "#%u", step->value); break;
        case STEP_AFTER: fprintf(self->out, "+%u", step->value); break;
        default:
            fprintf(self->out, "[");
            print_expr(self, step->value, depth + 1);
            fprintf(self->out, "]");
        }
    }
}

static void print_entry(Dump *self, const InitEntry *entry, u32 depth) {
    print_steps(self, entry, depth);
    fprintf(self->out, "%s", entry->step_count ? " = " : "= ");
    print_expr(self, entry->value, depth + 1);
}

static void print_list(Dump *self, const Expr *expr, u32 depth) {
    fprintf(self->out, "(");
    print_type(self, expr->a, 0);
    fprintf(self->out, "){");
    for (u32 i = 0; i < expr->c && self->parts < MAX_PARTS; i++) {
        fprintf(self->out, "%s", i ? ", " : "");
        print_entry(self, &entries(self)[expr->b + i], depth);
    }
    fprintf(self->out, "}");
}

static void print_arguments(Dump *self, const Expr *expr, u32 depth) {
    fprintf(self->out, "(");
    for (u32 i = 0; i < expr->c && self->parts < MAX_PARTS; i++) {
        fprintf(self->out, "%s", i ? ", " : "");
        print_expr(self, lists(self)[expr->b + i], depth + 1);
    }
    fprintf(self->out, ")");
}

static bool is_compound(const Dump *self, ExprId id) { // needs parentheses inside another
    const Expr *expr = self->body ? &self->body->exprs.items[id] : &self->tree->exprs.items[id];
    return expr->kind == EXPR_BINARY || expr->kind == EXPR_ASSIGN || expr->kind == EXPR_CHOICE ||
           expr->kind == EXPR_CAST || expr->kind == EXPR_DEREF || expr->kind == EXPR_ADDRESS ||
           expr->kind == EXPR_UNARY;
}

static void print_inner(Dump *self, ExprId id, u32 depth) {
    bool parens = is_compound(self, id);
    fprintf(self->out, "%s", parens ? "(" : "");
    print_expr(self, id, depth + 1);
    fprintf(self->out, "%s", parens ? ")" : "");
}

static void print_member(Dump *self, const Expr *expr, u32 depth) {
    const Expr *base = self->body ? &self->body->exprs.items[expr->a] : &self->tree->exprs.items[expr->a];
    bool arrow = base->kind == EXPR_DEREF;
    print_inner(self, arrow ? base->a : expr->a, depth);
    fprintf(self->out, "%s%s", arrow ? "->" : ".", tree_text(self->tree, expr->b));
}

static void print_assign(Dump *self, const Expr *expr, u32 depth) {
    print_expr(self, expr->a, depth + 1);
    fprintf(self->out, " %s= ", op_names[expr->op]);
    print_inner(self, expr->b, depth);
}

static void print_step_expr(Dump *self, const Expr *expr, u32 depth) {
    const char *sign = expr->op == OP_SUB ? "--" : "++";
    fprintf(self->out, "%s", expr->b ? sign : "");
    print_inner(self, expr->a, depth);
    fprintf(self->out, "%s", expr->b ? "" : sign);
}

static void print_binary(Dump *self, const Expr *expr, u32 depth) {
    print_inner(self, expr->a, depth);
    fprintf(self->out, " %s ", op_names[expr->op]);
    print_inner(self, expr->b, depth);
}

static void print_choice(Dump *self, const Expr *expr, u32 depth) {
    print_inner(self, expr->a, depth);
    fprintf(self->out, " ? ");
    if (expr->b)
        print_inner(self, expr->b, depth);
    fprintf(self->out, " : ");
    print_inner(self, expr->c, depth);
}

static void print_prefixed(Dump *self, const char *prefix, ExprId inner, u32 depth) {
    fprintf(self->out, "%s", prefix);
    print_inner(self, inner, depth);
}

static void print_sizeof(Dump *self, const Expr *expr, u32 depth) {
    fprintf(self->out, "sizeof(");
    if (expr->a)
        print_expr(self, expr->a, depth + 1);
    else
        print_type(self, expr->b, 0);
    fprintf(self->out, ")");
}

static void print_container(Dump *self, const Expr *expr, u32 depth) {
    fprintf(self->out, "container(");
    print_expr(self, expr->a, depth + 1);
    fprintf(self->out, ", ");
    print_type(self, expr->b, 0);
    fprintf(self->out, ", %s)", tree_text(self->tree, expr->c));
}

static void print_cast(Dump *self, const Expr *expr, u32 depth) {
    fprintf(self->out, "(");
    print_type(self, expr->b, 0);
    fprintf(self->out, ")");
    print_inner(self, expr->a, depth);
}

static void print_index(Dump *self, const Expr *expr, u32 depth) {
    print_inner(self, expr->a, depth);
    fprintf(self->out, "[");
    print_expr(self, expr->b, depth + 1);
    fprintf(self->out, "]");
}

static void print_expr(Dump *self, ExprId id, u32 depth) {
    const Expr *expr = self->body ? &self->body->exprs.items[id] : &self->tree->exprs.items[id];
    if (depth == 0)
        self->parts = 0;
    if (depth > MAX_DEPTH || self->parts++ > MAX_PARTS) {
        fprintf(self->out, "…");
        return;
    }
    switch (expr->kind) {
    case EXPR_INT: fprintf(self->out, "%lld", (long long)expr_int(expr)); break;
    case EXPR_FLOAT: fprintf(self->out, "float"); break;
    case EXPR_STRING: print_string(self, expr->a); break;
    case EXPR_VAR: print_var(self, expr->a); break;
    case EXPR_NAME: fprintf(self->out, "@%s", tree_text(self->tree, expr->a)); break;
    case EXPR_MEMBER: print_member(self, expr, depth); break;
    case EXPR_DEREF: print_prefixed(self, "*", expr->a, depth); break;
    case EXPR_INDEX: print_index(self, expr, depth); break;
    case EXPR_ADDRESS: print_prefixed(self, "&", expr->a, depth); break;
    case EXPR_CALL:
        print_inner(self, expr->a, depth);
        print_arguments(self, expr, depth);
        break;
    case EXPR_UNARY: print_prefixed(self, op_names[expr->op], expr->a, depth); break;
    case EXPR_BINARY: print_binary(self, expr, depth); break;
    case EXPR_ASSIGN: print_assign(self, expr, depth); break;
    case EXPR_STEP: print_step_expr(self, expr, depth); break;
    case EXPR_CAST: print_cast(self, expr, depth); break;
    case EXPR_CHOICE: print_choice(self, expr, depth); break;
    case EXPR_BLOCK:
        fprintf(self->out, "({");
        print_expr(self, expr->a, depth + 1);
        fprintf(self->out, "})");
        break;
    case EXPR_SIZEOF: print_sizeof(self, expr, depth); break;
    case EXPR_CONTAINER: print_container(self, expr, depth); break;
    case EXPR_LIST: print_list(self, expr, depth); break;
    case EXPR_LABEL: fprintf(self->out, "&&%s", tree_text(self->tree, expr->a)); break;
    case EXPR_ASM:
        fprintf(self->out, "asm");
        print_arguments(self, expr, depth);
        break;
    case EXPR_NONE: break;
    default: fprintf(self->out, "unknown");
    }
}

// functions -------------------------------------------------------------------

static void print_flags(Dump *self, u32 flags) {
    static const char *const names[] = {
        "static", "extern",      "inline",      "thread_local", "register",  "param",       "addressed",  "noreturn",
        "weak",   "constructor", "alternative", "from_macro",   "anonymous", "initialised", "destructor", "incomplete"};
    for (u32 i = 0; i < sizeof names / sizeof *names; i++)
        if (flags >> i & 1)
            fprintf(self->out, " %s", names[i]);
}

static void print_place(Dump *self, Place place) { fprintf(self->out, "%u:%u", place.line, place.column); }

static void print_inits(Dump *self, u32 first, u32 count) {
    for (u32 i = first; i < first + count; i++) {
        fprintf(self->out, "  ");
        self->parts = 0;
        print_entry(self, &entries(self)[i], 1);
        fprintf(self->out, "  # ");
        print_place(self, entries(self)[i].place);
        fprintf(self->out, "\n");
    }
}

static void print_event(Dump *self, const Event *event) {
    static const char *const names[] = {"read", "write", "call", "run", "decl", "lost"};
    fprintf(self->out, "  ");
    print_place(self, event->place);
    fprintf(self->out, " %s ",
            event->kind == EVENT_READ && event->flags & EVENT_ADDRESS ? "address" : names[event->kind]);
    if (event->kind == EVENT_LOST)
        fprintf(self->out, "%u bytes", event->value);
    else
        print_expr(self, event->expr, 0);
    if (event->kind == EVENT_WRITE) {
        fprintf(self->out, " = ");
        print_expr(self, event->value, 0);
    }
    fprintf(self->out, "%s%s%s%s\n", event->flags & EVENT_RMW ? " (rmw)" : "",
            event->flags & EVENT_INIT ? " (init)" : "", event->flags & EVENT_CLEANUP ? " (cleanup)" : "",
            event->flags & EVENT_DISCARD ? " (discard)" : "");
}

static void print_case(Dump *self, const Successor *one) {
    if (one->is_default)
        fprintf(self->out, "default");
    else if (one->known && one->lo == one->hi)
        fprintf(self->out, "%lld", (long long)one->lo);
    else if (one->known)
        fprintf(self->out, "%lld...%lld", (long long)one->lo, (long long)one->hi);
    else
        print_expr(self, one->value, 0);
    fprintf(self->out, ": %u", one->block);
}

static void print_branch(Dump *self, const Block *block) {
    static const char *const relations[] = {"?", "==", "!=", "<", "<=", ">", ">="};
    fprintf(self->out, "branch ");
    self->parts = 0;
    if (block->relation == REL_OPAQUE)
        print_expr(self, block->subject, 0);
    else
        print_inner(self, block->subject, 0);
    if (block->relation == REL_OPAQUE)
        fprintf(self->out, " ?");
    else
        fprintf(self->out, " %s %lld", relations[block->relation], (long long)block->constant);
}

static void print_terminator(Dump *self, const Block *block) {
    static const char *const names[] = {"jump", "branch", "switch ", "return ", "goto ", "unreachable"};
    fprintf(self->out, "  ");
    print_place(self, block->place);
    fprintf(self->out, " ");
    if (block->term == TERM_BRANCH) {
        print_branch(self, block);
    } else {
        fprintf(self->out, "%s", names[block->term]);
        print_expr(self, block->value, 0);
    }
    for (u32 i = 0; i < block->successor_count; i++) {
        const Successor *one = &self->body->successors.items[block->successor + i];
        fprintf(self->out, "%s", i ? ", " : " -> ");
        if (block->term == TERM_SWITCH)
            print_case(self, one);
        else
            fprintf(self->out, "%u", one->block);
    }
    fprintf(self->out, "\n");
}

// fills: twice. Names are compared through a table by StrId.
static void fill_twice(Dump *self) {
    Map seen = {0};
    bitset_resize(&self->twice, self->body->vars.count);
    for (u32 i = 0; i < self->body->vars.count; i++) {
        bool is_new;
        u32 *first = map_put(&seen, self->body->vars.items[i].name, &is_new);
        if (is_new) {
            *first = i;
        } else {
            bitset_set(&self->twice, *first);
            bitset_set(&self->twice, i);
        }
    }
    map_free(&seen);
}

static void print_vars(Dump *self) {
    for (u32 i = 0; i < self->body->vars.count; i++) {
        const Var *var = &self->body->vars.items[i];
        fprintf(self->out, "  var ");
        print_var(self, i);
        fprintf(self->out, ": ");
        print_type(self, var->type, 0);
        fprintf(self->out, "  # ");
        print_place(self, var->place);
        print_flags(self, var->flags);
        if (var->cleanup)
            fprintf(self->out, " cleanup=%s", tree_text(self->tree, var->cleanup));
        fprintf(self->out, "\n");
        print_inits(self, var->init, var->init_count);
    }
}

static void print_function(Dump *self, u32 index, Body *body) {
    const Function *function = &self->tree->functions.items[index];
    fprintf(self->out, "function %s: ", tree_text(self->tree, function->name));
    print_type(self, function->type, 0);
    fprintf(self->out, "  # ");
    print_place(self, function->place);
    fprintf(self->out, "-%u", function->end_line);
    print_flags(self, function->flags);
    if (function->mark)
        fprintf(self->out, " mark=%s", tree_text(self->tree, function->mark));
    if (function->file)
        fprintf(self->out, " file=%s", tree_text(self->tree, function->file));
    if (function->lost_count)
        fprintf(self->out, " lost=%u/%u", function->lost_count, function->lost_bytes);
    fprintf(self->out, "\n");
    if (!tree_body(self->tree, index, body)) {
        fprintf(self->out, "  no body\n");
        return;
    }
    self->body = body;
    fill_twice(self);
    print_vars(self);
    for (u32 i = 0; i < body->blocks.count; i++) {
        const Block *block = &body->blocks.items[i];
        fprintf(self->out, "block %u\n", i);
        for (u32 e = 0; e < block->event_count; e++)
            print_event(self, &body->events.items[block->event + e]);
        print_terminator(self, block);
    }
    self->body = NULL;
}

// the file --------------------------------------------------------------------

static void print_record(Dump *self, const Record *record) {
    const char *kind = record->kind == TYPE_ENUM ? "enum" : record->kind == TYPE_UNION ? "union" : "struct";
    fprintf(self->out, "%s %s  # ", kind, tree_text(self->tree, record->tag));
    print_place(self, record->place);
    print_flags(self, record->flags);
    fprintf(self->out, "\n");
    for (u32 i = record->member; i < record->member + record->member_count; i++) {
        if (record->kind == TYPE_ENUM) {
            const Enumerator *one = &self->tree->enumerators.items[i];
            fprintf(self->out, "  %s = ", tree_text(self->tree, one->name));
            if (one->known)
                fprintf(self->out, "%lld\n", (long long)one->value);
            else
                fprintf(self->out, "?\n");
            continue;
        }
        const Field *field = &self->tree->fields.items[i];
        fprintf(self->out, "  %s: ", tree_text(self->tree, field->name));
        print_type(self, field->type, 0);
        if (field->bits)
            fprintf(self->out, " : %u%s", field->bits & ~BITS_ANEW, field->bits & BITS_ANEW ? " anew" : "");
        fprintf(self->out, "\n");
    }
}

static void print_global(Dump *self, const Global *global) {
    bool function = self->tree->types.items[global->type].kind == TYPE_FUNCTION;
    fprintf(self->out, "%s %s: ", function ? "prototype" : "global", tree_text(self->tree, global->name));
    print_type(self, global->type, 0);
    fprintf(self->out, "  # ");
    print_place(self, global->place);
    print_flags(self, global->flags);
    if (global->mark)
        fprintf(self->out, " mark=%s", tree_text(self->tree, global->mark));
    if (global->alias)
        fprintf(self->out, " alias=%s", tree_text(self->tree, global->alias));
    fprintf(self->out, "\n");
    print_inits(self, global->init, global->init_count);
}

static void print_declarations(Dump *self) {
    const Tree *tree = self->tree;
    for (u32 i = 0; i < tree->records.count; i++)
        print_record(self, &tree->records.items[i]);
    for (u32 i = 0; i < tree->typedefs.count; i++) {
        fprintf(self->out, "typedef %s: ", tree_text(tree, tree->typedefs.items[i].name));
        print_type(self, tree->typedefs.items[i].type, 0);
        fprintf(self->out, "\n");
    }
    for (u32 i = 0; i < tree->globals.count; i++)
        print_global(self, &tree->globals.items[i]);
    for (u32 i = 0; i < tree->calls.count; i++) {
        fprintf(self->out, "call ");
        print_expr(self, tree->calls.items[i].call, 0);
        fprintf(self->out, "  # ");
        print_place(self, tree->calls.items[i].place);
        fprintf(self->out, "\n");
    }
}

static void print_remark(Dump *self, const Remark *remark) {
    char *text = quote_path(tree_text(self->tree, remark->text));
    fprintf(self->out, "remark %s  # %u", text, remark->line);
    if (remark->next)
        fprintf(self->out, " before %u", remark->next);
    fprintf(self->out, "%s%s\n", remark->function ? " of " : "", tree_text(self->tree, remark->function));
    free(text);
}

void tree_dump(const Tree *self, const char *path, const char *function, FILE *out) {
    Dump dump = {.tree = self, .out = out};
    Body body = {0};
    fprintf(out, "file %s\n", path);
    if (!function)
        print_declarations(&dump);
    for (u32 i = 0; i < self->functions.count; i++)
        if (!function || !strcmp(function, tree_text(self, self->functions.items[i].name)))
            print_function(&dump, i, &body);
    for (u32 i = 0; i < self->remarks.count && !function; i++)
        print_remark(&dump, &self->remarks.items[i]);
    if (self->lost_items && !function)
        fprintf(out, "lost %u items, %u bytes\n", self->lost_items, self->lost_bytes);
    body_free(&body);
    bitset_free(&dump.twice);
}
