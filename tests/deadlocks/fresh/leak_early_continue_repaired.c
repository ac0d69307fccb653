#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct msg { int kind; int len; };

static struct msg queue[32];
static int head, tail;
static pthread_mutex_t queue_mutex = PTHREAD_MUTEX_INITIALIZER;
static long handled;

static void *pump(void *arg)
{
    for (int tries = 0; tries < 50; tries++) {
        struct msg m;

        pthread_mutex_lock(&queue_mutex);
        if (head == tail) {
            pthread_mutex_unlock(&queue_mutex);
            continue;
        }
        m = queue[head++ & 31];
        pthread_mutex_unlock(&queue_mutex);
        if (m.kind == 0)
            continue;
        __sync_fetch_and_add(&handled, m.len);
    }
    return arg;
}

static void send(int kind, int len)
{
    pthread_mutex_lock(&queue_mutex);
    queue[tail & 31].kind = kind;
    queue[tail & 31].len = len;
    tail++;
    pthread_mutex_unlock(&queue_mutex);
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, pump, NULL);
    for (int i = 0; i < 20; i++)
        send(i & 1, i);
    pthread_join(t, NULL);
    printf("%ld\n", handled);
    return 0;
}
