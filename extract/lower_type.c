// lower_type.c: declarations at file scope: specifiers and declarators to types, globals, typedefs.
// In: declaration nodes. Out: TypeIds; Globals and Typedefs in the tree.
// The idea: a declarator is read from the outside in, each layer wrapping the type so far, until the
// name is reached; so `int *(*f[3])(void)` needs no second pass.
#include "extract/lower.h"

#define MAX_MARK 256 // bytes of words attached to one definition

bool kind_is_specifier(u8 kind) {
    return kind == NODE_T_STRUCT || kind == NODE_T_UNION || kind == NODE_T_ENUM || kind == NODE_T_MACRO ||
           kind == NODE_T_SIZED || kind == NODE_T_PRIMITIVE || kind == NODE_T_NAME;
}

bool kind_is_declarator(u8 kind) {
    return (kind >= NODE_D_ATTRIBUTED && kind <= NODE_A_PAREN) || kind == NODE_NAME || kind == NODE_FIELD_NAME;
}

TypeId type_pointer(Lowering *self, TypeId inner, u8 quals) {
    return tree_type(self->tree, (Type){.kind = TYPE_POINTER, .quals = quals, .inner = inner}, NULL);
}

TypeId type_qualify(Lowering *self, TypeId id, u8 quals) {
    Type type = self->tree->types.items[id];
    if (!id || (type.quals & quals) == quals)
        return id;
    type.quals |= quals;
    u32 list[1];
    if (type.kind == TYPE_FUNCTION) // C gives it no meaning
        return id;
    if (type.kind == TYPE_TYPEOF)
        list[0] = self->tree->lists.items[type.list];
    return tree_type(self->tree, type, list);
}

// attributes --------------------------------------------------------------------

static StrId first_argument(Lowering *self, u32 arguments) { // a name, or a string's contents
    u32 argument = arguments ? node_child(self, arguments, 0) : 0;
    if (!argument)
        return 0;
    if (node_kind(self, argument) == NODE_STRING && node_length(self, argument) > 2)
        return intern_add(&self->tree->strings, node_text(self, argument) + 1, node_length(self, argument) - 2);
    return node_kind(self, argument) == NODE_NAME ? node_string(self, argument) : 0;
}

static void add_mark(Lowering *self, Specifiers *out, StrId mark) {
    if (!mark || !out->mark) {
        out->mark = mark ? mark : out->mark;
        return;
    }
    if (self->tree->strings.entries.items[out->mark].length > MAX_MARK)
        return;
    self->text.size = 0;
    buffer_format(&self->text, "%s,%s", tree_text(self->tree, out->mark), tree_text(self->tree, mark));
    out->mark = intern_add(&self->tree->strings, (const char *)self->text.bytes, (u32)self->text.size);
}

static bool attribute_is(const Lowering *self, u32 name, const char *word) { // `word` or `__word__`
    const char *text = node_text(self, name);
    u32 length = node_length(self, name), want = (u32)strlen(word);
    if (length == want + 4 && !memcmp(text, "__", 2))
        return !memcmp(text + 2, word, want);
    return length == want && !memcmp(text, word, want);
}

static void apply_attribute(Lowering *self, u32 name, u32 arguments, Specifiers *out) {
    static const struct {
        const char *word;
        u32 flag;
    } flags[] = {{"noreturn", DECL_NORETURN},
                 {"weak", DECL_WEAK},
                 {"constructor", DECL_CONSTRUCTOR},
                 {"destructor", DECL_DESTRUCTOR}};
    for (u32 i = 0; i < sizeof flags / sizeof *flags; i++)
        if (attribute_is(self, name, flags[i].word))
            out->flags |= flags[i].flag;
    if (attribute_is(self, name, "cleanup"))
        out->cleanup = first_argument(self, arguments);
    else if (attribute_is(self, name, "alias"))
        out->alias = first_argument(self, arguments);
    else if (attribute_is(self, name, "mark"))
        add_mark(self, out, first_argument(self, arguments));
}

static void lower_gnu_attribute(Lowering *self, u32 node, Specifiers *out) {
    u32 list = node_child(self, node, 0);
    for (u32 at = list ? ast_at(self, list)->first : 0; at; at = ast_at(self, at)->next) {
        if (node_kind(self, at) == NODE_NAME)
            apply_attribute(self, at, 0, out);
        else if (node_kind(self, at) == NODE_CALL && node_kind(self, ast_at(self, at)->first) == NODE_NAME)
            apply_attribute(self, ast_at(self, at)->first, node_child(self, at, 1), out);
    }
}

