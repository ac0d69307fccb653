#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct stack {
    pthread_mutex_t guard;
    int *items;
    int top, cap;
} stack_t_;

static stack_t_ *stack_make(int cap)
{
    stack_t_ *s = malloc(sizeof *s);

    pthread_mutex_init(&s->guard, NULL);
    s->items = calloc((size_t)cap, sizeof(int));
    s->top = 0;
    s->cap = cap;
    return s;
}

static stack_t_ *undo, *redo;

static int move_top(void)
{
    pthread_mutex_lock(&undo->guard);
    pthread_mutex_lock(&redo->guard);
    if (undo->top == 0 || redo->top == redo->cap) {
        pthread_mutex_unlock(&redo->guard);
        pthread_mutex_unlock(&undo->guard);
        return -1;
    }
    redo->items[redo->top++] = undo->items[--undo->top];
    pthread_mutex_unlock(&redo->guard);
    pthread_mutex_unlock(&undo->guard);
    return 0;
}

static void push(int v)
{
    pthread_mutex_lock(&undo->guard);
    if (undo->top < undo->cap)
        undo->items[undo->top++] = v;
    pthread_mutex_unlock(&undo->guard);
}

static void *editor(void *arg)
{
    for (int i = 0; i < 10; i++) {
        push(i);
        move_top();
        move_top();
    }
    return arg;
}

int main(void)
{
    pthread_t e, f;

    undo = stack_make(8);
    redo = stack_make(8);
    pthread_create(&e, NULL, editor, NULL);
    pthread_create(&f, NULL, editor, NULL);
    pthread_join(e, NULL);
    pthread_join(f, NULL);
    return 0;
}
