// hooked.c: is an object made ready before the callback that uses it is handed over?
// In: the two sides of a race, one of them in a function that is only ever called back. Out: why they cannot meet, in
// words. The idea: `list_fill(); hook_add(PACKET, on_packet);`: nobody calls `on_packet` before some function was given
// it that keeps it. Where one function gives it to all of those, later than it comes to the other side, and the
// callback is taken back by somebody (or given once), there is nobody to meet.
#include "racerx/check/history.h"

// A function is handed over as an argument.
typedef struct {
    FunctionId handler, from;
    u32 call;     // Program.calls
    u32 argument; // from 0
    u8 keeps;     // KEEPS_…: does the callee keep it?
} Hook;
enum { KEEPS_UNASKED, KEEPS, KEEPS_NOT };
struct Hooks {
    Array(Hook) items;       // by handler, in the order of calls
    Map led;                 // handler -> 1 + Hooks.leading; NO_ID: too many, or it is not only handed over
    Array(U32Array) leading; // functions that hand a handler over, and all who lead to them; sorted
    Map from;                // handler -> 1 + the function that gives it to all who keep it; NO_ID: none alone does
};

static int compare_hooks(const void *left, const void *right) {
    const Hook *a = left, *b = right;
    if (a->handler != b->handler)
        return a->handler < b->handler ? -1 : 1;
    return a->call < b->call ? -1 : a->call > b->call;
}

static Hooks *hooks_make(const Program *program) {
    Hooks *self = must_zero(sizeof(Hooks));
    for (u32 f = 0; f < program->functions.count; f++) {
        const ProgramFunction *from = &program->functions.items[f];
        for (u32 c = from->call; c < from->call + from->call_count; c++) {
            const CallSite *site = &program->calls.items[c];
            for (u32 i = 0; i < site->binding_count; i++) {
                const Binding *binding = &program->bindings.items[site->binding + i];
                if (binding->function != NO_ID)
                    array_push(&self->items, ((Hook){binding->function, f, c, binding->argument, KEEPS_UNASKED}));
            }
        }
    }
    if (self->items.count)
        qsort(self->items.items, self->items.count, sizeof(Hook), compare_hooks);
    return self;
}

void hooks_free(Hooks *self) {
    if (!self)
        return;
    array_free(&self->items);
    for (u32 i = 0; i < self->leading.count; i++)
        array_free(&self->leading.items[i]);
    array_free(&self->leading);
    map_free(&self->led);
    map_free(&self->from);
    free(self);
}

// Is the parameter compared with what is kept already, to find it there?
static bool is_looked_for(const Body *body, u32 param) {
    for (u32 id = 1; id < body->exprs.count; id++) {
        const Expr *expr = &body->exprs.items[id];
        const Expr *left = &body->exprs.items[expr->a], *right = &body->exprs.items[expr->b];
        if (expr->kind == EXPR_BINARY && (expr->op == OP_EQ || expr->op == OP_NE) &&
            ((left->kind == EXPR_VAR && left->a == param && right->kind == EXPR_MEMBER) ||
             (right->kind == EXPR_VAR && right->a == param && left->kind == EXPR_MEMBER)))
            return true;
    }
    return false;
}

static bool is_stored(const Body *body, u32 param) {
    for (u32 e = 0; e < body->events.count; e++) {
        const Event *event = &body->events.items[e];
        const Expr *value = &body->exprs.items[event->value];
        if (event->kind == EVENT_WRITE && event->value && value->kind == EXPR_VAR && value->a == param &&
            body->exprs.items[event->expr].kind != EXPR_VAR)
            return true;
    }
    return false;
}

static bool keeps_argument(const Program *program, const CallSite *site, u32 argument, u32 depth);

