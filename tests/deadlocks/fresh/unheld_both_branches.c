#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t stock = PTHREAD_MUTEX_INITIALIZER;
static int apples = 5;

static int sell(int n)
{
    int sold = 0;

    pthread_mutex_lock(&stock);
    if (apples >= n) {
        apples -= n;
        sold = n;
        pthread_mutex_unlock(&stock);
    } else {
        sold = apples;
        apples = 0;
        pthread_mutex_unlock(&stock);
    }
    if (sold < n)
        printf("sold out\n");
    pthread_mutex_unlock(&stock); /* UNHELD */
    return sold;
}

static void *shop(void *arg)
{
    for (int i = 0; i < 10; i++)
        sell(2);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, shop, NULL);
    pthread_create(&b, NULL, shop, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