void lower_attributes(Lowering *self, u32 node, Specifiers *out) {
    if (node_kind(self, node) == NODE_ATTRIBUTE_GNU) {
        lower_gnu_attribute(self, node, out);
        return;
    }
    for (u32 one = ast_at(self, node)->first; one; one = ast_at(self, one)->next) {
        u32 name = 0, arguments = 0;
        for (u32 part = ast_at(self, one)->first; part; part = ast_at(self, part)->next) {
            name = node_kind(self, part) == NODE_NAME ? part : name; // a prefix is overwritten by the name
            arguments = node_kind(self, part) == NODE_ARGUMENTS ? part : arguments;
        }
        if (name)
            apply_attribute(self, name, arguments, out);
    }
}

// specifiers --------------------------------------------------------------------

static u8 qualifier(const Lowering *self, u32 node, u32 *flags) {
    if (node_is(self, node, "const"))
        return QUAL_CONST;
    if (node_is(self, node, "volatile"))
        return QUAL_VOLATILE;
    if (node_is(self, node, "_Atomic"))
        return QUAL_ATOMIC;
    if (node_is(self, node, "_Noreturn") || node_is(self, node, "noreturn"))
        *flags |= DECL_NORETURN;
    return 0;
}

static u32 storage(const Lowering *self, u32 node) {
    switch (node_first(self, node)) {
    case 's': return DECL_STATIC;
    case 'e': return DECL_EXTERN;
    case 'r': return DECL_REGISTER;
    case 'i': return DECL_INLINE;
    case 't': return DECL_THREAD_LOCAL;
    case '_': return node_is(self, node, "__thread") ? DECL_THREAD_LOCAL : DECL_INLINE;
    default: return 0;
    }
}

static TypeId lower_macro_type(Lowering *self, u32 node, u8 quals) {
    u32 name = node_child(self, node, 0), inner = node_child(self, node, 1);
    bool known = name && (node_is(self, name, "__rx_atomic") || node_is(self, name, "typeof") ||
                          node_is(self, name, "__typeof__"));
    if (!inner || !known)
        return 0;
    u8 atomic = node_is(self, name, "__rx_atomic") ? QUAL_ATOMIC : 0;
    return type_qualify(self, lower_type_descriptor(self, inner), quals | atomic);
}

static TypeId lower_specifier(Lowering *self, u32 node, StrId hint, u8 quals) {
    switch (node_kind(self, node)) {
    case NODE_T_PRIMITIVE:
    case NODE_T_NAME: return lower_primitive(self, node, quals);
    case NODE_T_SIZED: return lower_sized(self, node, quals);
    case NODE_T_MACRO: return lower_macro_type(self, node, quals);
    default: return lower_record(self, node, hint, quals);
    }
}

Specifiers lower_specifiers(Lowering *self, u32 node, StrId hint) {
    Specifiers out = {0};
    u8 quals = 0;
    u32 type = 0;
    for (u32 child = ast_at(self, node)->first; child; child = ast_at(self, child)->next) {
        u8 kind = node_kind(self, child);
        if (kind == NODE_QUALIFIER)
            quals |= qualifier(self, child, &out.flags);
        else if (kind == NODE_STORAGE)
            out.flags |= storage(self, child);
        else if (kind == NODE_ATTRIBUTES || kind == NODE_ATTRIBUTE_GNU)
            lower_attributes(self, child, &out);
        else if (!type && kind_is_specifier(kind))
            type = child;
        else if (kind_is_declarator(kind))
            break;
    }
    out.is_auto = type && node_is(self, type, "__auto_type");
    out.type = type && !out.is_auto ? lower_specifier(self, type, hint, quals) : 0;
    return out;
}

// declarators -------------------------------------------------------------------

static u32 inner_declarator(const Lowering *self, u32 node) {
    for (u32 child = ast_at(self, node)->first; child; child = ast_at(self, child)->next) {
        u8 kind = node_kind(self, child);
        if (kind_is_declarator(kind) || kind == NODE_T_NAME || kind == NODE_T_PRIMITIVE)
            return child;
        if (kind == NODE_PARAMETERS)
            break;
    }
    return 0;
}

