// trace_read.c: traces as the runtime left them. In: the directory of a run. Out: the events of each thread, by
// process.
//
// A program may end in the middle of anything, so a file is as long as its head says, and no longer than it is.
#include "racerx/confirm/predict.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRACE_MAGIC 0x3154786572636172ull

typedef struct { // as in the runtime
    u64 magic, start;
    u32 thread, count, lost, room;
    u64 low, high;
} TraceHead;

static TraceProcess *process_of(Trace *self, u32 process, u64 begun) {
    for (u32 i = 0; i < self->processes.count; i++)
        if (self->processes.items[i].process == process && self->processes.items[i].begun == begun)
            return &self->processes.items[i];
    array_push(&self->processes, ((TraceProcess){.process = process, .begun = begun}));
    return &self->processes.items[self->processes.count - 1];
}

static bool read_all(int file, void *to, size_t size) {
    for (ssize_t got; size; size -= (size_t)got, to = (char *)to + got)
        if ((got = read(file, to, size)) <= 0)
            return false;
    return true;
}

static void read_file(Trace *self, const char *path, u32 process, u64 begun) {
    TraceHead head;
    struct stat info;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file >= 0 && !fstat(file, &info) && read_all(file, &head, sizeof head) && head.magic == TRACE_MAGIC) {
        u64 most = ((u64)info.st_size - sizeof head) / sizeof(TraceEvent);
        u32 count = head.count < most ? head.count : (u32)most;
        TraceThread thread = {.number = head.thread, .start = head.start, .low = head.low, .high = head.high};
        thread.events = must_alloc(sizeof *thread.events * (count + 1));
        thread.count = read_all(file, thread.events, sizeof *thread.events * count) ? count : 0;
        thread.lost = head.lost;
        self->events += thread.count;
        self->lost += thread.lost;
        self->bytes += sizeof head + sizeof *thread.events * thread.count;
        array_push(&process_of(self, process, begun)->threads, thread);
    }
    if (file >= 0)
        close(file);
}

static int thread_order(const void *a, const void *b) {
    const TraceThread *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}
static int process_order(const void *a, const void *b) {
    const TraceProcess *x = a, *y = b;
    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    return x->begun < y->begun ? -1 : x->begun > y->begun;
}

void trace_read(Trace *self, const char *directory) {
    DIR *entries = opendir(directory);
    *self = (Trace){0};
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        unsigned process, thread;
        unsigned long long begun;
        Buffer path = {0};
        if (sscanf(entry->d_name, "trace.%u.%llu.%u", &process, &begun, &thread) != 3)
            continue;
        buffer_format(&path, "%s/%s", directory, entry->d_name);
        buffer_byte(&path, 0);
        read_file(self, (const char *)path.bytes, process, begun);
        buffer_free(&path);
    }
    if (entries)
        closedir(entries);
    for (u32 i = 0; i < self->processes.count; i++)
        qsort(self->processes.items[i].threads.items, self->processes.items[i].threads.count, sizeof(TraceThread),
              thread_order);
    if (self->processes.count)
        qsort(self->processes.items, self->processes.count, sizeof(TraceProcess), process_order);
    records_read(&self->records, directory);
}

void trace_free(Trace *self) {
    for (u32 i = 0; i < self->processes.count; i++) {
        for (u32 k = 0; k < self->processes.items[i].threads.count; k++)
            free(self->processes.items[i].threads.items[k].events);
        array_free(&self->processes.items[i].threads);
    }
    array_free(&self->processes);
    records_free(&self->records);
}
