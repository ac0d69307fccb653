// marks.c: the words for marks, and what follows from them.
// In: what annotators said of functions. Out: marks by equivalence, roots, contexts; answers about pairs.
// The idea (RacerX's function pointer equivalence): functions that are stored in the same place are called by the same
// callers, so what is said of one holds for the others, unless something else was said of those.
// Invariant: what is shared comes from what was said or registered, never from what was itself shared, so that neither
// order nor chains of places show.
#include "racerx/mark/annotate.h"

#define SHARED_MARKS (MARK_MULTITHREADED | MARK_SINGLE_THREADED | MARK_INTERRUPT_HANDLER)

const MarkRow mark_rows[] = {
#define MARK(name, bit, word, uses, excludes, context, meaning) {MARK_##name, word, uses, excludes, context},
#include "racerx/link/marks.def"
#undef MARK
    {0},
};

// words -----------------------------------------------------------------------

static const struct {
    u32 flag;
    const char *word;
} flag_words[] = {
    {DECL_STATIC, "static"},         {DECL_INLINE, "inline"},         {DECL_ALTERNATIVE, "alternative"},
    {DECL_FROM_MACRO, "from-macro"}, {DECL_INCOMPLETE, "incomplete"},
};

const char *mark_word_at(u32 flags, u32 contexts, u32 marks, u32 n) {
    u32 shown = contexts; // a mark and a context of the same word are shown once
    for (const MarkRow *row = mark_rows; row->mark; row++)
        shown |= marks & row->mark && row->context != CONTEXT_NONE ? 1u << row->context : 0;
    for (u32 i = 0; i < sizeof flag_words / sizeof *flag_words; i++)
        if (flags & flag_words[i].flag && !n--)
            return flag_words[i].word;
    if (contexts && !n--)
        return "root";
    for (u32 bit = CONTEXT_THREAD; bit <= CONTEXT_CALL; bit++)
        if (shown >> bit & 1 && !n--)
            return context_word((Context)bit);
    for (const MarkRow *row = mark_rows; row->mark; row++)
        if (marks & row->mark && row->uses & MARKS_SHOWN && !n--)
            return row->word;
    return NULL;
}

// equivalence -----------------------------------------------------------------

// What a function passes on: what was said of it, and that it does nothing but serve interrupts.
static u32 passes_on(const ProgramFunction *function, u32 said) {
    u32 marks = function->marks & said & SHARED_MARKS;
    if (function->contexts == 1u << CONTEXT_INTERRUPT)
        marks |= MARK_INTERRUPT_HANDLER;
    return marks;
}

static u32 excluded_by(u32 mark) {
    for (const MarkRow *row = mark_rows; row->mark; row++)
        if (row->mark == mark)
            return row->excludes;
    return 0;
}

// Which of the marks a function takes over: none that it has, or that contradicts what is known of it.
static u32 takes_over(const ProgramFunction *function, u32 said, u32 marks) {
    const u32 harmless = 1u << CONTEXT_NONE | 1u << CONTEXT_INIT | 1u << CONTEXT_EXIT;
    u32 taken = 0;
    for (u32 mark = MARK_MULTITHREADED; mark <= MARK_INTERRUPT_HANDLER; mark <<= 1)
        if (marks & mark && !(function->marks & mark) && !(said & (mark | excluded_by(mark))))
            taken |= mark;
    if (function->marks & (MARK_INIT | MARK_EXIT))
        taken = 0;
    if (function->contexts & ~harmless)
        taken &= ~(u32)MARK_SINGLE_THREADED;
    if (function->contexts >> CONTEXT_INTERRUPT & 1)
        taken &= ~(u32)MARK_INTERRUPT_HANDLER;
    return taken;
}

// Of marks from several functions: those that agree.
static u32 agreeing(u32 marks) {
    bool contradict = marks & MARK_SINGLE_THREADED && marks & MARKS_PARALLEL;
    return contradict ? marks & MARK_INTERRUPT_HANDLER : marks;
}

static void share_marks(Program *self, const u32 *said) {
    u32 *given = must_zero(sizeof(u32) * ((size_t)self->functions.count + 1));
    for (u32 i = 0; i < self->fields.count; i++) {
        const StoredField *field = &self->fields.items[i];
        const u32 *functions = self->stored.items + field->first;
        u32 marks = 0;
        for (u32 f = 0; f < field->count; f++)
            marks |= passes_on(&self->functions.items[functions[f]], said[functions[f]]);
        for (u32 f = 0; agreeing(marks) && f < field->count; f++)
            given[functions[f]] |=
                takes_over(&self->functions.items[functions[f]], said[functions[f]], agreeing(marks));
    }
    for (u32 f = 0; f < self->functions.count; f++) {
        u32 marks =
            given[f] & MARKS_PARALLEL ? given[f] & MARKS_PARALLEL : given[f]; // two places that contradict each other
        if (marks)
            self->functions.items[f].marks |= marks | MARK_BY_EQUIVALENCE;
    }
    free(given);
}

// roots -----------------------------------------------------------------------

