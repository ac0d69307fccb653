-- freebsd: the FreeBSD kernel and drivers written for it.
-- PROC_LOCK, INP_WLOCK and the like need no entry where their header is in sight: they come down to what is here.
world {
    name = "freebsd",
    detect = [[ mtx_lock mtx_unlock mtx_lock_spin mtx_unlock_spin mtx_assert mtx_sleep sx_xlock sx_xunlock sx_slock rw_wlock rw_wunlock
        rw_rlock rm_rlock PROC_LOCK PROC_UNLOCK callout_reset callout_drain callout_init_mtx taskqueue_enqueue kproc_create
        bus_setup_intr device_get_softc NET_EPOCH_ENTER atomic_load_acq_int msleep_spin INP_WLOCK ]],
    least = 4,
}
preset "bsd"

-- Mutexes block for as long as their holder runs, and so it must not sleep; interrupt threads take them, too.
lock { kind = "adaptive", arg = 1, sleepless = true, types = "struct mtx struct mtx_padalign", when = { 1, "!Giant" },
    acquire = "mtx_lock mtx_lock_flags _mtx_lock_flags", try = "mtx_trylock mtx_trylock_flags", release = "mtx_unlock mtx_unlock_flags _mtx_unlock_flags" }
lock { kind = "adaptive", arg = 1, destroy = "mtx_destroy", init = "mtx_init", owned = "mtx_owned" }
lock { kind = "adaptive", arg = 1, recursive = true, init = "mtx_init", when = { 4, "MTX_RECURSE" } }
-- Giant nests, and is let go while its holder sleeps.
lock { kind = "adaptive", arg = 1, recursive = true, release_on_block = true, when = { 1, "Giant" }, acquire = "mtx_lock", release = "mtx_unlock" }
lock { kind = "adaptive", global = "Giant", recursive = true, release_on_block = true, release = "DROP_GIANT", acquire = "PICKUP_GIANT", asserts_held = "GIANT_REQUIRED" }
lock { kind = "adaptive", global = "Giant", recursive = true, release_on_block = true, acquire = "VFS_LOCK_GIANT NET_LOCK_GIANT", release = "VFS_UNLOCK_GIANT NET_UNLOCK_GIANT" }
-- Spinning ones keep interrupts out.
lock { kind = "spin", arg = 1, disables = "interrupts", acquire = "mtx_lock_spin mtx_lock_spin_flags", try = "mtx_trylock_spin mtx_trylock_spin_flags",
    release = "mtx_unlock_spin mtx_unlock_spin_flags" }
lock { kind = "spin", arg = 1, disables = "interrupts", member = "td_lock", acquire = "thread_lock thread_lock_flags", release = "thread_unlock",
    asserts_held = "THREAD_LOCK_ASSERT" }
lock { kind = "spin", global = "struct thread.td_lock", disables = "interrupts", release = "mi_switch" } -- the current thread's
lock { kind = "spin", arg = 1, disables = "interrupts", member = "td_lock", release = "sched_add sched_wakeup setrunnable", when = { 2, "!SRQ_HOLDTD" } }

-- Readers and writers: rw_ and rm_ like mutexes, sx_ sleep, and their holders may.
for _, of in ipairs {
    { "rw", "struct rwlock struct rwlock_padalign", "rlock", "wlock", "adaptive", true },
    { "sx", "struct sx", "slock", "xlock", "mutex", false },
} do
    local name, types, reader, writer, kind, sleepless = table.unpack(of)
    lock { kind = kind, arg = 1, sleepless = sleepless, shared = true, types = types, acquire = name .. "_" .. reader,
        try = name .. "_try_" .. reader, release = name .. (name == "sx" and "_sunlock" or "_runlock") }
    lock { kind = kind, arg = 1, sleepless = sleepless, acquire = name .. "_" .. writer, try = name .. "_try_" .. writer,
        release = name .. (name == "sx" and "_xunlock" or "_wunlock") .. " " .. name .. "_unlock", downgrade = name .. "_downgrade",
        init = name .. "_init " .. name .. "_init_flags", destroy = name .. "_destroy", owned = name .. (name == "sx" and "_xlocked" or "_wowned") }
    lock { kind = kind, arg = 1, upgrade = name .. "_try_upgrade", returns = "nonzero" }
