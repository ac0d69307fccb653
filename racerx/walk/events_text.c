// events_text.c: what the walk met in one function, as text: `racerx dump --events`.
// In: NodeTable, Events. Out: for every way in which the function was entered, what happened with which locks.
#include "racerx/facts/analysis.h"

static void place_text(Place place, Buffer *out) { buffer_format(out, "    %u:%u ", place.line, place.column); }

static void accesses_text(const Analysis *self, u32 node, Buffer *out) {
    for (u32 i = 0; i < self->node_accesses.count; i++) {
        const NodeAccess *met = &self->node_accesses.items[i];
        if (met->node != node)
            continue;
        for (u32 k = 0; k < met->count; k++) {
            const Access *access = &self->accesses.items[met->access + k];
            place_text(access->place, out);
            access_text(self, access, out);
            buffer_text(out, " with ");
            lockset_text(self, met->held, out);
            buffer_text(out, met->unsure ? " not sure\n" : "\n");
        }
    }
}

static void acquisitions_text(const Analysis *self, u32 node, Buffer *out) {
    for (u32 i = 0; i < self->acquisitions.count; i++) {
        const Acquisition *met = &self->acquisitions.items[i];
        if (met->node != node)
            continue;
        place_text(self->sites.items[met->site].place, out);
        if (met->class)
            buffer_format(out, "acquires %s%s", class_text(self, met->class), met->sleeps ? ", " : "");
        buffer_format(out, "%s with ", met->sleeps ? "may sleep" : "");
        lockset_text(self, met->held, out);
        buffer_text(out, "\n");
    }
}

static void calls_text(const Analysis *self, u32 node, Buffer *out) {
    for (u32 e = 0; e < self->edge_costs.count; e++) {
        if (self->edge_pairs.items[2 * e] != node)
            continue;
        const Node *callee = &self->nodes.items[self->edge_pairs.items[2 * e + 1]];
        place_text(self->edge_places.items[e], out);
        buffer_format(out, "calls %s, entered with ",
                      program_text(self->program, self->program->functions.items[callee->function].name));
        lockset_text(self, callee->entry, out);
        if (self->edge_ambient.items[e]) {
            buffer_text(out, " and left outside ");
            lockset_text(self, self->edge_ambient.items[e], out);
        }
        buffer_format(out, ", price %u\n", self->edge_costs.items[e]);
    }
}

static void notes_text(const Analysis *self, u32 node, Buffer *out) {
    static const char *const words[] = {[NOTE_DOUBLE] = "taken again",
                                        [NOTE_SLEEP] = "sleeps holding",
                                        [NOTE_UNHELD] = "not held",
                                        [NOTE_LEAK] = "left held",
                                        [NOTE_JOIN] = "waits for",
                                        [NOTE_ACQUIRE] = "acquires",
                                        [NOTE_AWAIT] = "waits for a signal of"};
    for (u32 i = 0; i < self->notes.count; i++) {
        const Note *note = &self->notes.items[i];
        if (note->node != node)
            continue;
        place_text(note->place, out);
        buffer_format(out, "%s %s with ", words[note->kind],
                      note->kind == NOTE_JOIN ? "the end of something" : class_text(self, note->class));
        lockset_text(self, note->held, out);
        buffer_text(out, "\n");
    }
}

static void outcomes_text(const Analysis *self, const Node *node, Buffer *out) {
    for (u32 i = 0; i < node->outcome_count; i++) {
        const Outcome *outcome = &self->outcomes.items[node->outcome + i];
        buffer_format(out, "    returns%s%s%s with ", outcome->mask & VALUE_NEGATIVE ? " <0" : "",
                      outcome->mask & VALUE_ZERO ? " 0" : "", outcome->mask & VALUE_POSITIVE ? " >0" : "");
        lockset_text(self, outcome->out, out);
        buffer_text(out, "\n");
    }
}

void events_text(const Analysis *self, FunctionId function, Buffer *out) {
    const char *name = program_text(self->program, self->program->functions.items[function].name);
    u32 entered = 0;
    for (u32 n = 0; n < self->walked_nodes; n++) {
        const Node *node = &self->nodes.items[n];
        if (node->function != function)
            continue;
        entered++;
        buffer_format(out, "%s entered with ", name);
        lockset_text(self, node->entry, out);
        buffer_format(out, "%s%s\n", node->is_root ? ", where control starts" : "",
                      node->is_slot ? ", through a table" : "");
        acquisitions_text(self, n, out);
        accesses_text(self, n, out);
        calls_text(self, n, out);
        notes_text(self, n, out);
        outcomes_text(self, node, out);
    }
    if (!entered)
        buffer_format(out, "%s was never entered\n", name);
}
