#include <pthread.h>
#include <stdio.h>

#define GUARD_DECL(name)   static pthread_mutex_t name##_mtx = PTHREAD_MUTEX_INITIALIZER
#define GUARD(name)        for (int _once = (pthread_mutex_lock(&name##_mtx), 1); _once; \
                                _once = (pthread_mutex_unlock(&name##_mtx), 0))
#define SYNCHRONIZED(name, stmt) do {                   \
        pthread_mutex_lock(&name##_mtx);                \
        stmt;                                           \
        pthread_mutex_unlock(&name##_mtx);              \
    } while (0)

GUARD_DECL(inventory);
static int apples, pears;

static void deliver(int a, int p)
{
    GUARD(inventory) {
        apples += a; // NORACE
        pears += p; // NORACE
    }
}

static int sell_apple(void)
{
    int ok = 0;
    GUARD(inventory) {
        if (apples > 0) {
            apples--;
            ok = 1;
        }
    }
    return ok;
}

static int sell_pear(void)
{
    int ok = 0;
    SYNCHRONIZED(inventory, if (pears > 0) { pears--; ok = 1; }); // NORACE
    return ok;
}

static int stock(void)
{
    int n;
    SYNCHRONIZED(inventory, n = apples + pears);
    return n;
}

static void *shop(void *arg)
{
    int sold = 0;
    for (int i = 0; i < 200; i++) {
        deliver(1, 1);
        sold += sell_apple();
        sold += sell_pear();
    }
    printf("%d sold, %d left\n", sold, stock());
    return arg;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, shop, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
