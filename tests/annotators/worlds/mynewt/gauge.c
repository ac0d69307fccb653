/* A gauge on a bus: a driver, its event, its pin. */
#include "os/mynewt.h"
#include "hal/hal_gpio.h"

struct gauge {
    struct os_mutex lock;
    struct os_sem ready;
    struct os_callout poll;
    int level, range, errors;
};

static struct gauge gauge;
static struct os_mutex bus;
static int edges, missed;

int gauge_read(struct gauge *g, int *level)
{
    int rc = os_mutex_pend(&g->lock, OS_TIMEOUT_NEVER);
    if (rc) {
        return rc;
    }
    if (g->range == 0) {
        return OS_EINVAL; /* LEAK */
    }
    *level = g->level;
    os_mutex_release(&g->lock);
    return 0;
}

int gauge_set(struct gauge *g, int range)
{
    int rc = os_mutex_pend(&g->lock, os_time_ms_to_ticks32(10));
    if (rc) {
        goto out;
    }
    g->range = range; /* NORACE */
out:
    os_mutex_release(&g->lock); /* UNHELD */
    return rc;
}

/* The mutex nests. */
int gauge_reset(struct gauge *g)
{
    int rc = os_mutex_pend(&g->lock, OS_WAIT_FOREVER);
    if (rc) {
        return rc;
    }
    g->errors = 0;
    g->level = 0;
    if (os_mutex_pend(&g->lock, OS_WAIT_FOREVER) == 0) { /* NODOUBLE-LOCK */
        g->range = 1;
        os_mutex_release(&g->lock);
    }
    os_mutex_release(&g->lock);
    return 0;
}

static void gauge_edge(void *arg)
{
    struct gauge *g = arg;
    edges++; /* NORACE */
    missed++; /* RACE */
    os_sem_release(&g->ready);
}

int gauge_edges(void)
{
    os_sr_t sr;
    int n;
    OS_ENTER_CRITICAL(sr);
    n = edges;
    edges = 0; /* NORACE */
    os_time_delay(1); /* SLEEP */
    OS_EXIT_CRITICAL(sr);
    missed = missed - n; /* RACE */
    return n;
}

int gauge_swap(struct gauge *g)
{
    os_mutex_pend(&bus, OS_TIMEOUT_NEVER);
    os_mutex_pend(&g->lock, OS_TIMEOUT_NEVER); /* DEADLOCK@a */
    g->level++;
    os_mutex_release(&g->lock);
    os_mutex_release(&bus);
    return 0;
}

static void gauge_poll(struct os_event *ev)
{
    struct gauge *g = ev->ev_arg;
    os_mutex_pend(&g->lock, OS_TIMEOUT_NEVER);
    os_mutex_pend(&bus, OS_TIMEOUT_NEVER); /* DEADLOCK@a */
    g->errors++;
    os_mutex_release(&bus);
    os_mutex_release(&g->lock);
    os_callout_reset(&g->poll, OS_TICKS_PER_SEC);
}

void gauge_init(void)
{
    os_mutex_init(&gauge.lock);
    os_mutex_init(&bus);
    os_sem_init(&gauge.ready, 0);
    os_callout_init(&gauge.poll, os_eventq_dflt_get(), gauge_poll, &gauge);
    hal_gpio_irq_init(3, gauge_edge, &gauge, HAL_GPIO_TRIG_RISING, HAL_GPIO_PULL_NONE);
}
