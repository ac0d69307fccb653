#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define NUSERS 5

struct user {
	int uid;
	int logins;
	long quota;
	pthread_mutex_t lock;
};

static struct user db[NUSERS];

/* Returns the user locked, or NULL. */
static struct user *user_get(int uid)
{
	int i;

	for (i = 0; i < NUSERS; i++) {
		if (db[i].uid == uid) {
			pthread_mutex_lock(&db[i].lock);
			return &db[i];
		}
	}
	return NULL;
}

static void user_put(struct user *u)
{
	pthread_mutex_unlock(&u->lock);
}

static int login(int uid)
{
	struct user *u = user_get(uid);
	int n;

	if (!u)
		return -1;
	u->logins++;
	user_put(u);
	n = u->logins; // RACE!
	return n;
}

static void charge(int uid, long bytes)
{
	struct user *u = user_get(uid);

	if (u) {
		u->quota -= bytes;
		user_put(u);
	}
}

static void *client(void *arg)
{
	int i, max = 0;
	(void)arg;
	for (i = 0; i < 300; i++) {
		int n = login(1000 + i % (NUSERS + 1));
		if (n > max)
			max = n;
		charge(1000 + i % NUSERS, i);
	}
	printf("%d\n", max);
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	int i;

	for (i = 0; i < NUSERS; i++) {
		db[i].uid = 1000 + i;
		db[i].quota = 1 << 20;
		pthread_mutex_init(&db[i].lock, NULL);
	}
	for (i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, client, NULL);
	for (i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
