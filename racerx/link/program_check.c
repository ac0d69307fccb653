// program_check.c: what is promised of a linked program, verified between passes in test builds.
#include "racerx/link/program.h"

static void check_calls(const Program *self, const ProgramFunction *function) {
    check(function->call + (u64)function->call_count <= self->calls.count);
    for (u32 i = 0; i < function->call_count; i++) {
        const CallSite *site = &self->calls.items[function->call + i];
        check(!i || self->calls.items[function->call + i - 1].expr < site->expr);
        check(site->target + (u64)site->target_count <= self->targets.count);
        check(site->binding + (u64)site->binding_count <= self->bindings.count);
        for (u32 t = 0; t < site->target_count; t++) {
            check(self->targets.items[site->target + t] < self->functions.count);
            check(!t || self->targets.items[site->target + t - 1] < self->targets.items[site->target + t]);
        }
    }
}

static void check_callers(const Program *self, const ProgramFunction *function) {
    check(function->caller + (u64)function->caller_count <= self->callers.count);
    for (u32 i = 0; i < function->caller_count; i++) {
        check(self->callers.items[function->caller + i] < self->functions.count);
        check(!i || self->callers.items[function->caller + i - 1] < self->callers.items[function->caller + i]);
    }
}

// Callees have lower components, or are in the same one.
static void check_components(const Program *self, const ProgramFunction *function) {
    for (u32 i = 0; i < function->call_count; i++) {
        const CallSite *site = &self->calls.items[function->call + i];
        for (u32 t = 0; t < site->target_count; t++)
            check(self->functions.items[self->targets.items[site->target + t]].component <= function->component);
    }
}

void program_check(const Program *self) {
    for (u32 f = 0; f < self->functions.count; f++) {
        const ProgramFunction *function = &self->functions.items[f];
        check(function->file < self->files.count);
        check(!f || self->functions.items[f - 1].file <= function->file);
        check(function->local + (u64)function->local_count <= self->globals.count);
        check_calls(self, function);
        check_callers(self, function);
        check_components(self, function);
    }
    for (u32 i = 0; i < self->fields.count; i++) {
        const StoredField *field = &self->fields.items[i];
        check(field->first + (u64)field->count <= self->stored.count);
        check((field->record == NO_ID) != (field->global == NO_ID));
    }
    for (u32 i = 0; i < self->registrations.count; i++) {
        check(self->registrations.items[i].handler < self->functions.count);
        check(!i || self->registrations.items[i - 1].handler <= self->registrations.items[i].handler);
    }
}
