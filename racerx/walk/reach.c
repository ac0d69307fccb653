// reach.c: what a thread of the program never comes to, for what is asked on the way.
// In: skeletons, roots; programs whose threads are followed. Out: Root.reach: the accesses that conditions let it come
// to. The idea: what is known goes down the calls from where a thread begins, along branches that it allows only, until
// nothing new is reached (Wegman and Zadeck's conditional constants, over calls). A caller that asks what the program
// is doing, and a callee that asks the same again for the sake of other callers, need not be told apart by hand.
// Invariant: who asks about shared memory twice himself expects another answer, so what a function sees of it is for
// its callees only; whoever takes a lock or waits may find it changed. A root that costs too much reaches everything.
#include "racerx/walk/walk.h"

// Facts about what others see, too, are kept twice: as this function knows it (for its callees), and with ENTERED as it
// was known on entry. Globals that several functions ask about go by SHARED_FACT and a number, in all of them.
#define ENTERED 0x20000000u
#define WRITTEN_NEAR 3 // calls that a write may be below a call, to make what is known of it forgotten

// A function on the way from the root.
typedef struct {
    FactsId facts; // on entry, by whatever call
    bool reached, queued;
    u16 runs;
} Entered;

typedef struct {
    Walk walk;
    Frame frame; // of the function that is run
    Analysis *analysis;
    Map globals;               // ObjectId of a global that several functions ask about -> its number + 1
    u64 *writes;               // by function: bits of those that it, or what it calls, may write
    u64 *near;                 // likewise, a call less deep; while it is filled
    u32 words;                 // of one function
    Entered *entered;          // by function
    U32Array touched;          // functions that were reached
    U32Array closure;          // functions that calls lead to, whatever is asked
    U32Array more_first, more; // by function: whom it leads to otherwise than by a call of a known target
    U32Array queue;
    U32Array at;    // by block: its FactsId on entry; valid where seen
    Array(u8) seen; // by block: 1: reached, 2: to be run
    Array(u8) led;  // by block: some way leads there
    bool distrusts; // what others can write decides no branch of the function that is run
    u32 left;       // functions that may still be run
} Reach;

// which globals ---------------------------------------------------------------------

static bool is_mode(const Analysis *self, ObjectId object) {
    const SharedObject *one = &self->objects.items[object];
    return object && one->kind == OBJECT_GLOBAL && (one->flags & SHARED_GLOBAL) &&
           !(one->flags & (SHARED_ELEMENT | SHARED_ATOMIC | SHARED_AGGREGATE | SHARED_LOCK | SHARED_OWN));
}

static void fill_globals(Reach *self) {
    const Analysis *analysis = self->analysis;
    Map askers = {0}; // ObjectId -> the first function that asks, + 1
    u32 count = 0;
    for (u32 f = 0; f < analysis->program->functions.count; f++)
        for (u32 i = 0; i < analysis->skeletons[f].place_count; i++) {
            ObjectId object = analysis->skeletons[f].places[i].object;
            bool fresh;
            u32 *first = is_mode(analysis, object) ? map_put(&askers, object, &fresh) : NULL;
            if (!first || fresh || *first == f + 1) {
                if (first && fresh)
                    *first = f + 1;
                continue;
            }
            if (map_get(&self->globals, object) || limit_cuts(LIMIT_REACH_GLOBALS, count == REACH_GLOBALS))
                continue;
            *map_put(&self->globals, object, NULL) = ++count;
        }
    map_free(&askers);
    self->words = count / 64 + 1;
}

static u32 global_of(const Reach *self, ObjectId object) {
    const u32 *number = object ? map_get(&self->globals, object) : NULL;
    return number ? *number : 0;
}

static void put_writes(const Reach *self, u64 *out, FunctionId callee) {
    for (u32 w = 0; w < self->words; w++)
        out[w] |= self->near[(size_t)callee * self->words + w];
}

static void put_callee_writes(const Reach *self, FunctionId function) {
    const Program *program = self->analysis->program;
    const Skeleton *skeleton = &self->analysis->skeletons[function];
    for (u32 s = 0; s < skeleton->step_count; s++) {
        const CallSite *site =
            skeleton->steps[s].kind == STEP_CALL ? &program->calls.items[skeleton->steps[s].call] : NULL;
        for (u32 t = 0; site && call_is_narrow(site) && t < site->target_count; t++)
            put_writes(self, self->writes + (size_t)function * self->words, program->targets.items[site->target + t]);
    }
}

