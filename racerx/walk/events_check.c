// events_check.c: what is promised of nodes and of what was met in them, verified after the walk in test builds.
#include "racerx/facts/analysis.h"

static void check_node(const Analysis *self, u32 id) {
    const Node *node = &self->nodes.items[id];
    check(node->function < self->program->functions.count);
    check(node->entry < lockset_count(&self->locksets));
    check(node->binding < self->bindings.count || !node->binding);
    check(node->parent == NO_ID || (node->parent < self->nodes.count && node->parent != id));
    check(node->state == 2); // whatever was entered is done
    check(node->outcome + (u64)node->outcome_count <= self->outcomes.count);
    for (u32 i = 0; i < node->outcome_count; i++) {
        const Outcome *outcome = &self->outcomes.items[node->outcome + i];
        check(outcome->out < lockset_count(&self->locksets) && outcome->raw < lockset_count(&self->locksets));
        check(outcome->mask && outcome->exits && outcome->block < self->skeletons[node->function].block_count);
    }
}

// Calls between nodes: one row in each of the columns.
static void check_calls(const Analysis *self) {
    u32 count = self->edge_steps.count;
    check(self->edge_pairs.count == 2 * count && self->edge_places.count == count);
    check(self->edge_costs.count == count && self->edge_ambient.count == count);
    for (u32 e = 0; e < count; e++) {
        check(self->edge_pairs.items[2 * e] < self->nodes.count &&
              self->edge_pairs.items[2 * e + 1] < self->nodes.count);
        check(self->edge_costs.items[e] && self->edge_ambient.items[e] < lockset_count(&self->locksets));
        check(self->edge_steps.items[e] && self->edge_steps.items[e]->kind == STEP_CALL);
    }
}

static void check_met(const Analysis *self) {
    for (u32 i = 0; i < self->met.count; i++) {
        const LockEvent *event = &self->met.items[i];
        check(event->at.node < self->nodes.count);
        const Skeleton *skeleton = &self->skeletons[self->nodes.items[event->at.node].function];
        check(event->at.block < skeleton->block_count);
        check(event->at.step < skeleton->blocks[event->at.block].step_count);
        check(event->site < self->sites.count && event->held < lockset_count(&self->locksets));
        check(self->sites.items[event->site].function == self->nodes.items[event->at.node].function);
        check(event->fewest <= event->first && event->kind < MET_COUNT);
    }
}

static void check_accesses(const Analysis *self) {
    for (u32 i = 0; i < self->node_accesses.count; i++) {
        const NodeAccess *met = &self->node_accesses.items[i];
        check(met->node < self->nodes.count && met->held < lockset_count(&self->locksets));
        check(met->access + (u64)met->count <= self->accesses.count);
        check(!met->count || self->accesses.items[met->access].function == self->nodes.items[met->node].function);
    }
}

void events_check(const Analysis *self) {
    for (u32 n = 0; n < self->nodes.count; n++)
        check_node(self, n);
    check_calls(self);
    check_met(self);
    check_accesses(self);
    for (u32 s = 0; s < self->sites.count; s++)
        check(self->sites.items[s].class < self->classes.count &&
              (self->sites.items[s].next < s || self->sites.items[s].next == NO_ID));
}
