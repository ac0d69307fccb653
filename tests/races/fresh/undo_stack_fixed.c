#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Edit { int pos; char ch; struct Edit *older; } Edit;

typedef struct Document {
	char text[256];
	Edit *undo;
	int depth;
	pthread_mutex_t guard;
} Document;

static Document doc;

static void doc_lock(Document *d) { pthread_mutex_lock(&d->guard); }
static void doc_unlock(Document *d) { pthread_mutex_unlock(&d->guard); }

static void doc_type(Document *d, int pos, char ch)
{
	Edit *e = malloc(sizeof *e);
	e->pos = pos;
	doc_lock(d);
	e->ch = d->text[pos];
	e->older = d->undo;
	d->undo = e;
	d->depth++;
	d->text[pos] = ch;
	doc_unlock(d);
}

static int doc_undo(Document *d)
{
	Edit *e;
	doc_lock(d);
	e = d->undo; // NORACE
	if (e) {
		d->undo = e->older;
		d->depth--; // NORACE
		d->text[e->pos] = e->ch; // NORACE
	}
	doc_unlock(d);
	free(e);
	return e != NULL;
}

static void *author(void *x)
{
	for (int i = 0; i < 200; i++)
		doc_type(&doc, i, 'a' + i % 26);
	return x;
}

static void *editor(void *x)
{
	int n = 0;
	for (int i = 0; i < 100; i++)
		n += doc_undo(&doc);
	printf("%d\n", n);
	return x;
}

int main(void)
{
	pthread_t a, e;
	pthread_mutex_init(&doc.guard, NULL);
	pthread_create(&a, NULL, author, NULL);
	pthread_create(&e, NULL, editor, NULL);
	pthread_join(a, NULL);
	pthread_join(e, NULL);
	return 0;
}
