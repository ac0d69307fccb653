#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* 1-d heat diffusion; two threads, two grids */
#define N     128
#define STEPS 40
#define NT    2

static double g[2][N];
static double residual[NT];
static double worst;
static pthread_barrier_t bar;

static double absd(double x) { return x < 0 ? -x : x; }

static void sweep(const double *src, double *dst, int lo, int hi, double *res)
{
    double r = 0;
    for (int i = lo; i < hi; i++) {
        if (i == 0 || i == N - 1) { dst[i] = src[i]; continue; } // TODO NORACE: which of two grids it is changes with the round
        dst[i] = (src[i - 1] + 2 * src[i] + src[i + 1]) / 4;
        if (absd(dst[i] - src[i]) > r) r = absd(dst[i] - src[i]);
    }
    *res = r;
}

static void *solver(void *arg)
{
    int me = (int)(long)arg;
    int lo = me * N / NT, hi = (me + 1) * N / NT;

    for (int s = 0; s < STEPS; s++) {
        sweep(g[s & 1], g[~s & 1], lo, hi, &residual[me]);
        pthread_barrier_wait(&bar);
        if (me == 0) {
            worst = residual[0];
            for (int k = 1; k < NT; k++)
                if (residual[k] > worst) // RACE!
                    worst = residual[k]; // RACE!
        }
    }
    return NULL;
}

int main(void)
{
    pthread_t t[NT];

    g[0][0] = 100.0;
    pthread_barrier_init(&bar, NULL, NT);
    for (long i = 0; i < NT; i++)
        pthread_create(&t[i], NULL, solver, (void *)i);
    for (int i = 0; i < NT; i++)
        pthread_join(t[i], NULL);
    pthread_barrier_destroy(&bar);
    printf("residual %g, mid %g\n", worst, g[STEPS & 1][N / 2]);
    return 0;
}
