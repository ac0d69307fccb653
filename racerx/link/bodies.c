// bodies.c: reads every body once: its calls, what it does with functions, its static locals.
// In: a program with names and types. Out: a BodyScan: chunks of files in order, each filled by one thread.
// Invariant: a chunk depends on nothing but its files, so the order of threads does not show.
#include "racerx/link/link.h"

#define CHUNK_COUNT 512

// calls -----------------------------------------------------------------------

static const u32 *call_lists(const BodyScope *scope) {
    return scope->body ? scope->body->lists.items : scope->program->files.items[scope->file].tree.lists.items;
}

static const Expr *call_expr(const BodyScope *scope, ExprId id) {
    return scope->body ? &scope->body->exprs.items[id] : &scope->program->files.items[scope->file].tree.exprs.items[id];
}

ExprId call_argument(const BodyScope *scope, ExprId call, i32 n) {
    const Expr *chain[4];
    u32 depth = 0;
    for (const Expr *expr = call_expr(scope, call); expr->kind == EXPR_CALL && depth < 4;
         expr = call_expr(scope, expr->a))
        chain[depth++] = expr;
    while (n > 0 && depth--) { // the innermost call's arguments come first
        if ((u32)n <= chain[depth]->c)
            return call_lists(scope)[chain[depth]->b + (u32)n - 1];
        n -= (i32)chain[depth]->c;
    }
    return 0;
}

typedef struct {
    const char *texts[TERMS_MOST];
    char numbers[TERMS_MOST][24];
    u32 count;
    bool known; // every part is a name or a number
} Terms;

static void read_terms(const BodyScope *scope, ExprId id, Terms *out, u32 depth) {
    const Expr *expr = call_expr(scope, id);
    while (expr->kind == EXPR_CAST)
        expr = call_expr(scope, expr->a);
    if (out->count == TERMS_MOST || depth > TERMS_DEPTH) {
        limit_reached(depth > TERMS_DEPTH ? LIMIT_TERMS_DEPTH : LIMIT_TERMS_MOST);
        out->known = false;
    } else if (expr->kind == EXPR_BINARY && expr->op == OP_OR) {
        read_terms(scope, expr->a, out, depth + 1);
        read_terms(scope, expr->b, out, depth + 1);
    } else if (expr->kind == EXPR_NAME) {
        out->texts[out->count++] = program_text(scope->program, file_name(scope->program, scope->file, expr->a));
    } else if (expr->kind == EXPR_INT) {
        snprintf(out->numbers[out->count], sizeof *out->numbers, "%lld", (long long)expr_int(expr));
        out->texts[out->count] = out->numbers[out->count];
        out->count++;
    } else {
        out->known = false;
    }
}

bool call_choice(const BodyScope *scope, ExprId call, const Choice *choice) {
    if (!choice->argument)
        return true;
    Terms terms = {.known = true};
    ExprId argument = call_argument(scope, call, (i32)choice->argument);
    if (argument)
        read_terms(scope, argument, &terms, 0);
    return choice_holds(choice, terms.texts, terms.known && argument ? terms.count : 0);
}

// flows -----------------------------------------------------------------------

static void take(Scanner *self, FunctionId function) {
    array_push(&self->chunk->taken, self->scope.file);
    array_push(&self->chunk->taken, function);
}

static void flow(Scanner *self, SlotKey from, SlotKey to) {
    array_push(&self->chunk->flows, ((PointerFlow){from, to}));
}

// Can this be a pointer to a function at all? Most values that are stored are not.
static bool is_plain_value(const Scanner *self, ExprId id) {
    const Expr *expr = scanner_expr(self, id);
    for (u32 i = 0; i < 4 && expr->kind == EXPR_CAST; i++)
        expr = scanner_expr(self, expr->a);
    switch (expr->kind) {
    case EXPR_NAME:
    case EXPR_VAR:
    case EXPR_MEMBER:
    case EXPR_INDEX:
    case EXPR_CHOICE:
    case EXPR_CALL:
    case EXPR_BLOCK:
    case EXPR_ASSIGN: return false;
    case EXPR_ADDRESS:
        return scanner_expr(self, expr->a)->kind != EXPR_NAME && scanner_expr(self, expr->a)->kind != EXPR_LIST;
    default: return true;
    }
}

