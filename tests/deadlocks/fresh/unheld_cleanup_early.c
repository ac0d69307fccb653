#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct table {
    pthread_mutex_t lock;
    char *rows[10];
    int n;
};

static struct table table = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int table_add(struct table *t, const char *text)
{
    int rc = 0;
    char *copy = NULL;

    if (!text || !*text) {
        rc = -EINVAL;
        goto out;
    }
    copy = strdup(text);
    if (!copy) {
        rc = -ENOMEM;
        goto out;
    }
    pthread_mutex_lock(&t->lock);
    if (t->n == 10) {
        rc = -ENOSPC;
        goto out;
    }
    t->rows[t->n++] = copy;
    copy = NULL;
out:
    pthread_mutex_unlock(&t->lock); /* UNHELD */
    free(copy);
    return rc;
}

static void *adder(void *arg)
{
    const char *words[] = { "a", "", "b", NULL, "c" };

    for (int i = 0; i < 20; i++)
        table_add(&table, words[i % 5]);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, adder, NULL);
    pthread_create(&b, NULL, adder, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
