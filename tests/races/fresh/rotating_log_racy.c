#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <pthread.h>

enum level { LOG_DEBUG, LOG_INFO, LOG_ERROR };

static struct {
	FILE *out;
	size_t written;
	size_t limit;
	int generation;
	enum level min;
} g_log;
static pthread_mutex_t g_log_mtx = PTHREAD_MUTEX_INITIALIZER;

static void log_rotate_locked(void)
{
	g_log.generation++; // RACE!
	g_log.written = 0;
}

void log_printf(enum level lvl, const char *fmt, ...)
{
	char line[256];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(line, sizeof line, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;

	pthread_mutex_lock(&g_log_mtx);
	if (lvl < g_log.min)
		goto out;
	fputs(line, g_log.out);
	g_log.written += (size_t)n;
	if (g_log.written > g_log.limit)
		log_rotate_locked();
out:
	pthread_mutex_unlock(&g_log_mtx);
}

void log_force_rotate(void)
{
	if (g_log.written > 0) // RACE!
		log_rotate_locked();
}

static void *chatter(void *name)
{
	int i;
	for (i = 0; i < 200; i++)
		log_printf(LOG_INFO, "%s says %d\n", (const char *)name, i);
	return NULL;
}

static void *rotator(void *unused)
{
	int i;
	for (i = 0; i < 50; i++)
		log_force_rotate();
	return unused;
}

int main(void)
{
	pthread_t th[3];
	g_log.out = stderr;
	g_log.limit = 1000;
	g_log.min = LOG_INFO;
	pthread_create(&th[0], NULL, chatter, "alice");
	pthread_create(&th[1], NULL, chatter, "bob");
	pthread_create(&th[2], NULL, rotator, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(th[i], NULL);
	return 0;
}
