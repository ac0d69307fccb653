#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>

struct parser {
	jmp_buf on_error;
	const char *p;
	int depth;
};

static int parse_errors, parsed_ok;
static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;

static void fail(struct parser *ps)
{
	longjmp(ps->on_error, 1);
}

static void parse(struct parser *ps)
{
	for (; *ps->p; ps->p++) {
		if (*ps->p == '(')
			ps->depth++;
		else if (*ps->p == ')' && --ps->depth < 0)
			fail(ps);
	}
	if (ps->depth)
		fail(ps);
}

static int try_parse(const char *text)
{
	struct parser ps = { .p = text, .depth = 0 };

	if (setjmp(ps.on_error)) {
		parse_errors++; // RACE!
		return -1;
	}
	parse(&ps);
	pthread_mutex_lock(&count_lock);
	parsed_ok++;
	pthread_mutex_unlock(&count_lock);
	return 0;
}

static void *runner(void *arg)
{
	static const char *const samples[] = { "(())", "())", "(()", "()()" };
	int i;
	for (i = 0; i < 80; i++)
		try_parse(samples[i % 4]);
	return arg;
}

int main(void)
{
	pthread_t t[2];
	int i;
	for (i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, runner, NULL);
	for (i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%d ok, %d bad\n", parsed_ok, parse_errors);
	return 0;
}
