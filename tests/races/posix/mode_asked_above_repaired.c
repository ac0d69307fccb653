// racerx-verdict: shown
// One reader for two modes: helpers read while the main thread waits for them; what was read is run by the main thread
// alone, later. The reader has to ask which of the two it is in, as the helper did before it called.
#include <pthread.h>
#include <stdio.h>

enum mode { IDLE, READING, WRITING };

struct peer {
    int length, closing, waiting;
    char text[64];
};

static enum mode mode = READING;
static int commands;

static void run_command(struct peer *peer) {
    commands++; // NORACE
    peer->length = 0;
}

static void take_input(struct peer *peer) {
    while (peer->length > 0) {
        if (peer->closing)
            break;
        if (mode != IDLE) { // a helper: not here
            peer->waiting = 1;
            break;
        }
        run_command(peer);
    }
}

static void read_input(struct peer *peer) {
    peer->length = (int)fread(peer->text, 1, sizeof peer->text, stdin);
    if (peer->length < 0)
        return;
    take_input(peer);
}

static void write_output(struct peer *peer) { fwrite(peer->text, 1, (size_t)peer->length, stdout); }

static void *helper(void *argument) {
    struct peer peer = {.length = 8};
    (void)argument;
    for (int i = 0; i < 8; i++) {
        if (mode == WRITING)
            write_output(&peer);
        else if (mode == READING)
            read_input(&peer);
    }
    return NULL;
}

int main(void) {
    struct peer mine = {.length = 8};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, helper, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    mode = IDLE;
    take_input(&mine);
    printf("%d\n", commands);
    return 0;
}
