#include <threads.h>
#include <time.h>

static mtx_t bus;
static int words[4];

static int bus_write(int at, int w)
{
    struct timespec until;

    timespec_get(&until, TIME_UTC);
    until.tv_sec++;
    if (mtx_timedlock(&bus, &until) != thrd_success)
        return -1;
    if (at < 0 || at >= 4) {
        return -2; /* LEAK */
    }
    words[at] = w;
    mtx_unlock(&bus);
    return 0;
}

static int writer(void *arg)
{
    int rc = 0;

    for (int i = 0; i < 6; i++)
        rc |= bus_write(i, *(int *)arg);
    return rc;
}

int main(void)
{
    thrd_t a, b;
    int one = 1, two = 2;

    mtx_init(&bus, mtx_timed);
    thrd_create(&a, writer, &one);
    thrd_create(&b, writer, &two);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    return 0;
}
