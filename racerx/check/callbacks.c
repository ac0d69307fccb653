// callbacks.c: what the user of a library gave it is called with the library's own lock held.
// In: calls through pointers that nothing in the tree is stored in (met.c), the calls between nodes, the text of
// functions. Out: findings of kind deadlock: the user's function may call the library, and waits for itself.
//
// Three things must come together. The pointer is kept in a member that a function for users stores one of its
// parameters in, and that nobody in the tree calls; nobody stores a function of the tree there. A lock of the same
// object, or a global one of that file, is surely held at the call, here or by a caller near above. And a function for
// users takes that lock. Where the tree elsewhere lets the lock go around such a call, somebody knew.
//
// Invariant: a function is for users when a header of the tree declares it, or nobody in the tree calls it.
#include "racerx/check/couples.h"

#define CALLBACK_LEVELS 2 // of callers that may hold the lock

typedef struct {
    Analysis *analysis;
    FindingList *list;
    Map declared;    // NameIds of functions that headers declare
    Map given;       // NameIds of members that functions for users store parameters in
    Map asked;       // NameIds of members that calls go through
    u32 *first, *in; // by node: the calls of it
    Map told;        // (member, lock): it was told
} Callbacks;

// One way to such a call with a lock held.
typedef struct {
    const Outcall *call;
    Held held;
    u32 levels; // of callers above
} HeldThere;

// for users ---------------------------------------------------------------------------

static bool is_header(const char *path) {
    size_t length = strlen(path);
    return length > 2 && !strcmp(path + length - 2, ".h");
}

static void fill_declared(Callbacks *self) {
    const Program *program = self->analysis->program;
    for (FileId f = 0; f < program->files.count; f++) {
        const ProgramFile *file = &program->files.items[f];
        for (u32 g = 0; is_header(file->path) && g < file->tree.globals.count; g++)
            if (file->tree.types.items[file->tree.globals.items[g].type].kind == TYPE_FUNCTION)
                map_put(&self->declared, file->names[file->tree.globals.items[g].name], NULL);
    }
}

static bool is_for_users(const Callbacks *self, FunctionId function) {
    const ProgramFunction *info = &self->analysis->program->functions.items[function];
    return !(info->flags & DECL_STATIC) && (!info->caller_count || map_get(&self->declared, info->name)) &&
           !self->analysis->started_as[function];
}

static void look_at_store(Callbacks *self, const FunctionText *text, const Event *event) {
    const Program *program = self->analysis->program;
    const Expr *target = &text->body.exprs.items[event->expr];
    KeySet keys = {0};
    if (event->kind != EVENT_WRITE || !event->value || target->kind != EXPR_MEMBER)
        return;
    NameId member = program->files.items[program->functions.items[text->function].file].names[target->b];
    if (!map_get(&self->asked, member))
        return;
    text_keys(text, event->value, &keys);
    bool given = keys.count > 0;
    for (u32 i = 0; i < keys.count; i++)
        given &= keys.items[i] < KEY_GLOBAL && text->body.vars.items[keys.items[i]].flags & DECL_PARAM;
    if (given)
        map_put(&self->given, member, NULL);
}

static void fill_given(Callbacks *self) {
    const Program *program = self->analysis->program;
    for (FunctionId f = 0; f < program->functions.count; f++) {
        FunctionText text;
        if (!is_for_users(self, f) || program->functions.items[f].caller_count)
            continue;
        if (text_begin(&text, self->analysis, f))
            for (u32 e = 0; e < text.body.events.count; e++)
                look_at_store(self, &text, &text.body.events.items[e]);
        text_end(&text);
    }
}

