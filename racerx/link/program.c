// program.c: every tree of the database in memory, under one set of names.
// In: a store. Out: a Program, linked: heads decoded and packed, bodies encoded as they were, strings of all
// files interned together, then the passes of link.h in order.
// The idea: files are decoded in contiguous ranges, each with an interner of its own; the interners are merged
// in order, which numbers the strings by their first occurrence whatever the ranges were.
// Invariant: after loading every id in a head is in bounds, and nothing here changes any more.
#include "racerx/link/link.h"

#include <pthread.h>

#define RANGE_COUNT 32 // of files, decoded one by one by the threads

typedef struct {
    u32 first, end; // files
    Intern strings; // of the range
    Arena arena;    // packed heads, tables of names
    char *bad;      // path of a file whose tree cannot be read, or NULL
} LoadRange;

struct ProgramMemory {
    LoadRange ranges[RANGE_COUNT];
    pthread_rwlock_t lock; // of `paths` and `joins`
    Intern paths;          // names made later; ids count on from name_limit
    Map joins;             // (parent, member) to a NameId
};

typedef struct {
    Store *store;
    Program *program;
    SourceFileArray files;
    struct {
        Tree tree; // decoded into again and again
        Buffer head;
    } workers[256];
} HeadLoader;

// heads -----------------------------------------------------------------------

static void *pack(Arena *arena, const void *items, u32 count, size_t size) {
    void *copy = arena_alloc(arena, count * size + 1);
    if (count)
        memcpy(copy, items, count * size);
    return copy;
}

#define PACK(field)                                                                                                    \
    do {                                                                                                               \
        to->field.items = pack(arena, from->field.items, from->field.count, sizeof *from->field.items);                \
        to->field.count = to->field.capacity = from->field.count;                                                      \
    } while (0)

// Copies what linking needs, without the slack of growing arrays.
static void pack_head(Arena *arena, const Tree *from, Tree *to) {
    PACK(types);
    PACK(lists);
    PACK(fields);
    PACK(enumerators);
    PACK(records);
    PACK(typedefs);
    PACK(globals);
    PACK(calls);
    PACK(functions);
    PACK(remarks);
    PACK(exprs);
    PACK(inits);
    PACK(steps);
    to->lost_items = from->lost_items;
    to->lost_bytes = from->lost_bytes;
}

static void pack_names(LoadRange *range, const Intern *strings, ProgramFile *file) {
    file->name_count = strings->entries.count;
    file->names = arena_array(&range->arena, NameId, file->name_count);
    for (u32 i = 0; i < file->name_count; i++)
        file->names[i] = intern_add(&range->strings, strings->entries.items[i].text, strings->entries.items[i].length);
}

static u32 path_depth(const char *path) {
    u32 depth = 0;
    for (; *path; path++)
        depth += *path == '/';
    return depth;
}

static void load_file(HeadLoader *self, LoadRange *range, u32 worker, u32 index) {
    const SourceFile *source = &self->files.items[index];
    ProgramFile *file = &self->program->files.items[index];
    Tree *tree = &self->workers[worker].tree;
    Buffer *head = &self->workers[worker].head, bodies = {0};
    head->size = 0;
    file->path = arena_copy(&range->arena, source->path, strlen(source->path));
    file->kind = source->kind;
    file->depth = path_depth(source->path);
    tree_reset(tree);
    if (store_get_head(self->store, source->tree, head)) { // otherwise it was skipped: an empty tree
        bool good = tree_read_head(tree, head->bytes, head->size);
        if (!good || !store_get_bodies(self->store, source->tree, &bodies)) {
            range->bad = range->bad ? range->bad : must_strdup(source->path);
            tree_reset(tree);
        }
    }
    pack_head(&range->arena, tree, &file->tree);
    pack_names(range, &tree->strings, file);
    file->bodies = bodies.bytes;
    file->bodies_size = bodies.size;
}

static void load_range(void *context, u32 worker, u32 index) {
    HeadLoader *self = context;
    LoadRange *range = &self->program->memory->ranges[index];
    for (u32 i = range->first; i < range->end; i++)
        load_file(self, range, worker, i);
}

// names -----------------------------------------------------------------------

typedef struct {
    Program *program;
    NameId *maps[RANGE_COUNT]; // by string of the range
} NameRenaming;

