// effects.c: may a function, or one it calls, write an object?
// In: accesses, the call graph. Out: answers, each worked out once, by a search of bounded size: what is too far to see
// is thought to write (a fact that may have been renewed makes no finding).
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
            return true;
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
    bool writes = search(self, function, object);
    *map_get(&self->memo, (u64)function << 32 | object) = writes ? 2 : 1;
    return writes;
}
