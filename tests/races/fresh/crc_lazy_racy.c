// Lazily built CRC table, shared by all checksum users.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef uint32_t crc_tab[256];

static uint32_t *tab;
static pthread_mutex_t tab_mx = PTHREAD_MUTEX_INITIALIZER;

static uint32_t *build(void)
{
    uint32_t *t = malloc(sizeof(crc_tab));
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
            c = (c & 1) ? 0xEDB88320u ^ (c >> 1) : c >> 1;
        t[i] = c;
    }
    return t;
}

static const uint32_t *get_tab(void)
{
    uint32_t *t = tab; // RACE!
    if (t == NULL) {
        pthread_mutex_lock(&tab_mx);
        t = tab;
        if (t == NULL) {
            t = build();
            tab = t;
        }
        pthread_mutex_unlock(&tab_mx);
    }
    return t;
}

static uint32_t crc(const unsigned char *p, size_t n)
{
    const uint32_t *t = get_tab();
    uint32_t c = ~0u;
    while (n--)
        c = t[(c ^ *p++) & 0xff] ^ (c >> 8);
    return ~c;
}

static void *checker(void *arg)
{
    unsigned char blk[512];
    uint32_t x = 0;
    for (size_t i = 0; i < sizeof blk; i++)
        blk[i] = (unsigned char)(i * (size_t)arg);
    for (int i = 0; i < 20; i++)
        x ^= crc(blk, sizeof blk - i);
    printf("%08x\n", x);
    return NULL;
}

int main(void)
{
    pthread_t t[4];
    for (size_t i = 0; i < 4; i++)
        pthread_create(t + i, NULL, checker, (void *)(i + 3));
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    free(tab);
    return 0;
}