static void rename_range(void *context, u32 worker, u32 index) {
    NameRenaming *self = context;
    (void)worker;
    const LoadRange *range = &self->program->memory->ranges[index];
    for (u32 f = range->first; f < range->end; f++) {
        ProgramFile *file = &self->program->files.items[f];
        for (u32 i = 0; i < file->name_count; i++)
            file->names[i] = self->maps[index][file->names[i]];
    }
}

// fills: names, ProgramFile.names in their terms.
static void merge_names(Program *self, u32 jobs) {
    NameRenaming renaming = {.program = self};
    intern_add(&self->names, "", 0);
    intern_add(&self->names, "[]", 2);
    for (u32 r = 0; r < RANGE_COUNT; r++) {
        const Intern *strings = &self->memory->ranges[r].strings;
        renaming.maps[r] = must_alloc(sizeof(NameId) * (strings->entries.count + 1));
        for (u32 i = 0; i < strings->entries.count; i++)
            renaming.maps[r][i] =
                intern_add(&self->names, strings->entries.items[i].text, strings->entries.items[i].length);
    }
    parallel_for(jobs, RANGE_COUNT, rename_range, &renaming);
    for (u32 r = 0; r < RANGE_COUNT; r++) {
        free(renaming.maps[r]);
        intern_free(&self->memory->ranges[r].strings);
    }
    self->name_limit = self->names.entries.count;
}

// fills: functions.
static void list_functions(Program *self) {
    u64 total = 0;
    for (u32 f = 0; f < self->files.count; f++)
        total += self->files.items[f].tree.functions.count;
    if (total >= SLOT_NO_RECORD)
        fatal("%llu functions are too many; analyse the tree in parts", (unsigned long long)total);
    array_reserve(&self->functions, (u32)total + 1);
    for (u32 f = 0; f < self->files.count; f++) {
        ProgramFile *file = &self->files.items[f];
        file->function = self->functions.count;
        for (u32 i = 0; i < file->tree.functions.count; i++) {
            const Function *function = &file->tree.functions.items[i];
            ProgramFunction one = {.name = file->names[function->name],
                                   .file = f,
                                   .index = i,
                                   .flags = function->flags,
                                   .place = function->place,
                                   .end_line = function->end_line};
            array_push(&self->functions, one);
        }
    }
}

// the program -----------------------------------------------------------------

static void load_heads(Program *self, Store *store, u32 jobs) {
    HeadLoader *loader = must_zero(sizeof *loader);
    loader->store = store;
    loader->program = self;
    store_load_files(store, &loader->files);
    u32 count = loader->files.count;
    array_reserve(&self->files, count + 1);
    memset(self->files.items, 0, sizeof(ProgramFile) * (count + 1));
    self->files.count = count;
    for (u32 r = 0; r < RANGE_COUNT; r++) {
        self->memory->ranges[r].first = (u32)((u64)count * r / RANGE_COUNT);
        self->memory->ranges[r].end = (u32)((u64)count * (r + 1) / RANGE_COUNT);
    }
    parallel_for(jobs, RANGE_COUNT, load_range, loader);
    for (u32 r = 0; r < RANGE_COUNT; r++)
        if (self->memory->ranges[r].bad)
            fatal("the tree of %s is damaged: remove the database and run `racerx extract` again",
                  quote_path(self->memory->ranges[r].bad));
    for (u32 i = 0; i < 256; i++) {
        tree_free(&loader->workers[i].tree);
        buffer_free(&loader->workers[i].head);
    }
    source_files_free(&loader->files);
    free(loader);
}

Program *program_load(Store *store, const Declarations *declarations, u32 jobs) {
    Program *self = must_zero(sizeof *self);
    double begin = clock_seconds();
    self->declarations = declarations;
    self->memory = must_zero(sizeof *self->memory);
    self->tables = must_zero(sizeof *self->tables);
    pthread_rwlock_init(&self->memory->lock, NULL);
    load_heads(self, store, jobs);
    merge_names(self, jobs);
    list_functions(self);
    self->stats.seconds_load = clock_seconds() - begin;
    resolve_index(self);
    declared_types(self, jobs);
    resolve_said(self);
    resolve_links(self, jobs);
    index_members(self);
    self->stats.seconds_index = clock_seconds() - begin - self->stats.seconds_load;
    link_calls(self, jobs);
    find_rivals(self);
    mark_rivals(self);
    if (checks_wanted())
        program_check(self);
    arguments_check(self);
    self->stats.files = self->files.count;
    self->stats.functions = self->functions.count;
    self->stats.globals = self->globals.count;
    self->stats.records = self->records.count;
    self->stats.names = self->name_limit;
    self->stats.memory = memory_peak_bytes();
    self->stats.seconds = clock_seconds() - begin;
    return self;
}

