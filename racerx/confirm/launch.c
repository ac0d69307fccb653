// launch.c: one run of the program under a plan. In: a command, the plan's path, limits. Out: how it ended.
//
// The command is the user's own and is given to the kernel as it is: no shell. It runs in a process group of its own,
// which is all that is ever ended here. Lines of the user's (seeds) run beside it, in the same group; when they are
// done, so is the run.
#include "racerx/confirm/steer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 2 }; // seconds between asking a program to end and ending it

// A line of the user's is the shell's, a command is the kernel's.
static void become(const LaunchOptions *options, const char *line, pid_t group) {
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    setpgid(0, group);
    if (options->plan)
        setenv("RACERX_CONFIRM", options->plan, 1);
    else
        unsetenv("RACERX_CONFIRM");
    dup2(null, 0);
    if (!options->output) {
        dup2(null, 1);
        dup2(null, 2);
    }
    if (line)
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    else
        execvp(*options->command, options->command);
    _exit(127);
}

static pid_t start(const LaunchOptions *options, const char *line, pid_t group) {
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        fatal("cannot start %s: %s", quote_path(line ? line : *options->command), strerror(errno));
    if (!child)
        become(options, line, group);
    setpgid(child, group ? group : child);
    return child;
}

static void pause_briefly(void) {
    struct timespec time = {0, 5000000};
    nanosleep(&time, NULL);
}

static bool ended(pid_t child, int *status) {
    pid_t got = waitpid(child, status, WNOHANG);
    return got == child || (got < 0 && errno != EINTR);
}

// The lines that were given beside the command: started once it has had its time, one after the other.
typedef struct {
    pid_t children[LINES_TOGETHER];
    u32 started, running;
} Lines;

static void lines_start(Lines *self, const LaunchOptions *options, pid_t group) {
    for (; self->started < options->line_count; self->started++, self->running++) {
        self->children[self->started] = start(options, options->lines[self->started], group);
        pause_briefly();
    }
}
static void lines_look(Lines *self) {
    int status;
    for (u32 i = 0; i < self->started; i++)
        if (self->children[i] && ended(self->children[i], &status)) {
            self->children[i] = 0;
            self->running--;
        }
}

static StartedRun launch_end(pid_t child, int status, double begun, bool asked, StartedRun self) {
    kill(-child, SIGKILL); // what it left behind
    self.seconds = clock_seconds() - begun;
    self.signal = WIFSIGNALED(status) && !asked ? WTERMSIG(status) : 0;
    self.started = !(WIFEXITED(status) && WEXITSTATUS(status) == 127);
    return self;
}

StartedRun launch(const LaunchOptions *options) {
    StartedRun self = {0};
    Lines lines = {0};
    int status = 0;
    double begun = clock_seconds(), asked = 0, looked = begun;
    bool alone = !options->command; // the first line is what is run
    lines.started = alone;
    pid_t child = start(options, alone ? options->lines[0] : NULL, 0);
    if (alone)
        lines_start(&lines, options, child);
    while (!ended(child, &status)) {
        double now = clock_seconds();
        bool late = now - begun > options->seconds, satisfied = false;
        if (!alone && lines.started < options->line_count && now - begun > options->settle)
            lines_start(&lines, options, child);
        lines_look(&lines);
        if (!asked && options->enough && now - looked > 0.03) {
            satisfied = options->enough(options->context);
            looked = clock_seconds();
        }
        satisfied |= !alone && options->line_count && lines.started == options->line_count && !lines.running;
        if (!asked && (late || satisfied)) {
            self.timed_out = late && !satisfied;
            self.stopped = true;
            asked = now;
            kill(-child, SIGTERM);
        }
        if (asked && now - asked > PATIENCE)
            kill(-child, SIGKILL);
        pause_briefly();
    }
    for (; alone && lines.running && clock_seconds() - begun < options->seconds; pause_briefly())
        lines_look(&lines);
    self = launch_end(child, status, begun, asked > 0, self);
    for (u32 i = 0; i < lines.started; i++)
        if (lines.children[i])
            waitpid(lines.children[i], &status, 0);
    return self;
}
