// discover.c: the driver of the lexical pass, and the merging of what the files gave.
// In: the files of a store. Out: Discovery. Every file is read by one worker with names of its own; afterwards names
// get ids in the order of their spelling and bodies follow each other in the order of files, so that neither the
// number of threads nor their luck shows.
#include "racerx/init/discover_read.h"

typedef struct {
    DiscoverReader *readers; // by worker
    FileFound *found;        // by file
    const SourceFileArray *files;
} DiscoverJob;

static void discover_one(void *context, u32 worker, u32 index) {
    DiscoverJob *job = context;
    DiscoverReader *reader = &job->readers[worker];
    FileFound *found = &job->found[index];
    size_t size;
    char *text = file_read(job->files->items[index].full, &size);
    found->worker = worker;
    found->unread = !text || size >= UINT32_MAX / 2;
    reader->out = found;
    if (!found->unread) {
        found->bytes = size;
        discover_read(reader, text, size);
    }
    free(text);
    progress_step(1);
}

// names -----------------------------------------------------------------------

typedef struct {
    const char *text;
    u32 length;
    u32 worker, id; // whose
} Spelling;

static int compare_spellings(const void *left, const void *right) {
    const Spelling *a = left, *b = right;
    u32 shorter = a->length < b->length ? a->length : b->length;
    int order = memcmp(a->text, b->text, shorter);
    if (!order && a->length != b->length)
        return a->length < b->length ? -1 : 1;
    return order ? order : a->worker < b->worker ? -1 : a->worker > b->worker;
}

static void mark_used(Bitset *used, u32 name) {
    if (name)
        bitset_set(used, name);
}

// Names that the results speak of; locals and the like need no id.
static void mark_file(Bitset *used, const FileFound *found) {
    for (u32 i = 0; i < found->steps.count; i++) {
        const TextStep *step = &found->steps.items[i];
        mark_used(used, step->name);
        for (u32 k = 0; k < 3; k++)
            mark_used(used, step->tails[k]);
    }
    for (u32 i = 0; i < found->bodies.count; i++)
        mark_used(used, found->bodies.items[i].name);
    for (u32 i = 0; i < found->stored.count; i++) {
        const Stored *stored = &found->stored.items[i];
        mark_used(used, stored->type), mark_used(used, stored->variable);
        mark_used(used, stored->member), mark_used(used, stored->handler);
    }
    for (u32 i = 0; i < found->typed.count; i++)
        mark_used(used, found->typed.items[i].type), mark_used(used, found->typed.items[i].name);
}

typedef Array(Spelling) SpellingArray;

static void collect_spellings(const DiscoverJob *job, u32 workers, SpellingArray *out) {
    Bitset *used = must_zero(sizeof(Bitset) * workers);
    for (u32 w = 0; w < workers; w++)
        bitset_resize(&used[w], job->readers[w].names.intern.entries.count + 1);
    for (u32 f = 0; f < job->files->count; f++)
        mark_file(&used[job->found[f].worker], &job->found[f]);
    for (u32 w = 0; w < workers; w++) {
        const Intern *names = &job->readers[w].names.intern;
        for (u32 id = 1; id < names->entries.count; id++) {
            Spelling spelling = {names->entries.items[id].text, names->entries.items[id].length, w, id};
            if (bitset_has(&used[w], id))
                array_push(out, spelling);
        }
        bitset_free(&used[w]);
    }
    free(used);
}

// Ids in the order of spelling; maps[worker][its id] is the common one.
static u32 **merge_names(Discovery *self, const DiscoverJob *job, u32 workers) {
    SpellingArray all = {0};
    collect_spellings(job, workers, &all);
    if (all.count)
        qsort(all.items, all.count, sizeof(Spelling), compare_spellings);
    u32 **maps = must_zero(sizeof(u32 *) * workers);
    for (u32 w = 0; w < workers; w++)
        maps[w] = must_zero(sizeof(u32) * (job->readers[w].names.intern.entries.count + 1));
    intern_add(&self->names, "", 0);
    for (u32 i = 0; i < all.count; i++)
        maps[all.items[i].worker][all.items[i].id] = intern_add(&self->names, all.items[i].text, all.items[i].length);
    array_free(&all);
    self->facts = must_zero(sizeof(NameFacts) * (self->names.entries.count + 1));
    for (u32 i = 0; i <= self->names.entries.count; i++)
        self->facts[i].body = NO_BODY;
    return maps;
}

