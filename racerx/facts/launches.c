// launches.c: threads that a helper starts for others.
// In: calls that start threads, what their helpers' callers hand over. Out: Analysis.variants: of a helper that is told
// what its thread shall run, a thread for each function it is told; and by which handle callers know which of them.
// The idea: a thread is what was asked for, not the call deep in a library that makes it. Either the helper hands its
// parameter on as the thread's function, or the thread begins in a function of the library that calls what it was told.
#include "racerx/facts/analysis.h"

u64 thread_handle(const PathTable *paths, FunctionId function, PathId path, NameId *member) {
    u64 hash = 0;
    *member = 0;
    if (!path)
        return 0;
    for (; paths->paths.items[path].depth; path = paths->paths.items[path].parent) {
        NameId name = step_name(paths->paths.items[path].step);
        if (!name || name >= STEP_INDEXED)
            continue;
        if (!*member)
            *member = name;
        hash = hash_mix(hash, name);
    }
    const Path *root = &paths->paths.items[path];
    hash = hash_mix(hash, (u64)root->root << 32 | root->step);
    return root->root == ROOT_GLOBAL ? hash : hash_mix(hash, function + 1u);
}

// variants ------------------------------------------------------------------------

static void add_variant(Analysis *self, Spawn *spawn, FunctionId runs) {
    const Program *program = self->program;
    for (u32 i = 0; i < spawn->variant_count; i++)
        if (self->variants.items[spawn->variant + i].runs == runs)
            return;
    if (spawn->variant_count == VARIANTS_MOST) {
        limit_reached(LIMIT_VARIANTS_MOST);
        return;
    }
    Buffer text = {0};
    buffer_format(&text, "thread %s (%u.%u)", program_text(program, program->functions.items[runs].name),
                  spawn->function, spawn->call);
    ClassId class = class_intern(self, program_intern(program, (char *)text.bytes, (u32)text.size), false);
    self->classes.items[class].thread = true;
    self->classes.items[class].recursive = true;
    buffer_free(&text);
    array_push(&self->variants, ((SpawnVariant){runs, class}));
    spawn->variant_count++;
}

// The parameter that a call hands on as an argument; NO_ID: none.
static u32 handed_parameter(const Program *program, const CallSite *site, u32 argument) {
    for (u32 i = 0; site && i < site->binding_count; i++) {
        const Binding *binding = &program->bindings.items[site->binding + i];
        if (binding->argument == argument && binding->function == NO_ID)
            return binding->parameter;
    }
    return NO_ID;
}

// Whatever the first function of a thread calls through a pointer that is no parameter.
static void add_dispatched(Analysis *self, Spawn *spawn, FunctionId begins) {
    const Program *program = self->program;
    const Skeleton *skeleton = &self->skeletons[begins];
    for (u32 s = 0; s < skeleton->step_count; s++) {
        const SkeletonStep *step = &skeleton->steps[s];
        const CallSite *site = step->kind == STEP_CALL ? &program->calls.items[step->call] : NULL;
        if (!site || !site->indirect || site->parameter || site->cut || site->guessed)
            continue;
        for (u32 t = 0; t < site->target_count; t++)
            add_variant(self, spawn, program->targets.items[site->target + t]);
    }
}

// fills: variants of one call that starts threads; `first`: its first registration.
void fill_variants(Analysis *self, Spawn *spawn, u32 first) {
    const Program *program = self->program;
    const CallSite *site = program_call(program, spawn->function, spawn->call);
    u32 told = spawn->fact->argument > 0 ? handed_parameter(program, site, (u32)spawn->fact->argument - 1) : NO_ID;
    spawn->variant = self->variants.count;
    if (told != NO_ID && told < 32) {
        spawn->told = told + 1;
        for (u32 r = first; r < program->registrations.count; r++)
            if (program->registrations.items[r].from == spawn->function &&
                program->registrations.items[r].call == spawn->call)
                add_variant(self, spawn, program->registrations.items[r].handler);
    } else {
        add_dispatched(self, spawn, program->registrations.items[first].handler);
    }
    self->skeletons[spawn->function].code |= spawn->variant_count ? UINT32_MAX : 0;
}

// launches ------------------------------------------------------------------------

// A function that starts a thread for its callers, and what they know of it.
typedef struct {
    FunctionId function;
    u32 told;      // the parameter that says what to run; NO_ID: any
    PathId handle; // in the function's words; 0: not known
} Helper;

