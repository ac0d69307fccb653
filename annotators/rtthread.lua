-- rtthread: RT-Thread (3 to 5), its drivers and programs for it.
world {
    name = "rtthread",
    detect = [[ rt_mutex_take rt_mutex_release rt_sem_take rt_sem_release rt_hw_interrupt_disable rt_hw_interrupt_enable
        rt_enter_critical rt_exit_critical rt_spin_lock_irqsave rt_spin_unlock_irqrestore rt_thread_create rt_thread_init
        rt_thread_startup rt_thread_mdelay rt_timer_init rt_timer_create rt_hw_interrupt_install rt_mq_recv rt_event_recv
        rt_kprintf rt_malloc rt_free ]],
    headers = "rtthread.h rthw.h rtdevice.h",
    least = 3,
}

-- interrupts and the scheduler ---------------------------------------------------
-- Each returns what was before. With interrupts off nothing is scheduled either.
lock { kind = "interrupts", everywhere = true, flags = "result", acquire = "rt_hw_interrupt_disable rt_hw_local_irq_disable" }
lock { kind = "interrupts", everywhere = true, flags = 1, release = "rt_hw_interrupt_enable rt_hw_local_irq_enable" }
lock { kind = "interrupts", everywhere = true, acquire = "__disable_irq", release = "__enable_irq" }
lock { kind = "spin", global = "scheduler", recursive = true, timed = true, -- nobody waits for it
    acquire = "rt_enter_critical rt_hw_interrupt_disable", release = "rt_exit_critical rt_exit_critical_safe rt_hw_interrupt_enable" }
-- The kernel's own.
lock { kind = "spin", global = "rt_sched", disables = "interrupts", acquire = "rt_sched_lock",
    release = "rt_sched_unlock rt_sched_unlock_n_resched" }
lock { kind = "spin", arg = 1, types = "struct rt_spinlock rt_hw_spinlock_t", acquire = "rt_spin_lock rt_hw_spin_lock", release = "rt_spin_unlock rt_hw_spin_unlock",
    init = "rt_spin_lock_init rt_hw_spin_lock_init" }
lock { kind = "spin", arg = 1, disables = "interrupts", flags = "result", acquire = "rt_spin_lock_irqsave" }
lock { kind = "spin", arg = 1, disables = "interrupts", flags = 2, release = "rt_spin_unlock_irqrestore" }

-- mutexes and semaphores ------------------------------------------------------------
-- All return RT_EOK, 0, when they have it; the second argument says how many ticks they wait. Mutexes nest.
local forever = "^RT_(WAITING|IPC)_FOREVER$"
local never = "^(RT_WAITING_NO|0)$"
for _, of in ipairs {
    { kind = "mutex", take = "rt_mutex_take rt_mutex_take_interruptible rt_mutex_take_killable", recursive = true },
    { kind = "semaphore", take = "rt_sem_take rt_sem_take_interruptible rt_sem_take_killable" },
} do
    lock { kind = of.kind, arg = 1, returns = "zero", fails = "negative", recursive = of.recursive, acquire = of.take, when = { 2, forever } }
    lock { kind = of.kind, arg = 1, returns = "zero", fails = "negative", recursive = of.recursive, try = of.take, when = { 2, never } }
    lock { kind = of.kind, arg = 1, returns = "zero", fails = "negative", recursive = of.recursive, timed = true, acquire = of.take,
        when = { 2, "!" .. forever, "!" .. never } }
end
lock { kind = "mutex", arg = 1, recursive = true, returns = "zero", fails = "negative", types = "struct rt_mutex", try = "rt_mutex_trytake",
    release = "rt_mutex_release", init = "rt_mutex_init", destroy = "rt_mutex_detach rt_mutex_delete" }
lock { kind = "semaphore", arg = 1, count = 3, returns = "zero", fails = "negative", types = "struct rt_semaphore", try = "rt_sem_trytake",
    release = "rt_sem_release", init = "rt_sem_init", destroy = "rt_sem_detach rt_sem_delete" }
lock { kind = "mutex", arg = 2, recursive = true, wait = "rt_condvar_wait rt_condvar_timedwait" }

-- waiting: not with 0 ticks -----------------------------------------------------------
blocks [[ rt_thread_mdelay rt_thread_delay rt_thread_delay_until rt_thread_sleep rt_completion_wait rt_completion_wait_flags
    rt_wqueue_wait rt_wqueue_wait_interruptible rt_workqueue_cancel_work_sync rt_data_queue_pop rt_data_queue_push ]]
