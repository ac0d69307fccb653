-- zephyr: the Zephyr RTOS, its drivers and programs for it.
world {
    name = "zephyr",
    detect = [[ k_mutex_lock k_mutex_unlock k_sem_take k_sem_give k_spin_lock k_spin_unlock k_thread_create k_work_init
        k_work_submit k_timer_init k_msgq_put k_msgq_get k_sleep k_msleep K_SEM_DEFINE K_MUTEX_DEFINE K_THREAD_DEFINE
        K_WORK_DEFINE IRQ_CONNECT SYS_INIT k_sched_lock k_condvar_wait k_poll ]],
    headers = "zephyr/kernel.h zephyr/zephyr.h zephyr.h",
    least = 2,
}

-- interrupts and the scheduler ---------------------------------------------------
-- Both are a thread's own: when it goes to sleep, others run with interrupts on and the scheduler free.
local function off(acquire, release, released_by)
    lock { kind = "interrupts", everywhere = true, flags = "result", release_on_block = true, acquire = acquire }
    lock { kind = "interrupts", flags = released_by, release = release }
end
off("irq_lock arch_irq_lock z_smp_global_lock", "irq_unlock arch_irq_unlock z_smp_global_unlock", 1)
lock { kind = "interrupts", everywhere = true, acquire = "__disable_irq", release = "__enable_irq" }
-- With interrupts off nothing is scheduled either. Nobody waits for it, hence `timed`.
lock { kind = "spin", global = "scheduler", recursive = true, timed = true, release_on_block = true,
    acquire = "k_sched_lock irq_lock", release = "k_sched_unlock irq_unlock" }
-- The key is what k_spin_lock returned. K_SPINLOCK(&lock) { … }
lock { kind = "spin", arg = 1, disables = "interrupts", flags = "result", types = "struct k_spinlock",
    acquire = "k_spin_lock", guard = "K_SPINLOCK", test = "z_spin_is_locked k_spin_is_locked" }
lock { kind = "spin", arg = 1, disables = "interrupts", flags = 2, release = "k_spin_unlock" }
lock { kind = "spin", arg = 1, disables = "interrupts", returns = "zero", fails = "negative", try = "k_spin_trylock" }
iterator "K_SPINLOCK"
-- The lock alone: interrupts stay as they are.
lock { kind = "spin", arg = 1, release = "k_spin_release" }
-- Let go of the lock and go to sleep, or to whoever is more urgent; come back without it.
lock { kind = "spin", arg = 1, disables = "interrupts", wait = "z_pend_curr z_swap", retakes = false }
lock { kind = "spin", arg = 1, disables = "interrupts", release = "z_reschedule" }

-- mutexes and semaphores ------------------------------------------------------------
-- All return 0 when they have it; the second argument says how long they wait. Mutexes nest.
local forever, never = "K_FOREVER", "^(K_NO_WAIT|SYS_TIMEOUT_NONE)$"
for _, of in ipairs {
    { kind = "mutex", take = "k_mutex_lock sys_mutex_lock", recursive = true },
    { kind = "semaphore", take = "k_sem_take sys_sem_take" },
} do
    lock { kind = of.kind, arg = 1, returns = "zero", fails = "negative", recursive = of.recursive, acquire = of.take, when = { 2, forever } }
    lock { kind = of.kind, arg = 1, returns = "zero", fails = "negative", recursive = of.recursive, try = of.take, when = { 2, never } }
    lock { kind = of.kind, arg = 1, returns = "zero", fails = "negative", recursive = of.recursive, timed = true, acquire = of.take,
        when = { 2, "!K_FOREVER", "!" .. never } }
end
lock { kind = "mutex", arg = 1, recursive = true, types = "struct k_mutex struct sys_mutex", release = "k_mutex_unlock sys_mutex_unlock",
    init = "k_mutex_init sys_mutex_init" }
lock { kind = "semaphore", arg = 1, count = 2, types = "struct k_sem struct sys_sem", release = "k_sem_give sys_sem_give",
    init = "k_sem_init sys_sem_init" }
