#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#define POOL_OBJS 128
#define OBJ_SIZE  48

union slot {
    union slot   *next_free;
    unsigned char bytes[OBJ_SIZE];
};

static union slot      pool_mem[POOL_OBJS];
static union slot     *pool_free;
static int             pool_used;
static pthread_mutex_t pool_mutex = PTHREAD_MUTEX_INITIALIZER;

static void pool_setup(void)
{
    for (int i = 0; i < POOL_OBJS - 1; i++)
        pool_mem[i].next_free = &pool_mem[i + 1];
    pool_free = &pool_mem[0];
}

void *pool_alloc(void)
{
    union slot *s;

    if (pool_free == NULL) // RACE!
        return NULL;
    pthread_mutex_lock(&pool_mutex);
    s = pool_free;
    if (s != NULL) {
        pool_free = s->next_free;
        pool_used++;
    }
    pthread_mutex_unlock(&pool_mutex);
    return s;
}

void pool_release(void *p)
{
    union slot *s = p;

    pthread_mutex_lock(&pool_mutex);
    s->next_free = pool_free;
    pool_free = s;
    pool_used--;
    pthread_mutex_unlock(&pool_mutex);
}

static void *churn(void *arg)
{
    void *held[8];
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < 8; i++) {
            held[i] = pool_alloc();
            if (held[i])
                ((unsigned char *)held[i])[20] = (unsigned char)round; // TODO NORACE: what is taken off a list of free objects is not known to be alone
        }
        for (int i = 0; i < 8; i++)
            if (held[i])
                pool_release(held[i]);
    }
    return arg;
}

int main(void)
{
    pthread_t t[4];
    pool_setup();
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, churn, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    assert(pool_used == 0);
    return 0;
}
