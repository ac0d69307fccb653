#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct engine {
    pthread_mutex_t undo_mx, redo_mx;
    int undo[16], redo[16];
    int nu, nr;
};

enum op { OP_DO, OP_UNDO, OP_REDO };

static struct engine eng;

static void do_op(struct engine *e, int v)
{
    pthread_mutex_lock(&e->undo_mx);
    if (e->nu < 16)
        e->undo[e->nu++] = v;
    pthread_mutex_unlock(&e->undo_mx);
}

static void apply(struct engine *e, enum op op, int v)
{
    switch (op) {
    case OP_DO:
        do_op(e, v);
        break;
    case OP_UNDO:
        pthread_mutex_lock(&e->undo_mx);
        if (e->nu) {
            v = e->undo[--e->nu];
            pthread_mutex_lock(&e->redo_mx); /* DEADLOCK */
            if (e->nr < 16)
                e->redo[e->nr++] = v;
            pthread_mutex_unlock(&e->redo_mx);
        }
        pthread_mutex_unlock(&e->undo_mx);
        break;
    case OP_REDO:
        pthread_mutex_lock(&e->redo_mx);
        if (e->nr) {
            v = e->redo[--e->nr];
            pthread_mutex_lock(&e->undo_mx); /* DEADLOCK */
            if (e->nu < 16)
                e->undo[e->nu++] = v;
            pthread_mutex_unlock(&e->undo_mx);
        }
        pthread_mutex_unlock(&e->redo_mx);
        break;
    }
}

static void *user(void *arg)
{
    unsigned seed = *(unsigned *)arg;

    for (int i = 0; i < 200; i++) {
        seed = seed * 1103515245 + 12345;
        apply(&eng, (enum op)((seed >> 16) % 3), i);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    unsigned s1 = 1, s2 = 2;

    pthread_mutex_init(&eng.undo_mx, NULL);
    pthread_mutex_init(&eng.redo_mx, NULL);
    pthread_create(&a, NULL, user, &s1);
    pthread_create(&b, NULL, user, &s2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
