#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct lot { pthread_mutex_t m; int price, bids; };
struct bidder { pthread_mutex_t m; int cash; struct lot *watching; };

static struct lot *lot_new(int price)
{
    struct lot *l = malloc(sizeof *l);
    pthread_mutex_init(&l->m, NULL);
    l->price = price;
    l->bids = 0;
    return l;
}

static int charge(struct bidder *b, int n)
{
    int ok;
    pthread_mutex_lock(&b->m);
    ok = b->cash >= n;
    if (ok)
        b->cash -= n;
    pthread_mutex_unlock(&b->m);
    return ok;
}

static void lot_hammer(struct lot *l, struct bidder *winner)
{
    int price;
    pthread_mutex_lock(&l->m);
    price = l->price;
    l->bids = 0;
    pthread_mutex_unlock(&l->m);
    charge(winner, price);
}

static void bidder_raise(struct bidder *b)
{
    pthread_mutex_lock(&b->m);
    if (b->cash > 10) {
        pthread_mutex_lock(&b->watching->m);
        b->watching->price += 10;
        b->watching->bids++;
        pthread_mutex_unlock(&b->watching->m);
    }
    pthread_mutex_unlock(&b->m);
}

static void *bidding(void *arg)
{
    for (int i = 0; i < 50; i++)
        bidder_raise(arg);
    return NULL;
}

int main(void)
{
    struct bidder *b = calloc(1, sizeof *b);
    pthread_t t;

    pthread_mutex_init(&b->m, NULL);
    b->cash = 1000;
    b->watching = lot_new(5);
    pthread_create(&t, NULL, bidding, b);
    for (int i = 0; i < 20; i++)
        lot_hammer(b->watching, b);
    pthread_join(t, NULL);
    return 0;
}
