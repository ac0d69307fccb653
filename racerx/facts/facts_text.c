// facts_text.c: places, locksets and skeletons as text, for `racerx dump --skeleton` and who else shows a boundary.
// In: Facts. Out: lines. Nothing is decided here, and nothing that is kept is left out.
#include "racerx/facts/analysis.h"

// places --------------------------------------------------------------------------

static void root_text(const Analysis *self, const Path *root, Buffer *out) {
    static const char *const words[] = {[ROOT_UNKNOWN] = "?",    [ROOT_PARAM] = "parameter ", [ROOT_LOCAL] = "local ",
                                        [ROOT_RESULT] = "call ", [ROOT_OUTER] = "outer ",     [ROOT_STACK] = "stack "};
    if (root->root == ROOT_GLOBAL)
        buffer_text(out, program_text(self->program, self->program->globals.items[root->step].name));
    else if (root->root == ROOT_RESULT && root->step == UINT32_MAX)
        buffer_text(out, "result");
    else
        buffer_format(out, "%s%u", words[root->root], root->step);
}

void step_text(const Analysis *self, u32 step, Buffer *out) {
    u32 name = step_name(step);
    if (step_is_up(step))
        buffer_format(out, "^%s", program_text(self->program, name & ~STEP_UP));
    else if (step_is_owned(name))
        buffer_text(out, name == STEP_OWN ? "[own]" : name & STEP_TICKET ? "[drawn]" : "[own part]");
    else if (name >= STEP_INDEXED)
        (name & STEP_NAMED) == STEP_NAMED ? buffer_format(out, "[%s]", program_text(self->program, name & ~STEP_NAMED))
                                          : buffer_format(out, "[%u]", name & ~STEP_INDEXED);
    else if (name <= STEP_ELEMENT)
        buffer_text(out, name ? "[]" : "*");
    else
        buffer_format(out, "%s%s", step_is_pointer(step) ? "->" : ".", program_text(self->program, name));
}

void path_text(const Analysis *self, PathId path, Buffer *out) {
    u32 steps[DEEPEST_PATH + 1], count = 0;
    if (!path) {
        buffer_text(out, "?");
        return;
    }
    for (; self->paths.paths.items[path].parent && count <= DEEPEST_PATH; path = self->paths.paths.items[path].parent)
        steps[count++] = self->paths.paths.items[path].step;
    root_text(self, &self->paths.paths.items[path], out);
    while (count)
        step_text(self, steps[--count], out);
}

// locksets ------------------------------------------------------------------------

static void held_text(const Analysis *self, const Held *held, Buffer *out) {
    static const struct {
        u16 flag;
        const char *word;
    } words[] = {{HELD_SHARED, "reader"},         {HELD_TRY, "try"},           {HELD_ASSURED, "assured"},
                 {HELD_OUTER, "outer"},           {HELD_ASSERTED, "asserted"}, {HELD_YIELDS, "yields"},
                 {HELD_EVERYWHERE, "everywhere"}, {HELD_VAGUE, "vague"},       {HELD_LOOKS, "looks"},
                 {HELD_DOUBTED, "doubted"}};
    buffer_text(out, class_text(self, held->class));
    if (held->path) {
        buffer_text(out, "=");
        path_text(self, held->path, out);
    }
    if (held->count > 1)
        buffer_format(out, " x%u", held->count);
    for (u32 i = 0; i < sizeof words / sizeof *words; i++)
        if (held->flags & words[i].flag)
            buffer_format(out, " %s", words[i].word);
}

void lockset_text(const Analysis *self, LocksetId set, Buffer *out) {
    u32 count;
    const Held *held = lockset_held(&self->locksets, set, &count);
    buffer_text(out, "{");
    for (u32 i = 0; i < count; i++) {
        buffer_text(out, i ? ", " : "");
        held_text(self, &held[i], out);
    }
    buffer_text(out, "}");
}

// accesses ------------------------------------------------------------------------

void access_text(const Analysis *self, const Access *access, Buffer *out) {
    static const struct {
        u16 flag;
        const char *word;
    } words[] = {{ACCESSED_ATOMIC, "atomic"},     {ACCESSED_ONCE, "once"},     {ACCESSED_CHOSEN, "chosen"},
                 {ACCESSED_UNSHARED, "unshared"}, {ACCESSED_LOWERS, "lowers"}, {ACCESSED_RAISES, "raises"},
                 {ACCESSED_HANDED, "handed"},     {ACCESSED_CALL, "call"}};
    buffer_text(out, access->flags & ACCESSED_UPDATE  ? "update "
                     : access->flags & ACCESSED_WRITE ? "write "
                     : access->flags & ACCESSED_READ  ? "read "
                                                      : "touch ");
    if (access->object)
        shared_object_name(self, access->object, out);
    else
        buffer_format(out, "what parameter %d points to", access->param - 1);
    buffer_text(out, " at ");
    path_text(self, access->path, out);
    for (u32 i = 0; i < sizeof words / sizeof *words; i++)
        if (access->flags & words[i].flag)
            buffer_format(out, " %s", words[i].word);
    if (access->fresh == FRESH_YES)
        buffer_text(out, " fresh");
    else if (access->fresh)
        buffer_format(out, " fresh with parameter %d", access->fresh - FRESH_PARAM);
}

// skeletons -----------------------------------------------------------------------

