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
			a->found++; // NORACE
	return NULL;
}

int main(void)
{
	static const char text[] = "the quick brown fox jumps over the lazy dog";
	pthread_t tid[NT];
	struct args a[NT];
	int i, sum = 0;

	for (i = 0; i < NT; i++) {
		memset(&a[i], 0, sizeof a[i]);
		a[i].text = text;
		a[i].letter = "aeo"[i];
		pthread_create(&tid[i], NULL, count_letter, &a[i]);
	}
	for (i = 0; i < NT; i++)
		pthread_join(tid[i], NULL);
	for (i = 0; i < NT; i++)
		sum += a[i].found;
	printf("%d\n", sum);
	return 0;
}