// What is written far below, or by who may be meant, is rather written in another mode (as in deciding.c).
static void fill_global_writes(Reach *self) {
    const Analysis *analysis = self->analysis;
    u32 count = analysis->program->functions.count;
    size_t bytes = sizeof(u64) * self->words * (count + 1u);
    self->writes = must_zero(bytes);
    self->near = must_alloc(bytes);
    for (u32 f = 0; f < count; f++)
        for (u32 s = 0; s < analysis->skeletons[f].step_count; s++) {
            const SkeletonStep *step = &analysis->skeletons[f].steps[s];
            for (u32 i = 0; step->kind == STEP_ACCESS && i < step->effect_count; i++) {
                const Access *access = &analysis->accesses.items[step->effect + i];
                u32 number = access->flags & (ACCESSED_WRITE | ACCESSED_UPDATE) ? global_of(self, access->object) : 0;
                if (number)
                    self->writes[(size_t)f * self->words + number / 64] |= 1ull << (number % 64);
            }
        }
    for (u32 round = 0; round < WRITTEN_NEAR; round++) {
        memcpy(self->near, self->writes, bytes);
        for (u32 f = 0; f < count; f++)
            put_callee_writes(self, f);
    }
    free(self->near);
}

// facts -----------------------------------------------------------------------------

// By what facts about an expression are kept.
static ExprId key_of(const Reach *self, ExprId expr) {
    const TestedPlace *place = place_by_expr(self->frame.skeleton, expr);
    u32 number = place ? global_of(self, place->object) : 0;
    return number ? SHARED_FACT + number : expr;
}

// Can others write it?
static bool is_shared(const Reach *self, ExprId key) {
    if (key >= SHARED_FACT)
        return true;
    const Skeleton *skeleton = self->frame.skeleton;
    for (u32 m = 0; m < skeleton->mention_count; m++)
        if (skeleton->mentions[m].expr == key && skeleton->mentions[m].kind != MENTIONS_VAR)
            return true;
    return false;
}

static FactsId put(Reach *self, FactsId facts, ExprId key, ValueId value) {
    return facts_set(&self->walk, facts, key, value);
}

static FactsId forget(Reach *self, FactsId facts, ExprId key) {
    return put(self, put(self, facts, key, VALUE_ANY), key | ENTERED, VALUE_ANY);
}

// All that others can write, or (with a function's bits) what it writes of globals and all that is no global.
static FactsId forget_shared(Reach *self, FactsId facts, const u64 *writes) {
    ExprId keys[FACTS_MOST];
    u32 count = 0;
    for (u32 i = 0; facts && i < self->walk.facts.items[facts].count; i++) {
        ExprId key = (ExprId)(self->walk.fact_items.items[self->walk.facts.items[facts].first + i] >> 32) & ~ENTERED;
        u32 number = key - SHARED_FACT;
        if (key >= SHARED_FACT ? !writes || (writes[number / 64] >> (number % 64) & 1) : is_shared(self, key))
            keys[count++] = key;
    }
    for (u32 i = 0; i < count; i++)
        facts = forget(self, facts, keys[i]);
    return facts;
}

static ValueId seen_as(Reach *self, FactsId facts, ExprId key) {
    if (!is_shared(self, key))
        return facts_get(&self->walk, facts, key);
    return self->distrusts ? VALUE_ANY : facts_get(&self->walk, facts, key | ENTERED);
}

// What is known here, to decide a branch by.
static ValueId known_here(Reach *self, FactsId facts, ExprId expr) {
    ValueTable *values = &self->analysis->values;
    ExprId key = key_of(self, expr);
    ValueId value = seen_as(self, facts, key);
    const Skeleton *skeleton = self->frame.skeleton;
    for (u32 i = 0; i < skeleton->masked_count; i++) {
        if (skeleton->masked[i].expr != expr)
            continue;
        ExprId of = key_of(self, skeleton->masked[i].of);
        ValueId whole = seen_as(self, facts, of);
        ValueId both = value_meet(values, value, value_bits(values, whole, skeleton->masked[i].bits));
        value = both ? both : value;
    }
    return value;
}

// A branch was taken: what it asked is so, as far as this function goes.
static FactsId put_asked(Reach *self, FactsId facts, ExprId expr, ValueId value) {
    ExprId key = key_of(self, expr);
    ValueId before = facts_get(&self->walk, facts, key), both = value_meet(&self->analysis->values, before, value);
    return put(self, facts, key, both ? both : value);
}