end
lock { kind = "mutex", arg = 1, shared = true, returns = "zero", acquire = "sx_slock_sig" }
lock { kind = "mutex", arg = 1, returns = "zero", acquire = "sx_xlock_sig" }
lock { kind = "mutex", arg = 1, recursive = true, init = "sx_init_flags", when = { 3, "SX_RECURSE" } }
lock { kind = "adaptive", arg = 1, recursive = true, init = "rw_init_flags", when = { 3, "RW_RECURSE" } }
lock { kind = "adaptive", arg = 1, sleepless = true, shared = true, recursive = true, types = "struct rmlock", acquire = "rm_rlock", try = "rm_try_rlock", release = "rm_runlock" }
lock { kind = "adaptive", arg = 1, sleepless = true, acquire = "rm_wlock", release = "rm_wunlock", init = "rm_init rm_init_flags", destroy = "rm_destroy", owned = "rm_wowned" }
lock { kind = "mutex", arg = 1, shared = true, recursive = true, types = "struct rmslock", acquire = "rms_rlock", release = "rms_runlock" }
lock { kind = "mutex", arg = 1, acquire = "rms_wlock", release = "rms_wunlock" }

-- lockmgr, and the locks of vnodes and buffers, which one function often takes and another lets go.
lock { kind = "mutex", arg = 1, when = { 2, "LK_EXCLUSIVE", "!LK_NOWAIT" }, returns = "zero", types = "struct lock", acquire = "lockmgr lockmgr_args" }
lock { kind = "mutex", arg = 1, when = { 2, "LK_EXCLUSIVE", "LK_NOWAIT" }, returns = "zero", try = "lockmgr lockmgr_args" }
lock { kind = "mutex", arg = 1, when = { 2, "LK_SHARED", "!LK_NOWAIT" }, shared = true, returns = "zero", acquire = "lockmgr lockmgr_args" }
lock { kind = "mutex", arg = 1, when = { 2, "LK_SHARED", "LK_NOWAIT" }, shared = true, returns = "zero", try = "lockmgr lockmgr_args" }
lock { kind = "mutex", arg = 1, when = { 2, "LK_RELEASE" }, release = "lockmgr lockmgr_args" }
lock { kind = "mutex", arg = 1, when = { 2, "LK_DOWNGRADE" }, downgrade = "lockmgr" }
lock { kind = "mutex", arg = 1, when = { 2, "LK_UPGRADE" }, upgrade = "lockmgr", returns = "zero" }
lock { kind = "mutex", arg = 1, init = "lockinit", destroy = "lockdestroy" }
lock { kind = "mutex", arg = 1, recursive = true, init = "lockinit", when = { 5, "LK_CANRECURSE" } }
lock { kind = "adaptive", arg = 3, release = "lockmgr", when = { 2, "LK_INTERLOCK" } }
local vnode = "vn_lock VOP_LOCK VOP_LOCK1 vget"
lock { kind = "semaphore", arg = 1, member = "v_lock", recursive = true, when = { 2, "!LK_SHARED", "!LK_NOWAIT" }, returns = "zero", acquire = vnode }
lock { kind = "semaphore", arg = 1, member = "v_lock", recursive = true, when = { 2, "!LK_SHARED", "LK_NOWAIT" }, returns = "zero", try = vnode }
lock { kind = "semaphore", arg = 1, member = "v_lock", when = { 2, "LK_SHARED" }, shared = true, returns = "zero", acquire = vnode }
lock { kind = "semaphore", arg = 1, member = "v_lock", release = "VOP_UNLOCK vput VOP_UNLOCK_FLAGS", asserts_held = "ASSERT_VOP_LOCKED ASSERT_VOP_ELOCKED" }
lock { kind = "semaphore", arg = 1, member = "b_lock", returns = "zero", acquire = "BUF_LOCK", release = "BUF_UNLOCK brelse bqrelse" }
lock { kind = "semaphore", arg = 1, types = "struct sema", acquire = "sema_wait", try = "sema_trywait", release = "sema_post", destroy = "sema_destroy" }
lock { kind = "semaphore", arg = 1, returns = "zero", timed = true, acquire = "sema_timedwait" }
lock { kind = "semaphore", arg = 1, count = 2, init = "sema_init" }

