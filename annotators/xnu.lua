-- xnu: the kernel of Darwin (macOS, iOS): Mach, a BSD, and drivers written for it.
world {
    name = "xnu",
    detect = [[ lck_mtx_lock lck_mtx_unlock lck_mtx_lock_spin lck_mtx_try_lock lck_mtx_sleep lck_rw_lock_shared lck_rw_lock_exclusive
        lck_rw_done lck_rw_lock_shared_to_exclusive lck_spin_lock lck_spin_unlock lck_grp_alloc_init lck_mtx_alloc_init LCK_MTX_ASSERT
        IOLockLock IOLockUnlock IOSimpleLockLock kernel_thread_start thread_call_enter thread_call_allocate ]],
    least = 4,
}

-- Mutexes sleep; one that was taken to spin is still one.
lock { kind = "mutex", arg = 1, types = "lck_mtx_t", acquire = "lck_mtx_lock lck_mtx_lock_spin lck_mtx_lock_spin_always",
    try = "lck_mtx_try_lock lck_mtx_try_lock_spin lck_mtx_try_lock_spin_always", release = "lck_mtx_unlock",
    init = "lck_mtx_init", destroy = "lck_mtx_destroy" }
lock { kind = "mutex", arg = 1, when = { 2, "LCK_MTX_ASSERT_OWNED" }, asserts_held = "LCK_MTX_ASSERT lck_mtx_assert" }
lock { kind = "mutex", arg = 1, types = "lck_rw_t", acquire = "lck_rw_lock_exclusive", try = "lck_rw_try_lock_exclusive",
    release = "lck_rw_done lck_rw_unlock lck_rw_unlock_exclusive lck_rw_unlock_shared",
    downgrade = "lck_rw_lock_exclusive_to_shared", init = "lck_rw_init", destroy = "lck_rw_destroy" }
lock { kind = "mutex", arg = 1, shared = true, acquire = "lck_rw_lock_shared", try = "lck_rw_try_lock_shared" }
lock { kind = "mutex", arg = 1, when = { 2, "LCK_RW_TYPE_EXCLUSIVE" }, acquire = "lck_rw_lock", try = "lck_rw_try_lock" }
lock { kind = "mutex", arg = 1, when = { 2, "LCK_RW_TYPE_SHARED" }, shared = true, acquire = "lck_rw_lock", try = "lck_rw_try_lock" }
lock { kind = "mutex", arg = 1, upgrade = "lck_rw_lock_shared_to_exclusive", returns = "nonzero", retakes = false }
lock { kind = "mutex", arg = 1, types = "IOLock", acquire = "IOLockLock", try = "IOLockTryLock", release = "IOLockUnlock" }
lock { kind = "mutex", arg = 1, recursive = true, acquire = "IORecursiveLockLock", release = "IORecursiveLockUnlock" }

-- Locks that spin.
lock { kind = "spin", arg = 1, types = "lck_spin_t lck_ticket_t hw_lock_data_t hw_lck_ticket_t simple_lock_data_t",
    acquire = [[ lck_spin_lock lck_spin_lock_grp lck_spin_lock_nopreempt lck_ticket_lock lck_ticket_lock_nopreempt hw_lock_lock hw_lock_lock_nopreempt
        hw_lck_ticket_lock hw_lck_ticket_lock_nopreempt simple_lock simple_lock_nopreempt usimple_lock IOSimpleLockLock ]],
    try = "lck_spin_try_lock lck_spin_try_lock_grp lck_ticket_lock_try hw_lock_try hw_lck_ticket_lock_try simple_lock_try usimple_lock_try IOSimpleLockTryLock",
    release = [[ lck_spin_unlock lck_spin_unlock_nopreempt lck_ticket_unlock lck_ticket_unlock_nopreempt hw_lock_unlock hw_lock_unlock_nopreempt
        hw_lck_ticket_unlock hw_lck_ticket_unlock_nopreempt simple_unlock simple_unlock_nopreempt usimple_unlock IOSimpleLockUnlock ]],
    init = "lck_spin_init lck_ticket_init simple_lock_init", destroy = "lck_spin_destroy lck_ticket_destroy" }
lock { kind = "preemption", recursive = true, acquire = "disable_preemption mp_disable_preemption _disable_preemption",
    release = "enable_preemption mp_enable_preemption _enable_preemption" }
lock { kind = "interrupts", flags = "result", when = { 1, "FALSE" }, acquire = "ml_set_interrupts_enabled" }
lock { kind = "interrupts", flags = 1, when = { 1, "!FALSE" }, release = "ml_set_interrupts_enabled" }

