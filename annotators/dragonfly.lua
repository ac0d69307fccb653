-- dragonfly: the DragonFly kernel and drivers written for it.
world {
    name = "dragonfly",
    detect = [[ lwkt_gettoken lwkt_reltoken lwkt_gettoken_shared lwkt_trytoken crit_enter crit_exit lwkt_serialize_enter
        lwkt_serialize_exit lksleep ssleep zsleep lockmgr lockuninit get_mplock rel_mplock ASSERT_SERIALIZED ASSERT_LWKT_TOKEN_HELD
        callout_init_mp callout_init_lk mtx_lock_ex mtx_spinlock lwkt_create kprintf KKASSERT spin_lock_shared tsleep_interlock
        device_get_softc bus_setup_intr callout_reset callout_drain taskqueue_enqueue mtx_lock mtx_unlock ]],
    least = 6,
}
preset "bsd"

-- Tokens serialise whoever has them and is running: sleeping lets go of all. They nest, and in any order.
lock { kind = "adaptive", arg = 1, recursive = true, release_on_block = true, types = "lwkt_token_t struct lwkt_token",
    acquire = "lwkt_gettoken", try = "lwkt_trytoken", release = "lwkt_reltoken", init = "lwkt_token_init", destroy = "lwkt_token_uninit",
    asserts_held = "ASSERT_LWKT_TOKEN_HELD ASSERT_LWKT_TOKEN_HELD_EXCL", owned = "LWKT_TOKEN_HELD_EXCL LWKT_TOKEN_HELD_ANY" }
lock { kind = "adaptive", arg = 1, recursive = true, release_on_block = true, shared = true, acquire = "lwkt_gettoken_shared" }
lock { kind = "adaptive", arg = "result", recursive = true, release_on_block = true, acquire = "lwkt_getpooltoken" }
lock { kind = "adaptive", arg = 1, release = "lwkt_relpooltoken" }
lock { kind = "adaptive", global = "mp_token", recursive = true, release_on_block = true, acquire = "get_mplock", try = "try_mplock", release = "rel_mplock",
    asserts_held = "ASSERT_MP_LOCK_HELD" }

-- Interrupts are threads, which never interrupt the holder of a spinning lock; a critical section keeps them out.
lock { kind = "adaptive", arg = 1, sleepless = true, types = "struct spinlock", acquire = "spin_lock _spin_lock", try = "spin_trylock", release = "spin_unlock",
    init = "spin_init", destroy = "spin_uninit", owned = "spin_held" }
lock { kind = "adaptive", arg = 2, sleepless = true, acquire = "spin_lock_quick", release = "spin_unlock_quick" }
lock { kind = "adaptive", arg = 1, sleepless = true, shared = true, acquire = "spin_lock_shared", release = "spin_unlock_shared" }
lock { kind = "adaptive", arg = 2, sleepless = true, shared = true, acquire = "spin_lock_shared_quick", release = "spin_unlock_shared_quick" }
lock { kind = "adaptive", arg = 1, sleepless = true, release = "spin_unlock_any" }
lock { kind = "adaptive", arg = 1, sleepless = true, acquire = "spin_lock_update spin_lock_update_only", release = "spin_unlock_update spin_unlock_update_only" }
lock { kind = "interrupts", recursive = true, release_on_block = true, acquire = "crit_enter crit_enter_quick crit_enter_gd crit_enter_id crit_enter_hard",
    release = "crit_exit crit_exit_quick crit_exit_gd crit_exit_id crit_exit_noyield crit_exit_hard" }
lock { kind = "interrupts", acquire = "cpu_disable_intr", release = "cpu_enable_intr" }

