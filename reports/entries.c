// entries.c: what people read: findings of one cause are one entry.
// In: a sorted list, and which of it is shown. Out: an entry for each group that has something to show, at the rank of
// its best, and what its members have in common.
#include "reports/writer.h"

static int compare_entries(const void *left, const void *right) {
    const Entry *a = left, *b = right;
    return a->finding->rank < b->finding->rank ? -1 : a->finding->rank > b->finding->rank;
}

void entries_make(const FindingList *findings, const ReportOptions *options, EntryArray *out) {
    Map ranks = {0};
    for (u32 i = 0; i < findings->items.count; i++) {
        const Finding *finding = findings->items.items[i];
        bool is_new;
        if (!finding_shown(finding, options))
            continue;
        u32 *at = map_put(&ranks, options->unfolded ? (u64)i : (u64)finding->rank, &is_new);
        if (is_new) {
            *at = out->count;
            array_push(out, ((Entry){.finding = finding, .place = i}));
        } else
            out->items[*at].siblings++;
    }
    if (out->count && !options->unfolded) // the best of a group may not be shown, and a sibling stands for it
        qsort(out->items, out->count, sizeof(Entry), compare_entries);
    map_free(&ranks);
    u32 most = options->most && options->most < out->count ? options->most : out->count;
    out->count = most;
}

static const Site *story_of(const Finding *finding) { return finding->sites.count ? &finding->sites.items[0] : NULL; }

// How many functions from the root on two chains share.
static u32 common_calls(const Site *a, const Site *b, u32 most) {
    u32 i = 0;
    while (i < most && i < a->callchain.count && i < b->callchain.count &&
           !strcmp(a->callchain.items[i].function, b->callchain.items[i].function))
        i++;
    return i;
}

const char *entry_common(const FindingList *findings, const Entry *entry, const char **word) {
    const Finding *first = entry->finding;
    const Site *story = story_of(first);
    u32 calls = story ? story->callchain.count : 0;
    bool function = true, lock = *first->lock;
    for (u32 i = 0; i < findings->items.count; i++) {
        const Finding *other = findings->items.items[i];
        if (other->rank != first->rank || other == first)
            continue;
        function &= !strcmp(other->function, first->function) && !strcmp(other->file, first->file);
        lock &= !strcmp(other->lock, first->lock);
        calls = story && story_of(other) ? common_calls(story, story_of(other), calls) : 0;
    }
    *word = function ? "in" : calls ? "below" : "under";
    return function ? first->function : calls ? story->callchain.items[calls - 1].function : lock ? first->lock : "";
}

void share_text(double share, char out[16]) {
    static const u32 rare[] = {10, 15, 20, 25, 30, 50, 100, 200, 500, 1000};
    enum { RARE = sizeof rare / sizeof *rare };
    double odds = share < 0.5 ? share : 1 - share; // of the rarer of the two
    u32 i = 0;
    *out = 0;
    if (share < 0)
        return;
    while (i + 1 < RARE && odds * odds * rare[i] * rare[i + 1] < 1) // the next one is nearer
        i++;
    u32 of = rare[i], mine = i ? 1 : (u32)(odds * 10 + 0.5);
    snprintf(out, 16, "%u in %u", share < 0.5 ? mine : of - mine, of);
}
