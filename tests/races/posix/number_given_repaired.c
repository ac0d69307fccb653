// Each thread is given a number, and hands the element of that number on. main() works as one of them.
#include <pthread.h>
#include <stdlib.h>

struct lane {
    int cars;
    int jams;
};
struct street {
    size_t count;
    struct place {
        struct lane lane;
    } *places;
};
static struct street street;

static void drive(struct lane *lane) {
    lane->cars++; // NORACE
}

static void *run(void *number) {
    size_t me = (size_t)number;
    for (;;)
        drive(&street.places[me].lane);
    return NULL;
}

int main(void) {
    pthread_t thread;
    street.count = 4;
    street.places = calloc(street.count, sizeof *street.places);
    for (size_t i = 1; i < street.count; i++)
        pthread_create(&thread, NULL, run, (void *)i);
    run((void *)0);
    return 0;
}