lock { kind = "mutex", arg = 2, recursive = true, wait = "k_condvar_wait" }
wakes "k_condvar_signal k_condvar_broadcast"
-- Until the end of the scope.
lock { kind = "mutex", arg = 2, recursive = true, guard = "scope_guard SCOPE_GUARD", when = { 1, "^k_mutex(_lock)?$" } }
lock { kind = "semaphore", arg = 2, guard = "scope_guard SCOPE_GUARD", when = { 1, "^k_sem(_take)?$" } }

-- waiting: not with K_NO_WAIT ---------------------------------------------------------
blocks [[ k_sleep k_msleep k_usleep k_yield k_thread_join k_thread_suspend k_work_flush k_work_flush_delayable
    k_work_cancel_sync k_work_cancel_delayable_sync k_work_queue_drain k_timer_status_sync ]]
for argument, names in ipairs {
    "",
    "k_queue_get k_fifo_get k_lifo_get k_futex_wait k_mem_slab_alloc net_buf_get",
    "k_msgq_put k_msgq_get k_poll k_stack_pop k_mbox_put k_heap_alloc k_mem_slab_alloc k_mbox_get",
    "k_event_wait k_event_wait_all k_event_wait_safe k_event_wait_all_safe k_heap_aligned_alloc k_pipe_read k_pipe_write",
} do
    if names ~= "" then
        blocks { names, when = { argument, "!" .. never } }
    end
end

-- what runs by itself -----------------------------------------------------------------
registers { "k_thread_create", arg = 4, data = 5, object = 1, context = "thread" }
registers { field = "struct _static_thread_data.init_entry", context = "thread" }
-- Objects that are gathered in a section: tables of operations, devices, whatever is initialised before it is used.
definition { "STRUCT_SECTION_ITERABLE", text = "struct $1 $2" }
definition { "STRUCT_SECTION_ITERABLE_ALTERNATE", text = "struct $2 $3" }
definition { "STRUCT_SECTION_ITERABLE_NAMED", text = "struct $1 $3" }
definition { "STRUCT_SECTION_ITERABLE_NAMED_ALTERNATE", text = "struct $1 $4" }
definition { "STRUCT_SECTION_ITERABLE_ARRAY", text = "struct $1 $2[$3]" }
definition { "STRUCT_SECTION_ITERABLE_ARRAY_ALTERNATE", text = "struct $2 $3[$4]" }
definition { "TYPE_SECTION_ITERABLE", text = "$1 $2" }
definition { "K_THREAD_DEFINE K_KERNEL_THREAD_DEFINE", text = "struct _static_thread_data _k_thread_data_$1 = { .init_entry = $3 }" }
registers { "IRQ_CONNECT irq_connect_dynamic arch_irq_connect_dynamic", arg = 3, data = 4, context = "interrupt" }
registers { "IRQ_DIRECT_CONNECT", arg = 3, context = "interrupt" }
registers { "irq_offload", arg = 1, data = 2, context = "call" }
definition { "ISR_DIRECT_DECLARE", text = '[[rx::mark("interrupt")]] int $1(void)' }
registers { "gpio_init_callback", arg = 2, object = 1, context = "interrupt" }
registers { "uart_irq_callback_set", arg = 2, data = 1, context = "interrupt" }
registers { "uart_irq_callback_user_data_set uart_callback_set counter_set_top_value", arg = 2, context = "interrupt" }
-- Timers end in the clock's handler.
registers { "k_timer_init", arg = 2, object = 1, data = 1, context = "interrupt" }
registers { field = "struct k_timer.expiry_fn", context = "interrupt" }
registers { "k_work_init k_work_init_delayable k_work_user_init k_work_poll_init", arg = 2, object = 1, data = 1, context = "work" }
registers { field = "struct k_work.handler", context = "work" }
registers { "SYS_INIT", arg = 1, context = "init" }
registers { "SYS_INIT_NAMED", arg = 2, context = "init" }
registers { "DEVICE_DT_INST_DEFINE DEVICE_DT_DEFINE DEVICE_DT_DEINIT_DEFINE", arg = 2, context = "init" }
registers { "DEVICE_DEFINE", arg = 3, context = "init" }
registers { "SHELL_CMD_REGISTER", arg = 4, context = "thread" }
registers { field = "struct k_work_poll.handler", context = "work" }
joins { "k_thread_join", arg = 1, context = "thread" }
joins { "k_work_flush k_work_flush_delayable k_work_cancel_sync k_work_cancel_delayable_sync k_work_queue_drain", arg = 1, context = "work" }

