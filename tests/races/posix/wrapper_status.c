// Locks behind a program's own names and types, which return a status that nobody, or only a log, looks at.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct own_mutex { pthread_mutex_t mutex; int owner; } own_mutex_t;
typedef pthread_mutex_t plain_mutex_t;

int own_lock(own_mutex_t *m) {
    int code = pthread_mutex_lock(&m->mutex);
    if (code)
        return -1;
    return 0;
}
int own_unlock(own_mutex_t *m) {
    int code = pthread_mutex_unlock(&m->mutex);
    if (code)
        return -1;
    return 0;
}
int plain_lock(plain_mutex_t *m) { return pthread_mutex_lock(m); }
int plain_unlock(plain_mutex_t *m) { return pthread_mutex_unlock(m); }

#define CHECKED(call) do { int failed; if ((failed = (call)) != 0) printf("%d: %s", __LINE__, strerror(failed)); } while (0)
#define CHECKED_LOCK(lock) CHECKED(pthread_mutex_lock(lock))
#define CHECKED_UNLOCK(lock) CHECKED(pthread_mutex_unlock(lock))

void logged_lock(pthread_mutex_t *m) {
    int code = pthread_mutex_lock(m);
    if (code)
        printf("cannot lock: %d", code);
}

struct slot { plain_mutex_t mutex; int used; };

static own_mutex_t first;
static plain_mutex_t second;
static pthread_mutex_t third, fourth;
static int by_own, by_plain, by_macro, by_logged, by_nobody;
static struct slot *slots;

static struct slot *slot_get(int i) {
    struct slot *slot = &slots[i];
    plain_lock(&slot->mutex);
    if (slot->used < 0) {
        plain_unlock(&slot->mutex);
        return NULL;
    }
    slot->used++; // NORACE
    return slot;
}

static void *work(void *unused) {
    (void)unused;
    own_lock(&first);
    by_own++; // NORACE
    own_unlock(&first);
    plain_lock(&second);
    by_plain++; // NORACE
    plain_unlock(&second);
    by_nobody++; // RACE!
    CHECKED_LOCK(&third);
    by_macro++; // NORACE
    CHECKED_UNLOCK(&third);
    logged_lock(&fourth);
    by_logged++; // NORACE
    pthread_mutex_unlock(&fourth);
    struct slot *slot = slot_get(3);
    if (!slot)
        return NULL;
    slot->used--; // NORACE
    plain_unlock(&slot->mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    slots = calloc(10, sizeof *slots);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
