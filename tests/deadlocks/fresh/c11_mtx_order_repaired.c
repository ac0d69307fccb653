#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

struct store {
    mtx_t mtx;
    int items;
};

static struct store *shop, *depot;

static int restock(void *arg)
{
    (void)arg;
    for (int i = 0; i < 60; i++) {
        mtx_lock(&shop->mtx);
        if (shop->items == 0) {
            mtx_lock(&depot->mtx);
            shop->items += depot->items;
            depot->items = 0;
            mtx_unlock(&depot->mtx);
        }
        mtx_unlock(&shop->mtx);
    }
    return 0;
}

static int inventory(void *arg)
{
    int *sum = arg;

    for (int i = 0; i < 60; i++) {
        mtx_lock(&depot->mtx);
        *sum += depot->items;
        mtx_unlock(&depot->mtx);
        mtx_lock(&shop->mtx);
        *sum += shop->items;
        mtx_unlock(&shop->mtx);
    }
    return 0;
}

static struct store *store_new(int items)
{
    struct store *s = malloc(sizeof *s);

    if (!s || mtx_init(&s->mtx, mtx_plain) != thrd_success)
        abort();
    s->items = items;
    return s;
}

int main(void)
{
    thrd_t a, b;
    int sum = 0;

    shop = store_new(0);
    depot = store_new(10);
    thrd_create(&a, restock, NULL);
    thrd_create(&b, inventory, &sum);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    printf("%d\n", sum);
    return 0;
}
