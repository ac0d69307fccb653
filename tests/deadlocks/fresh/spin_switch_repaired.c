#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

/* RTOS-like event register shared by tasks. */
typedef enum { EV_KEY = 1, EV_UART = 2, EV_ADC = 4, EV_ERR = 8 } event_t;

typedef struct {
    pthread_spinlock_t sl;
    uint32_t pending;
    uint32_t lost;
    int      err_latched;
} evreg_t;

static evreg_t evr;

static void ev_post(evreg_t *r, event_t e)
{
    pthread_spin_lock(&r->sl);
    if (r->pending & (uint32_t)e)
        r->lost++;
    r->pending |= (uint32_t)e;
    pthread_spin_unlock(&r->sl);
}

/* returns the most urgent event or 0 */
static int ev_take(evreg_t *r)
{
    event_t e;

    pthread_spin_lock(&r->sl);
    e = (event_t)(r->pending & -r->pending);
    r->pending &= ~(uint32_t)e;
    switch (e) {
    case EV_KEY:
    case EV_UART:
    case EV_ADC:
        break;
    case EV_ERR:
        r->err_latched = 1;
        pthread_spin_unlock(&r->sl);
        return -1;
    default:
        pthread_spin_unlock(&r->sl);
        return 0;
    }
    pthread_spin_unlock(&r->sl);
    return (int)e;
}

static void *isr_task(void *arg)
{
    static const event_t seq[] = { EV_KEY, EV_UART, EV_UART, EV_ADC };
    for (int i = 0; i < 40; i++)
        ev_post(&evr, seq[i % 4]);
    if (arg)
        ev_post(&evr, EV_ERR);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t;
    int handled = 0, e;

    pthread_spin_init(&evr.sl, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t, NULL, isr_task, argc > 1 ? argv : NULL);
    for (int i = 0; i < 200; i++) {
        e = ev_take(&evr);
        if (e < 0)
            break;
        handled += e != 0;
    }
    pthread_join(t, NULL);
    printf("%d events\n", handled);
    pthread_spin_destroy(&evr.sl);
    return 0;
}
