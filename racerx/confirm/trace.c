// trace.c: runs that write down what they do. In: a command, seeds. Out: a directory of samples, a folder each: what
// the runtime wrote, and in `sample` whose it is.
//
// Each seed is run with others of the user's, chosen by chance or by what is known of them, once as the first and once
// as the second (section 3.3.1 of the paper). Threads are delayed where they start and lock, by the seed of the run;
// the first run of each is as it comes.
#include "racerx/confirm/predict.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NOISE = 5000 }; // microseconds of a delay, in the second run; more in later ones

static char *path_in(const char *directory, const char *name) {
    Buffer path = {0};
    buffer_format(&path, "%s/%s", directory, name);
    buffer_byte(&path, 0);
    return (char *)path.bytes;
}

void seeds_read(PathArray *out, const char *path) {
    size_t size;
    char *text = file_read(path, &size);
    if (!text)
        fatal("cannot read the seeds in %s: %s", quote_path(path), strerror(errno));
    for (char *line = text, *end; line && *line; line = end) {
        end = strchr(line, '\n');
        if (end)
            *end++ = 0;
        line += strspn(line, " \t");
        if (*line && *line != '#')
            array_push(out, must_strdup(line));
    }
    free(text);
    if (!out->count)
        fatal("%s has no seed: write a command line on each line", quote_path(path));
}

// the directory ---------------------------------------------------------------------

static void make_directory(const char *path) {
    char *part = must_strdup(path);
    for (char *at = part + 1; *at; at++)
        if (*at == '/') {
            *at = 0;
            mkdir(part, 0777);
            *at = '/';
        }
    if (mkdir(part, 0777) && errno != EEXIST)
        fatal("cannot make the directory %s: %s", quote_path(path), strerror(errno));
    free(part);
}

static bool is_ours(const char *name) {
    return !strcmp(name, "sample") || !strcmp(name, "plan") || !strncmp(name, "log.", 4) || !strncmp(name, "trace.", 6);
}

// Only what we wrote ourselves.
static void remove_sample(const char *path) {
    DIR *entries = opendir(path);
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        if (is_ours(entry->d_name)) {
            char *file = path_in(path, entry->d_name);
            unlink(file);
            free(file);
        }
    if (entries)
        closedir(entries);
    rmdir(path);
}

static u32 sample_number(const char *name) {
    char *end;
    unsigned long number = strncmp(name, "sample-", 7) ? 0 : strtoul(name + 7, &end, 10);
    return number && !*end ? (u32)number : 0;
}

// The number of the last sample that is there.
static u32 prepare(const TraceOptions *options) {
    u32 last = 0;
    make_directory(options->into);
    DIR *entries = opendir(options->into);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        u32 number = sample_number(entry->d_name);
        char *path = path_in(options->into, entry->d_name);
        if (number && options->keep)
            last = number > last ? number : last;
        else if (number)
            remove_sample(path);
        free(path);
    }
    if (entries)
        closedir(entries);
    return last;
}

// The runtime's files are mapped while the program runs, where that costs least; what was used of them is kept.
static char *make_scratch(const TraceOptions *options) {
    char *path = must_strdup("/dev/shm/racerx-trace-XXXXXX");
    if (mkdtemp(path))
        return path;
    free(path);
    path = path_in(options->into, "running-XXXXXX");
    if (!mkdtemp(path))
        fatal("cannot make a directory for the runs in %s: %s", quote_path(options->into), strerror(errno));
    return path;
}

// The bytes of a file that are used.
static u64 used_bytes(const char *path, const char *name) {
    u32 head[7]; // the sixth word is how many events there are
    struct stat info;
    FILE *file = strncmp(name, "trace.", 6) ? NULL : fopen(path, "rb");
    bool read = file && fread(head, sizeof *head, 7, file) == 7;
    if (file)
        fclose(file);
    u64 whole = stat(path, &info) ? 0 : (u64)info.st_size, used = read ? 48 + (u64)head[5] * sizeof(TraceEvent) : whole;
    return used < whole ? used : whole;
}

static void keep_file(const char *from, const char *to, u64 size) {
    FILE *source = fopen(from, "rb"), *target = source ? fopen(to, "wb") : NULL;
    char bytes[1 << 16];
    while (target && size) {
        size_t got = fread(bytes, 1, size < sizeof bytes ? (size_t)size : sizeof bytes, source);
        if (!got || fwrite(bytes, 1, got, target) != got)
            break;
        size -= got;
    }
    if (source)
        fclose(source);
    if (!target || fclose(target) || size)
        fatal("cannot write %s: %s", quote_path(to), strerror(errno));
}

static void keep_files(const char *scratch, const char *directory) {
    DIR *entries = opendir(scratch);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        if (!is_ours(entry->d_name))
            continue;
        char *from = path_in(scratch, entry->d_name), *to = path_in(directory, entry->d_name);
        if (strcmp(entry->d_name, "plan"))
            keep_file(from, to, used_bytes(from, entry->d_name));
        free(from);
        free(to);
    }
    if (entries)
        closedir(entries);
    remove_sample(scratch);
}

// runs ------------------------------------------------------------------------------