// Does a function keep what it is given there, or hand it on to one that may?
static bool keeps_parameter(const Program *program, FunctionId function, u32 param, u32 depth) {
    const ProgramFunction *info = &program->functions.items[function];
    Body body = {0};
    bool keeps = !program_body(program, function, &body) || is_stored(&body, param);
    bool removes = !keeps && is_looked_for(&body, param); // what else is told of it keeps no callback
    body_free(&body);
    for (u32 c = info->call; c < info->call + info->call_count && !keeps && !removes; c++) {
        const CallSite *on = &program->calls.items[c];
        for (u32 i = 0; i < on->binding_count && !keeps; i++) {
            const Binding *binding = &program->bindings.items[on->binding + i];
            keeps = binding->function == NO_ID && binding->parameter == param &&
                    keeps_argument(program, on, binding->argument, depth + 1);
        }
    }
    return keeps;
}

// Likewise of what a call hands over. What is not in sight keeps it; what is one of `...` is only written down.
static bool keeps_argument(const Program *program, const CallSite *site, u32 argument, u32 depth) {
    bool keeps = !site->target_count || site->cut || limit_cuts(LIMIT_HOOKS_DEEP, depth > HOOKS_DEEP);
    for (u32 t = 0; t < site->target_count && !keeps; t++) {
        FunctionId callee = program->targets.items[site->target + t];
        keeps = argument < program_header(program, callee)->param_count &&
                keeps_parameter(program, callee, argument, depth);
    }
    return keeps;
}

static bool is_kept(const Program *program, Hook *hook) {
    if (hook->keeps == KEEPS_UNASKED)
        hook->keeps = keeps_argument(program, &program->calls.items[hook->call], hook->argument, 0) ? KEEPS : KEEPS_NOT;
    return hook->keeps == KEEPS;
}

static bool is_stored_in(const Program *program, u32 file, FunctionId handler) {
    NameId name = program->functions.items[handler].name;
    bool stored = false;
    for (u32 f = 0; f < program->functions.count && !stored; f++) {
        Body body = {0};
        if (program->functions.items[f].file == file && program_body(program, f, &body))
            for (u32 e = 0; e < body.events.count && !stored; e++) {
                const Event *event = &body.events.items[e];
                ExprId id = event->kind == EVENT_WRITE ? event->value : 0;
                while (id && (body.exprs.items[id].kind == EXPR_CAST || body.exprs.items[id].kind == EXPR_ADDRESS))
                    id = body.exprs.items[id].a;
                stored = id && body.exprs.items[id].kind == EXPR_NAME &&
                         program->files.items[file].names[body.exprs.items[id].a] == name;
            }
        body_free(&body);
    }
    return stored;
}

// Is the function only ever handed over, neither called by its name nor stored in a table or a variable?
static bool is_only_handed(const Program *program, FunctionId handler) {
    const ProgramFunction *info = &program->functions.items[handler];
    bool other = !(info->marks & MARK_ADDRESS_TAKEN);
    for (u32 g = 0; g < program->global_holds.count && !other; g++)
        other = program->global_holds.items[g].function == handler;
    for (u32 i = 0; i < info->caller_count && !other; i++) {
        const ProgramFunction *caller = &program->functions.items[program->callers.items[info->caller + i]];
        for (u32 c = caller->call; c < caller->call + caller->call_count && !other; c++)
            other = !program->calls.items[c].indirect && program->calls.items[c].name == info->name;
    }
    for (u32 i = 0; i + 1 < program->taken.count && !other; i += 2)
        other = program->taken.items[i + 1] == handler && is_stored_in(program, program->taken.items[i], handler);
    return !other;
}