-- Epochs: readers keep nobody out, and must not sleep.
lock { kind = "rcu", global = "net_epoch_preempt", shared = true, recursive = true, acquire = "NET_EPOCH_ENTER", release = "NET_EPOCH_EXIT", asserts_held = "NET_EPOCH_ASSERT" }
lock { kind = "rcu", arg = 1, shared = true, recursive = true, acquire = "epoch_enter epoch_enter_preempt", release = "epoch_exit epoch_exit_preempt" }
lock { kind = "rcu", global = "smr", shared = true, recursive = true, acquire = "smr_enter smr_lazy_enter vfs_smr_enter", release = "smr_exit smr_lazy_exit vfs_smr_exit" }
lock { kind = "preemption", recursive = true, acquire = "critical_enter sched_pin", release = "critical_exit sched_unpin", asserts_held = "CRITICAL_ASSERT" }
lock { kind = "interrupts", flags = "result", acquire = "intr_disable" }
lock { kind = "interrupts", flags = 1, release = "intr_restore" }
lock { kind = "interrupts", recursive = true, acquire = "spinlock_enter", release = "spinlock_exit" }

-- assertions
for prefix, name in pairs { MA_ = "mtx_assert", RA_ = "rw_assert rm_assert", SA_ = "sx_assert", KA_ = "lockmgr_assert" } do
    local kind = (prefix == "SA_" or prefix == "KA_") and "mutex" or "adaptive"
    lock { kind = kind, arg = 1, asserts_held = name, when = { 2, "^" .. prefix .. "(OWNED|WLOCKED|XLOCKED|LOCKED)$" } }
    if prefix ~= "MA_" then lock { kind = kind, arg = 1, shared = true, asserts_held = name, when = { 2, "^" .. prefix .. "(RLOCKED|SLOCKED)$" } } end
    lock { kind = kind, arg = 1, asserts_free = name, when = { 2, "^" .. prefix .. "(NOTOWNED|UNLOCKED)$" } }
end

-- Waits that let go of a lock meanwhile (PDROP: for good); without a lock they only sleep.
for names, kind in pairs { ["mtx_sleep msleep msleep_sbt rw_sleep rm_sleep"] = "adaptive", ["sx_sleep lockmgr_sleep"] = "mutex" } do
    lock { kind = kind, arg = 2, wait = names, when = { 3, "!PDROP" } }
    lock { kind = kind, arg = 2, wait = names, when = { 3, "PDROP" }, retakes = false }
end
lock { kind = "spin", arg = 2, disables = "interrupts", wait = "msleep_spin msleep_spin_sbt" }
lock { kind = "adaptive", arg = 2, wait = "cv_wait cv_wait_sig cv_timedwait cv_timedwait_sig cv_timedwait_sbt cv_timedwait_sig_sbt" }
lock { kind = "adaptive", arg = 2, wait = "cv_wait_unlock", retakes = false }
blocks [[ pause_sbt pause_sig kern_yield maybe_yield taskqueue_quiesce epoch_wait epoch_wait_preempt NET_EPOCH_WAIT epoch_drain_callbacks smr_synchronize
    bus_generic_detach destroy_dev bwait vm_wait ]]
blocks { "uma_zalloc uma_zalloc_arg uma_zalloc_smr", when = { 2, "M_WAITOK" } }
blocks { "uma_zalloc_domain", when = { 4, "M_WAITOK" } }
blocks { "m_get m_gethdr m_getcl m_getjcl m_getm2", when = { 1, "M_WAITOK" } }
blocks { "m_getm m_copym m_dup m_prepend", when = { 3, "M_WAITOK" } }
blocks { "vmem_alloc", when = { 3, "M_WAITOK" } }
blocks { "malloc_domainset", when = { 4, "M_WAITOK" } }
blocks { "bus_dmamem_alloc", when = { 3, "BUS_DMA_WAITOK" } }
allocates "uma_zalloc uma_zalloc_arg m_get m_gethdr m_getcl m_getm m_getm2 malloc_domainset make_dev"
frees "zfree"
frees { "uma_zfree uma_zfree_arg", arg = 2 }

