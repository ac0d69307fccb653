// resolve.c: which declaration a name means, seen from a file.
// In: the heads. Out: globals, records, typedefs, and a table for each kind of name.
// The idea: without the compiler's command lines nearness has to decide: the same file, else the longest
// common directory, else not inside some other program, else the shortest way down to it, else the file that speaks of
// most declared locks and threads (one port of many), else the first path. Files are sorted by path, so those that
// share most with a file stand next to it and nobody has to look at all. Invariant: the entries of a name are sorted by
// class, then by file.
#include "racerx/link/link.h"

enum {                            // of functions, best first; see program_function
    FUNCTION_STRONG,              // visible elsewhere
    FUNCTION_WEAK,                // somebody else's definition goes before it
    FUNCTION_ALTERNATIVE,         // from an arm that was not chosen
    FUNCTION_PRIVATE,             // static in a source file
    FUNCTION_PRIVATE_ALTERNATIVE, // both
};
enum { GLOBAL_VISIBLE, GLOBAL_DECLARED, GLOBAL_PRIVATE };
enum { TYPEDEF_VISIBLE, TYPEDEF_PRIVATE };

// tables ----------------------------------------------------------------------

typedef Array(NameEntry) EntryArray;

// Entries come in the order of files; each class is put down in one round.
static void table_build(LinkNames *self, const EntryArray *list, u32 names) {
    u32 classes = 0;
    self->count = list->count;
    self->first = must_zero(sizeof(u32) * ((size_t)names + 2));
    self->entries = must_alloc(sizeof(NameEntry) * (list->count + 1));
    for (u32 i = 0; i < list->count; i++) {
        self->first[list->items[i].name + 1]++;
        classes = list->items[i].class >= classes ? list->items[i].class + 1 : classes;
    }
    for (u32 n = 0; n < names; n++)
        self->first[n + 1] += self->first[n];
    u32 *next = must_alloc(sizeof(u32) * ((size_t)names + 1));
    memcpy(next, self->first, sizeof(u32) * ((size_t)names + 1));
    for (u32 class = 0; class < classes; class ++)
        for (u32 i = 0; i < list->count; i++)
            if (list->items[i].class == class)
                self->entries[next[list->items[i].name]++] = list->items[i];
    free(next);
}

static void table_free(LinkNames *self) {
    free(self->first);
    free(self->entries);
}