-- definitions ----------------------------------------------------------------------
for names, text in pairs {
    ["K_MUTEX_DEFINE"] = "struct k_mutex $1",
    ["SYS_MUTEX_DEFINE"] = "struct sys_mutex $1",
    ["K_SEM_DEFINE"] = "struct k_sem $1",
    ["SYS_SEM_DEFINE"] = "struct sys_sem $1",
    ["K_CONDVAR_DEFINE"] = "struct k_condvar $1",
    ["K_WORK_DEFINE"] = "struct k_work $1 = { .handler = $2 }",
    ["K_WORK_DELAYABLE_DEFINE"] = "struct k_work_delayable $1 = { .work = { .handler = $2 } }",
    ["K_TIMER_DEFINE"] = "struct k_timer $1 = { .expiry_fn = $2 }",
    ["K_MSGQ_DEFINE"] = "struct k_msgq $1",
    ["K_FIFO_DEFINE"] = "struct k_fifo $1",
    ["K_LIFO_DEFINE"] = "struct k_lifo $1",
    ["K_THREAD_STACK_DEFINE K_KERNEL_STACK_DEFINE"] = "struct z_thread_stack_element $1[1]",
    ["DEVICE_API"] = "const struct $1_driver_api $2",
    ["ATOMIC_DEFINE"] = "atomic_t $1[1]",
} do
    definition { names, text = text }
end
definition { "ARRAY_SIZE", text = "(sizeof($1) / sizeof(($1)[0]))" }
-- A driver's instances come from the device tree, which is made by the build: let there be one of each.
definition { "DT_INST_FOREACH_STATUS_OKAY", text = "$1(0)" }

-- the rest --------------------------------------------------------------------------
atomic [[ ^atomic_(set|clear|inc|dec|add|sub|or|and|xor|nand|cas|ptr_set|ptr_clear|ptr_cas|test_and_set_bit|test_and_clear_bit|set_bit|clear_bit|set_bit_to)$ ]]
atomic { "atomic_get atomic_ptr_get atomic_test_bit", arg = 1, access = "read" }
atomic "atomic_t atomic_ptr_t"
percpu "_current _current_cpu arch_curr_cpu k_current_get k_sched_current_thread_query"
container "CONTAINER_OF"
condition "IS_ENABLED"
asserts "__ASSERT __ASSERT_NO_MSG zassert_true zassert_not_null"
asserts { "zassert_false zassert_is_null", is = false }
noreturn "k_oops k_panic z_fatal_error CODE_UNREACHABLE k_fatal_halt arch_system_halt ztest_test_fail sys_reboot"
allocates "k_malloc k_calloc k_realloc k_aligned_alloc k_heap_alloc k_object_alloc net_pkt_alloc net_buf_alloc z_thread_malloc"
allocates { "k_mem_slab_alloc", arg = 2 }
frees "k_free"
frees { "k_heap_free k_mem_slab_free", arg = 2 }
attribute [[ BUILD_ASSERT __syscall __deprecated __maybe_unused __unused __packed __aligned __isr __noinit __ramfunc __pinned_func
    __boot_func __imr ALWAYS_INLINE FUNC_NORETURN LOG_MODULE_REGISTER LOG_MODULE_DECLARE ]]
keep "^LOG_(DBG|INF|WRN|ERR|HEXDUMP_\\w+|RAW|PRINTK)$ ^NET_(DBG|INFO|WARN|ERR)$ printk ^SYS_PORT_TRACING_ ^shell_(print|error|warn|info)$"

annotate(function(program)
    -- A driver's operations, and system calls, are for any thread.
    for name in program:fields "^struct \\w+_(driver_)?api\\." do
        mark(program:stored_in(name), "multithreaded")
    end
    mark("^z_impl_", "multithreaded")
    -- The tree's own tests provoke what they test.
    for f in program:functions() do
        if match(f.file, "^tests/") then
            mark(f, "ignore")
        end
    end
end)
