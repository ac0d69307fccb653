/* An assertion that a lock is held is as good as taking it, although nobody in sight does. */
#include <linux/mutex.h>

struct screen { struct mutex lock; struct mutex font_lock; int rows, font; };

void screen_redraw(struct screen *screen)
{
	lockdep_assert_held(&screen->lock);
	mutex_lock(&screen->font_lock); /* DEADLOCK@a */
	screen->rows = screen->font;
	mutex_unlock(&screen->font_lock);
}

void screen_set_font(struct screen *screen, int font)
{
	mutex_lock(&screen->font_lock);
	screen->font = font;
	mutex_lock(&screen->lock); /* DEADLOCK@a */
	screen->rows = 0;
	mutex_unlock(&screen->lock);
	mutex_unlock(&screen->font_lock);
}