-- Sleeping locks. A holder of lockmgr's may take it again when it says so.
for name, exclusive in pairs { lockmgr = true, lockmgr_try = true } do
    lock { kind = "mutex", arg = 1, recursive = true, returns = "zero", types = "struct lock", acquire = name, when = { 2, "LK_EXCLUSIVE", "LK_CANRECURSE", "!LK_NOWAIT" } }
    lock { kind = "mutex", arg = 1, returns = "zero", acquire = name, when = { 2, "LK_EXCLUSIVE", "!LK_CANRECURSE", "!LK_NOWAIT" } }
    lock { kind = "mutex", arg = 1, returns = "zero", try = name, when = { 2, "LK_EXCLUSIVE", "LK_NOWAIT" } }
    lock { kind = "mutex", arg = 1, returns = "zero", shared = true, acquire = name, when = { 2, "LK_SHARED", "!LK_NOWAIT" } }
    lock { kind = "mutex", arg = 1, returns = "zero", shared = true, try = name, when = { 2, "LK_SHARED", "LK_NOWAIT" } }
    lock { kind = "mutex", arg = 1, release = name, when = { 2, "LK_RELEASE" } }
    lock { kind = "mutex", arg = 1, downgrade = name, when = { 2, "LK_DOWNGRADE" } }
    lock { kind = "mutex", arg = 1, upgrade = name, when = { 2, "^LK_(UPGRADE|EXCLUPGRADE)$" }, returns = "zero" }
end
lock { kind = "mutex", arg = 1, init = "lockinit lockreinit", destroy = "lockuninit", owned = "lockowned lockmgr_oneexcl" }
lock { kind = "mutex", arg = 1, recursive = true, init = "lockinit", when = { 4, "LK_CANRECURSE" } }
lock { kind = "mutex", arg = 1, returns = "zero", acquire = "lockmgr_exclusive", release = "lockmgr_release" }
lock { kind = "mutex", arg = 1, returns = "zero", shared = true, acquire = "lockmgr_shared" }
lock { kind = "mutex", arg = 1, downgrade = "lockmgr_downgrade" }
lock { kind = "mutex", arg = 1, upgrade = "lockmgr_upgrade", returns = "zero" }
lock { kind = "adaptive", arg = 1, types = "struct lwkt_serialize lwkt_serialize_t", acquire = "lwkt_serialize_enter lwkt_serialize_adaptive_enter", try = "lwkt_serialize_try",
    release = "lwkt_serialize_exit", init = "lwkt_serialize_init", asserts_held = "ASSERT_SERIALIZED", asserts_free = "ASSERT_NOT_SERIALIZED",
    owned = "IS_SERIALIZED" }
lock { kind = "mutex", arg = 1, recursive = true, types = "mtx_t struct mtx", acquire = "mtx_lock mtx_lock_ex_quick", release = "mtx_unlock mtx_unlock_ex",
    init = "mtx_init mtx_init_flags", destroy = "mtx_uninit", downgrade = "mtx_downgrade", owned = "mtx_owned mtx_islocked_ex" }
lock { kind = "mutex", arg = 1, recursive = true, returns = "zero", acquire = "mtx_lock_ex", try = "mtx_lock_ex_try" }
lock { kind = "mutex", arg = 1, shared = true, acquire = "mtx_lock_sh_quick mtx_lock_sh_again", release = "mtx_unlock_sh" }
lock { kind = "mutex", arg = 1, shared = true, returns = "zero", acquire = "mtx_lock_sh", try = "mtx_lock_sh_try" }
lock { kind = "mutex", arg = 1, upgrade = "mtx_upgrade_try", returns = "zero" }
lock { kind = "adaptive", arg = 1, sleepless = true, acquire = "mtx_spinlock", release = "mtx_spinunlock" }
lock { kind = "adaptive", arg = 1, sleepless = true, returns = "zero", try = "mtx_spinlock_try" }

-- A vnode's lock is often taken by one function and let go by another.
lock { kind = "semaphore", arg = 1, member = "v_lock", when = { 2, "!LK_SHARED", "!LK_NOWAIT" }, returns = "zero", recursive = true, acquire = "vn_lock VOP_LOCK" }
lock { kind = "semaphore", arg = 1, member = "v_lock", when = { 2, "!LK_SHARED", "LK_NOWAIT" }, returns = "zero", recursive = true, try = "vn_lock VOP_LOCK" }
lock { kind = "semaphore", arg = 1, member = "v_lock", when = { 2, "LK_SHARED" }, shared = true, returns = "zero", acquire = "vn_lock VOP_LOCK" }
lock { kind = "semaphore", arg = 1, member = "v_lock", release = "vn_unlock VOP_UNLOCK vput" }

