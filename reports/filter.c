// filter.c: which findings a report is about.
// In: a list with its verdicts, and what the user asked for. Out: Finding.left_out; counts for the last line.
// Ranks count all findings, whatever is left out.
#include "reports/reports.h"

#include "annotators/host.h"

#include <fnmatch.h>

// Fatal for a word that is none of them.
static u32 known_word(const char *option, const char *word, const char *const *words) {
    for (u32 i = 0; words[i]; i++)
        if (!strcmp(words[i], word))
            return i;
    Buffer all = {0};
    for (u32 i = 0; words[i]; i++)
        buffer_format(&all, "%s%s", i ? ", " : "", words[i]);
    buffer_byte(&all, 0);
    char *shown = quote_path(word);
    const char *near = nearest_word(word, words);
    if (near)
        fatal("--%s: there is no '%s': did you mean '%s'?", option, shown, near);
    fatal("--%s: there is no '%s': it is one of %s", option, shown, (char *)all.bytes);
}

static u32 wanted_kinds(const FilterOptions *options) { // a bit for each
    const char *words[KIND_COUNT + 1] = {0};
    u32 wanted = 0;
    for (u32 i = 0; i < KIND_COUNT; i++)
        words[i] = kind_word((FindingKind)i);
    for (u32 i = 0; i < options->kind_count; i++)
        wanted |= 1u << known_word("kind", options->kinds[i], words);
    return wanted ? wanted : ~0u;
}

static u32 wanted_verdicts(const FilterOptions *options) {
    const char *words[VERDICT_COUNT + 1] = {"none"};
    u32 wanted = 0;
    for (u32 i = 1; i < VERDICT_COUNT; i++)
        words[i] = verdict_word((Verdict)i);
    for (u32 i = 0; i < options->verdict_count; i++)
        wanted |= 1u << known_word("verdict", options->verdicts[i], words);
    return wanted ? wanted : ~0u;
}

static Pattern *object_pattern(const char *text) {
    char reason[256];
    Pattern *pattern = text ? pattern_new(text, reason) : NULL;
    if (text && !pattern)
        fatal("--object: '%s' is no pattern: %s", quote_path(text), reason);
    return pattern;
}

static bool file_matches(const char *glob, const char *file) {
    const char *slash = strrchr(file, '/');
    return !fnmatch(glob, file, 0) || (slash && !fnmatch(glob, slash + 1, 0));
}

static bool is_in_files(const Finding *finding, const FilterOptions *options) {
    for (u32 g = 0; g < options->file_count; g++)
        for (u32 i = 0; i < finding->sites.count; i++)
            if (file_matches(options->files[g], finding->sites.items[i].file))
                return true;
    return !options->file_count;
}

static bool has_object(const Finding *finding, Pattern *pattern) {
    if (!pattern || pattern_matches(pattern, finding->object, (u32)strlen(finding->object)))
        return true;
    for (u32 i = 0; i < finding->objects.count; i++)
        if (pattern_matches(pattern, finding->objects.items[i], (u32)strlen(finding->objects.items[i])))
            return true;
    return false;
}

static Map ids_of(const FindingList *findings) {
    Map ids = {0};
    for (u32 i = 0; findings && i < findings->items.count; i++)
        map_put(&ids, strtoull(findings->items.items[i]->id, NULL, 16), NULL);
    return ids;
}

void filter_findings(FindingList *findings, const FilterOptions *options) {
    u32 kinds = wanted_kinds(options), verdicts = wanted_verdicts(options);
    Pattern *pattern = object_pattern(options->object);
    Map known = ids_of(options->known);
    for (u32 i = 0; i < findings->items.count; i++) {
        Finding *finding = findings->items.items[i];
        finding->left_out |= !(kinds >> finding->kind & 1) || !(verdicts >> finding->verdict & 1) ||
                             (options->group && strcmp(finding->group, options->group)) ||
                             !is_in_files(finding, options) || !has_object(finding, pattern) ||
                             map_get(&known, strtoull(finding->id, NULL, 16));
    }
    map_free(&known);
    if (pattern)
        pattern_free(pattern);
}

FindingCounts count_findings(const FindingList *findings, const ReportOptions *options) {
    FindingCounts counts = {0};
    EntryArray entries = {0};
    ReportOptions whole = *options;
    whole.most = 0;
    entries_make(findings, &whole, &entries);
    counts.entries = entries.count;
    array_free(&entries);
    for (u32 i = 0; i < findings->items.count; i++) {
        const Finding *finding = findings->items.items[i];
        if (finding_shown(finding, options)) {
            counts.listed++;
            counts.kinds[finding->kind]++;
            counts.verdicts[finding->verdict]++;
            counts.reviewed += finding->verdict != VERDICT_NONE;
        } else if (finding->left_out) {
            counts.left_out++;
        } else if (*finding->suppressed) {
            counts.suppressed++;
        } else {
            counts.below++;
        }
    }
    return counts;
}
