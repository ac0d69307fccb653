#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct strbuf { char *s; size_t len, cap; };
static struct strbuf out;
static pthread_mutex_t out_mx = PTHREAD_MUTEX_INITIALIZER;

static void strbuf_add(struct strbuf *b, const char *t)
{
	size_t n = strlen(t);
	if (b->len + n + 1 > b->cap) { // RACE!
		b->cap = (b->len + n + 1) * 2; // RACE!
		b->s = realloc(b->s, b->cap); // RACE!
	}
	memcpy(b->s + b->len, t, n + 1); // RACE!
	b->len += n; // RACE!
}

static void emit(const char *t)
{
	pthread_mutex_lock(&out_mx);
	strbuf_add(&out, t);
	pthread_mutex_unlock(&out_mx);
}

static void *lines(void *u)
{
	int i;
	for (i = 0; i < 100; i++)
		emit("line\n");
	return u;
}

static void *dots(void *u)
{
	int i;
	for (i = 0; i < 100; i++)
		strbuf_add(&out, ".");
	return u;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, lines, NULL);
	pthread_create(&b, NULL, dots, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%zu\n", out.len);
	free(out.s);
	return 0;
}
