#include <pthread.h>
#include <stdio.h>

#define N 5

static void *hello(void *arg)
{
    int number = *(int *)arg; // NORACE
    printf("I am %d\n", number);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    int number[N];
    for (int i = 0; i < N; i++) {
        number[i] = i;
        pthread_create(&t[i], NULL, hello, &number[i]);
    }
    for (int k = 0; k < N; k++)
        pthread_join(t[k], NULL);
    return 0;
}
