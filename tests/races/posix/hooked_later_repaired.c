// racerx-verdict: shown
/* A callback that a thread calls is handed over after what it uses was made ready, and taken back before that is done
 * again. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct packet {
    int from;
};
struct hook {
    struct hook *next;
    int point;
    void (*run)(struct packet *);
};
static pthread_mutex_t hooks_lock = PTHREAD_MUTEX_INITIALIZER;
static struct hook *hooks;
static void hook_add(int point, void (*run)(struct packet *)) {
    struct hook *hook = calloc(1, sizeof *hook);
    hook->point = point;
    hook->run = run;
    pthread_mutex_lock(&hooks_lock);
    hook->next = hooks;
    hooks = hook;
    pthread_mutex_unlock(&hooks_lock);
}
static void hook_del(int point, void (*run)(struct packet *)) {
    pthread_mutex_lock(&hooks_lock);
    for (struct hook **at = &hooks; *at; at = &(*at)->next)
        if ((*at)->point == point && (*at)->run == run) {
            struct hook *hook = *at;
            *at = hook->next;
            free(hook);
            fprintf(stderr, "gone: %p", run);
            break;
        }
    pthread_mutex_unlock(&hooks_lock);
}
static void hooks_run(int point, struct packet *packet) {
    pthread_mutex_lock(&hooks_lock);
    for (struct hook *hook = hooks; hook; hook = hook->next)
        if (hook->point == point)
            hook->run(packet);
    pthread_mutex_unlock(&hooks_lock);
}
static void *sniff(void *arg) {
    struct packet packet = {0};
    for (;;) {
        packet.from++;
        hooks_run(1, &packet);
    }
    return arg;
}
static int targets[4], answered;
static void on_packet(struct packet *packet) {
    for (int i = 0; i < 4; i++)
        if (targets[i] == packet->from) /* NORACE */
            answered++;                 /* NORACE */
}
static void probe(void) {
    for (int i = 0; i < 4; i++)
        targets[i] = rand(); /* NORACE */
    answered = 0;            /* NORACE */
    hook_add(1, on_packet);
    hook_del(1, on_packet);
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sniff, NULL);
    for (int i = 0; i < 10; i++)
        probe();
    pthread_join(thread, NULL);
    return 0;
}