static FactsId put_entered(Reach *self, FactsId facts, ExprId expr, ValueId value) {
    ExprId key = key_of(self, expr);
    facts = put(self, facts, key, value);
    return is_shared(self, key) ? put(self, facts, key | ENTERED, value) : facts;
}

// steps -----------------------------------------------------------------------------

static ValueId assigned(Reach *self, const SkeletonStep *step, FactsId facts) {
    if (step->discard == COMPARES_CHOICE)
        return VALUE_ANY;
    ValueId value = step->source ? known_here(self, facts, step->source) : step->effect;
    return value_compared(value, value_signs(&self->analysis->values, value), step->discard);
}

static FactsId pass_accesses(Reach *self, const SkeletonStep *step, FactsId facts) {
    for (u32 i = 0; facts && i < step->effect_count; i++) {
        const Access *access = &self->analysis->accesses.items[step->effect + i];
        u32 number = access->flags & (ACCESSED_WRITE | ACCESSED_UPDATE) ? global_of(self, access->object) : 0;
        if (number)
            facts = forget(self, facts, SHARED_FACT + number);
    }
    return facts;
}

// What the callee may be told of one of its places.
static ValueId told_of(Reach *self, const SkeletonStep *step, const TestedPlace *place, FactsId facts) {
    Analysis *analysis = self->analysis;
    const Path *path = &analysis->paths.paths.items[place->path];
    if (place->flags & PLACE_VALUE) {
        const ArgumentValue *argument =
            path->step < step->arg_count ? &self->frame.skeleton->args[step->arg + path->step] : NULL;
        return !argument ? VALUE_ANY : argument->source ? known_here(self, facts, argument->source) : argument->value;
    }
    const TestedPlace *above =
        place_by_path(self->frame.skeleton, path_of_caller(analysis, self->frame.skeleton, step, place->path));
    return above ? facts_get(&self->walk, facts, key_of(self, above->expr)) : VALUE_ANY;
}

// What is known on entry by this call.
static FactsId facts_below(Reach *self, const SkeletonStep *step, FunctionId callee, FactsId facts) {
    const Skeleton *caller = self->frame.skeleton, *below = &self->analysis->skeletons[callee];
    FactsId out = 0;
    for (u32 i = 0; facts && i < self->walk.facts.items[facts].count; i++) { // globals, whether the callee asks or not
        u64 item = self->walk.fact_items.items[self->walk.facts.items[facts].first + i];
        if (item >> 32 >= SHARED_FACT && !(item >> 32 & ENTERED))
            out = put(self, put(self, out, (ExprId)(item >> 32), (ValueId)item), (ExprId)(item >> 32) | ENTERED,
                      (ValueId)item);
    }
    for (u32 i = 0; i < below->place_count; i++) {
        const TestedPlace *place = &below->places[i];
        if (global_of(self, place->object) || place->expr >= VIRTUAL_EXPR)
            continue;
        self->frame.skeleton = caller;
        ValueId value = told_of(self, step, place, facts);
        self->frame.skeleton = below;
        if (value && value != VALUE_ANY)
            out = put_entered(self, out, place->expr, value);
    }
    self->frame.skeleton = caller;
    return out;
}

static void enter_function(Reach *self, FunctionId function, FactsId facts) {
    Entered *entered = &self->entered[function];
    FactsId joined = entered->reached ? facts_join(&self->walk, entered->facts, facts) : facts;
    if (entered->reached && joined == entered->facts)
        return;
    if (!entered->reached)
        array_push(&self->touched, function);
    bool often = limit_cuts(LIMIT_REACH_RUNS, entered->runs >= REACH_RUNS);
    entered->facts = often ? 0 : joined;
    entered->reached = true;
    if (!entered->queued)
        array_push(&self->queue, function);
    entered->queued = true;
}

// Callbacks, what is called once, what a caller handed over: whenever the function is come to.
static void enter_more(Reach *self, FunctionId function) {
    for (u32 i = self->more_first.items[function]; i < self->more_first.items[function + 1]; i++)
        enter_function(self, self->more.items[i], 0);
}

