// ast.c: the grammar's tree into an array of our own nodes.
// In: a TSNode. Out: Ast.nodes, children linked in source order. One cursor walk; this is the hot
// path over every line, so grammar symbols are turned into kinds by a table made once, tokens are not
// kept (an operator leaves its code in its parent) and fields are asked for only below `for`.
// Invariant: no chain of nodes that lowering follows by recursion is longer than MAX_DEPTH: a node
// below that is AST_BAD and has no children.
#include "extract/lower.h"

#define MAX_DEPTH 1000

static const struct {
    const char *name;
    NodeKind kind;
} node_names[] = {
#define NODE(kind, name) {name, NODE_##kind},
#include "extract/nodes.def"
#undef NODE
};

static const struct {
    const char *token;
    u8 op;
} operator_names[] = {
    {"+", OP_ADD},  {"-", OP_SUB},   {"*", OP_MUL},    {"/", OP_DIV},          {"%", OP_MOD},     {"<<", OP_SHL},
    {">>", OP_SHR}, {"&", OP_AND},   {"|", OP_OR},     {"^", OP_XOR},          {"==", OP_EQ},     {"!=", OP_NE},
    {"<", OP_LT},   {"<=", OP_LE},   {">", OP_GT},     {">=", OP_GE},          {"&&", OP_LOGAND}, {"||", OP_LOGOR},
    {"!", OP_NOT},  {"~", OP_COMPL}, {"++", OP_ADD},   {"--", OP_SUB},         {"+=", OP_ADD},    {"-=", OP_SUB},
    {"*=", OP_MUL}, {"/=", OP_DIV},  {"%=", OP_MOD},   {"<<=", OP_SHL},        {">>=", OP_SHR},   {"&=", OP_AND},
    {"|=", OP_OR},  {"^=", OP_XOR},  {"->", OP_ARROW}, {"=", OP_ASSIGN_PLAIN},
};

static const struct {
    const char *name;
    ForField field;
} field_names[] = {
    {"initializer", FIELD_INITIALISER},
    {"condition", FIELD_CONDITION},
    {"update", FIELD_UPDATE},
    {"body", FIELD_BODY},
};

static void fill_symbol(Ast *self, u32 symbol) {
    const char *name = ts_language_symbol_name(self->language, (TSSymbol)symbol);
    TSSymbolType type = ts_language_symbol_type(self->language, (TSSymbol)symbol);
    if (!name)
        return;
    if (type == TSSymbolTypeRegular)
        self->kinds[symbol] = strcmp(name, "comment") ? NODE_OTHER : NODE_NONE;
    for (u32 i = 0; type == TSSymbolTypeRegular && i < sizeof node_names / sizeof *node_names; i++)
        if (!strcmp(name, node_names[i].name))
            self->kinds[symbol] = (u8)node_names[i].kind;
    for (u32 i = 0; type == TSSymbolTypeAnonymous && i < sizeof operator_names / sizeof *operator_names; i++)
        if (!strcmp(name, operator_names[i].token))
            self->operators[symbol] = operator_names[i].op + 1;
}

static void fill_tables(Ast *self, const TSLanguage *language) {
    self->language = language;
    self->symbol_count = ts_language_symbol_count(language);
    u32 field_count = ts_language_field_count(language) + 1;
    free(self->kinds);
    free(self->operators);
    free(self->fields);
    self->kinds = must_zero(self->symbol_count);
    self->operators = must_zero(self->symbol_count);
    self->fields = must_zero(field_count);
    for (u32 symbol = 0; symbol < self->symbol_count; symbol++)
        fill_symbol(self, symbol);
    for (u32 i = 0; i < sizeof field_names / sizeof *field_names; i++) {
        u32 id = ts_language_field_id_for_name(language, field_names[i].name, (u32)strlen(field_names[i].name));
        if (id && id < field_count)
            self->fields[id] = (u8)field_names[i].field;
    }
}

static bool is_leaf(u8 kind) { // nothing below it is of interest
    return kind == NODE_NAME || kind == NODE_NUMBER || kind == NODE_STRING || kind == NODE_CHAR ||
           kind == NODE_FIELD_NAME || kind == NODE_T_NAME || kind == NODE_T_PRIMITIVE || kind == NODE_STORAGE ||
           kind == NODE_QUALIFIER || kind == NODE_LABEL_NAME;
}

// Does lowering walk from this parent to this child in a loop?
static bool is_chain(const AstNode *parent, bool first_child, u8 kind) {
    return (parent->kind == NODE_BINARY && first_child && kind == NODE_BINARY) ||
           (parent->kind == NODE_COMMA && !first_child && kind == NODE_COMMA) ||
           (parent->kind == NODE_S_IF && kind == NODE_S_ELSE) || (parent->kind == NODE_S_ELSE && kind == NODE_S_IF);
}