// The members on the way to what is called: `ctx->events.closed`; fills: out. How many.
static u32 members_called(const Analysis *self, const Outcall *call, NameId *out, u32 most) {
    const CallSite *site = &self->program->calls.items[call->call];
    FunctionId function = self->nodes.items[call->node].function;
    const NameId *names = self->program->files.items[self->program->functions.items[function].file].names;
    Body body = {0};
    u32 count = 0;
    if (program_body(self->program, function, &body)) {
        const Expr *expr = &body.exprs.items[body.exprs.items[site->expr].a];
        for (u32 depth = 0; depth < 8; depth++) {
            if (expr->kind == EXPR_MEMBER && count < most)
                out[count++] = names[expr->b];
            if (expr->kind != EXPR_MEMBER && expr->kind != EXPR_DEREF && expr->kind != EXPR_CAST)
                break;
            expr = &body.exprs.items[expr->a];
        }
    }
    body_free(&body);
    return count;
}

// who holds what ----------------------------------------------------------------------

static void fill_callers(Callbacks *self) {
    const Analysis *analysis = self->analysis;
    u32 nodes = analysis->walked_nodes, edges = analysis->edge_steps.count;
    self->first = must_zero(sizeof(u32) * (nodes + 2));
    self->in = must_alloc(sizeof(u32) * (edges + 1));
    for (u32 e = 0; e < edges; e++)
        if (analysis->edge_pairs.items[2 * e + 1] < nodes)
            self->first[analysis->edge_pairs.items[2 * e + 1] + 2]++;
    for (u32 n = 2; n < nodes + 2; n++)
        self->first[n] += self->first[n - 1];
    for (u32 e = 0; e < edges; e++)
        if (analysis->edge_pairs.items[2 * e + 1] < nodes)
            self->in[self->first[analysis->edge_pairs.items[2 * e + 1] + 1]++] = e;
}

static bool is_candidate(const Analysis *self, const Held *held) {
    const LockClass *class = &self->classes.items[held->class];
    return held->class >= CLASS_FIRST && !class->recursive && !class->parameter && !class->local && !class->thread &&
           !class->vague && !lock_has(class->kind, TRAIT_READS | TRAIT_CLAIMS | TRAIT_SIGNALS) &&
           !(held->flags & (HELD_SHARED | HELD_LOOKS));
}

// By file and name: where in its file a function stands says nothing.
static int compare_functions(const Program *program, FunctionId a, FunctionId b) {
    int order = strcmp(function_path(program, a), function_path(program, b));
    return order ? order
                 : strcmp(program_text(program, program->functions.items[a].name),
                          program_text(program, program->functions.items[b].name));
}

// A function for users that takes the lock, as an acquisition; NO_ID: none.
static u32 taken_for_users(const Callbacks *self, ClassId class, const Outcall *call) {
    const Analysis *analysis = self->analysis;
    u32 best = NO_ID;
    for (u32 i = 0; i < analysis->acquisitions.count; i++) {
        const Acquisition *one = &analysis->acquisitions.items[i];
        bool same =
            one->class && (class_covers(analysis, one->class, class) || class_covers(analysis, class, one->class));
        if (!same || one->flags & (HELD_TRY | HELD_SHARED) || one->node >= analysis->walked_nodes)
            continue;
        FunctionId function = analysis->nodes.items[one->node].function;
        u32 parent = analysis->nodes.items[one->node].parent;
        if (!is_for_users(self, function) && parent != NO_ID)
            function = analysis->nodes.items[parent].function;
        if (!is_for_users(self, function) || function == analysis->nodes.items[call->node].function)
            continue;
        const LockSite *here = &analysis->sites.items[one->site],
                       *there = best == NO_ID ? NULL : &analysis->sites.items[analysis->acquisitions.items[best].site];
        int order = there ? compare_functions(analysis->program, here->function, there->function) : -1;
        if (order < 0 || (!order && here->place.line < there->place.line))
            best = i;
    }
    return best;
}