-- what runs by itself --------------------------------------------------------------
-- Filters interrupt; handlers and callouts are threads that must not sleep.
registers { "bus_setup_intr", arg = 4, data = 6, object = 7, context = "interrupt" }
registers { "bus_setup_intr", arg = 5, data = 6, object = 7, context = "softirq" }
registers { "swi_add", arg = 3, data = 4, object = 7, context = "softirq" }
registers { "callout_reset callout_reset_curcpu", arg = 3, data = 4, object = 1, context = "timer" }
registers { "callout_reset_on", arg = 3, data = 4, object = 1, context = "timer" }
registers { "callout_reset_sbt callout_reset_sbt_on callout_schedule_sbt", arg = 4, data = 5, object = 1, context = "timer" }
registers { "timeout", arg = 1, data = 2, object = "result", context = "timer" }
registers { "TASK_INIT TASK_INIT_FLAGS NET_TASK_INIT", arg = 3, data = 4, object = 1, context = "work" }
registers { "GTASK_INIT GROUPTASK_INIT", arg = 4, data = 5, object = 1, context = "work" }
registers { "TIMEOUT_TASK_INIT", arg = 4, data = 5, object = 2, context = "work" }
registers { "TASK_INITIALIZER", arg = 2, context = "work" }
registers { "kthread_add kproc_create kthread_create", arg = 1, data = 2, object = 3, context = "thread" }
registers { "kproc_kthread_add", arg = 1, data = 2, object = 4, context = "thread" }
registers { "smp_rendezvous", arg = 2, data = 4, context = "interrupt" }
registers { "smp_rendezvous_cpus", arg = 3, data = 5, context = "interrupt" }
registers { "epoch_call NET_EPOCH_CALL", arg = 2, context = "work" }
registers { "EVENTHANDLER_REGISTER", arg = 2, data = 3, context = "thread" }
registers { "SYSINIT", arg = 4, data = 5, context = "init" }
registers { "SYSUNINIT", arg = 4, data = 5, context = "exit" }
registers { "config_intrhook_oneshot", arg = 1, data = 2, context = "init" }
registers { field = "struct intr_config_hook.ich_func", context = "init" }
registers { field = "struct kproc_desc.func", context = "thread" }
joins { "callout_drain", arg = 1, context = "timer" }
joins { "taskqueue_drain taskqueue_drain_timeout", arg = 2, context = "work" }
joins { "taskqueue_drain_all taskqueue_free gtaskqueue_drain_all", arg = 1, context = "work" }
joins { "bus_teardown_intr", arg = 3, context = "softirq" }
joins { "swi_remove", arg = 1, context = "softirq" }

-- System calls take the thread and their arguments. Nobody knows a device before it is attached.
annotate(function(program)
    for f in program:functions "^(sys|freebsd\\d+|o|linux|freebsd32)_?\\w+$" do
        local types = f:parameters()
        if #types == 2 and types[1] == "struct thread *" and match(types[2], "^struct \\w+_args \\*$") then mark(f, "multithreaded") end
    end
    mark(program:functions "_(probe|attach)$", "init")
    mark(program:functions "_(probe|attach)$", "attach")
    for f in program:functions() do
        if match(f.file, "(^|/)(kern_(mutex|rwlock|sx|rmlock|lock|timeout|condvar|synch|sema)|subr_(turnstile|sleepqueue|taskqueue|lock|witness|epoch))\\.c$") then mark(f, "ignore") end
    end
end)

-- atomics, data of one's own -------------------------------------------------------------
atomic { "^atomic_(add|subtract|set|clear|swap|cmpset|fcmpset|fetchadd|readandclear|testandset|testandclear|store_rel|store)_(acq_|rel_|barr_)?(char|short|int|long|ptr|8|16|32|64|u?int(8|16|32|64)?|bool|counter)$", arg = 1 }
atomic { "^atomic_load_(acq_|consume_)?(char|short|int|long|ptr|8|16|32|64|bool)$", arg = 1, access = "read" }
atomic { "^refcount_(init|acquire|acquiren|release|releasen|acquire_if_not_zero|release_if_not_last|acquire_checked)$", arg = 1 }
atomic { "refcount_load", arg = 1, access = "read" }
atomic { "counter_u64_add counter_u64_zero", arg = 1 }
accessor { "READ_ONCE", access = "read" }
accessor { "WRITE_ONCE", access = "write" }
percpu { "DPCPU_GET DPCPU_PTR DPCPU_SET PCPU_GET PCPU_PTR PCPU_SET PCPU_INC PCPU_ADD zpcpu_get", arg = 1 }
percpu { "DPCPU_ID_GET DPCPU_ID_PTR zpcpu_get_cpu", arg = 2, other = true }
keep { "curthread", type = "struct thread *" }
percpu "curthread"
iterator { "^CK_(LIST|SLIST|STAILQ)_FOREACH(_|$)", var = 1 }
iterator { "FOREACH_THREAD_IN_PROC", var = 2 }
iterator { "FOREACH_PROC_IN_SYSTEM CPU_FOREACH VNET_FOREACH", var = 1 }

