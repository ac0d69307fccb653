#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Glyph cache: rasterising is slow, so it is done without the lock. */
typedef struct glyph {
    struct glyph *next;
    unsigned      code;
    unsigned char bits[16];
} glyph;

#define NB 32
static struct {
    pthread_mutex_t mu;
    glyph          *bucket[NB];
    int             count;
} gc = { .mu = PTHREAD_MUTEX_INITIALIZER };

static glyph *find_locked(unsigned code)
{
    glyph *g = gc.bucket[code % NB];
    while (g && g->code != code)
        g = g->next;
    return g;
}

static glyph *gc_find(unsigned code)
{
    pthread_mutex_lock(&gc.mu);
    glyph *g = find_locked(code);
    pthread_mutex_unlock(&gc.mu);
    return g;
}

static glyph *gc_insert(glyph *g)
{
    pthread_mutex_lock(&gc.mu);
    glyph *other = find_locked(g->code);
    if (!other) {
        g->next = gc.bucket[g->code % NB];
        gc.bucket[g->code % NB] = g;
        gc.count++;
    }
    pthread_mutex_unlock(&gc.mu);
    return other;
}

static glyph *rasterise(unsigned code)
{
    glyph *g = calloc(1, sizeof *g);
    g->code = code;
    for (int i = 0; i < 16; i++)
        g->bits[i] = (unsigned char)(code * 31u >> (i & 7));
    return g;
}

static const glyph *glyph_get(unsigned code)
{
    glyph *g = gc_find(code);
    if (!g) {
        g = rasterise(code);
        glyph *other = gc_insert(g);
        if (other) {
            free(g);
            g = other;
        }
    }
    return g;
}

static void *layout(void *arg)
{
    unsigned w = 0;
    for (const char *s = arg; *s; s++)
        w += glyph_get((unsigned char)*s)->bits[3];
    printf("width %u\n", w);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, layout, "the five boxing wizards jump quickly");
    pthread_create(&b, NULL, layout, "pack my box with five dozen liquor jugs");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d glyphs\n", gc.count);
    return 0;
}
