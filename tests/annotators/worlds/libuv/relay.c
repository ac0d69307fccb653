/* A relay: a loop, a thread, a pool. */
#include <uv.h>

static uv_mutex_t in, out;
static uv_rwlock_t routes;
static uv_sem_t more;
static int received, sent, dropped, known;

int relay_in(int n)
{
    uv_mutex_lock(&in);
    if (n < 0)
        return -1; /* LEAK */
    uv_mutex_lock(&out); /* DEADLOCK@a */
    received += n;
    uv_mutex_unlock(&out);
    uv_mutex_unlock(&in);
    return 0;
}

int relay_out(int n)
{
    uv_mutex_lock(&out);
    if (uv_mutex_trylock(&in) == 0) /* NODEADLOCK */
        uv_mutex_unlock(&in);
    uv_mutex_lock(&in); /* DEADLOCK@a */
    sent += n;
    uv_mutex_unlock(&in);
    uv_mutex_unlock(&out);
    return 0;
}

static int relay_route(void)
{
    int n;
    uv_rwlock_rdlock(&routes);
    n = known; /* NORACE */
    uv_rwlock_rdunlock(&routes);
    return n;
}

static void relay_learn(int n)
{
    uv_rwlock_wrlock(&routes);
    known += n; /* NORACE */
    uv_rwlock_wrunlock(&routes);
    dropped++; /* RACE */
}

static void pump(void *arg)
{
    int *rounds = arg, n;
    while (*rounds > relay_route()) {
        uv_sem_wait(&more);
        if (read(0, &n, sizeof n) > 0)
            relay_in(n);
        relay_learn(1);
    }
}

int main(void)
{
    uv_thread_t one, two;
    static int rounds = 10;
    uv_mutex_init(&in);
    uv_mutex_init(&out);
    uv_rwlock_init(&routes);
    uv_sem_init(&more, 0);
    uv_thread_create(&one, pump, &rounds);
    uv_thread_create(&two, pump, &rounds);
    relay_out(1);
    uv_sem_post(&more);
    uv_thread_join(&one);
    uv_thread_join(&two);
    return dropped; /* NORACE */
}