// The signature of what a place points to; 0: it is no pointer to a function.
static u64 place_signature(const Scanner *self, ExprId id) {
    const Expr *expr = scanner_expr(self, id);
    if (expr->kind == EXPR_VAR && !bitset_has(&self->code_vars, expr->a))
        return 0;
    if (expr->kind == EXPR_MEMBER &&
        !bitset_has(&self->program->tables->code_fields, file_name(self->program, self->scope.file, expr->b)))
        return 0;
    TypeRef type = scope_strip(&self->scope, expr_type(&self->scope, id));
    if (!type_is_code(self->program, type))
        return 0;
    u64 signature = type_signature(self->program, type);
    return signature ? signature : WANT_ANY;
}

static DataScan data_scan(Scanner *self) {
    return (DataScan){self->program, self->scope, &self->followed, &self->chunk->data};
}

// Could this place hold a pointer to data that is followed? Asked of every write: by names first.
static bool may_hold_data(const Scanner *self, const Expr *target) {
    if (target->kind == EXPR_VAR)
        return bitset_has(&self->data_vars, target->a);
    return target->kind != EXPR_MEMBER || data_is_whole(self->program) ||
           bitset_has(&self->program->tables->data_fields, file_name(self->program, self->scope.file, target->b));
}

static void scan_write(Scanner *self, const Event *event) {
    PointerSources from, to;
    if (!event->value || event->flags & EVENT_RMW)
        return;
    const Expr *target = scanner_expr(self, event->expr);
    SlotKey var = target->kind == EXPR_VAR ? slot_key(SLOT_VAR, self->scope.function, target->a) : SLOT_NONE;
    if (scan_list(self, event->value, var, var, 0))
        return;
    if (may_hold_data(self, target)) {
        DataScan data = data_scan(self);
        data_write(&data, event->expr, event->value);
        if (target->kind == EXPR_MEMBER && data_is_lock_pointer(&data, expr_type(&self->scope, event->expr)))
            array_push(&self->chunk->lock_stores, ((LockStore){self->scope.function, event->expr, event->value}));
    }
    if (is_plain_value(self, event->value))
        return;
    value_sources(self, event->value, place_signature(self, event->expr), &from);
    for (u32 i = 0; i < from.count; i++) {
        lvalue_slots(self, event->expr, source_signature(self, from.keys[i], event->value), &to);
        for (u32 j = 0; j < to.count; j++)
            flow(self, from.keys[i], to.keys[j]);
    }
}

// arguments -------------------------------------------------------------------

// What a function value does as the nth argument (from 0) of a call.
static void pass_value(Scanner *self, CallSite *site, u32 call, u32 argument, SlotKey value) {
    bool own = slot_kind(value) == SLOT_VAR &&
               slot_low(value) < program_header(self->program, self->scope.function)->param_count;
    if (slot_kind(value) == SLOT_FUNCTION || own) {
        Binding binding = {argument, own ? NO_ID : slot_high(value), own ? slot_low(value) : 0};
        array_push(&self->chunk->bindings, binding);
        site->binding_count++;
    }
    if (site->indirect)
        array_push(&self->chunk->arguments, ((IndirectArgument){call, argument, value}));
    else if (site->target_count && argument < program_header(self->program, site->target)->param_count)
        flow(self, value, slot_key(SLOT_VAR, site->target, argument));
}

// Could this value be a pointer to data that is followed?
static bool may_be_data(Scanner *self, ExprId id) {
    const Expr *expr = scanner_expr(self, id);
    for (u32 i = 0; i < 4 && expr->kind == EXPR_CAST; i++)
        expr = scanner_expr(self, expr->a);
    if (expr->kind == EXPR_INT || expr->kind == EXPR_FLOAT || expr->kind == EXPR_STRING || expr->kind == EXPR_SIZEOF)
        return false;
    return may_hold_data(self, expr);
}

// A pointer to data that a call hands over. What locks are handed to is said by the lock table.
static void pass_data(Scanner *self, const CallSite *site, u32 call, u32 argument, ExprId value) {
    DataScan data = data_scan(self);
    bool known = site->target_count && argument < program_header(self->program, site->target)->param_count;
    if ((!known && !site->indirect) || !may_be_data(self, value) ||
        (site->name && program_said(self->program, site->name) & SAID_LOCK) ||
        !data_type_followed(&data, expr_type(&self->scope, value)))
        return;
    if (known)
        data_value(&data, value, (DataCell){slot_key(SLOT_VAR, site->target, argument), 0});
    else
        array_push(&self->chunk->passed, ((DataPassed){call, argument, data_pointer(&data, value)}));
}

