#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

/* One-slot mailbox: `full` and `empty` count, no mutex needed. */
struct mailbox {
    sem_t full, empty;
    int   kind;
    long  body;
};

static struct mailbox box;

static void mb_send(struct mailbox *m, int kind, long body)
{
    sem_wait(&m->empty);
    m->kind = kind; // NORACE
    m->body = body; // NORACE
    sem_post(&m->full);
}

static int mb_recv(struct mailbox *m, long *body)
{
    int kind;

    sem_wait(&m->full);
    kind = m->kind;
    *body = m->body;
    sem_post(&m->empty);
    return kind;
}

static void *sender(void *unused)
{
    long i;
    for (i = 0; i < 100; i++)
        mb_send(&box, 1, i * i);
    mb_send(&box, 0, 0);
    return unused;
}

static void *receiver(void *unused)
{
    long v, sum = 0;
    while (mb_recv(&box, &v))
        sum += v;
    printf("%ld\n", sum);
    return unused;
}

int main(void)
{
    pthread_t s, r;
    sem_init(&box.full, 0, 0);
    sem_init(&box.empty, 0, 1);
    pthread_create(&s, NULL, sender, NULL);
    pthread_create(&r, NULL, receiver, NULL);
    pthread_join(s, NULL);
    pthread_join(r, NULL);
    return 0;
}
