/* A widget begins with a node, which begins with a header: one flag under three types. */
#include <threads.h>

struct header { int flags; };
struct node { struct header header; int depth; };
struct widget { struct node node; int colour; };

static mtx_t flags_lock;
static struct widget window;

static void mark(struct header *header)
{
	mtx_lock(&flags_lock);
	header->flags |= 2; /* RACE@a */
	mtx_unlock(&flags_lock);
}

static int painter(void *data)
{
	(void)data;
	mark((struct header *)&window);
	return 0;
}

int main(void)
{
	thrd_t thread;
	mtx_init(&flags_lock, mtx_plain);
	thrd_create(&thread, painter, NULL);
	window.node.header.flags &= ~2; /* RACE@a */
	thrd_join(thread, NULL);
	return window.node.header.flags; /* NORACE */
}
