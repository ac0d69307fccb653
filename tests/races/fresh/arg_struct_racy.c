#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define NT 3

struct args {
	const char *text;
	char letter;
	int found;
};

static void *count_letter(void *v)
{
	struct args *a = v;
	const char *s;

	for (s = a->text; *s; s++)
		if (*s == a->letter)
			a->found++; // RACE!
	return NULL;
}

int main(void)
{
	static const char text[] = "the quick brown fox jumps over the lazy dog";
	pthread_t tid[NT];
	struct args a;
	int i, sum = 0;

	memset(&a, 0, sizeof a);
	a.text = text;
	a.letter = 'o';
	for (i = 0; i < NT; i++) {
		pthread_create(&tid[i], NULL, count_letter, &a);
	}
	for (i = 0; i < NT; i++)
		pthread_join(tid[i], NULL);
	sum = a.found;
	printf("%d\n", sum);
	return 0;
}
