// links.c: members that lead from one object to another of its kind, as they are stored anywhere in the tree.
// In: the names of such members. Out: which of them lead back where another came from (`a->next = b; b->prev = a`, or
// the same member there and back), which go round in a ring, and which two members of a thing are given the same
// objects as those of another, the other way round. The idea: two locks taken along a link are in an order as long as
// nobody can come the other way, or all round; how the links were made says whether he can. A helper that stores one of
// its parameters in another counts where it is called. Invariant: what is not seen in the text of one function is not
// so.
#include "racerx/check/couples.h"

// An object, as the text names it: an expression, or its address; of what a call made, the call.
typedef u32 Named;
enum { NAMED_POINTER, NAMED_OBJECT, NAMED_MADE, NAMED_KINDS };
#define NO_PARAMETER UINT32_MAX
typedef struct {
    Named in, stored; // 0: not known
    NameId member;
    bool around; // what is stored is the next one, round a ring
} LinkStore;
typedef Array(LinkStore) LinkStores;
// A function that stores what it is given.
typedef struct {
    FunctionId function;
    u32 in, stored; // parameters; in: NO_PARAMETER: something of its own
    NameId member;
} LinkSetter;
typedef struct {
    LinkTable *table;
    Array(LinkSetter) setters;
    Map setter_at; // function -> the first of its setters, + 1
    Map wanted;    // functions to look at
    U32Array functions;
    LinkStores stores; // of the present function
} LinkScan;

void links_begin(LinkTable *self, Analysis *analysis) { *self = (LinkTable){.analysis = analysis}; }

void links_end(LinkTable *self) {
    map_free(&self->asked);
    map_free(&self->opposite);
    map_free(&self->around);
    map_free(&self->swapped);
}

void links_ask(LinkTable *self, NameId member) { map_put(&self->asked, member, NULL); }

static u64 pair_of(NameId a, NameId b) { return a < b ? (u64)a << 32 | b : (u64)b << 32 | a; }

bool links_lead_back(const LinkTable *self, NameId one, NameId other) {
    return map_get(&self->opposite, pair_of(one, other)) != NULL;
}

bool links_go_round(const LinkTable *self, NameId member) { return map_get(&self->around, member) != NULL; }

bool links_are_mixed(const LinkTable *self, NameId one, NameId other) {
    return map_get(&self->swapped, pair_of(one, other)) != NULL;
}

// stores ----------------------------------------------------------------------------

static const Expr *plain(const Body *body, ExprId *id) {
    while (body->exprs.items[*id].kind == EXPR_CAST)
        *id = body->exprs.items[*id].a;
    return &body->exprs.items[*id];
}

static Named named_by(const Body *body, ExprId pointer) {
    const Expr *expr = plain(body, &pointer);
    if (!pointer || expr->kind == EXPR_INT)
        return 0;
    return expr->kind == EXPR_ADDRESS ? expr->a * NAMED_KINDS + NAMED_OBJECT : pointer * NAMED_KINDS + NAMED_POINTER;
}

static Named named_object(const Body *body, ExprId lvalue) {
    const Expr *expr = plain(body, &lvalue);
    return expr->kind == EXPR_DEREF ? named_by(body, expr->a) : lvalue * NAMED_KINDS + NAMED_OBJECT;
}

static NameId name_in(const Analysis *self, FunctionId function, StrId id) {
    return self->program->files.items[self->program->functions.items[function].file].names[id];
}

static void put_store(LinkScan *self, LinkStore store) {
    if (store.stored && map_get(&self->table->asked, store.member))
        array_push(&self->stores, store);
}

// The member that an entry of a list is for; 0: not known.
static NameId member_of_entry(const LinkScan *self, const FunctionText *text, RecordId record, const Step *step) {
    const Program *program = self->table->analysis->program;
    if (step->kind == STEP_FIELD)
        return name_in(self->table->analysis, text->function, step->value);
    const ProgramRecord *one = record == NO_ID ? NULL : &program->records.items[record];
    if (step->kind != STEP_POSITION || !one || one->index == NO_ID || one->kind != TYPE_STRUCT)
        return 0;
    const ProgramFile *file = &program->files.items[one->file];
    const Record *fields = &file->tree.records.items[one->index];
    return step->value < fields->member_count ? file->names[file->tree.fields.items[fields->member + step->value].name]
                                              : 0;
}