static void sum_uses(Discovery *self, const DiscoverReader *reader, const u32 *map) {
    for (u32 id = 1; id < reader->names.intern.entries.count; id++) {
        NameFacts *facts = &self->facts[map[id]];
        if (!map[id])
            continue;
        facts->uses += id < reader->uses.count ? reader->uses.items[id] : 0;
        facts->handed_on += id < reader->handed_on.count ? reader->handed_on.items[id] : 0;
        facts->hollow += id < reader->hollow.count ? reader->hollow.items[id] : 0;
        facts->noreturn |= id < reader->noreturn.count && reader->noreturn.items[id];
    }
}

// files -----------------------------------------------------------------------

static void merge_steps(Discovery *self, const FileFound *found, const u32 *map) {
    for (u32 i = 0; i < found->steps.count; i++) {
        TextStep step = found->steps.items[i];
        step.name = map[step.name];
        for (u32 k = 0; k < 3; k++)
            step.tails[k] = map[step.tails[k]];
        self->facts[step.name].calls += step.kind == TEXT_CALL;
        array_push(&self->steps, step);
    }
}

static void merge_bodies(Discovery *self, const FileFound *found, const u32 *map, u32 file, u32 first_step) {
    for (u32 i = 0; i < found->bodies.count; i++) {
        TextBody body = found->bodies.items[i];
        body.name = map[body.name];
        body.file = file;
        body.first += first_step;
        NameFacts *facts = &self->facts[body.name];
        facts->functions += !(body.flags & BODY_MACRO);
        facts->macros += !!(body.flags & BODY_MACRO);
        if (facts->body == NO_BODY)
            facts->body = self->bodies.count;
        array_push(&self->bodies, body);
    }
}

// Of what is handed on only functions of this file are kept, which is where handlers are.
static void merge_handed(Discovery *self, const FileFound *found, const u32 *map, u32 first_body, u32 *defined) {
    u32 here = first_body + 1; // no other file has this stamp, unless both have no bodies
    for (u32 i = 0; i < found->bodies.count; i++)
        if (!(found->bodies.items[i].flags & BODY_MACRO))
            defined[map[found->bodies.items[i].name]] = here;
    for (u32 i = 0; i < found->handed.count; i++) {
        HandedName handed = found->handed.items[i];
        handed.handler = map[handed.handler];
        handed.body += first_body;
        handed.step += self->bodies.items[handed.body].first;
        if (handed.handler && defined[handed.handler] == here)
            array_push(&self->handed, handed);
    }
    for (u32 i = 0; i < found->stored.count; i++) {
        const Stored *from = &found->stored.items[i];
        Stored stored = {map[from->type], map[from->variable], map[from->member], map[from->handler], from->array};
        if (stored.handler)
            array_push(&self->stored, stored);
    }
}

static void merge_file(Discovery *self, FileFound *found, const u32 *map, u32 file, u32 *defined) {
    u32 first_step = self->steps.count, first_body = self->bodies.count;
    merge_steps(self, found, map);
    merge_bodies(self, found, map, file, first_step);
    merge_handed(self, found, map, first_body, defined);
    for (u32 i = 0; i < found->typed.count; i++) {
        Typed typed = found->typed.items[i];
        typed.type = map[typed.type];
        typed.name = map[typed.name];
        array_push(&self->typed, typed);
    }
    self->bytes += found->bytes;
    self->unread += found->unread;
    self->deep += found->deep;
    array_free(&found->steps);
    array_free(&found->bodies);
    array_free(&found->handed);
    array_free(&found->stored);
    array_free(&found->typed);
}

