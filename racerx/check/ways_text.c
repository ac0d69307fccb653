// ways_text.c: the ways to one function, as text: `racerx dump --ways`.
// In: WayTable. Out: a line for every way to each of its nodes: the root, the call that comes in, what is held on
// entry.
#include "racerx/check/races.h"

static void way_text(const Analysis *self, u32 id, Buffer *out) {
    const WayContext *way = &self->way_contexts.items[id];
    FunctionId root = way_root(self, id);
    buffer_format(out, "  from %s",
                  root == NO_ID ? "?" : program_text(self->program, self->program->functions.items[root].name));
    if (way->from) {
        const WayContext *above = &self->way_contexts.items[way->from - 1];
        const Node *caller = &self->nodes.items[above->node];
        buffer_format(out, " by %s :%u", // the last call on the way
                      program_text(self->program, self->program->functions.items[caller->function].name),
                      way->call.line);
    }
    buffer_text(out, " with ");
    lockset_text(self, way->set, out);
    buffer_format(out, ", depth %u", way->depth);
    if (way->wide)
        buffer_format(out, ", through a call with %u targets", way->wide);
    buffer_text(out, self->roots.items[way->root].single ? ", never two at a time\n" : "\n");
}

void ways_text(const Analysis *self, FunctionId function, Buffer *out) {
    bool any = false;
    buffer_format(out, "ways to %s\n", program_text(self->program, self->program->functions.items[function].name));
    for (u32 n = 0; n < self->way_nodes; n++)
        for (u32 way = self->nodes.items[n].function == function ? self->context_first.items[n] : 0; way;
             way = self->way_contexts.items[way - 1].next) {
            way_text(self, way - 1, out);
            any = true;
        }
    if (!any)
        buffer_text(out, "  none: nothing that starts somewhere comes there\n");
}
