-- illumos: the kernel of illumos and Solaris, and drivers written for it.
world {
    name = "illumos",
    detect = [[ mutex_enter mutex_exit rw_enter cv_wait MUTEX_HELD mutex_tryenter cv_reltimedwait untimeout taskq_dispatch ddi_taskq_dispatch
        ddi_intr_add_handler ddi_add_intr ddi_get_soft_state ddi_soft_state_init ddi_get_instance sema_p sema_v cmn_err
        kmem_zalloc thread_create mod_install qprocson putnext allocb RW_WRITE_HELD disp_lock_enter ndi_devi_enter ]],
    least = 4,
}

-- Mutexes block for as long as their holder runs; interrupts are threads and take them, too.
lock { kind = "adaptive", arg = 1, types = "kmutex_t struct mutex", acquire = "mutex_enter", try = "mutex_tryenter", release = "mutex_exit",
    init = "mutex_init", destroy = "mutex_destroy", owned = "mutex_owned MUTEX_HELD" }
lock { kind = "adaptive", arg = 1, when = { 2, "!RW_READER", "!RW_READER_STARVEWRITER" }, types = "krwlock_t", acquire = "rw_enter", try = "rw_tryenter" }
lock { kind = "adaptive", arg = 1, when = { 2, "^RW_READER(_STARVEWRITER)?$" }, shared = true, acquire = "rw_enter", try = "rw_tryenter" }
lock { kind = "adaptive", arg = 1, release = "rw_exit", downgrade = "rw_downgrade", init = "rw_init", destroy = "rw_destroy",
    owned = "rw_write_held rw_lock_held rw_read_held RW_WRITE_HELD RW_LOCK_HELD RW_READ_HELD RW_ISWRITER" }
lock { kind = "adaptive", arg = 1, upgrade = "rw_tryupgrade", returns = "nonzero" }
lock { kind = "semaphore", arg = 1, types = "ksema_t", acquire = "sema_p", try = "sema_tryp", release = "sema_v", destroy = "sema_destroy" }
lock { kind = "semaphore", arg = 1, returns = "zero", acquire = "sema_p_sig" }
lock { kind = "semaphore", arg = 1, count = 2, init = "sema_init" }

-- The dispatcher's locks spin, with interrupts of most levels off. A thread is locked through what it waits in.
lock { kind = "spin", arg = 1, disables = "interrupts", types = "disp_lock_t lock_t", acquire = "disp_lock_enter disp_lock_enter_high",
    release = "disp_lock_exit disp_lock_exit_high disp_lock_exit_nopreempt", init = "disp_lock_init", destroy = "disp_lock_destroy", owned = "DISP_LOCK_HELD" }
lock { kind = "spin", arg = 1, disables = "interrupts", member = "t_lockp", acquire = "thread_lock thread_lock_high",
    release = "thread_unlock thread_unlock_high thread_unlock_nopreempt", owned = "THREAD_LOCK_HELD" }
lock { kind = "spin", arg = 1, acquire = "lock_set", try = "lock_try ulock_try lock_spin_try", release = "lock_clear ulock_clear" }
lock { kind = "spin", arg = 1, flags = 3, disables = "interrupts", acquire = "lock_set_spl" }
lock { kind = "spin", arg = 1, flags = 2, disables = "interrupts", release = "lock_clear_splx" }
lock { kind = "preemption", recursive = true, acquire = "kpreempt_disable thread_affinity_set", release = "kpreempt_enable thread_affinity_clear" }
lock { kind = "interrupts", flags = "result", acquire = "splhi splhigh splnet spl6 spl7 spl8 splimp splzs splr intr_clear disable_vec_intr ddi_enter_critical",
    release_on_block = true }
lock { kind = "interrupts", flags = 1, release = "splx spl0 intr_restore enable_vec_intr ddi_exit_critical" }
-- Who configures the children of a device.
lock { kind = "mutex", arg = 1, recursive = true, acquire = "ndi_devi_enter", try = "ndi_devi_tryenter", release = "ndi_devi_exit", owned = "DEVI_BUSY_OWNED" }

-- Waits that let go of the mutex meanwhile.
lock { kind = "adaptive", arg = 2, wait = [[ cv_wait cv_wait_sig cv_wait_sig_swap cv_wait_sig_swap_core cv_wait_stop cv_timedwait cv_timedwait_sig
    cv_timedwait_hires cv_timedwait_sig_hires cv_timedwait_sig_hrtime cv_reltimedwait cv_reltimedwait_sig cv_waituntil_sig ]] }
blocks [[ delay delay_sig copyin copyout copyinstr copyoutstr ddi_copyin ddi_copyout uiomove xcopyin xcopyout taskq_wait
    ddi_taskq_wait biowait qwait qwait_sig allocb_wait ]]
blocks { "kmem_alloc kmem_zalloc kmem_cache_alloc", when = { 2, "KM_SLEEP", "!KM_NOSLEEP" } }
blocks { "vmem_alloc", when = { 3, "VM_SLEEP" } }
allocates "kmem_alloc kmem_zalloc kmem_cache_alloc vmem_alloc kmem_asprintf strdup allocb kobj_alloc kobj_zalloc"
frees "kmem_free freeb freemsg kobj_free"
frees { "kmem_cache_free", arg = 2 }
noreturn "panic thread_exit zthread_exit lwp_exit vpanic exit fm_panic mutex_panic assfail assfail3"
noreturn { "cmn_err", when = { 1, "CE_PANIC" } }

