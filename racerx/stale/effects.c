// effects.c: may a function, or one it calls, write an object?
// In: accesses, the call graph. Out: answers, each worked out once, by a search of bounded size downwards; where that
// does not come to an end, upwards from those who write it. What is too far to see from either side is thought to write
// (a fact that may have been renewed makes no finding).
#include "racerx/stale/stale.h"

void effects_begin(Effects *self, Analysis *analysis) {
    u32 functions = analysis->program->functions.count, next = 0, end = 0;
    *self = (Effects){.analysis = analysis};
    while (end < analysis->accesses.count && !(analysis->accesses.items[end].flags & ACCESSED_CALL))
        end++; // calls that count as data come after all others
    self->first_access = must_alloc(sizeof(u32) * (functions + 2u));
    for (u32 f = 0; f <= functions; f++) {
        while (next < end && analysis->accesses.items[next].function < f)
            next++;
        self->first_access[f] = next;
    }
}

void effects_end(Effects *self) {
    free(self->first_access);
    map_free(&self->memo);
    map_free(&self->seen);
    map_free(&self->wide);
    map_free(&self->above);
    map_free(&self->asked);
    free(self->writers.first);
    free(self->writers.items);
    free(self->callers.first);
    free(self->callers.items);
    array_free(&self->work);
}

static bool writes_itself(const Effects *self, FunctionId function, ObjectId object) {
    for (u32 a = self->first_access[function]; a < self->first_access[function + 1]; a++) {
        const Access *access = &self->analysis->accesses.items[a];
        if (access->object == object && (access->flags & ACCESSED_WRITE))
            return true;
    }
    return false;
}

// upwards ---------------------------------------------------------------------------

// Runs of `items`, by key: counted first, then filled.
static void runs_begin(Runs *self, u32 keys) { self->first = must_zero(sizeof(u32) * (keys + 2u)); }

static void runs_sum(Runs *self, u32 keys) {
    u32 sum = 0;
    for (u32 k = 0; k <= keys; k++) {
        u32 count = self->first[k];
        self->first[k] = sum;
        sum += count;
    }
    self->first[keys + 1] = sum;
    self->items = must_zero(sizeof(u32) * (sum + 1u));
}

static void fill_writers(Effects *self) {
    const Analysis *analysis = self->analysis;
    u32 end = self->first_access[analysis->program->functions.count], objects = analysis->objects.count;
    runs_begin(&self->writers, objects);
    for (u32 a = 0; a < end; a++)
        self->writers.first[analysis->accesses.items[a].object] +=
            (analysis->accesses.items[a].flags & ACCESSED_WRITE) != 0;
    runs_sum(&self->writers, objects);
    u32 *next = must_alloc(sizeof(u32) * (objects + 2u));
    memcpy(next, self->writers.first, sizeof(u32) * (objects + 2u));
    for (u32 a = 0; a < end; a++)
        if (analysis->accesses.items[a].flags & ACCESSED_WRITE)
            self->writers.items[next[analysis->accesses.items[a].object]++] = analysis->accesses.items[a].function;
    free(next);
}

static void each_call(const Program *program, Runs *callers, u32 *next) {
    for (u32 f = 0; f < program->functions.count; f++)
        for (u32 c = 0; c < program->functions.items[f].call_count; c++) {
            const CallSite *site = &program->calls.items[program->functions.items[f].call + c];
            for (u32 t = 0; call_is_narrow(site) && t < site->target_count; t++) {
                FunctionId callee = program->targets.items[site->target + t];
                if (next)
                    callers->items[next[callee]++] = f;
                else
                    callers->first[callee]++;
            }
        }
}

static void fill_effect_callers(Effects *self) {
    const Program *program = self->analysis->program;
    u32 functions = program->functions.count;
    runs_begin(&self->callers, functions);
    each_call(program, &self->callers, NULL);
    runs_sum(&self->callers, functions);
    u32 *next = must_alloc(sizeof(u32) * (functions + 2u));
    memcpy(next, self->callers.first, sizeof(u32) * (functions + 2u));
    each_call(program, &self->callers, next);
    free(next);
}

static bool push_run(Effects *self, const Runs *runs, u32 key, ObjectId object) {
    for (u32 i = runs->first[key]; i < runs->first[key + 1]; i++) {
        bool fresh;
        map_put(&self->above, (u64)runs->items[i] << 32 | object, &fresh);
        if (!fresh)
            continue;
        if (limit_cuts(LIMIT_STALE_CALLERS_MOST, self->work.count >= STALE_CALLERS_MOST))
            return false;
        array_push(&self->work, runs->items[i]);
    }
    return true;
}

// Is the function above one that writes the object? Yes, where that cannot be seen.
static bool is_above(Effects *self, FunctionId function, ObjectId object) {
    bool fresh;
    if (!self->writers.first) {
        fill_writers(self);
        fill_effect_callers(self);
    }
    u32 *whole = map_put(&self->asked, object, &fresh);
    if (fresh) {
        self->work.count = 0;
        bool ends = push_run(self, &self->writers, object, object);
        for (u32 i = 0; ends && i < self->work.count; i++)
            ends = push_run(self, &self->callers, self->work.items[i], object);
        *whole = ends;
    }
    return !*whole || map_get(&self->above, (u64)function << 32 | object);
}

// downwards -------------------------------------------------------------------------

static void push_callees(Effects *self, FunctionId function) {
    const Program *program = self->analysis->program;
    const ProgramFunction *info = &program->functions.items[function];
    for (u32 c = 0; c < info->call_count; c++) {
        const CallSite *site = &program->calls.items[info->call + c];
        for (u32 t = 0; call_is_narrow(site) && t < site->target_count; t++) {
            bool fresh;
            map_put(&self->seen, program->targets.items[site->target + t], &fresh);
            if (fresh)
                array_push(&self->work, program->targets.items[site->target + t]);
        }
    }
}

static bool search(Effects *self, FunctionId function, ObjectId object) {
    map_clear(&self->seen);
    self->work.count = 0;
    array_push(&self->work, function);
    for (u32 i = 0; i < self->work.count; i++) {
        if (i >= STALE_CALLEES_MOST) {
            limit_reached(LIMIT_STALE_CALLEES_MOST);
            map_put(&self->wide, function, NULL);
            return is_above(self, function, object);
        }
        if (writes_itself(self, self->work.items[i], object))
            return true;
        push_callees(self, self->work.items[i]);
    }
    return false;
}

bool effects_write(Effects *self, FunctionId function, ObjectId object) {
    u32 *known = map_put(&self->memo, (u64)function << 32 | object, NULL);
    if (*known)
        return *known == 2;
    bool wide = map_get(&self->wide, function);
    bool writes = wide ? is_above(self, function, object) : search(self, function, object);
    *map_get(&self->memo, (u64)function << 32 | object) = writes ? 2 : 1;
    return writes;
}
