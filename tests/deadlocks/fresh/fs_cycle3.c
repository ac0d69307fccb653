/* Toy file system: order of locks is journal, then inode, then cache. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static struct { pthread_mutex_t l; int open_txns, commits; } journal = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };
static struct { pthread_mutex_t l; unsigned size, dirty; } inode = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };
static struct { pthread_mutex_t l; unsigned pages, evicted; } cache = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };

static void cache_add_page(void)
{
	pthread_mutex_lock(&cache.l);
	cache.pages++;
	pthread_mutex_unlock(&cache.l);
}

static void journal_note(unsigned n)
{
	pthread_mutex_lock(&journal.l); // DEADLOCK!
	journal.open_txns += (int)n;
	pthread_mutex_unlock(&journal.l);
}

static void fs_write(unsigned len)
{
	pthread_mutex_lock(&inode.l);
	inode.size += len;
	inode.dirty = 1;
	cache_add_page();
	pthread_mutex_unlock(&inode.l);
}

static void fs_commit(void)
{
	pthread_mutex_lock(&journal.l);
	pthread_mutex_lock(&inode.l);
	inode.dirty = 0;
	pthread_mutex_unlock(&inode.l);
	journal.open_txns = 0;
	journal.commits++;
	pthread_mutex_unlock(&journal.l);
}

static void cache_shrink(void)
{
	unsigned n;

	pthread_mutex_lock(&cache.l);
	n = cache.pages / 2;
	cache.pages -= n;
	cache.evicted += n;
	if (n)
		journal_note(n);
	pthread_mutex_unlock(&cache.l);
}

static void *writer(void *a)
{
	for (int i = 0; i < 30; i++) {
		fs_write(4096);
		usleep(300);
	}
	return a;
}

static void *committer(void *a)
{
	for (int i = 0; i < 10; i++) {
		usleep(900);
		fs_commit();
	}
	return a;
}

static void *shrinker(void *a)
{
	for (int i = 0; i < 5; i++) {
		usleep(1700);
		cache_shrink();
	}
	return a;
}

int main(void)
{
	alarm(5);
	void *(*fn[])(void *) = { writer, committer, shrinker };
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, fn[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("size %u commits %d evicted %u\n", inode.size, journal.commits, cache.evicted);
	return 0;
}
