#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct member {
    pthread_t thread;
    const char *word;
    size_t letters;
};

struct team {
    struct member member[4];
    int size;
};

static size_t longest;
static pthread_mutex_t longest_lock = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *arg)
{
    struct member *m = arg;
    m->letters = strlen(m->word); // RACE!
    pthread_mutex_lock(&longest_lock);
    if (m->letters > longest)
        longest = m->letters; // RACE!
    pthread_mutex_unlock(&longest_lock);
    return NULL;
}

static void team_start(struct team *t, const char **words)
{
    for (int i = 0; i < t->size; i++) {
        t->member[i].word = words[i]; // NORACE
        pthread_create(&t->member[i].thread, NULL, count, &t->member[i]);
    }
}

static void team_wait(struct team *t)
{
    for (int i = 0; i < t->size; i++)
        pthread_join(t->member[i].thread, NULL);
}

static void team_print(const struct team *t)
{
    for (int i = 0; i < t->size; i++)
        printf("%s %zu\n", t->member[i].word, t->member[i].letters);
    printf("longest %zu\n", longest);
}

int main(void)
{
    static const char *words[] = { "oak", "sycamore", "elm", "birch" };
    static struct team trees = { .size = 4 };

    team_start(&trees, words);
    team_print(&trees);
    team_wait(&trees);
    return 0;
}
