#include <pthread.h>
#include <stdio.h>

enum cmd { CMD_GET, CMD_SET, CMD_DEL, CMD_STAT, CMD_BAD };

static pthread_mutex_t kv_lock = PTHREAD_MUTEX_INITIALIZER;
static int kv[8], present[8];

static int execute(enum cmd c, unsigned key, int *val)
{
    int rc = 0;

    pthread_mutex_lock(&kv_lock);
    switch (c) {
    case CMD_GET:
        if (!present[key & 7]) {
            rc = -1;
            break;
        }
        *val = kv[key & 7];
        break;
    case CMD_SET:
        kv[key & 7] = *val;
        present[key & 7] = 1;
        break;
    case CMD_DEL:
        present[key & 7] = 0;
        /* fall through */
    case CMD_STAT:
        *val = 0;
        for (int i = 0; i < 8; i++)
            *val += present[i];
        break;
    default:
        rc = -2;
        break;
    }
    pthread_mutex_unlock(&kv_lock);
    return rc;
}

static void *client(void *arg)
{
    int v = 3;

    for (int c = CMD_GET; c <= CMD_BAD; c++)
        execute((enum cmd)c, 5, &v);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, client, NULL);
    pthread_create(&b, NULL, client, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