// Other calls of this member by functions that use the lock, and have let it go.
static u32 count_around(const Callbacks *self, NameId member, ClassId class) {
    const Analysis *analysis = self->analysis;
    u32 around = 0;
    for (u32 i = 0; i < analysis->outcalls.count; i++) {
        const Outcall *call = &analysis->outcalls.items[i];
        FunctionId function = analysis->nodes.items[call->node].function;
        NameId names[1] = {0};
        u32 count;
        const Held *held = lockset_held(&analysis->locksets, call->held, &count);
        bool has = !members_called(analysis, call, names, 1) || names[0] != member;
        for (u32 h = 0; h < count; h++)
            has |= held[h].class == class;
        around += !has && releases_inside(analysis, function, class);
    }
    return around;
}

// Does the file of a function take a lock of its own?
static bool is_taken_in_file(const Analysis *self, ClassId class, FunctionId function) {
    FileId file = self->program->functions.items[function].file;
    for (u32 s = class < self->class_site.count ? self->class_site.items[class] : NO_ID; s != NO_ID;
         s = self->sites.items[s].next)
        if (self->sites.items[s].uses & SITE_TAKES &&
            self->program->functions.items[self->sites.items[s].function].file == file)
            return true;
    return false;
}

// Is the object that keeps the pointer reached from the one that has the lock?
static bool is_reached_from(Analysis *self, const Outcall *call, const HeldThere *there) {
    const Path *root = &self->paths.paths.items[path_first(&self->paths, there->held.path)];
    FunctionText text;
    bool found = false;
    if (there->levels || !there->held.path || (root->root != ROOT_PARAM && root->root != ROOT_LOCAL))
        return false;
    if (text_begin(&text, self, self->nodes.items[call->node].function)) {
        KeySet keys = {0};
        text_keys(&text, text.body.exprs.items[self->program->calls.items[call->call].expr].a, &keys);
        text_origins(&text, &keys);
        for (u32 i = 0; i < keys.count; i++)
            found |= keys.items[i] == root->step;
    }
    text_end(&text);
    return found;
}

// Is the lock of the object that keeps the pointer, or, one of its own, of the file that calls?
static bool belongs_to(Analysis *self, const Outcall *call, const HeldThere *there) {
    FunctionId function = self->nodes.items[call->node].function;
    const LockClass *class = &self->classes.items[there->held.class];
    const CallSite *site = &self->program->calls.items[call->call];
    Body body = {0};
    bool found = false;
    if (class->global)
        return is_taken_in_file(self, there->held.class, function);
    if (is_reached_from(self, call, there))
        return true;
    if (program_body(self->program, function, &body)) {
        const BodyScope scope = {self->program, function, self->program->functions.items[function].file, &body};
        ExprId id = body.exprs.items[site->expr].a;
        for (u32 depth = 0; depth < 8 && !found; depth++) {
            const Expr *expr = &body.exprs.items[id];
            if (expr->kind == EXPR_MEMBER) {
                RecordId record = type_record(self->program, scope_strip(&scope, expr_type(&scope, expr->a)));
                found = record != NO_ID && (record == class->record || record == class->inner);
            } else if (expr->kind != EXPR_DEREF && expr->kind != EXPR_CAST)
                break;
            id = expr->a;
        }
    }
    body_free(&body);
    return found;
}

// findings ------------------------------------------------------------------------------