static void scan_arguments(Scanner *self, const Expr *expr, CallSite *site, u32 call) {
    const u32 *lists = self->scope.body->lists.items;
    PointerSources from;
    site->binding = self->chunk->bindings.count;
    for (u32 i = 0; i < expr->c; i++) {
        ExprId argument = lists[expr->b + i];
        if (scan_list(self, argument, SLOT_NONE, SLOT_NONE, 0))
            continue;
        pass_data(self, site, call, i, argument);
        if (is_plain_value(self, argument))
            continue;
        value_sources(self, argument, 0, &from);
        for (u32 s = 0; s < from.count; s++)
            pass_value(self, site, call, i, from.keys[s]);
    }
}

// What a handler is given goes to its parameter.
static void hand_on(Scanner *self, ExprId expr, const CallFact *fact, const PointerSources *handlers) {
    ExprId given = fact->data > 0 ? call_argument(&self->scope, expr, fact->data) : 0;
    u32 parameter = fact->parameter > 0 ? (u32)fact->parameter - 1 : 0;
    DataScan data = data_scan(self);
    for (u32 i = 0; given && self->scope.body && i < handlers->count; i++)
        if (slot_kind(handlers->keys[i]) == SLOT_FUNCTION && data_type_followed(&data, expr_type(&self->scope, given)))
            data_value(&data, given, (DataCell){slot_key(SLOT_VAR, slot_high(handlers->keys[i]), parameter), 0});
}

// A declared function ends the life of what its argument points to.
static void scan_frees(Scanner *self, ExprId expr, NameId name) {
    const CallFact *facts;
    const char *text = program_text(self->program, name);
    u32 said = program_said(self->program, name);
    bool moves = (said & SAID_ALLOCATES) && (said & SAID_ACCESSES); // it gives back what it is given, elsewhere
    if ((!(said & SAID_FREES) && !moves) || !data_is_whole(self->program))
        return;
    u32 count = declarations_facts(self->program->declarations, text, (u32)strlen(text),
                                   moves ? SAID_ACCESSES : SAID_FREES, &facts);
    DataScan data = data_scan(self);
    for (u32 i = 0; i < count; i++) {
        ExprId freed = call_argument(&self->scope, expr, facts[i].argument > 0 ? facts[i].argument : 1);
        if (freed && call_choice(&self->scope, expr, &facts[i].choice))
            array_push(&self->chunk->freed, data_pointer(&data, freed));
    }
}

// requires: said. A declared function is given handlers to start, or to call.
static void scan_registers(Scanner *self, ExprId expr, NameId name, u32 call) {
    const CallFact *facts;
    const char *text = program_text(self->program, name);
    if (!(program_said(self->program, name) & SAID_REGISTERS))
        return;
    u32 count = declarations_facts(self->program->declarations, text, (u32)strlen(text), SAID_REGISTERS, &facts);
    for (u32 i = 0; i < count; i++) {
        ExprId handler = call_argument(&self->scope, expr, facts[i].argument);
        PointerSources from;
        if (!handler || !call_choice(&self->scope, expr, &facts[i].choice))
            continue;
        value_sources(self, handler, WANT_ANY, &from);
        hand_on(self, expr, &facts[i], &from);
        for (u32 s = 0; s < from.count; s++) {
            RegisterCall one = {
                call, self->scope.body ? self->scope.function : NO_ID, self->scope.file, expr, from.keys[s], &facts[i]};
            array_push(&self->chunk->registers, one);
            if (slot_kind(from.keys[s]) == SLOT_FUNCTION)
                take(self, slot_high(from.keys[s]));
        }
    }
}

// callees ---------------------------------------------------------------------

static void push_indirect(Scanner *self, u32 call, SlotKey slot, SlotKey other, u64 signature) {
    array_push(&self->chunk->indirect, ((IndirectCall){call, slot, other, signature}));
}

