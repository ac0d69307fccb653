#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

/* Binary semaphores guard a scanner and a printer. */
static sem_t scanner, printer;
static int copies, scans;

static void use_both(void)
{
    copies++;
    scans++;
}

static void *copy_from_panel(void *arg)
{
    for (int i = 0; i < 30; i++) {
        sem_wait(&scanner);
        sem_wait(&printer); /* DEADLOCK */
        use_both();
        sem_post(&printer);
        sem_post(&scanner);
    }
    return arg;
}

static void *copy_from_net(void *arg)
{
    for (int i = 0; i < 30; i++) {
        sem_wait(&printer);
        sem_wait(&scanner); /* DEADLOCK */
        use_both();
        sem_post(&scanner);
        sem_post(&printer);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    sem_init(&scanner, 0, 1);
    sem_init(&printer, 0, 1);
    pthread_create(&a, NULL, copy_from_panel, NULL);
    pthread_create(&b, NULL, copy_from_net, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d %d\n", copies, scans);
    sem_destroy(&scanner);
    sem_destroy(&printer);
    return 0;
}
