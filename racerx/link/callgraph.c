// callgraph.c: who may call whom.
// In: what the bodies say (bodies.c). Out: call sites with their targets, bindings, callers, components.
// The idea: functions flow through slots; a call through a pointer calls what its slot holds. Functions handed to
// a call through a pointer flow on into what that call may reach, which takes a second round.
// Invariant: targets are sorted; a site whose targets were cut says so.
#include "racerx/link/link.h"

typedef struct {
    Program *program;
    BodyScan scan;
    FlowArray flows;
    SlotTable slots;
    Map shared;       // component of slots to 1 + first target: sites through one slot share theirs
    Map signatures;   // hash to 1 + the first function of that type whose address is taken
    FunctionId *same; // by function: the next one of its type
} Linker;

// gathering -------------------------------------------------------------------

static void move_locals(Program *self, const ScanChunk *chunk) {
    for (u32 i = 0; i < chunk->locals.count; i++) {
        const StaticLocal *local = &chunk->locals.items[i];
        ProgramFunction *function = &self->functions.items[local->function];
        if (!function->local_count++)
            function->local = self->globals.count;
        ProgramGlobal global = {.name = local->name,
                                .file = function->file,
                                .index = local->var,
                                .function = local->function,
                                .type = local->type,
                                .flags = local->flags,
                                .is_static = true};
        array_push(&self->globals, global);
    }
}

// Numbers of calls in the chunk become numbers in the program.
static void renumber(ScanChunk *chunk, u32 base) {
    for (u32 i = 0; i < chunk->indirect.count; i++)
        chunk->indirect.items[i].call += base;
    for (u32 i = 0; i < chunk->arguments.count; i++)
        chunk->arguments.items[i].call += base;
    for (u32 i = 0; i < chunk->registers.count; i++)
        if (chunk->registers.items[i].call != NO_ID)
            chunk->registers.items[i].call += base;
    for (u32 i = 0; i < chunk->passed.count; i++)
        chunk->passed.items[i].call += base;
    for (u32 i = 0; i < chunk->tables.count; i++)
        chunk->tables.items[i].call += base;
}

// fills: calls, bindings, ProgramFunction.call; MARK_ADDRESS_TAKEN; flows.
static void move_chunk(Linker *self, ScanChunk *chunk) {
    Program *program = self->program;
    u32 calls = program->calls.count, bindings = program->bindings.count;
    for (u32 i = 0; i < chunk->calls.count; i++) {
        CallSite site = chunk->calls.items[i];
        site.binding += bindings;
        array_push(&program->calls, site);
    }
    for (u32 i = 0; i < chunk->bindings.count; i++)
        array_push(&program->bindings, chunk->bindings.items[i]);
    for (u32 i = 0; i < chunk->functions.count; i++) {
        ProgramFunction *function = &program->functions.items[chunk->functions.items[i].function];
        function->call = calls + chunk->functions.items[i].call;
        function->call_count = chunk->functions.items[i].call_count;
    }
    for (u32 i = 0; i < chunk->taken.count; i += 2) {
        program->functions.items[chunk->taken.items[i + 1]].marks |= MARK_ADDRESS_TAKEN;
        array_push(&program->taken, chunk->taken.items[i]);
        array_push(&program->taken, chunk->taken.items[i + 1]);
    }
    for (u32 i = 0; i < chunk->flows.count; i++)
        array_push(&self->flows, chunk->flows.items[i]);
    for (u32 i = 0; i < chunk->lock_stores.count; i++)
        array_push(&program->lock_stores, chunk->lock_stores.items[i]);
    move_locals(program, chunk);
    renumber(chunk, calls);
    array_free(&chunk->calls);
    array_free(&chunk->bindings);
    array_free(&chunk->flows);
    program->stats.bodies_bad += chunk->bodies_bad;
}

// targets ---------------------------------------------------------------------

static int compare_ids(const void *left, const void *right) {
    u32 a = *(const u32 *)left, b = *(const u32 *)right;
    return a < b ? -1 : a > b;
}

static void sort_targets(U32Array *targets, u32 first) { // those from `first` on; each once
    u32 kept = first;
    if (targets->count - first > 1)
        qsort(targets->items + first, targets->count - first, sizeof(u32), compare_ids);
    for (u32 i = first; i < targets->count; i++)
        if (kept == first || targets->items[kept - 1] != targets->items[i])
            targets->items[kept++] = targets->items[i];
    targets->count = kept;
}

