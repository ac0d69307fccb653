#include <pthread.h>
#include <stdlib.h>

#define SEATS 5
struct fork { pthread_mutex_t clean; int uses; };
struct guest { pthread_t thread; struct fork *near, *far; };
static struct fork table[SEATS];
static struct guest guests[SEATS];

static void *dine(void *arg)
{
    struct guest *g = arg;
    for (int i = 0; i < 10; i++) {
        pthread_mutex_lock(&g->near->clean);
        pthread_mutex_lock(&g->far->clean); /* DEADLOCK */
        g->near->uses++;
        g->far->uses++;
        pthread_mutex_unlock(&g->far->clean);
        pthread_mutex_unlock(&g->near->clean);
    }
    return NULL;
}

int main(void)
{
    for (int i = 0; i < SEATS; i++)
        pthread_mutex_init(&table[i].clean, NULL);
    for (int i = 0; i < SEATS; i++) {
        guests[i].near = &table[i];
        guests[i].far = &table[(i + 1) % SEATS];
    }
    for (int i = 0; i < SEATS; i++)
        pthread_create(&guests[i].thread, NULL, dine, &guests[i]);
    for (int i = 0; i < SEATS; i++)
        pthread_join(guests[i].thread, NULL);
    return 0;
}
