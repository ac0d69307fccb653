-- sel4: the seL4 kernel (one lock around it, on several cores), and programs on it with libsel4sync.
world {
    name = "sel4",
    detect = [[ NODE_LOCK clh_lock_acquire clh_lock_release clh_is_self_in_queue seL4_Wait seL4_Signal seL4_Call seL4_Send seL4_Recv
        seL4_Poll seL4_TCB_Resume sync_mutex_lock sync_mutex_unlock sync_bin_sem_wait sync_bin_sem_post sync_sem_wait sync_cv_wait
        sel4utils_start_thread sel4utils_configure_thread setThreadState rescheduleRequired ]],
    least = 3,
}

-- The kernel runs with interrupts off and under this.
lock { kind = "spin", global = "big_kernel_lock", disables = "interrupts", acquire = "NODE_LOCK clh_lock_acquire", release = "clh_lock_release",
    test = "clh_is_self_in_queue" }
-- Words without arguments, which become calls.
define {
    NODE_UNLOCK = "clh_lock_release()", NODE_LOCK_SYS = "NODE_LOCK(0)", NODE_LOCK_IRQ = "NODE_LOCK(1)",
    NODE_UNLOCK_IF_HELD = "do { if (clh_is_self_in_queue()) { clh_lock_release(); } } while (0)",
    ["NODE_LOCK_IF(condition, path)"] = "do { if (condition) { NODE_LOCK(path); } } while (0)",
    ["NODE_LOCK_SYS_IF(condition)"] = "NODE_LOCK_IF(condition, 0)", ["NODE_LOCK_IRQ_IF(condition)"] = "NODE_LOCK_IF(condition, 1)",
    ENABLE_SMP_SUPPORT = 1,
}

-- libsel4sync ------------------------------------------------------------------------
lock { kind = "mutex", arg = 1, returns = "zero", types = "sync_mutex_t", acquire = "sync_mutex_lock", release = "sync_mutex_unlock",
    init = "sync_mutex_init sync_mutex_new", destroy = "sync_mutex_destroy" }
lock { kind = "mutex", arg = 1, recursive = true, returns = "zero", types = "sync_recursive_mutex_t", acquire = "sync_recursive_mutex_lock",
    release = "sync_recursive_mutex_unlock", init = "sync_recursive_mutex_init sync_recursive_mutex_new" }
lock { kind = "semaphore", arg = 1, count = 3, returns = "zero", types = "sync_bin_sem_t sync_sem_t", acquire = "sync_bin_sem_wait sync_sem_wait",
    try = "sync_sem_trywait", release = "sync_bin_sem_post sync_sem_post", init = "sync_bin_sem_init sync_sem_init sync_bin_sem_new sync_sem_new",
    destroy = "sync_bin_sem_destroy sync_sem_destroy" }
lock { kind = "semaphore", arg = 1, wait = "sync_cv_wait" } -- sync_cv_wait(lock, variable)
lock { kind = "spin", arg = 1, acquire = "sync_spinlock_lock", try = "sync_spinlock_trylock", release = "sync_spinlock_unlock" }
-- A notification is a semaphore that mostly signals.
lock { kind = "semaphore", arg = 1, acquire = "seL4_Wait", try = "seL4_Poll", release = "seL4_Signal" }
blocks "seL4_Wait seL4_Recv seL4_Call seL4_ReplyRecv seL4_Send seL4_WaitWithMRs seL4_RecvWithMRs seL4_CallWithMRs seL4_Yield sync_cv_wait"
constant { seL4_NoError = 0 }

-- what runs by itself -----------------------------------------------------------------
registers { "sel4utils_start_thread", arg = 2, data = 3, object = 1, context = "thread" }
registers { "sel4utils_start_fault_handler", arg = 1, context = "thread" }
noreturn [[ restore_user_context halt fail _fail idle_thread slowpath fastpath_restore kernel_panic seL4_DebugHalt ZF_LOGF __builtin_unreachable UNREACHABLE ]]
asserts "assert seL4_Assert"
attribute [[ VISIBLE NORETURN BOOT_CODE BOOT_DATA BOOT_RODATA BOOT_BSS CONST PURE FORCE_INLINE NO_INLINE SECTION ALIGN PHYS_CODE UNUSED
    FASTCALL LIBSEL4_INLINE LIBSEL4_INLINE_FUNC compile_assert unverified_compile_assert SEL4_COMPILE_ASSERT ]]
keep "printf kprintf userError ^ZF_LOG[VDIWE]$"
percpu { "NODE_STATE ARCH_NODE_STATE MODE_NODE_STATE", arg = 1 }
percpu { "NODE_STATE_ON_CORE ARCH_NODE_STATE_ON_CORE MODE_NODE_STATE_ON_CORE", arg = 1, other = true }

annotate(function(program)
    mark("^c_handle_|^handle(Syscall|InterruptEntry|UnknownSyscall|UserLevelFault|VMFaultEvent)$", "multithreaded")
    mark("^(init_kernel|try_init_kernel|try_init_kernel_secondary_core|boot_sys|boot_node|init_core_state)$", "init")
end)