for argument, names in ipairs { "", "", "rt_mb_recv rt_mb_send_wait rt_mb_recv_interruptible", "rt_mq_recv rt_mq_send_wait",
    "rt_event_recv" } do
    if names ~= "" then
        blocks { names, when = { argument, "!" .. never } }
    end
end
constant { RT_EOK = 0, RT_TRUE = 1, RT_FALSE = 0 }

-- what runs by itself -----------------------------------------------------------------
registers { "rt_thread_create", arg = 2, data = 3, object = "result", context = "thread" }
registers { "rt_thread_init", arg = 3, data = 4, object = 1, context = "thread" }
-- Hard timers end in the clock's handler, soft ones in a thread.
registers { "rt_timer_init", arg = 3, data = 4, object = 1, context = "interrupt", when = { 6, "!RT_TIMER_FLAG_SOFT_TIMER" } }
registers { "rt_timer_init", arg = 3, data = 4, object = 1, context = "work", when = { 6, "RT_TIMER_FLAG_SOFT_TIMER" } }
registers { "rt_timer_create", arg = 2, data = 3, object = "result", context = "interrupt", when = { 5, "!RT_TIMER_FLAG_SOFT_TIMER" } }
registers { "rt_timer_create", arg = 2, data = 3, object = "result", context = "work", when = { 5, "RT_TIMER_FLAG_SOFT_TIMER" } }
registers { "rt_hw_interrupt_install rt_pic_attach_irq", arg = 2, data = 3, parameter = 2, object = 1, context = "interrupt" }
registers { "rt_pin_attach_irq", arg = 3, data = 4, object = 1, context = "interrupt" }
registers { "rt_device_set_rx_indicate rt_device_set_tx_complete", arg = 2, context = "interrupt" }
registers { "rt_work_init rt_delayed_work_init", arg = 2, data = 3, parameter = 2, object = 1, context = "work" }
registers { "^INIT_\\w+_EXPORT$", arg = 1, context = "init" }
registers { "MSH_CMD_EXPORT FINSH_FUNCTION_EXPORT MSH_CMD_EXPORT_ALIAS", arg = 1, context = "thread" }
registers { "FINSH_FUNCTION_EXPORT_ALIAS", arg = 1, context = "thread" }
joins { "rt_workqueue_cancel_work_sync", arg = 2, context = "work" }

-- the rest --------------------------------------------------------------------------
allocates "rt_malloc rt_calloc rt_realloc rt_malloc_align rt_mp_alloc rt_memheap_alloc rt_strdup rt_object_allocate"
frees "rt_free rt_free_align rt_mp_free"
asserts "RT_ASSERT"
container "rt_container_of rt_list_entry rt_slist_entry"
definition { "rt_list_for_each_entry", text = "for ($1 = rt_list_entry(($2)->next, __typeof__(*$1), $3); &$1->$3 != ($2); $1 = rt_list_entry($1->$3.next, __typeof__(*$1), $3))" }
atomic { "^rt_(hw_)?atomic_(store|add|sub|and|or|xor|exchange|compare_exchange_strong|flag_clear|flag_test_and_set)$", arg = 1 }
atomic { "rt_atomic_load rt_hw_atomic_load", arg = 1, access = "read" }
atomic "rt_atomic_t"
percpu "rt_thread_self rt_cpu_self rt_hw_cpu_id"
accesses { "rt_memset", arg = 1, access = "write" }
accesses { "rt_memcpy rt_memmove rt_strncpy rt_strcpy", arg = 1, access = "write" }
accesses { "rt_memcpy rt_memmove rt_strncpy rt_strcpy", arg = 2, access = "read" }
keep "rt_kprintf ^LOG_[DIWERVFA](_RAW)?$ ^ulog_\\w+$ ^RT_OBJECT_HOOK_CALL$ ^RT_DEBUG_(LOG|NOT_IN_INTERRUPT|IN_THREAD_CONTEXT|SCHEDULER_AVAILABLE)$"
attribute "rt_weak RT_WEAK rt_inline_attribute rt_used RT_USED rt_section ALIGN rt_align RTM_EXPORT"

annotate(function(program)
    -- Vectors, by CMSIS's convention; what has parameters is called by one.
    for f in program:functions "_(IRQHandler|ISR)$" do
        local given = f:parameters()
        if #given == 0 or given[1] == "void" then
            mark(f, "interrupt")
        end
    end
    -- A device's operations are for any thread.
    for name in program:fields "^struct (rt_\\w+_ops|dfs_\\w+_ops)\\." do
        mark(program:stored_in(name), "multithreaded")
    end
end)
