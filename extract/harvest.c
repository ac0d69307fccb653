// harvest.c: pass 1. Every file is read once: headers give their directives (macros,
// includes, conditionals), sources the names they call.
// In: the scan. Out: macros by name, includes by file, candidates for every spelling.
// Idea: no header is ever pasted into a source; a source asks for the macros it names.
// Invariant: tables are filled in file order, so no order of threads shows.
#include "extract/preprocess.h"

#include <errno.h>

typedef struct {
    Harvest *harvest;
    NameCounts *counts;  // by worker, of sources
    NameCounts *headers; // likewise
} ScanJob;

static void count_name(NameCounts *self, const char *text, u32 length) {
    u32 id = intern_add(&self->intern, text, length);
    while (self->counts.count <= id)
        array_push(&self->counts, 0);
    self->counts.items[id]++;
}

// What a source includes tells what it was written for as well as what it calls; with its dots it is nobody's name.
static void count_includes(NameCounts *self, const HarvestedFile *file) {
    Include include;
    for (u32 i = 0; i < file->directives.count; i++)
        if (file->directives.items[i].kind == DIRECTIVE_INCLUDE && include_read(&file->directives.items[i], &include))
            count_name(self, include.spec, include.length);
}

static void harvest_one(void *context, u32 worker, u32 index) {
    ScanJob *job = context;
    SourceFile *file = &job->harvest->scan->files.items[index];
    HarvestedFile *out = &job->harvest->files[index];
    out->text = file_read(file->full, &out->size);
    progress_step(1);
    if (!out->text) {
        skip(file->path, "cannot be read: %s", strerror(errno));
        return;
    }
    file->content = key_bytes(out->text, out->size);
    if (out->size >= UINT32_MAX / 2) {
        skip(file->path, "larger than 2 GiB");
        out->size = 0;
    }
    lex_directives(&out->directives, out->text, out->size);
    if (file->kind == FILE_HEADER) {
        lex_declared(&out->declared, out->text, out->size);
        lex_count_calls(&job->headers[worker], out->text, out->size);
        return;
    }
    lex_count_calls(&job->counts[worker], out->text, out->size);
    count_includes(&job->counts[worker], out);
}

u32 names_count(const NameCounts *self, const char *name, u32 length) {
    u32 id = intern_find(&self->intern, name, length);
    return id == UINT32_MAX || id >= self->counts.count ? 0 : self->counts.items[id];
}

static void merge_counts(NameCounts *into, NameCounts *from) {
    for (u32 id = 1; id < from->intern.entries.count; id++) {
        const InternEntry *entry = &from->intern.entries.items[id];
        u32 to = intern_add(&into->intern, entry->text, entry->length);
        while (into->counts.count <= to)
            array_push(&into->counts, 0);
        into->counts.items[to] += id < from->counts.count ? from->counts.items[id] : 0;
    }
    intern_free(&from->intern);
    array_free(&from->counts);
}

// The part of an include between its quotes or angles.
static bool include_spec(const Directive *directive, Include *out) {
    const char *at = directive->text, *end = at + directive->length;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    if (at >= end || (*at != '"' && *at != '<'))
        return false;
    const char *close = memchr(at + 1, *at == '"' ? '"' : '>', (size_t)(end - at - 1));
    if (!close || close == at + 1)
        return false;
    *out = (Include){.spec = at + 1,
                     .length = (u32)(close - at - 1),
                     .line = directive->line,
                     .fixed = NO_FILE,
                     .quoted = *at == '"',
                     .active = 1};
    return true;
}

bool include_read(const Directive *directive, Include *out) { return include_spec(directive, out); }

static bool is_name_char(char c) {
    return c == '_' || c == '$' || (u8)c >= 128 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
}

// Splits "NAME(a, b) body"; false when there is no name.
bool define_read(const Directive *directive, Macro *out) {
    const char *at = directive->text, *end = at + directive->length;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    const char *name = at;
    while (at < end && is_name_char(*at))
        at++;
    if (at == name)
        return false;
    *out = (Macro){.name = name,
                   .name_length = (u32)(at - name),
                   .text = at,
                   .length = (u32)(end - at),
                   .line = directive->line,
                   .next = NO_MACRO,
                   .function_like = at < end && *at == '('};
    out->hash = (u32)hash_bytes(name, out->name_length, 0);
    return true;
}

static u32 *count_of(NameCounts *self, const char *name, u32 length) {
    u32 id = intern_add(&self->intern, name, length);
    while (self->counts.count <= id)
        array_push(&self->counts, 0);
    return &self->counts.items[id];
}

