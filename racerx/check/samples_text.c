// samples_text.c: the samples of one function's accesses, as text: `racerx dump --samples`.
// In: SampleTable, WayTable. Out: a line for every access, protection and root.
#include "racerx/check/races.h"

static void protection_text(const Analysis *self, const Sample *sample, Buffer *out) {
    static const char *const relations[] = {[RELATION_UNKNOWN] = " of some object",
                                            [RELATION_ONE] = "",
                                            [RELATION_SAME] = " of the same object",
                                            [RELATION_OTHER] = " of another object"};
    u32 count;
    const Held *held = lockset_held(&self->protections, sample->protection, &count);
    buffer_text(out, "{");
    for (u32 i = 0; i < count; i++)
        buffer_format(out, "%s%s%s%s", i ? ", " : "", class_text(self, held[i].class),
                      relations[held[i].path <= RELATION_OTHER ? held[i].path : RELATION_UNKNOWN],
                      held[i].flags & HELD_SHARED ? " as a reader" : "");
    buffer_text(out, "}");
}

static void sample_text(const Analysis *self, const Sample *sample, Buffer *out) {
    const Access *access = &self->accesses.items[sample->access];
    FunctionId root = way_root(self, sample->way);
    buffer_format(out, "  %u:%u ", access->place.line, access->place.column);
    access_text(self, access, out);
    if (sample->object != access->object) {
        buffer_text(out, ", here ");
        shared_object_name(self, sample->object, out);
    }
    buffer_text(out, " with ");
    protection_text(self, sample, out);
    buffer_format(out, " from %s",
                  root == NO_ID ? "?" : program_text(self->program, self->program->functions.items[root].name));
    if (sample->alive) {
        buffer_text(out, " beside ");
        lockset_text(self, sample->alive, out);
    }
    buffer_text(out, sample->unsure ? " not sure\n" : "\n");
}

void samples_text(const Analysis *self, FunctionId function, Buffer *out) {
    u32 count = 0;
    buffer_format(out, "samples of %s\n", program_text(self->program, self->program->functions.items[function].name));
    for (u32 i = 0; i < self->samples.count; i++) {
        if (self->accesses.items[self->samples.items[i].access].function != function)
            continue;
        count++;
        sample_text(self, &self->samples.items[i], out);
    }
    if (!count)
        buffer_text(out, "  none: nothing shared is accessed, or nobody comes there\n");
}

void each_sample(const Analysis *self, SampleVisit *visit, void *context) {
    for (u32 i = 0; i < self->samples.count; i++) {
        const Sample *sample = &self->samples.items[i];
        const Access *access = &self->accesses.items[sample->access];
        u32 held;
        Buffer name = {0};
        if (sample->unsure || sample_is_alone(self, sample))
            continue;
        lockset_held(&self->protections, sample->protection, &held);
        shared_object_name(self, sample->object, &name);
        buffer_byte(&name, 0);
        SampleRow row = {.object = (char *)name.bytes,
                         .file = function_path(self->program, access->function),
                         .function = program_text(self->program, self->program->functions.items[access->function].name),
                         .line = access->place.line,
                         .writes = access->flags & ACCESSED_WRITE,
                         .locked = held > 0};
        visit(context, &row);
        buffer_free(&name);
    }
}
