#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define MAX_USERS 10

struct user {
    int  in_use;
    char nick[16];
    int  lines;
};

struct room {
    pthread_mutex_t  mtx;
    struct user      users[MAX_USERS];
    int              population;
};

static struct room lobby = { .mtx = PTHREAD_MUTEX_INITIALIZER };

static int room_enter(struct room *r, const char *nick)
{
    int i, slot = -1;

    pthread_mutex_lock(&r->mtx);
    for (i = 0; i < MAX_USERS; i++)
        if (!r->users[i].in_use) {
            r->users[i].in_use = 1;
            strcpy(r->users[i].nick, nick);
            r->users[i].lines = 0;
            r->population++;
            slot = i;
            break;
        }
    pthread_mutex_unlock(&r->mtx);
    return slot;
}

static void room_leave(struct room *r, int slot)
{
    r->users[slot].in_use = 0; // RACE!
    r->population--; // RACE!
}

static void room_say(struct room *r, int slot)
{
    int i;

    pthread_mutex_lock(&r->mtx);
    for (i = 0; i < MAX_USERS; i++)
        if (r->users[i].in_use && i != slot)
            r->users[i].lines++;
    pthread_mutex_unlock(&r->mtx);
}

static void *guest(void *nick)
{
    for (int visit = 0; visit < 30; visit++) {
        int s = room_enter(&lobby, nick);
        if (s < 0)
            continue;
        for (int i = 0; i < 5; i++)
            room_say(&lobby, s);
        room_leave(&lobby, s);
    }
    return NULL;
}

int main(void)
{
    static char *nicks[] = { "ada", "brian", "cleve", "dennis" };
    pthread_t t[4];

    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, guest, nicks[i]);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    printf("%d left behind\n", lobby.population);
    return 0;
}
