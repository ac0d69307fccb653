// guards_patch.c: `racerx guards --format clang|kernel`: what is believed of locks, as attributes in the source.
// In: guards that are sure, the linked program, which knows where things are declared. Out: a patch of the
// declarations.
//
// clang checks GUARDED_BY of globals; of a member, C lets no attribute name a sibling, so that it is said in a comment
// there, and as an attribute in the kernel's spelling. Only lines that are what was analysed are changed, and only
// where the name of the object stands once.
#include "racerx/cli/command_link.h"

#include "racerx/findings/findings.h"
#include "reports/reports.h"

#include <ctype.h>

#define CONTEXT 3 // lines around a change

typedef struct {
    const char *path; // as shown
    u32 line;
    const char *name;  // of the global or member
    const char *after; // what is put behind it
    GlobalId global;   // NO_ID: a member
} Edit;
typedef struct {
    const Program *program;
    Map declared; // hash of a name as users read it → 1 + index into places
    Array(Edit) places;
    Array(Edit) edits;
    Arena arena;
    bool kernel;
    u32 left; // guards that are sure, and have no place to be said
} Patch;

// where things are ----------------------------------------------------------------

static void add_place(Patch *self, const Buffer *name, const char *path, u32 line, const char *own, GlobalId global) {
    bool is_new = false;
    u32 *at = map_put(&self->declared, hash_bytes(name->bytes, name->size, 0), &is_new);
    if (is_new) {
        array_push(&self->places, ((Edit){path, line, own, NULL, global}));
        *at = self->places.count;
    }
}

static void add_globals(Patch *self) {
    const Program *program = self->program;
    Buffer name = {0};
    for (GlobalId i = 0; i < program->globals.count; i++) {
        const ProgramGlobal *global = &program->globals.items[i];
        if (global->is_function || global->function != NO_ID || (global->flags & DECL_EXTERN))
            continue;
        const ProgramFile *file = &program->files.items[global->file];
        Object object = {.kind = OBJECT_GLOBAL, .global = i, .record = NO_ID};
        name.size = 0;
        object_name(program, &object, &name);
        add_place(self, &name, file->path, file->tree.globals.items[global->index].place.line,
                  program_text(program, global->name), i);
    }
    buffer_free(&name);
}

static void add_members(Patch *self) {
    const Program *program = self->program;
    Buffer name = {0};
    for (RecordId i = 0; i < program->records.count; i++) {
        const ProgramRecord *record = &program->records.items[i];
        if (record->index == NO_ID)
            continue;
        const ProgramFile *file = &program->files.items[record->file];
        const Record *own = &file->tree.records.items[record->index];
        if (own->kind == TYPE_ENUM)
            continue;
        for (u32 f = 0; f < own->member_count; f++) {
            const Field *field = &file->tree.fields.items[own->member + f];
            const char *text = program_text(program, file->names[field->name]);
            name.size = 0;
            record_name(program, i, &name);
            buffer_format(&name, ".%s", text);
            if (*text)
                add_place(self, &name, file->path, field->place.line, text, NO_ID);
        }
    }
    buffer_free(&name);
}

// attributes ------------------------------------------------------------------------

static bool is_member(const char *object) { return !strncmp(object, "struct ", 7) || !strncmp(object, "union ", 6); }

// The lock as the object's declaration can name it; NULL: it cannot.
static const char *lock_here(const GuardRow *row) {
    const char *colon = strchr(row->lock, ':'), *dot = strchr(row->lock, '.');
    if (strpbrk(row->lock, " []") && !is_member(row->lock))
        return NULL;
    if (!is_member(row->lock)) // a file of its own has the object, too, or the lock is everybody's
        return colon ? (strncmp(row->object, row->lock, (size_t)(colon - row->lock) + 1) ? NULL : colon + 1)
                     : row->lock;
    size_t own = dot ? (size_t)(dot - row->lock) : 0;
    bool sibling = own && !strncmp(row->object, row->lock, own + 1) && row->same == row->with;
    return sibling ? dot + 1 : NULL;
}

