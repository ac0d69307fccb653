#include <pthread.h>
#include <stdio.h>

#define DECLARE_LOCK(n) static pthread_mutex_t n##_mtx = PTHREAD_MUTEX_INITIALIZER
#define ACQUIRE(n) do { pthread_mutex_lock(&n##_mtx); } while (0)
#define RELEASE(n) do { pthread_mutex_unlock(&n##_mtx); } while (0)
#define WITH_LOCK(n) \
    for (int once_ = (pthread_mutex_lock(&n##_mtx), 1); once_; once_ = (pthread_mutex_unlock(&n##_mtx), 0))

DECLARE_LOCK(inbox);
DECLARE_LOCK(outbox);
static int in_count, out_count;

static void forward_mail(void)
{
    WITH_LOCK(inbox) {
        in_count--;
        WITH_LOCK(outbox) { /* DEADLOCK */
            out_count++;
        }
    }
}

static void bounce_mail(void)
{
    ACQUIRE(outbox);
    out_count--;
    ACQUIRE(inbox); /* DEADLOCK */
    in_count++;
    RELEASE(inbox);
    RELEASE(outbox);
}

static void *forwarder(void *arg)
{
    for (int i = 0; i < 50; i++)
        forward_mail();
    return arg;
}

static void *bouncer(void *arg)
{
    for (int i = 0; i < 50; i++)
        bounce_mail();
    return arg;
}

int main(void)
{
    pthread_t f, b;

    pthread_create(&f, NULL, forwarder, NULL);
    pthread_create(&b, NULL, bouncer, NULL);
    pthread_join(f, NULL);
    pthread_join(b, NULL);
    printf("%d %d\n", in_count, out_count);
    return 0;
}
