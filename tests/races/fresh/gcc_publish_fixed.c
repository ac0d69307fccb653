#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct greeting {
	char text[32];
	unsigned length;
};
static struct greeting hello;
static int up;

static void *announcer(void *name)
{
	strcpy(hello.text, "hello ");
	strncat(hello.text, name, 20);
	hello.length = strlen(hello.text); // NORACE
	__atomic_store_n(&up, 1, __ATOMIC_RELEASE);
	return 0;
}

int main(int argc, char **argv)
{
	pthread_t t;
	pthread_create(&t, 0, announcer, argc > 1 ? argv[1] : "you");
	while (!__atomic_load_n(&up, __ATOMIC_ACQUIRE))
		continue;
	fwrite(hello.text, 1, hello.length, stdout);
	pthread_join(t, 0);
	return 0;
}
