#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct dict { int words; char *text; };

static pthread_mutex_t dict_lock = PTHREAD_MUTEX_INITIALIZER;
static struct dict *dict;

static struct dict *dict_load(void)
{
    struct dict *d = malloc(sizeof *d);

    if (d) {
        d->words = 3;
        d->text = "a b c";
    }
    return d;
}

static void dict_ensure(void)
{
    pthread_mutex_lock(&dict_lock);
    if (!dict) {
        dict = dict_load(); /* NOCHECK-THEN-ACT */
    }
    pthread_mutex_unlock(&dict_lock);
}

static int dict_words(void)
{
    int n;

    dict_ensure();
    pthread_mutex_lock(&dict_lock);
    n = dict ? dict->words : 0;
    pthread_mutex_unlock(&dict_lock);
    return n;
}

static void *reader(void *arg)
{
    *(int *)arg = dict_words();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int x, y;

    pthread_create(&a, NULL, reader, &x);
    pthread_create(&b, NULL, reader, &y);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return x - y;
}
