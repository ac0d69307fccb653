#include "os.h"

static os_mutex lock = OS_MUTEX;
static int safe, bare;

static void *worker(void *unused) {
    (void)unused;
    os_take(&lock);
    safe++; // NORACE
    os_give(&lock);
    bare++; // RACE!
    return 0;
}

int main(void) {
    os_thread threads[2];
    for (int i = 0; i < 2; i++)
        os_begin(&threads[i], 0, worker, 0);
    for (int i = 0; i < 2; i++)
        os_end(threads[i], 0);
    return safe + bare;
}
