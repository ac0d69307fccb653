#include <pthread.h>
#include <stdlib.h>

/* A task names two slots by number. */
struct task { int first, second; };
static struct { pthread_mutex_t mutex; double amount; } slots[8];

static void *run(void *arg)
{
    const struct task *t = arg;
    for (int i = 0; i < 100; i++) {
        int low = t->first < t->second ? t->first : t->second;
        pthread_mutex_lock(&slots[low].mutex);
        pthread_mutex_lock(&slots[t->first + t->second - low].mutex);
        slots[t->first].amount += slots[t->second].amount;
        pthread_mutex_unlock(&slots[t->second].mutex);
        pthread_mutex_unlock(&slots[t->first].mutex);
    }
    return NULL;
}

int main(void)
{
    static struct task tasks[2] = { { 1, 2 }, { 2, 1 } };
    pthread_t t[2];
    for (int i = 0; i < 8; i++)
        pthread_mutex_init(&slots[i].mutex, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, &tasks[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
