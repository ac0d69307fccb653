#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct section { char name[16]; int keys; };

static pthread_mutex_t ini_lock = PTHREAD_MUTEX_INITIALIZER;
static struct section sections[8];
static int nsections;

static int parse(const char *text)
{
    int lines = 0;

    pthread_mutex_lock(&ini_lock);
    while (*text) {
        const char *end = strchr(text, '\n');

        if (!end)
            goto bad;
        lines++;
        if (*text == '[') {
            if (nsections == 8)
                goto bad;
            nsections++;
        } else if (nsections > 0) {
            sections[nsections - 1].keys++;
        }
        text = end + 1;
    }
    pthread_mutex_unlock(&ini_lock);
    return lines;
bad:
    pthread_mutex_unlock(&ini_lock);
    return -1;
}

static void *reader(void *arg)
{
    for (int i = 0; i < 4; i++)
        parse(arg);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, reader, "[x]\nk=v\n");
    pthread_create(&b, NULL, reader, "[y]\nbroken");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