static FactsId pass_call(Reach *self, const SkeletonStep *step, FactsId facts) {
    const Program *program = self->analysis->program;
    const CallSite *site = &program->calls.items[step->call];
    for (u32 t = 0; t < site->target_count; t++) {
        FunctionId target = program->targets.items[site->target + t];
        enter_function(self, target, facts_below(self, step, target, facts));
    }
    for (u32 t = 0; facts && t < site->target_count; t++)
        facts =
            forget_shared(self, facts, self->writes + (size_t)program->targets.items[site->target + t] * self->words);
    if (site->cut || (site->indirect && !site->target_count))
        facts = forget_shared(self, facts, NULL);
    return forget_arguments(&self->frame, facts, step);
}

static FactsId pass_step(Reach *self, const SkeletonStep *step, FactsId facts) {
    switch (step->kind) {
    case STEP_SET: {
        ValueId value = assigned(self, step, facts);
        return put(self, forget_var(&self->frame, facts, step->result), step->expr, value);
    }
    case STEP_STORE: {
        ValueId value = assigned(self, step, facts);
        for (u32 m = 0; step->result && facts && m < self->frame.skeleton->mention_count; m++) {
            const Mention *mention = &self->frame.skeleton->mentions[m];
            if (mention->kind == MENTIONS_ANY || (mention->kind == MENTIONS_NAME && mention->id == step->result))
                facts = forget(self, facts, key_of(self, mention->expr));
        }
        return put(self, forget(self, facts, key_of(self, step->expr)), key_of(self, step->expr), value);
    }
    case STEP_ACCESS: return pass_accesses(self, step, facts);
    case STEP_BLOCK:
    case STEP_FILL: return forget_arguments(&self->frame, facts, step);
    case STEP_CALL: return pass_call(self, step, facts);
    case STEP_LOCK:
    case STEP_JOIN:
    case STEP_SIGNAL: return forget_shared(self, facts, NULL);
    default: return facts;
    }
}

// blocks ----------------------------------------------------------------------------

static void enter_block(Reach *self, u32 block, FactsId facts) {
    if (!self->seen.items[block]) {
        self->at.items[block] = facts;
        self->seen.items[block] = 3;
        return;
    }
    FactsId joined = facts_join(&self->walk, self->at.items[block], facts);
    if (joined != self->at.items[block])
        self->seen.items[block] |= 2;
    self->at.items[block] = joined;
}

// Does a loop ask it about what others can write, each round anew?
static bool asks_again(const Reach *self, const SkeletonBlock *block) {
    const Skeleton *skeleton = self->frame.skeleton;
    u32 b = (u32)(block - skeleton->blocks);
    if (!is_shared(self, key_of(self, block->subject)))
        return false;
    for (u32 i = b; i < skeleton->block_count; i++)
        for (u32 s = 0; s < skeleton->blocks[i].successor_count; s++) {
            u32 to = skeleton->successors[skeleton->blocks[i].successor + s];
            if (to == b || (i == b && to <= b))
                return true;
        }
    return false;
}

static void leave_block(Reach *self, const SkeletonBlock *block, FactsId facts) {
    const u32 *to = self->frame.skeleton->successors + block->successor;
    ValueTable *values = &self->analysis->values;
    bool branches = block->term == TERM_BRANCH && block->successor_count == 2, switches = block->term == TERM_SWITCH;
    bool asks = block->subject && (branches || switches) && !asks_again(self, block);
    ValueId known = asks ? known_here(self, facts, block->subject) : VALUE_ANY;
    ValueId met[2] = {0};
    bool lost = branches && block->subject; // neither way: it is misunderstood
    for (u32 i = 0; branches && i < 2; i++) {
        met[i] = value_meet(values, known, i ? block->no : block->yes);
        lost &= !met[i];
    }
    for (u32 i = 0; i < block->successor_count && block->term != TERM_UNREACHABLE; i++) {
        ValueId asked = !block->subject || lost ? VALUE_ANY
                        : branches              ? (i ? block->no : block->yes)
                        : switches              ? to[block->successor_count + i]
                                                : VALUE_ANY;
        if (asked != VALUE_ANY && !value_meet(values, known, asked))
            continue;
        enter_block(self, to[i], asked == VALUE_ANY ? facts : put_asked(self, facts, block->subject, asked));
    }
}