static void call_through(Scanner *self, ExprId callee, CallSite *site, u32 call) {
    const Expr *expr = scanner_expr(self, callee);
    PointerSources from;
    u32 params = program_header(self->program, self->scope.function)->param_count;
    site->indirect = 1;
    from.count = 0;
    if (expr->kind == EXPR_MEMBER || expr->kind == EXPR_INDEX)
        lvalue_slots(self, callee, 0, &from); // the type's field, then this very object's
    if (from.count) {
        DataScan data = data_scan(self);
        TableCall table;
        if (data_table(&data, callee, &table)) {
            table.call = call;
            array_push(&self->chunk->tables, table);
        }
        push_indirect(self, call, from.keys[from.count - 1], from.count > 1 ? from.keys[0] : SLOT_NONE, 0);
        return;
    }
    u64 signature = type_signature(self->program, scope_strip(&self->scope, expr_type(&self->scope, callee)));
    for (u32 i = 0; i < 4 && expr->kind == EXPR_CAST; i++)
        expr = scanner_expr(self, expr->a);
    if (expr->kind == EXPR_VAR && expr->a < params)
        site->parameter = expr->a + 1;
    value_sources(self, callee, signature ? signature : WANT_ANY, &from);
    for (u32 i = 0; i < from.count; i++)
        push_indirect(self, call, from.keys[i], SLOT_NONE, 0);
    if (!from.count)
        push_indirect(self, call, SLOT_NONE, SLOT_NONE, signature);
}

static void scan_call(Scanner *self, ExprId id) {
    const Expr *expr = scanner_expr(self, id), *callee = scanner_expr(self, expr->a);
    CallSite site = {.expr = id, .line = self->lines.items[id], .repeats = bitset_has(&self->repeated, id)};
    u32 call = self->chunk->calls.count;
    array_push(&self->chunk->calls, site);
    if (callee->kind == EXPR_NAME) {
        NameId name = file_name(self->program, self->scope.file, callee->a);
        FunctionId function = scanner_function(self, callee->a);
        GlobalId global = function == NO_ID ? program_global(self->program, self->scope.file, name) : NO_ID;
        if (function != NO_ID)
            site.target = function, site.target_count = 1;
        if (global != NO_ID && type_is_code(self->program, global_type(self->program, global)) &&
            !self->program->globals.items[global].is_function)
            call_through(self, expr->a, &site, call);
        else
            site.name = name;
        scan_registers(self, id, name, call);
        scan_frees(self, id, name);
    } else {
        call_through(self, expr->a, &site, call);
    }
    scan_arguments(self, expr, &site, call);
    self->chunk->calls.items[call] = site;
}

// bodies ----------------------------------------------------------------------

// fills: code_vars; the static locals.
static void scan_vars(Scanner *self) {
    const Body *body = &self->body;
    DataScan data = data_scan(self);
    bitset_resize(&self->code_vars, body->vars.count);
    bitset_resize(&self->data_vars, body->vars.count);
    for (u32 i = 0; i < body->vars.count; i++) {
        const Var *var = &body->vars.items[i];
        TypeRef type = {self->scope.file, var->type, self->scope.function + 1, 0};
        if (type_is_code(self->program, scope_strip(&self->scope, type)))
            bitset_set(&self->code_vars, i);
        else if (data_type_followed(&data, type) || data_is_whole(self->program))
            bitset_set(&self->data_vars, i);
        if (!(var->flags & DECL_STATIC))
            continue;
        StaticLocal local = {self->scope.function, file_name(self->program, self->scope.file, var->name), i, var->flags,
                             var->type};
        array_push(&self->chunk->locals, local);
    }
    for (u32 i = 0; i < body->vars.count; i++) {
        const Var *var = &body->vars.items[i];
        TypeRef type = {self->scope.file, var->type, self->scope.function + 1, 0};
        if (var->init_count)
            scan_entries(self, scope_strip(&self->scope, type), NO_ID, slot_key(SLOT_VAR, self->scope.function, i),
                         slot_key(SLOT_VAR, self->scope.function, i), var->init, var->init_count, 0);
    }
}

static void scan_event(Scanner *self, const Event *event) {
    const Expr *expr = scanner_expr(self, event->expr);
    if (event->kind == EVENT_CALL && expr->kind == EXPR_CALL) {
        if (!bitset_has(&self->calls, event->expr))
            self->lines.items[event->expr] = event->place.line;
        bitset_set(&self->calls, event->expr);
    } else if (event->kind == EVENT_WRITE) {
        scan_write(self, event);
    } else if (event->kind == EVENT_READ && expr->kind == EXPR_NAME) {
        FunctionId function = scanner_function(self, expr->a);
        if (function != NO_ID)
            take(self, function);
    }
}