// Where the caller keeps what the call gave it: the place written just before that becomes known to others; else what
// it gave.
static PathId kept_result(const Analysis *self, const Skeleton *caller, const SkeletonStep *call, PathId result) {
    PathId written = 0;
    for (u32 s = (u32)(call - caller->steps) + 1; s < caller->step_count; s++) {
        const SkeletonStep *step = &caller->steps[s];
        for (u32 a = 0; step->kind == STEP_ACCESS && a < step->effect_count; a++)
            if (self->accesses.items[step->effect + a].flags & ACCESSED_WRITE)
                written = self->accesses.items[step->effect + a].path;
        if (step->kind == STEP_PUBLISH && step->arg_count && caller->args[step->arg].path == result)
            return written ? written : result;
        if (step->kind == STEP_CALL)
            break;
    }
    return result;
}

// What the caller has of the handle, in its words.
static PathId handle_outside(Analysis *self, const Helper *helper, const Skeleton *caller, const SkeletonStep *call) {
    PathId root = path_first(&self->paths, helper->handle);
    if (!root)
        return 0;
    Path first = self->paths.paths.items[root];
    if (first.root == ROOT_PARAM && first.step < call->arg_count) {
        const ArgumentValue *argument = &caller->args[call->arg + first.step];
        if (helper->handle ==
            root) // what the parameter points to, as in a call of its own: `&shop->clerk` is the place
            return argument->path;
        return argument->path ? path_rebase(&self->paths, helper->handle, root, argument->path, argument->address) : 0;
    }
    const Skeleton *skeleton = &self->skeletons[helper->function];
    for (u32 b = 0; b < skeleton->block_count; b++)
        if (skeleton->blocks[b].term == TERM_RETURN && skeleton->blocks[b].returned.path == helper->handle)
            return kept_result(self, caller, call, path_root(&self->paths, ROOT_RESULT, call->expr));
    return first.root == ROOT_GLOBAL ? helper->handle : 0;
}

static bool is_variant(const Analysis *self, const Spawn *spawn, FunctionId runs) {
    for (u32 i = 0; i < spawn->variant_count; i++)
        if (self->variants.items[spawn->variant + i].runs == runs)
            return true;
    return false;
}

static void find_launches(Analysis *self, u32 spawn, Helper helper, u32 depth);

static void add_launch(Analysis *self, u32 spawn, const Helper *helper, FunctionId caller, const SkeletonStep *call,
                       u32 depth) {
    const CallSite *site = &self->program->calls.items[call->call];
    PathId handle = handle_outside(self, helper, &self->skeletons[caller], call);
    for (u32 i = 0; i < site->binding_count; i++) {
        const Binding *binding = &self->program->bindings.items[site->binding + i];
        if (helper->told != NO_ID && binding->argument != helper->told)
            continue;
        Launch launch = {spawn, binding->function, 0, 0};
        launch.handle = thread_handle(&self->paths, caller, handle, &launch.member);
        if (binding->function == NO_ID && limit_cuts(LIMIT_LAUNCH_DEPTH, depth >= LAUNCH_DEPTH))
            continue;
        if (binding->function == NO_ID)
            find_launches(self, spawn, (Helper){caller, binding->parameter, handle}, depth + 1);
        else if (is_variant(self, &self->spawns.items[spawn], binding->function) && launch.handle)
            array_push(&self->launches, launch);
    }
}

// Every call of the helper, and of helpers that hand on to it.
static void find_launches(Analysis *self, u32 spawn, Helper helper, u32 depth) {
    const Program *program = self->program;
    const ProgramFunction *function = &program->functions.items[helper.function];
    for (u32 c = 0; c < function->caller_count; c++) {
        FunctionId caller = program->callers.items[function->caller + c];
        const Skeleton *skeleton = &self->skeletons[caller];
        for (u32 s = 0; s < skeleton->step_count && caller != helper.function; s++) {
            const SkeletonStep *step = &skeleton->steps[s];
            const CallSite *site = step->kind == STEP_CALL ? &program->calls.items[step->call] : NULL;
            if (site && site->target_count == 1 && program->targets.items[site->target] == helper.function)
                add_launch(self, spawn, &helper, caller, step, depth);
        }
    }
}

// requires: variants. fills: launches.
void fill_launches(Analysis *self) {
    for (u32 i = 0; i < self->spawns.count; i++) {
        const Spawn *spawn = &self->spawns.items[i];
        if (spawn->class && spawn->variant_count && spawn->place)
            find_launches(self, i, (Helper){spawn->function, spawn->told ? spawn->told - 1 : NO_ID, spawn->place}, 1);
    }
}
