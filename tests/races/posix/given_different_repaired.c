// Two threads of one function, each given something of its own; what both do in a helper is shared.
#include <pthread.h>
static int n;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void bump(int by)
{
    pthread_mutex_lock(&lock);
    n += by; /* NORACE */
    pthread_mutex_unlock(&lock);
}
static void *user(void *arg)
{
    int *who = arg;
    for (int i = 0; i < 200; i++)
        bump(*who);
    return 0;
}
int main(void)
{
    pthread_t a, b;
    int one = 1, two = 2;
    pthread_create(&a, 0, user, &one);
    pthread_create(&b, 0, user, &two);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return n;
}
