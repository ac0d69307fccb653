#include <pthread.h>
#include <stdlib.h>

/* os.h of a portability layer: handles are void pointers */
typedef void *os_mutex_t;
typedef void *os_thread_t;

os_mutex_t os_mutex_create(void)
{
    pthread_mutex_t *m = malloc(sizeof *m);
    if (m)
        pthread_mutex_init(m, NULL);
    return m;
}

void os_mutex_lock(os_mutex_t h)
{
    pthread_mutex_lock((pthread_mutex_t *)h);
}

void os_mutex_unlock(os_mutex_t h)
{
    pthread_mutex_unlock((pthread_mutex_t *)h);
}

os_thread_t os_thread_start(void *(*fn)(void *), void *arg)
{
    pthread_t *t = malloc(sizeof *t);
    pthread_create(t, NULL, fn, arg);
    return t;
}

void os_thread_wait(os_thread_t h)
{
    pthread_join(*(pthread_t *)h, NULL);
    free(h);
}

static os_mutex_t audio_lock, video_lock;
static int audio_pts, video_pts;

static void *audio_main(void *arg)
{
    for (int i = 0; i < 40; i++) {
        os_mutex_lock(audio_lock);
        audio_pts++;
        os_mutex_lock(video_lock);
        if (video_pts < audio_pts)
            video_pts = audio_pts;
        os_mutex_unlock(video_lock);
        os_mutex_unlock(audio_lock);
    }
    return arg;
}

static void *video_main(void *arg)
{
    for (int i = 0; i < 40; i++) {
        os_mutex_lock(audio_lock);
        os_mutex_lock(video_lock);
        video_pts++;
        if (audio_pts < video_pts)
            audio_pts = video_pts;
        os_mutex_unlock(video_lock);
        os_mutex_unlock(audio_lock);
    }
    return arg;
}

int main(void)
{
    audio_lock = os_mutex_create();
    video_lock = os_mutex_create();
    os_thread_t a = os_thread_start(audio_main, NULL);
    os_thread_t v = os_thread_start(video_main, NULL);
    os_thread_wait(a);
    os_thread_wait(v);
    return 0;
}