-- macros ---------------------------------------------------------------------------
attribute [[ MTX_SYSINIT RW_SYSINIT RW_SYSINIT_FLAGS SX_SYSINIT SX_SYSINIT_FLAGS RM_SYSINIT DECLARE_MODULE DEV_MODULE DRIVER_MODULE
    DRIVER_MODULE_ORDERED EARLY_DRIVER_MODULE SYSCTL_DECL FEATURE TUNABLE_INT TUNABLE_LONG TUNABLE_STR VNET_DECLARE
    ^SYSCTL_(NODE|INT|UINT|LONG|ULONG|QUAD|UQUAD|S64|U64|U8|U16|U32|STRING|PROC|STRUCT|OPAQUE|BOOL|COUNTER_U64|UMA_MAX)$ ]]
definition { "VNET_DEFINE VNET_DEFINE_STATIC DPCPU_DEFINE DPCPU_DEFINE_STATIC", text = "__typeof__($1) $2" }
definition { "DEVMETHOD", text = "{ .desc = 0, .func = (void *)$2 }" }
-- Where no header says what they come down to.
define {
    ["PROC_LOCK(p)"] = "mtx_lock(&(p)->p_mtx)", ["PROC_UNLOCK(p)"] = "mtx_unlock(&(p)->p_mtx)",
    ["PROC_TRYLOCK(p)"] = "mtx_trylock(&(p)->p_mtx)", ["PROC_LOCK_ASSERT(p, what)"] = "mtx_assert(&(p)->p_mtx, what)",
    ["PROC_SLOCK(p)"] = "mtx_lock_spin(&(p)->p_slock)", ["PROC_SUNLOCK(p)"] = "mtx_unlock_spin(&(p)->p_slock)",
    ["VI_LOCK(vp)"] = "mtx_lock(&(vp)->v_interlock)", ["VI_UNLOCK(vp)"] = "mtx_unlock(&(vp)->v_interlock)",
    ["SOCK_LOCK(so)"] = "mtx_lock(&(so)->so_lock)", ["SOCK_UNLOCK(so)"] = "mtx_unlock(&(so)->so_lock)",
    ["SOCKBUF_LOCK(sb)"] = "mtx_lock((sb)->sb_mtx)", ["SOCKBUF_UNLOCK(sb)"] = "mtx_unlock((sb)->sb_mtx)",
    ["INP_WLOCK(inp)"] = "rw_wlock(&(inp)->inp_lock)", ["INP_WUNLOCK(inp)"] = "rw_wunlock(&(inp)->inp_lock)",
    ["INP_RLOCK(inp)"] = "rw_rlock(&(inp)->inp_lock)", ["INP_RUNLOCK(inp)"] = "rw_runlock(&(inp)->inp_lock)",
    ["INP_WLOCK_ASSERT(inp)"] = "rw_assert(&(inp)->inp_lock, RA_WLOCKED)",
    ["FILEDESC_XLOCK(f)"] = "sx_xlock(&(f)->fd_sx)", ["FILEDESC_XUNLOCK(f)"] = "sx_xunlock(&(f)->fd_sx)",
    ["FILEDESC_SLOCK(f)"] = "sx_slock(&(f)->fd_sx)", ["FILEDESC_SUNLOCK(f)"] = "sx_sunlock(&(f)->fd_sx)",
}
define { __FreeBSD__ = 15, __FreeBSD_version = 1500000, INVARIANTS = 1, VIMAGE = 1 }
undefine "WITNESS LOCK_PROFILING MUTEX_NOINLINE KLD_MODULE KLD_TIED"
