/* A function that keeps the lock on success: its callers expect that, all but one. */
#include <linux/mutex.h>

struct window { struct mutex lock; int mapped, x, y; };

static int window_begin(struct window *window)
{
	mutex_lock(&window->lock);
	if (!window->mapped) {
		mutex_unlock(&window->lock);
		return 0;
	}
	return 1; /* NOLEAK */
}

void window_move(struct window *window, int x, int y)
{
	if (!window_begin(window))
		return; /* NOLEAK */
	window->x = x;
	window->y = y;
	mutex_unlock(&window->lock);
}

int window_x(struct window *window)
{
	int x;
	if (!window_begin(window))
		return -1;
	x = window->x;
	mutex_unlock(&window->lock);
	return x; /* NOLEAK */
}

int window_y(struct window *window)
{
	if (!window_begin(window))
		return -1; /* NOLEAK */
	if (window->y < 0)
		return 0; /* LEAK */
	mutex_unlock(&window->lock);
	return window->y;
}