// Adds the cursor's node; its index, or 0 when it is a token.
static u32 add_node(Ast *self, bool errors) {
    const NodeCursor *cursor = &self->cursor;
    TSSymbol symbol = cursor->symbol;
    AstOpen *open = self->open.count ? &self->open.items[self->open.count - 1] : NULL;
    u8 kind = symbol < self->symbol_count ? self->kinds[symbol] : NODE_ERROR;
    bool missing = errors && cursor->missing;
    if (kind == NODE_NONE && open) {
        AstNode *parent = &self->nodes.items[open->node];
        u8 operator= self->operators[symbol];
        if (operator) {
            parent->op = operator- 1;
            parent->flags |= open->last ? 0 : AST_PREFIX;
        }
        const char *token = missing ? cursor_type(cursor) : ";";
        if (strcmp(token, ";") && strcmp(token, "}"))
            parent->flags |= AST_BAD | AST_HOLDS_BAD;
        return 0;
    }
    u32 index = self->nodes.count;
    AstNode made = {.kind = kind, .start = cursor->start, .end = cursor->end};
    u32 depth = 0;
    if (open) {
        AstNode *parent = &self->nodes.items[open->node];
        depth = open->depth + !is_chain(parent, !open->last, kind);
        if (open->last)
            self->nodes.items[open->last].next = index;
        else
            parent->first = index;
        if (parent->kind == NODE_S_FOR)
            made.field = self->fields[cursor_field(cursor)];
        open->last = index;
    }
    if (kind == NODE_ERROR || missing || depth > MAX_DEPTH)
        made.flags = AST_BAD | AST_HOLDS_BAD | (depth > MAX_DEPTH ? AST_DEEP : 0);
    array_push(&self->nodes, made);
    array_push(&self->open, ((AstOpen){index, 0, depth}));
    return index;
}

// Lists whose elements are lost one by one: an error inside does not spoil what is around them.
static bool contains_errors(const AstNode *node) {
    bool list = node->kind == NODE_S_COMPOUND || node->kind == NODE_LIST || node->kind == NODE_FIELDS ||
                node->kind == NODE_ENUMERATORS;
    return list && !(node->flags & AST_BAD);
}

// The grammar reads `!x++` as `(!x)++`. The operators before x move up by one node each, and the last of these nodes
// is the update: nothing that points to the outermost one need know.
static void turn_update(Ast *self, u32 node) {
    AstNode *at = &self->nodes.items[node], *below = &self->nodes.items[at->first];
    if (at->kind != NODE_UPDATE || (at->flags & AST_PREFIX) || !at->first || below->kind != NODE_UNARY)
        return;
    u8 op = at->op;
    u32 end = at->end;
    for (; below->kind == NODE_UNARY && below->first; at = below, below = &self->nodes.items[below->first]) {
        at->kind = NODE_UNARY;
        at->op = below->op;
        at->flags |= AST_PREFIX;
        at->end = end;
    }
    at->kind = NODE_UPDATE;
    at->op = op;
    at->flags &= (u8)~AST_PREFIX;
    at->start = below->start;
    at->end = end;
}

static void close_node(Ast *self) {
    u32 node = self->open.items[--self->open.count].node;
    turn_update(self, node);
    const AstNode *closed = &self->nodes.items[node];
    if (self->open.count && (closed->flags & AST_HOLDS_BAD) && !contains_errors(closed))
        self->nodes.items[self->open.items[self->open.count - 1].node].flags |= AST_HOLDS_BAD;
}

void ast_build(Ast *self, TSNode root) {
    if (ts_tree_language(root.tree) != self->language)
        fill_tables(self, ts_tree_language(root.tree));
    self->nodes.count = self->open.count = 0;
    array_push(&self->nodes, (AstNode){0});
    bool errors = ts_node_has_error(root);
    cursor_begin(&self->cursor, root);
    do {
        u32 node = add_node(self, errors);
        const AstNode *made = &self->nodes.items[node];
        if (node && !(made->flags & AST_DEEP) && !is_leaf(made->kind) && cursor_first_child(&self->cursor))
            continue;
        if (node)
            close_node(self);
        while (self->open.count && !cursor_next_sibling(&self->cursor))
            close_node(self);
    } while (self->open.count);
}

void ast_free(Ast *self) {
    array_free(&self->nodes);
    array_free(&self->open);
    cursor_free(&self->cursor);
    free(self->kinds);
    free(self->operators);
    free(self->fields);
}
