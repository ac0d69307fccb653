#include <pthread.h>
#include <stdlib.h>
#include <stdint.h>
#include <string.h>

#define NSTRIPES 16

struct entry {
    struct entry *next;
    char key[24];
    int value;
};

struct table {
    pthread_rwlock_t stripe[NSTRIPES];
    struct entry *bucket[NSTRIPES];
};

static struct table table;

static unsigned hash(const char *s)
{
    unsigned h = 5381;
    while (*s)
        h = h * 33 + (unsigned char)*s++;
    return h % NSTRIPES;
}

static struct entry *unlink_key(struct table *t, unsigned b, const char *key)
{
    for (struct entry **pp = &t->bucket[b]; *pp; pp = &(*pp)->next)
        if (!strcmp((*pp)->key, key)) {
            struct entry *e = *pp;
            *pp = e->next;
            return e;
        }
    return NULL;
}

static int table_rename(struct table *t, const char *from, const char *to)
{
    unsigned a = hash(from), b = hash(to);
    struct entry *e;

    pthread_rwlock_wrlock(&t->stripe[a]);
    if (a != b)
        pthread_rwlock_wrlock(&t->stripe[b]); /* DEADLOCK */
    e = unlink_key(t, a, from);
    if (e) {
        strncpy(e->key, to, sizeof e->key - 1);
        e->next = t->bucket[b];
        t->bucket[b] = e;
    }
    if (a != b)
        pthread_rwlock_unlock(&t->stripe[b]);
    pthread_rwlock_unlock(&t->stripe[a]);
    return e ? 0 : -1;
}

static void *ping(void *arg)
{
    (void)arg;
    for (int i = 0; i < 100; i++)
        table_rename(&table, "alpha", "beta");
    return NULL;
}

static void *pong(void *arg)
{
    (void)arg;
    for (int i = 0; i < 100; i++)
        table_rename(&table, "beta", "alpha");
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < NSTRIPES; i++)
        pthread_rwlock_init(&table.stripe[i], NULL);
    pthread_create(&t[0], NULL, ping, NULL);
    pthread_create(&t[1], NULL, pong, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
