#include <stdatomic.h>
#include <stdio.h>
#include <threads.h>

static once_flag table_once = ONCE_FLAG_INIT;
static int squares[32];
static thread_local int calls;
static mtx_t total_mtx;
static int total_calls;

static void build(void)
{
    for (int i = 0; i < 32; i++)
        squares[i] = i * i;
    mtx_init(&total_mtx, mtx_plain);
}

static int square(int n)
{
    call_once(&table_once, build);
    calls++;
    return squares[n & 31];
}

static int body(void *arg)
{
    int sum = 0;
    for (int i = 0; i < *(int *)arg; i++)
        sum += square(i);
    total_calls += calls; // RACE!
    return sum;
}

int main(void)
{
    thrd_t a, b;
    int na = 10, nb = 100, ra, rb;

    square(0);
    thrd_create(&a, body, &na);
    thrd_create(&b, body, &nb);
    thrd_join(a, &ra);
    thrd_join(b, &rb);
    printf("%d %d %d\n", ra, rb, total_calls);
    return 0;
}
