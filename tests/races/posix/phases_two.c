/* Two phases of threads: the first are joined before the second begin. */
#include <pthread.h>

static int chart[16];
static int width, strokes;

static void *measure(void *argument)
{
	width = 16; /* NORACE */
	return argument;
}

static void *draw(void *argument)
{
	for (int i = 0; i < width; i++) /* NORACE */
		strokes++; /* RACE */
	return argument;
}

int main(void)
{
	pthread_t surveyor, pens[2];
	pthread_create(&surveyor, NULL, measure, NULL);
	pthread_join(surveyor, NULL);
	width += 2; /* NORACE */
	pthread_create(&pens[0], NULL, draw, NULL);
	pthread_create(&pens[1], NULL, draw, NULL);
	pthread_join(pens[0], NULL);
	pthread_join(pens[1], NULL);
	chart[0] = strokes; /* NORACE */
	return chart[0];
}
