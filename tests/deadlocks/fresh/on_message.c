#include <pthread.h>
#include <stdlib.h>

/* A bus: who subscribes is called under the bus' lock, and may not publish from there. */
typedef void (*listener)(void *who, int topic);
struct entry { struct entry *next; listener call; void *who; };
struct bus { pthread_mutex_t lock; struct entry *first; int published; };

struct bus *bus_open(void)
{
    struct bus *b = calloc(1, sizeof *b);
    pthread_mutex_init(&b->lock, NULL);
    return b;
}

int bus_subscribe(struct bus *b, listener call, void *who)
{
    struct entry *e = malloc(sizeof *e);
    if (!e)
        return -1;
    e->call = call;
    e->who = who;
    pthread_mutex_lock(&b->lock);
    e->next = b->first;
    b->first = e;
    pthread_mutex_unlock(&b->lock);
    return 0;
}

void bus_publish(struct bus *b, int topic)
{
    pthread_mutex_lock(&b->lock);
    b->published++;
    for (struct entry *e = b->first; e; e = e->next)
        e->call(e->who, topic); /* DEADLOCK */
    pthread_mutex_unlock(&b->lock);
}
