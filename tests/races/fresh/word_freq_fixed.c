#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word { char *text; unsigned n; struct word *next; };

static struct word *table[97];
static pthread_mutex_t stripes[8];

static unsigned bucket(const char *s)
{
	unsigned h = 0;
	for (; *s; s++)
		h = h * 17 + (unsigned char)*s;
	return h % 97;
}

static void add_word(const char *s)
{
	unsigned b = bucket(s);
	struct word *w;

	pthread_mutex_lock(&stripes[b % 8]);
	for (w = table[b]; w; w = w->next) // NORACE
		if (!strcmp(w->text, s)) {
			w->n++; // NORACE
			goto out;
		}
	w = malloc(sizeof *w);
	w->text = strdup(s);
	w->n = 1;
	w->next = table[b];
	table[b] = w; // NORACE
out:
	pthread_mutex_unlock(&stripes[b % 8]);
	return;
}

struct range { const char *from, *to; };

static void *scan_range(void *p)
{
	struct range *r = p;
	char buf[32];
	size_t n = 0;
	const char *c;
	for (c = r->from; c < r->to; c++) {
		if (isalpha((unsigned char)*c) && n < sizeof buf - 1) {
			buf[n++] = *c;
		} else if (n) {
			buf[n] = 0;
			add_word(buf);
			n = 0;
		}
	}
	return NULL;
}

int main(void)
{
	static const char text[] = "one two three two one zero one six seven one two three ";
	struct range r[3];
	pthread_t t[3];
	size_t third = (sizeof text - 1) / 3;
	int i;

	for (i = 0; i < 8; i++)
		pthread_mutex_init(&stripes[i], NULL);
	for (i = 0; i < 3; i++) {
		r[i].from = text + i * third;
		r[i].to = text + (i + 1) * third;
		pthread_create(&t[i], NULL, scan_range, &r[i]);
	}
	for (i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
