// stubs.c: functions of tests that stand in for a library.
// In: the linked program, marks. Out: calls of such functions from elsewhere lead out of the tree, as they do in the
// product. The idea: the library is not in the tree, so the only definition in sight is what a test put in its place;
// but then nobody in the tree declares the function, its header is the library's. A test of the tree's own that the
// product calls is declared somewhere.
#include "racerx/mark/annotate.h"

// Names of functions that files declare: 1 + the file, or another one declares it, too.
static void gather_declared(const Program *self, Map *declared) {
    for (u32 f = 0; f < self->files.count; f++) {
        const ProgramFile *file = &self->files.items[f];
        for (u32 i = 0; i < file->tree.globals.count; i++) {
            const Global *global = &file->tree.globals.items[i];
            if (file->tree.types.items[global->type].kind != TYPE_FUNCTION)
                continue;
            bool fresh;
            u32 *by = map_put(declared, file->names[global->name], &fresh);
            *by = fresh || *by == f + 1 ? f + 1 : NO_ID;
        }
    }
}

static bool is_stub(const Program *self, FunctionId id, FileId caller, const Map *declared) {
    const ProgramFunction *function = &self->functions.items[id];
    if (!(function->marks & MARK_TEST) || function->flags & (DECL_STATIC | DECL_INLINE) || function->file == caller)
        return false;
    const u32 *by = map_get(declared, function->name);
    return !by || *by == function->file + 1;
}

// requires: marks that were said. fills: call sites without the targets that are stubs.
void forget_stubs(Program *self) {
    Map declared = {0};
    bool tests = false;
    for (u32 f = 0; f < self->functions.count && !tests; f++)
        tests = self->functions.items[f].marks & MARK_TEST;
    if (tests)
        gather_declared(self, &declared);
    for (u32 f = 0; f < self->functions.count && tests; f++) {
        const ProgramFunction *function = &self->functions.items[f];
        for (u32 c = function->call; c < function->call + function->call_count; c++) {
            CallSite *site = &self->calls.items[c];
            if (!site->indirect && site->target_count == 1 && !(function->marks & MARK_TEST) &&
                is_stub(self, self->targets.items[site->target], function->file, &declared))
                site->target_count = 0;
        }
    }
    map_free(&declared);
}