// `#define our_lock their_lock`: whoever calls the one calls the other.
static void count_aliases(Harvest *self, const DirectiveArray *all) {
    for (u32 d = 0; d < all->count; d++) {
        Macro macro;
        if (all->items[d].kind != DIRECTIVE_DEFINE || !define_read(&all->items[d], &macro) || macro.function_like)
            continue;
        const char *at = macro.name + macro.name_length, *end = all->items[d].text + all->items[d].length;
        while (at < end && (*at == ' ' || *at == '\t'))
            at++;
        u32 length = 0;
        while (at + length < end && is_name_char(at[length]))
            length++;
        u32 calls = length && at + length == end ? names_count(&self->calls, macro.name, macro.name_length) : 0;
        if (calls)
            *count_of(&self->header_calls, at, length) += calls;
    }
}

static bool spec_is_header(const char *spec, u32 length) {
    return length > 2 && spec[length - 2] == '.' && spec[length - 1] == 'h';
}

// Sources that others include are read like headers from here on.
static void find_included_sources(Harvest *self, Bitset *included) {
    bitset_resize(included, self->scan->files.count);
    for (u32 f = 0; f < self->scan->files.count; f++) {
        const HarvestedFile *file = &self->files[f];
        for (u32 d = 0; d < file->directives.count; d++) {
            Include include;
            if (file->directives.items[d].kind != DIRECTIVE_INCLUDE ||
                !include_spec(&file->directives.items[d], &include))
                continue;
            if (spec_is_header(include.spec, include.length))
                continue;
            u32 beside = harvest_beside(self, f, include.spec, include.length);
            if (beside != NO_FILE)
                bitset_set(included, beside);
        }
    }
}

static void fill_paths(Harvest *self) {
    const Scan *scan = self->scan;
    self->next_basename = must_zero(sizeof(u32) * (scan->files.count + 1));
    for (u32 f = scan->files.count; f-- > 0;) {
        const char *path = scan->files.items[f].path;
        const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
        u32 *head = map_put(&self->basenames, hash_bytes(base, strlen(base), 0), NULL);
        self->next_basename[f] = *head;
        *head = f + 1;
    }
    for (u32 f = 0; f < scan->files.count; f++) {
        const char *path = scan->files.items[f].path;
        const char *slash = strrchr(path, '/');
        intern_add(&self->paths, path, (u32)strlen(path));
        self->files[f].directory = intern_add(&self->directories, path, slash ? (u32)(slash - path) : 0);
        for (u32 length = slash ? (u32)(slash - path) : 0;;) {
            u32 id = intern_add(&self->directories, path, length);
            while (self->directory_size.count <= id)
                array_push(&self->directory_size, 0);
            self->directory_size.items[id]++;
            if (!length)
                break;
            while (length && path[--length] != '/')
                ;
        }
    }
}

void harvest_scan(Harvest *self, Scan *scan, u32 jobs) {
    double start = clock_seconds();
    self->scan = scan;
    self->files = must_zero(sizeof(HarvestedFile) * (scan->files.count + 1));
    ScanJob job = {self, must_zero(sizeof(NameCounts) * (jobs + 1)), must_zero(sizeof(NameCounts) * (jobs + 1))};
    progress_begin("harvest", scan->files.count);
    parallel_for(jobs, scan->files.count, harvest_one, &job);
    progress_end();
    for (u32 i = 0; i < jobs; i++) {
        merge_counts(&self->calls, &job.counts[i]);
        merge_counts(&self->header_calls, &job.headers[i]);
    }
    free(job.counts);
    free(job.headers);
    fill_paths(self);
    for (u32 f = 0; f < scan->files.count; f++) {
        polarity_count(self, &self->files[f].directives);
        if (scan->files.items[f].kind == FILE_HEADER)
            count_aliases(self, &self->files[f].directives);
    }
    Bitset included = {0};
    find_included_sources(self, &included);
    for (u32 f = 0; f < scan->files.count; f++) {
        if (scan->files.items[f].kind == FILE_HEADER || bitset_has(&included, f))
            continue;
        free(self->files[f].text);
        self->files[f].text = NULL;
        array_free(&self->files[f].directives);
    }
    bitset_free(&included);
    self->seconds = clock_seconds() - start;
}

// includes --------------------------------------------------------------------

// dir(from)/spec with . and .. taken out, when the tree has it.
u32 harvest_beside(const Harvest *self, u32 from, const char *spec, u32 length) {
    char path[4096];
    const char *includer = self->scan->files.items[from].path;
    const char *slash = strrchr(includer, '/');
    u32 used = slash ? (u32)(slash - includer) : 0;
    if (used + length + 2 > sizeof path)
        return NO_FILE;
    memcpy(path, includer, used);
    for (u32 at = 0; at < length;) {
        u32 stop = at;
        while (stop < length && spec[stop] != '/')
            stop++;
        u32 part = stop - at;
        if (part == 2 && spec[at] == '.' && spec[at + 1] == '.') {
            if (!used)
                return NO_FILE;
            while (used && path[--used] != '/')
                ;
        } else if (part && !(part == 1 && spec[at] == '.')) {
            if (used)
                path[used++] = '/';
            memcpy(path + used, spec + at, part);
            used += part;
        }
        at = stop + 1;
    }
    u32 found = intern_find(&self->paths, path, used);
    if (found == UINT32_MAX || !found)
        return NO_FILE;
    return found - 1;
}

