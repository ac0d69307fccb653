#include <pthread.h>
#include <stdlib.h>

#define ACTORS 4
struct actor { pthread_mutex_t box; int letters; int friend; };
static struct actor actors[ACTORS];

static void post(struct actor *to)
{
    pthread_mutex_lock(&to->box);
    to->letters++;
    pthread_mutex_unlock(&to->box);
}

static void answer(struct actor *self)
{
    int any;
    pthread_mutex_lock(&self->box);
    any = self->letters > 0;
    self->letters -= any;
    pthread_mutex_unlock(&self->box);
    if (any)
        post(&actors[self->friend]);
}

static void *play(void *arg)
{
    for (int i = 0; i < 100; i++)
        answer(arg);
    return NULL;
}

int main(void)
{
    pthread_t t[ACTORS];
    for (int i = 0; i < ACTORS; i++) {
        pthread_mutex_init(&actors[i].box, NULL);
        actors[i].letters = i;
        actors[i].friend = (i + 1) % ACTORS;
    }
    for (int i = 0; i < ACTORS; i++)
        pthread_create(&t[i], NULL, play, &actors[i]);
    for (int i = 0; i < ACTORS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