-- Waits that let go of a lock meanwhile.
lock { kind = "adaptive", arg = 2, sleepless = true, wait = "ssleep" }
lock { kind = "mutex", arg = 2, wait = "lksleep mtxsleep cv_wait cv_wait_sig cv_timedwait cv_timedwait_sig" }
lock { kind = "adaptive", arg = 2, wait = "zsleep" }
blocks [[ lwkt_switch lwkt_yield lwkt_user_yield lwkt_domsg lwkt_waitport lwkt_waitmsg lwkt_synchronize_ipiqs ]]
blocks { "kmalloc kmalloc_cachealign kmalloc_powerof2", when = { 3, "^M_(WAITOK|INTWAIT)$", "!M_NOWAIT" } }
blocks { "krealloc", when = { 4, "^M_(WAITOK|INTWAIT)$" } }
blocks { "objcache_get", when = { 2, "M_WAITOK" } }
allocates "kmalloc krealloc kstrdup kstrndup objcache_get kmalloc_cachealign kmalloc_powerof2"
frees "kfree"
frees { "objcache_put", arg = 2 }

-- what runs by itself --------------------------------------------------------------
registers { "callout_reset callout_reset_bycpu", arg = 3, data = 4, object = 1, context = "timer" }
registers { "TASK_INIT", arg = 3, data = 4, object = 1, context = "work" }
registers { "TIMEOUT_TASK_INIT", arg = 4, data = 5, object = 2, context = "work" }
registers { "bus_setup_intr bus_setup_intr_descr", arg = 4, data = 5, object = 6, context = "softirq" }
registers { "register_int register_int_virtual register_swi register_swi_mp", arg = 2, data = 3, context = "softirq" }
registers { "lwkt_create", arg = 1, data = 2, object = 3, context = "thread" }
registers { "kthread_create kthread_create_cpu kproc_start", arg = 1, data = 2, object = 3, context = "thread" }
registers { "kthread_alloc", arg = 1, data = 2, object = 3, context = "thread" }
registers { "lwkt_send_ipiq lwkt_send_ipiq_passive lwkt_send_ipiq_mask", arg = 2, data = 3, context = "interrupt" }
registers { "SYSINIT", arg = 4, data = 5, context = "init" }
registers { "SYSUNINIT", arg = 4, data = 5, context = "exit" }
registers { "EVENTHANDLER_REGISTER", arg = 2, data = 3, context = "thread" }
joins { "callout_drain callout_terminate callout_cancel", arg = 1, context = "timer" }
joins { "taskqueue_drain", arg = 2, context = "work" }
joins { "bus_teardown_intr", arg = 3, context = "softirq" }

-- System calls take a message and their arguments. Nobody knows a device before it is attached.
annotate(function(program)
    for f in program:functions() do
        if match(f.file, "(^|/)(kern_(lock|mutex|spinlock|timeout|synch|condvar)|lwkt_(token|serialize|thread)|subr_taskqueue)\\.c$") then mark(f, "ignore") end
    end
    for f in program:functions "^sys_\\w+$" do
        if match(f:parameters()[1] or "", "^struct sysmsg \\*$|_args \\*$") then mark(f, "multithreaded") end
    end
    mark(program:functions "_(probe|attach)$", "init")
    mark(program:functions "_(probe|attach)$", "attach")
end)

-- atomics, macros ------------------------------------------------------------------
atomic { "^atomic_(set|clear|add|subtract|swap|cmpset|fcmpset|fetchadd|readandclear|testandset|testandclear|store_rel|readrl)_(acq_|rel_)?(char|short|int|long|ptr|8|16|32|64|u?int(8|16|32|64)|cpumask)$", arg = 1 }
atomic { "^atomic_load_acq_(char|short|int|long|ptr|32|64)$", arg = 1, access = "read" }
asserts "KKASSERT"
keep { "curthread", type = "struct thread *" }
percpu "curthread mycpu"
attribute "LOCK_SYSINIT SYSCTL_DECL DECLARE_DUMMY_MODULE DRIVER_MODULE TUNABLE_INT TUNABLE_LONG TUNABLE_STR ^SYSCTL_(NODE|INT|UINT|LONG|ULONG|QUAD|STRING|PROC|STRUCT|OPAQUE|BIT32)$"
define { __DragonFly__ = 1, __DragonFly_version = 600500, INVARIANTS = 1 }
