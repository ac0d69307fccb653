#include <pthread.h>
#include <stdio.h>

static void *greet(void *p)
{
	int id = *(int *)p;

	printf("worker %d\n", id);
	return NULL;
}

int main(void)
{
	enum { N = 6 };
	pthread_t th[N];
	int i;

	for (i = 0; i < N; i++) { // RACE!
		if (pthread_create(&th[i], NULL, greet, &i)) {
			fprintf(stderr, "cannot start %d\n", i);
			return 1;
		}
	}
	for (int k = 0; k < N; k++)
		pthread_join(th[k], NULL);
	return 0;
}
