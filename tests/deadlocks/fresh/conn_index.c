#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Connection table kept dense: removal moves the last entry into the hole. */
enum { MAXC = 32 };

typedef struct { int fd; unsigned rx; int open; } conn_t;

static conn_t          tab[MAXC];
static int             ntab;
static pthread_mutex_t tab_mu = PTHREAD_MUTEX_INITIALIZER;

static int index_of(int fd)             /* tab_mu held */
{
    for (int i = 0; i < ntab; i++)
        if (tab[i].fd == fd)
            return i;
    return -1;
}

static void conn_add(int fd)
{
    pthread_mutex_lock(&tab_mu);
    if (ntab < MAXC)
        tab[ntab++] = (conn_t){ .fd = fd, .open = 1 };
    pthread_mutex_unlock(&tab_mu);
}

static void conn_drop(int fd)
{
    pthread_mutex_lock(&tab_mu);
    int i = index_of(fd);
    if (i >= 0)
        tab[i] = tab[--ntab];
    pthread_mutex_unlock(&tab_mu);
}

static unsigned fake_recv(int fd)
{
    usleep(30);
    return (unsigned)fd * 3u;
}

static int conn_pump(int fd)
{
    pthread_mutex_lock(&tab_mu);
    int i = index_of(fd);
    pthread_mutex_unlock(&tab_mu);
    if (i < 0)
        return -1;

    unsigned n = fake_recv(fd);

    pthread_mutex_lock(&tab_mu);
    tab[i].rx += n; // TODO STALE-COPY: an index found under the lock
    pthread_mutex_unlock(&tab_mu);
    return 0;
}

static void *closer(void *arg)
{
    for (int fd = 3; fd < 20; fd += 2) {
        conn_drop(fd);
        usleep(80);
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    unsigned sum = 0;
    for (int fd = 3; fd < 25; fd++)
        conn_add(fd);
    pthread_create(&t, NULL, closer, NULL);
    for (int r = 0; r < 2; r++)
        for (int fd = 3; fd < 25; fd++)
            conn_pump(fd);
    pthread_join(t, NULL);
    for (int i = 0; i < ntab; i++)
        sum += tab[i].rx;
    printf("%d connections, %u bytes\n", ntab, sum);
    return 0;
}
