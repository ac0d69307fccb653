/* Likewise two elements of an array: what is asked decides, here by a swap. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* A toy bank: money moves between accounts, each with its own lock. */
struct account {
    int id;
    long balance;
    pthread_mutex_t lock;
};

static struct account accounts[2];

static void account_init(struct account *a, int id, long balance)
{
    a->id = id;
    a->balance = balance;
    pthread_mutex_init(&a->lock, NULL);
}

static int transfer(struct account *from, struct account *to, long amount)
{
    int ok = 0;

    if (from > to) {
        struct account *x = from;
        from = to;
        to = x;
    }
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock); /* NODEADLOCK */
    if (from->balance >= amount) {
        from->balance -= amount;
        to->balance += amount;
        ok = 1;
    }
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
    return ok;
}

static void *forth(void *arg)
{
    (void)arg;
    for (int i = 0; i < 50; i++)
        transfer(&accounts[0], &accounts[1], 1);
    return NULL;
}

static void *back(void *arg)
{
    (void)arg;
    for (int i = 0; i < 50; i++)
        transfer(&accounts[1], &accounts[0], 1);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    account_init(&accounts[0], 0, 100);
    account_init(&accounts[1], 1, 100);
    pthread_create(&t1, NULL, forth, NULL);
    pthread_create(&t2, NULL, back, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%ld %ld\n", accounts[0].balance, accounts[1].balance);
    return 0;
}
