// measure.c: runs a command and says what it cost.
//
// IN  measure OUT COMMAND ARGUMENT...
// OUT the file OUT: one line `wall=S user=S sys=S rss_kib=N status=N`; the command's own
//     output is left alone, and its exit status is ours (128 + N when signal N ended it).
// Peak memory is the kernel's own count for the child (ru_maxrss), not a sample.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double time_seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec * 1e-6; }

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: measure OUT COMMAND ARGUMENT...\n");
        return 2;
    }
    double start = now_seconds();
    pid_t child = fork();
    if (!child) {
        execvp(argv[2], argv + 2);
        fprintf(stderr, "measure: %s: %s\n", argv[2], strerror(errno));
        _exit(127);
    }
    int raw = 0;
    struct rusage usage;
    pid_t ended = child;
    while (child > 0 && (ended = wait4(child, &raw, 0, &usage)) < 0 && errno == EINTR) {
    }
    if (child < 0 || ended < 0) {
        fprintf(stderr, "measure: %s\n", strerror(errno));
        return 2;
    }
    double wall = now_seconds() - start;
    int status = WIFSIGNALED(raw) ? 128 + WTERMSIG(raw) : WEXITSTATUS(raw);
    FILE *out = fopen(argv[1], "w");
    if (!out) {
        fprintf(stderr, "measure: %s: %s\n", argv[1], strerror(errno));
        return 2;
    }
    fprintf(out, "wall=%.2f user=%.2f sys=%.2f rss_kib=%ld status=%d\n", wall, time_seconds(usage.ru_utime),
            time_seconds(usage.ru_stime), usage.ru_maxrss, status);
    return fclose(out) ? 2 : status;
}