static void scan_list(LinkScan *self, const FunctionText *text, ExprId object, const Expr *list) {
    const Program *program = self->table->analysis->program;
    FileId file = program->functions.items[text->function].file;
    RecordId record = type_record(program, type_strip(program, (TypeRef){file, list->a, text->function + 1, 0}));
    for (u32 i = 0; i < list->c; i++) {
        const InitEntry *entry = &text->body.inits.items[list->b + i];
        if (entry->step_count == 1)
            put_store(self,
                      (LinkStore){object * NAMED_KINDS + NAMED_OBJECT, named_by(&text->body, entry->value),
                                  member_of_entry(self, text, record, &text->body.steps.items[entry->step]), false});
    }
}

static void scan_write(LinkScan *self, const FunctionText *text, const Event *event) {
    const Body *body = &text->body;
    const Expr *target = &body->exprs.items[event->expr];
    if (!event->value)
        return;
    if (body->exprs.items[event->value].kind == EXPR_LIST) {
        scan_list(self, text, event->expr, &body->exprs.items[event->value]);
        return;
    }
    while (target->kind == EXPR_INDEX)
        target = &body->exprs.items[target->a];
    if (target->kind != EXPR_MEMBER)
        return;
    NameId member = name_in(self->table->analysis, text->function, target->b);
    if (!map_get(&self->table->asked, member))
        return;
    KeySet keys = {0};
    text_keys(text, event->value, &keys);
    text_origins(text, &keys);
    put_store(self, (LinkStore){named_object(body, target->a), named_by(body, event->value), member, keys.around});
}

static void scan_call(LinkScan *self, const FunctionText *text, const CallSite *site) {
    const Body *body = &text->body;
    const Expr *call = &body->exprs.items[site->expr];
    FunctionId target = site->target_count == 1 ? self->table->analysis->program->targets.items[site->target] : NO_ID;
    const u32 *first = target == NO_ID ? NULL : map_get(&self->setter_at, target);
    for (u32 s = first ? *first - 1 : self->setters.count; s < self->setters.count; s++) {
        const LinkSetter *setter = &self->setters.items[s];
        if (setter->function != target)
            break;
        if (setter->stored >= call->c || (setter->in != NO_PARAMETER && setter->in >= call->c))
            continue;
        Named in = setter->in == NO_PARAMETER ? site->expr * NAMED_KINDS + NAMED_MADE
                                              : named_by(body, body->lists.items[call->b + setter->in]);
        put_store(self,
                  (LinkStore){in, named_by(body, body->lists.items[call->b + setter->stored]), setter->member, false});
    }
}

static void gather(LinkScan *self, const FunctionText *text) {
    const Program *program = self->table->analysis->program;
    const ProgramFunction *info = &program->functions.items[text->function];
    self->stores.count = 0;
    for (u32 e = 0; e < text->body.events.count; e++)
        if (text->body.events.items[e].kind == EVENT_WRITE)
            scan_write(self, text, &text->body.events.items[e]);
    for (u32 c = info->call; self->setters.count && c < info->call + info->call_count; c++)
        scan_call(self, text, &program->calls.items[c]);
}

// setters ---------------------------------------------------------------------------

static u32 parameter_named(const Body *body, Named named) {
    const Expr *expr = &body->exprs.items[named / NAMED_KINDS];
    bool plain_pointer = named && named % NAMED_KINDS == NAMED_POINTER && expr->kind == EXPR_VAR;
    return plain_pointer && body->vars.items[expr->a].flags & DECL_PARAM ? expr->a : NO_PARAMETER;
}