void program_free(Program *self) {
    if (!self)
        return;
    for (u32 i = 0; i < self->files.count; i++)
        free(self->files.items[i].bodies);
    for (u32 r = 0; r < RANGE_COUNT; r++)
        arena_free(&self->memory->ranges[r].arena);
    points_free(self);
    resolve_free(self);
    tree_free(&self->files.items[self->files.count].tree); // the declared types
    free(self->files.items[self->files.count].names);
    intern_free(&self->memory->paths);
    map_free(&self->memory->joins);
    pthread_rwlock_destroy(&self->memory->lock);
    free(self->memory);
    free(self->tables);
    free(self->said);
    free(self->only);
    intern_free(&self->names);
    array_free(&self->files);
    array_free(&self->functions);
    array_free(&self->calls);
    array_free(&self->targets);
    array_free(&self->bindings);
    array_free(&self->callers);
    array_free(&self->taken);
    array_free(&self->lock_stores);
    array_free(&self->globals);
    array_free(&self->records);
    array_free(&self->typedefs);
    array_free(&self->registrations);
    array_free(&self->fields);
    array_free(&self->stored);
    array_free(&self->global_holds);
    map_free(&self->rivals);
    bitset_free(&self->rival_files);
    array_free(&self->never_parallel);
    array_free(&self->never_parallel_lists);
    free(self);
}

bool program_body(const Program *self, FunctionId id, Body *out) {
    const ProgramFile *file = &self->files.items[self->functions.items[id].file];
    const Function *function = program_header(self, id);
    if (function->body_offset > file->bodies_size || function->body_size > file->bodies_size - function->body_offset)
        return false;
    return body_read(out, file->bodies + function->body_offset, function->body_size) &&
           out->string_limit <= file->name_count && out->type_limit <= file->tree.types.count &&
           function->param_count <= out->vars.count;
}

const CallSite *program_call(const Program *self, FunctionId id, ExprId call) {
    const ProgramFunction *function = &self->functions.items[id];
    u32 low = function->call, high = function->call + function->call_count;
    while (low < high) {
        u32 middle = low + (high - low) / 2;
        if (self->calls.items[middle].expr < call)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < function->call + function->call_count && self->calls.items[low].expr == call;
    return found ? &self->calls.items[low] : NULL;
}

// paths -----------------------------------------------------------------------

const char *program_text(const Program *self, NameId id) {
    if (id < self->name_limit)
        return self->names.entries.items[id].text;
    pthread_rwlock_rdlock(&self->memory->lock);
    const char *text = intern_text(&self->memory->paths, id - self->name_limit);
    pthread_rwlock_unlock(&self->memory->lock);
    return text;
}

NameId program_intern(const Program *self, const char *text, u32 length) {
    u32 id = intern_find(&self->names, text, length);
    if (id < self->name_limit)
        return id;
    pthread_rwlock_wrlock(&self->memory->lock);
    id = self->name_limit + intern_add(&self->memory->paths, text, length);
    pthread_rwlock_unlock(&self->memory->lock);
    return id;
}

static NameId join_new(const Program *self, NameId parent, NameId member) { // not seen before in these two parts
    Buffer text = {0};
    buffer_format(&text, "%s.%s", program_text(self, parent), program_text(self, member));
    NameId id = program_intern(self, (char *)text.bytes, (u32)text.size);
    pthread_rwlock_wrlock(&self->memory->lock);
    *map_put(&self->memory->joins, (u64)parent << 32 | member, NULL) = id;
    pthread_rwlock_unlock(&self->memory->lock);
    buffer_free(&text);
    return id;
}

NameId program_join(const Program *self, NameId parent, NameId member) {
    if (!parent || !member)
        return parent ? parent : member;
    pthread_rwlock_rdlock(&self->memory->lock);
    u32 *known = map_get(&self->memory->joins, (u64)parent << 32 | member);
    NameId id = known ? *known : 0;
    pthread_rwlock_unlock(&self->memory->lock);
    return id ? id : join_new(self, parent, member);
}
