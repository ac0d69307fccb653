#include <pthread.h>
#include <stdio.h>

struct mixer {
    pthread_mutex_t in_lock;
    pthread_mutex_t out_lock;
    int in_gain, out_gain;
};

static struct mixer mixer = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, 1, 1 };

static void set_in_gain(struct mixer *m, int g)
{
    pthread_mutex_lock(&m->in_lock);
    m->in_gain = g;
    pthread_mutex_unlock(&m->in_lock);
}

static void set_out_gain(struct mixer *m, int g)
{
    pthread_mutex_lock(&m->out_lock);
    if (g > 10)
        g = 10;
    m->out_gain = g;
    pthread_mutex_unlock(&m->in_lock); /* UNHELD */
}

static int total_gain(struct mixer *m)
{
    int g;

    pthread_mutex_lock(&m->in_lock);
    g = m->in_gain;
    pthread_mutex_unlock(&m->in_lock);
    pthread_mutex_lock(&m->out_lock);
    g *= m->out_gain;
    pthread_mutex_unlock(&m->out_lock);
    return g;
}

static void *knob(void *arg)
{
    for (int i = 0; i < 20; i++) {
        set_in_gain(&mixer, i);
        set_out_gain(&mixer, i);
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, knob, NULL);
    for (int i = 0; i < 20; i++)
        printf("%d\n", total_gain(&mixer));
    pthread_join(t, NULL);
    return 0;
}