static void want(LinkScan *self, FunctionId function) {
    bool fresh;
    map_put(&self->wanted, function, &fresh);
    if (fresh)
        array_push(&self->functions, function);
}

// What it stores of its parameters, its callers do by it.
static void put_setters(LinkScan *self, const FunctionText *text) {
    const Program *program = self->table->analysis->program;
    const ProgramFunction *info = &program->functions.items[text->function];
    u32 first = self->setters.count;
    for (u32 i = 0; i < self->stores.count; i++) {
        u32 stored = parameter_named(&text->body, self->stores.items[i].stored),
            in = parameter_named(&text->body, self->stores.items[i].in);
        if (stored != NO_PARAMETER && stored != in)
            array_push(&self->setters, ((LinkSetter){text->function, in, stored, self->stores.items[i].member}));
    }
    if (self->setters.count == first)
        return;
    *map_put(&self->setter_at, text->function, NULL) = first + 1;
    for (u32 c = info->caller; c < info->caller + info->caller_count; c++)
        want(self, program->callers.items[c]);
}

// what follows ----------------------------------------------------------------------

static bool is_stored(const LinkScan *self, Named in, NameId member, Named stored) {
    for (u32 i = 0; i < self->stores.count; i++) {
        const LinkStore *one = &self->stores.items[i];
        if (one->in == in && one->member == member && one->stored == stored)
            return true;
    }
    return false;
}

// The two members of one thing are those of another the other way round.
static bool are_swapped(const LinkScan *self, const LinkStore *a, const LinkStore *b) {
    if (a->member == b->member || a->stored != b->stored || a->in == b->in)
        return false;
    for (u32 i = 0; i < self->stores.count; i++) {
        const LinkStore *one = &self->stores.items[i];
        if (one->in == a->in && one->member == b->member && is_stored(self, b->in, a->member, one->stored))
            return true;
    }
    return false;
}

static void compare_stores(LinkScan *self) {
    LinkTable *table = self->table;
    for (u32 i = 0; i < self->stores.count; i++) {
        const LinkStore *a = &self->stores.items[i];
        if (a->around)
            map_put(&table->around, a->member, NULL);
        for (u32 k = 0; k < i && !limit_cuts(LIMIT_LINKS_COMPARED, k >= LINKS_COMPARED); k++) {
            const LinkStore *b = &self->stores.items[k];
            if (a->in == b->stored && a->stored == b->in)
                map_put(&table->opposite, pair_of(a->member, b->member), NULL);
            if (are_swapped(self, a, b))
                map_put(&table->swapped, pair_of(a->member, b->member), NULL);
        }
    }
}

static bool has_asked_name(const LinkTable *self, const ProgramFile *file) {
    for (u32 n = 0; n < file->name_count; n++)
        if (file->names[n] && map_get(&self->asked, file->names[n]))
            return true;
    return false;
}

// Those that store to one of the members.
static void find_storing(LinkScan *self) {
    Analysis *analysis = self->table->analysis;
    const Program *program = analysis->program;
    for (FileId f = 0; f < program->files.count; f++) {
        const ProgramFile *file = &program->files.items[f];
        if (!has_asked_name(self->table, file))
            continue;
        for (u32 i = 0; i < file->tree.functions.count; i++) {
            FunctionText text;
            if (text_begin(&text, analysis, file->function + i)) {
                gather(self, &text);
                if (self->stores.count) {
                    want(self, text.function);
                    put_setters(self, &text);
                }
            }
            text_end(&text);
        }
    }
}

void links_fill(LinkTable *table) {
    LinkScan self = {.table = table};
    if (table->asked.count)
        find_storing(&self);
    for (u32 i = 0; i < self.functions.count; i++) {
        FunctionText text;
        if (text_begin(&text, table->analysis, self.functions.items[i])) {
            gather(&self, &text);
            compare_stores(&self);
        }
        text_end(&text);
    }
    array_free(&self.setters);
    map_free(&self.setter_at);
    map_free(&self.wanted);
    array_free(&self.functions);
    array_free(&self.stores);
}
