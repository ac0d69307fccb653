#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t paint = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t layout = PTHREAD_MUTEX_INITIALIZER;
static int frames, passes, clicks;

static void paint_then_layout(void)
{
    pthread_mutex_lock(&paint);
    frames++;
    pthread_mutex_lock(&layout);
    passes++;
    pthread_mutex_unlock(&layout);
    pthread_mutex_unlock(&paint);
}

static void layout_then_paint(void)
{
    pthread_mutex_lock(&layout);
    passes++;
    pthread_mutex_lock(&paint);
    frames++;
    pthread_mutex_unlock(&paint);
    pthread_mutex_unlock(&layout);
}

static void *ui_loop(void *arg)
{
    for (int i = 0; i < 100; i++) {
        paint_then_layout();
        layout_then_paint();
    }
    return arg;
}

static void *input_loop(void *arg)
{
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&layout);
        clicks += passes;
        pthread_mutex_unlock(&layout);
    }
    return arg;
}

int main(void)
{
    pthread_t ui, in;

    pthread_create(&ui, NULL, ui_loop, NULL);
    pthread_create(&in, NULL, input_loop, NULL);
    pthread_join(ui, NULL);
    pthread_join(in, NULL);
    printf("%d %d %d\n", frames, passes, clicks);
    return 0;
}