static void put_callback(Callbacks *self, const HeldThere *there, NameId member) {
    Analysis *analysis = self->analysis;
    bool fresh;
    u64 key = (u64)member << 32 | there->held.class;
    u32 acquisition;
    if (map_get(&self->told, key) || !belongs_to(analysis, there->call, there) ||
        (acquisition = taken_for_users(self, there->held.class, there->call)) == NO_ID)
        return;
    map_put(&self->told, key, &fresh);
    const Acquisition taken = analysis->acquisitions.items[acquisition];
    const Outcall *call = there->call;
    FunctionId function = analysis->nodes.items[call->node].function;
    const char *lock = class_text(analysis, there->held.class), *name = program_text(analysis->program, member);
    Finding *finding = findings_add(self->list, KIND_DEADLOCK);
    finding->object = finding->lock = findings_text(self->list, "%s", lock);
    finding->message = findings_text(
        self->list, "%s, which users give, is called with %s held: when it calls %s, it waits for itself", name, lock,
        program_text(analysis->program,
                     analysis->program->functions.items[analysis->nodes.items[taken.node].function].name));
    HeldSet set;
    held_begin(&set);
    held_push(&set, there->held);
    LocksetId held = held_intern(&set, &analysis->locksets);
    u32 site = site_make(analysis, function, call->place);
    finding_put_site(analysis, self->list, finding, ROLE_CALL, call->node, site, held);
    finding_put_site(analysis, self->list, finding, ROLE_ACQUIRE, taken.node, taken.site, 0);
    finding_add_object(self->list, finding, lock);
    finding_add_number(self->list, finding, "depth", node_depth(analysis, call->node));
    finding_add_number(self->list, finding, "conditionals", analysis->nodes.items[call->node].conditionals);
    finding_add_number(self->list, finding, "between_calls", there->levels);
    finding_add_number(self->list, finding, "global_locks", analysis->classes.items[there->held.class].global);
    finding_add_number(self->list, finding, "threads", 1);
    finding_add_number(self->list, finding, "watched", analysis->watched);
    finding_add_number(self->list, finding, "called_around", count_around(self, member, there->held.class));
    finding_add_text(self->list, finding, "cause", "callback");
}

// The locks of callers, level by level; `held` stays with who took it.
static void look_above(Callbacks *self, const Outcall *call, NameId member, u32 node, u32 level) {
    const Analysis *analysis = self->analysis;
    for (u32 i = self->first[node]; level < CALLBACK_LEVELS && i < self->first[node + 1]; i++) {
        u32 edge = self->in[i], count, caller = analysis->edge_pairs.items[2 * edge];
        if (analysis->edge_costs.items[edge] > 1 ||
            limit_cuts(LIMIT_CALLBACK_CALLERS, i - self->first[node] >= CALLBACK_CALLERS))
            continue;
        for (u32 h = 0;; h++) {
            const Held *held = lockset_held(&analysis->locksets, analysis->edge_ambient.items[edge], &count);
            if (h >= count)
                break;
            if (is_candidate(analysis, &held[h]))
                put_callback(self, &(HeldThere){call, held[h], level + 1}, member);
        }
        if (caller < analysis->walked_nodes)
            look_above(self, call, member, caller, level + 1);
    }
}

static void look_at_call(Callbacks *self, const Outcall *call) {
    const Analysis *analysis = self->analysis;
    NameId names[4];
    u32 members = members_called(analysis, call, names, 4), count;
    bool given = false;
    for (u32 m = 0; m < members; m++)
        given |= map_get(&self->given, names[m]) != NULL;
    if (!given)
        return;
    for (u32 h = 0;; h++) {
        const Held *held = lockset_held(&analysis->locksets, call->held, &count);
        if (h >= count)
            break;
        if (is_candidate(analysis, &held[h]))
            put_callback(self, &(HeldThere){call, held[h], 0}, names[0]);
    }
    if (call->node < analysis->walked_nodes)
        look_above(self, call, names[0], call->node, 0);
}

void find_callbacks(Analysis *analysis, FindingList *out) {
    Callbacks self = {.analysis = analysis, .list = out};
    if (!analysis->outcalls.count || is_kernel(analysis->program)) // its users are parts of it
        return;
    for (u32 i = 0; i < analysis->outcalls.count; i++) {
        NameId names[4];
        u32 count = members_called(analysis, &analysis->outcalls.items[i], names, 4);
        for (u32 m = 0; m < count; m++)
            map_put(&self.asked, names[m], NULL);
    }
    fill_declared(&self);
    fill_given(&self);
    fill_callers(&self);
    for (u32 i = 0; i < analysis->outcalls.count; i++)
        look_at_call(&self, &analysis->outcalls.items[i]);
    map_free(&self.declared);
    map_free(&self.given);
    map_free(&self.asked);
    map_free(&self.told);
    free(self.first);
    free(self.in);
}
