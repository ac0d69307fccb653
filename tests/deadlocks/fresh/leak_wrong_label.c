#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct image {
    pthread_mutex_t lock;
    unsigned char *pixels;
    size_t size;
};

static int image_resize(struct image *img, size_t w, size_t h)
{
    unsigned char *p;
    int rc = -1;

    if (w == 0 || h == 0)
        goto out;
    pthread_mutex_lock(&img->lock);
    if (w * h == img->size) {
        rc = 0;
        goto unlock;
    }
    p = malloc(w * h);
    if (!p)
        goto out;
    free(img->pixels);
    img->pixels = p;
    img->size = w * h;
    rc = 0;
unlock:
    pthread_mutex_unlock(&img->lock);
out:
    return rc; /* LEAK */
}

static struct image canvas = { PTHREAD_MUTEX_INITIALIZER, NULL, 0 };

static void *zoom(void *arg)
{
    for (size_t i = 1; i < 60; i++)
        image_resize(&canvas, (size_t)1 << i, 4);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, zoom, NULL);
    pthread_create(&b, NULL, zoom, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(canvas.pixels);
    return 0;
}
