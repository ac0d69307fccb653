#include <pthread.h>
#include <stdio.h>

struct mon { pthread_mutex_t m; int owner_line; };

#define MON_ENTER(x)                     \
    do {                                 \
        pthread_mutex_lock(&(x)->m);     \
        (x)->owner_line = __LINE__;      \
    } while (0)
#define MON_EXIT(x)                      \
    do {                                 \
        (x)->owner_line = 0;             \
        pthread_mutex_unlock(&(x)->m);   \
    } while (0)
#define CHECK(cond, rc) do { if (!(cond)) { MON_EXIT(&mon); return (rc); } } while (0)

static struct mon mon = { PTHREAD_MUTEX_INITIALIZER, 0 };
static int level, ceiling = 10;

static int raise_level(int by)
{
    MON_ENTER(&mon);
    CHECK(by > 0, -1);
    CHECK(level + by <= ceiling, -2);
    level += by;
    MON_EXIT(&mon);
    return level;
}

static void drop_level(void)
{
    MON_ENTER(&mon);
    if (level > 0)
        level--;
    MON_EXIT(&mon);
}

static void *raiser(void *arg)
{
    for (int i = 0; i < 20; i++) {
        raise_level(i % 4);
        drop_level();
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, raiser, NULL);
    pthread_create(&b, NULL, raiser, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
