/* A table with a lock per bucket, and a count of all that belongs to none of them. */
#include <pthread.h>
#include <stdlib.h>

#define BUCKETS 64
struct word { struct word *next; unsigned hash; int count; };
struct bucket { pthread_mutex_t lock; struct word *words; int length; };
static struct bucket buckets[BUCKETS];
static int word_count;

static struct word *find(struct bucket *bucket, unsigned hash)
{
	struct word *word;
	for (word = bucket->words; word; word = word->next) /* NORACE */
		if (word->hash == hash) /* NORACE */
			return word;
	return NULL;
}

static void count_word(unsigned hash)
{
	struct bucket *bucket = &buckets[hash % BUCKETS];
	struct word *word;
	pthread_mutex_lock(&bucket->lock);
	word = find(bucket, hash);
	if (!word && (word = calloc(1, sizeof *word))) {
		word->hash = hash; /* NORACE */
		word->next = bucket->words; /* NORACE */
		bucket->words = word; /* NORACE */
		bucket->length++; /* NORACE */
		word_count++; /* RACE */
	}
	if (word)
		word->count++; /* NORACE */
	pthread_mutex_unlock(&bucket->lock);
}

static void *reader(void *argument)
{
	for (unsigned i = 0; i < 1000; i++)
		count_word(i * 2654435761u);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	for (int i = 0; i < BUCKETS; i++)
		pthread_mutex_init(&buckets[i].lock, NULL);
	pthread_create(&a, NULL, reader, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return word_count; /* NORACE */
}
