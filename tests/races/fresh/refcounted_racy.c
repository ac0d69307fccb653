#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct blob {
	int refs;
	size_t len;
	unsigned char bytes[128];
};

static struct blob *blob_ref(struct blob *b)
{
	b->refs++; // RACE!
	return b;
}

static void blob_unref(struct blob *b)
{
	if (--b->refs == 0) // RACE!
		free(b);
}

static void *hasher(void *arg)
{
	struct blob *b = arg;
	unsigned h = 0;
	size_t i;

	for (i = 0; i < b->len; i++)
		h = h * 31 + b->bytes[i];
	printf("%u\n", h);
	blob_unref(b);
	return NULL;
}

int main(void)
{
	struct blob *b = malloc(sizeof *b);
	pthread_t t[3];
	int i;

	b->refs = 1;
	b->len = sizeof b->bytes;
	for (i = 0; i < (int)b->len; i++)
		b->bytes[i] = (unsigned char)i;
	for (i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, hasher, blob_ref(b));
	blob_unref(b);
	for (i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