static const char *attribute(Patch *self, const GuardRow *row, const char *lock) {
    Buffer out = {0};
    if (self->kernel)
        buffer_format(&out, " __guarded_by(&%s)", lock);
    else if (is_member(row->object))
        buffer_format(&out, " /* GUARDED_BY(%s) */", lock);
    else
        buffer_format(&out, " GUARDED_BY(%s)", lock);
    const char *text = arena_copy(&self->arena, out.bytes, out.size);
    buffer_free(&out);
    return text;
}

static const Edit *place_of(const Patch *self, const char *name, size_t length) {
    const u32 *at = map_get(&self->declared, hash_bytes(name, length, 0));
    return at ? &self->places.items[*at - 1] : NULL;
}

// A member of a global under another member of it is said in their type: the row as if it were of that.
static GuardRow row_of_type(const Patch *self, const GuardRow *row, Buffer *object, Buffer *lock) {
    const char *dot = strrchr(row->object, '.'), *other = strrchr(row->lock, '.');
    size_t own = dot ? (size_t)(dot - row->object) : 0;
    const Edit *global = own ? place_of(self, row->object, own) : NULL;
    if (!global || global->global == NO_ID || !other || (size_t)(other - row->lock) != own ||
        strncmp(row->object, row->lock, own))
        return *row;
    RecordId record = type_record(self->program, type_strip(self->program, global_type(self->program, global->global)));
    if (record == NO_ID)
        return *row;
    record_name(self->program, record, object);
    buffer_put(lock, object->bytes, object->size);
    buffer_format(object, "%s%c", dot, 0);
    buffer_format(lock, "%s%c", other, 0);
    GuardRow typed = *row;
    typed.object = (const char *)object->bytes;
    typed.lock = (const char *)lock->bytes;
    typed.same = typed.with;
    return typed;
}

static void add_edit(Patch *self, const GuardRow *said) {
    Buffer object = {0}, lock = {0};
    GuardRow row = row_of_type(self, said, &object, &lock);
    const char *here = lock_here(&row);
    const Edit *place = place_of(self, row.object, strlen(row.object));
    if (here && place) {
        Edit edit = *place;
        edit.after = attribute(self, &row, here);
        array_push(&self->edits, edit);
    } else {
        self->left++;
    }
    buffer_free(&object);
    buffer_free(&lock);
}

static int compare_edits(const void *left, const void *right) {
    const Edit *a = left, *b = right;
    int order = strcmp(a->path, b->path);
    if (order || a->line != b->line)
        return order ? order : a->line < b->line ? -1 : 1;
    return strcmp(a->name, b->name);
}

// the patch -------------------------------------------------------------------------

// Where the declarator of `name` ends on the line: behind its brackets. 0: the name is not there exactly once.
static u32 end_of_declarator(const char *line, u32 length, const char *name) {
    u32 size = (u32)strlen(name), found = 0;
    for (u32 i = 0; i + size <= length; i++) {
        bool starts = !i || !(isalnum((u8)line[i - 1]) || line[i - 1] == '_');
        bool ends = i + size == length || !(isalnum((u8)line[i + size]) || line[i + size] == '_');
        if (!starts || !ends || memcmp(line + i, name, size))
            continue;
        if (found)
            return 0;
        found = i + size;
    }
    while (found && found < length && line[found] == '[') {
        const char *close = memchr(line + found, ']', length - found);
        if (!close)
            return 0;
        found = (u32)(close - line) + 1;
    }
    return found;
}

// The line with the attributes of the edits from `from` on that are on it; false when one cannot be placed.
static bool edited_line(const Patch *self, u32 from, u32 to, const char *line, u32 length, Buffer *out) {
    out->size = 0;
    buffer_put(out, line, length);
    if (memmem(line, length, "GUARDED_BY", 10) || memmem(line, length, "guarded_by", 10))
        return false;
    for (u32 i = from; i < to; i++) {
        const Edit *edit = &self->edits.items[i];
        u32 at = end_of_declarator((char *)out->bytes, (u32)out->size, edit->name);
        if (i > from && !strcmp(edit->name, self->edits.items[i - 1].name))
            continue;
        if (!at)
            return false;
        char *rest = strndup((char *)out->bytes + at, out->size - at);
        out->size = at;
        buffer_text(out, edit->after);
        buffer_text(out, rest);
        free(rest);
    }
    return true;
}