// Of what is stored only functions of the tree.
static void keep_stored(Discovery *self) {
    u32 kept = 0;
    for (u32 i = 0; i < self->stored.count; i++)
        if (self->facts[self->stored.items[i].handler].functions)
            self->stored.items[kept++] = self->stored.items[i];
    self->stored.count = kept;
}

static int compare_typed(const void *left, const void *right) {
    const Typed *a = left, *b = right;
    if (a->type != b->type)
        return a->type < b->type ? -1 : 1;
    if (a->tagged != b->tagged)
        return a->tagged ? 1 : -1;
    return a->name < b->name ? -1 : a->name > b->name;
}

static void count_typed(Discovery *self) {
    u32 kept = 0;
    if (self->typed.count)
        qsort(self->typed.items, self->typed.count, sizeof(Typed), compare_typed);
    for (u32 i = 0; i < self->typed.count; i++)
        if (kept && !compare_typed(&self->typed.items[kept - 1], &self->typed.items[i]))
            self->typed.items[kept - 1].count++;
        else
            self->typed.items[kept++] = self->typed.items[i];
    self->typed.count = kept;
}

// the whole -------------------------------------------------------------------

static DiscoverReader *make_readers(const DiscoverWords *words, u32 jobs) {
    DiscoverReader *readers = must_zero(sizeof(DiscoverReader) * jobs);
    for (u32 i = 0; i < jobs; i++) {
        readers[i].words = words;
        for (u32 w = 0; words->likely[w]; w++)
            array_push(&readers[i].likely,
                       name_add(&readers[i].names, words->likely[w], (u32)strlen(words->likely[w])));
    }
    return readers;
}

static void reader_free(DiscoverReader *self) {
    array_free(&self->names.names);
    intern_free(&self->names.intern);
    array_free(&self->lexed.tokens);
    array_free(&self->lexed.directives);
    array_free(&self->lexed.marks);
    array_free(&self->lexed.mark_files);
    arena_free(&self->arena);
    array_free(&self->tokens);
    array_free(&self->partners);
    array_free(&self->open);
    array_free(&self->uses);
    array_free(&self->handed_on);
    array_free(&self->noreturn);
    array_free(&self->hollow);
    array_free(&self->likely);
    array_free(&self->scalars);
    array_free(&self->assigned);
    array_free(&self->called);
}

void discover(Discovery *self, Store *store, const DiscoverWords *words, u32 jobs) {
    SourceFileArray files = {0};
    store_load_files(store, &files);
    DiscoverJob job = {make_readers(words, jobs), must_zero(sizeof(FileFound) * (files.count + 1)), &files};
    progress_begin("discover", files.count);
    parallel_for(jobs, files.count, discover_one, &job);
    progress_end();
    u32 **maps = merge_names(self, &job, jobs);
    for (u32 w = 0; w < jobs; w++)
        sum_uses(self, &job.readers[w], maps[w]);
    u32 *defined = must_zero(sizeof(u32) * (self->names.entries.count + 1)); // by name: the file that defines it last
    for (u32 f = 0; f < files.count; f++) {
        merge_file(self, &job.found[f], maps[job.found[f].worker], f, defined);
        array_push(&self->paths, must_strdup(files.items[f].path));
    }
    free(defined);
    keep_stored(self);
    count_typed(self);
    for (u32 w = 0; w < jobs; w++) {
        free(maps[w]);
        reader_free(&job.readers[w]);
    }
    free(maps);
    free(job.readers);
    free(job.found);
    source_files_free(&files);
}

void discovery_free(Discovery *self) {
    for (u32 i = 0; i < self->paths.count; i++)
        free(self->paths.items[i]);
    array_free(&self->paths);
    array_free(&self->steps);
    array_free(&self->bodies);
    array_free(&self->handed);
    array_free(&self->stored);
    array_free(&self->typed);
    free(self->facts);
    intern_free(&self->names);
    *self = (Discovery){0};
}

u32 discovery_name(const Discovery *self, const char *text) {
    u32 id = intern_find(&self->names, text, (u32)strlen(text));
    return id == UINT32_MAX ? 0 : id;
}
