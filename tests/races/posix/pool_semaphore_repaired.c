// pool_semaphore.c with one seat: a lock.
#include <pthread.h>
#include <semaphore.h>
#define SEATS 1
struct lounge {
    sem_t seats;
    int coats, tips;
};
static struct lounge lounge;

static void lounge_open(struct lounge *self)
{
    sem_init(&self->seats, 0, SEATS);
}

static void lounge_visit(struct lounge *self)
{
    sem_wait(&self->seats);
    self->coats++; // NORACE
    sem_post(&self->seats);
}

static void *guest(void *unused)
{
    for (int i = 0; i < 1000; i++)
        lounge_visit(&lounge);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    lounge_open(&lounge);
    pthread_create(&a, 0, guest, 0);
    pthread_create(&b, 0, guest, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return lounge.coats != 2000;
}
