#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define PRIZES 500

/* Whoever draws a number writes his name beside it. */
static struct {
    pthread_mutex_t lock;
    int drawn;
    const char *winner[PRIZES];
} raffle = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int draw(void)
{
    int n;
    pthread_mutex_lock(&raffle.lock);
    n = raffle.drawn++;
    pthread_mutex_unlock(&raffle.lock);
    return n;
}

static void *guest(void *name)
{
    for (;;) {
        int n = draw();
        if (n >= PRIZES)
            break;
        raffle.winner[n] = name; // NORACE
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, guest, "Ada");
    pthread_create(&b, NULL, guest, "Bea");
    pthread_create(&c, NULL, guest, "Cleo");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    puts(raffle.winner[rand() % PRIZES]);
    return 0;
}