static void push_targets(Linker *self, SlotKey key, CallSite *site) {
    Program *program = self->program;
    u32 count, single = slot_high(key);
    bool cut = false;
    const u32 *functions = &single;
    if (slot_kind(key) == SLOT_FUNCTION)
        count = 1;
    else
        functions = slot_functions(&self->slots, key, &count, &cut);
    for (u32 i = 0; i < count; i++)
        array_push(&program->targets, functions[i]);
    site->target_count += count;
    site->cut |= cut;
}

// The targets of a call through one slot; true when it has some.
static bool share_targets(Linker *self, SlotKey key, CallSite *site) {
    u32 *slot = slot_kind(key) == SLOT_FUNCTION ? NULL : map_get(&self->slots.index, key), count;
    bool is_new, cut;
    if (!slot)
        return false;
    u32 *first = map_put(&self->shared, self->slots.component[*slot], &is_new);
    slot_functions(&self->slots, key, &count, &cut);
    if (is_new) {
        *first = self->program->targets.count;
        push_targets(self, key, site);
    }
    site->target = *first;
    site->target_count = count;
    site->cut = cut;
    return count > 0;
}

// fills: signatures, same.
static void index_signatures(Linker *self) {
    Program *program = self->program;
    self->same = must_alloc(sizeof(FunctionId) * ((size_t)program->functions.count + 1));
    for (u32 i = program->functions.count; i-- > 0;) {
        self->same[i] = NO_ID;
        u64 signature = program->functions.items[i].marks & MARK_ADDRESS_TAKEN
                            ? type_signature(program, function_type(program, i))
                            : 0;
        if (!signature)
            continue;
        u32 *first = map_put(&self->signatures, signature, NULL);
        self->same[i] = *first ? *first - 1 : NO_ID;
        *first = i + 1;
    }
}

static void guess_targets(Linker *self, u64 signature, CallSite *site) {
    if (!signature)
        return;
    if (!self->same)
        index_signatures(self);
    u32 *first = map_get(&self->signatures, signature), count = 0;
    for (FunctionId i = first ? *first - 1 : NO_ID; i != NO_ID && count <= SIGNATURE_MOST; i = self->same[i])
        count++;
    site->cut |= count > SIGNATURE_MOST;
    if (count > SIGNATURE_MOST)
        limit_reached(LIMIT_SIGNATURE_MOST);
    if (!count || count > SIGNATURE_MOST)
        return;
    site->guessed = 1;
    site->target_count = count;
    for (FunctionId i = *first - 1; i != NO_ID; i = self->same[i])
        array_push(&self->program->targets, i);
}

// Of the targets from the site's first on: sorted, each once, not too many.
static void finish_targets(Program *self, CallSite *site) {
    sort_targets(&self->targets, site->target);
    site->target_count = self->targets.count - site->target;
    if (site->target_count <= FAN_OUT_MOST)
        return;
    limit_reached(LIMIT_FAN_OUT_MOST);
    site->target_count = FAN_OUT_MOST;
    site->cut = 1;
    self->targets.count = site->target + FAN_OUT_MOST;
}

// One site's entries lie together.
static void resolve_indirect(Linker *self, const IndirectCall *calls, u32 count) {
    Program *program = self->program;
    CallSite *site = &program->calls.items[calls->call];
    if (count == 1 && (share_targets(self, calls->slot, site) || share_targets(self, calls->other, site)))
        return;
    site->target = program->targets.count;
    site->target_count = 0;
    for (u32 i = 0; i < count; i++)
        push_targets(self, calls[i].slot, site);
    if (!site->target_count)
        guess_targets(self, calls->signature, site);
    if (count > 1)
        finish_targets(program, site);
}

static void resolve_sites(Linker *self) {
    Program *program = self->program;
    for (u32 i = 0; i < program->calls.count; i++) {
        CallSite *site = &program->calls.items[i];
        if (!site->target_count)
            continue;
        array_push(&program->targets, site->target);
        site->target = program->targets.count - 1;
    }
    for (u32 c = 0; c < self->scan.count; c++) {
        const ScanChunk *chunk = &self->scan.chunks[c];
        for (u32 i = 0, end; i < chunk->indirect.count; i = end) {
            for (end = i + 1; end < chunk->indirect.count; end++)
                if (chunk->indirect.items[end].call != chunk->indirect.items[i].call)
                    break;
            resolve_indirect(self, &chunk->indirect.items[i], end - i);
        }
    }
}

