#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define MAX_USERS 8

struct user { char name[16]; int uid; };

static pthread_mutex_t users_lock = PTHREAD_MUTEX_INITIALIZER;
static struct user users[MAX_USERS];
static int nusers;

static int user_add(const char *name, int uid)
{
    if (strlen(name) >= sizeof users[0].name)
        return -EINVAL;
    pthread_mutex_lock(&users_lock);
    for (int i = 0; i < nusers; i++)
        if (users[i].uid == uid) {
            pthread_mutex_unlock(&users_lock);
            return -EEXIST;
        }
    if (nusers == MAX_USERS) {
        return -ENOSPC; /* LEAK */
    }
    strcpy(users[nusers].name, name);
    users[nusers++].uid = uid;
    pthread_mutex_unlock(&users_lock);
    return 0;
}

static void *adder(void *arg)
{
    int base = *(int *)arg;

    for (int i = 0; i < 6; i++)
        user_add("someone", base + i);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int one = 100, two = 200;

    pthread_create(&a, NULL, adder, &one);
    pthread_create(&b, NULL, adder, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d\n", nusers);
    return 0;
}