// The first entry of [low, high) that is not before (class, file).
static u32 lower_bound(const LinkNames *self, u32 low, u32 high, u32 class, FileId file) {
    while (low < high) {
        u32 middle = low + (high - low) / 2;
        const NameEntry *entry = &self->entries[middle];
        if (entry->class < class || (entry->class == class && entry->file < file))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

typedef struct {
    const Program *program;
    const LinkNames *table;
    u32 first, end; // entries of the name
    FileId from;
} NameLookup;

static NameLookup lookup(const Program *program, const LinkNames *table, FileId from, NameId name) {
    if (name >= program->name_limit)
        return (NameLookup){program, table, 0, 0, from};
    return (NameLookup){program, table, table->first[name], table->first[name + 1], from};
}

// Of a class in the same file: the first one. NO_ID: none.
static u32 find_here(const NameLookup *self, u32 class) {
    u32 at = lower_bound(self->table, self->first, self->end, class, self->from);
    const NameEntry *entry = &self->table->entries[at];
    return at < self->end && entry->class == class && entry->file == self->from ? entry->id : NO_ID;
}

// Directories that two paths have in common, from the top.
static u32 common_depth(const char *a, const char *b) {
    u32 depth = 0;
    for (; *a && *a == *b; a++, b++)
        depth += *a == '/';
    return depth;
}

// Below the directories they share, is there one with a `main`? Then it is another program's.
static bool is_foreign(const NameLookup *self, const NameEntry *entry, u32 depth) {
    return depth < 31 && self->program->tables->main_above[entry->file] >> (depth + 1);
}

static bool are_beside(const char *a, const char *b) {
    const char *p = strrchr(a, '/'), *q = strrchr(b, '/');
    size_t m = p ? (size_t)(p - a) : 0, n = q ? (size_t)(q - b) : 0;
    return m == n && !memcmp(a, b, m);
}

// Is one named like the other, as via.h for via.c and via_main.c? The length of what both names begin with; 0: no.
static size_t namesake(const char *a, const char *b) {
    const char *p = strrchr(a, '/'), *q = strrchr(b, '/');
    a = p ? p + 1 : a;
    b = q ? q + 1 : b;
    size_t m = strcspn(a, "."), n = strcspn(b, "."), least = m < n ? m : n;
    return memcmp(a, b, least) ? 0 : least;
}

// How much of their names two files begin with in common, in whole words: ehci-timer.c and ehci-q.c.
static size_t common_words(const char *a, const char *b) {
    const char *p = strrchr(a, '/'), *q = strrchr(b, '/');
    a = p ? p + 1 : a;
    b = q ? q + 1 : b;
    size_t words = 0;
    for (size_t i = 0; a[i] && a[i] == b[i] && a[i] != '.'; i++)
        words = a[i] == '-' || a[i] == '_' ? i + 1 : words;
    return words;
}

static bool is_nearer(const NameLookup *self, const NameEntry *a, const NameEntry *b, u32 depth) {
    const ProgramFile *files = self->program->files.items;
    if (is_foreign(self, a, depth) != is_foreign(self, b, depth))
        return is_foreign(self, b, depth);
    if (files[a->file].depth != files[b->file].depth)
        return files[a->file].depth < files[b->file].depth;
    if ((files[a->file].kind == FILE_HEADER) != (files[b->file].kind == FILE_HEADER))
        return files[a->file].kind == FILE_HEADER;
    size_t x = namesake(files[self->from].path, files[a->file].path),
           y = namesake(files[self->from].path, files[b->file].path);
    if (x != y && are_beside(files[a->file].path, files[b->file].path))
        return x > y;
    if (a->class == FUNCTION_PRIVATE && b->class == FUNCTION_PRIVATE) { // sources that others include, of one driver
        x = common_words(files[self->from].path, files[a->file].path);
        y = common_words(files[self->from].path, files[b->file].path);
        if (x != y)
            return x > y;
    }
    const u32 *said = self->program->tables->said;
    if (said[a->file] != said[b->file] && are_beside(files[a->file].path, files[b->file].path))
        return said[a->file] > said[b->file];
    return a->file < b->file;
}

enum {
    NEAR_BESIDE = 1, // only in the same directory
    NEAR_OWN = 2,    // not of another program
};
// Of a class anywhere: the closest. NO_ID: none.
static u32 find_near(const NameLookup *self, u32 class, u32 flags) {
    const NameEntry *entries = self->table->entries;
    const ProgramFile *files = self->program->files.items;
    u32 low = lower_bound(self->table, self->first, self->end, class, 0);
    u32 high = lower_bound(self->table, low, self->end, class + 1, 0);
    if (low == high)
        return NO_ID;
    if (high - low == 1 && !flags)
        return entries[low].id;
    const char *path = files[self->from].path;
    u32 at = lower_bound(self->table, low, high, class, self->from), depth = 0;
    if (at < high)
        depth = common_depth(path, files[entries[at].file].path);
    if (at > low && common_depth(path, files[entries[at - 1].file].path) > depth)
        depth = common_depth(path, files[entries[at - 1].file].path);
    const NameEntry *best = NULL;
    for (u32 i = at; i < high && common_depth(path, files[entries[i].file].path) == depth; i++) {
        if (limit_cuts(LIMIT_NEAR_MOST, i - at >= NEAR_MOST))
            break;
        best = !best || is_nearer(self, &entries[i], best, depth) ? &entries[i] : best;
    }
    for (u32 i = at; i > low && common_depth(path, files[entries[i - 1].file].path) == depth; i--) {
        if (limit_cuts(LIMIT_NEAR_MOST, at - i >= NEAR_MOST))
            break;
        best = !best || is_nearer(self, &entries[i - 1], best, depth) ? &entries[i - 1] : best;
    }
    bool beside = best && depth == files[self->from].depth && depth == files[best->file].depth;
    if (!best || (flags & NEAR_BESIDE && !beside) || (flags & NEAR_OWN && is_foreign(self, best, depth)))
        return NO_ID;
    return best->id;
}

// asking ----------------------------------------------------------------------

static FunctionId find_function(const Program *self, FileId from, NameId name) {
    static const u8 here[] = {FUNCTION_STRONG, FUNCTION_PRIVATE, FUNCTION_PRIVATE_ALTERNATIVE};
    static const u8 anywhere[] = {FUNCTION_STRONG, FUNCTION_WEAK, FUNCTION_ALTERNATIVE};
    NameLookup look = lookup(self, &self->tables->functions, from, name);
    FunctionId found = NO_ID;
    u32 own = program_said(self, name) ? NEAR_OWN : 0; // a declared name is mostly a macro that was kept
    if (look.first == look.end)
        return NO_ID;
    for (u32 i = 0; i < 3 && found == NO_ID; i++)
        found = find_here(&look, here[i]);
    for (u32 i = 0; i < 3 && found == NO_ID; i++) {
        found = i ? find_here(&look, anywhere[i]) : NO_ID;
        found = found == NO_ID ? find_near(&look, anywhere[i], own) : found;
    }
    return found == NO_ID ? find_near(&look, FUNCTION_PRIVATE, NEAR_BESIDE)
                          : found; // a source file included by another
}

FunctionId program_function(const Program *self, FileId from, NameId name) {
    for (u32 hops = 0; hops < 4; hops++) {
        FunctionId found = find_function(self, from, name);
        if (found != NO_ID)
            return found;
        GlobalId global = program_global(self, from, name);
        if (global == NO_ID || !self->globals.items[global].is_function)
            return NO_ID;
        const ProgramGlobal *one = &self->globals.items[global];
        StrId alias = self->files.items[one->file].tree.globals.items[one->index].alias;
        if (!alias)
            return NO_ID;
        name = file_name(self, one->file, alias);
        from = one->file;
    }
    return NO_ID;
}

FunctionId program_named(const Program *self, NameId name, u32 n) {
    NameLookup look = lookup(self, &self->tables->functions, 0, name);
    return n < look.end - look.first ? self->tables->functions.entries[look.first + n].id : NO_ID;
}

GlobalId program_global(const Program *self, FileId from, NameId name) {
    NameLookup look = lookup(self, &self->tables->globals, from, name);
    GlobalId found = NO_ID;
    if (look.first == look.end)
        return NO_ID;
    found = find_here(&look, GLOBAL_PRIVATE);
    if (found == NO_ID)
        found = find_here(&look, GLOBAL_VISIBLE);
    if (found == NO_ID)
        found = find_near(&look, GLOBAL_VISIBLE, 0);
    if (found == NO_ID)
        found = find_near(&look, GLOBAL_DECLARED, 0);
    return found == NO_ID ? find_near(&look, GLOBAL_PRIVATE, NEAR_BESIDE) : found;
}

static u32 record_class(u8 kind, bool visible) { return (u32)(kind - TYPE_STRUCT) * 2 + !visible; }

RecordId program_record(const Program *self, FileId from, NameId tag, u8 kind) {
    NameLookup look = lookup(self, &self->tables->records, from, tag);
    if (look.first == look.end || kind < TYPE_STRUCT || kind > TYPE_ENUM)
        return NO_ID;
    RecordId found = find_here(&look, record_class(kind, true));
    if (found == NO_ID)
        found = find_here(&look, record_class(kind, false));
    if (found == NO_ID)
        found = find_near(&look, record_class(kind, true), 0);
    return found == NO_ID ? find_near(&look, record_class(kind, false), 0) : found;
}

static u32 find_typedef(const Program *self, FileId from, NameId name) {
    NameLookup look = lookup(self, &self->tables->typedefs, from, name);
    if (look.first == look.end)
        return NO_ID;
    u32 found = find_here(&look, TYPEDEF_VISIBLE);
    if (found == NO_ID)
        found = find_here(&look, TYPEDEF_PRIVATE);
    if (found == NO_ID)
        found = find_near(&look, TYPEDEF_VISIBLE, 0);
    return found == NO_ID ? find_near(&look, TYPEDEF_PRIVATE, 0) : found;
}

// gathering -------------------------------------------------------------------

static u32 function_class(const Program *self, const ProgramFunction *function) {
    bool private = function->flags & DECL_STATIC && self->files.items[function->file].kind != FILE_HEADER;
    if (function->flags & DECL_ALTERNATIVE)
        return private ? FUNCTION_PRIVATE_ALTERNATIVE : FUNCTION_ALTERNATIVE;
    return private ? FUNCTION_PRIVATE : function->flags & DECL_WEAK ? FUNCTION_WEAK : FUNCTION_STRONG;
}

// fills: tables->functions.
static void index_functions(Program *self) {
    EntryArray list = {0};
    array_reserve(&list, self->functions.count);
    for (u32 i = 0; i < self->functions.count; i++) {
        const ProgramFunction *function = &self->functions.items[i];
        array_push(&list, ((NameEntry){function->name, function->file, i, function_class(self, function)}));
    }
    table_build(&self->tables->functions, &list, self->name_limit);
    array_free(&list);
}

typedef struct {
    Program *program;
    Bitset defined; // names with a definition that others can see
    u32 *last;      // by NameId: 1 + the last global of the name
    EntryArray list;
} GlobalIndex;

static bool is_prototype(const Tree *tree, const Global *global) {
    return tree->types.items[global->type].kind == TYPE_FUNCTION;
}
static bool is_definition(const Global *global) {
    return !(global->flags & DECL_EXTERN) || global->flags & DECL_INITIALISED;
}
static bool is_private(const ProgramFile *file, u32 flags) { return flags & DECL_STATIC && file->kind != FILE_HEADER; }

static void note_definitions(GlobalIndex *self, const ProgramFile *file) {
    for (u32 i = 0; i < file->tree.globals.count; i++) {
        const Global *global = &file->tree.globals.items[i];
        NameId name = file->names[global->name];
        if (is_prototype(&file->tree, global)) {
            if (global->flags & DECL_NORETURN)
                bitset_set(&self->program->tables->noreturn, name);
        } else if (is_definition(global) && !is_private(file, global->flags)) {
            bitset_set(&self->defined, name);
        }
    }
}

static void add_global(GlobalIndex *self, FileId f, u32 index) {
    Program *program = self->program;
    const ProgramFile *file = &program->files.items[f];
    const Global *global = &file->tree.globals.items[index];
    NameId name = file->names[global->name];
    bool prototype = is_prototype(&file->tree, global);
    bool declaration = prototype || !is_definition(global);
    if (prototype && program->tables->functions.first[name] != program->tables->functions.first[name + 1])
        return;
    if (declaration && (self->last[name] || bitset_has(&self->defined, name)))
        return;
    ProgramGlobal *old = self->last[name] ? &program->globals.items[self->last[name] - 1] : NULL;
    if (old && old->file == f) { // `int x; int x = 1;`
        if (global->flags & DECL_INITIALISED && !(old->flags & DECL_INITIALISED))
            old->index = index, old->flags = global->flags | (old->flags & DECL_STATIC), old->type = global->type;
        return;
    }
    ProgramGlobal one = {.name = name,
                         .file = f,
                         .index = index,
                         .function = NO_ID,
                         .type = global->type,
                         .flags = global->flags,
                         .is_static = (global->flags & DECL_STATIC) != 0,
                         .is_function = prototype};
    array_push(&program->globals, one);
    self->last[name] = program->globals.count;
    u32 class = declaration ? GLOBAL_DECLARED : is_private(file, global->flags) ? GLOBAL_PRIVATE : GLOBAL_VISIBLE;
    array_push(&self->list, ((NameEntry){name, f, program->globals.count - 1, class}));
}

// requires: tables->functions. fills: globals, tables->globals, noreturn.
static void index_globals(Program *self) {
    GlobalIndex index = {.program = self};
    bitset_resize(&index.defined, self->name_limit);
    bitset_resize(&self->tables->noreturn, self->name_limit);
    index.last = must_zero(sizeof(u32) * ((size_t)self->name_limit + 1));
    for (u32 f = 0; f < self->files.count; f++)
        note_definitions(&index, &self->files.items[f]);
    for (u32 f = 0; f < self->files.count; f++)
        for (u32 i = 0; i < self->files.items[f].tree.globals.count; i++)
            add_global(&index, f, i);
    table_build(&self->tables->globals, &index.list, self->name_limit);
    bitset_free(&index.defined);
    array_free(&index.list);
    free(index.last);
}

// A header's record that several preprocessed files carry is one record.
static RecordId same_record(Program *self, Map *seen, FileId f, u32 index) {
    const ProgramFile *file = &self->files.items[f];
    const Record *record = &file->tree.records.items[index];
    if (file->kind == FILE_PREPROCESSED && record->file) {
        bool is_new;
        u64 key = hash_mix((u64)file->names[record->tag] << 32 | file->names[record->file],
                           (u64)record->place.line << 8 | record->kind);
        u32 *known = map_put(seen, key, &is_new);
        if (!is_new)
            return *known;
        *known = self->records.count;
    }
    array_push(&self->records, ((ProgramRecord){file->names[record->tag], f, index, record->kind, false}));
    return self->records.count - 1;
}

// fills: records, typedefs and their tables.
static void index_types(Program *self) {
    EntryArray records = {0}, typedefs = {0};
    Map seen = {0};
    for (u32 f = 0; f < self->files.count; f++) {
        const ProgramFile *file = &self->files.items[f];
        bool visible = file->kind == FILE_HEADER;
        for (u32 i = 0; i < file->tree.records.count; i++) {
            const Record *record = &file->tree.records.items[i];
            RecordId id = same_record(self, &seen, f, i);
            array_push(&records, ((NameEntry){file->names[record->tag], f, id, record_class(record->kind, visible)}));
        }
        for (u32 i = 0; i < file->tree.typedefs.count; i++) {
            NameId name = file->names[file->tree.typedefs.items[i].name];
            array_push(&typedefs,
                       ((NameEntry){name, f, self->typedefs.count, visible ? TYPEDEF_VISIBLE : TYPEDEF_PRIVATE}));
            array_push(&self->typedefs, ((ProgramTypedef){name, f, i}));
        }
    }
    table_build(&self->tables->records, &records, self->name_limit);
    table_build(&self->tables->typedefs, &typedefs, self->name_limit);
    array_free(&records);
    array_free(&typedefs);
    map_free(&seen);
}

static u64 directory_hash(const char *path, size_t length) { return hash_bytes(path, length, 0); }

// requires: tables->functions. fills: tables->main_above.
static void find_programs(Program *self) {
    Map directories = {0};
    u32 name = intern_find(&self->names, "main", 4);
    FunctionId id;
    self->tables->main_above = must_zero(sizeof(u32) * ((size_t)self->files.count + 1));
    for (u32 n = 0; name != UINT32_MAX && (id = program_named(self, name, n)) != NO_ID; n++) {
        const char *path = self->files.items[self->functions.items[id].file].path, *slash = strrchr(path, '/');
        if (slash)
            map_put(&directories, directory_hash(path, (size_t)(slash - path)), NULL);
    }
    for (u32 f = 0; f < self->files.count && directories.count; f++) {
        const char *path = self->files.items[f].path;
        u32 depth = 0;
        for (const char *slash = strchr(path, '/'); slash && ++depth < 32; slash = strchr(slash + 1, '/'))
            if (map_get(&directories, directory_hash(path, (size_t)(slash - path))))
                self->tables->main_above[f] |= 1u << depth;
    }
    map_free(&directories);
}

// requires: names, said. fills: tables->said.
void resolve_said(Program *self) {
    for (u32 f = 0; f < self->files.count; f++)
        for (u32 i = 0; i < self->files.items[f].name_count; i++)
            self->tables->said[f] +=
                (program_said(self, self->files.items[f].names[i]) & (SAID_LOCK | SAID_REGISTERS | SAID_JOINS)) != 0;
}

// requires: functions, names. fills: globals, records, typedefs, tables of names.
void resolve_index(Program *self) {
    index_functions(self);
    self->tables->said = must_zero(sizeof(u32) * ((size_t)self->files.count + 2));
    find_programs(self);
    index_globals(self);
    index_types(self);
}

// links -----------------------------------------------------------------------

static void link_file(void *context, u32 worker, u32 index) {
    Program *self = context;
    ProgramFile *file = &self->files.items[index];
    (void)worker;
    file->links = must_alloc(sizeof(u32) * (file->tree.types.count + 1));
    for (u32 i = 0; i < file->tree.types.count; i++) {
        const Type *type = &file->tree.types.items[i];
        file->links[i] = NO_ID;
        if (type->kind == TYPE_NAMED)
            file->links[i] = find_typedef(self, index, file->names[type->name]);
        else if (type->kind == TYPE_STRUCT || type->kind == TYPE_UNION || type->kind == TYPE_ENUM)
            file->links[i] = program_record(self, index, file->names[type->name], type->kind);
    }
}

// A tag or typedef without a definition anywhere is a record of its own, without members. A named
// type's link is then beyond the typedefs: typedefs.count + RecordId.
static void link_unknown(Program *self) {
    Map seen = {0};
    for (u32 f = 0; f <= self->files.count; f++) {
        const ProgramFile *file = &self->files.items[f];
        for (u32 i = 0; i < file->tree.types.count; i++) {
            const Type *type = &file->tree.types.items[i];
            bool tagged = type->kind == TYPE_STRUCT || type->kind == TYPE_UNION || type->kind == TYPE_ENUM;
            if (file->links[i] != NO_ID || (type->kind != TYPE_NAMED && !tagged))
                continue;
            bool is_new;
            u32 *known = map_put(&seen, (u64)file->names[type->name] << 8 | type->kind, &is_new);
            if (is_new) {
                *known = self->records.count;
                array_push(&self->records, ((ProgramRecord){file->names[type->name], f, NO_ID, type->kind, false}));
            }
            file->links[i] = tagged ? *known : self->typedefs.count + *known;
        }
    }
    map_free(&seen);
    if (self->records.count >= SLOT_NO_RECORD || self->globals.count >= SLOT_NO_RECORD)
        fatal("too many declarations; analyse the tree in parts");
}

// requires: tables, the file of declared types. fills: ProgramFile.links.
void resolve_links(Program *self, u32 jobs) {
    parallel_for(jobs, self->files.count + 1, link_file, self);
    link_unknown(self);
}

void resolve_free(Program *self) {
    struct LinkTables *tables = self->tables;
    for (u32 f = 0; f <= self->files.count && self->files.items; f++)
        free(self->files.items[f].links);
    table_free(&tables->functions);
    table_free(&tables->globals);
    table_free(&tables->records);
    table_free(&tables->typedefs);
    map_free(&tables->members);
    array_free(&tables->entries);
    bitset_free(&tables->code_fields);
    bitset_free(&tables->data_fields);
    bitset_free(&tables->noreturn);
    map_free(&tables->declared);
    free(tables->main_above);
    free(tables->said);
}
