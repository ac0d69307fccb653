-- netbsd: the NetBSD kernel, from the simple_lock of 1.x to now, and drivers written for it.
world {
    name = "netbsd",
    detect = [[ mutex_enter mutex_exit mutex_spin_enter mutex_spin_exit mutex_obj_alloc mutex_obj_free rw_enter cv_wait cv_timedwait_sig
        KERNEL_LOCK KERNEL_UNLOCK_ONE callout_setfunc callout_schedule callout_halt softint_establish softint_schedule
        workqueue_enqueue pserialize_read_enter psref_acquire aprint_error_dev aprint_normal_dev device_private
        kpreempt_disable simple_lock simple_unlock mtsleep ltsleep ]],
    least = 4,
}
preset "bsd"

-- Mutexes block for as long as their holder runs: handlers take them, too. Those made for a high level spin at it.
lock { kind = "adaptive", arg = 1, types = "kmutex_t struct kmutex", acquire = "mutex_enter", try = "mutex_tryenter", release = "mutex_exit",
    init = "mutex_init", destroy = "mutex_destroy", owned = "mutex_owned mutex_ownable" }
lock { kind = "adaptive", arg = 1, disables = "interrupts", sleepless = true, acquire = "mutex_spin_enter", release = "mutex_spin_exit" }
lock { kind = "adaptive", arg = 1, when = { 2, "!RW_READER" }, types = "krwlock_t struct krwlock", acquire = "rw_enter", try = "rw_tryenter" }
lock { kind = "adaptive", arg = 1, when = { 2, "RW_READER" }, shared = true, acquire = "rw_enter", try = "rw_tryenter" }
lock { kind = "adaptive", arg = 1, release = "rw_exit", downgrade = "rw_downgrade", init = "rw_init", destroy = "rw_destroy",
    owned = "rw_write_held rw_lock_held rw_read_held" }
lock { kind = "adaptive", arg = 1, upgrade = "rw_tryupgrade", returns = "nonzero" }
lock { kind = "spin", arg = 1, types = "__cpu_simple_lock_t", acquire = "__cpu_simple_lock", try = "__cpu_simple_lock_try",
    release = "__cpu_simple_unlock", init = "__cpu_simple_lock_init" }
-- The big lock: nests, and its holder lets it go by sleeping.
lock { kind = "adaptive", global = "kernel_lock", recursive = true, release_on_block = true, acquire = "KERNEL_LOCK KERNEL_LOCK_UNLESS_NET_MPSAFE",
    release = "KERNEL_UNLOCK_ONE KERNEL_UNLOCK_LAST KERNEL_UNLOCK_ALL KERNEL_UNLOCK_UNLESS_NET_MPSAFE", owned = "KERNEL_LOCKED_P" }
lock { kind = "preemption", recursive = true, acquire = "kpreempt_disable percpu_getref", release = "kpreempt_enable percpu_putref" }
-- Passive serialisation: readers keep nobody out.
lock { kind = "rcu", global = "pserialize", shared = true, recursive = true, acquire = "pserialize_read_enter", release = "pserialize_read_exit" }
blocks "pserialize_perform kpause yield preempt psref_target_destroy localcount_drain xc_wait xc_barrier"

-- of old
lock { kind = "spin", arg = 1, types = "struct simplelock", acquire = "simple_lock", try = "simple_lock_try", release = "simple_unlock",
    init = "simple_lock_init" }
lock { kind = "mutex", arg = 1, when = { 2, "LK_EXCLUSIVE", "!LK_NOWAIT" }, returns = "zero", recursive = true, types = "struct lock", acquire = "lockmgr" }
lock { kind = "mutex", arg = 1, when = { 2, "LK_EXCLUSIVE", "LK_NOWAIT" }, returns = "zero", recursive = true, try = "lockmgr" }
lock { kind = "mutex", arg = 1, when = { 2, "LK_SHARED" }, shared = true, returns = "zero", acquire = "lockmgr" }
lock { kind = "mutex", arg = 1, when = { 2, "LK_RELEASE" }, release = "lockmgr" }
lock { kind = "mutex", arg = 1, when = { 2, "LK_DOWNGRADE" }, downgrade = "lockmgr" }
lock { kind = "mutex", arg = 1, when = { 2, "LK_UPGRADE" }, upgrade = "lockmgr" }
lock { kind = "spin", arg = 5, wait = "ltsleep" }

-- A vnode's lock is often taken by one function and let go by another.
lock { kind = "semaphore", arg = 1, member = "v_lock", when = { 2, "!LK_SHARED", "!LK_NOWAIT" }, returns = "zero", acquire = "vn_lock VOP_LOCK" }
lock { kind = "semaphore", arg = 1, member = "v_lock", when = { 2, "!LK_SHARED", "LK_NOWAIT" }, returns = "zero", try = "vn_lock VOP_LOCK" }
lock { kind = "semaphore", arg = 1, member = "v_lock", when = { 2, "LK_SHARED" }, shared = true, returns = "zero", acquire = "vn_lock VOP_LOCK" }
lock { kind = "semaphore", arg = 1, member = "v_lock", release = "VOP_UNLOCK vput" }

-- Waits that let go of a lock meanwhile.
lock { kind = "adaptive", arg = 2, disables = "interrupts",
    wait = "cv_wait cv_wait_sig cv_timedwait cv_timedwait_sig cv_timedwaitbt cv_timedwaitbt_sig" }
