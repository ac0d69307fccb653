// As lock_of_fixed.c, but the lock of another room is asked for, and a secret is read with none.
#include <pthread.h>
#include <stdlib.h>

struct hidden {
	pthread_mutex_t mu;
	int secrets;
};
struct room {
	pthread_mutex_t mu;
	int guests, chairs;
	void *hidden;
};
struct door {
	struct room *room;
	int opened;
};

static struct room parlour, cellar;
static struct door gate = {&parlour, 0};

static pthread_mutex_t *room_lock(struct room *r) { return &r->mu; }
static struct hidden *room_hidden(const struct room *r) { return (struct hidden *)r->hidden; }
static pthread_mutex_t *door_lock(struct door *d) { return room_lock(d->room); }

static void enter(struct room *r)
{
	pthread_mutex_lock(room_lock(&cellar));
	r->guests++; /* RACE */
	pthread_mutex_unlock(room_lock(&cellar));
}

static void leave(struct room *r)
{
	pthread_mutex_lock(&r->mu);
	r->guests--;
	r->chairs++; /* NORACE */
	pthread_mutex_unlock(&r->mu);
}

static void knock(struct door *d)
{
	pthread_mutex_lock(door_lock(d));
	d->opened++; /* NORACE */
	d->room->chairs--; /* NORACE */
	pthread_mutex_unlock(door_lock(d));
}

static void whisper(struct room *r)
{
	struct hidden *h = room_hidden(r);
	pthread_mutex_lock(&h->mu);
	h->secrets++;
	pthread_mutex_unlock(&h->mu);
}

static int overhear(struct room *r)
{
	int n = room_hidden(r)->secrets; /* RACE */
	return n;
}

static void *guest(void *arg)
{
	for (int i = 0; i < 30; i++) {
		enter(&parlour);
		knock(&gate);
		whisper(&cellar);
		leave(&parlour);
		if (overhear(&cellar) > 20)
			break;
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;
	struct hidden *h = calloc(1, sizeof *h);
	pthread_mutex_init(&h->mu, NULL);
	pthread_mutex_init(&parlour.mu, NULL);
	pthread_mutex_init(&cellar.mu, NULL);
	cellar.hidden = h;
	pthread_create(&a, NULL, guest, NULL);
	pthread_create(&b, NULL, guest, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