// What is returned flows to the function's result.
static void scan_returns(Scanner *self) {
    TypeRef type = function_type(self->program, self->scope.function);
    const Type *one = &self->program->files.items[type.file].tree.types.items[type.type];
    PointerSources from;
    TypeRef result = {type.file, one->inner, 0, 0};
    DataScan data = data_scan(self);
    if (one->kind != TYPE_FUNCTION)
        return;
    if (!type_is_code(self->program, result)) {
        bool followed = data_type_followed(&data, result);
        for (u32 i = 0; followed && i < self->body.blocks.count; i++)
            if (self->body.blocks.items[i].term == TERM_RETURN && self->body.blocks.items[i].value)
                data_value(&data, self->body.blocks.items[i].value,
                           (DataCell){slot_key(SLOT_RESULT, self->scope.function, 0), 0});
        return;
    }
    u64 signature = type_signature(self->program, result);
    for (u32 i = 0; i < self->body.blocks.count; i++) {
        const Block *block = &self->body.blocks.items[i];
        if (block->term != TERM_RETURN || !block->value)
            continue;
        value_sources(self, block->value, signature ? signature : WANT_ANY, &from);
        for (u32 s = 0; s < from.count; s++)
            flow(self, from.keys[s], slot_key(SLOT_RESULT, self->scope.function, 0));
    }
}

// fills: repeated. Blocks that lead back to themselves are in components of several blocks, or are their own successor.
static void find_repeated(Scanner *self) {
    const Body *body = &self->body;
    u32 blocks = body->blocks.count, edges = body->successors.count;
    bitset_resize(&self->repeated, body->exprs.count);
    if (blocks < 2 && !edges)
        return;
    array_reserve(&self->graph, 3 * blocks + edges + 2);
    u32 *first = self->graph.items, *component = first + blocks + 1, *size = component + blocks, *to = size + blocks;
    u32 next = 0;
    memset(size, 0, sizeof(u32) * blocks);
    for (u32 i = 0; i < blocks; i++) {
        const Block *block = &body->blocks.items[i];
        first[i] = next;
        for (u32 s = 0; s < block->successor_count; s++)
            to[next++] = body->successors.items[block->successor + s].block;
    }
    first[blocks] = next;
    fill_components(blocks, first, to, component);
    for (u32 i = 0; i < blocks; i++)
        size[component[i]]++;
    for (u32 i = 0; i < blocks; i++) {
        const Block *block = &body->blocks.items[i];
        bool repeats = size[component[i]] > 1;
        for (u32 e = first[i]; e < first[i + 1]; e++)
            repeats |= to[e] == i;
        for (u32 e = block->event; repeats && e < block->event + block->event_count; e++)
            if (body->events.items[e].kind == EVENT_CALL)
                bitset_set(&self->repeated, body->events.items[e].expr);
    }
}

// In the order of expressions, each once: an iterator's call is an event every time round.
static void scan_calls(Scanner *self) {
    for (u32 word = 0; word < (self->body.exprs.count + 63) / 64; word++)
        for (u64 bits = self->calls.words[word]; bits; bits &= bits - 1)
            scan_call(self, word * 64 + (u32)__builtin_ctzll(bits));
}

static void scan_function(Scanner *self, FunctionId id) {
    ScanChunk *chunk = self->chunk;
    ScannedFunction one = {id, chunk->calls.count, 0};
    self->scope.function = id;
    if (!program_body(self->program, id, &self->body)) {
        chunk->bodies_bad++;
    } else {
        self->scope.body = &self->body;
        bitset_resize(&self->calls, self->body.exprs.count);
        array_reserve(&self->lines, self->body.exprs.count);
        scan_vars(self);
        for (u32 i = 0; i < self->body.events.count; i++)
            scan_event(self, &self->body.events.items[i]);
        find_repeated(self);
        scan_calls(self);
        scan_returns(self);
        scan_made(self);
    }
    one.call_count = chunk->calls.count - one.call;
    array_push(&chunk->functions, one);
}

// files -----------------------------------------------------------------------

static void scan_globals(Scanner *self) {
    const Tree *tree = &self->program->files.items[self->scope.file].tree;
    for (u32 i = 0; i < tree->globals.count; i++) {
        const Global *global = &tree->globals.items[i];
        if (!global->init_count)
            continue;
        GlobalId id =
            program_global(self->program, self->scope.file, file_name(self->program, self->scope.file, global->name));
        SlotKey whole = id == NO_ID ? SLOT_NONE : slot_key(SLOT_GLOBAL, id, 0);
        TypeRef type = {self->scope.file, global->type, 0, 0};
        scan_entries(self, type, id, whole, whole, global->init, global->init_count, 0);
    }
}

