/* A cook for each stove, with a pan of its own that nobody else knows. But all cooks were given one salt cellar, and the
   head of the kitchen tastes from the pans. */
#include <pthread.h>
#include <stdlib.h>

struct pan { int stirred; int salted; };
struct salt { int grains; };
struct cook { pthread_t thread; struct pan *pan; struct salt *salt; int dishes; };
struct kitchen { struct cook **cooks; int count; };

static struct pan *pan_new(void)
{
	struct pan *pan = malloc(sizeof *pan);
	if (!pan)
		abort();
	pan->stirred = 0; /* NORACE */
	pan->salted = 0; /* NORACE */
	return pan;
}

static void pan_stir(struct pan *pan, struct salt *salt)
{
	pan->stirred++; /* NORACE */
	pan->salted++; /* RACE@taste */
	salt->grains--; /* RACE */
}

static void *cook_main(void *argument)
{
	struct cook *cook = argument;
	for (int i = 0; i < 100; i++) {
		pan_stir(cook->pan, cook->salt);
		cook->dishes++; /* NORACE */
	}
	return NULL;
}

static void cook_start(struct cook *cook)
{
	if (pthread_create(&cook->thread, NULL, cook_main, cook))
		abort();
}

int main(void)
{
	struct kitchen kitchen = { calloc(4, sizeof(struct cook *)), 4 };
	struct salt *salt = calloc(1, sizeof *salt);
	int tasted = 0;
	for (int i = 0; i < kitchen.count; i++) {
		kitchen.cooks[i] = calloc(1, sizeof(struct cook));
		kitchen.cooks[i]->pan = pan_new();
		kitchen.cooks[i]->salt = salt;
	}
	for (int i = 0; i < kitchen.count; i++)
		cook_start(kitchen.cooks[i]);
	for (int i = 0; i < kitchen.count; i++)
		tasted += kitchen.cooks[i]->pan->salted; /* RACE@taste */
	for (int i = 0; i < kitchen.count; i++)
		pthread_join(kitchen.cooks[i]->thread, NULL);
	return tasted;
}
