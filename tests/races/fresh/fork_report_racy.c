#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int served;
static pthread_mutex_t served_lock = PTHREAD_MUTEX_INITIALIZER;

static void *serve(void *arg)
{
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&served_lock);
        served++;
        pthread_mutex_unlock(&served_lock);
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pid_t pid;

    pthread_create(&t, NULL, serve, NULL);
    pid = fork();
    if (pid == 0) {
        served = -1; // NORACE
        printf("child %d\n", served);
        _exit(0);
    }
    served += 1000; // RACE!
    waitpid(pid, NULL, 0);
    pthread_join(t, NULL);
    printf("%d\n", served);
    return 0;
}
