#include <pthread.h>
#include <string.h>
#include <stdio.h>

/* Two tables behind one interface; each knows how to lock itself. */
typedef struct table table_t;
struct table_if {
    void (*lock)(table_t *);
    void (*unlock)(table_t *);
};
struct table {
    const struct table_if *vt;
    pthread_mutex_t mu;
    int rows[8];
};

static void plain_lock(table_t *t) { pthread_mutex_lock(&t->mu); }
static void plain_unlock(table_t *t) { pthread_mutex_unlock(&t->mu); }
static const struct table_if plain = { plain_lock, plain_unlock };

static table_t chunks = { &plain, PTHREAD_MUTEX_INITIALIZER, { 0 } };
static pthread_mutex_t journal_mu = PTHREAD_MUTEX_INITIALIZER;
static int journal_len;

static void journal(int n)
{
    pthread_mutex_lock(&journal_mu); /* DEADLOCK */
    journal_len += n;
    pthread_mutex_unlock(&journal_mu);
}

static void put_chunk(table_t *t, int i)
{
    t->vt->lock(t);
    t->rows[i & 7]++;
    journal(1);
    t->vt->unlock(t);
}

static int replay(table_t *t)
{
    int n = 0;

    pthread_mutex_lock(&journal_mu);
    if (journal_len > 0) {
        pthread_mutex_lock(&t->mu); /* DEADLOCK */
        memset(t->rows, 0, sizeof t->rows);
        pthread_mutex_unlock(&t->mu);
        n = journal_len;
        journal_len = 0;
    }
    pthread_mutex_unlock(&journal_mu);
    return n;
}

static void *writer(void *arg)
{
    for (int i = 0; i < 100; i++)
        put_chunk(arg, i);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int n = 0;

    pthread_create(&t, NULL, writer, &chunks);
    for (int i = 0; i < 50; i++)
        n += replay(&chunks);
    pthread_join(t, NULL);
    printf("%d\n", n);
    return 0;
}
