// predict_names.c: numbers of code and places, in names. In: what places.c numbered, the modules' DWARF. Out: functions
// with file and line; variables, blocks by where they are allocated.
#include "racerx/confirm/predict.h"

#include <unistd.h>

void describer_begin(Describer *self, const Prediction *prediction, FindingList *texts) {
    *self = (Describer){.prediction = prediction, .texts = texts};
    if (!getcwd(self->here, sizeof self->here))
        self->here[0] = 0;
}

void describer_free(Describer *self) {
    for (u32 i = 0; i < self->modules.count; i++)
        if (self->modules.items[i])
            module_close(self->modules.items[i]);
    array_free(&self->modules);
    array_free(&self->frame);
    map_free(&self->frames);
}

static Module *module_of(Describer *self, u64 linked) {
    u32 number = (u32)(linked >> 48);
    while (self->modules.count <= number) {
        u32 next = self->modules.count;
        Module *module = next && next < self->prediction->names.modules.count
                             ? module_open(self->prediction->names.modules.items[next])
                             : NULL;
        array_push(&self->modules, module);
    }
    return self->modules.items[number];
}

static const char *shown_path(const Describer *self, const char *path) {
    size_t length = strlen(self->here);
    path = !strncmp(path, self->here, length) && path[length] == '/' ? path + length + 1 : path;
    return !strncmp(path, "./", 2) ? path + 2 : path;
}

WitnessFrame describe_code(Describer *self, u64 linked) {
    bool fresh;
    u32 *at = map_put(&self->frames, linked, &fresh);
    if (fresh) {
        WitnessFrameArray frames = {0};
        WitnessFrame frame = {"", "", 0};
        Module *module = module_of(self, linked);
        *at = self->frame.count;
        if (module)
            module_describe(module, linked & 0xffffffffffffull, &frames);
        if (frames.count)
            frame = (WitnessFrame){findings_text(self->texts, "%s", frames.items[0].function),
                                   findings_text(self->texts, "%s", shown_path(self, frames.items[0].file)),
                                   frames.items[0].line};
        array_push(&self->frame, frame);
        array_free(&frames);
        return frame;
    }
    return self->frame.items[*at];
}

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *describe_place(Describer *self, u32 number) {
    const TracedPlace *place = &self->prediction->names.places.items[number];
    u64 offset = place->offset;
    WitnessFrame frame;
    const char *name;
    switch (place->kind) {
    case PLACE_STATIC:
        name = module_of(self, place->base)
                   ? module_symbol(module_of(self, place->base), place->base & 0xffffffffffffull, &offset)
                   : NULL;
        if (!name)
            return findings_text(self->texts, "%s+0x%llx",
                                 last_part(self->prediction->names.modules.items[place->base >> 48]),
                                 (unsigned long long)(place->base & 0xffffffffffffull));
        return offset ? findings_text(self->texts, "%s+%llu", name, (unsigned long long)offset)
                      : findings_text(self->texts, "%s", name);
    case PLACE_HEAP:
        frame = describe_code(self, place->base);
        return findings_text(self->texts, "memory of %s:%u+%llu", *frame.file ? last_part(frame.file) : "a library",
                             frame.line, (unsigned long long)offset);
    case PLACE_STACK:
        frame = describe_code(self, place->base);
        return findings_text(self->texts, "the stack of %s", *frame.function ? frame.function : "main");
    default: return findings_text(self->texts, "0x%llx", (unsigned long long)offset);
    }
}