static void settle_root(ProgramFunction *function) {
    const u32 unknown = 1u << CONTEXT_NONE;
    if (function->marks & MARK_INTERRUPT_HANDLER)
        function->contexts = (function->contexts & ~unknown) | 1u << CONTEXT_INTERRUPT;
    if (function->marks & MARK_MULTITHREADED) {
        if (!(function->contexts & ~unknown))
            function->contexts = 1u << CONTEXT_THREAD;
        function->marks &= ~(u32)MARK_THREAD_ONCE;
    }
    if (function->marks & MARK_INIT &&
        (function->contexts == unknown || function->marks & MARK_THREAD_ONCE)) // a main, too
        function->contexts = 1u << CONTEXT_INIT;
    if (function->contexts)
        function->marks |= MARK_ROOT;
    else if (function->marks & MARK_ROOT) // its only context was taken from it: it stays a root, or nobody walks it
        function->contexts = unknown;
}

// What makes objects ------------------------------------------------------------

// Is it called at all, and by nobody but functions that make an object?
static bool only_attaches(const Program *self, const ProgramFunction *function) {
    for (u32 i = 0; i < function->caller_count; i++)
        if (!(self->functions.items[self->callers.items[function->caller + i]].marks & MARK_ATTACH))
            return false;
    return function->caller_count && !function->contexts;
}

// What only they call is part of making the object. Each round goes one call down, until nothing is added.
static void share_attach(Program *self) {
    for (bool changed = true; changed;) {
        changed = false;
        for (u32 f = self->functions.count; f-- > 0;) {
            ProgramFunction *function = &self->functions.items[f];
            if (function->marks & MARK_ATTACH || !only_attaches(self, function))
                continue;
            function->marks |= MARK_ATTACH;
            changed = true;
        }
    }
}

// What is offered -----------------------------------------------------------------

// Is it for others to call, and called by tests alone? Who calls a library is elsewhere, whether or not its tests are
// here; with what threads, the tests do not say.
static bool is_offered(const Program *self, const ProgramFunction *function) {
    const u32 aside = MARK_TEST | MARK_IGNORED | MARK_SINGLE_THREADED | MARK_INIT | MARK_EXIT | MARK_DEAD;
    if (function->contexts || function->marks & aside || function->flags & (DECL_STATIC | DECL_ALTERNATIVE))
        return false;
    for (u32 i = 0; i < function->caller_count; i++)
        if (!(self->functions.items[self->callers.items[function->caller + i]].marks & MARK_TEST))
            return false;
    return function->caller_count;
}

static void start_offered(Program *self) {
    for (u32 f = 0; f < self->functions.count; f++)
        if (is_offered(self, &self->functions.items[f]))
            self->functions.items[f].contexts = 1u << CONTEXT_NONE;
}

void settle_marks(Program *self, const u32 *said) {
    share_marks(self, said);
    share_attach(self);
    start_offered(self);
    forget_stubs(self);
    self->stats.roots = 0;
    for (u32 f = 0; f < self->functions.count; f++) {
        settle_root(&self->functions.items[f]);
        self->stats.roots += (self->functions.items[f].marks & MARK_ROOT) != 0;
    }
}

// pairs -----------------------------------------------------------------------

static u32 first_membership(const Program *self, FunctionId function) {
    u32 low = 0, high = self->never_parallel_lists.count;
    while (low < high) {
        u32 middle = low + (high - low) / 2;
        if (self->never_parallel_lists.items[middle].function < function)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

typedef struct {
    bool found, free; // free: whatever the arguments
    i32 f, g;
} PairAnswer;

// The next rule from both places on that has both functions; false: there is none.
static bool next_common(const Program *self, FunctionId f, FunctionId g, u32 *a, u32 *b) {
    const NeverParallelMember *all = self->never_parallel_lists.items;
    u32 end = self->never_parallel_lists.count;
    while (*a < end && *b < end && all[*a].function == f && all[*b].function == g) {
        if (all[*a].rule == all[*b].rule)
            return true;
        *(all[*a].rule < all[*b].rule ? a : b) += 1;
    }
    return false;
}

bool program_roots_apart(const Program *self, FunctionId f, FunctionId g) {
    const NeverParallelMember *all = self->never_parallel_lists.items;
    u32 a = first_membership(self, f), b = first_membership(self, g);
    for (; next_common(self, f, g, &a, &b); a++, b++)
        if (self->never_parallel.items[all[a].rule].roots &&
            ((all[a].lists & 1 && all[b].lists & 2) || (all[a].lists & 2 && all[b].lists & 1)))
            return true;
    return false;
}

static void answer_pair(PairAnswer *self, i32 f, i32 g) {
    if (self->found && (self->free || f || g))
        return;
    *self = (PairAnswer){true, !f && !g, f, g};
}

bool program_never_parallel(const Program *self, FunctionId f, FunctionId g, i32 *f_argument, i32 *g_argument) {
    const NeverParallelMember *all = self->never_parallel_lists.items;
    u32 a = first_membership(self, f), b = first_membership(self, g);
    PairAnswer answer = {0};
    for (; next_common(self, f, g, &a, &b); a++, b++) {
        const NeverParallel *rule = &self->never_parallel.items[all[a].rule];
        if (rule->roots)
            continue;
        if (all[a].lists & 1 && all[b].lists & 2)
            answer_pair(&answer, rule->f_argument, rule->g_argument);
        if (all[a].lists & 2 && all[b].lists & 1)
            answer_pair(&answer, rule->g_argument, rule->f_argument);
    }
    *f_argument = answer.f;
    *g_argument = answer.g;
    return answer.found;
}
