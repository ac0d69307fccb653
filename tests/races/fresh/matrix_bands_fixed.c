#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct band {
	const double *a, *b;
	double *c;
	int n, lo, hi;
};

static double trace;
static pthread_mutex_t trace_lock = PTHREAD_MUTEX_INITIALIZER;

static void *multiply(void *arg)
{
	struct band *bd = arg;
	int i, j, k, n = bd->n;
	double diag = 0;

	for (i = bd->lo; i < bd->hi; i++) {
		for (j = 0; j < n; j++) {
			double s = 0;
			for (k = 0; k < n; k++)
				s += bd->a[i * n + k] * bd->b[k * n + j];
			bd->c[i * n + j] = s;
		}
		diag += bd->c[i * n + i];
	}
	pthread_mutex_lock(&trace_lock);
	trace += diag; // NORACE
	pthread_mutex_unlock(&trace_lock);
	return NULL;
}

int main(void)
{
	enum { N = 32, T = 4 };
	double *a = malloc(N * N * sizeof *a);
	double *b = malloc(N * N * sizeof *b);
	double *c = malloc(N * N * sizeof *c);
	struct band bands[T];
	pthread_t tid[T];
	int i;

	for (i = 0; i < N * N; i++) {
		a[i] = i % 7;
		b[i] = i % 5;
	}
	for (i = 0; i < T; i++) {
		bands[i] = (struct band){ a, b, c, N, i * N / T, (i + 1) * N / T };
		pthread_create(&tid[i], NULL, multiply, &bands[i]);
	}
	for (i = 0; i < T; i++)
		pthread_join(tid[i], NULL);
	printf("trace %g, corner %g\n", trace, c[N * N - 1]);
	free(a);
	free(b);
	free(c);
	return 0;
}