static const char *write_plan(const TraceOptions *options, const char *directory, u64 seed, Buffer *path) {
    Buffer text = {0};
    char real[PATH_MAX];
    u64 noise = (seed - 1) % 4 * NOISE;                                           // none, some, more, most
    buffer_format(path, "%s/plan", realpath(directory, real) ? real : directory); // the program may change directory
    buffer_byte(path, 0);
    buffer_format(&text, "seed %llu\nnoise %llu\ntrace %u\ndirectory %s\n", (unsigned long long)seed,
                  (unsigned long long)noise, options->events, realpath(directory, real) ? real : directory);
    const char *why = file_write((char *)path->bytes, text.bytes, text.size);
    if (why)
        fatal("cannot write %s: %s", quote_path((char *)path->bytes), why);
    buffer_free(&text);
    return (char *)path->bytes;
}

static void put_words(Buffer *out, char **command) {
    for (u32 i = 0; command && command[i]; i++)
        buffer_format(out, "%s%s", i ? " " : "", command[i]);
}

static void write_sample(const TraceOptions *options, const char *directory, u64 seed, char *const *lines, u32 count,
                         double seconds) {
    Buffer text = {0};
    buffer_format(&text, "seed %llu\nseconds %.6f\nline ", (unsigned long long)seed, seconds);
    if (options->seeds.count)
        buffer_text(&text, lines[0]);
    else
        put_words(&text, options->command);
    for (u32 i = 1; i < count; i++)
        buffer_format(&text, "\nbeside %s", lines[i]);
    buffer_text(&text, "\n");
    char *path = path_in(directory, "sample");
    const char *why = file_write(path, text.bytes, text.size);
    if (why)
        fatal("cannot write %s: %s", quote_path(path), why);
    buffer_free(&text);
    free(path);
}

static StartedRun run(const TraceOptions *options, const char *plan, char *const *lines, u32 count) {
    StartedRun end = launch(&(LaunchOptions){.command = options->command,
                                             .plan = plan,
                                             .seconds = options->run_seconds,
                                             .settle = options->settle,
                                             .output = options->output,
                                             .lines = lines,
                                             .line_count = count});
    if (!end.started && options->command)
        fatal(strchr(*options->command, '/') ? "cannot run %s: is it there, and a program?"
                                             : "cannot run %s: write the program's path, as in ./NAME",
              quote_path(*options->command));
    return end;
}

static void add_stats(TraceStats *out, const char *directory, double seconds) {
    Trace trace;
    trace_read(&trace, directory);
    out->samples++;
    out->events += trace.events;
    out->lost += trace.lost;
    out->bytes += trace.bytes;
    for (u32 i = 0; i < trace.processes.count; i++)
        out->threads += trace.processes.items[i].threads.count;
    if (!out->seconds || seconds < out->seconds)
        out->seconds = seconds;
    trace_free(&trace);
}

static void take_sample(const TraceOptions *options, u32 number, u64 seed, char *const *lines, u32 count, u32 first,
                        TraceStats *out) {
    Buffer name = {0}, plan = {0};
    char *turned[LINES_TOGETHER] = {count ? lines[first] : NULL, count > 1 ? lines[!first] : NULL};
    buffer_format(&name, "%s/sample-%04u", options->into, number);
    buffer_byte(&name, 0);
    const char *directory = (char *)name.bytes;
    if (mkdir(directory, 0777))
        fatal("cannot make the directory %s: %s", quote_path(directory), strerror(errno));
    char *scratch = make_scratch(options);
    StartedRun end = run(options, write_plan(options, scratch, seed, &plan), turned, count);
    keep_files(scratch, directory);
    free(scratch);
    write_sample(options, directory, seed, lines, count, end.seconds);
    add_stats(out, directory, end.seconds);
    buffer_free(&name);
    buffer_free(&plan);
}

static u64 chance(u64 *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

void trace_runs(const TraceOptions *options, SeedChooser *chooser, void *context, TraceStats *out) {
    u32 number = prepare(options), seeds = options->seeds.count ? options->seeds.count : 1;
    u64 state = options->seed * 0x9e3779b97f4a7c15ull + 1;
    *out = (TraceStats){0};
    for (u32 i = 0; i < seeds; i++) {
        u32 other = i;
        for (u32 k = 0; k < options->runs; k++) {
            if (!(k & 1) && !options->alone && seeds > 1)
                other = chooser ? chooser(context, i, seeds, chance(&state)) : (u32)(chance(&state) % seeds);
            char *lines[LINES_TOGETHER] = {options->seeds.count ? options->seeds.items[i] : NULL,
                                           seeds > 1 ? options->seeds.items[other] : NULL};
            u32 count = !options->seeds.count ? 0 : seeds > 1 && !options->alone ? 2 : 1;
            if (!i && !k) {
                StartedRun plain = run(options, NULL, lines, count);
                out->plain = plain.seconds;
            }
            take_sample(options, ++number, options->seed + k, lines, count, count > 1 && (k & 1), out);
        }
    }
    if (!out->events)
        fatal("nothing that was run was built with `racerx cc`, or it starts no thread: build it anew, with make "
              "CC=\"racerx cc\" say");
}
