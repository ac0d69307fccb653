/* Workers that have said goodbye, under the list's lock and as the last thing, are joined under it. */
#include <stdlib.h>
#include <threads.h>

struct hand { thrd_t thread; int gone; int hours; };
static mtx_t hands_lock;
static struct hand *hands[4];
static int total;

static int hand_main(void *argument)
{
	struct hand *hand = argument;
	mtx_lock(&hands_lock); /* NODEADLOCK */
	total += hand->hours;
	hand->gone = 1;
	mtx_unlock(&hands_lock);
	return 0;
}

static void collect(void)
{
	mtx_lock(&hands_lock);
	for (int i = 0; i < 4; i++) {
		struct hand *hand = hands[i];
		if (hand->gone) {
			thrd_join(hand->thread, NULL); /* NODEADLOCK */
			hand->gone = 0;
		}
	}
	mtx_unlock(&hands_lock);
}

int main(void)
{
	mtx_init(&hands_lock, mtx_plain);
	for (int i = 0; i < 4; i++) {
		hands[i] = calloc(1, sizeof *hands[i]);
		thrd_create(&hands[i]->thread, hand_main, hands[i]);
	}
	collect();
	return 0;
}
