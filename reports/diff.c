// diff.c: the findings of two runs, by id: what is new, what is gone, what moved across the line.
// In: two sorted lists with their verdicts. Out: differences; as text, or as JSON lines with a key "change".
#include "reports/writer.h"

static const struct {
    const char *word, *heading;
} changes[CHANGE_COUNT] = {
    [CHANGE_NEW] = {"new", "New"},
    [CHANGE_RISEN] = {"risen", "Shown now, and not before"},
    [CHANGE_FIXED] = {"fixed", "Fixed, or not found any more"},
    [CHANGE_SUNK] = {"sunk", "Found still, and not shown any more"},
    [CHANGE_SAME] = {"same", "The same"},
};

static u64 id_number(const Finding *finding) { return strtoull(finding->id, NULL, 16); }

static Map index_ids(const FindingList *findings) { // id -> index + 1
    Map map = {0};
    for (u32 i = 0; i < findings->items.count; i++)
        *map_put(&map, id_number(findings->items.items[i]), NULL) = i + 1;
    return map;
}

static const Finding *look_up(const FindingList *findings, const Map *ids, const Finding *like) {
    const u32 *found = map_get(ids, id_number(like));
    return found ? findings->items.items[*found - 1] : NULL;
}

static bool is_shown(const Finding *finding) { return !finding->below_line && !*finding->suppressed; }

// comparing -----------------------------------------------------------------------

static Change change_of(const Finding *after, const Finding *before, bool all) {
    if (!before)
        return CHANGE_NEW;
    if (all || is_shown(after) == is_shown(before))
        return CHANGE_SAME;
    return is_shown(after) ? CHANGE_RISEN : CHANGE_SUNK;
}

static int compare_differences(const void *left, const void *right) {
    const Difference *a = left, *b = right;
    if (a->change != b->change)
        return a->change < b->change ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

void compare_runs(const FindingList *before, const FindingList *after, bool all, DifferenceArray *out) {
    Map then = index_ids(before), now = index_ids(after);
    for (u32 i = 0; i < after->items.count; i++) {
        const Finding *finding = after->items.items[i], *known = look_up(before, &then, finding);
        if (all || is_shown(finding) || (known && is_shown(known)))
            array_push(out, ((Difference){change_of(finding, known, all), finding, known, i}));
    }
    for (u32 i = 0; i < before->items.count; i++) {
        const Finding *finding = before->items.items[i];
        if (!look_up(after, &now, finding) && (all || is_shown(finding)))
            array_push(out, ((Difference){CHANGE_FIXED, finding, finding, i}));
    }
    if (out->count)
        qsort(out->items, out->count, sizeof *out->items, compare_differences);
    map_free(&then);
    map_free(&now);
}

u32 subtract_baseline(FindingList *findings, const FindingList *baseline, const ReportOptions *options) {
    Map known = index_ids(baseline);
    u32 left = 0;
    for (u32 i = 0; i < findings->items.count; i++) {
        Finding *finding = findings->items.items[i];
        finding->left_out |= look_up(baseline, &known, finding) || finding->verdict == VERDICT_FALSE ||
                             finding->verdict == VERDICT_MINOR;
        left += finding_shown(finding, options) && !*finding->suppressed;
    }
    map_free(&known);
    return left;
}

// printing ------------------------------------------------------------------------

// Why it is shown now, or is not any more.
static void put_reason(Writer *self, const Difference *difference) {
    const Finding *hidden = difference->change == CHANGE_RISEN ? difference->before : difference->finding;
    writer_line(self, 6, "", STYLE_PLAIN);
    if (*hidden->suppressed) {
        writer_text(self, STYLE_FAINT,
                    difference->change == CHANGE_RISEN ? "it was suppressed: " : "it is suppressed: ");
        writer_text(self, STYLE_FAINT, hidden->suppressed);
    } else {
        writer_format(self, STYLE_FAINT, "it %s below the line: score %.4g, %s %.4g",
                      difference->change == CHANGE_RISEN ? "was" : "is", difference->finding->score, "before",
                      difference->before->score);
    }
    writer_end(self);
}

static void put_changes(Writer *self, const DifferenceArray *all, Change change, u32 most) {
    ListColumns columns = {0};
    u32 count = 0;
    for (u32 i = 0; i < all->count; i++)
        if (all->items[i].change == change && (!most || count < most)) {
            list_columns_add(&columns, &(Entry){.finding = all->items[i].finding});
            count++;
        }
    if (!count)
        return;
    list_columns_fit(&columns, self->width);
    writer_line(self, 0, "", STYLE_PLAIN);
    writer_text(self, STYLE_STRONG, changes[change].heading);
    writer_end(self);
    for (u32 i = 0; i < all->count && count; i++) {
        if (all->items[i].change != change)
            continue;
        list_row(self, &columns, &(Entry){.finding = all->items[i].finding});
        if (change == CHANGE_RISEN || change == CHANGE_SUNK)
            put_reason(self, &all->items[i]);
        count--;
    }
    buffer_byte(self->out, '\n');
}

static void put_summary(Writer *self, const DifferenceArray *all) {
    u32 counts[CHANGE_COUNT] = {0};
    for (u32 i = 0; i < all->count; i++)
        counts[all->items[i].change]++;
    writer_line(self, 0, "", STYLE_PLAIN);
    writer_format(self, STYLE_STRONG, "%u new, %u fixed, %u same", counts[CHANGE_NEW], counts[CHANGE_FIXED],
                  counts[CHANGE_SAME]);
    if (counts[CHANGE_RISEN])
        writer_format(self, STYLE_PLAIN, "; %u shown now that %s found before, too", counts[CHANGE_RISEN],
                      counts[CHANGE_RISEN] == 1 ? "was" : "were");
    if (counts[CHANGE_SUNK])
        writer_format(self, STYLE_PLAIN, "; %u not shown any more that %s found still", counts[CHANGE_SUNK],
                      counts[CHANGE_SUNK] == 1 ? "is" : "are");
    writer_end(self);
}

void report_diff(const DifferenceArray *differences, const ReportOptions *options, bool jsonl, Buffer *out) {
    Writer writer = {.out = out, .width = options->width ? options->width : 80, .colour = options->colour};
    for (u32 i = 0; jsonl && i < differences->count; i++) {
        char change[40];
        snprintf(change, sizeof change, "\"change\":\"%s\",", changes[differences->items[i].change].word);
        jsonl_finding(out, differences->items[i].finding, change);
    }
    for (u32 i = 0; !jsonl && i < CHANGE_COUNT; i++)
        if (i != CHANGE_SAME || options->all)
            put_changes(&writer, differences, (Change)i, options->most);
    if (!jsonl)
        put_summary(&writer, differences);
    writer_free(&writer);
}
