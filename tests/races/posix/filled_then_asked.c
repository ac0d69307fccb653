// racerx-verdict: shown
// What a library function fills is no longer what it was before: what hangs on it is come to.
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static int total, copied;

static void *worker(void *argument) {
    int got = 0, same = 0;
    (void)argument;
    while (total < 1000 && copied < 1000 && read(0, &got, sizeof got) > 0) {
        if (got != 0)
            total += got; // RACE!
        memcpy(&same, &got, sizeof same);
        if (same != 0)
            copied += same; // RACE!
        got = 0;
        same = 0;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return total + copied;
}