static const char *const step_words[] = {
    [STEP_LOCK] = "lock",         [STEP_CALL] = "call",   [STEP_SET] = "set",       [STEP_STORE] = "store",
    [STEP_BLOCK] = "block",       [STEP_JOIN] = "join",   [STEP_ACCESS] = "access", [STEP_ALLOC] = "alloc",
    [STEP_PUBLISH] = "publish",   [STEP_SPAWN] = "spawn", [STEP_SIGNAL] = "signal", [STEP_ENDED] = "has ended",
    [STEP_FOLLOWED] = "followed", [STEP_FILL] = "fill",
};

static void signs_text(u8 mask, Buffer *out) {
    buffer_format(out, "%s%s%s", mask & VALUE_NEGATIVE ? "<" : "", mask & VALUE_ZERO ? "0" : "",
                  mask & VALUE_POSITIVE ? ">" : "");
}

static void targets_text(const Analysis *self, u32 call, Buffer *out) {
    const CallSite *site = &self->program->calls.items[call];
    for (u32 i = 0; i < site->target_count && i < 4; i++) {
        FunctionId target = self->program->targets.items[site->target + i];
        buffer_format(out, "%s%s", i ? ", " : " ",
                      program_text(self->program, self->program->functions.items[target].name));
    }
    if (site->target_count > 4)
        buffer_format(out, " and %u more", site->target_count - 4);
    if (!site->target_count)
        buffer_text(out, " nobody in sight");
}

static const char *const effect_words[] = {
    [EFFECT_ACQUIRE] = "acquire",
    [EFFECT_RELEASE] = "release",
    [EFFECT_WAIT] = "wait with",
};

static void operations_text(const Analysis *self, const SkeletonStep *step, Buffer *out) {
    for (u32 i = 0; i < step->effect_count; i++) {
        const LockOperation *operation = &self->operations.items[step->effect + i];
        u8 kind = operation->effect->kind;
        const char *word = kind < sizeof effect_words / sizeof *effect_words ? effect_words[kind] : NULL;
        buffer_format(out, "%s%s %s=", i ? "; " : " ", word ? word : "change", class_text(self, operation->class));
        path_text(self, operation->path, out);
        buffer_text(out, operation->effect->flags & LOCK_TRY ? " try" : "");
    }
}

static void set_text(const Analysis *self, const SkeletonStep *step, Buffer *out) {
    buffer_format(out, " e%u to ", step->expr);
    if (step->source)
        buffer_format(out, "e%u", step->source);
    else
        signs_text(step->discard == COMPARES_CHOICE ? VALUE_ANY : value_signs(&self->values, step->effect), out);
}

static void skeleton_step_text(const Analysis *self, const SkeletonStep *step, Buffer *out) {
    buffer_format(out, "    %u:%u %s", step->place.line, step->place.column, step_words[step->kind]);
    if (step->kind == STEP_LOCK)
        operations_text(self, step, out);
    else if (step->kind == STEP_SET || step->kind == STEP_STORE)
        set_text(self, step, out);
    else if (step->kind == STEP_SIGNAL)
        buffer_format(out, " %s", class_text(self, step->effect));
    else if (step->kind == STEP_SPAWN && self->spawns.items[step->effect].class)
        buffer_format(out, " %s", class_text(self, self->spawns.items[step->effect].class));
    for (u32 i = 0; step->kind == STEP_ACCESS && i < step->effect_count; i++) {
        buffer_text(out, i ? "; " : " ");
        access_text(self, &self->accesses.items[step->effect + i], out);
    }
    for (u32 i = 0; step->kind == STEP_ENDED && i < step->effect_count; i++)
        buffer_format(out, " %s", class_text(self, self->ended.items[step->effect + i]));
    if (step->call != NO_ID && step->kind == STEP_CALL)
        targets_text(self, step->call, out);
    buffer_text(out, step->cleanup ? " (at the end of its scope)\n" : "\n");
}

static void block_end_text(const Analysis *self, const Skeleton *skeleton, const SkeletonBlock *block, Buffer *out) {
    if (block->term == TERM_RETURN) {
        buffer_format(out, "    %u:%u return ", block->place.line, block->place.column);
        signs_text(value_signs(&self->values, block->return_source ? VALUE_ANY : block->return_value), out);
        buffer_text(out, "\n");
        return;
    }
    buffer_text(out, "    to");
    for (u32 i = 0; i < block->successor_count; i++)
        buffer_format(out, " b%u", skeleton->successors[block->successor + i]);
    if (block->subject && !block->idle && block->successor_count == 2) {
        buffer_format(out, " by e%u: ", block->subject);
        signs_text(value_signs(&self->values, block->yes), out);
        buffer_text(out, " or ");
        signs_text(value_signs(&self->values, block->no), out);
    }
    buffer_text(out, "\n");
}

void skeleton_text(const Analysis *self, FunctionId function, Buffer *out) {
    const Skeleton *skeleton = &self->skeletons[function];
    buffer_format(out, "skeleton of %s: %u steps%s\n",
                  program_text(self->program, self->program->functions.items[function].name), skeleton->step_count,
                  skeleton->relevant ? "" : ", none concerns locks");
    for (u32 b = 0; b < skeleton->block_count; b++) {
        const SkeletonBlock *block = &skeleton->blocks[b];
        buffer_format(out, "  b%u\n", b);
        for (u32 i = 0; i < block->step_count; i++)
            skeleton_step_text(self, &skeleton->steps[block->step + i], out);
        block_end_text(self, skeleton, block, out);
    }
}
