// history_begin.c: what a signal begins with, and whether a lock goes with it.
// In: signals by name, initialisers, samples. Out: Signal.zero, .tokens, .locked. The idea: nobody has waited for what
// was there from the start; and who sees a flag under the lock that it is raised under sees all that was done before
// that lock was let go.
#include "racerx/check/history.h"

// What a semaphore begins with, all elements of an array together.
static i32 tokens_of(const Analysis *analysis, ClassId class) {
    i32 tokens = NO_TOKENS;
    for (u32 i = 0; i < analysis->inits.count; i++) {
        const LockInit *init = &analysis->inits.items[i];
        const Path *path = &analysis->paths.paths.items[init->path];
        bool element = init->path && path->depth && path->step >> 30 && !step_is_up(path->step);
        if (!class_covers(analysis, class, init->class))
            continue;
        if (init->tokens == NO_TOKENS || (tokens != NO_TOKENS && !element && tokens != init->tokens))
            return NO_TOKENS;
        tokens = tokens != NO_TOKENS && element ? tokens + init->tokens : init->tokens;
    }
    return tokens;
}

// What a global begins with, as far as it is a number.
static bool begins_with(const Analysis *analysis, GlobalId id, i64 *out) {
    const ProgramGlobal *global = &analysis->program->globals.items[id];
    *out = 0;
    if (!(global->flags & DECL_INITIALISED) || (global->flags & DECL_ZERO))
        return true;
    const ProgramFile *file = &analysis->program->files.items[global->file];
    const Global *one = global->function == NO_ID && global->index < file->tree.globals.count
                            ? &file->tree.globals.items[global->index]
                            : NULL;
    if (!one || one->init_count != 1 || file->tree.inits.items[one->init].step_count)
        return false;
    const Expr *value = &file->tree.exprs.items[file->tree.inits.items[one->init].value];
    return value->kind == EXPR_NAME && constant_named(analysis, global->file, file->names[value->a], out);
}

// Does it begin with nothing posted? A semaphore as its init says; a flag that no initialiser speaks of.
static void fill_zero(Histories *self) {
    const Analysis *analysis = self->analysis;
    for (u32 s = 0; s < self->signals.count; s++) {
        Signal *signal = &self->signals.items[s];
        signal->zero = signal->kind != SIGNAL_SEMAPHORE;
        signal->tokens = signal->kind == SIGNAL_SEMAPHORE ? tokens_of(analysis, signal->key) : NO_TOKENS;
        bool known = false;
        for (u32 i = 0; signal->kind == SIGNAL_SEMAPHORE && i < analysis->inits.count; i++)
            if (analysis->inits.items[i].class == signal->key) {
                signal->zero = (!known || signal->zero) && analysis->inits.items[i].count == VALUE_ZERO;
                known = true;
            }
        u32 flag = signal->kind == SIGNAL_STATE ? signal->flag : signal->key;
        bool global = (signal->kind == SIGNAL_FLAG || signal->kind == SIGNAL_STATE) && !(flag & FLAG_MEMBER);
        i64 first = 0;
        if (global)
            signal->zero = begins_with(analysis, flag, &first);
        if (signal->kind == SIGNAL_STATE)
            signal->zero &= signal->least ? signal->value > first : signal->value != first;
        else
            signal->zero &= !first;
    }
}

// A flag or count that is only ever touched with a lock held.
static void fill_locked(Histories *self) {
    const Analysis *analysis = self->analysis;
    Map whole = {0};
    for (u32 i = 0; i < analysis->samples.count; i++) {
        const Sample *sample = &analysis->samples.items[i];
        if ((analysis->objects.items[sample->object].flags & SHARED_ATOMIC) ||
            (analysis->accesses.items[sample->access].flags & (ACCESSED_ATOMIC | ACCESSED_ONCE)))
            map_put(&whole, flag_key(analysis, sample->object), NULL);
    }
    for (u32 s = 0; s < self->signals.count; s++) {
        Signal *signal = &self->signals.items[s];
        u32 key = signal->kind == SIGNAL_STATE ? signal->flag : signal->key;
        signal->locked =
            (signal->kind == SIGNAL_STATE || signal->kind == SIGNAL_FLAG || signal->kind == SIGNAL_COUNT) &&
            !map_get(&whole, key);
    }
    map_free(&whole);
}

void fill_begun(Histories *self) {
    fill_zero(self);
    fill_locked(self);
}
