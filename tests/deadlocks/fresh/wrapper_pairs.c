#include <pthread.h>
#include <stdlib.h>

/* The locks are taken by functions of the record's own. */
typedef struct account { pthread_mutex_t mu; long cents; int no; } account;
static void account_hold(account *a) { pthread_mutex_lock(&a->mu); }
static void account_drop(account *a) { pthread_mutex_unlock(&a->mu); }
static account *book[50];

static int pay(int from, int to, long cents)
{
    account *payer = book[from], *payee = book[to];
    int paid = 0;
    account_hold(payer);
    account_hold(payee); /* DEADLOCK */
    if (payer->cents >= cents) {
        payer->cents -= cents;
        payee->cents += cents;
        paid = 1;
    }
    account_drop(payee);
    account_drop(payer);
    return paid;
}

static void *clerk(void *arg)
{
    unsigned seed = 7;
    for (int i = 0; i < 100; i++)
        pay(rand_r(&seed) % 50, rand_r(&seed) % 50, i);
    return arg;
}

static void setup(void)
{
    for (int i = 0; i < 50; i++) {
        book[i] = calloc(1, sizeof(account));
        pthread_mutex_init(&book[i]->mu, NULL);
        book[i]->no = i;
    }
}

int main(void)
{
    pthread_t a, b;
    setup();
    pthread_create(&a, NULL, clerk, NULL);
    pthread_create(&b, NULL, clerk, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
