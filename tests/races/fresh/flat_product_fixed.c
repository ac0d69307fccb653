#include <pthread.h>
#include <stdlib.h>

struct share {
	pthread_t thread;
	int row, rows;
};

static double *a, *b, *product;
static int n = 96;

static void *multiply(void *p)
{
	struct share *s = (struct share *)p;
	int last = s->row + s->rows;

	for (int i = s->row; i < last; i++) {
		for (int j = 0; j < n; j++) {
			double sum = 0;
			for (int k = 0; k < n; k++)
				sum += a[i * n + k] * b[k * n + j];
			product[i * n + j] = sum; // NORACE
		}
	}
	return p;
}

int main(int argc, char **argv)
{
	int workers = argc > 1 ? atoi(argv[1]) : 4;
	struct share *shares = calloc(workers, sizeof *shares);
	int next = 0, each = n / workers;

	a = calloc(n * n, sizeof *a);
	b = calloc(n * n, sizeof *b);
	product = calloc(n * n, sizeof *product);
	for (int w = 0; w < workers; w++) {
		shares[w].row = next;
		shares[w].rows = each;
		next += each;
		pthread_create(&shares[w].thread, NULL, multiply, shares + w);
	}
	for (int w = 0; w < workers; w++)
		pthread_join(shares[w].thread, NULL);
	free(shares);
	return product[0] > 1;
}