// What no way leads to (behind a call that does not return, in this configuration) is not ruled out by conditions.
static void enter_dead(Reach *self, const Skeleton *skeleton) {
    for (u32 b = 0; b < skeleton->block_count; b++)
        self->led.items[b] = b == 0;
    for (bool again = true; again;) {
        again = false;
        for (u32 b = 0; b < skeleton->block_count; b++)
            for (u32 s = 0; self->led.items[b] && s < skeleton->blocks[b].successor_count; s++) {
                u8 *to = &self->led.items[skeleton->successors[skeleton->blocks[b].successor + s]];
                again |= !*to && skeleton->blocks[b].term != TERM_UNREACHABLE;
                *to |= skeleton->blocks[b].term != TERM_UNREACHABLE;
            }
    }
    for (u32 b = 0; b < skeleton->block_count; b++)
        if (!self->led.items[b])
            enter_block(self, b, 0);
}

// Forward over the blocks from what is known on entry. Does it come to an end?
static bool run_blocks(Reach *self, FunctionId function) {
    const Skeleton *skeleton = self->frame.skeleton;
    bool ends = false;
    memset(self->seen.items, 0, skeleton->block_count);
    enter_block(self, 0, self->entered[function].facts);
    enter_dead(self, skeleton);
    for (bool again = true; again;) {
        again = false;
        for (u32 b = 0; b < skeleton->block_count; b++) {
            if (!(self->seen.items[b] & 2))
                continue;
            self->seen.items[b] = 1;
            again = true;
            FactsId facts = self->at.items[b];
            for (u32 s = 0; s < skeleton->blocks[b].step_count; s++)
                facts = pass_step(self, &skeleton->steps[skeleton->blocks[b].step + s], facts);
            leave_block(self, &skeleton->blocks[b], facts);
            ends |= skeleton->blocks[b].term == TERM_RETURN || skeleton->blocks[b].term == TERM_UNREACHABLE;
        }
    }
    return ends;
}

// Who would never come out of a loop waits in it for somebody else.
static void run_function(Reach *self, FunctionId function) {
    const Skeleton *skeleton = &self->analysis->skeletons[function];
    self->frame = (Frame){.walk = &self->walk, .function = function, .skeleton = skeleton};
    if (!skeleton->block_count)
        return;
    array_reserve(&self->at, skeleton->block_count);
    array_reserve(&self->seen, skeleton->block_count);
    array_reserve(&self->led, skeleton->block_count);
    if (run_blocks(self, function))
        return;
    self->distrusts = true;
    run_blocks(self, function);
    self->distrusts = false;
}

// roots -----------------------------------------------------------------------------

// Is a call between two nodes one of a target that the call site says?
static bool is_told(const Analysis *self, u32 edge) {
    const SkeletonStep *step = self->edge_steps.items[edge];
    const CallSite *site = step && step->kind == STEP_CALL ? &self->program->calls.items[step->call] : NULL;
    FunctionId callee = self->nodes.items[self->edge_pairs.items[2 * edge + 1]].function;
    for (u32 t = 0; site && t < site->target_count; t++)
        if (self->program->targets.items[site->target + t] == callee)
            return true;
    return false;
}

static void fill_more(Reach *self) {
    const Analysis *analysis = self->analysis;
    u32 count = analysis->program->functions.count, edges = analysis->edge_steps.count;
    for (u32 f = 0; f < count + 2; f++)
        array_push(&self->more_first, 0);
    for (u32 pass = 0; pass < 2; pass++) {
        for (u32 e = 0; e < edges; e++) {
            if (is_told(analysis, e))
                continue;
            u32 *first =
                &self->more_first.items[analysis->nodes.items[analysis->edge_pairs.items[2 * e]].function + 2 - pass];
            if (pass)
                self->more.items[*first] = analysis->nodes.items[analysis->edge_pairs.items[2 * e + 1]].function;
            ++*first;
        }
        for (u32 f = 1; !pass && f < count + 2; f++)
            self->more_first.items[f] += self->more_first.items[f - 1];
        array_reserve(&self->more, self->more_first.items[count + 1]);
    }
}

static void put_closure(Reach *self, Bitset *in, FunctionId function) {
    if (bitset_has(in, function))
        return;
    bitset_set(in, function);
    array_push(&self->closure, function);
}

