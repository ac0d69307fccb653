// What a library function fills is no longer what it was before: the ways that hang on it are not dead, and a lock that
// they keep is kept. The function may block, be known for what it writes, or be given an array or somebody's scalar.
#include <netdb.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int by_blocking(void) {
    struct addrinfo *list = NULL;
    pthread_mutex_lock(&lock);
    getaddrinfo("localhost", "80", NULL, &list);
    if (list)
        return -1; // LEAK
    pthread_mutex_unlock(&lock);
    return 0;
}

int by_copying(const char *from) {
    int count = 0;
    pthread_mutex_lock(&lock);
    memcpy(&count, from, sizeof count);
    if (count)
        return -1; // LEAK
    pthread_mutex_unlock(&lock);
    return 0;
}

int by_reading(const char *from) {
    int count = 0;
    pthread_mutex_lock(&lock);
    sscanf(from, "%d", &count);
    if (count)
        return -1; // LEAK
    pthread_mutex_unlock(&lock);
    return 0;
}

int an_array(int socket) {
    int answer[2];
    answer[0] = 0;
    pthread_mutex_lock(&lock);
    recv(socket, answer, sizeof answer, 0);
    if (answer[0])
        return -1; // LEAK
    pthread_mutex_unlock(&lock);
    return 0;
}

int somebodys_scalar(int socket, int *answer) {
    *answer = 0;
    pthread_mutex_lock(&lock);
    recv(socket, answer, sizeof *answer, 0);
    if (*answer)
        return -1; // LEAK
    pthread_mutex_unlock(&lock);
    return 0;
}