typedef struct {
    u32 line;
    char *text;
} NewLine;
typedef Array(NewLine) NewLines;

static void put_line(Buffer *out, char sign, const char *line, u32 length) {
    buffer_byte(out, (u8)sign);
    buffer_put(out, line, length);
    buffer_byte(out, '\n');
}

static void put_hunk(Sources *sources, const char *path, const NewLine *lines, u32 count, Buffer *out) {
    u32 length, first = lines[0].line > CONTEXT ? lines[0].line - CONTEXT : 1, last = lines[count - 1].line + CONTEXT;
    while (!sources_line(sources, path, last, &length))
        last--;
    buffer_format(out, "@@ -%u,%u +%u,%u @@\n", first, last - first + 1, first, last - first + 1);
    for (u32 line = first, next = 0; line <= last; line++) {
        const char *text = sources_line(sources, path, line, &length);
        bool changed = next < count && lines[next].line == line;
        put_line(out, changed ? '-' : ' ', text, length);
        if (changed && (next + 1 == count || lines[next + 1].line != line + 1)) { // a run of them: new ones behind
            u32 begin = next;
            while (begin && lines[begin - 1].line + 1 == lines[begin].line)
                begin--;
            for (u32 i = begin; i <= next; i++)
                put_line(out, '+', lines[i].text, (u32)strlen(lines[i].text));
        }
        next += changed;
    }
}

static void put_file(Sources *sources, const char *path, NewLines *lines, Buffer *out) {
    if (!lines->count)
        return;
    char *shown = quote_path(path);
    buffer_format(out, "--- a/%s\n+++ b/%s\n", shown, shown);
    free(shown);
    for (u32 i = 0, from = 0; i < lines->count; i++)
        if (i + 1 == lines->count || lines->items[i + 1].line > lines->items[i].line + 2 * CONTEXT) {
            put_hunk(sources, path, &lines->items[from], i + 1 - from, out);
            from = i + 1;
        }
    for (u32 i = 0; i < lines->count; i++)
        free(lines->items[i].text);
    lines->count = 0;
}

static void put_patch(Patch *self, Sources *sources, Buffer *out) {
    NewLines lines = {0};
    Buffer text = {0};
    u32 length;
    for (u32 i = 0, next; i < self->edits.count; i = next) {
        const Edit *edit = &self->edits.items[i];
        for (next = i + 1; next < self->edits.count && self->edits.items[next].line == edit->line &&
                           !strcmp(self->edits.items[next].path, edit->path);)
            next++;
        const char *line = sources_line(sources, edit->path, edit->line, &length);
        if (line && edited_line(self, i, next, line, length, &text)) {
            buffer_byte(&text, 0);
            array_push(&lines, ((NewLine){edit->line, must_strdup((char *)text.bytes)}));
        } else {
            self->left += next - i;
        }
        if (next == self->edits.count || strcmp(self->edits.items[next].path, edit->path))
            put_file(sources, edit->path, &lines, out);
    }
    buffer_free(&text);
    array_free(&lines);
}

void guards_patch(const FindingList *findings, const char *db, bool kernel, Buffer *out) {
    LinkArguments link = {.db = db};
    Linked linked = link_database(&link);
    Patch self = {.program = linked.program, .kernel = kernel};
    Store *store = store_open(db, STORE_READ);
    Sources *sources = load_sources(store);
    store_close(store);
    add_globals(&self);
    add_members(&self);
    for (u32 i = 0; i < findings->guards.count; i++)
        if (guard_is_sure(&findings->guards.items[i]))
            add_edit(&self, &findings->guards.items[i]);
    if (self.edits.count)
        qsort(self.edits.items, self.edits.count, sizeof(Edit), compare_edits);
    put_patch(&self, sources, out);
    if (self.left)
        note("%u more guards are sure, and their declarations cannot name the lock: `racerx guards` lists them",
             self.left);
    sources_free(sources);
    map_free(&self.declared);
    array_free(&self.places);
    array_free(&self.edits);
    arena_free(&self.arena);
    linked_free(&linked);
}
