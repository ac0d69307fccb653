#include <pthread.h>
#include <stdio.h>

/* One monitor inside another: the wait lets go of the inner lock only. */
struct slot {
    pthread_mutex_t m;
    pthread_cond_t c;
    int full;
    int v;
};

struct board {
    pthread_mutex_t m;
    struct slot slot;
    int reads, writes;
};

static struct board board = {
    .m = PTHREAD_MUTEX_INITIALIZER,
    .slot = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0 },
};

static int slot_take(struct slot *s)
{
    pthread_mutex_lock(&s->m);
    while (!s->full)
        pthread_cond_wait(&s->c, &s->m);
    s->full = 0;
    int v = s->v;
    pthread_mutex_unlock(&s->m);
    return v;
}

static void slot_give(struct slot *s, int v)
{
    pthread_mutex_lock(&s->m);
    s->v = v;
    s->full = 1;
    pthread_cond_signal(&s->c);
    pthread_mutex_unlock(&s->m);
}

static int board_read(struct board *b)
{
    int v = slot_take(&b->slot);
    pthread_mutex_lock(&b->m);
    b->reads++;
    pthread_mutex_unlock(&b->m);
    return v;
}

static void board_write(struct board *b, int v)
{
    pthread_mutex_lock(&b->m);
    b->writes++;
    slot_give(&b->slot, v);
    pthread_mutex_unlock(&b->m);
}

static void *reader(void *arg)
{
    printf("%d\n", board_read(arg));
    return NULL;
}

int main(void)
{
    pthread_t r;

    pthread_create(&r, NULL, reader, &board);
    board_write(&board, 7);
    pthread_join(r, NULL);
    return 0;
}