void harvest_candidates(const Harvest *self, const char *spec, u32 length, U32Array *out) {
    out->count = 0;
    while (length > 1 && spec[0] == '.') { // ./x and ../x: what is left must end the path
        u32 dots = length > 2 && spec[1] == '.' && spec[2] == '/' ? 3 : spec[1] == '/' ? 2 : 0;
        if (!dots)
            break;
        spec += dots;
        length -= dots;
    }
    u32 base = length;
    while (base && spec[base - 1] != '/')
        base--;
    u32 *head = map_get(&self->basenames, hash_bytes(spec + base, length - base, 0));
    for (u32 f = head ? *head : 0; f; f = self->next_basename[f - 1]) {
        const char *path = self->scan->files.items[f - 1].path;
        size_t size = strlen(path);
        if (size >= length && !memcmp(path + size - length, spec, length) &&
            (size == length || path[size - length - 1] == '/'))
            array_push(out, f - 1);
    }
}

static void resolve_include(Harvest *self, u32 from, Include *include) {
    include->spelling = intern_add(&self->spellings, include->spec, include->length);
    while (self->candidates.count <= include->spelling) {
        U32Array none = {0};
        u32 id = self->candidates.count;
        if (id) {
            const InternEntry *entry = &self->spellings.entries.items[id];
            harvest_candidates(self, entry->text, entry->length, &none);
        }
        array_push(&self->candidates, none);
    }
    if (include->quoted)
        include->fixed = harvest_beside(self, from, include->spec, include->length);
    const U32Array *candidates = &self->candidates.items[include->spelling];
    if (include->fixed == NO_FILE && candidates->count == 1)
        include->fixed = candidates->items[0];
}

static void fill_file(Harvest *self, u32 index) {
    HarvestedFile *file = &self->files[index];
    file->include = self->includes.count;
    file->macro = self->macros.count;
    for (u32 d = 0; d < file->directives.count; d++) {
        const Directive *directive = &file->directives.items[d];
        Include include;
        Macro macro;
        if (directive->kind == DIRECTIVE_INCLUDE && include_spec(directive, &include)) {
            resolve_include(self, index, &include);
            array_push(&self->includes, include);
        } else if (directive->kind == DIRECTIVE_DEFINE && define_read(directive, &macro)) {
            macro.file = index;
            array_push(&self->macros, macro);
        }
    }
    file->include_count = self->includes.count - file->include;
    file->macro_count = self->macros.count - file->macro;
}

u32 harvest_find(const Harvest *self, u32 hash) {
    if (!self->slot_count || !(self->filter[(hash & self->filter_mask) >> 6] >> (hash & 63) & 1))
        return NO_MACRO;
    for (u32 i = hash & (self->slot_count - 1);; i = (i + 1) & (self->slot_count - 1)) {
        if (!self->slots[i])
            return NO_MACRO;
        if (self->macros.items[self->slots[i] - 1].hash == hash)
            return self->slots[i] - 1;
    }
}

// Chains run in file order: filled from the back, each new one goes in front.
static void fill_slots(Harvest *self) {
    self->slot_count = 1024;
    while (self->slot_count < self->macros.count * 2)
        self->slot_count *= 2;
    self->slots = must_zero(sizeof(u32) * self->slot_count);
    self->filter_mask = self->slot_count * 16 < 0x3ffffff ? self->slot_count * 16 - 1 : 0x3ffffff;
    self->filter = must_zero(((size_t)self->filter_mask + 1) / 8);
    for (u32 m = self->macros.count; m-- > 0;) {
        Macro *macro = &self->macros.items[m];
        u32 i = macro->hash & (self->slot_count - 1);
        while (self->slots[i] && self->macros.items[self->slots[i] - 1].hash != macro->hash)
            i = (i + 1) & (self->slot_count - 1);
        macro->next = self->slots[i] ? self->slots[i] - 1 : NO_MACRO;
        self->slots[i] = m + 1;
        self->filter[(macro->hash & self->filter_mask) >> 6] |= 1ull << (macro->hash & 63);
    }
}

static int compare_u64(const void *a, const void *b) {
    u64 x = *(const u64 *)a, y = *(const u64 *)b;
    return x < y ? -1 : x > y;
}

