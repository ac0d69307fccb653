// features.c: which features there are (features.def), and what holds of every finding.
// In: a list, finished by its checks. Out: nothing, or a message about our own mistake.
#include "racerx/findings/findings.h"

enum {
#define KIND(name, word, shape, text) OF_##name = 1u << KIND_##name,
#include "racerx/findings/kinds.def"
#undef KIND
    OF_ALL = (1u << KIND_COUNT) - 1,
    OF_STALE = OF_STALE_CHECK | OF_STALE_COPY | OF_ESCAPED_OBJECT | OF_CHECK_THEN_ACT, // relied on after a lock
    OF_HELD = OF_ALL & ~(OF_RACE | OF_DEADLOCK | OF_STALE), // something happens with a lock held
};

static const struct {
    const char *name;
    u32 kinds; // OF_…
} rows[] = {
#define FEATURE(name, kinds, meaning) {#name, kinds},
#include "racerx/findings/features.def"
#undef FEATURE
};

bool feature_fits(const char *name, FindingKind kind) {
    for (u32 i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].name, name))
            return rows[i].kinds >> kind & 1;
    return false;
}

static void finding_check(const Finding *self) {
    if (self->kind >= KIND_COUNT || !self->sites.count || !self->message || !*self->message)
        die("a finding has no kind, no place or no message");
    for (u32 i = 0; i < self->features.count; i++)
        if (!feature_fits(self->features.items[i].name, self->kind))
            die("features.def does not say that a %s may have %s", kind_word(self->kind), self->features.items[i].name);
    for (u32 i = 0; i < self->sites.count; i++)
        if (self->sites.items[i].role >= ROLE_COUNT || !self->sites.items[i].file || !self->sites.items[i].function)
            die("place %u of a %s has no role, no file or no function", i, kind_word(self->kind));
}

void findings_check(const FindingList *self) {
    for (u32 i = 0; i < self->items.count; i++)
        finding_check(self->items.items[i]);
}