static void fill_closure(Reach *self, FunctionId begins) {
    const Program *program = self->analysis->program;
    Bitset in = {0};
    bitset_resize(&in, program->functions.count + 1);
    self->closure.count = 0;
    put_closure(self, &in, begins);
    for (u32 i = 0; i < self->closure.count; i++) {
        FunctionId function = self->closure.items[i];
        const Skeleton *skeleton = &self->analysis->skeletons[function];
        for (u32 m = self->more_first.items[function]; m < self->more_first.items[function + 1]; m++)
            put_closure(self, &in, self->more.items[m]);
        for (u32 s = 0; s < skeleton->step_count; s++) {
            const CallSite *site =
                skeleton->steps[s].kind == STEP_CALL ? &program->calls.items[skeleton->steps[s].call] : NULL;
            for (u32 t = 0; site && t < site->target_count; t++)
                put_closure(self, &in, program->targets.items[site->target + t]);
        }
    }
    bitset_free(&in);
}

static void put_accesses(const Skeleton *skeleton, const SkeletonBlock *block, bool reached, Bitset *out) {
    for (u32 s = 0; s < block->step_count; s++) {
        const SkeletonStep *step = &skeleton->steps[block->step + s];
        bool call = step->kind == STEP_CALL && step->source;
        u32 first = call ? step->source - 1 : step->effect, count = call                        ? 1
                                                                    : step->kind == STEP_ACCESS ? step->effect_count
                                                                                                : 0;
        for (u32 i = first; i < first + count; i++)
            if (reached)
                bitset_set(out, i);
            else
                out->words[i >> 6] &= ~(1ull << (i & 63));
    }
}

// Where calls lead, less where conditions keep it from; of everything else nothing is said.
static void put_reached(Reach *self, Bitset *out) {
    const Analysis *analysis = self->analysis;
    bitset_resize(out, analysis->accesses.count + 1);
    memset(out->words, 0xff, sizeof(u64) * (out->bits / 64 + 1));
    for (u32 i = 0; i < self->closure.count; i++) {
        const Skeleton *skeleton = &analysis->skeletons[self->closure.items[i]];
        bool entered = self->entered[self->closure.items[i]].reached;
        if (entered) // once more, with what is known in the end
            run_function(self, self->closure.items[i]);
        for (u32 b = 0; b < skeleton->block_count; b++)
            put_accesses(skeleton, &skeleton->blocks[b], entered && self->seen.items[b], out);
    }
}

// Nothing is known where a thread begins. False: it costs too much.
static bool reach_from(Reach *self, FunctionId begins, Bitset *out) {
    enter_function(self, begins, 0);
    for (u32 i = 0; i < self->queue.count && self->left; i++, self->left--) {
        FunctionId function = self->queue.items[i];
        self->entered[function].queued = false;
        self->entered[function].runs++;
        run_function(self, function);
        enter_more(self, function);
    }
    bool done = self->left > self->touched.count;
    self->left -= done ? self->touched.count : self->left;
    if (done) {
        fill_closure(self, begins);
        put_reached(self, out);
    }
    for (u32 i = 0; i < self->touched.count; i++)
        self->entered[self->touched.items[i]] = (Entered){0};
    self->queue.count = self->touched.count = 0;
    return done;
}

void fill_barred(Analysis *analysis) {
    Reach self = {.analysis = analysis, .walk = {.analysis = analysis}, .left = REACH_FUNCTIONS};
    if (!analysis->follows_threads || analysis->options.no_correlation)
        return;
    facts_set(&self.walk, 0, 0, VALUE_ANY);
    fill_globals(&self);
    fill_global_writes(&self);
    fill_more(&self);
    self.entered = must_zero(sizeof(Entered) * (analysis->program->functions.count + 1u));
    for (u32 r = 0; r < analysis->roots.count; r++) {
        Root *root = &analysis->roots.items[r];
        if (root->function == NO_ID || root->once_object || root->begins == NO_ID)
            continue;
        Bitset reached = {0};
        if (limit_cuts(LIMIT_REACH_FUNCTIONS, !reach_from(&self, root->begins, &reached))) {
            bitset_free(&reached);
            break;
        }
        array_push(&analysis->reached, reached);
        root->reach = analysis->reached.count;
    }
    free(self.entered);
    free(self.writes);
    map_free(&self.globals);
    array_free(&self.touched);
    array_free(&self.closure);
    array_free(&self.more_first);
    array_free(&self.more);
    array_free(&self.queue);
    array_free(&self.at);
    array_free(&self.seen);
    array_free(&self.led);
    array_free(&self.walk.facts);
    array_free(&self.walk.fact_items);
    array_free(&self.walk.fact_next);
    map_free(&self.walk.fact_index);
}
