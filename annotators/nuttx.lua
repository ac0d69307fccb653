-- nuttx: Apache NuttX, its drivers and programs for it, which use pthreads as well.
world {
    name = "nuttx",
    detect = [[ nxmutex_lock nxmutex_unlock nxsem_wait nxsem_post nxsem_wait_uninterruptible nxrmutex_lock nxrmutex_unlock
        enter_critical_section leave_critical_section irq_attach work_queue wd_start kthread_create kmm_malloc kmm_zalloc
        up_irq_save up_irq_restore net_lock net_unlock nxmutex_init nxsem_init ]],
    headers = "nuttx/config.h nuttx/mutex.h nuttx/semaphore.h nuttx/spinlock.h nuttx/irq.h",
    least = 2,
    hides = "linux", -- spin_lock_irqsave, down_read and kmm's cousins have other arguments here
}
preset "pthreads"

-- interrupts and the scheduler ---------------------------------------------------
-- A critical section is a thread's own: it nests, and is let go while the thread waits.
lock { kind = "interrupts", everywhere = true, flags = "result", release_on_block = true, acquire = "enter_critical_section enter_critical_section_wo_note enter_critical_section_notrace" }
lock { kind = "interrupts", everywhere = true, flags = 1, release = "leave_critical_section leave_critical_section_wo_note leave_critical_section_notrace" }
lock { kind = "interrupts", everywhere = true, flags = "result", acquire = "up_irq_save" }
lock { kind = "interrupts", everywhere = true, flags = 1, release = "up_irq_restore" }
lock { kind = "interrupts", everywhere = true, acquire = "up_irq_disable", release = "up_irq_enable" }
-- Nobody is scheduled meanwhile, unless the holder waits; no more with interrupts off. Nobody waits for it, hence
-- `timed`.
lock { kind = "spin", global = "scheduler", recursive = true, timed = true, release_on_block = true,
    acquire = "sched_lock sched_lock_wo_note sched_lock_notrace enter_critical_section", release = "sched_unlock sched_unlock_wo_note sched_unlock_notrace leave_critical_section" }

-- spin locks; _nopreempt keeps the scheduler off, rspin_ nests
lock { kind = "spin", arg = 1, types = "spinlock_t rspinlock_t rwlock_t seqcount_t",
    acquire = "spin_lock spin_lock_wo_note spin_lock_notrace spin_lock_nopreempt spin_lock_bh raw_spin_lock",
    try = "spin_trylock spin_trylock_wo_note spin_trylock_notrace raw_spin_trylock",
    release = "spin_unlock spin_unlock_wo_note spin_unlock_notrace spin_unlock_nopreempt spin_unlock_bh raw_spin_unlock",
    init = "spin_lock_init spin_initialize rwlock_init", test = "spin_is_locked" }
lock { kind = "spin", arg = 1, disables = "interrupts", flags = "result",
    acquire = "spin_lock_irqsave spin_lock_irqsave_wo_note spin_lock_irqsave_notrace spin_lock_irqsave_nopreempt raw_spin_lock_irqsave" }
lock { kind = "spin", arg = 1, disables = "interrupts", flags = 2,
    release = "spin_unlock_irqrestore spin_unlock_irqrestore_wo_note spin_unlock_irqrestore_notrace spin_unlock_irqrestore_nopreempt raw_spin_unlock_irqrestore" }
lock { kind = "spin", arg = 1, disables = "interrupts", flags = 2, try = "spin_trylock_irqsave" }
lock { kind = "spin", arg = 1, recursive = true, acquire = "rspin_lock rspin_lock_nopreempt", try = "rspin_trylock",
    release = "rspin_unlock rspin_unlock_nopreempt", init = "rspin_lock_init" }
lock { kind = "spin", arg = 1, recursive = true, disables = "interrupts", flags = "result",
    acquire = "rspin_lock_irqsave rspin_lock_irqsave_nopreempt" }
lock { kind = "spin", arg = 1, recursive = true, disables = "interrupts", flags = 2,
    release = "rspin_unlock_irqrestore rspin_unlock_irqrestore_nopreempt" }
for mode, shared in pairs { read = true, write = false } do
    lock { kind = "spin", arg = 1, shared = shared, recursive = shared, acquire = mode .. "_lock", try = mode .. "_trylock",
        release = mode .. "_unlock" }
    lock { kind = "spin", arg = 1, shared = shared, recursive = shared, disables = "interrupts", flags = "result",
        acquire = mode .. "_lock_irqsave" }
    lock { kind = "spin", arg = 1, shared = shared, recursive = shared, disables = "interrupts", flags = 2,
        release = mode .. "_unlock_irqrestore" }
end

-- mutexes and semaphores: 0 when they have it ---------------------------------------------
lock { kind = "mutex", arg = 1, returns = "zero", fails = "negative", types = "mutex_t", acquire = "nxmutex_lock", try = "nxmutex_trylock",
    release = "nxmutex_unlock nxmutex_reset", init = "nxmutex_init", destroy = "nxmutex_destroy", test = "nxmutex_is_locked nxmutex_is_hold" }
