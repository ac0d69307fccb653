-- openbsd: the OpenBSD kernel and drivers written for it.
world {
    name = "openbsd",
    detect = [[ mtx_enter mtx_leave mtx_enter_try rw_enter_write rw_exit_write rw_enter_read rw_exit_read NET_LOCK NET_UNLOCK
        KERNEL_UNLOCK timeout_set timeout_add_sec timeout_add_msec timeout_del timeout_del_barrier task_set task_add tsleep_nsec
        msleep_nsec rwsleep_nsec smr_read_enter MUTEX_ASSERT_LOCKED NET_ASSERT_LOCKED rw_assert_wrlock rrw_enter systq ]],
    least = 3,
}
preset "bsd"

-- Mutexes spin at the level they were made for, which keeps out the interrupts that take them.
lock { kind = "spin", arg = 1, disables = "interrupts", types = "struct mutex", acquire = "mtx_enter", try = "mtx_enter_try", release = "mtx_leave",
    init = "mtx_init mtx_init_flags", owned = "mtx_owned", asserts_held = "MUTEX_ASSERT_LOCKED", asserts_free = "MUTEX_ASSERT_UNLOCKED" }
lock { kind = "spin", arg = 1, disables = "interrupts", types = "struct db_mutex", acquire = "db_mtx_enter", try = "db_mtx_enter_try", release = "db_mtx_leave" }
lock { kind = "spin", arg = 1, types = "struct __mp_lock", recursive = true, acquire = "__mp_lock", release = "__mp_unlock", init = "__mp_lock_init" }
-- Reader/writer locks sleep.
lock { kind = "mutex", arg = 1, shared = true, types = "struct rwlock", acquire = "rw_enter_read", release = "rw_exit_read", asserts_held = "rw_assert_rdlock rw_assert_anylock",
    owned = "rw_read_held" }
lock { kind = "mutex", arg = 1, acquire = "rw_enter_write", release = "rw_exit_write rw_exit", init = "rw_init rw_init_flags _rw_init_flags",
    asserts_held = "rw_assert_wrlock", asserts_free = "rw_assert_unlocked", owned = "rw_write_held rw_lock_held" }
lock { kind = "mutex", arg = 1, recursive = true, types = "struct rrwlock", release = "rrw_exit", init = "rrw_init rrw_init_flags _rrw_init_flags" }
lock { kind = "mutex", arg = 1, recursive = true, init = "rw_init_flags", when = { 3, "RWL_DUPOK" } }
for name, recursive in pairs { rw_enter = false, rrw_enter = true } do
    lock { kind = "mutex", arg = 1, recursive = recursive, returns = "zero", acquire = name, when = { 2, "RW_WRITE", "!RW_NOSLEEP" } }
    lock { kind = "mutex", arg = 1, recursive = recursive, returns = "zero", try = name, when = { 2, "RW_WRITE", "RW_NOSLEEP" } }
    lock { kind = "mutex", arg = 1, recursive = recursive, shared = true, returns = "zero", acquire = name, when = { 2, "RW_READ", "!RW_NOSLEEP" } }
    lock { kind = "mutex", arg = 1, recursive = recursive, shared = true, returns = "zero", try = name, when = { 2, "RW_READ", "RW_NOSLEEP" } }
    lock { kind = "mutex", arg = 1, downgrade = name, when = { 2, "RW_DOWNGRADE" } }
    lock { kind = "mutex", arg = 1, upgrade = name, when = { 2, "RW_UPGRADE" }, returns = "zero" }
end
-- The big lock: nests, and its holder lets it go by sleeping. It keeps out the interrupts that take it.
lock { kind = "adaptive", global = "kernel_lock", recursive = true, release_on_block = true, acquire = "KERNEL_LOCK _kernel_lock", release = "KERNEL_UNLOCK _kernel_unlock",
    owned = "_kernel_lock_held", asserts_held = "KERNEL_ASSERT_LOCKED", asserts_free = "KERNEL_ASSERT_UNLOCKED" }
lock { kind = "mutex", global = "netlock", acquire = "NET_LOCK", release = "NET_UNLOCK", asserts_held = "NET_ASSERT_LOCKED_EXCLUSIVE",
    asserts_free = "NET_ASSERT_UNLOCKED" }
lock { kind = "mutex", global = "netlock", shared = true, acquire = "NET_LOCK_SHARED", release = "NET_UNLOCK_SHARED", asserts_held = "NET_ASSERT_LOCKED" }
lock { kind = "rcu", global = "smr", shared = true, recursive = true, acquire = "smr_read_enter", release = "smr_read_leave", asserts_held = "SMR_ASSERT_CRITICAL" }
lock { kind = "interrupts", flags = "result", acquire = "intr_disable" }
lock { kind = "interrupts", flags = 1, release = "intr_restore intr_enable" }

-- A vnode's lock is often taken by one function and let go by another.
lock { kind = "semaphore", arg = 1, member = "v_lock", when = { 2, "!LK_SHARED", "!LK_NOWAIT" }, returns = "zero", recursive = true, acquire = "vn_lock VOP_LOCK" }
lock { kind = "semaphore", arg = 1, member = "v_lock", when = { 2, "!LK_SHARED", "LK_NOWAIT" }, returns = "zero", recursive = true, try = "vn_lock VOP_LOCK" }
lock { kind = "semaphore", arg = 1, member = "v_lock", when = { 2, "LK_SHARED" }, shared = true, returns = "zero", acquire = "vn_lock VOP_LOCK" }
lock { kind = "semaphore", arg = 1, member = "v_lock", release = "VOP_UNLOCK vput" }

