#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>

typedef struct ticketlock {
    uint32_t next;
    uint32_t serving;
} ticketlock;

static void tl_enter(ticketlock *t)
{
    uint32_t me = __atomic_fetch_add(&t->next, 1, __ATOMIC_RELAXED);
    while (__atomic_load_n(&t->serving, __ATOMIC_ACQUIRE) != me)
        sched_yield();
}

static void tl_exit(ticketlock *t)
{
    __atomic_fetch_add(&t->serving, 1, __ATOMIC_RELEASE);
}

struct seat_map {
    ticketlock lock;
    uint8_t taken[100];
    int sold;
};

static struct seat_map hall;

static int sell_one(struct seat_map *m)
{
    int i, seat = -1;

    tl_enter(&m->lock);
    for (i = 0; i < 100; i++) {
        if (!m->taken[i]) {
            m->taken[i] = 1;
            m->sold++;
            seat = i;
            break;
        }
    }
    tl_exit(&m->lock);
    return seat;
}

static void refund(struct seat_map *m, int seat)
{
    tl_enter(&m->lock);
    m->taken[seat] = 0; // NORACE
    m->sold--; // NORACE
    tl_exit(&m->lock);
}

static void *agency(void *p)
{
    int n = *(int *)p, i;
    for (i = 0; i < n; i++) {
        int seat = sell_one(&hall);
        if (seat >= 0 && seat % 3 == 0)
            refund(&hall, seat);
    }
    return NULL;
}

int main(void)
{
    int share[2] = { 40, 60 };
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(t + i, NULL, agency, share + i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    printf("sold %d\n", hall.sold);
    return 0;
}
