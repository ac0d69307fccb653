// racerx-verdict: shown
/* A library calls back, in a thread of its own or of another's, only after it was given the callback: main sets up. */
#include <pthread.h>

void *decoder_new(void);
void decoder_run(void *decoder, void (*put)(int));
void link_run(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int volume, frames, peak;

static void put(int frame) {
    pthread_mutex_lock(&lock);
    volume = frame; /* NORACE */
    frames += frame * volume; /* NORACE */
    if (frames > peak)
        peak = frames; /* NORACE */
    pthread_mutex_unlock(&lock);
}

static void *receive(void *unused) {
    link_run();
    return unused;
}

static void play(void) {
    decoder_run(decoder_new(), put);
}

static void serve(int count) {
    for (int i = 0; i < count; i++)
        play();
}

int main(int count, char **words) {
    pthread_t thread;
    (void)words;
    pthread_create(&thread, NULL, receive, NULL);
    volume = 5; /* NORACE */
    frames = 0; /* NORACE */
    peak = 0;   /* NORACE */
    serve(count);
    pthread_join(thread, NULL);
    return 0;
}