-- Waits that let go of a lock meanwhile; without one they only sleep.
lock { kind = "spin", arg = 2, disables = "interrupts", wait = "msleep msleep_nsec", when = { 3, "!PNORELOCK" } }
lock { kind = "spin", arg = 2, disables = "interrupts", wait = "msleep msleep_nsec", when = { 3, "PNORELOCK" }, retakes = false }
lock { kind = "mutex", arg = 2, wait = "rwsleep rwsleep_nsec", when = { 3, "!PNORELOCK" } }
lock { kind = "mutex", arg = 2, wait = "rwsleep rwsleep_nsec", when = { 3, "PNORELOCK" }, retakes = false }
blocks [[ cond_wait sleep_finish yield smr_barrier smr_flush refcnt_finalize ifq_barrier intr_barrier taskq_barrier sched_barrier ]]
blocks { "pool_get", when = { 2, "PR_WAITOK" } }
blocks { "m_get m_gethdr MGETHDR MGET", when = { 1, "M_WAIT" } }
blocks { "bus_dmamem_alloc", when = { 8, "BUS_DMA_WAITOK" } }
blocks { "km_alloc", when = { 4, "^kd_waitok$" } }
allocates "pool_get km_alloc"
frees { "pool_put", arg = 2 }

-- what runs by itself --------------------------------------------------------------
-- Timeouts run at the level of soft clock interrupts; those of a process in a thread.
registers { "timeout_set timeout_set_kclock", arg = 2, data = 3, object = 1, context = "timer" }
registers { "timeout_set_proc", arg = 2, data = 3, object = 1, context = "work" }
registers { "timeout_set_flags", arg = 2, data = 3, object = 1, context = "timer", when = { 5, "!TIMEOUT_PROC" } }
registers { "timeout_set_flags", arg = 2, data = 3, object = 1, context = "work", when = { 5, "TIMEOUT_PROC" } }
registers { "TIMEOUT_INITIALIZER", arg = 1, data = 2, context = "timer" }
registers { "task_set usb_init_task", arg = 2, data = 3, object = 1, context = "work" }
registers { "TASK_INITIALIZER", arg = 1, data = 2, context = "work" }
registers { "kthread_create", arg = 1, data = 2, object = 3, context = "thread" }
registers { "kthread_create_deferred config_defer config_mountroot startuphook_establish mountroothook_establish", arg = 1, data = 2, context = "init" }
registers { "smr_call", arg = 2, data = 3, object = 1, context = "work" }
registers { "softintr_establish", arg = 2, data = 3, object = "result", context = "softirq" }
registers { "pci_intr_establish", arg = 4, data = 5, object = "result", context = "interrupt" }
registers { "pci_intr_establish_cpu", arg = 5, data = 6, object = "result", context = "interrupt" }
registers { "isa_intr_establish", arg = 5, data = 6, object = "result", context = "interrupt" }
registers { "fdt_intr_establish", arg = 3, data = 4, object = "result", context = "interrupt" }
registers { "fdt_intr_establish_idx fdt_intr_establish_cpu acpi_intr_establish", arg = 4, data = 5, object = "result", context = "interrupt" }
registers { "intr_establish bus_intr_establish", arg = 5, data = 6, object = "result", context = "interrupt" }
registers { "sensor_task_register", arg = 2, data = 1, context = "work" }
joins { "timeout_del_barrier timeout_barrier", arg = 1, context = "timer" }
joins { "taskq_del_barrier", arg = 2, context = "work" }
joins { "taskq_barrier taskq_destroy usb_rem_wait_task", arg = 1, context = "work" }
joins { "softintr_disestablish intr_barrier", arg = 1, context = "softirq" }
joins { "pci_intr_disestablish", arg = 2, context = "interrupt" }

annotate(function(program)
    for f in program:functions() do
        if match(f.file, "(^|/)kern_(lock|rwlock|timeout|task|synch|smr)\\.c$") then mark(f, "ignore") end
    end
    for f in program:functions "^sys_\\w+$" do -- system calls: the process, the arguments, where the result goes
        local types = f:parameters()
        if #types == 3 and types[1] == "struct proc *" then mark(f, "multithreaded") end
    end
end)

-- atomics, lists, data of one's own -------------------------------------------------------
atomic { "^(membar_)?atomic_(setbits|clearbits|add|sub|inc|dec|swap|cas)_(int|uint|long|ulong|ptr|32|64)(_nv)?$", arg = 1 }
atomic { "atomic_load_int atomic_load_long", arg = 1, access = "read" }
atomic { "atomic_store_int atomic_store_long", arg = 1, access = "write" }
atomic { "SMR_PTR_GET", arg = 1, access = "read" }
atomic { "SMR_PTR_SET_LOCKED", arg = 1, access = "write" }
atomic { "refcnt_take refcnt_rele refcnt_rele_wake refcnt_init", arg = 1 }
accessor { "READ_ONCE", access = "read" }
accessor { "WRITE_ONCE", access = "write" }
iterator { "^SMR_(SLIST|LIST|TAILQ)_FOREACH(_LOCKED|_SAFE_LOCKED)?$ ^RBT_FOREACH(_|$) ^XSIMPLEQ_FOREACH SMR_LIST_FOREACH_LOCKED", var = 1 }
keep { "curproc", type = "struct proc *" }
percpu "curproc"
define { __OpenBSD__ = 1, OpenBSD = 202504, DIAGNOSTIC = 1 }
undefine "WITNESS MP_LOCKDEBUG"
