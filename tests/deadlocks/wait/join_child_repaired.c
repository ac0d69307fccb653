// A sorter joins the sorters that it has started: others, although they run the same.
#include <pthread.h>

struct part { int *first; int count; };
static void *sort_thread(void *given);

static void sort(struct part *part) {
    struct part left = {part->first, part->count / 2}, right = {part->first + part->count / 2, part->count / 2};
    pthread_t thread;
    if (part->count < 2)
        return;
    if (pthread_create(&thread, 0, sort_thread, &left))
        return;
    sort(&right);
    pthread_join(thread, 0); // NODEADLOCK
}

static void *sort_thread(void *given) {
    sort(given);
    return 0;
}

int main(void) {
    int numbers[64] = {0};
    struct part all = {numbers, 64};
    sort(&all);
    return 0;
}
