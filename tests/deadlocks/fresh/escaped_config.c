#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct motd { size_t len; char text[64]; };

static pthread_mutex_t motd_mu = PTHREAD_MUTEX_INITIALIZER;
static struct motd *motd;

static size_t motd_length(void)
{
    struct motd *m;
    size_t n = 0;

    pthread_mutex_lock(&motd_mu);
    m = motd;
    pthread_mutex_unlock(&motd_mu);
    if (m)
        n = m->len; /* ESCAPED */
    return n;
}

static void motd_set(const char *text)
{
    struct motd *fresh = malloc(sizeof *fresh), *old;

    strncpy(fresh->text, text, 63);
    fresh->len = strlen(text);
    pthread_mutex_lock(&motd_mu);
    old = motd;
    motd = fresh;
    pthread_mutex_unlock(&motd_mu);
    free(old);
}

static void *greeter(void *arg)
{
    size_t sum = 0;

    for (int i = 0; i < 100; i++)
        sum += motd_length();
    return sum ? arg : NULL;
}

static void *admin(void *arg)
{
    for (int i = 0; i < 100; i++)
        motd_set("hello");
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, greeter, NULL);
    pthread_create(&b, NULL, admin, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
