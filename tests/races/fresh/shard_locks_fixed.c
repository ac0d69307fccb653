#include <pthread.h>
#include <string.h>

#define SHARDS 8
#define SLOTS 64

static struct { char key[16]; long hits; } slot[SLOTS];
static pthread_mutex_t shard[SHARDS];

static unsigned long hash(const char *s)
{
    unsigned long h = 5381;
    while (*s)
        h = h * 33 ^ (unsigned char)*s++;
    return h;
}

static void hit(const char *key)
{
    unsigned long h = hash(key);
    unsigned at = h % SLOTS;
    unsigned which = h % SHARDS;

    pthread_mutex_lock(&shard[which]);
    if (strcmp(slot[at].key, key) == 0)
        slot[at].hits++; // NORACE
    pthread_mutex_unlock(&shard[which]);
}

static void *hitter(void *key)
{
    for (int i = 0; i < 1000; i++)
        hit(key);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    for (int i = 0; i < SHARDS; i++)
        pthread_mutex_init(&shard[i], NULL);
    strcpy(slot[hash("x") % SLOTS].key, "x");
    pthread_create(&a, NULL, hitter, "x");
    pthread_create(&b, NULL, hitter, "y");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
