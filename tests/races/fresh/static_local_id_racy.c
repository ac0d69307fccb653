#include <pthread.h>
#include <stdio.h>


static unsigned next_id(void)
{
	static unsigned last = 100;
	unsigned id;

	id = ++last; // RACE!
	return id;
}

struct ticket {
	unsigned id;
	const char *owner;
};

static void *issue(void *who)
{
	struct ticket t[50];
	int i;
	unsigned long check = 0;

	for (i = 0; i < 50; i++) {
		t[i].id = next_id();
		t[i].owner = who;
		check += t[i].id;
	}
	printf("%s: %lu\n", t[0].owner, check);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, issue, "left desk");
	pthread_create(&b, NULL, issue, "right desk");
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
