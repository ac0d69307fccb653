/* A valve: the kernel's lock, a mutex, a virtual timer, a handler. */
#include "ch.h"
#include "hal.h"

static mutex_t first, second;
static binary_semaphore_t done;
static virtual_timer_t tick;
static int opened, closed, beats, lost;
static I2CDriver I2CD1;

static void valve_tick(virtual_timer_t *vtp, void *arg)
{
    (void)vtp;
    (void)arg;
    chSysLockFromISR();
    beats++; /* NORACE */
    chBSemSignalI(&done);
    chVTSetI(&tick, 10, valve_tick, NULL);
    chSysUnlockFromISR();
    lost++; /* RACE */
}

int valve_beats(void)
{
    int n;
    chSysLock();
    n = beats;
    beats = 0; /* NORACE */
    chThdSleepMilliseconds(1); /* NOSLEEP */
    chSysUnlock();
    lost = lost - n; /* RACE */
    return n;
}

msg_t valve_open(int n)
{
    chMtxLock(&first);
    if (n < 0)
        return MSG_RESET; /* LEAK */
    chMtxLock(&second); /* DEADLOCK@a */
    opened += n;
    chMtxUnlock(&second);
    chMtxUnlock(&first);
    return MSG_OK;
}

void valve_close(int n)
{
    chMtxLock(&second);
    chMtxLock(&first); /* DEADLOCK@a */
    closed += n;
    chMtxUnlock(&first);
    chMtxUnlock(&second);
}

int valve_read(void)
{
    i2cAcquireBus(&I2CD1);
    if (i2cGetErrors(&I2CD1))
        return 0; /* LEAK */
    i2cReleaseBus(&I2CD1);
    return 1;
}

static THD_FUNCTION(valve_thread, arg)
{
    (void)arg;
    while (true) {
        chBSemWait(&done);
        valve_open(valve_beats());
    }
}

static THD_WORKING_AREA(area, 128);

void valve_start(void)
{
    chMtxObjectInit(&first);
    chMtxObjectInit(&second);
    chThdCreateStatic(area, sizeof(area), NORMALPRIO, valve_thread, NULL);
    chVTSet(&tick, 10, valve_tick, NULL);
}