static TypeId wrap_array(Lowering *self, u32 node, TypeId base, u32 inner) {
    i64 count = 0;
    for (u32 child = ast_at(self, node)->first; child; child = ast_at(self, child)->next)
        if (child != inner && node_kind(self, child) != NODE_QUALIFIER && !node_holds_bad(self, child))
            if (!lower_constant(self, child, &count) || count < 0 || count > UINT32_MAX)
                count = 0;
    return tree_type(self->tree, (Type){.kind = TYPE_ARRAY, .inner = base, .count = (u32)count}, NULL);
}

static u8 pointer_quals(const Lowering *self, u32 node) {
    u8 quals = 0;
    u32 flags = 0;
    for (u32 child = ast_at(self, node)->first; child; child = ast_at(self, child)->next)
        quals |= node_kind(self, child) == NODE_QUALIFIER ? qualifier(self, child, &flags) : 0;
    return quals;
}

static u32 parameters_of(const Lowering *self, u32 node) {
    u32 child = ast_at(self, node)->first;
    while (child && node_kind(self, child) != NODE_PARAMETERS)
        child = ast_at(self, child)->next;
    return child;
}

TypeId lower_parameter_type(Lowering *self, u32 node, u32 *name) {
    Specifiers specifiers = lower_specifiers(self, node, 0);
    Declarator declarator = {.type = specifiers.type};
    for (u32 child = ast_at(self, node)->first; child; child = ast_at(self, child)->next)
        if (kind_is_declarator(node_kind(self, child)))
            declarator = lower_declarator(self, child, specifiers.type, &specifiers);
    *name = declarator.name;
    const Type *type = &self->tree->types.items[declarator.type];
    if (type->kind == TYPE_ARRAY)
        return type_pointer(self, type->inner, 0);
    return type->kind == TYPE_FUNCTION ? type_pointer(self, declarator.type, 0) : declarator.type;
}

u32 lower_function_type(Lowering *self, u32 parameters, TypeId result) {
    u32 base = self->stack.count, name;
    Type type = {.kind = TYPE_FUNCTION, .inner = result};
    u32 first = parameters ? ast_at(self, parameters)->first : 0;
    bool old_style = !first;
    for (u32 child = first; child; child = ast_at(self, child)->next) {
        u8 kind = node_kind(self, child);
        old_style |= kind == NODE_NAME;
        type.quals |= kind == NODE_VARIADIC ? QUAL_VARIADIC : 0;
        if (kind == NODE_PARAMETER) {
            TypeId one = lower_parameter_type(self, child, &name);
            array_push(&self->stack, one);
        }
    }
    type.quals |= old_style ? QUAL_NO_PROTOTYPE : 0;
    type.count = self->stack.count - base;
    if (type.count == 1 && self->tree->types.items[self->stack.items[base]].kind == TYPE_VOID)
        type.count = 0;
    TypeId id = tree_type(self->tree, type, self->stack.items + base);
    self->stack.count = base;
    return id;
}

Declarator lower_declarator(Lowering *self, u32 node, TypeId base, Specifiers *specifiers) {
    Declarator out = {.type = base};
    while (node) {
        u32 inner = inner_declarator(self, node);
        switch (node_kind(self, node)) {
        case NODE_D_POINTER:
        case NODE_A_POINTER: out.type = type_pointer(self, out.type, pointer_quals(self, node)); break;
        case NODE_D_ARRAY:
        case NODE_A_ARRAY:
            inner = node_kind(self, node) == NODE_A_ARRAY && inner && node_kind(self, inner) == NODE_NAME ? 0 : inner;
            out.type = wrap_array(self, node, out.type, inner);
            break;
        case NODE_D_FUNCTION:
        case NODE_A_FUNCTION:
            out.parameters = parameters_of(self, node);
            out.type = lower_function_type(self, out.parameters, out.type);
            break;
        case NODE_NAME:
        case NODE_FIELD_NAME:
        case NODE_T_NAME:
        case NODE_T_PRIMITIVE: out.name = node_length(self, node) ? node : 0; return out;
        default: break;
        }
        for (u32 child = ast_at(self, node)->first; child; child = ast_at(self, child)->next)
            if (node_kind(self, child) == NODE_ATTRIBUTES || node_kind(self, child) == NODE_ATTRIBUTE_GNU)
                lower_attributes(self, child, specifiers);
        node = inner;
    }
    return out;
}

