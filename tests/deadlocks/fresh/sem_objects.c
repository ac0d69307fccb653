#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct lane { sem_t token; int cars; };
static struct lane *east, *west;

static void move(struct lane *from, struct lane *to)
{
    sem_wait(&from->token);
    sem_wait(&to->token); /* DEADLOCK */
    from->cars--;
    to->cars++;
    sem_post(&to->token);
    sem_post(&from->token);
}

static void *eastbound(void *arg)
{
    for (int i = 0; i < 100; i++)
        move(west, east);
    return arg;
}

static void *westbound(void *arg)
{
    for (int i = 0; i < 100; i++)
        move(east, west);
    return arg;
}

static void setup(void)
{
    east = calloc(1, sizeof *east);
    west = calloc(1, sizeof *west);
    sem_init(&east->token, 0, 1);
    sem_init(&west->token, 0, 1);
}

int main(void)
{
    pthread_t a, b;
    setup();
    pthread_create(&a, NULL, eastbound, NULL);
    pthread_create(&b, NULL, westbound, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
