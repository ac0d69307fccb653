// describe.c: what the runtime saw, in names. In: a record, with addresses; the modules of the program. Out: the sides
// of a witness, with functions, files, lines and variables.
#include "racerx/confirm/steer.h"

#include <limits.h>

void built_add(BuiltProgram *self, const char *path) {
    for (u32 i = 0; i < self->paths.count; i++)
        if (!strcmp(self->paths.items[i], path))
            return;
    Module *module = module_open(path);
    if (module && !module_is_steered(module)) {
        module_close(module);
        module = NULL;
    }
    if (!module)
        return;
    array_push(&self->modules, module);
    array_push(&self->paths, must_strdup(path));
}

void built_free(BuiltProgram *self) {
    for (u32 i = 0; i < self->modules.count; i++) {
        module_close(self->modules.items[i]);
        free(self->paths.items[i]);
    }
    free(self->root);
    array_free(&self->modules);
    array_free(&self->paths);
}

// What stands before the path of the analysis in that of the compiler.
void built_root(BuiltProgram *self, const char *file) {
    for (u32 i = 0; !self->root && i < self->modules.count; i++) {
        const char *path = module_file(self->modules.items[i], file);
        size_t length = path ? strlen(path) : 0, end = strlen(file);
        if (length > end && !strcmp(path + length - end, file) && path[length - end - 1] == '/') {
            self->root = must_strdup(path);
            self->root[length - end] = 0;
        }
    }
}

static WitnessFrame shown_frame(const BuiltProgram *program, WitnessFrame frame) {
    size_t length = program->root ? strlen(program->root) : 0;
    if (length && !strncmp(frame.file, program->root, length))
        frame.file += length;
    return frame;
}

// The module that had this address in that process, and the address as linked; NULL: none that we know.
static Module *module_at(const BuiltProgram *program, const Records *records, u32 process, u64 address, u64 *linked,
                         const RecordModule **where) {
    *where = NULL;
    for (u32 i = 0; i < records->modules.count; i++) {
        const RecordModule *module = &records->modules.items[i];
        if (module->process != process || address < module->low || address >= module->high)
            continue;
        *where = module;
        *linked = address - module->base;
        for (u32 k = 0; k < program->paths.count; k++)
            if (!strcmp(program->paths.items[k], module->path))
                return program->modules.items[k];
    }
    return NULL;
}

static const char *object_name(const BuiltProgram *program, const Records *records, u32 process, u64 address) {
    u64 linked, offset;
    const RecordModule *where;
    Module *module = module_at(program, records, process, address, &linked, &where);
    const char *name = module ? module_symbol(module, linked, &offset) : NULL;
    if (name)
        return offset ? findings_text(program->texts, "%s+%llu", name, (unsigned long long)offset)
                      : findings_text(program->texts, "%s", name);
    return findings_text(program->texts, "0x%llx", (unsigned long long)address);
}

// Behind a call, which is what a stack has.
static void frames_at(const BuiltProgram *program, const Records *records, u32 process, u64 pc,
                      WitnessFrameArray *out) {
    u64 linked;
    const RecordModule *where;
    Module *module = module_at(program, records, process, pc - 1, &linked, &where);
    if (module)
        module_describe(module, linked, out);
    else if (where && strrchr(where->path, '/') && !strstr(where->path, RUNTIME_LIBRARY))
        array_push(out, ((WitnessFrame){"", strrchr(where->path, '/') + 1, 0}));
}

static const char *start_name(const BuiltProgram *program, const Records *records, u32 process, u64 start) {
    WitnessFrameArray frames = {0};
    if (start)
        frames_at(program, records, process, start + 1, &frames);
    const char *name = frames.count ? findings_text(program->texts, "%s", frames.items[0].function) : "";
    array_free(&frames);
    return name;
}

static const char *wait_word(const RecordSide *side) {
    switch (side->wants_kind) {
    case 'j': return "joins";
    case 'c': return "waits on";
    case 'b': return "waits at";
    case '-': return "runs";
    default: return "waits for";
    }
}

static void add_stack(const BuiltProgram *program, const Records *records, u32 process, const RecordSide *side,
                      WitnessSide *out) {
    WitnessFrameArray frames = {0};
    for (u32 i = 0; i < side->stack.count; i++)
        frames_at(program, records, process, side->stack.items[i], &frames);
    for (u32 i = 0; i < frames.count; i++)
        witness_add_frame(program->texts, out, shown_frame(program, frames.items[i]));
    frames.count = 0;
    for (u32 i = 0; i < side->held.count; i++) {
        frames.count = 0;
        frames_at(program, records, process, side->held.items[i].pc, &frames);
        WitnessFrame from = frames.count ? shown_frame(program, frames.items[0]) : (WitnessFrame){"", "", 0};
        witness_add_lock(program->texts, out, object_name(program, records, process, side->held.items[i].lock), from);
    }
    array_free(&frames);
}

void describe_sides(const BuiltProgram *program, const Records *records, const SteerRecord *record, RunWitness *out) {
    for (u32 i = 0; i < record->sides.count; i++) {
        const RecordSide *from = &record->sides.items[i];
        WitnessSide *side = witness_add_side(program->texts, out);
        side->thread = from->thread;
        side->name = findings_text(program->texts, "%s", from->name);
        side->start = from->thread == 1 ? "main" : start_name(program, records, record->process, from->start);
        if (*from->does)
            side->does = findings_text(program->texts, "%s%ss", from->atomic ? "atomically " : "", from->does);
        else
            side->does = wait_word(from);
        side->object = from->wants_kind == 'j'
                           ? findings_text(program->texts, "thread %llu", (unsigned long long)from->wants)
                       : from->wants_kind == '-'
                           ? ""
                           : object_name(program, records, record->process, *from->does ? from->address : from->wants);
        add_stack(program, records, record->process, from, side);
    }
}
