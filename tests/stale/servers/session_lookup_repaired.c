/* A reference is taken before the lock is let go. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct session { struct session *next; char id[32]; int fd, refs; long last; };
static struct session *sessions[64];
static pthread_mutex_t sessions_lock = PTHREAD_MUTEX_INITIALIZER;
extern unsigned hash_id(const char *id);
extern int send_line(int fd, const char *text);

static struct session *session_find(const char *id)
{
	struct session *s;

	for (s = sessions[hash_id(id) % 64]; s; s = s->next)
		if (!strcmp(s->id, id))
			return s;
	return NULL;
}

static void *reaper(void *unused)
{
	struct session **p, *s;
	unsigned i;

	(void)unused;
	for (;;) {
		pthread_mutex_lock(&sessions_lock);
		for (i = 0; i < 64; i++)
			for (p = &sessions[i]; (s = *p) != NULL;) {
				if (s->last < 100 && s->refs == 0) {
					*p = s->next;
					free(s);
				} else
					p = &s->next;
			}
		pthread_mutex_unlock(&sessions_lock);
	}
	return NULL;
}

static void *worker(void *id)
{
	struct session *s;

	pthread_mutex_lock(&sessions_lock);
	s = session_find(id);
	if (!s) {
		pthread_mutex_unlock(&sessions_lock);
		return NULL;
	}
	s->refs++;
	pthread_mutex_unlock(&sessions_lock);
	send_line(s->fd, "hello"); /* NOESCAPED */
	pthread_mutex_lock(&sessions_lock);
	s->refs--;
	pthread_mutex_unlock(&sessions_lock);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[3];

	if (argc < 3)
		return 1;
	pthread_create(&threads[0], NULL, reaper, NULL);
	pthread_create(&threads[1], NULL, worker, argv[1]);
	pthread_create(&threads[2], NULL, worker, argv[2]);
	pthread_join(threads[0], NULL);
	return 0;
}
