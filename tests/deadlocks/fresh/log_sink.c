#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Log lines are also mirrored to the admin connection if there is one. */
struct conn {
	pthread_mutex_t mu;
	char out[4096];
	size_t outlen;
	int errors;
};

static struct {
	pthread_mutex_t mu;
	unsigned seq;
	struct conn *mirror;
} logger = { .mu = PTHREAD_MUTEX_INITIALIZER };

static void conn_append(struct conn *c, const char *s, size_t n)
{
	pthread_mutex_lock(&c->mu); // DEADLOCK!
	if (c->outlen + n <= sizeof(c->out)) {
		memcpy(c->out + c->outlen, s, n);
		c->outlen += n;
	}
	pthread_mutex_unlock(&c->mu);
}

static void log_msg(const char *fmt, ...)
{
	char line[128];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(line, sizeof line, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	if ((size_t)n >= sizeof line)
		n = sizeof line - 1;
	pthread_mutex_lock(&logger.mu);
	logger.seq++;
	if (logger.mirror)
		conn_append(logger.mirror, line, (size_t)n);
	pthread_mutex_unlock(&logger.mu);
}

static unsigned log_seq(void)
{
	unsigned s;

	pthread_mutex_lock(&logger.mu);
	s = logger.seq;
	pthread_mutex_unlock(&logger.mu);
	return s;
}

static void conn_flush(struct conn *c)
{
	pthread_mutex_lock(&c->mu);
	if (c->outlen == sizeof(c->out))
		c->errors++;
	printf("#%u: %zu bytes\n", log_seq(), c->outlen);
	c->outlen = 0;
	pthread_mutex_unlock(&c->mu);
}

static struct conn admin = { .mu = PTHREAD_MUTEX_INITIALIZER };

static void *service(void *arg)
{
	for (int i = 0; i < 30; i++) {
		log_msg("request %d from %s\n", i, (const char *)arg);
		usleep(300);
	}
	return NULL;
}

int main(void)
{
	alarm(5);
	pthread_t t;

	logger.mirror = &admin;
	pthread_create(&t, NULL, service, "10.1.1.7");
	for (int i = 0; i < 5; i++) {
		usleep(1100);
		conn_flush(&admin);
	}
	pthread_join(t, NULL);
	return 0;
}