-- what runs by itself --------------------------------------------------------------
registers { "thread_create lwp_kernel_create", arg = 3, data = 4, object = "result", context = "thread" }
registers { "zthread_create", arg = 3, data = 4, object = "result", context = "thread" }
registers { "newproc", arg = 1, data = 2, context = "thread" }
registers { "taskq_dispatch ddi_taskq_dispatch", arg = 2, data = 3, object = 1, context = "work" }
registers { "taskq_dispatch_ent", arg = 2, data = 3, object = 1, context = "work" }
registers { "timeout", arg = 1, data = 2, object = "result", context = "work" } -- by threads of a task queue
registers { "realtime_timeout", arg = 1, data = 2, object = "result", context = "timer" }
registers { "timeout_default timeout_generic", arg = 2, data = 3, object = "result", context = "work" }
registers { "qtimeout qbufcall", arg = 2, data = 3, object = "result", context = "work" }
registers { "bufcall", arg = 3, data = 4, object = "result", context = "work" }
registers { "ddi_periodic_add", arg = 1, data = 2, object = "result", context = "work" }
registers { "ddi_intr_add_handler", arg = 2, data = 3, object = 1, context = "interrupt" }
registers { "ddi_add_intr", arg = 5, data = 6, object = 2, context = "interrupt" }
registers { "ddi_intr_add_softint", arg = 4, data = 5, object = 2, context = "softirq" }
registers { "ddi_add_softintr", arg = 6, data = 7, object = 3, context = "softirq" }
registers { "add_softintr", arg = 2, data = 3, context = "softirq" }
registers { "callb_add", arg = 1, data = 2, context = "thread" }
registers { "xc_call xc_sync xc_call_nowait", arg = 5, context = "interrupt" }
joins { "untimeout untimeout_generic", arg = 1, context = "work" }
joins { "quntimeout", arg = 2, context = "work" }
joins { "ddi_periodic_delete", arg = 1, context = "work" }
joins { "taskq_wait taskq_destroy ddi_taskq_wait ddi_taskq_destroy", arg = 1, context = "work" }
joins { "ddi_intr_remove_handler", arg = 1, context = "interrupt" }
joins { "ddi_remove_intr", arg = 2, context = "interrupt" }
joins { "ddi_intr_remove_softint ddi_remove_softintr", arg = 1, context = "softirq" }
joins { "thread_join", arg = 1, context = "thread" }

-- Tables of operations that system calls go through; the framework attaches one instance at a time.
for _, table in ipairs(words "cb_ops vnodeops fs_operation_def sonodeops sock_downcalls_s") do
    registers { field = "struct " .. table, context = "syscall" }
end
registers { field = "struct sysent.sy_callc", context = "syscall" }
registers { field = "struct sysent.sy_call", context = "syscall" }
registers { field = "fs_operation_def_t.func", context = "syscall" }
annotate(function(program)
    mark(program:functions "^(main|_init)$", "init")
    mark(program:functions "^([a-z]+sys(32|64)?|loadable_syscall|post_syscall|stropen|strclose|strread|strwrite|strioctl)$", "multithreaded")
    local calls = { program:stored_in "struct dev_ops.devo_attach", program:stored_in "struct dev_ops.devo_probe" }
    mark(calls, "init")
    mark(calls, "attach")
    for f in program:functions() do
        if match(f.file, "(^|/)(mutex|rwlock|condvar|semaphore|turnstile|sleepq|disp_lock|disp|taskq|callout|lockstat)\\.c$") then mark(f, "ignore") end
    end
end)

-- Logging, and what only complains, is called under every lock.
opaque "printf vprintf uprintf cmn_err vcmn_err zcmn_err dev_err prom_printf kmem_error log_sendmsg strlog vcmn_err_zone debug_enter scsi_log fm_ereport_post"

-- atomics, macros ------------------------------------------------------------------
atomic { "^atomic_(add|sub|and|or|inc|dec|swap|cas|set|clear)_(8|16|32|64|char|uchar|short|ushort|int|uint|long|ulong|ptr|long_excl)(_nv|_excl)?$", arg = 1 }
atomic { "cas32 cas64 casptr caslong atomic_add_long", arg = 1 }
asserts "ASSERT VERIFY ASSERT0 ASSERT64 ASSERT32"
keep { "curthread", type = "kthread_t *" }
percpu "curthread CPU"
keep "^(DTRACE_PROBE|SDT_PROBE|DTRACE_\\w+|TNF_PROBE_[0-9])\\d*$ dprintf min max MIN MAX P2ROUNDUP howmany roundup"
attribute [[ _NOTE NOTE MUTEX_PROTECTS_DATA RWLOCK_PROTECTS_DATA DATA_READABLE_WITHOUT_LOCK SCHEME_PROTECTS_DATA LOCK_ORDER
    ASSUMING_PROTECTED NO_COMPETING_THREADS_NOW COMPETING_THREADS_NOW __unused __GNU_UNUSED __PRINTFLIKE __KPRINTFLIKE __VPRINTFLIKE
    ARGSUSED ]]
define { _KERNEL = 1, __sun = 1, sun = 1, __SVR4 = 1, __illumos__ = 1, DEBUG = 1 }
undefine "__linux__ __linux __gnu_linux__ __GLIBC__ _BOOT _KMDB"
