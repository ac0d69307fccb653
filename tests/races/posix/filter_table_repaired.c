// racerx-verdict: shown
/* A library without a main: four filters behind a table. Every operation takes its lock. */
#include <pthread.h>
#include <stdlib.h>

struct filter { const struct filter_calls *calls; void *state; };
struct filter_calls { void (*feed)(struct filter *, int); int (*level)(struct filter *); void (*clear)(struct filter *); };

struct echo { pthread_mutex_t guard; int delay, sum, peak; };

static void echo_feed(struct filter *filter, int value)
{
	struct echo *echo = filter->state;
	pthread_mutex_lock(&echo->guard);
	echo->sum += value;
	if (value > echo->peak)
		echo->peak = value;
	pthread_mutex_unlock(&echo->guard);
}

static int echo_level(struct filter *filter)
{
	struct echo *echo = filter->state;
	pthread_mutex_lock(&echo->guard);
	int level = echo->sum / (echo->delay + 1);
	echo->peak--;
	echo->sum = 0;
	pthread_mutex_unlock(&echo->guard);
	return level;
}

static void echo_clear(struct filter *filter)
{
	struct echo *echo = filter->state;
	pthread_mutex_lock(&echo->guard);
	echo->sum = 0; /* NORACE */
	echo->peak = 0; /* NORACE */
	pthread_mutex_unlock(&echo->guard);
}

static const struct filter_calls echo_calls = { echo_feed, echo_level, echo_clear };

struct gain { pthread_mutex_t guard; int sum; };
static void gain_feed(struct filter *filter, int value) { struct gain *own = filter->state; pthread_mutex_lock(&own->guard); own->sum += value; pthread_mutex_unlock(&own->guard); }
static int gain_level(struct filter *filter) { struct gain *own = filter->state; pthread_mutex_lock(&own->guard); int level = own->sum; pthread_mutex_unlock(&own->guard); return level; }
static void gain_clear(struct filter *filter) { struct gain *own = filter->state; pthread_mutex_lock(&own->guard); own->sum = 0; pthread_mutex_unlock(&own->guard); }
static const struct filter_calls gain_calls = { gain_feed, gain_level, gain_clear };

struct gate { pthread_mutex_t guard; int sum; };
static void gate_feed(struct filter *filter, int value) { struct gate *own = filter->state; pthread_mutex_lock(&own->guard); own->sum += value; pthread_mutex_unlock(&own->guard); }
static int gate_level(struct filter *filter) { struct gate *own = filter->state; pthread_mutex_lock(&own->guard); int level = own->sum; pthread_mutex_unlock(&own->guard); return level; }
static void gate_clear(struct filter *filter) { struct gate *own = filter->state; pthread_mutex_lock(&own->guard); own->sum = 0; pthread_mutex_unlock(&own->guard); }
static const struct filter_calls gate_calls = { gate_feed, gate_level, gate_clear };

struct delay { pthread_mutex_t guard; int sum; };
static void delay_feed(struct filter *filter, int value) { struct delay *own = filter->state; pthread_mutex_lock(&own->guard); own->sum += value; pthread_mutex_unlock(&own->guard); }
static int delay_level(struct filter *filter) { struct delay *own = filter->state; pthread_mutex_lock(&own->guard); int level = own->sum; pthread_mutex_unlock(&own->guard); return level; }
static void delay_clear(struct filter *filter) { struct delay *own = filter->state; pthread_mutex_lock(&own->guard); own->sum = 0; pthread_mutex_unlock(&own->guard); }
static const struct filter_calls delay_calls = { delay_feed, delay_level, delay_clear };

static const struct filter_calls *const kinds[] = { &echo_calls, &gain_calls, &gate_calls, &delay_calls };

struct filter *filter_make(int kind, void *state)
{
	struct filter *filter = malloc(sizeof *filter);
	if (filter) {
		filter->calls = kinds[kind];
		filter->state = state;
	}
	return filter;
}

void filter_put(struct filter *filter, int value) { filter->calls->feed(filter, value); }
int filter_get(struct filter *filter) { return filter->calls->level(filter); }
void filter_reset(struct filter *filter) { filter->calls->clear(filter); }
