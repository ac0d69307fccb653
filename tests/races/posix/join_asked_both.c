/* A join that is asked for first, and something else besides: not every way around it is one without the thread. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t horn, watch;
static int blows, loud, over;
static long blasts, rounds;

static void *horn_work(void *unused) {
    pthread_mutex_lock(&lock);
    blasts++; /* RACE */
    pthread_mutex_unlock(&lock);
    return unused;
}

static void horn_start(void) {
    int failed = pthread_create(&horn, NULL, horn_work, NULL);
    if (!failed)
        blows++;
}

static void horn_end(void) {
    if (blows && loud)
        pthread_join(horn, NULL);
}

static void *watch_work(void *unused) {
    pthread_mutex_lock(&lock);
    rounds++; /* RACE */
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(int count, char **words) {
    loud = words[0] != NULL;
    if (count > 3)
        horn_start();
    horn_end();
    blasts += 2; /* RACE */
    if (pthread_create(&watch, NULL, watch_work, NULL))
        return 1;
    while (!over) { /* asks for no join: the thread runs on */
        rounds += 2; /* RACE */
        if (rounds > 9)
            over = 1;
    }
    pthread_join(watch, NULL);
    return 0;
}
