// findings.c: the list of findings: filling it, naming each for good, sorting it.
// In: what the checks found, in any order. Out: rows in one order, each with an id.
//
// The id must be the same tomorrow, when lines have moved and other findings came or went: it is made of
// names only, of what makes the finding what it is: its kind, what it is about, the functions it is in. Where several
// have the same names the directory tells them apart, and in one file (one function does it twice) the order of their
// places. Invariant: after findings_sort() ids are unique, scores finite, and the order depends on nothing but the
// contents.
#include "racerx/findings/findings.h"

#include <math.h>

// words -----------------------------------------------------------------------

static const struct {
    const char *word, *text;
    u32 shape;
} kinds[KIND_COUNT] = {
#define KIND(name, word, shape, text) [KIND_##name] = {word, text, shape},
#include "racerx/findings/kinds.def"
#undef KIND
};
static const struct {
    const char *word, *verb;
} roles[ROLE_COUNT] = {
#define ROLE(name, word, verb) [ROLE_##name] = {word, verb},
#include "racerx/findings/roles.def"
#undef ROLE
};

static const struct {
    const char *word, *text;
} verdicts[VERDICT_COUNT] = {
    [VERDICT_NONE] = {"", "not reviewed"},
#define VERDICT(name, word, text) [VERDICT_##name] = {word, text},
#include "racerx/findings/verdicts.def"
#undef VERDICT
};

const char *verdict_word(Verdict verdict) { return verdicts[verdict].word; }
const char *verdict_text(Verdict verdict) { return verdicts[verdict].text; }

bool verdict_by_word(const char *word, Verdict *out) {
    for (u32 i = 0; i < VERDICT_COUNT; i++)
        if (!strcmp(verdicts[i].word, word)) {
            *out = (Verdict)i;
            return true;
        }
    return false;
}

const char *kind_word(FindingKind kind) { return kinds[kind].word; }
const char *kind_text(FindingKind kind) { return kinds[kind].text; }
bool kind_has(FindingKind kind, u32 shapes) { return (kinds[kind].shape & shapes) != 0; }
const char *role_word(SiteRole role) { return roles[role].word; }
const char *role_verb(SiteRole role) { return roles[role].verb; }

// filling ---------------------------------------------------------------------

void findings_begin(FindingList *self) { *self = (FindingList){0}; }

void findings_free(FindingList *self) {
    arena_free(&self->arena);
    array_free(&self->items);
    findings_forget_texts(self);
    *self = (FindingList){0};
}

void findings_forget_texts(FindingList *self) {
    map_free(&self->texts);
    array_free(&self->kept);
}

// Long ones say something about one finding only.
#define TEXT_SHARED_MOST 200

static const char *keep(FindingList *self, const char *text) {
    if (!text || !*text)
        return "";
    size_t length = strlen(text);
    if (length > TEXT_SHARED_MOST)
        return arena_copy(&self->arena, text, length);
    u32 *known = map_put(&self->texts, hash_bytes(text, length, 0), NULL);
    if (*known && !strcmp(self->kept.items[*known - 1], text))
        return self->kept.items[*known - 1];
    const char *copy = arena_copy(&self->arena, text, length);
    if (!*known) {
        array_push(&self->kept, copy);
        *known = self->kept.count;
    }
    return copy;
}

