#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long stack[256];
static int sp;
static pthread_mutex_t vm_lock = PTHREAD_MUTEX_INITIALIZER;

static void op_push(long v)
{
	pthread_mutex_lock(&vm_lock);
	if (sp < 256)
		stack[sp++] = v;
	pthread_mutex_unlock(&vm_lock);
}

static void op_add(long v)
{
	(void)v;
	pthread_mutex_lock(&vm_lock);
	if (sp >= 2) {
		stack[sp - 2] += stack[sp - 1];
		sp--;
	}
	pthread_mutex_unlock(&vm_lock);
}

static void op_clear(long v)
{
	(void)v;
	sp = 0; // RACE!
}

static const struct {
	const char *name;
	void (*run)(long);
} optab[] = {
	{ "push",  op_push },
	{ "add",   op_add },
	{ "clear", op_clear },
};

static int dispatch(const char *name, long v)
{
	size_t i;

	for (i = 0; i < sizeof optab / sizeof optab[0]; i++)
		if (!strcmp(optab[i].name, name)) {
			optab[i].run(v);
			return 0;
		}
	return -1;
}

static void *script(void *arg)
{
	static const char *const prog[] = { "push", "push", "add", "clear" };
	unsigned i;

	for (i = 0; i < 200; i++)
		dispatch(prog[i % 4], (long)i);
	return arg;
}

int main(void)
{
	pthread_t t[2];
	int i;
	for (i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, script, NULL);
	for (i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%d\n", sp);
	return 0;
}
