// system.c: files, clocks, threads, progress: what the operating system gives us.
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// Reads what is there, whatever stat said: files may grow, and /proc says 0.
char *file_read(const char *path, size_t *size) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return NULL;
    struct stat info;
    if (fstat(fd, &info) || !S_ISREG(info.st_mode)) {
        int error = S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
        close(fd);
        errno = error;
        return NULL;
    }
    size_t capacity = (size_t)info.st_size + 16, filled = 0;
    char *bytes = must_alloc(capacity);
    for (;;) {
        if (capacity - filled < 16)
            bytes = must_realloc(bytes, capacity *= 2);
        ssize_t got = read(fd, bytes + filled, capacity - filled - 15);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            int error = errno;
            free(bytes);
            close(fd);
            errno = error;
            return NULL;
        }
        if (!got)
            break;
        filled += (size_t)got;
    }
    close(fd);
    memset(bytes + filled, 0, 15);
    *size = filled;
    return bytes;
}

double clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static u64 status_bytes(const char *field) {
    FILE *file = fopen("/proc/self/status", "r");
    if (!file)
        return 0;
    char line[256];
    u64 kib = 0;
    while (fgets(line, sizeof line, file))
        if (!strncmp(line, field, strlen(field)))
            kib = strtoull(line + strlen(field), NULL, 10);
    fclose(file);
    return kib * 1024;
}

u64 memory_peak_bytes(void) { return status_bytes("VmHWM:"); }
u64 memory_current_bytes(void) { return status_bytes("VmRSS:"); }

u32 cpu_count(void) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (u32)count;
}

// threads ---------------------------------------------------------------------

typedef struct {
    WorkFn work;
    void *context;
    u32 count;
    atomic_uint next; // the next index nobody has
    u32 *order;       // the order of indices under RACERX_SHUFFLE, or NULL
} Team;

typedef struct {
    Team *team;
    u32 worker;
} Member;

static void *member_run(void *argument) {
    Member *member = argument;
    Team *team = member->team;
    for (;;) {
        u32 index = atomic_fetch_add_explicit(&team->next, 1, memory_order_relaxed);
        if (index >= team->count)
            return NULL;
        team->work(team->context, member->worker, team->order ? team->order[index] : index);
    }
}

// For tests: RACERX_SHUFFLE=seed hands the work out in another order, which must not show.
static u32 *shuffled(u32 count) {
    const char *seed = getenv("RACERX_SHUFFLE");
    if (!seed || !count)
        return NULL;
    u64 state = strtoull(seed, NULL, 10) + 1;
    u32 *order = must_alloc(sizeof(u32) * count);
    for (u32 i = 0; i < count; i++) {
        state = hash_mix(state, i + 1);
        u32 other = (u32)(state % (i + 1));
        order[i] = i;
        order[i] = order[other];
        order[other] = i;
    }
    return order;
}

void parallel_for(u32 jobs, u32 count, WorkFn work, void *context) {
    Team team = {work, context, count, 0, shuffled(count)};
    if (jobs > 256)
        jobs = 256;
    if (!jobs)
        jobs = 1;
    Member members[256];
    pthread_t threads[256];
    u32 started = 0;
    for (u32 i = 1; i < jobs && i < count; i++) {
        members[i] = (Member){&team, i};
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, (size_t)64 << 20);
        int failed = pthread_create(&threads[i], &attributes, member_run, &members[i]);
        pthread_attr_destroy(&attributes);
        if (failed)
            break;
        started = i;
    }
    members[0] = (Member){&team, 0};
    member_run(&members[0]);
    for (u32 i = 1; i <= started; i++)
        pthread_join(threads[i], NULL);
    free(team.order);
}

// progress --------------------------------------------------------------------

static struct {
    const char *what;
    u64 total;
    _Atomic u64 done;
    _Atomic u64 shown; // percent last printed, so that threads do not repeat it
    bool live;         // standard error is a terminal
} bar;

void progress_begin(const char *what, u64 total) {
    bar.what = what;
    bar.total = total ? total : 1;
    bar.done = 0;
    bar.shown = 1000;
    bar.live = isatty(2) && !getenv("RACERX_NO_PROGRESS");
    progress_step(0);
}

void progress_step(u64 amount) {
    if (!bar.live)
        return;
    u64 done = atomic_fetch_add(&bar.done, amount) + amount;
    u64 percent = done * 100 / bar.total;
    if (atomic_exchange(&bar.shown, percent) == percent)
        return;
    char fill[31];
    for (u32 i = 0; i < 30; i++)
        fill[i] = i * 100 < percent * 30 ? '#' : '.';
    fill[30] = 0;
    fprintf(stderr, "\r%-10s [%s] %3u%%", bar.what, fill, (u32)(percent > 100 ? 100 : percent));
    fflush(stderr);
}

void progress_end(void) {
    if (bar.live)
        fprintf(stderr, "\r%60s\r", "");
    bar.live = false;
}