-- Waits that let go of their lock; some do not take it back.
lock { kind = "mutex", arg = 1, when = { 2, "!LCK_SLEEP_UNLOCK" }, wait = "lck_mtx_sleep lck_mtx_sleep_deadline lck_rw_sleep lck_rw_sleep_deadline" }
lock { kind = "mutex", arg = 1, when = { 2, "LCK_SLEEP_UNLOCK" }, retakes = false,
    wait = "lck_mtx_sleep lck_mtx_sleep_deadline lck_rw_sleep lck_rw_sleep_deadline" }
lock { kind = "spin", arg = 1, when = { 2, "!LCK_SLEEP_UNLOCK" }, wait = "lck_spin_sleep lck_spin_sleep_grp lck_ticket_sleep" }
lock { kind = "spin", arg = 1, when = { 2, "LCK_SLEEP_UNLOCK" }, retakes = false, wait = "lck_spin_sleep lck_spin_sleep_grp lck_ticket_sleep" }
lock { kind = "mutex", arg = 2, when = { 3, "!PDROP" }, wait = "msleep msleep0 msleep1" }
lock { kind = "mutex", arg = 2, when = { 3, "PDROP" }, retakes = false, wait = "msleep msleep0 msleep1" }
lock { kind = "mutex", arg = 1, wait = "IOLockSleep IOLockSleepDeadline" }
blocks "tsleep tsleep0 copyin copyout copyinstr copyoutstr thread_block delay IOSleep vnode_getwithref VNOP_READ VNOP_WRITE"
noreturn "panic panic_with_options thread_terminate_self thread_exception_return thread_syscall_return thread_block_reason_noreturn"
noreturn { "thread_block", when = { 1, "!THREAD_CONTINUE_NULL", "!NULL" } } -- goes on in its continuation
allocates [[ kalloc kalloc_data kalloc_type kalloc_type_impl kheap_alloc zalloc zalloc_flags zalloc_permanent zalloc_id IOMalloc IOMallocType IOMallocData
    _MALLOC kmem_alloc ]]
frees "kfree IOFree"
frees { "zfree zfree_id kfree_type", arg = 2 }

-- what runs by itself --------------------------------------------------------------
registers { "kernel_thread_start kernel_thread_start_priority kernel_thread_create", arg = 1, data = 2, context = "thread" }
registers { "thread_call_allocate thread_call_allocate_with_priority thread_call_allocate_with_options thread_call_func_delayed", arg = 1, data = 2,
    object = "result", context = "work" }
registers { "timeout bsd_timeout", arg = 1, data = 2, context = "work" }
registers { "timer_call_setup", arg = 2, data = 3, object = 1, context = "interrupt" }
registers { field = "struct sysent.sy_call", context = "syscall" }
registers { field = "struct vnodeopv_entry_desc.opve_impl", context = "syscall" }

-- The table of system calls is made while building: they take a process, their arguments, and where the result goes.
annotate(function(program)
    for f in program:functions() do
        local types = f:parameters()
        if #types == 3 and match(types[1], "^(struct proc \\*|proc_t)$") and match(types[2], "_args \\*$") then mark(f, "multithreaded") end
        if match(f.file, "(^|/)(tests|libkdd|SETUP)/") then mark(f, "test") end
        if match(f.file, "(^|/)(locks|lock_rw|lock_mtx|lock_ticket|ticket_lock|lock_group|lock_ptr|gate|waitq|turnstile|hw_lock|kern_synch)\\.c$") then mark(f, "ignore") end
    end
    mark(program:functions "^(kernel_bootstrap|kernel_bootstrap_thread|bsd_init|machine_startup|arm_init|i386_init)$", "init")
end)

-- Logging, and what only complains, is called under every lock.
opaque "printf kprintf os_log os_log_error os_log_info log kern_os_log IOLog dprintf"

-- atomics, macros ------------------------------------------------------------------
atomic { "^(OS(Add|Increment|Decrement|BitAnd|BitOr|CompareAndSwap)Atomic\\w*|OSCompareAndSwap\\w*|os_atomic_\\w+|atomic_\\w+_explicit|os_ref_\\w+)$", arg = 1 }
asserts "assert KASSERT ASSERT VERIFY assertf release_assert"
keep "^os_atomic_\\w+$ current_thread current_proc current_task"
attribute [[ __single __bidi_indexable __counted_by __sized_by __unsafe_indexable __null_terminated __ended_by __header_indexable __terminated_by
    __unused __printflike __dead2 __pure2 __cold __startup_func __security_const_late __kpi_deprecated OS_NOINLINE OS_ALWAYS_INLINE ]]
define { KERNEL = 1, __APPLE__ = 1, XNU_KERNEL_PRIVATE = 1, MACH_KERNEL_PRIVATE = 1, BSD_KERNEL_PRIVATE = 1, PRIVATE = 1, MACH_BSD = 1 }
undefine "__linux__ __FreeBSD__ __cplusplus CONFIG_DTRACE_NONE"
