#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

/* One-slot mailbox between two "cores". */
enum msg_kind { MSG_TEMP, MSG_FAULT, MSG_QUIT };

struct msg {
    enum msg_kind kind;
    union {
        struct { int sensor; float deg; } temp;
        struct { unsigned code; const char *text; } fault;
    } u;
};

struct mailbox {
    struct msg  slot;
    atomic_bool full;
};

static struct mailbox mb;

static void mb_send(struct mailbox *b, const struct msg *m)
{
    while (atomic_load_explicit(&b->full, memory_order_acquire))
        sched_yield();
    b->slot = *m; // TODO NORACE: a flag that two threads hand back and forth
    atomic_store_explicit(&b->full, true, memory_order_release);
}

static void mb_recv(struct mailbox *b, struct msg *m)
{
    while (!atomic_load_explicit(&b->full, memory_order_acquire))
        sched_yield();
    *m = b->slot;
    atomic_store_explicit(&b->full, false, memory_order_release);
}

static void *core1(void *arg)
{
    struct msg m;
    for (;;) {
        mb_recv(&mb, &m);
        switch (m.kind) {
        case MSG_TEMP:
            printf("sensor %d: %.1f\n", m.u.temp.sensor, m.u.temp.deg);
            break;
        case MSG_FAULT:
            printf("fault %u (%s)\n", m.u.fault.code, m.u.fault.text);
            break;
        case MSG_QUIT:
            return arg;
        }
    }
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, core1, NULL);
    for (int i = 0; i < 50; i++) {
        struct msg m = { .kind = MSG_TEMP, .u.temp = { i, 20.0f + i } };
        mb_send(&mb, &m);
    }
    struct msg f = { .kind = MSG_FAULT, .u.fault = { 7, "undervolt" } };
    mb_send(&mb, &f);
    f.kind = MSG_QUIT;
    mb_send(&mb, &f);
    pthread_join(t, NULL);
    return 0;
}