TypeId lower_type_descriptor(Lowering *self, u32 node) {
    u32 name;
    return lower_parameter_type(self, node, &name);
}

// at file scope -------------------------------------------------------------------

static bool node_is_zero(const Lowering *self, u32 node) {
    u8 kind = node_kind(self, node);
    return kind == NODE_FALSE || kind == NODE_NULL ||
           (kind == NODE_NUMBER && node_length(self, node) == 1 && *node_text(self, node) == '0');
}

void global_add(Lowering *self, const Specifiers *specifiers, const Declarator *declarator, u32 init_node) {
    Global global = {.name = node_string(self, declarator->name),
                     .file = self->file,
                     .mark = specifiers->mark,
                     .alias = specifiers->alias,
                     .type = declarator->type,
                     .flags = specifiers->flags};
    global.place = node_place(self, declarator->name);
    if (init_node) {
        global.flags |= DECL_INITIALISED | (node_is_zero(self, init_node) ? DECL_ZERO : 0);
        lower_initialiser(self, init_node, &global.init, &global.init_count);
    }
    array_push(&self->tree->globals, global);
}

// `static x = 3;`: the name was taken for the type.
static bool mend_implicit_int(Lowering *self, u32 node, Declarator *declarator) {
    u32 child = ast_at(self, node)->first;
    while (child && node_kind(self, child) != NODE_T_NAME)
        child = ast_at(self, child)->next;
    if (!child || declarator->name)
        return false;
    declarator->name = child;
    declarator->type = tree_type(self->tree, (Type){.kind = TYPE_INT, .bits = 32}, NULL);
    return true;
}

void lower_globals(Lowering *self, u32 node) {
    Specifiers common = lower_specifiers(self, node, 0);
    for (u32 child = ast_at(self, node)->first; child; child = ast_at(self, child)->next) {
        u8 kind = node_kind(self, child);
        if (kind == NODE_ERROR)
            lower_lost(self, child);
        if (!kind_is_declarator(kind))
            continue;
        Specifiers specifiers = common;
        Declarator declarator = lower_declarator(self, child, common.type, &specifiers);
        u32 value = kind == NODE_D_INIT ? node_child(self, child, 1) : 0;
        if (!declarator.name && !mend_implicit_int(self, node, &declarator)) {
            lower_lost(self, child);
            continue;
        }
        if (value && node_holds_bad(self, value) && node_kind(self, value) != NODE_LIST) {
            lower_lost(self, value);
            value = 0;
        }
        global_add(self, &specifiers, &declarator, value);
    }
}

void lower_typedef(Lowering *self, u32 node) {
    u32 type = 0, last = 0;
    for (u32 child = ast_at(self, node)->first; child; child = ast_at(self, child)->next) {
        u8 kind = node_kind(self, child);
        if (!type && kind_is_specifier(kind))
            type = child;
        else if (type && !last && (kind_is_specifier(kind) || kind_is_declarator(kind)))
            last = child;
    }
    u32 name = last;
    while (name && node_kind(self, name) != NODE_T_NAME && node_kind(self, name) != NODE_T_PRIMITIVE)
        name = inner_declarator(self, name);
    self->in_record++;
    Specifiers specifiers = lower_specifiers(self, node, name ? node_string(self, name) : 0);
    for (u32 child = last; child; child = ast_at(self, child)->next) {
        u8 kind = node_kind(self, child);
        if (!kind_is_specifier(kind) && !kind_is_declarator(kind))
            continue;
        Declarator declarator = lower_declarator(self, child, specifiers.type, &specifiers);
        if (!declarator.name || node_holds_bad(self, child))
            continue;
        Typedef one = {.name = node_string(self, declarator.name),
                       .file = self->file,
                       .type = declarator.type,
                       .place = node_place(self, declarator.name)};
        array_push(&self->tree->typedefs, one);
        *map_put(&self->tree->typedef_names, one.name, NULL) = self->tree->typedefs.count;
        if (self->in_function)
            scope_bind(self, one.name, BOUND_TYPE);
    }
    self->in_record--;
}
