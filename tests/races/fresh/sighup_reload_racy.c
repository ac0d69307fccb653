#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

/* Daemon skeleton: a dedicated thread waits for signals. */
static int reload_pending;
static atomic_int quit_requested;
static int generation;          /* main loop only */
static sigset_t watched;

static void *signal_thread(void *unused)
{
    for (;;) {
        int sig = 0;
        if (sigwait(&watched, &sig))
            continue;
        switch (sig) {
        case SIGHUP:
            reload_pending = 1; // RACE!
            break;
        case SIGTERM:
            atomic_store(&quit_requested, 1);
            return unused;
        }
    }
}

static void reload(void)
{
    generation++;
    printf("config generation %d\n", generation);
}

static void main_loop(void)
{
    while (!atomic_load(&quit_requested)) {
        if (reload_pending) { // RACE!
            reload_pending = 0; // RACE!
            reload();
        }
        usleep(500);
    }
}

static void *operator_thread(void *arg)
{
    for (int i = 0; i < 5; i++) {
        usleep(2000);
        kill(getpid(), SIGHUP);
    }
    usleep(2000);
    kill(getpid(), SIGTERM);
    return arg;
}

int main(void)
{
    pthread_t st, op;

    sigemptyset(&watched);
    sigaddset(&watched, SIGHUP);
    sigaddset(&watched, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &watched, NULL);
    pthread_create(&st, NULL, signal_thread, NULL);
    pthread_create(&op, NULL, operator_thread, NULL);
    main_loop();
    pthread_join(op, NULL);
    pthread_join(st, NULL);
    return 0;
}