// `module_init(f);`: what is not declared may still use the functions it names.
static void scan_file_calls(Scanner *self) {
    const Tree *tree = &self->program->files.items[self->scope.file].tree;
    for (u32 i = 0; i < tree->calls.count; i++) {
        const FileCall *call = &tree->calls.items[i];
        const Expr *expr = &tree->exprs.items[call->call];
        if (expr->kind != EXPR_CALL)
            continue;
        scan_registers(self, call->call, file_name(self->program, self->scope.file, call->name), NO_ID);
        for (u32 a = 0; a < expr->c; a++) {
            PointerSources from;
            value_sources(self, tree->lists.items[expr->b + a], 0, &from);
            for (u32 s = 0; s < from.count; s++)
                if (slot_kind(from.keys[s]) == SLOT_FUNCTION)
                    take(self, slot_high(from.keys[s]));
        }
    }
}

static void scan_file(Scanner *self, FileId f) {
    const ProgramFile *file = &self->program->files.items[f];
    if (file->name_count > self->memo_capacity)
        array_grow((void **)&self->memo, &self->memo_capacity, file->name_count, sizeof(FunctionId));
    memset(self->memo, 0, sizeof(FunctionId) * file->name_count);
    self->scope = (BodyScope){self->program, NO_ID, f, NULL};
    scan_globals(self);
    scan_file_calls(self);
    for (u32 i = 0; i < file->tree.functions.count; i++) {
        self->scope.body = NULL;
        scan_function(self, file->function + i);
    }
}

typedef struct {
    Program *program;
    BodyScan *scan;
    Scanner scanners[256]; // by worker
} Scanning;

static void scan_chunk(void *context, u32 worker, u32 index) {
    Scanning *self = context;
    Scanner *scanner = &self->scanners[worker];
    scanner->program = self->program;
    scanner->chunk = &self->scan->chunks[index];
    for (u32 f = scanner->chunk->first; f < scanner->chunk->end; f++)
        scan_file(scanner, f);
}

// requires: links, members, said. fills: the chunks.
void scan_bodies(Program *self, u32 jobs, BodyScan *out) {
    Scanning *scanning = must_zero(sizeof *scanning);
    scanning->program = self;
    scanning->scan = out;
    out->count = CHUNK_COUNT;
    out->chunks = must_zero(sizeof(ScanChunk) * CHUNK_COUNT);
    for (u32 i = 0; i < CHUNK_COUNT; i++) {
        out->chunks[i].first = (u32)((u64)self->files.count * i / CHUNK_COUNT);
        out->chunks[i].end = (u32)((u64)self->files.count * (i + 1) / CHUNK_COUNT);
    }
    parallel_for(jobs, CHUNK_COUNT, scan_chunk, scanning);
    for (u32 i = 0; i < 256; i++) {
        body_free(&scanning->scanners[i].body);
        bitset_free(&scanning->scanners[i].code_vars);
        bitset_free(&scanning->scanners[i].data_vars);
        map_free(&scanning->scanners[i].followed);
        bitset_free(&scanning->scanners[i].calls);
        bitset_free(&scanning->scanners[i].repeated);
        array_free(&scanning->scanners[i].lines);
        array_free(&scanning->scanners[i].graph);
        map_free(&scanning->scanners[i].made);
        bitset_free(&scanning->scanners[i].used);
        free(scanning->scanners[i].memo);
    }
    free(scanning);
}

void body_scan_free(BodyScan *self) {
    for (u32 i = 0; i < self->count; i++) {
        ScanChunk *chunk = &self->chunks[i];
        array_free(&chunk->functions);
        array_free(&chunk->calls);
        array_free(&chunk->bindings);
        array_free(&chunk->flows);
        array_free(&chunk->indirect);
        array_free(&chunk->arguments);
        array_free(&chunk->registers);
        array_free(&chunk->locals);
        array_free(&chunk->taken);
        array_free(&chunk->data);
        array_free(&chunk->passed);
        array_free(&chunk->freed);
        array_free(&chunk->lock_stores);
        array_free(&chunk->tables);
        array_free(&chunk->made);
    }
    free(self->chunks);
    *self = (BodyScan){0};
}
