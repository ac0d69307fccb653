#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* word counter, map step in threads, reduce in main */
struct mapper {
    pthread_t   th;
    const char *text;
    int         words;
    int         longest;
};

static const char *docs[] = {
    "the quick brown fox jumps over the lazy dog",
    "a stitch in time saves nine",
    "never change a running system",
};
#define NDOC (sizeof docs / sizeof docs[0])

static void *map_words(void *arg)
{
    struct mapper *m = arg;
    int len = 0;

    for (const char *p = m->text; ; p++) {
        if (*p && *p != ' ') {
            len++;
            continue;
        }
        if (len) {
            m->words++;
            if (len > m->longest)
                m->longest = len;
        }
        len = 0;
        if (!*p)
            break;
    }
    return NULL;
}

static int reduce(const struct mapper *m, size_t n, int *longest)
{
    int total = 0;
    *longest = 0;
    for (size_t i = 0; i < n; i++) {
        total += m[i].words; // NORACE
        if (m[i].longest > *longest) // NORACE
            *longest = m[i].longest; // NORACE
    }
    return total;
}

int main(void)
{
    struct mapper *ms = calloc(NDOC, sizeof *ms);
    int longest, total;

    for (size_t i = 0; i < NDOC; i++) {
        ms[i].text = docs[i];
        pthread_create(&ms[i].th, NULL, map_words, &ms[i]);
    }
    for (size_t i = 0; i < NDOC; i++)
        pthread_join(ms[i].th, NULL);
    total = reduce(ms, NDOC, &longest);
    printf("%d words, longest %d\n", total, longest);
    free(ms);
    return 0;
}
