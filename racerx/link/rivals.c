// rivals.c: files that are never part of one program.
// In: functions by name. Out: pairs of files that define the same external function.
// The idea: a linker takes one definition of a name. Two architectures, two boards, a stub and the real thing: whoever
// is built with the one is built without the other, so no chain of calls, no pair of a race and no circle has both.
// Weak definitions give way and stay, those in headers and in arms that were not chosen say nothing, and what nobody
// calls by its name may be looked up at run time, from one plug-in after another.
#include "racerx/link/link.h"

static bool is_strong(const Program *self, FunctionId id) {
    const ProgramFunction *function = &self->functions.items[id];
    const u32 others = DECL_STATIC | DECL_INLINE | DECL_WEAK | DECL_ALTERNATIVE;
    return !(function->flags & others) && self->files.items[function->file].kind != FILE_HEADER;
}

static u64 pair_key(FileId a, FileId b) { return a < b ? (u64)a << 32 | b : (u64)b << 32 | a; }

// fills: rivals of the files that define one name.
static void add_rivals(Program *self, const FileId *files, u32 count) {
    for (u32 i = 0; i < count; i++)
        for (u32 k = 0; k < i; k++) {
            if (files[i] == files[k])
                continue;
            map_put(&self->rivals, pair_key(files[i], files[k]), NULL);
            bitset_set(&self->rival_files, files[i]);
            bitset_set(&self->rival_files, files[k]);
        }
}

// requires: tables->functions, callers. fills: rivals, rival_files.
void find_rivals(Program *self) {
    FileId files[RIVALS_MOST];
    bitset_resize(&self->rival_files, self->files.count + 1);
    for (NameId name = 0; name < self->name_limit; name++) {
        u32 count = 0;
        bool called = false;
        FunctionId id;
        for (u32 n = 0; (id = program_named(self, name, n)) != NO_ID; n++) {
            if (!is_strong(self, id))
                continue;
            if (count >= RIVALS_MOST) {
                limit_reached(LIMIT_RIVALS_MOST);
                break;
            }
            files[count++] = self->functions.items[id].file;
            called |= self->functions.items[id].caller_count > 0;
        }
        if (called)
            add_rivals(self, files, count);
    }
}

static bool is_variable(const Program *self, const ProgramGlobal *global) {
    return !global->is_static && !global->is_function && global->function == NO_ID &&
           self->files.items[global->file].kind != FILE_HEADER &&
           (!(global->flags & DECL_EXTERN) || (global->flags & DECL_INITIALISED));
}

// requires: rivals. fills: ProgramGlobal.rival: variables of one name in such files are two objects.
void mark_rivals(Program *self) {
    Map last = {0}; // by name: 1 + the last variable
    u32 *before = must_zero(sizeof(u32) * ((size_t)self->globals.count + 1));
    for (GlobalId g = 0; g < self->globals.count; g++) {
        ProgramGlobal *one = &self->globals.items[g];
        if (!is_variable(self, one) || !bitset_has(&self->rival_files, one->file))
            continue;
        u32 *known = map_put(&last, one->name, NULL), looked = 0;
        before[g] = *known;
        *known = g + 1;
        for (u32 other = before[g]; other && looked < RIVALS_MOST; other = before[other - 1], looked++)
            if (files_are_rivals(self, self->globals.items[other - 1].file, one->file))
                self->globals.items[other - 1].rival = one->rival = true;
    }
    map_free(&last);
    free(before);
}

bool files_are_rivals(const Program *self, FileId a, FileId b) {
    return bitset_has(&self->rival_files, a) && bitset_has(&self->rival_files, b) &&
           map_get(&self->rivals, pair_key(a, b)) != NULL;
}
