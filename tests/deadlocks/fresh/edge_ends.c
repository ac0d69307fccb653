#include <pthread.h>
#include <stdlib.h>

struct town { pthread_mutex_t gate; int people; };
struct road { struct town *from, *to; };
static struct town *towns[2];
static struct road *roads[2];

static struct road *road_new(struct town *from, struct town *to)
{
    struct road *r = malloc(sizeof *r);
    r->from = from;
    r->to = to;
    return r;
}

static void travel(struct road *r)
{
    pthread_mutex_lock(&r->from->gate);
    pthread_mutex_lock(&r->to->gate); /* DEADLOCK */
    r->from->people--;
    r->to->people++;
    pthread_mutex_unlock(&r->to->gate);
    pthread_mutex_unlock(&r->from->gate);
}

static void *traveller(void *arg)
{
    for (int i = 0; i < 100; i++)
        travel(arg);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++) {
        towns[i] = calloc(1, sizeof(struct town));
        pthread_mutex_init(&towns[i]->gate, NULL);
    }
    struct town *north = towns[0], *south = towns[1];
    roads[0] = road_new(north, south);
    roads[1] = road_new(south, north);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, traveller, roads[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
