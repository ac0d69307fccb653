#include <stdio.h>
#include <stdlib.h>
#include <pthread.h>

#define	MAXLINE	80

char	*lines[100];
int	nlines;
pthread_mutex_t	lmutex = PTHREAD_MUTEX_INITIALIZER;

int
addline(s)
	char *s;
{
	pthread_mutex_lock(&lmutex);
	if (nlines >= 100) {
		pthread_mutex_unlock(&lmutex);
		return (-1);
	}
	lines[nlines++] = s;
	pthread_mutex_unlock(&lmutex);
	return (0);
}

char *
lastline()
{
	register char *p;

	p = nlines > 0 ? lines[nlines - 1] : NULL; /* RACE */
	return (p);
}

void *
typist(arg)
	void *arg;
{
	int i;

	for (i = 0; i < 40; i++)
		if (addline((char *)arg) < 0)
			break;
	return (arg);
}

void *
peeker(arg)
	void *arg;
{
	register int i, n = 0;

	for (i = 0; i < 40; i++)
		if (lastline() != NULL)
			n++;
	printf("%d\n", n);
	return (arg);
}

int
main(argc, argv)
	int argc;
	char **argv;
{
	pthread_t a, b;

	if (pthread_create(&a, NULL, typist, "x") || pthread_create(&b, NULL, peeker, NULL))
		exit(1);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return (0);
}
