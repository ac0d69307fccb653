// words.c: what words say, what becomes of the products of facts/ at their end, and how the words are forked.
// Words (paths, lock classes, locksets) are interned by every pass that meets new ones. Two threads that both do so
// have tables of their own, equal up to the fork: ids from before it mean the same in both.
#include "racerx/facts/analysis.h"

const char *class_text(const Analysis *self, ClassId class) {
    return program_text(self->program, self->classes.items[class].name);
}

// The locks of both.
LocksetId lockset_join(Analysis *self, LocksetId a, LocksetId b) {
    HeldSet held;
    held_load(&held, &self->locksets, a);
    u32 more;
    const Held *second = lockset_held(&self->locksets, b, &more);
    for (u32 i = 0; i < more; i++) {
        bool known = false;
        for (u32 k = 0; k < held.count; k++)
            known |= held.items[k].class == second[i].class &&
                     (held.items[k].path == second[i].path || held.items[k].class < CLASS_FIRST);
        if (!known)
            held_push(&held, second[i]);
    }
    return held_intern(&held, &self->locksets);
}

// Most of them are locksets: those so far are shared.
void words_fork(Words *self, Words *second) {
    check(self != second && !self->locksets.base); // one fork at a time
    *second = *self;
    lockset_fork(&self->locksets, &second->locksets);
    array_fork(&second->values.values);
    array_fork(&second->values.next);
    map_fork(&second->values.index);
    array_fork(&second->paths.paths);
    map_fork(&second->paths.index);
    array_fork(&second->classes);
    map_fork(&second->class_by_name);
    map_fork(&second->class_by_path);
}

static void free_others(Words *self) { // all but the locksets
    path_free(&self->paths);
    array_free(&self->classes);
    map_free(&self->class_by_name);
    map_free(&self->class_by_path);
    value_free(&self->values);
}

void words_free_second(Words *self) {
    free_others(self);
    lockset_free_second(&self->locksets);
}

void words_free(Words *self) {
    free_others(self);
    lockset_free(&self->locksets);
    array_free(&self->sites);
    map_free(&self->site_index);
    array_free(&self->class_site);
}

void object_table_free(ObjectTable *self) {
    array_free(&self->objects);
    map_free(&self->object_index);
    map_free(&self->local_names);
}

static void lists_free(U32Array *lists, u32 count) {
    for (u32 i = 0; lists && i < count; i++)
        array_free(&lists[i]);
    free(lists);
}

void facts_free(Facts *self, u32 function_count) {
    array_free(&self->operations);
    array_free(&self->accesses);
    array_free(&self->handed);
    array_free(&self->keepers);
    map_free(&self->keeper_index);
    array_free(&self->hops);
    map_free(&self->hop_index);
    array_free(&self->kept_parameters);
    array_free(&self->out_parameters);
    array_free(&self->spawns);
    map_free(&self->prepared);
    map_free(&self->elected);
    array_free(&self->variants);
    array_free(&self->queues);
    array_free(&self->queued);
    free(self->queue_of);
    array_free(&self->launches);
    array_free(&self->ended);
    map_free(&self->chosen_locks);
    array_free(&self->begun);
    array_free(&self->given);
    array_free(&self->stored_numbers);
    map_free(&self->given_index);
    map_free(&self->stored_index);
    map_free(&self->counted);
    map_free(&self->constants_stored);
    map_free(&self->settled);
    array_free(&self->passed);
    map_free(&self->passed_index);
    map_free(&self->drawing);
    map_free(&self->stored_in);
    map_free(&self->in_turn);
    map_free(&self->index_terms);
    map_free(&self->follows);
    map_free(&self->remainders);
    map_free(&self->either);
    map_free(&self->all_taken);
    map_free(&self->beginnings);
    map_free(&self->spawned);
    map_free(&self->lock_types);
    array_free(&self->lock_records);
    map_free(&self->turns);
    map_free(&self->served);
    map_free(&self->lock_record_at);
    free(self->wrapper_of);
    array_free(&self->wrappers);
    map_free(&self->made);
    free(self->lock_parameters);
    array_free(&self->getters);
    map_free(&self->getter_at);
    free(self->passes);
    free(self->mains);
    free(self->lone);
    free(self->started_as);
    free(self->skeletons);
    arena_free(&self->arena);
    array_free(&self->critical_only);
    array_free(&self->critical_first);
    array_free(&self->critical_last);
    lists_free(self->touched, function_count);
    array_free(&self->started);
    array_free(&self->handle_sets);
    array_free(&self->handle_parameters);
    map_free(&self->handle_types);
    map_free(&self->handle_index);
    array_free(&self->inits);
    array_free(&self->makers);
    array_free(&self->aliases);
    map_free(&self->alias_index);
    array_free(&self->alias_makers);
    lists_free(self->releases, function_count);
    lists_free(self->given_back, function_count);
    lists_free(self->leaves, function_count);
    map_free(&self->release_blocks);
    map_free(&self->held_blocks);
    array_free(&self->release_bits);
    map_free(&self->caller_releases);
    map_free(&self->constants);
    array_free(&self->constant_values);
    lists_free(self->writes, function_count);
}
