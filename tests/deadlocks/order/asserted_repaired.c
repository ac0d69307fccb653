/* The assertion, and one order. */
#include <linux/mutex.h>

struct screen { struct mutex lock; struct mutex font_lock; int rows, font; };

void screen_redraw(struct screen *screen)
{
	lockdep_assert_held(&screen->lock);
	mutex_lock(&screen->font_lock); /* NODEADLOCK */
	screen->rows = screen->font;
	mutex_unlock(&screen->font_lock);
} /* NOLEAK */

void screen_set_font(struct screen *screen, int font)
{
	mutex_lock(&screen->lock);
	mutex_lock(&screen->font_lock); /* NODEADLOCK */
	screen->font = font;
	screen->rows = 0;
	mutex_unlock(&screen->font_lock);
	screen_redraw(screen);
	mutex_unlock(&screen->lock);
}
