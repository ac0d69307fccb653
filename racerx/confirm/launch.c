// launch.c: one run of the program under a plan. In: a command, the plan's path, limits. Out: how it ended.
//
// The command is the user's own and is given to the kernel as it is: no shell. It runs in a process group of its own,
// which is all that is ever ended here.
#include "racerx/confirm/steer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 2 }; // seconds between asking a program to end and ending it

static void become(char **command, const char *plan, bool output) {
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    setpgid(0, 0);
    setenv("RACERX_CONFIRM", plan, 1);
    dup2(null, 0);
    if (!output) {
        dup2(null, 1);
        dup2(null, 2);
    }
    execvp(*command, command);
    _exit(127);
}

static void pause_briefly(void) {
    struct timespec time = {0, 5000000};
    nanosleep(&time, NULL);
}

static bool ended(pid_t child, int *status) {
    pid_t got = waitpid(child, status, WNOHANG);
    return got == child || (got < 0 && errno != EINTR);
}

Launch launch(char **command, const char *plan, double seconds, bool output, bool (*enough)(void *), void *context) {
    Launch self = {0};
    int status = 0;
    double start = clock_seconds(), asked = 0, looked = start;
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        fatal("cannot start %s: %s", quote_path(*command), strerror(errno));
    if (!child)
        become(command, plan, output);
    setpgid(child, child);
    while (!ended(child, &status)) {
        double now = clock_seconds();
        bool late = now - start > seconds, satisfied = false;
        if (!asked && now - looked > 0.03) {
            satisfied = enough(context);
            looked = clock_seconds();
        }
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
    kill(-child, SIGKILL); // what it left behind
    self.seconds = clock_seconds() - start;
    self.signal = WIFSIGNALED(status) && !asked ? WTERMSIG(status) : 0;
    self.started = !(WIFEXITED(status) && WEXITSTATUS(status) == 127);
    return self;
}
