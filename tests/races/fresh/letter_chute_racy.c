#include <pthread.h>
#include <semaphore.h>
#include <string.h>

struct letter { char to[16]; unsigned stamp; };

/* Several writers behind a lock, one postman without; the semaphores keep them off each other's letters. */
static struct chute {
	struct letter letters[8];
	unsigned in, out;
	sem_t room, mail;
	pthread_mutex_t writers;
} chute = { .writers = PTHREAD_MUTEX_INITIALIZER };

static void drop(struct chute *c, const char *to, unsigned stamp)
{
	sem_wait(&c->room);
	pthread_mutex_lock(&c->writers);
	c->letters[c->in % 8].stamp = stamp; // RACE!
	c->in++; // NORACE
	pthread_mutex_unlock(&c->writers);
	sem_post(&c->mail);
	(void)to;
}

static void *writer(void *name)
{
	for (unsigned i = 0; i < 100; i++)
		drop(&chute, name, i);
	return NULL;
}

static void *postman(void *arg)
{
	unsigned stamps = 0;
	for (unsigned i = 0; i < 200; i++) {
		sem_wait(&chute.mail);
		stamps += chute.letters[chute.out % 8].stamp;
		chute.out++;
		sem_post(&chute.room);
	}
	return (void *)(size_t)stamps;
	(void)arg;
}

int main(void)
{
	pthread_t w1, w2, p;
	sem_init(&chute.room, 0, 80);
	sem_init(&chute.mail, 0, 0);
	pthread_create(&w1, NULL, writer, "x");
	pthread_create(&w2, NULL, writer, "y");
	pthread_create(&p, NULL, postman, NULL);
	pthread_join(w1, NULL);
	pthread_join(w2, NULL);
	pthread_join(p, NULL);
	return 0;
}
