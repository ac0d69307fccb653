#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

static sem_t table_sem;
static char *names[4];

static int claim(const char *name)
{
    int slot = -1;

    if (sem_wait(&table_sem) == -1)
        return -errno;
    for (int i = 0; i < 4; i++)
        if (!names[i]) {
            slot = i;
            break;
        }
    if (slot < 0) {
        return -EBUSY; /* LEAK */
    }
    names[slot] = (char *)name;
    sem_post(&table_sem);
    return slot;
}

static void unclaim(int slot)
{
    sem_wait(&table_sem);
    names[slot] = NULL;
    sem_post(&table_sem);
}

static void *user(void *arg)
{
    for (int i = 0; i < 8; i++) {
        int s = claim(arg);
        if (s > 0)
            unclaim(s);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[3];

    if (sem_init(&table_sem, 0, 1))
        return 1;
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, user, "me");
    for (int i = 0; i < 4; i++)
        claim("main");
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
