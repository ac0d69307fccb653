-- chibios: ChibiOS/RT and /NIL, its HAL, and programs for them.
world {
    name = "chibios",
    detect = [[ chMtxLock chMtxUnlock chSysLock chSysUnlock chSysLockFromISR chSysUnlockFromISR chThdCreateStatic chThdSleepMilliseconds
        chSemWait chSemSignal chBSemWait chBSemSignal chEvtSignal chEvtWaitAny chVTSet chVTSetI chMBFetchTimeout chRegSetThreadName
        osalSysLock osalSysUnlock osalSysLockFromISR osalMutexLock osalDbgCheck osalThreadSuspendS chDbgAssert ]],
    headers = "ch.h hal.h osal.h",
    least = 3,
}

-- The kernel's lock: handlers below it stay out, and so do other threads. Whoever sleeps with it (chThdSleepS) has it
-- again when it goes on; others had it meanwhile. Nobody waits for it.
local enter, leave = "chSysLock osalSysLock chSysLockFromISR osalSysLockFromISR chSysUnconditionalLock chSysDisable chSysSuspend osalSysDisable",
    "chSysUnlock osalSysUnlock chSysUnlockFromISR osalSysUnlockFromISR chSysUnconditionalUnlock chSysEnable osalSysEnable"
lock { kind = "interrupts", everywhere = true, release_on_block = true, acquire = enter, release = leave }
lock { kind = "interrupts", everywhere = true, release_on_block = true, flags = "result", acquire = "chSysGetStatusAndLockX osalSysGetStatusAndLockX" }
lock { kind = "interrupts", everywhere = true, release_on_block = true, flags = 1, release = "chSysRestoreStatusX osalSysRestoreStatusX" }

lock { kind = "mutex", arg = 1, types = "mutex_t Mutex struct ch_mutex", acquire = "chMtxLock chMtxLockS osalMutexLock",
    try = "chMtxTryLock chMtxTryLockS", release = "chMtxUnlock chMtxUnlockS osalMutexUnlock", init = "chMtxObjectInit osalMutexObjectInit" }
lock { kind = "semaphore", arg = 1, count = 2, returns = "zero", types = "semaphore_t Semaphore", acquire = "chSemWait chSemWaitS",
    release = "chSemSignal chSemSignalI", init = "chSemObjectInit chSemInit" }
lock { kind = "semaphore", arg = 1, returns = "zero", types = "binary_semaphore_t BinarySemaphore", acquire = "chBSemWait chBSemWaitS",
    release = "chBSemSignal chBSemSignalI", init = "chBSemObjectInit chBSemInit" }
lock { kind = "semaphore", arg = 1, returns = "zero", timed = true,
    acquire = "chSemWaitTimeout chSemWaitTimeoutS chBSemWaitTimeout chBSemWaitTimeoutS" }
-- A bus is for one thread at a time.
lock { kind = "mutex", arg = 1, acquire = "i2cAcquireBus spiAcquireBus adcAcquireBus uartAcquireBus canAcquireBus wspiAcquireBus flashAcquireExclusive",
    release = "i2cReleaseBus spiReleaseBus adcReleaseBus uartReleaseBus canReleaseBus wspiReleaseBus flashReleaseExclusive" }

blocks [[ chThdSleep chThdSleepMilliseconds chThdSleepMicroseconds chThdSleepSeconds chThdSleepUntil chThdSleepUntilWindowed chThdWait
    chEvtWaitAny chEvtWaitOne chEvtWaitAll chMsgWait chMsgSend chMBFetch chMBPost chMBPostTimeout chMBFetchTimeout
    osalThreadSleepMilliseconds osalThreadSleepMicroseconds osalThreadSleepSeconds ]]

registers { "chThdCreateStatic", arg = 4, data = 5, object = "result", context = "thread" }
registers { "chThdCreateFromHeap", arg = 5, data = 6, object = "result", context = "thread" }
registers { "chThdCreateFromMemoryPool", arg = 4, data = 5, object = "result", context = "thread" }
joins { "chThdWait", arg = 1, context = "thread" }
registers { "chVTSet chVTSetI chVTDoSetI", arg = 3, data = 4, object = 1, context = "interrupt" }
registers { "palSetLineCallback", arg = 2, data = 3, object = 1, context = "interrupt" }
registers { "palSetPadCallback", arg = 3, data = 4, object = 1, context = "interrupt" }
definition { "CH_IRQ_HANDLER OSAL_IRQ_HANDLER CH_FAST_IRQ_HANDLER OSAL_FAST_IRQ_HANDLER PORT_IRQ_HANDLER", text = [=[[[rx::mark("interrupt")]] void $1(void)]=] }
definition { "THD_FUNCTION", text = "void $1(void *$2)" }
keep "CH_IRQ_PROLOGUE CH_IRQ_EPILOGUE OSAL_IRQ_PROLOGUE OSAL_IRQ_EPILOGUE"
asserts "osalDbgCheck osalDbgAssert chDbgCheck chDbgAssert"
noreturn "chSysHalt osalSysHalt chThdExit"
allocates "chHeapAlloc chPoolAlloc chCoreAlloc chGuardedPoolAllocTimeout"
frees "chHeapFree"
constant { MSG_OK = 0, MSG_TIMEOUT = -1, MSG_RESET = -2 }
