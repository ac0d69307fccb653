#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* scope guard via the cleanup attribute */
static inline pthread_mutex_t *guard_enter(pthread_mutex_t *m)
{
    pthread_mutex_lock(m);
    return m;
}
static inline void guard_leave(pthread_mutex_t **m)
{
    pthread_mutex_unlock(*m);
}
#define GUARD(m) \
    pthread_mutex_t *guard_ __attribute__((cleanup(guard_leave), unused)) = guard_enter(m)

typedef struct board {
    pthread_mutex_t mx;
    struct { char name[12]; int score; } top[5];
    int filled;
    int dirty;
} board;

static board hi = { .mx = PTHREAD_MUTEX_INITIALIZER };

static void board_submit(board *b, const char *name, int score)
{
    GUARD(&b->mx);
    int i = b->filled;
    if (i == 5) {
        i = 4;
        if (b->top[i].score >= score)
            return;
    } else {
        b->filled++;
    }
    for (; i > 0 && b->top[i - 1].score < score; i--)
        b->top[i] = b->top[i - 1];
    snprintf(b->top[i].name, sizeof b->top[i].name, "%s", name);
    b->top[i].score = score;
    b->dirty = 1;
}

static int board_best(board *b)
{
    int best = 0;
    GUARD(&b->mx);
    if (b->filled)
        best = b->top[0].score;
    b->dirty = 0; // NORACE
    return best;
}

static void *player(void *name)
{
    unsigned s = (unsigned)strlen(name);
    for (int i = 0; i < 300; i++) {
        s = s * 1103515245u + 12345u;
        board_submit(&hi, name, (int)(s >> 20));
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, player, "anna");
    pthread_create(&b, NULL, player, "bartek");
    for (int i = 0; i < 20; i++)
        printf("best %d\n", board_best(&hi));
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("winner %s\n", hi.top[0].name);
    return 0;
}
