#include <semaphore.h>
#include <threads.h>

#define WEAVERS 3

static sem_t go[WEAVERS];
static int threads_laid, last_weaver = -1;

static int weave(void *arg)
{
    int me = (int)(long)arg;

    for (int i = 0; i < 30; i++) {
        sem_wait(&go[me]);
        threads_laid += 2; // NORACE
        last_weaver = me; // NORACE
        sem_post(&go[(me + 1) % WEAVERS]);
    }
    return 0;
}

int main(void)
{
    thrd_t t[WEAVERS];

    for (int i = 0; i < WEAVERS; i++)
        sem_init(&go[i], 0, i == 0);
    for (long i = 0; i < WEAVERS; i++)
        thrd_create(&t[i], weave, (void *)i);
    for (int i = 0; i < WEAVERS; i++)
        thrd_join(t[i], 0);
    return threads_laid + last_weaver;
}
