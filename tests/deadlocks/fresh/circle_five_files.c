#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t a_lk = PTHREAD_RWLOCK_INITIALIZER, b_lk = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t c_lk = PTHREAD_MUTEX_INITIALIZER, d_lk = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t e_lk;
static int a, b, c, d, e;

static void use_b(void) { pthread_rwlock_wrlock(&b_lk); b++; pthread_rwlock_unlock(&b_lk); } /* DEADLOCK */
static void use_c(void) { pthread_mutex_lock(&c_lk); c++; pthread_mutex_unlock(&c_lk); } /* DEADLOCK */
static void use_d(void) { pthread_mutex_lock(&d_lk); d++; pthread_mutex_unlock(&d_lk); } /* DEADLOCK */
static void use_e(void) { pthread_spin_lock(&e_lk); e++; pthread_spin_unlock(&e_lk); } /* DEADLOCK */
static void use_a(void) { pthread_rwlock_wrlock(&a_lk); a++; pthread_rwlock_unlock(&a_lk); } /* DEADLOCK */ /* SLEEP */

static void *ta(void *p) { pthread_rwlock_wrlock(&a_lk); use_b(); pthread_rwlock_unlock(&a_lk); return p; }
static void *tb(void *p) { pthread_rwlock_wrlock(&b_lk); use_c(); pthread_rwlock_unlock(&b_lk); return p; }
static void *tc(void *p) { pthread_mutex_lock(&c_lk); use_d(); pthread_mutex_unlock(&c_lk); return p; }
static void *td(void *p) { pthread_mutex_lock(&d_lk); use_e(); pthread_mutex_unlock(&d_lk); return p; }
static void *te(void *p)
{
    pthread_spin_lock(&e_lk);
    e++;
    use_a();
    pthread_spin_unlock(&e_lk);
    return p;
}

int main(void)
{
    pthread_t t[5];

    pthread_spin_init(&e_lk, 0);
    pthread_create(&t[0], NULL, ta, NULL);
    pthread_create(&t[1], NULL, tb, NULL);
    pthread_create(&t[2], NULL, tc, NULL);
    pthread_create(&t[3], NULL, td, NULL);
    pthread_create(&t[4], NULL, te, NULL);
    for (int i = 0; i < 5; i++)
        pthread_join(t[i], NULL);
    printf("%d\n", a + b + c + d + e);
    return 0;
}
