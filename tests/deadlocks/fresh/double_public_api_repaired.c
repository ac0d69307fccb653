#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct strtab {
    pthread_mutex_t lock;
    const char *s[32];
    int n;
};

static struct strtab tab = { .lock = PTHREAD_MUTEX_INITIALIZER };

int strtab_find(struct strtab *t, const char *s)
{
    int at = -1;

    pthread_mutex_lock(&t->lock);
    for (int i = 0; i < t->n; i++)
        if (!strcmp(t->s[i], s))
            at = i;
    pthread_mutex_unlock(&t->lock);
    return at;
}

static int find_unlocked(struct strtab *t, const char *s)
{
    for (int i = 0; i < t->n; i++)
        if (!strcmp(t->s[i], s))
            return i;
    return -1;
}

int strtab_intern(struct strtab *t, const char *s)
{
    int at;

    pthread_mutex_lock(&t->lock);
    at = find_unlocked(t, s);
    if (at < 0 && t->n < 32) {
        at = t->n++;
        t->s[at] = s;
    }
    pthread_mutex_unlock(&t->lock);
    return at;
}

static void *worker(void *arg)
{
    strtab_intern(&tab, arg);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, worker, "x");
    pthread_create(&b, NULL, worker, "y");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d\n", strtab_find(&tab, "x"));
    return 0;
}
