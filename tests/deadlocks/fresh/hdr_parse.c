#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum hdr_err { HDR_OK, HDR_EMPTY, HDR_NOCOLON, HDR_FULL };

typedef struct {
    char name[16];
    char value[48];
} header;

static header           store[8];
static int              nstore;
static pthread_mutex_t  store_mx = PTHREAD_MUTEX_INITIALIZER;

static const char *skip_ws(const char *p)
{
    while (isspace((unsigned char)*p)) p++;
    return p;
}

static enum hdr_err header_add(const char *line)
{
    const char *p = skip_ws(line), *colon;
    size_t n;

    if (!*p)
        return HDR_EMPTY;

    pthread_mutex_lock(&store_mx);
    if (nstore == 8) {
        pthread_mutex_unlock(&store_mx);
        return HDR_FULL;
    }
    colon = strchr(p, ':');
    if (colon == NULL)
        return HDR_NOCOLON; // LEAK!
    n = (size_t)(colon - p);
    if (n >= sizeof store[0].name)
        n = sizeof store[0].name - 1;
    memcpy(store[nstore].name, p, n);
    store[nstore].name[n] = '\0';
    snprintf(store[nstore].value, sizeof store[0].value, "%s", skip_ws(colon + 1));
    nstore++;
    pthread_mutex_unlock(&store_mx);
    return HDR_OK;
}

static void *client(void *arg)
{
    header_add("  ");
    header_add("Host: example.org");
    header_add("Accept: */*");
    if (arg)
        header_add(arg);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t a, b;

    pthread_create(&a, NULL, client, argc > 1 ? argv[1] : NULL);
    pthread_create(&b, NULL, client, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    for (int i = 0; i < nstore; i++)
        printf("%s = %s\n", store[i].name, store[i].value);
    return 0;
}
