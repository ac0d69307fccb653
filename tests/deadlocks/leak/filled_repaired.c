// What a library function fills is no longer what it was before: here every way that hangs on it
// lets the lock go. The function may block, be known for what it writes, or be given an array or somebody's scalar.
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
    if (list) {
        pthread_mutex_unlock(&lock);
        return -1; // NOLEAK
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

int by_copying(const char *from) {
    int count = 0;
    pthread_mutex_lock(&lock);
    memcpy(&count, from, sizeof count);
    if (count) {
        pthread_mutex_unlock(&lock);
        return -1; // NOLEAK
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

int by_reading(const char *from) {
    int count = 0;
    pthread_mutex_lock(&lock);
    sscanf(from, "%d", &count);
    if (count) {
        pthread_mutex_unlock(&lock);
        return -1; // NOLEAK
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

int an_array(int socket) {
    int answer[2];
    answer[0] = 0;
    pthread_mutex_lock(&lock);
    recv(socket, answer, sizeof answer, 0);
    if (answer[0]) {
        pthread_mutex_unlock(&lock);
        return -1; // NOLEAK
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

int somebodys_scalar(int socket, int *answer) {
    *answer = 0;
    pthread_mutex_lock(&lock);
    recv(socket, answer, sizeof *answer, 0);
    if (*answer) {
        pthread_mutex_unlock(&lock);
        return -1; // NOLEAK
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

int what_is_only_read(int socket, int locks) {
    int taken = 0;
    if (locks) {
        pthread_mutex_lock(&lock);
        taken = 1;
    }
    send(socket, "x", 1, 0);
    if (taken)
        pthread_mutex_unlock(&lock);
    return 0; // NOLEAK
}
