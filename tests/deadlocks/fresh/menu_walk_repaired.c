#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* A menu tree guarded by one big lock. */
struct menu {
	const char *label;
	struct menu *sub[4];
	int nsub;
	unsigned shown;
};

static pthread_mutex_t menu_lock = PTHREAD_MUTEX_INITIALIZER;

static struct menu m_open = { .label = "Open" };
static struct menu m_quit = { .label = "Quit" };
static struct menu m_file = { .label = "File", .sub = { &m_open, &m_quit }, .nsub = 2 };
static struct menu m_help = { .label = "Help" };

static unsigned render_locked(struct menu *m, int depth)
{
	unsigned lines = 1;

	m->shown++;
	if (depth > 0)
		for (int i = 0; i < m->nsub; i++)
			lines += render_locked(m->sub[i], depth - 1);
	return lines;
}

static unsigned menu_render(struct menu *m, int depth)
{
	unsigned lines;

	pthread_mutex_lock(&menu_lock);
	lines = render_locked(m, depth);
	pthread_mutex_unlock(&menu_lock);
	return lines;
}

static int menu_append(struct menu *parent, struct menu *m)
{
	int rc = -1;

	pthread_mutex_lock(&menu_lock);
	if (parent->nsub < 4) {
		parent->sub[parent->nsub++] = m;
		rc = 0;
	}
	pthread_mutex_unlock(&menu_lock);
	return rc;
}

static int max_depth;

static void *ui(void *arg)
{
	unsigned lines = 0;

	for (int i = 0; i < 5; i++)
		lines += menu_render(&m_file, max_depth);
	printf("%u lines\n", lines);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;

	max_depth = argc - 1;
	pthread_create(&t, NULL, ui, NULL);
	menu_append(&m_file, &m_help);
	pthread_join(t, NULL);
	return 0;
}