const char *findings_text(FindingList *self, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    check(length >= 0);
    char *text = arena_alloc(&self->arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

// What they grow out of is not used again: who knows how many there will be says so.
static void *rows_grow(FindingList *self, void *items, u32 count, u32 *capacity, u32 wanted, size_t size) {
    void *grown = arena_alloc(&self->arena, size * wanted);
    if (count)
        memcpy(grown, items, size * count);
    *capacity = wanted;
    return grown;
}
#define rows_reserve(self, rows, wanted)                                                                               \
    ((rows)->items =                                                                                                   \
         rows_grow((self), (rows)->items, (rows)->count, &(rows)->capacity, (wanted), sizeof *(rows)->items))
#define rows_push(self, rows, value)                                                                                   \
    do {                                                                                                               \
        check((rows)->count < UINT32_MAX / 2);                                                                         \
        if ((rows)->count == (rows)->capacity)                                                                         \
            rows_reserve((self), (rows), (rows)->count ? (rows)->count * 2 : 4);                                       \
        (rows)->items[(rows)->count++] = (value);                                                                      \
    } while (0)

Finding *findings_add(FindingList *self, FindingKind kind) {
    check(kind < KIND_COUNT);
    Finding *finding = arena_new(&self->arena, Finding);
    finding->kind = kind;
    finding->message = finding->object = finding->lock = finding->file = finding->function = "";
    finding->note = finding->suppressed = finding->group = finding->reviewer = "";
    finding->share = -1;
    array_push(&self->items, finding);
    return finding;
}

void finding_add_object(FindingList *self, Finding *finding, const char *name) {
    for (u32 i = 0; i < finding->objects.count; i++)
        if (!strcmp(finding->objects.items[i], name))
            return;
    rows_push(self, &finding->objects, keep(self, name));
}

static Fact *find_fact(const FindingList *self, const char *name) {
    for (u32 i = 0; i < self->facts.count; i++)
        if (!strcmp(self->facts.items[i].name, name))
            return &self->facts.items[i];
    return NULL;
}

void findings_add_fact(FindingList *self, const char *name, const char *value) {
    Fact *there = find_fact(self, name);
    Fact fact = {there ? there->name : keep(self, name), keep(self, value)};
    if (there)
        *there = fact;
    else
        rows_push(self, &self->facts, fact);
}

const char *findings_fact(const FindingList *self, const char *name) {
    const Fact *fact = find_fact(self, name);
    return fact ? fact->value : "";
}

static SettingRow *find_setting(const FindingList *self, const char *name) {
    for (u32 i = 0; i < self->settings.count; i++)
        if (!strcmp(self->settings.items[i].name, name))
            return &self->settings.items[i];
    return NULL;
}

void findings_add_setting(FindingList *self, const char *name, double value) {
    SettingRow *there = find_setting(self, name);
    SettingRow row = {there ? there->name : keep(self, name), isfinite(value) ? value : 0};
    if (there)
        *there = row;
    else
        rows_push(self, &self->settings, row);
}

double findings_setting(const FindingList *self, const char *name, double otherwise) {
    const SettingRow *row = find_setting(self, name);
    return row ? row->value : otherwise;
}

void findings_add_semaphore(FindingList *self, const SemaphoreRow *row) {
    SemaphoreRow copy = *row;
    copy.name = keep(self, row->name);
    rows_push(self, &self->semaphores, copy);
}

void findings_add_suppression(FindingList *self, const SuppressionRow *row) {
    SuppressionRow copy = {keep(self, row->file), row->line, keep(self, row->text), keep(self, row->trouble),
                           row->used};
    rows_push(self, &self->suppressions, copy);
}

GuardRow *findings_add_guard(FindingList *self, const GuardRow *row) {
    GuardRow copy = *row;
    copy.object = keep(self, row->object);
    copy.lock = keep(self, row->lock);
    copy.z = isfinite(row->z) ? row->z : 0;
    copy.z_any = isfinite(row->z_any) ? row->z_any : 0;
    memset(&copy.exceptions, 0, sizeof copy.exceptions);
    rows_push(self, &self->guards, copy);
    return &self->guards.items[self->guards.count - 1];
}

void guard_add_exception(FindingList *self, GuardRow *row, const GuardException *exception) {
    GuardException copy = {exception->role, keep(self, exception->file), exception->line,
                           keep(self, exception->function)};
    rows_push(self, &row->exceptions, copy);
}

u32 findings_add_name(FindingList *self, const char *name) {
    if (!self->names.count)
        rows_push(self, &self->names, "");
    rows_push(self, &self->names, keep(self, name));
    return self->names.count - 1;
}

void findings_add_order(FindingList *self, const OrderRow *row) { rows_push(self, &self->orders, *row); }

static Site new_site(FindingList *self, SiteRole role, const char *function, const char *file, u32 line, u32 column) {
    check(role < ROLE_COUNT);
    return (Site){.role = role,
                  .file = keep(self, file),
                  .line = line,
                  .column = column,
                  .function = keep(self, function),
                  .object = "",
                  .note = ""};
}

Site *finding_add_site(FindingList *self, Finding *finding, SiteRole role, const char *function, const char *file,
                       u32 line, u32 column) {
    Site site = new_site(self, role, function, file, line, column);
    u32 before = finding->sites.count;
    site.side = before ? finding->sites.items[before - 1].side + 1 : 0;
    rows_push(self, &finding->sites, site);
    if (!before) {
        finding->file = site.file;
        finding->line = line;
        finding->function = site.function;
    }
    return &finding->sites.items[before];
}

Site *finding_add_evidence(FindingList *self, Finding *finding, SiteRole role, const char *function, const char *file,
                           u32 line, u32 column) {
    rows_push(self, &finding->evidence, new_site(self, role, function, file, line, column));
    return &finding->evidence.items[finding->evidence.count - 1];
}

void site_add_lock(FindingList *self, Site *site, const char *name, const char *file, u32 line) {
    HeldLock held = {keep(self, name), keep(self, file), line};
    rows_push(self, &site->lockset, held);
}

void site_expect_calls(FindingList *self, Site *site, u32 count) {
    if (site->callchain.count + count > site->callchain.capacity)
        rows_reserve(self, &site->callchain, site->callchain.count + count);
}

void site_add_call(FindingList *self, Site *site, const char *function, const char *file, u32 line) {
    ChainLink link = {keep(self, function), keep(self, file), line};
    rows_push(self, &site->callchain, link);
}

#define FEATURES_USUAL 24 // of most kinds
#define FEATURES_OF_RACE 56

static Feature *find_feature(FindingList *self, Finding *finding, const char *name) {
    for (u32 i = 0; i < finding->features.count; i++)
        if (!strcmp(finding->features.items[i].name, name))
            return &finding->features.items[i];
    Feature feature = {.name = keep(self, name)};
    u32 count = finding->features.count;
    if (count == finding->features.capacity && count < FEATURES_OF_RACE)
        rows_reserve(self, &finding->features,
                     count < FEATURES_USUAL && finding->kind != KIND_RACE ? FEATURES_USUAL : FEATURES_OF_RACE);
    rows_push(self, &finding->features, feature);
    return &finding->features.items[finding->features.count - 1];
}

void finding_add_number(FindingList *self, Finding *finding, const char *name, double number) {
    Feature *feature = find_feature(self, finding, name);
    feature->text = NULL;
    feature->number = isnan(number) ? 0 : number; // of no samples at all
}

void finding_add_text(FindingList *self, Finding *finding, const char *name, const char *text) {
    Feature *feature = find_feature(self, finding, name);
    feature->text = keep(self, text);
    feature->number = 0;
}

void finding_add_reason(FindingList *self, Finding *finding, double points, const char *text) {
    Reason reason = {isfinite(points) ? points : 0, keep(self, text)};
    rows_push(self, &finding->reasons, reason);
}

// naming ----------------------------------------------------------------------

static u64 mix_text(u64 hash, const char *text) { return hash_bytes(text, strlen(text) + 1, hash); }

static const char *last_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// Whose function is part of what the finding is: of a deadlock everybody's, of everything else the suspect's. The
// others (the access it collides with, where the lock was taken before) are the best examples of several, and another
// may be better tomorrow.
static bool is_telling(const Finding *finding, u32 index) { return kind_has(finding->kind, SHAPE_CIRCLE) || !index; }

// Sums of hashes: a cycle may be written down from any of its locks. The lock believed to protect from a race is what
// most places hold: that may change with any of them, and the race is the same.
static u64 hash_names(const Finding *finding, u64 seed) {
    u64 sum = 0;
    for (u32 i = 0; kind_has(finding->kind, SHAPE_CIRCLE) && i < finding->objects.count; i++)
        sum += mix_text(seed, finding->objects.items[i]);
    if (!kind_has(finding->kind, SHAPE_CIRCLE))
        sum += mix_text(seed, finding->object);
    if (kind_has(finding->kind, SHAPE_HELD))
        sum += mix_text(seed + 3, finding->lock);
    for (u32 i = 0; i < finding->sites.count; i++)
        if (is_telling(finding, i))
            sum +=
                mix_text(mix_text(seed + 1, finding->sites.items[i].function), last_name(finding->sites.items[i].file));
    return hash_mix(mix_text(seed + 2, kind_word(finding->kind)), sum);
}

Key finding_fingerprint(const Finding *finding) {
    return (Key){hash_names(finding, 0x7261), hash_names(finding, 0x6365)};
}

// sorting ---------------------------------------------------------------------

static int compare_numbers(u64 a, u64 b) { return a < b ? -1 : a > b; }
static int compare_keys(Key a, Key b) { return a.a != b.a ? compare_numbers(a.a, b.a) : compare_numbers(a.b, b.b); }

static int compare_sites(const Site *a, const Site *b) {
    int order = compare_numbers(a->role, b->role);
    order = order ? order : strcmp(a->file, b->file);
    order = order ? order : compare_numbers(a->line, b->line);
    order = order ? order : compare_numbers(a->column, b->column);
    order = order ? order : strcmp(a->function, b->function);
    order = order ? order : strcmp(a->object, b->object);
    order = order ? order : compare_numbers(a->lockset.count, b->lockset.count);
    for (u32 i = 0; !order && i < a->lockset.count; i++)
        order = strcmp(a->lockset.items[i].name, b->lockset.items[i].name);
    order = order ? order : compare_numbers(a->callchain.count, b->callchain.count);
    for (u32 i = 0; !order && i < a->callchain.count; i++)
        order = strcmp(a->callchain.items[i].function, b->callchain.items[i].function);
    return order;
}

// Where it is, and then all that tells it from another at the same place.
static int compare_places(const Finding *a, const Finding *b) {
    int order = compare_numbers(a->kind, b->kind);
    order = order ? order : strcmp(a->file, b->file);
    order = order ? order : compare_numbers(a->line, b->line);
    order = order ? order : strcmp(a->function, b->function);
    order = order ? order : strcmp(a->object, b->object);
    order = order ? order : strcmp(a->lock, b->lock);
    order = order ? order : compare_numbers(a->sites.count, b->sites.count);
    for (u32 i = 0; !order && i < a->sites.count; i++)
        order = compare_sites(&a->sites.items[i], &b->sites.items[i]);
    order = order ? order : strcmp(a->message, b->message);
    if (!order && a->score != b->score)
        order = a->score > b->score ? -1 : 1;
    return order;
}

typedef struct {
    Finding *finding;
    Key key;  // its fingerprint
    u64 path; // of its file; what tells equal ones of several files apart
} Named;

static int compare_named(const void *left, const void *right) {
    const Named *a = left, *b = right;
    int order = compare_keys(a->key, b->key);
    return order ? order : compare_places(a->finding, b->finding);
}

static u32 equal_names(const Named *named, u32 count) { // from the first on
    u32 end = 1;
    while (end < count && key_equal(named[end].key, named[0].key))
        end++;
    return end;
}

// Functions of one name in files of one name: the directories tell them apart, for all of them. If the first kept the
// plain fingerprint, it would change hands, and with it the verdicts, when another came before it. In one file they are
// numbered.
static void name_equals(const Named *named, u32 count) {
    bool several = named[0].path != named[count - 1].path;
    for (u32 i = 0, ordinal = 0; i < count; i++) {
        ordinal = i && named[i].path == named[i - 1].path ? ordinal + 1 : 0;
        u64 id = several ? hash_mix(named[i].key.a, named[i].path) : named[i].key.a;
        id = ordinal ? hash_mix(id + ordinal, named[i].key.b) : id;
        snprintf(named[i].finding->id, sizeof named[i].finding->id, "%016llx", (unsigned long long)id);
    }
}

static void fill_ids(FindingList *self) {
    u32 count = self->items.count;
    Named *named = must_alloc(sizeof(Named) * (count + 1));
    for (u32 i = 0; i < count; i++) {
        Finding *finding = self->items.items[i];
        named[i] = (Named){finding, finding_fingerprint(finding), mix_text(0, finding->file)};
    }
    qsort(named, count, sizeof *named, compare_named);
    for (u32 i = 0, equals; i < count; i += equals) {
        equals = equal_names(named + i, count - i);
        name_equals(named + i, equals);
    }
    free(named);
}

static int compare_findings(const void *left, const void *right) {
    const Finding *a = *(Finding *const *)left, *b = *(Finding *const *)right;
    if (a->below_line != b->below_line)
        return a->below_line ? 1 : -1;
    if (a->is_sibling != b->is_sibling)
        return a->is_sibling ? 1 : -1;
    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    int order = compare_numbers(a->kind, b->kind);
    order = order ? order : strcmp(a->file, b->file);
    order = order ? order : compare_numbers(a->line, b->line);
    order = order ? order : strcmp(a->id, b->id);
    return order ? order : compare_places(a, b);
}

void findings_sort(FindingList *self) {
    if (!self->items.count)
        return;
    for (u32 i = 0; i < self->items.count; i++)
        if (!isfinite(self->items.items[i]->score)) // a script's division by zero would make sorting senseless
            self->items.items[i]->score = 0;
    for (u32 i = 0; i < self->items.count; i++)
        if (!(self->items.items[i]->share <= 1))
            self->items.items[i]->share = -1;
    fill_ids(self);
    findings_order(self);
}

// The rank of a group's best, in the map under the group's name; *is_first when this is the best.
static u32 *group_rank(Map *groups, const Finding *finding, bool *is_first) {
    return map_put(groups, hash_bytes(finding->group, strlen(finding->group), 0x67), is_first);
}

static void fill_siblings(FindingList *self) {
    Map groups = {0};
    bool is_first = true;
    for (u32 i = 0; i < self->items.count; i++) {
        Finding *finding = self->items.items[i];
        if (*finding->group)
            group_rank(&groups, finding, &is_first);
        finding->is_sibling = *finding->group && !is_first;
    }
    map_free(&groups);
}

static void fill_ranks(FindingList *self) {
    Map groups = {0};
    bool is_first;
    u32 rank = 0;
    for (u32 i = 0; i < self->items.count; i++) {
        Finding *finding = self->items.items[i];
        u32 *known = *finding->group ? group_rank(&groups, finding, &is_first) : NULL;
        finding->rank = finding->is_sibling ? *known : ++rank;
        if (known)
            *known = finding->rank;
    }
    map_free(&groups);
}

u32 findings_entries(const FindingList *self) {
    u32 entries = 0;
    for (u32 i = 0; i < self->items.count; i++)
        entries += !self->items.items[i]->is_sibling;
    return entries;
}

void findings_order(FindingList *self) {
    if (!self->items.count)
        return;
    for (u32 i = 0; i < self->items.count; i++)
        self->items.items[i]->is_sibling = false;
    qsort(self->items.items, self->items.count, sizeof(Finding *), compare_findings);
    fill_siblings(self);
    qsort(self->items.items, self->items.count, sizeof(Finding *), compare_findings);
    fill_ranks(self);
}
