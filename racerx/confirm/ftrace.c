// ftrace.c: traces of kernels, as the text that Linux's tracer prints, with the events of PLA's public tools:
// mem_read_write (from KCSAN's instrumentation), lock_acquire, lock_acquired, lock_release. In: a directory of files
// INPUT_OTHER.N.tK, or with raw_traces/ in it. Out: the paper's columns.
//
// t0 is the run in which INPUT was on CPU 0, t1 the one in which it was on CPU 1; an input that ran beside itself is a
// sample on each of them. Addresses are those of one snapshot, so they are names already. Files are read line by line:
// they are larger than memory should be.
#include "racerx/confirm/predict.h"

#include <dirent.h>

enum { CPUS = 2, LOCKS_MOST = 256, KCSAN_WRITE = 1, KCSAN_READWRITE = 2, KCSAN_ATOMIC = 4 };
enum { META = 1 << 9 | 1 << 10 | 1 << 11 | 1 << 12 | 1 << 13 }; // no access, but the beginning or end of a region

typedef struct {
    Prediction *prediction;
    u32 seed;
    u32 cpus; // whose events count, in bits
    u64 held[CPUS][LOCKS_MOST];
    u32 held_count[CPUS]; //
    u32 lockset[CPUS];    //
    u64 lines;            // that were understood
} TraceReading;

static void make_lockset(TraceReading *self, u32 cpu) {
    u32 locks[LOCKS_MOST];
    for (u32 i = 0; i < self->held_count[cpu]; i++)
        locks[i] = names_place(&self->prediction->names, (TracedPlace){PLACE_RAW, 0, self->held[cpu][i]}) << 1;
    self->lockset[cpu] = names_lockset(&self->prediction->names, locks, self->held_count[cpu]);
}

static void read_lock(TraceReading *self, u32 cpu, const char *event, const char *rest) {
    char *name;
    u64 lock = strtoull(rest, &name, 16);
    u64 *held = self->held[cpu];
    u32 at = 0;
    name += strspn(name, " ");
    while (at < self->held_count[cpu] && held[at] != lock)
        at++;
    bool known = at < self->held_count[cpu];
    if (!strncmp(event, "lock_release", 12) && known)
        held[at] = held[--self->held_count[cpu]];
    else if (!strncmp(event, "lock_acquire", 12) && !known && strncmp(name, "read rcu_read_lock", 18) &&
             self->held_count[cpu] < LOCKS_MOST)
        held[self->held_count[cpu]++] = lock; // readers of RCU keep nobody out
    else
        return;
    make_lockset(self, cpu);
}

// "ip=…, ptr=…, size=…, type=…, val=…"
static void read_access(TraceReading *self, u32 cpu, const char *rest) {
    unsigned long long code, address;
    unsigned size, type;
    if (sscanf(rest, " ip=%llx, ptr=%llx, size=%u, type=%u", &code, &address, &size, &type) != 4 || type & META ||
        type & KCSAN_ATOMIC)
        return;
    u8 flags = type & (KCSAN_WRITE | KCSAN_READWRITE) ? TOUCH_WRITES : 0;
    u32 place = names_place(&self->prediction->names, (TracedPlace){PLACE_RAW, 0, address});
    prediction_access(self->prediction, self->seed, code, place, self->lockset[cpu], flags);
    self->lines++;
}

// " TASK-PID  [CPU] FLAGS TIMESTAMP: EVENT: …"; a task's name may hold anything.
static void read_line(TraceReading *self, const char *line) {
    const char *bracket = strstr(line, " [");
    const char *end = bracket ? strchr(bracket, ']') : NULL;
    const char *colon = end ? strstr(end, ": ") : NULL;
    if (*line == '#' || !colon)
        return;
    u32 cpu = (u32)strtoul(bracket + 2, NULL, 10);
    const char *event = colon + 2, *rest = strchr(event, ':');
    if (!rest || cpu >= CPUS || !(self->cpus >> cpu & 1))
        return;
    if (!strncmp(event, "mem_read_write:", 15))
        read_access(self, cpu, rest + 1);
    else if (!strncmp(event, "lock_", 5))
        read_lock(self, cpu, event, rest + 1);
}

// INPUT_OTHER.N.tK: which CPUs' events are INPUT's; 0: no such name.
static u32 cpus_of(const char *name, char input[64]) {
    char other[64];
    int number, turn, at = 0;
    if (sscanf(name, "%63[^_]_%63[^.].%d.t%d%n", input, other, &number, &turn, &at) != 4 || name[at])
        return 0;
    return !strcmp(input, other) ? 3 : turn == 0 ? 1 : turn == 1 ? 2 : 0;
}

bool ftrace_read(Prediction *self, const char *path) {
    char input[64], *line = NULL;
    const char *slash = strrchr(path, '/');
    size_t room = 0;
    u32 cpus = cpus_of(slash ? slash + 1 : path, input);
    FILE *file = cpus ? fopen(path, "r") : NULL;
    if (!file)
        return false;
    TraceReading *reading = must_zero(sizeof *reading);
    reading->prediction = self;
    reading->seed = prediction_seed(self, input);
    for (u32 cpu = 0; cpu < CPUS; cpu++) { // each CPU of an input beside itself is a sample
        if (!(cpus >> cpu & 1))
            continue;
        rewind(file);
        reading->cpus = 1u << cpu;
        while (getline(&line, &room, file) > 0)
            read_line(reading, line);
        self->seeds.items[reading->seed].samples++;
        self->samples++;
    }
    bool any = reading->lines > 0;
    free(line);
    free(reading);
    fclose(file);
    return any;
}

static DIR *open_traces(const char *directory, Buffer *path) {
    buffer_format(path, "%s/raw_traces", directory);
    buffer_byte(path, 0);
    DIR *entries = opendir((char *)path->bytes);
    if (!entries) {
        path->size = 0;
        buffer_format(path, "%s", directory);
        buffer_byte(path, 0);
        entries = opendir((char *)path->bytes);
    }
    return entries;
}

bool is_kernel_trace(const char *directory) {
    Buffer path = {0};
    char input[64];
    bool found = false;
    DIR *entries = open_traces(directory, &path);
    for (struct dirent *entry; entries && !found && (entry = readdir(entries));)
        found = cpus_of(entry->d_name, input);
    if (entries)
        closedir(entries);
    buffer_free(&path);
    return found;
}

static int path_order(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

void predict_kernel(const char *directory, double beta, Predictions *out) {
    Prediction self;
    PathArray paths = {0};
    Buffer path = {0};
    double start = clock_seconds();
    DIR *entries = open_traces(directory, &path);
    *out = (Predictions){0};
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        Buffer one = {0};
        buffer_format(&one, "%s/%s", (char *)path.bytes, entry->d_name);
        buffer_byte(&one, 0);
        array_push(&paths, (char *)one.bytes);
    }
    if (entries)
        closedir(entries);
    if (paths.count)
        qsort(paths.items, paths.count, sizeof *paths.items, path_order);
    prediction_begin(&self, beta);
    for (u32 i = 0; i < paths.count; i++) {
        ftrace_read(&self, paths.items[i]);
        free(paths.items[i]);
    }
    LocksetCounts counts = prediction_count(&self);
    out->accesses = counts.accesses, out->stable = counts.stable, out->linear = counts.linear;
    out->pairs = counts.pairs, out->places = counts.places, out->violating = counts.violating;
    out->samples = self.samples;
    prediction_free(&self);
    array_free(&paths);
    buffer_free(&path);
    out->seconds = clock_seconds() - start;
}
