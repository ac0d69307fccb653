/* A feeder: two threads and a timer. */
#include "tx_api.h"

static TX_MUTEX hopper, belt;
static TX_SEMAPHORE full;
static TX_THREAD thread;
static TX_TIMER timer;
static ULONG grains, ticks, spilt;

UINT feeder_fill(ULONG n)
{
    UINT status = tx_mutex_get(&hopper, TX_WAIT_FOREVER);
    if (status != TX_SUCCESS)
        return status;
    tx_mutex_get(&hopper, TX_WAIT_FOREVER); /* NODOUBLE-LOCK */
    grains += n;
    tx_mutex_put(&hopper);
    tx_mutex_get(&belt, TX_WAIT_FOREVER); /* DEADLOCK@a */
    tx_mutex_put(&belt);
    tx_mutex_put(&hopper);
    return TX_SUCCESS;
}

UINT feeder_look(ULONG *n)
{
    UINT status = tx_mutex_get(&belt, TX_WAIT_FOREVER);
    if (status != TX_SUCCESS)
        return status;
    if (!n)
        return TX_PTR_ERROR; /* LEAK */
    *n = 1;
    return tx_mutex_put(&belt);
}

void feeder_move(void)
{
    tx_mutex_get(&belt, TX_WAIT_FOREVER);
    if (tx_mutex_get(&hopper, TX_NO_WAIT) == TX_SUCCESS) /* NODEADLOCK */
        tx_mutex_put(&hopper);
    tx_mutex_get(&hopper, TX_WAIT_FOREVER); /* DEADLOCK@a */
    grains--;
    tx_mutex_put(&hopper);
    tx_mutex_put(&belt);
}

static VOID feeder_tick(ULONG input)
{
    (void)input;
    ticks++; /* NORACE */
    spilt++; /* RACE */
    tx_semaphore_put(&full);
}

ULONG feeder_ticks(void)
{
    TX_INTERRUPT_SAVE_AREA
    ULONG n;

    TX_DISABLE
    n = ticks;
    ticks = 0; /* NORACE */
    tx_thread_sleep(1); /* SLEEP */
    TX_RESTORE
    spilt = spilt - n; /* RACE */
    return n;
}

static VOID feeder_entry(ULONG input)
{
    while (input) {
        tx_semaphore_get(&full, TX_WAIT_FOREVER);
        feeder_fill(feeder_ticks());
        feeder_move();
    }
}

void tx_application_define(void *memory)
{
    tx_mutex_create(&hopper, "hopper", TX_NO_INHERIT);
    tx_mutex_create(&belt, "belt", TX_NO_INHERIT);
    tx_thread_create(&thread, "feeder", feeder_entry, 1, memory, 1024, 4, 4, TX_NO_TIME_SLICE, TX_AUTO_START);
    tx_timer_create(&timer, "tick", feeder_tick, 0, 1, 1, TX_AUTO_ACTIVATE);
}
