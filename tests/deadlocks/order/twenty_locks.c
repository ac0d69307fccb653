/* A snapshot freezes all twenty tables, first to last, before it counts; a trim takes the last two the other way round. */
#include <pthread.h>

static pthread_mutex_t alpha_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t bravo_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t charlie_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t delta_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t echo_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t foxtrot_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t golf_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t hotel_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t india_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t juliett_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t kilo_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lima_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t mike_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t november_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t oscar_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t papa_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t quebec_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t romeo_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t sierra_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t tango_lock = PTHREAD_MUTEX_INITIALIZER;
static long rows, trims;

static void *snapshot(void *argument)
{
	pthread_mutex_lock(&alpha_lock);
	pthread_mutex_lock(&bravo_lock);
	pthread_mutex_lock(&charlie_lock);
	pthread_mutex_lock(&delta_lock);
	pthread_mutex_lock(&echo_lock);
	pthread_mutex_lock(&foxtrot_lock);
	pthread_mutex_lock(&golf_lock);
	pthread_mutex_lock(&hotel_lock);
	pthread_mutex_lock(&india_lock);
	pthread_mutex_lock(&juliett_lock);
	pthread_mutex_lock(&kilo_lock);
	pthread_mutex_lock(&lima_lock);
	pthread_mutex_lock(&mike_lock);
	pthread_mutex_lock(&november_lock);
	pthread_mutex_lock(&oscar_lock);
	pthread_mutex_lock(&papa_lock);
	pthread_mutex_lock(&quebec_lock);
	pthread_mutex_lock(&romeo_lock);
	pthread_mutex_lock(&sierra_lock);
	pthread_mutex_lock(&tango_lock); /* DEADLOCK@last */
	rows++; /* RACE */
	trims += 2; /* NORACE */
	pthread_mutex_unlock(&tango_lock); /* NOUNHELD */
	pthread_mutex_unlock(&sierra_lock); /* NOUNHELD */
	pthread_mutex_unlock(&romeo_lock); /* NOUNHELD */
	pthread_mutex_unlock(&quebec_lock); /* NOUNHELD */
	pthread_mutex_unlock(&papa_lock); /* NOUNHELD */
	pthread_mutex_unlock(&oscar_lock); /* NOUNHELD */
	pthread_mutex_unlock(&november_lock); /* NOUNHELD */
	pthread_mutex_unlock(&mike_lock); /* NOUNHELD */
	pthread_mutex_unlock(&lima_lock); /* NOUNHELD */
	pthread_mutex_unlock(&kilo_lock); /* NOUNHELD */
	pthread_mutex_unlock(&juliett_lock); /* NOUNHELD */
	pthread_mutex_unlock(&india_lock); /* NOUNHELD */
	pthread_mutex_unlock(&hotel_lock); /* NOUNHELD */
	pthread_mutex_unlock(&golf_lock); /* NOUNHELD */
	pthread_mutex_unlock(&foxtrot_lock); /* NOUNHELD */
	pthread_mutex_unlock(&echo_lock); /* NOUNHELD */
	pthread_mutex_unlock(&delta_lock); /* NOUNHELD */
	pthread_mutex_unlock(&charlie_lock); /* NOUNHELD */
	pthread_mutex_unlock(&bravo_lock); /* NOUNHELD */
	pthread_mutex_unlock(&alpha_lock); /* NOUNHELD */
	return argument;
}

static void *trim(void *argument)
{
	pthread_mutex_lock(&tango_lock);
	pthread_mutex_lock(&sierra_lock); /* DEADLOCK@last */
	trims++; /* NORACE */
	pthread_mutex_unlock(&tango_lock);
	pthread_mutex_unlock(&sierra_lock);
	rows--; /* RACE */
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, snapshot, NULL);
	pthread_create(&b, NULL, trim, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
