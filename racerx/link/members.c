// members.c: finding a member of a record by name, also inside its anonymous members.
// In: records and links. Out: answers of record_member(); a table for records where looking through the
// fields one by one would cost too much.
// Invariant: a record is either small and without anonymous members, or its members are in the table.
#include "racerx/link/link.h"

#define SMALL_RECORD 12 // members looked through one by one
#define FLAT_TIMES 4    // entries of the table for each field there is: more only hostile records need

static const Record *record_at(const Program *self, RecordId id) {
    const ProgramRecord *record = &self->records.items[id];
    return record->index == NO_ID ? NULL : &self->files.items[record->file].tree.records.items[record->index];
}

static const Field *field_at(const Program *self, RecordId id, const Record *record, u32 index) {
    return &self->files.items[self->records.items[id].file].tree.fields.items[record->member + index];
}

TypeRef record_field_type(const Program *self, RecordId id, u32 index) {
    const Record *record = id == NO_ID ? NULL : record_at(self, id);
    if (!record || record->kind == TYPE_ENUM || index >= record->member_count)
        return NO_TYPE;
    return (TypeRef){self->records.items[id].file, field_at(self, id, record, index)->type, 0, 0};
}

static void put_members(Program *self, RecordId outer, RecordId id, u32 depth, u64 *budget) {
    const Record *record = record_at(self, id);
    if (depth > ANONYMOUS_DEPTH)
        limit_reached(LIMIT_ANONYMOUS_DEPTH);
    if (!record || record->kind == TYPE_ENUM || depth > ANONYMOUS_DEPTH)
        return;
    for (u32 i = 0; i < record->member_count && *budget; i++) {
        const Field *field = field_at(self, id, record, i);
        bool is_new;
        if (!field->name) {
            RecordId inner = type_record(self, record_field_type(self, id, i));
            if (inner != NO_ID && inner != outer)
                put_members(self, outer, inner, depth + 1, budget);
            continue;
        }
        --*budget;
        NameId name = file_name(self, self->records.items[id].file, field->name);
        u32 *entry = map_put(&self->tables->members, (u64)outer << 32 | name, &is_new);
        if (!is_new)
            continue;
        *entry = self->tables->entries.count;
        array_push(&self->tables->entries, ((MemberEntry){id, i}));
    }
}

// requires: links. fills: tables->members, entries, code_fields, data_fields.
void index_members(Program *self) {
    u64 budget = 1 << 20;
    for (u32 f = 0; f < self->files.count; f++)
        budget += (u64)FLAT_TIMES * self->files.items[f].tree.fields.count;
    Map followed = {0};
    DataScan data = {self, {self, NO_ID, 0, NULL}, &followed, NULL};
    bitset_resize(&self->tables->code_fields, self->name_limit);
    bitset_resize(&self->tables->data_fields, self->name_limit);
    for (RecordId id = 0; id < self->records.count; id++) {
        const Record *record = record_at(self, id);
        if (!record || record->kind == TYPE_ENUM)
            continue;
        bool anonymous = false;
        for (u32 i = 0; i < record->member_count; i++) {
            const Field *field = field_at(self, id, record, i);
            anonymous |= !field->name;
            if (type_is_code(self, record_field_type(self, id, i)))
                bitset_set(&self->tables->code_fields, file_name(self, self->records.items[id].file, field->name));
            else if (data_type_followed(&data, record_field_type(self, id, i)))
                bitset_set(&self->tables->data_fields, file_name(self, self->records.items[id].file, field->name));
        }
        if ((self->records.items[id].indexed = anonymous || record->member_count > SMALL_RECORD))
            put_members(self, id, id, 0, &budget);
    }
    map_free(&followed);
}

static bool find_member(const Program *self, RecordId id, const Record *record, NameId name, MemberEntry *out) {
    if (self->records.items[id].indexed) {
        u32 *entry = map_get(&self->tables->members, (u64)id << 32 | name);
        if (entry)
            *out = self->tables->entries.items[*entry];
        return entry != NULL;
    }
    for (u32 i = 0; i < record->member_count; i++)
        if (file_name(self, self->records.items[id].file, field_at(self, id, record, i)->name) == name) {
            *out = (MemberEntry){id, i};
            return true;
        }
    return false;
}

bool record_member(const Program *self, RecordId id, NameId name, RecordId *owner, const Field **field, TypeRef *type) {
    const Record *record = record_at(self, id);
    MemberEntry entry;
    if (!record || record->kind == TYPE_ENUM || !find_member(self, id, record, name, &entry))
        return false;
    *owner = entry.owner;
    *field = field_at(self, entry.owner, record_at(self, entry.owner), entry.index);
    *type = record_field_type(self, entry.owner, entry.index);
    return true;
}