// What a function outside the tree is declared to call.
static void resolve_handed(Linker *self, const RegisterCall *call) {
    Program *program = self->program;
    bool calls = call->fact->context == CONTEXT_CALL || call->fact->context == CONTEXT_ONCE;
    CallSite *site = call->call == NO_ID ? NULL : &program->calls.items[call->call];
    if (!calls || !site || (site->target_count && !site->handed))
        return;
    u32 first = program->targets.count;
    for (u32 i = 0; i < site->target_count; i++)
        array_push(&program->targets, program->targets.items[site->target + i]);
    push_targets(self, call->handler, site);
    site->target = first;
    finish_targets(program, site);
    site->handed = site->target_count > 0;
}

// rounds ----------------------------------------------------------------------

// Functions handed to a call through a pointer flow into the parameters of its targets. Sites that share their targets
// often hand over the same.
static void add_argument_flows(Linker *self) {
    Program *program = self->program;
    Map seen = {0};
    for (u32 c = 0; c < self->scan.count; c++) {
        const ScanChunk *chunk = &self->scan.chunks[c];
        for (u32 i = 0; i < chunk->arguments.count; i++) {
            const IndirectArgument *argument = &chunk->arguments.items[i];
            const CallSite *site = &program->calls.items[argument->call];
            bool is_new;
            map_put(&seen, hash_mix(argument->value, (u64)site->target << 32 | argument->argument), &is_new);
            for (u32 t = 0; is_new && t < site->target_count; t++) {
                FunctionId target = program->targets.items[site->target + t];
                if (argument->argument < program_header(program, target)->param_count)
                    array_push(&self->flows,
                               ((PointerFlow){argument->value, slot_key(SLOT_VAR, target, argument->argument)}));
            }
        }
    }
    map_free(&seen);
}

static void forget_targets(Linker *self) {
    Program *program = self->program;
    for (u32 i = 0; i < program->calls.count; i++) {
        CallSite *site = &program->calls.items[i];
        if (site->indirect)
            site->target_count = site->cut = site->guessed = 0;
        else if (site->target_count)
            site->target = program->targets.items[site->target];
    }
    program->targets.count = 0;
    map_clear(&self->shared);
    slots_free(&self->slots);
}

// tables ----------------------------------------------------------------------

// A call through the table of an object that is known goes to what that table holds, not to what any table does.
static void narrow_call(Linker *self, const TableCall *call) {
    Program *program = self->program;
    CallSite *site = &program->calls.items[call->call], narrow = *site;
    GlobalId tables[POINTS_MOST];
    u32 count = site->target_count > 1 ? points_tables(program, call, tables) : 0, functions;
    bool cut;
    if (!count)
        return;
    narrow.target = program->targets.count;
    narrow.target_count = 0;
    for (u32 i = 0; i < count; i++) {
        SlotKey key = slot_key(SLOT_GLOBAL, tables[i], call->member);
        slot_functions(&self->slots, key, &functions, &cut);
        if (functions && !cut)
            push_targets(self, key, &narrow);
    }
    finish_targets(program, &narrow);
    if (narrow.target_count && narrow.target_count < site->target_count)
        *site = narrow;
    else
        program->targets.count = narrow.target;
}

static void narrow_calls(Linker *self) {
    for (u32 c = 0; c < self->scan.count; c++)
        for (u32 i = 0; i < self->scan.chunks[c].tables.count; i++)
            narrow_call(self, &self->scan.chunks[c].tables.items[i]);
}

// graph -----------------------------------------------------------------------

typedef struct {
    u32 *first, *edges; // callees of each function, each once
    u32 count;
} Graph;

// Two rounds: count, then fill.
static void build_edges(const Program *self, Graph *graph) {
    u32 *seen = must_zero(sizeof(u32) * ((size_t)self->functions.count + 1));
    for (u32 round = 0; round < 2; round++) {
        u64 total = 0;
        memset(seen, 0, sizeof(u32) * ((size_t)self->functions.count + 1));
        for (u32 f = 0; f < self->functions.count; f++) {
            const ProgramFunction *function = &self->functions.items[f];
            graph->first[f] = (u32)total;
            for (u32 c = function->call; c < function->call + function->call_count; c++) {
                const CallSite *site = &self->calls.items[c];
                for (u32 t = 0; t < site->target_count; t++) {
                    u32 target = self->targets.items[site->target + t];
                    if (seen[target] == f + 1)
                        continue;
                    seen[target] = f + 1;
                    if (round)
                        graph->edges[total] = target;
                    total++;
                }
            }
        }
        graph->first[self->functions.count] = graph->count = (u32)total;
        if (total >= UINT32_MAX)
            fatal("the call graph has too many edges; analyse the tree in parts");
        if (!round)
            graph->edges = must_alloc(sizeof(u32) * (total + 1));
    }
    free(seen);
}

