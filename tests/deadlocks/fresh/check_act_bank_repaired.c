#include <pthread.h>
#include <stdio.h>

struct purse {
    pthread_mutex_t lock;
    long cash;
    long spent;
};

static struct purse purse = { .lock = PTHREAD_MUTEX_INITIALIZER, .cash = 100 };

static long purse_cash(struct purse *p)
{
    long c;

    pthread_mutex_lock(&p->lock);
    c = p->cash;
    pthread_mutex_unlock(&p->lock);
    return c;
}

static int purse_spend(struct purse *p, long n)
{
    pthread_mutex_lock(&p->lock);
    if (p->cash < n) {
        pthread_mutex_unlock(&p->lock);
        return -1;
    }
    p->cash -= n; /* NOSTALE-CHECK */
    p->spent += n;
    pthread_mutex_unlock(&p->lock);
    return 0;
}

static void *shopper(void *arg)
{
    for (int i = 0; i < 40; i++)
        purse_spend(arg, 5);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, shopper, &purse);
    pthread_create(&b, NULL, shopper, &purse);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%ld %ld\n", purse_cash(&purse), purse.spent);
    return 0;
}