lock { kind = "adaptive", arg = 2, disables = "interrupts", wait = "callout_halt", when = { 2, "!^0$" } }
lock { kind = "adaptive", arg = 5, disables = "interrupts", wait = "mtsleep", when = { 2, "!PNORELOCK" } }
lock { kind = "adaptive", arg = 5, disables = "interrupts", wait = "mtsleep", when = { 2, "PNORELOCK" }, retakes = false }
blocks { "kmem_alloc kmem_zalloc kmem_cache_alloc", when = { 2, "KM_SLEEP" } }
blocks { "pool_get pool_cache_get", when = { 2, "PR_WAITOK" } }
blocks { "percpu_alloc percpu_free pool_init pool_cache_init pool_cache_destroy uvm_km_free" }
blocks { "m_get m_gethdr", when = { 1, "M_WAIT" } }
blocks { "vmem_alloc", when = { 3, "VM_SLEEP" } }
blocks { "bus_dmamem_alloc", when = { 8, "BUS_DMA_WAITOK" } }
allocates "kmem_alloc kmem_zalloc kmem_intr_alloc kmem_intr_zalloc pool_get pool_cache_get kmem_strdup mutex_obj_alloc rw_obj_alloc"
frees "kmem_free kmem_intr_free kmem_strfree"
frees { "pool_put pool_cache_put", arg = 2 }

-- what runs by itself --------------------------------------------------------------
registers { "callout_setfunc", arg = 2, data = 3, object = 1, context = "timer" }
registers { "callout_reset", arg = 3, data = 4, object = 1, context = "timer" }
registers { "softint_establish softintr_establish", arg = 2, data = 3, object = "result", context = "softirq" }
registers { "workqueue_create", arg = 3, data = 4, parameter = 2, object = 1, context = "work" }
registers { "usb_init_task", arg = 2, data = 3, object = 1, context = "work" }
registers { "kthread_create", arg = 4, data = 5, object = 6, context = "thread" }
registers { "kthread_create1", arg = 1, data = 2, object = 3, context = "thread" }
registers { "fork1", arg = 5, data = 6, context = "thread" }
registers { "xc_broadcast xc_unicast", arg = 2, context = "thread" }
registers { "threadpool_job_init", arg = 2, object = 1, context = "work" }
registers { "pci_intr_establish pci_intr_establish_xname pci_msi_establish", arg = 4, data = 5, object = "result", context = "interrupt" }
registers { "isa_intr_establish fdtbus_intr_establish fdtbus_intr_establish_xname acpi_intr_establish", arg = 5, data = 6, object = "result", context = "interrupt" }
registers { "intr_establish intr_establish_xname bus_intr_establish eisa_intr_establish mca_intr_establish", arg = 4, data = 5, object = "result", context = "interrupt" }
registers { "cardbus_intr_establish Cardbus_intr_establish pcmcia_intr_establish", arg = 3, data = 4, object = "result", context = "interrupt" }
registers { "config_interrupts config_mountroot config_defer config_finalize_register", arg = 2, data = 1, context = "init" }
registers { "bus_dmamap_create", arg = 9, context = "call" }
joins { "callout_halt", arg = 1, context = "timer" }
joins { "softint_disestablish softintr_disestablish", arg = 1, context = "softirq" }
joins { "workqueue_wait workqueue_destroy usb_rem_task_wait", arg = 1, context = "work" }
joins { "kthread_join", arg = 1, context = "thread" }
joins { "pci_intr_disestablish isa_intr_disestablish", arg = 2, context = "interrupt" }
joins { "intr_disestablish fdtbus_intr_disestablish", arg = 1, context = "interrupt" }

-- What makes the primitives is not written in terms of them.
annotate(function(program)
    for f in program:functions() do
        if match(f.file, "(^|/)kern_(mutex|rwlock|lock|turnstile|sleepq|condvar|timeout|softint)\\.c$") then mark(f, "ignore") end
    end
end)

-- System calls take the thread, their arguments and where the result goes.
annotate(function(program)
    for f in program:functions "^(\\w+_)?sys_\\w+$" do
        local types = f:parameters()
        if #types == 3 and types[1] == "struct lwp *" then mark(f, "multithreaded") end
    end
end)

-- atomics, data of one's own -------------------------------------------------------------
atomic { "^atomic_(add|and|or|inc|dec|swap|cas)_(32|64|int|uint|long|ulong|ptr)(_nv|_ni)?$", arg = 1 }
atomic { "atomic_load_relaxed atomic_load_acquire atomic_load_consume", arg = 1, access = "read" }
atomic { "atomic_store_relaxed atomic_store_release", arg = 1, access = "write" }
percpu { "percpu_getref", arg = 1 }
percpu { "percpu_getptr_remote", arg = 1, other = true }
keep { "curlwp", type = "struct lwp *" }
percpu "curlwp"
attribute "MODULE CFDRIVER_DECL SYSCTL_SETUP_PROTO LINT"
definition { "CFATTACH_DECL CFATTACH_DECL_NEW CFATTACH_DECL2 CFATTACH_DECL2_NEW CFATTACH_DECL3_NEW",
    text = "struct cfattach $1_ca = { .ca_match = $3, .ca_attach = $4, .ca_detach = $5, .ca_activate = $6 }" }
define { __NetBSD__ = 1, __NetBSD_Version__ = 999000000, DIAGNOSTIC = 1 }
undefine "LOCKDEBUG"
