/* Two sinks have a table of operations each. The logger flushes its file while it holds its own lock. */
#include <pthread.h>
#include <stdlib.h>

struct sink;
struct operations {
	void (*flush)(struct sink *sink);
};
struct sink {
	const struct operations *operations;
	int fill;
};
static pthread_mutex_t log_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t net_mutex = PTHREAD_MUTEX_INITIALIZER;

static void file_flush(struct sink *sink) { sink->fill = 0; }

static void net_flush(struct sink *sink)
{
	pthread_mutex_lock(&net_mutex); /* NODEADLOCK */
	sink->fill = 0;
	pthread_mutex_unlock(&net_mutex);
}

static const struct operations file_operations = { file_flush };
static const struct operations net_operations = { .flush = net_flush };

static struct sink *sink_new(void) { return calloc(1, sizeof(struct sink)); }

static void write_log(struct sink *file)
{
	pthread_mutex_lock(&log_mutex);
	file->operations->flush(file);
	pthread_mutex_unlock(&log_mutex);
}

static void *serve(void *argument)
{
	pthread_mutex_lock(&net_mutex);
	pthread_mutex_lock(&log_mutex); /* NODEADLOCK */
	pthread_mutex_unlock(&log_mutex);
	pthread_mutex_unlock(&net_mutex);
	return argument;
}

int main(void)
{
	pthread_t thread;
	struct sink *file = sink_new(), *net = sink_new();
	file->operations = &file_operations;
	net->operations = &net_operations;
	pthread_create(&thread, NULL, serve, NULL);
	net->operations->flush(net);
	write_log(file);
	pthread_join(thread, NULL);
	return 0;
}