// fills: callers, caller_count.
static void fill_callers(Program *self, const Graph *graph) {
    array_reserve(&self->callers, graph->count + 1);
    self->callers.count = graph->count;
    for (u32 i = 0; i < graph->count; i++)
        self->functions.items[graph->edges[i]].caller_count++;
    u32 next = 0;
    for (u32 f = 0; f < self->functions.count; f++) {
        self->functions.items[f].caller = next;
        next += self->functions.items[f].caller_count;
        self->functions.items[f].caller_count = 0;
    }
    for (u32 f = 0; f < self->functions.count; f++)
        for (u32 e = graph->first[f]; e < graph->first[f + 1]; e++) {
            ProgramFunction *callee = &self->functions.items[graph->edges[e]];
            self->callers.items[callee->caller + callee->caller_count++] = f;
        }
}

// fills: callers, component; statistics of both.
static void fill_graph(Program *self) {
    u32 count = self->functions.count;
    Graph graph = {.first = must_zero(sizeof(u32) * ((size_t)count + 2))};
    build_edges(self, &graph);
    fill_callers(self, &graph);
    u32 *component = must_alloc(sizeof(u32) * ((size_t)count + 1));
    self->stats.components = fill_components(count, graph.first, graph.edges, component);
    u32 *sizes = must_zero(sizeof(u32) * ((size_t)self->stats.components + 1));
    for (u32 f = 0; f < count; f++) {
        self->functions.items[f].component = component[f];
        u32 size = ++sizes[component[f]];
        self->stats.largest_component = size > self->stats.largest_component ? size : self->stats.largest_component;
    }
    free(sizes);
    free(component);
    free(graph.first);
    free(graph.edges);
}

static void count_calls(Program *self) {
    LinkStats *stats = &self->stats;
    u64 targets = 0;
    stats->calls = self->calls.count;
    for (u32 i = 0; i < self->calls.count; i++) {
        const CallSite *site = &self->calls.items[i];
        stats->unresolved += !site->target_count;
        stats->fan_out_cut += site->cut;
        if (!site->indirect)
            continue;
        stats->indirect++;
        stats->indirect_resolved += site->target_count > 0;
        targets += site->target_count;
        stats->fan_out_most = site->target_count > stats->fan_out_most ? site->target_count : stats->fan_out_most;
    }
    stats->fan_out_mean = stats->indirect_resolved ? (double)targets / (double)stats->indirect_resolved : 0;
}

// requires: names, links, members, said. fills: calls, targets, bindings, callers, components, roots.
void link_calls(Program *self, u32 jobs) {
    Linker linker = {.program = self};
    double begin = clock_seconds();
    scan_bodies(self, jobs, &linker.scan);
    self->stats.seconds_scan = clock_seconds() - begin;
    for (u32 i = 0; i < linker.scan.count; i++)
        move_chunk(&linker, &linker.scan.chunks[i]);
    slots_solve(&linker.slots, &linker.flows, &self->stats);
    resolve_sites(&linker);
    u32 flows = linker.flows.count;
    add_argument_flows(&linker);
    if (linker.flows.count != flows) {
        forget_targets(&linker);
        slots_solve(&linker.slots, &linker.flows, &self->stats);
        resolve_sites(&linker);
    }
    for (u32 c = 0; c < linker.scan.count; c++)
        for (u32 i = 0; i < linker.scan.chunks[c].registers.count; i++)
            resolve_handed(&linker, &linker.scan.chunks[c].registers.items[i]);
    points_solve(self, &linker.scan);
    narrow_calls(&linker);
    fill_graph(self);
    count_calls(self);
    find_roots(self, &linker.scan, &linker.slots, &linker.flows);
    fill_stored(self, &linker.slots, &linker.flows);
    self->stats.seconds_flow = clock_seconds() - begin - self->stats.seconds_scan;
    find_only(self, &linker.scan);
    body_scan_free(&linker.scan);
    slots_free(&linker.slots);
    array_free(&linker.flows);
    map_free(&linker.shared);
    map_free(&linker.signatures);
    free(linker.same);
}