lock { kind = "mutex", arg = 1, returns = "zero", fails = "negative", timed = true, acquire = "nxmutex_timedlock nxmutex_clocklock nxmutex_ticklock" }
lock { kind = "mutex", arg = 1, recursive = true, returns = "zero", fails = "negative", types = "rmutex_t", acquire = "nxrmutex_lock", try = "nxrmutex_trylock",
    release = "nxrmutex_unlock nxrmutex_reset", init = "nxrmutex_init", destroy = "nxrmutex_destroy", test = "nxrmutex_is_locked nxrmutex_is_hold" }
lock { kind = "mutex", arg = 1, recursive = true, returns = "zero", fails = "negative", timed = true, acquire = "nxrmutex_timedlock nxrmutex_clocklock nxrmutex_ticklock" }
-- However often it was taken.
lock { kind = "mutex", arg = 1, recursive = true, release = "nxrmutex_breaklock nxmutex_breaklock",
    acquire = "nxrmutex_restorelock nxmutex_restorelock" }
lock { kind = "semaphore", arg = 1, count = 3, returns = "zero", fails = "negative", acquire = "nxsem_wait nxsem_wait_uninterruptible", try = "nxsem_trywait",
    release = "nxsem_post", init = "nxsem_init", destroy = "nxsem_destroy" }
lock { kind = "semaphore", arg = 1, returns = "zero", fails = "negative", timed = true,
    acquire = [[ nxsem_timedwait nxsem_clockwait nxsem_tickwait nxsem_tickwait_uninterruptible nxsem_timedwait_uninterruptible
        nxsem_clockwait_uninterruptible ]] }
lock { kind = "mutex", arg = 1, shared = true, types = "rw_semaphore_t", acquire = "down_read", try = "down_read_trylock", release = "up_read" }
lock { kind = "mutex", arg = 1, acquire = "down_write", try = "down_write_trylock", release = "up_write", init = "init_rwsem",
    destroy = "destroy_rwsem" }
lock { kind = "mutex", arg = 2, wait = "nxcond_wait pthread_cond_wait" }
lock { kind = "mutex", arg = 2, wait = "nxcond_timedwait nxcond_clockwait nxcond_tickwait" }
blocks [[ nxsig_usleep nxsig_sleep nxsig_nanosleep nxsched_usleep nxsched_sleep nxsched_msleep nxsig_timedwait nxsig_wait
    nxevent_wait nxmq_receive nxmq_send file_mq_receive file_mq_send file_read file_write file_poll net_sem_wait
    net_sem_timedwait nxsched_waitpid ]]
constant { OK = 0, ERROR = -1 }

-- what runs by itself -----------------------------------------------------------------
registers { "irq_attach irq_attach_thread", arg = 2, data = 3, parameter = 3, object = 1, context = "interrupt" }
registers { "irq_attach_thread", arg = 3, context = "thread" }
registers { "irq_attach_wqueue", arg = 3, context = "work" }
registers { "up_timer_initialize", arg = 1, context = "init" }
-- Watchdogs end in the clock's handler.
registers { "wd_start wd_start_abstick wd_start_absolute wd_start_realtime wd_start_next", arg = 3, data = 4, object = 1, context = "interrupt" }
registers { "hrtimer_init", arg = 2, object = 1, context = "interrupt" }
registers { "work_queue", arg = 3, data = 4, object = 2, context = "work" }
registers { "work_queue_next work_queue_pri", arg = 3, data = 4, object = 2, context = "work" }
registers { "kthread_create task_create", arg = 4, object = "result", context = "thread" }
registers { "kthread_create_with_stack task_create_with_stack", arg = 5, object = "result", context = "thread" }
registers { "nxtask_create nxthread_create", arg = 5, context = "thread" }
registers { "task_spawn", arg = 2, context = "thread" }
registers { "sched_addreader", arg = 1, context = "work" }
joins { "work_cancel_sync", arg = 2, context = "work" }
-- Tables of operations that system calls go through.
for _, table in ipairs(words [[ file_operations mountpt_operations block_operations sock_intf_s uart_ops_s mtd_dev_s i2c_ops_s spi_ops_s
    audio_ops_s sensor_ops_s rtc_ops_s pwm_ops_s adc_ops_s can_ops_s timer_ops_s watchdog_ops_s gpio_operations_s ]]) do
    registers { field = "struct " .. table, context = "syscall" }
end

-- the rest --------------------------------------------------------------------------
allocates "kmm_malloc kmm_zalloc kmm_calloc kmm_realloc kmm_memalign kumm_malloc kumm_zalloc lib_malloc lib_zalloc fs_heap_malloc fs_heap_zalloc"
frees "kmm_free kumm_free lib_free fs_heap_free"
noreturn "PANIC PANIC_WITH_REGS up_systemreset"
asserts "DEBUGASSERT ASSERT VERIFY DEBUGVERIFY"
percpu "this_cpu this_task nxsched_self up_cpu_index this_irq_cpu running_task"
container "container_of"
iterator { "sq_for_every sq_for_every_safe dq_for_every list_for_every list_for_every_entry list_for_every_entry_safe", var = 2 }
keep "^_?(err|warn|info|alert)$ ^[a-z0-9]+(err|warn|info|dbg)$ syslog"
attribute "FAR CODE NEAR DSEG noinline_function inline_function noreturn_function locate_code locate_data begin_packed_struct end_packed_struct weak_function"
undefine "CONFIG_DISABLE_PTHREAD CONFIG_SPINLOCK_PROFILE ^CONFIG_DISABLE_"
define { __NuttX__ = 1 }
