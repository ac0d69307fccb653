// plan.c: what the runtime is told: which code belongs to which side of which finding, whom to stall and how long.
// In: findings, the modules of the program, a seed. Out: targets; a plan as text (runtime/4begin.c reads it).
//
// Whom to stall follows from the seed alone, the cheapest first: one side, the other, both, both for longer; then the
// same with some hits left out. So a seed that showed something says all that is needed to do it again.
#include "racerx/confirm/steer.h"

enum { LONG_STALL = 1500000 }; // microseconds

static TargetRole role_of(const Site *site) {
    switch (site->role) {
    case ROLE_UNPROTECTED_READ:
    case ROLE_PROTECTED_READ:
    case ROLE_WRONG_LOCK_READ: return TARGET_READS;
    case ROLE_UNPROTECTED_WRITE:
    case ROLE_PROTECTED_WRITE:
    case ROLE_WRONG_LOCK_WRITE: return TARGET_WRITES;
    default: return TARGET_ANY;
    }
}

static void add_target(TargetArray *out, u32 finding, u32 side, TargetRole role, const Site *site) {
    for (u32 i = 0; i < out->count; i++) {
        const SteerTarget *known = &out->items[i];
        if (known->finding == finding && known->side == side && known->line == site->line &&
            !strcmp(known->file, site->file) && known->role == role)
            return;
    }
    if (site->line && *site->file && out->count < PLAN_TARGETS_MOST)
        array_push(out, ((SteerTarget){
                            .finding = finding, .side = side, .role = role, .file = site->file, .line = site->line}));
}

// Of a deadlock each side is held back before the last thing that it takes or waits for; of a lock taken twice the
// first site is the second time.
static void add_waits(TargetArray *out, const Finding *finding, u32 index) {
    for (u32 i = 0; i < finding->sites.count; i++) {
        bool last = i + 1 == finding->sites.count || finding->sites.items[i + 1].side != finding->sites.items[i].side;
        if (finding->kind == KIND_DOUBLE_LOCK ? !i : last)
            add_target(out, index, finding->sites.items[i].side, TARGET_LOCKS, &finding->sites.items[i]);
    }
}

// Of a fact: where it is established, where it may change, where it is relied on; who writes is met, not held back.
static TargetRole fact_role(const Site *site) {
    if (site->side)
        return TARGET_MEETS;
    switch (site->role) {
    case ROLE_CHECK:
    case ROLE_STORE:
    case ROLE_COPY: return TARGET_CHECKS;
    case ROLE_USE: return TARGET_USES;
    default: return TARGET_GAPS;
    }
}

static bool is_fact(FindingKind kind) {
    return kind == KIND_STALE_CHECK || kind == KIND_STALE_COPY || kind == KIND_ESCAPED_OBJECT ||
           kind == KIND_CHECK_THEN_ACT;
}

bool targets_add(TargetArray *out, const Finding *finding, u32 index) {
    u32 before = out->count;
    if (finding->kind == KIND_RACE)
        for (u32 i = 0; i < finding->sites.count; i++)
            add_target(out, index, finding->sites.items[i].side, role_of(&finding->sites.items[i]),
                       &finding->sites.items[i]);
    else if (is_fact(finding->kind))
        for (u32 i = 0; i < finding->sites.count; i++)
            add_target(out, index, finding->sites.items[i].side, fact_role(&finding->sites.items[i]),
                       &finding->sites.items[i]);
    else if (finding->kind == KIND_DEADLOCK || finding->kind == KIND_DOUBLE_LOCK)
        add_waits(out, finding, index);
    return out->count > before;
}

// the text ------------------------------------------------------------------------

static void put_ranges(Buffer *out, const TargetArray *targets, const Module *module, const ModuleArray *modules,
                       const bool *wanted) {
    CodeRangeArray ranges = {0};
    for (u32 i = 0; i < targets->count; i++) {
        const SteerTarget *target = &targets->items[i];
        u32 fit = module_fit(module, target->file);
        bool best = wanted[target->finding] && fit;
        for (u32 k = 0; best && k < modules->count; k++)
            best = module_fit(modules->items[k], target->file) <= fit;
        ranges.count = 0;
        if (best)
            module_find(module, target->file, target->line, &ranges);
        for (u32 k = 0; k < ranges.count; k++)
            buffer_format(out, "r %u %llx %llx\n", i, (unsigned long long)ranges.items[k].start,
                          (unsigned long long)ranges.items[k].end);
    }
    array_free(&ranges);
}

static void put_steering(Buffer *out, u64 seed, bool steer) {
    static const struct {
        u32 modes, stall, budget; // sides, in bits; milliseconds of one stall, and of all of a thread
        u32 noise, spurious;      // milliseconds of delays elsewhere; wakes and signals without cause
    } steps[] = {{1, 20, 1500, 0, 0}, {2, 20, 1500, 8, 0}, {3, 20, 2000, 15, 1}, {3, 120, 4000, 30, 1}};
    u64 step = (seed - 1) % 4, round = (seed - 1) / 4 % 4;
    buffer_format(out, "seed %llu\nmodes %u\nstall %llu\nbudget %llu\n", (unsigned long long)seed,
                  steer ? steps[step].modes : 0, (unsigned long long)(steps[step].stall * (round + 1) * 1000),
                  (unsigned long long)(steps[step].budget * (round + 1) * 1000));
    buffer_format(out, "noise %u\nspurious %u\n", steer ? steps[step].noise * 1000 : 0, steer && steps[step].spurious);
}

// A line that runs once or twice can be stalled for long: who comes late is met as well.
static u32 stall_of(const SteerTarget *target, const PlanOptions *options) {
    bool seldom = options->runs && target->fitting / options->runs <= 3;
    return options->steer && seldom && (options->seed - 1) % 4 == 3 ? LONG_STALL : 0;
}

void plan_write(Buffer *out, const TargetArray *targets, const ModuleArray *modules, const PathArray *paths,
                const PlanOptions *options) {
    put_steering(out, options->seed, options->steer);
    buffer_format(out, "directory %s\nhits %s\n", options->directory, options->hits);
    for (u32 i = 0; i < targets->count; i++) {
        const SteerTarget *target = &targets->items[i];
        bool open = target->hits && !target->fitting && target->role < TARGET_LOCKS; // the compiler saw it otherwise
        buffer_format(out, "t %u %u %u %u\n", target->finding, target->side, open ? TARGET_ANY : target->role,
                      stall_of(target, options));
    }
    for (u32 i = 0; i < modules->count; i++) {
        buffer_format(out, "m %s\n", paths->items[i]);
        put_ranges(out, targets, modules->items[i], modules, options->wanted);
    }
}