// The first hook of a handler.
static u32 first_hook(const Hooks *self, FunctionId handler) {
    u32 low = 0, high = self->items.count;
    while (low < high) {
        u32 middle = low + (high - low) / 2;
        if (self->items.items[middle].handler < handler)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The one function that gives the handler to those who keep it, when some take it back; NO_ID: there is none.
static FunctionId hooked_by(Hooks *self, const Program *program, FunctionId handler) {
    bool added, taken_back = false, several = false;
    u32 *kept = map_put(&self->from, handler, &added), first = first_hook(self, handler);
    if (!added)
        return *kept == NO_ID ? NO_ID : *kept - 1;
    FunctionId from = NO_ID;
    for (u32 i = first; i < self->items.count && self->items.items[i].handler == handler; i++) {
        Hook *hook = &self->items.items[i];
        if (!is_kept(program, hook)) {
            taken_back = true;
        } else {
            several |= from != NO_ID && from != hook->from;
            from = hook->from;
        }
    }
    if (!taken_back || several || from == NO_ID || !is_only_handed(program, handler))
        from = NO_ID;
    *kept = from == NO_ID ? NO_ID : from + 1;
    return from;
}

typedef struct {
    u32 call;
    bool seen;
} HookStep;

static bool is_hook_step(void *context, const SkeletonStep *step) {
    HookStep *self = context;
    self->seen |= step->call == self->call;
    return step->call == self->call;
}

// Is this spot never come to after the call?
static bool never_after(const Skeleton *skeleton, Spot spot, u32 call) {
    HookStep hook = {call, false};
    for (u32 s = 0; s < skeleton->step_count; s++)
        is_hook_step(&hook, &skeleton->steps[s]);
    return hook.seen && !ever_after(skeleton, spot, is_hook_step, &hook);
}

// The way of a sample on which it is in this function; NO_ID: it is not. Fills: spot.
static u32 way_in(const Analysis *self, const Sample *sample, FunctionId function, Spot *spot) {
    for (u32 way = sample->way, below = NO_ID;;) {
        const WayContext *one = &self->way_contexts.items[way];
        if (self->nodes.items[one->node].function == function && spot_of_way(self, sample, way, below, spot))
            return way;
        if (!one->from)
            return NO_ID;
        below = way;
        way = one->from - 1;
    }
}

// Does the function that hands it over come to the sample before, always?
static bool is_before_hooked(const Hooks *self, const Analysis *analysis, const Sample *sample, FunctionId handler,
                             FunctionId from) {
    const Program *program = analysis->program;
    Spot spot;
    bool before = way_in(analysis, sample, from, &spot) != NO_ID;
    for (u32 i = first_hook(self, handler); before && i < self->items.count; i++) {
        Hook *hook = &self->items.items[i];
        if (hook->handler != handler)
            break;
        before = !is_kept(program, hook) || never_after(&analysis->skeletons[from], spot, hook->call);
    }
    return before;
}

// what only a library calls -------------------------------------------------------------

static int compare_functions(const void *left, const void *right) {
    FunctionId a = *(const FunctionId *)left, b = *(const FunctionId *)right;
    return a < b ? -1 : a > b;
}

static bool is_among(const U32Array *functions, FunctionId function) {
    return bsearch(&function, functions->items, functions->count, sizeof(u32), compare_functions) != NULL;
}

// The functions that lead to where a handler is handed over, to whomever; NULL: too many, or it comes another way.
static const U32Array *leading_to(Hooks *self, const Program *program, FunctionId handler) {
    bool added;
    u32 *led = map_put(&self->led, handler, &added);
    if (!added)
        return *led == NO_ID ? NULL : &self->leading.items[*led - 1];
    U32Array found = {0};
    u8 *met = must_zero(program->functions.count + 1u);
    for (u32 i = first_hook(self, handler); i < self->items.count && self->items.items[i].handler == handler; i++) {
        FunctionId from = self->items.items[i].from;
        if (!met[from])
            array_push(&found, from);
        met[from] = 1;
    }
    for (u32 i = 0; i < found.count && found.count <= HOOKS_LEADING; i++) {
        const ProgramFunction *one = &program->functions.items[found.items[i]];
        for (u32 c = 0; c < one->caller_count; c++) {
            FunctionId caller = program->callers.items[one->caller + c];
            if (!met[caller])
                array_push(&found, caller);
            met[caller] = 1;
        }
    }
    free(met);
    bool known = found.count && !limit_cuts(LIMIT_HOOKS_LEADING, found.count > HOOKS_LEADING) &&
                 is_only_handed(program, handler);
    if (!known) {
        array_free(&found);
        *led = NO_ID;
        return NULL;
    }
    qsort(found.items, found.count, sizeof(u32), compare_functions);
    array_push(&self->leading, found);
    *led = self->leading.count;
    return &self->leading.items[*led - 1];
}

// Does the call lead to where the handler is handed over, or hand it over?
static bool call_leads(const Hooks *self, const Program *program, const U32Array *leading, u32 call,
                       FunctionId handler) {
    const CallSite *site = &program->calls.items[call];
    for (u32 t = 0; t < site->target_count; t++)
        if (is_among(leading, program->targets.items[site->target + t]))
            return true;
    for (u32 i = first_hook(self, handler); i < self->items.count && self->items.items[i].handler == handler; i++)
        if (self->items.items[i].call == call)
            return true;
    return false;
}

// Does nobody but the thread of the sample, which exists once, lead there?
static bool leads_alone(const Analysis *self, const Sample *sample, const U32Array *leading) {
    const Root *root = &self->roots.items[sample->root];
    bool alone = root->once && is_among(leading, root->function);
    for (u32 i = 0; i < leading->count && alone; i++) {
        FunctionId function = leading->items[i];
        alone = function == root->function ||
                (!self->started_as[function] && !(self->program->functions.items[function].marks & MARK_ROOT));
    }
    return alone;
}

// Is a function that only a library calls back, in whatever thread, handed over after the thread that does so has come
// to the sample?
static bool is_before_library(Hooks *self, const Analysis *analysis, const Sample *sample, FunctionId handler) {
    const Program *program = analysis->program;
    const U32Array *leading =
        analysis->follows_threads && !analysis->started_as[handler] ? leading_to(self, program, handler) : NULL;
    if (!leading || !leads_alone(analysis, sample, leading))
        return false;
    for (u32 way = sample->way, below = NO_ID;;) {
        const WayContext *one = &analysis->way_contexts.items[way];
        FunctionId function = analysis->nodes.items[one->node].function;
        const ProgramFunction *info = &program->functions.items[function];
        Spot spot;
        bool leads = is_among(leading, function);
        if (leads && !spot_of_way(analysis, sample, way, below, &spot))
            return false;
        for (u32 c = info->call; leads && c < info->call + info->call_count; c++)
            if (call_leads(self, program, leading, c, handler) && !never_after(&analysis->skeletons[function], spot, c))
                return false;
        if (!one->from)
            return true;
        below = way;
        way = one->from - 1;
    }
}

FunctionId hooked_later(Histories *histories, const Sample *sample, const Sample *other) {
    const Analysis *self = histories->analysis;
    if (!histories->hooks)
        histories->hooks = hooks_make(self->program);
    for (u32 way = other->way;;) {
        const WayContext *one = &self->way_contexts.items[way];
        FunctionId handler = self->nodes.items[one->node].function;
        FunctionId from = hooked_by(histories->hooks, self->program, handler);
        if (from != NO_ID && is_before_hooked(histories->hooks, self, sample, handler, from))
            return handler;
        if (!one->from)
            return is_before_library(histories->hooks, self, sample, handler) ? handler : NO_ID;
        way = one->from - 1;
    }
}

const char *hooked_text(Histories *histories, FindingList *list, const Sample *sample, const Sample *other) {
    const Program *program = histories->analysis->program;
    FunctionId handler = hooked_later(histories, sample, other);
    if (handler == NO_ID)
        return NULL;
    return findings_text(list, "%s comes here before it hands %s over",
                         program_text(program, sample_function(histories->analysis, sample)->name),
                         program_text(program, program->functions.items[handler].name));
}
