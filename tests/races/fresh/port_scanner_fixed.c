#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define MAX_PORT   1024
#define NSCANNERS  8

static uint16_t next_port = 1;
static uint8_t  open_ports[MAX_PORT + 1];
static int      n_open;
static pthread_mutex_t port_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t result_lock = PTHREAD_MUTEX_INITIALIZER;

extern int probe(const char *host, int port);

static int take_port(void)
{
    int p;

    pthread_mutex_lock(&port_lock);
    p = next_port <= MAX_PORT ? next_port++ : -1;
    pthread_mutex_unlock(&port_lock);
    return p;
}

static void record_open(int port)
{
    pthread_mutex_lock(&result_lock);
    open_ports[port] = 1;
    n_open++; // NORACE
    pthread_mutex_unlock(&result_lock);
}

static void *scanner(void *arg)
{
    const char *host = arg;
    int port;

    while ((port = take_port()) != -1) {
        if (probe(host, port))
            record_open(port);
    }
    return NULL;
}

int main(void)
{
    pthread_t tid[NSCANNERS];
    int i;

    memset(open_ports, 0, sizeof(open_ports));
    for (i = 0; i < NSCANNERS; ++i) {
        if (pthread_create(&tid[i], NULL, scanner, "localhost") != 0) {
            perror("pthread_create");
            return 1;
        }
    }
    for (i = 0; i < NSCANNERS; ++i)
        pthread_join(tid[i], NULL);

    for (i = 1; i <= MAX_PORT; ++i)
        if (open_ports[i])
            printf("%d open\n", i);
    printf("%d in all\n", n_open);
    return 0;
}