static void fill_declared(Harvest *self) {
    Array(u64) pairs = {0};
    for (u32 f = 0; f < self->scan->files.count; f++) {
        U32Array *declared = &self->files[f].declared;
        for (u32 i = 0; i < declared->count; i++)
            if (harvest_find(self, declared->items[i]) != NO_MACRO)
                array_push(&pairs, (u64)declared->items[i] << 32 | f);
        array_free(declared);
    }
    if (pairs.count)
        qsort(pairs.items, pairs.count, sizeof(u64), compare_u64);
    self->declared = pairs.items;
    self->declared_count = pairs.count;
}

bool harvest_declares(const Harvest *self, u32 hash, const Bitset *files) {
    u32 low = 0, high = self->declared_count;
    while (low < high) {
        u32 middle = low + (high - low) / 2;
        if (self->declared[middle] >> 32 < hash)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < self->declared_count && self->declared[low] >> 32 == hash; low++)
        if (bitset_has(files, (u32)self->declared[low]))
            return true;
    return false;
}

static void fill_open(Harvest *self) {
    bitset_resize(&self->open, self->scan->files.count);
    for (u32 i = 0; i < self->includes.count; i++) {
        const Include *include = &self->includes.items[i];
        const U32Array *candidates = &self->candidates.items[include->spelling];
        for (u32 k = 0; !include->quoted && k < candidates->count; k++)
            bitset_set(&self->open, candidates->items[k]);
    }
}

void harvest_index(Harvest *self) {
    for (u32 f = 0; f < self->scan->files.count; f++)
        fill_file(self, f);
    fill_slots(self);
    fill_declared(self);
    fill_open(self);
}

// choosing --------------------------------------------------------------------

typedef struct {
    Harvest *harvest;
    Worker **workers;
} ChooseJob;

// What a header takes back, its includers do not see.
static void forget_macro(Harvest *self, u32 first, u32 end, const Directive *undef) {
    Macro gone;
    if (!define_read(undef, &gone))
        return;
    u32 stop = end > first + 5000 ? end - 5000 : first; // further back nobody looks
    for (u32 m = end; m-- > stop;)
        if (self->macros.items[m].hash == gone.hash)
            self->macros.items[m].active = 0;
}

static void choose_one(void *context, u32 worker, u32 index) {
    ChooseJob *job = context;
    Harvest *self = job->harvest;
    HarvestedFile *file = &self->files[index];
    if (!file->text)
        return;
    Worker *scratch = job->workers[worker];
    unit_begin(scratch, index);
    u32 include = file->include, macro = file->macro;
    ConditionStack stack = {0};
    for (u32 d = 0; d < file->directives.count; d++) {
        const Directive *directive = &file->directives.items[d];
        bool live = condition_step(scratch, &stack, file->directives.items, file->directives.count, d);
        Include unused;
        Macro ignored;
        if (directive->kind == DIRECTIVE_INCLUDE && include_spec(directive, &unused)) {
            self->includes.items[include++].active = live;
        } else if (directive->kind == DIRECTIVE_DEFINE && define_read(directive, &ignored)) {
            self->macros.items[macro++].active = live;
            if (live)
                unit_define(scratch, directive);
        } else if (directive->kind == DIRECTIVE_UNDEF && live) {
            unit_undefine(scratch, directive);
            forget_macro(self, file->macro, macro, directive);
        }
    }
    array_free(&stack);
}

void harvest_choose(Harvest *self, Worker **workers, u32 jobs) {
    double start = clock_seconds();
    ChooseJob job = {self, workers};
    for (u32 i = 0; i < jobs; i++)
        workers[i]->choosing = true;
    parallel_for(jobs, self->scan->files.count, choose_one, &job);
    for (u32 i = 0; i < jobs; i++)
        workers[i]->choosing = false;
    for (u32 f = 0; f < self->scan->files.count; f++)
        array_free(&self->files[f].directives);
    self->seconds += clock_seconds() - start;
}

void harvest_free(Harvest *self) {
    for (u32 f = 0; self->files && f < self->scan->files.count; f++) {
        free(self->files[f].text);
        array_free(&self->files[f].directives);
        array_free(&self->files[f].declared);
    }
    free(self->files);
    free(self->declared);
    bitset_free(&self->open);
    array_free(&self->includes);
    array_free(&self->macros);
    free(self->slots);
    free(self->filter);
    for (u32 i = 0; i < self->candidates.count; i++)
        array_free(&self->candidates.items[i]);
    array_free(&self->candidates);
    intern_free(&self->spellings);
    intern_free(&self->paths);
    intern_free(&self->fulls);
    map_free(&self->basenames);
    free(self->next_basename);
    intern_free(&self->directories);
    array_free(&self->directory_size);
    map_free(&self->polarity);
    intern_free(&self->calls.intern);
    array_free(&self->calls.counts);
    intern_free(&self->header_calls.intern);
    array_free(&self->header_calls.counts);
    *self = (Harvest){0};
}
