// records.c: what the runtime wrote down in a run. In: the directory of its logs, one of each process, written while we
// read. Out: races, deadlocks and crashes that are there as a whole, and where each process had which module.
#include "racerx/confirm/steer.h"

#include <dirent.h>

static void read_stack(RecordSide *side, const char *line) {
    char *end;
    for (line += strlen("stack"); *line == ' '; line = end) {
        u64 pc = strtoull(line, &end, 16);
        if (end == line)
            break;
        array_push(&side->stack, pc);
    }
}

static void read_held(RecordSide *side, const char *line) {
    RecordLock lock;
    unsigned long long address, pc;
    if (sscanf(line, "held %llx %llx %c", &address, &pc, &lock.kind) == 3) {
        lock.lock = address;
        lock.pc = pc;
        array_push(&side->held, lock);
    }
}

// "side" of a race: who, and its access. "waits" of a deadlock: who, and for what.
static bool read_side(const char *line, RecordSide *out) {
    char target[16], atomic[16];
    unsigned long long start, address, size;
    *out = (RecordSide){.target = -1};
    bool race = sscanf(line, "side %u %15s %llx %31s %15s %15s %llx %llu", &out->thread, target, &start, out->name,
                       out->does, atomic, &address, &size) == 8;
    bool wait = !race && sscanf(line, "waits %u %15s %llx %31s %llx %c", &out->thread, target, &start, out->name,
                                &address, &out->wants_kind) == 6;
    if (!race && !wait)
        return false;
    out->start = start;
    out->atomic = race && !strcmp(atomic, "atomic");
    out->address = race ? address : 0;
    out->size = race ? size : 0;
    out->wants = wait ? address : 0;
    out->target = *target == '-' ? -1 : atoi(target);
    return true;
}

static bool read_head(const char *line, SteerRecord *out) {
    char exact[16], who[16];
    *out = (SteerRecord){0};
    if (sscanf(line, "race %u %15s %15s %23s %23s", &out->finding, exact, who, out->before, out->after) == 5) {
        out->exact = !strcmp(exact, "exact");
        out->in_handler = !strcmp(who, "signal");
        out->kind = RECORD_RACE;
        return true;
    }
    out->kind = !strncmp(line, "deadlock ", 9)      ? RECORD_DEADLOCK
                : !strncmp(line, "standstill ", 11) ? RECORD_STANDSTILL
                                                    : RECORD_CRASH;
    return out->kind != RECORD_CRASH || sscanf(line, "crash %d", &out->signal) == 1;
}

static void record_free(SteerRecord *self) {
    for (u32 i = 0; i < self->sides.count; i++) {
        array_free(&self->sides.items[i].stack);
        array_free(&self->sides.items[i].held);
    }
    array_free(&self->sides);
}

static void read_module(Records *self, const char *line, u32 process) {
    unsigned long long low, high, base;
    int at = 0;
    if (sscanf(line, "module %llx %llx %llx %n", &low, &high, &base, &at) == 3 && at && line[at])
        array_push(&self->modules, ((RecordModule){low, high, base, must_strdup(line + at), process}));
}

static void read_line(Records *self, char *line, SteerRecord *record, bool *open, u32 process) {
    RecordSide side;
    RecordSide *last = *open && record->sides.count ? &record->sides.items[record->sides.count - 1] : NULL;
    if (!strncmp(line, "module ", 7))
        read_module(self, line, process);
    else if (*open && !strcmp(line, "end")) {
        record->process = process;
        array_push(&self->items, *record);
        *open = false;
    } else if (*open && read_side(line, &side))
        array_push(&record->sides, side);
    else if (last && !strncmp(line, "stack", 5))
        read_stack(last, line);
    else if (last && !strncmp(line, "held ", 5))
        read_held(last, line);
    else if (!*open)
        *open = read_head(line, record);
}

static void read_log(Records *self, const char *path, u32 process) {
    size_t size;
    char *text = file_read(path, &size);
    SteerRecord record = {0};
    bool open = false;
    for (char *line = text, *end; line && (end = strchr(line, '\n')); line = end + 1) {
        *end = 0;
        read_line(self, line, &record, &open, process);
    }
    if (open)
        record_free(&record);
    free(text);
}

void records_read(Records *self, const char *directory) {
    DIR *entries = opendir(directory);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        Buffer path = {0};
        if (strncmp(entry->d_name, "log.", 4))
            continue;
        buffer_format(&path, "%s/%s", directory, entry->d_name);
        buffer_byte(&path, 0);
        read_log(self, (const char *)path.bytes, (u32)strtoul(entry->d_name + 4, NULL, 10));
        buffer_free(&path);
    }
    if (entries)
        closedir(entries);
}

void records_free(Records *self) {
    for (u32 i = 0; i < self->items.count; i++)
        record_free(&self->items.items[i]);
    for (u32 i = 0; i < self->modules.count; i++)
        free(self->modules.items[i].path);
    array_free(&self->items);
    array_free(&self->modules);
}
