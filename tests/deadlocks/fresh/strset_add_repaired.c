#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* thread-safe string set; grows at 75% load */
typedef struct strset {
    pthread_mutex_t mu;
    char  **slot;
    size_t  cap, used;
} strset;

static strset *strset_new(void)
{
    strset *s = calloc(1, sizeof *s);
    pthread_mutex_init(&s->mu, NULL);
    s->cap = 8;
    s->slot = calloc(s->cap, sizeof *s->slot);
    return s;
}

static size_t strset_size(strset *s)
{
    pthread_mutex_lock(&s->mu);
    size_t n = s->used;
    pthread_mutex_unlock(&s->mu);
    return n;
}

static size_t find_slot(char **slot, size_t cap, const char *k)
{
    size_t h = 5381;
    for (const char *p = k; *p; p++)
        h = h * 33 ^ (unsigned char)*p;
    for (h %= cap; slot[h] && strcmp(slot[h], k); h = (h + 1) % cap)
        ;
    return h;
}

static void grow(strset *s)
{
    char **ns = calloc(s->cap * 2, sizeof *ns);
    for (size_t i = 0; i < s->cap; i++)
        if (s->slot[i])
            ns[find_slot(ns, s->cap * 2, s->slot[i])] = s->slot[i];
    free(s->slot);
    s->slot = ns;
    s->cap *= 2;
    fprintf(stderr, "grown to %zu for %zu keys\n", s->cap, s->used);
}

static void strset_add(strset *s, const char *k)
{
    pthread_mutex_lock(&s->mu);
    size_t h = find_slot(s->slot, s->cap, k);
    if (!s->slot[h]) {
        s->slot[h] = strdup(k);
        s->used++;
        if (s->used * 4 > s->cap * 3)
            grow(s);
    }
    pthread_mutex_unlock(&s->mu);
}

static strset *set;
static int limit = 5;

static void *adder(void *arg)
{
    char key[32];
    for (int i = 0; i < limit; i++) {
        snprintf(key, sizeof key, "%s-%d", "host", i);
        strset_add(set, key);
    }
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t a, b;
    if (argc > 1)
        limit = 100;
    set = strset_new();
    pthread_create(&a, NULL, adder, NULL);
    pthread_create(&b, NULL, adder, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%zu keys\n", strset_size(set));
    return 0;
}
