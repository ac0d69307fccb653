-- linux: the Linux kernel, 2.5 to 6.x, and drivers written for it.
-- Wrappers (rtnl_lock, inode_lock, task_rq_lock …) need no entry: they are functions or macros
-- that come down to what is here.
world {
    name = "linux",
    detect = [[ spin_lock spin_unlock spin_lock_irqsave spin_unlock_irqrestore spin_lock_bh mutex_lock mutex_unlock
        down_interruptible down_read up_read down_write up_write rcu_read_lock rcu_read_unlock lock_kernel unlock_kernel
        local_irq_save local_irq_restore save_flags restore_flags kmalloc copy_from_user request_irq schedule_work ]],
    -- none that programs have of the kernel, too (linux/netlink.h)
    headers = [[ linux/module.h linux/init.h linux/slab.h linux/mutex.h linux/spinlock.h linux/semaphore.h linux/rwsem.h
        linux/rcupdate.h linux/interrupt.h linux/workqueue.h linux/timer.h linux/completion.h linux/kthread.h linux/delay.h
        linux/preempt.h linux/percpu.h linux/uaccess.h linux/device.h linux/platform_device.h linux/seqlock.h ]],
    least = 2,
}

-- spinning locks ---------------------------------------------------------------
for _, raw in ipairs { "", "raw_" } do
    local lock_, unlock_, try_ = raw .. "spin_lock", raw .. "spin_unlock", raw .. "spin_trylock"
    lock { kind = "spin", arg = 1, acquire = lock_, try = try_, release = unlock_ .. " " .. unlock_ .. "_no_resched" }
    lock { kind = "spin", arg = 1, disables = "softirqs", acquire = lock_ .. "_bh", try = try_ .. "_bh", release = unlock_ .. "_bh" }
    lock { kind = "spin", arg = 1, disables = "interrupts", acquire = lock_ .. "_irq", try = try_ .. "_irq", release = unlock_ .. "_irq" }
    lock { kind = "spin", arg = 1, disables = "interrupts", flags = 2,
        acquire = lock_ .. "_irqsave", try = try_ .. "_irqsave", release = unlock_ .. "_irqrestore" }
    lock { kind = "spin", arg = 1, nested = 2, acquire = lock_ .. "_nested " .. lock_ .. "_nest_lock" }
    lock { kind = "spin", arg = 1, nested = 3, flags = 2, disables = "interrupts", acquire = lock_ .. "_irqsave_nested" }
    lock { kind = "spin", arg = 1, init = lock_ .. "_init", test = raw .. "spin_is_locked",
        asserts_held = "assert_" .. raw .. "spin_locked" }
end
lock { kind = "spin", arg = 1, types = "spinlock_t raw_spinlock_t arch_spinlock_t struct spinlock struct raw_spinlock",
    acquire = "arch_spin_lock __raw_spin_lock _raw_spin_lock", try = "arch_spin_trylock __raw_spin_trylock _raw_spin_trylock",
    release = "arch_spin_unlock __raw_spin_unlock _raw_spin_unlock" }
lock { kind = "spin", arg = 2, acquire = "bit_spin_lock", try = "bit_spin_trylock", release = "bit_spin_unlock __bit_spin_unlock",
    test = "bit_spin_is_locked" }
-- Taken only when the counter reaches zero.
lock { kind = "spin", arg = 2, returns = "nonzero",
    acquire = "atomic_dec_and_lock _atomic_dec_and_lock refcount_dec_and_lock atomic_dec_and_raw_lock" }
lock { kind = "spin", arg = 2, returns = "nonzero", flags = 3, disables = "interrupts",
    acquire = "atomic_dec_and_lock_irqsave refcount_dec_and_lock_irqsave" }
-- A lock per CPU: on an ordinary kernel, preemption or interrupts off and a name for it.
lock { kind = "spin", arg = 1, types = "local_lock_t", acquire = "local_lock", release = "local_unlock" }
lock { kind = "spin", arg = 1, disables = "interrupts", acquire = "local_lock_irq", release = "local_unlock_irq" }
lock { kind = "spin", arg = 1, disables = "interrupts", flags = 2, acquire = "local_lock_irqsave", release = "local_unlock_irqrestore" }

-- readers and writers that spin; readers nest
for mode, shared in pairs { read = true, write = false } do
    local lock_, unlock_, try_ = mode .. "_lock", mode .. "_unlock", mode .. "_trylock"
    lock { kind = "spin", arg = 1, shared = shared, recursive = shared, acquire = lock_, try = try_, release = unlock_ }
    lock { kind = "spin", arg = 1, shared = shared, recursive = shared, disables = "softirqs", acquire = lock_ .. "_bh",
        try = try_ .. "_bh", release = unlock_ .. "_bh" }
    lock { kind = "spin", arg = 1, shared = shared, recursive = shared, disables = "interrupts", acquire = lock_ .. "_irq",
        release = unlock_ .. "_irq" }
    lock { kind = "spin", arg = 1, shared = shared, recursive = shared, disables = "interrupts", flags = 2,
        acquire = lock_ .. "_irqsave", try = try_ .. "_irqsave", release = unlock_ .. "_irqrestore" }
    lock { kind = "spin", arg = 1, shared = shared, recursive = shared, nested = 2, acquire = lock_ .. "_nested" }
end
lock { kind = "spin", arg = 1, init = "rwlock_init", test = "rwlock_is_locked", types = "rwlock_t arch_rwlock_t" }

-- Sequence locks: writers exclude each other, readers look twice.
lock { kind = "spin", arg = 1, types = "seqlock_t", init = "seqlock_init",
    acquire = "write_seqlock read_seqlock_excl", try = "write_tryseqlock",
    release = "write_sequnlock read_sequnlock_excl" }
lock { kind = "spin", arg = 1, disables = "softirqs", acquire = "write_seqlock_bh read_seqlock_excl_bh",
    release = "write_sequnlock_bh read_sequnlock_excl_bh" }
lock { kind = "spin", arg = 1, disables = "interrupts", acquire = "write_seqlock_irq read_seqlock_excl_irq",
    release = "write_sequnlock_irq read_sequnlock_excl_irq" }
lock { kind = "spin", arg = 1, disables = "interrupts", flags = 2, acquire = "write_seqlock_irqsave read_seqlock_excl_irqsave",
    release = "write_sequnlock_irqrestore read_sequnlock_excl_irqrestore" }
lock { kind = "sequence", arg = 1, shared = true, recursive = true,
    acquire = [[ read_seqbegin read_seqcount_begin __read_seqcount_begin raw_read_seqcount_begin raw_read_seqcount
        raw_seqcount_begin ]],
    release = "read_seqretry read_seqcount_retry __read_seqcount_retry" }
-- Readers that lock when they have looked in vain: need_seqretry() asks, done_seqretry() ends it either way.
lock { kind = "sequence", arg = 1, shared = true, recursive = true, acquire = "read_seqbegin_or_lock read_seqbegin_or_lock_irqsave",
    release = "done_seqretry done_seqretry_irqrestore" }
opaque "need_seqretry"
-- Each architecture has its own, mostly as macros: nothing of another's is meant.
opaque "cpu_relax cpu_relax_yield udelay ndelay mdelay"
-- With page faults off nothing that reads or writes users' memory waits.
opaque "copy_to_kernel_nofault copy_from_kernel_nofault copy_from_user_nofault copy_to_user_nofault strncpy_from_kernel_nofault strncpy_from_user_nofault strnlen_user_nofault"
lock { kind = "sequence", arg = 1, types = "seqcount_t seqcount_spinlock_t seqcount_raw_spinlock_t seqcount_mutex_t",
    acquire = "write_seqcount_begin write_seqcount_begin_nested raw_write_seqcount_begin",
    release = "write_seqcount_end raw_write_seqcount_end", init = "seqcount_init" }

-- sleeping locks ---------------------------------------------------------------
lock { kind = "mutex", arg = 1, types = "struct mutex", acquire = "mutex_lock mutex_lock_io", try = "mutex_trylock",
    release = "mutex_unlock", init = "mutex_init __mutex_init", destroy = "mutex_destroy", test = "mutex_is_locked" }
lock { kind = "mutex", arg = 1, returns = "zero", acquire = "mutex_lock_interruptible mutex_lock_killable" }
lock { kind = "mutex", arg = 1, nested = 2, acquire = "mutex_lock_nested mutex_lock_nest_lock mutex_lock_io_nested" }
lock { kind = "mutex", arg = 1, nested = 2, returns = "zero", acquire = "mutex_lock_interruptible_nested mutex_lock_killable_nested" }
lock { kind = "mutex", arg = 2, returns = "nonzero", acquire = "atomic_dec_and_mutex_lock refcount_dec_and_mutex_lock" }
-- The context (second argument) sorts their order out.
lock { kind = "mutex", arg = 1, nested = 2, returns = "zero", timed = true, types = "struct ww_mutex", -- gives up with -EDEADLK
    acquire = "ww_mutex_lock ww_mutex_lock_interruptible ww_mutex_lock_slow_interruptible", release = "ww_mutex_unlock" }
lock { kind = "mutex", arg = 1, nested = 2, timed = true, acquire = "ww_mutex_lock_slow", try = "ww_mutex_trylock", test = "ww_mutex_is_locked" }
lock { kind = "mutex", arg = 1, types = "struct rt_mutex", acquire = "rt_mutex_lock rt_mutex_lock_nested", try = "rt_mutex_trylock",
    release = "rt_mutex_unlock", init = "rt_mutex_init" }
lock { kind = "mutex", arg = 1, returns = "zero", acquire = "rt_mutex_lock_interruptible rt_mutex_lock_killable" }

lock { kind = "mutex", arg = 1, shared = true, types = "struct rw_semaphore struct percpu_rw_semaphore",
    acquire = "down_read down_read_non_owner percpu_down_read", try = "down_read_trylock percpu_down_read_trylock",
    release = "up_read up_read_non_owner percpu_up_read", asserts_held = "percpu_rwsem_assert_held" }
lock { kind = "mutex", arg = 1, shared = true, returns = "zero", acquire = "down_read_interruptible down_read_killable" }
lock { kind = "mutex", arg = 1, shared = true, nested = 2, acquire = "down_read_nested" }
lock { kind = "mutex", arg = 1, shared = true, nested = 2, returns = "zero", acquire = "down_read_killable_nested" }
lock { kind = "mutex", arg = 1, acquire = "down_write percpu_down_write", try = "down_write_trylock",
    release = "up_write percpu_up_write", downgrade = "downgrade_write", init = "init_rwsem percpu_init_rwsem",
    test = "rwsem_is_locked" }
lock { kind = "mutex", arg = 1, returns = "zero", acquire = "down_write_killable" }
lock { kind = "mutex", arg = 1, nested = 2, acquire = "down_write_nested down_write_nest_lock" }
lock { kind = "mutex", arg = 1, nested = 2, returns = "zero", acquire = "down_write_killable_nested" }

lock { kind = "semaphore", arg = 1, types = "struct semaphore", acquire = "down", release = "up" }
lock { kind = "semaphore", arg = 1, returns = "zero", acquire = "down_interruptible down_killable", try = "down_trylock" }
lock { kind = "semaphore", arg = 1, returns = "zero", timed = true, acquire = "down_timeout" }
lock { kind = "semaphore", arg = 1, count = 2, init = "sema_init" }
lock { kind = "semaphore", arg = 1, init = "init_MUTEX init_MUTEX_LOCKED" }

-- Held by the socket's user; what arrives meanwhile is queued.
lock { kind = "mutex", arg = 1, member = "sk_lock", acquire = "lock_sock lock_sock_nested lock_sock_fast",
    release = "release_sock unlock_sock_fast" }
-- Page and buffer locks may be released by whoever ends the transfer.
lock { kind = "semaphore", arg = 1, acquire = "lock_page folio_lock lock_buffer", try = "trylock_page folio_trylock trylock_buffer",
    release = "unlock_page folio_unlock unlock_buffer" }
lock { kind = "semaphore", arg = 1, returns = "zero", acquire = "lock_page_killable folio_lock_killable",
    try = "TryLockPage TestSetPageLocked" } -- the bit's old value

-- The big kernel lock of old: nests, and is let go while its holder sleeps.
lock { kind = "spin", global = "kernel_flag", recursive = true, release_on_block = true,
    acquire = "lock_kernel _lock_kernel", release = "unlock_kernel _unlock_kernel", test = "kernel_locked" }

-- RCU's readers keep nobody out.
lock { kind = "rcu", global = "rcu", shared = true, recursive = true, acquire = "rcu_read_lock",
    release = "rcu_read_unlock", test = "rcu_read_lock_held rcu_read_lock_any_held" }
lock { kind = "rcu", global = "rcu", shared = true, recursive = true, disables = "softirqs",
    acquire = "rcu_read_lock_bh", release = "rcu_read_unlock_bh", test = "rcu_read_lock_bh_held" }
lock { kind = "rcu", global = "rcu", shared = true, recursive = true, disables = "preemption",
    acquire = "rcu_read_lock_sched rcu_read_lock_sched_notrace", release = "rcu_read_unlock_sched rcu_read_unlock_sched_notrace",
    test = "rcu_read_lock_sched_held" }
lock { kind = "srcu", arg = 1, shared = true, recursive = true, types = "struct srcu_struct",
    acquire = "srcu_read_lock srcu_read_lock_notrace", release = "srcu_read_unlock srcu_read_unlock_notrace" }

-- the state of the CPU -------------------------------------------------------------
lock { kind = "interrupts", acquire = "local_irq_disable raw_local_irq_disable arch_local_irq_disable __cli cli",
    release = "local_irq_enable raw_local_irq_enable arch_local_irq_enable __sti sti",
    test = "irqs_disabled raw_irqs_disabled", asserts_held = "lockdep_assert_irqs_disabled",
    asserts_free = "lockdep_assert_irqs_enabled" }
lock { kind = "interrupts", flags = 1, acquire = "local_irq_save raw_local_irq_save save_and_cli save_flags_cli __save_and_cli",
    release = "local_irq_restore raw_local_irq_restore restore_flags __restore_flags",
    save = "save_flags __save_flags local_save_flags raw_local_save_flags" }
lock { kind = "softirqs", recursive = true, acquire = "local_bh_disable __local_bh_disable_ip",
    release = "local_bh_enable _local_bh_enable __local_bh_enable_ip local_bh_enable_ip" }
lock { kind = "preemption", recursive = true,
    acquire = "preempt_disable preempt_disable_notrace get_cpu get_cpu_var get_cpu_ptr get_cpu_light migrate_disable",
    release = [[ preempt_enable preempt_enable_notrace preempt_enable_no_resched preempt_enable_no_resched_notrace
        sched_preempt_enable_no_resched put_cpu put_cpu_var put_cpu_ptr put_cpu_light migrate_enable ]],
    asserts_held = "lockdep_assert_preemption_disabled", asserts_free = "lockdep_assert_preemption_enabled" }

-- assertions -----------------------------------------------------------------------
lock { kind = "mutex", arg = 1, asserts_held = [[ lockdep_assert_held lockdep_assert_held_once lockdep_assert_held_exclusive
    lockdep_assert_held_write sock_owned_by_me ]], asserts_free = "lockdep_assert_not_held", test = "lockdep_is_held" }
lock { kind = "mutex", arg = 1, shared = true, asserts_held = "lockdep_assert_held_read" }
asserts { [[ BUG_ON VM_BUG_ON VM_BUG_ON_PAGE VM_BUG_ON_FOLIO VM_BUG_ON_VMA VM_BUG_ON_MM ]], is = false }
likely [[ WARN_ON WARN_ON_ONCE WARN WARN_ONCE WARN_TAINT WARN_TAINT_ONCE WARN_RATELIMIT WARN_ON_SMP DEBUG_LOCKS_WARN_ON
    RCU_LOCKDEP_WARN VM_WARN_ON VM_WARN_ON_ONCE SCHED_WARN_ON ]]
likely "ERR_PTR PTR_ERR ERR_CAST" -- the same number, as another type
noreturn [[ BUG panic do_exit do_group_exit make_task_dead complete_and_exit kthread_exit kthread_complete_and_exit
    module_put_and_exit __module_put_and_kthread_exit unreachable ]]

-- waiting ------------------------------------------------------------------------
lock { kind = "spin", arg = 3, disables = "interrupts", wait = [[ wait_event_lock_irq wait_event_lock_irq_timeout
    wait_event_interruptible_lock_irq wait_event_interruptible_lock_irq_cmd wait_event_interruptible_lock_irq_timeout ]] }
-- As the first, with a statement for when the lock is let go.
definition { "wait_event_lock_irq_cmd",
    text = "do { spin_unlock_irq(&$3); $4; schedule(); spin_lock_irq(&$3); } while (!($2))" }
-- With the lock of the queue itself.
lock { kind = "spin", arg = 1, member = "lock", wait = "wait_event_interruptible_locked wait_event_interruptible_exclusive_locked" }
lock { kind = "spin", arg = 1, member = "lock", disables = "interrupts",
    wait = "wait_event_interruptible_locked_irq wait_event_interruptible_exclusive_locked_irq" }
-- Comes back when the transfer that had it has ended.
lock { kind = "semaphore", arg = 1, wait = "wait_on_buffer __wait_on_buffer wait_on_page_locked folio_wait_locked", retakes = false }
-- With what is to be done before and after each sleep, as statements.
definition { "wait_event_cmd wait_event_exclusive_cmd", text = "do { $3; schedule(); $4; } while (!($2))" }
-- the condition holds afterwards: `wait_event(queue, down_read_trylock(&sem))` comes back with the lock
definition { "wait_event io_wait_event wait_event_idle wait_event_idle_exclusive swait_event_exclusive wait_var_event",
    text = "do { schedule(); } while (!($2))" }
definition { "rcuwait_wait_event", text = "({ do { schedule(); } while (!($2)); 0; })" }
-- Made to be called with interrupts off: between the test and the sleep nobody may wake.
lock { kind = "interrupts", wait = "sleep_on interruptible_sleep_on sleep_on_timeout interruptible_sleep_on_timeout" }
-- Let the lock go while others run.
lock { kind = "spin", arg = 1, wait = "cond_resched_lock __cond_resched_lock" }
lock { kind = "spin", arg = 1, shared = true, wait = "cond_resched_rwlock_read __cond_resched_rwlock_read" }
lock { kind = "spin", arg = 1, wait = "cond_resched_rwlock_write __cond_resched_rwlock_write" }
blocks [[ ^(io_)?s?wait_event(_|$) ^wait_for_completion ^wait_on_(page|buffer|bit|folio) ^wait_var_event
    schedule schedule_timeout io_schedule io_schedule_timeout schedule_timeout_interruptible schedule_timeout_uninterruptible
    schedule_timeout_killable schedule_timeout_idle schedule_hrtimeout schedule_hrtimeout_range
    sleep_on interruptible_sleep_on sleep_on_timeout interruptible_sleep_on_timeout
    msleep msleep_interruptible ssleep usleep_range usleep_range_state fsleep cond_resched yield might_sleep might_fault
    synchronize_rcu synchronize_sched synchronize_net synchronize_srcu synchronize_kernel synchronize_irq rcu_barrier
    get_user put_user __get_user __put_user copy_from_user copy_to_user __copy_from_user __copy_to_user clear_user
    strncpy_from_user strnlen_user vmalloc vzalloc vmalloc_user kvmalloc kvzalloc kthread_stop kthread_park flush_work
    flush_delayed_work flush_workqueue flush_scheduled_work cancel_work_sync cancel_delayed_work_sync destroy_workqueue
    vfree vunmap vmap ioremap ioremap_wc iounmap alloc_percpu __alloc_percpu kmem_cache_create kmem_cache_destroy
    mempool_create mempool_destroy dma_pool_create dma_pool_destroy synchronize_rcu_expedited synchronize_rcu_tasks srcu_barrier
    request_firmware usb_kill_urb
    drain_workqueue kthread_unpark
    free_irq disable_irq request_irq request_threaded_irq kthread_create kthread_run kernel_thread call_usermodehelper ]]

signals "complete complete_all"
awaits "wait_for_completion wait_for_completion_io"
awaits { "wait_for_completion_interruptible wait_for_completion_killable wait_for_completion_state", returns = "zero" }
awaits { [[ wait_for_completion_timeout wait_for_completion_io_timeout wait_for_completion_interruptible_timeout
    wait_for_completion_killable_timeout try_wait_for_completion ]], returns = "nonzero" }

-- Allocators; they sleep when their flags let them.
local sleeps = "^GFP_(KERNEL|USER|HIGHUSER|NOFS|NOIO)"
for argument, names in pairs {
    "alloc_page __get_free_page get_zeroed_page",
    [[ kmalloc kzalloc kmem_cache_alloc kmem_cache_zalloc kstrdup __vmalloc alloc_skb kvmalloc kvzalloc kmalloc_node
       kzalloc_node kmem_cache_alloc_node mempool_alloc kmalloc_track_caller
       dma_pool_alloc dma_pool_zalloc skb_clone skb_copy ida_alloc alloc_percpu_gfp kvzalloc_node radix_tree_maybe_preload ]],
    [[ kcalloc kmalloc_array kmemdup kstrndup kvcalloc kvmalloc_array krealloc devm_kmalloc devm_kzalloc devm_kstrdup ]],
    [[ devm_kcalloc devm_kmalloc_array devm_kmemdup krealloc_array dma_alloc_coherent dma_alloc_attrs ]],
} do
    allocates(names)
    blocks { names, when = { argument, sleeps } }
end
-- What makes an object and keeps it in a list of its own gives it to its caller to be made ready.
allocates [[ new_inode new_inode_pseudo alloc_netdev_mqs alloc_etherdev_mqs sk_alloc sock_alloc d_alloc scsi_host_alloc scsi_alloc_target
    input_allocate_device hci_alloc_dev_priv ieee80211_alloc_hw_nm wiphy_new_nm usb_alloc_urb bio_alloc_bioset bio_kmalloc alloc_buffer_head
    dst_alloc neigh_alloc inet_reqsk_alloc tty_alloc_driver cdev_alloc kobject_create platform_device_alloc video_device_alloc rc_allocate_device
    __alloc_skb build_skb sock_alloc_send_skb sock_alloc_send_pskb sock_wmalloc nlmsg_new genlmsg_new skb_copy_expand ]]
allocates "alloc_pages __get_free_pages vmalloc vzalloc vmalloc_user dev_alloc_skb netdev_alloc_skb alloc_percpu __alloc_percpu"
blocks { "alloc_pages __get_free_pages", when = { 1, sleeps } }
blocks { "usb_submit_urb", when = { 2, sleeps } }
blocks { "idr_alloc idr_alloc_cyclic", when = { 5, sleeps } }
blocks { "pskb_expand_head", when = { 4, sleeps } }
frees "kfree kvfree vfree kfree_sensitive kzfree kfree_skb consume_skb dev_kfree_skb free_page kfree_const kfree_rcu kvfree_rcu"
frees { "kmem_cache_free mempool_free devm_kfree", arg = 2 }

-- what runs by itself -----------------------------------------------------------------
registers { "request_irq request_any_context_irq", arg = 2, object = 1, data = 5, parameter = 2, context = "interrupt" }
registers { "request_threaded_irq", arg = 2, object = 1, data = 6, parameter = 2, context = "interrupt" }
registers { "request_threaded_irq", arg = 3, object = 1, data = 6, parameter = 2, context = "thread" }
registers { "devm_request_irq devm_request_any_context_irq", arg = 3, object = 2, data = 6, parameter = 2, context = "interrupt" }
registers { "devm_request_threaded_irq", arg = 3, object = 2, data = 7, parameter = 2, context = "interrupt" }
registers { "devm_request_threaded_irq", arg = 4, object = 2, data = 7, parameter = 2, context = "thread" }
registers { "request_percpu_irq", arg = 2, object = 1, data = 4, parameter = 2, context = "interrupt" }
registers { field = "struct irqaction.handler", context = "interrupt" }
registers { field = "struct irqaction.thread_fn", context = "thread" }
registers { "tasklet_init", arg = 2, object = 1, data = 3, context = "softirq" }
registers { "tasklet_setup open_softirq", arg = 2, object = 1, context = "softirq" }
registers { field = "struct tasklet_struct.func", context = "softirq" }
registers { field = "struct tasklet_struct.callback", context = "softirq" }
registers { "netif_napi_add netif_napi_add_weight netif_napi_add_tx", arg = 3, object = 2, context = "softirq" }
registers { "call_rcu call_rcu_bh call_rcu_sched call_rcu_hurry call_rcu_tasks", arg = 2, object = 1, data = 1, context = "softirq" }
registers { "call_srcu", arg = 3, object = 2, data = 2, context = "softirq" }
registers { "timer_setup timer_setup_on_stack", arg = 2, object = 1, data = 1, context = "timer" }
registers { "setup_timer setup_timer_on_stack setup_deferrable_timer __setup_timer", arg = 2, object = 1, data = 3, context = "timer" }
registers { field = "struct timer_list.function", context = "timer" }
registers { field = "struct hrtimer.function", context = "interrupt" }
registers { "hrtimer_setup", arg = 2, object = 1, data = 1, context = "interrupt" }
registers { "init_irq_work", arg = 2, object = 1, data = 1, context = "interrupt" }
registers { "smp_call_function on_each_cpu", arg = 1, data = 2, context = "interrupt" }
registers { "smp_call_function_single smp_call_function_many on_each_cpu_mask", arg = 2, data = 3, context = "interrupt" }
registers { [[ INIT_WORK __INIT_WORK INIT_WORK_ONSTACK INIT_DELAYED_WORK INIT_DELAYED_WORK_ONSTACK INIT_DEFERRABLE_WORK
    INIT_RCU_WORK PREPARE_WORK PREPARE_DELAYED_WORK kthread_init_work kthread_init_delayed_work ]],
    arg = 2, object = 1, data = 1, context = "work" }
registers { field = "struct work_struct.func", context = "work" }
-- Items of one ordered queue run one after the other.
queues { "queue_work queue_delayed_work mod_delayed_work queue_rcu_work kthread_queue_work kthread_queue_delayed_work kthread_mod_delayed_work",
    arg = 2, object = 1 }
queues { "queue_work_on queue_delayed_work_on mod_delayed_work_on queue_work_node", arg = 3, object = 2 }
queues { "schedule_work schedule_delayed_work", arg = 1 }
queues { "schedule_work_on schedule_delayed_work_on", arg = 2 }
ordered "alloc_ordered_workqueue create_singlethread_workqueue kthread_create_worker kthread_create_worker_on_cpu kthread_run_worker"
ordered { "kthread_init_worker", arg = 1 }
ordered { "alloc_workqueue create_workqueue create_freezable_workqueue", is = false }
registers { field = "struct kthread_work.func", context = "work" }
registers { "kthread_run kthread_create kthread_run_on_cpu kernel_thread", arg = 1, data = 2, object = "result", context = "thread" }
registers { "kthread_create_on_node kthread_create_on_cpu", arg = 1, data = 2, object = "result", context = "thread" }
registers { "stop_machine stop_machine_cpuslocked", arg = 1, data = 2, context = "call" }
registers { [[ module_init ^(early|pure|core|postcore|arch|subsys|fs|rootfs|device|late|console|security)_initcall(_sync)?$
    __initcall ]], arg = 1, context = "init" }
registers { "__setup early_param", arg = 2, context = "init" }
registers { "module_exit __exitcall", arg = 1, context = "exit" }
-- Tables of operations that system calls go through.
for _, table in ipairs(words [[ file_operations proc_ops inode_operations super_operations address_space_operations
    seq_operations proto_ops vm_operations_struct block_device_operations tty_operations dentry_operations
    export_operations xattr_handler kernfs_ops sysfs_ops ]]) do
    registers { field = "struct " .. table, context = "syscall" }
end
joins { "free_irq disable_irq synchronize_irq", arg = 1, context = "interrupt" }
joins { "devm_free_irq", arg = 2, context = "interrupt" }
joins { [[ del_timer_sync timer_delete_sync del_singleshot_timer_sync timer_shutdown_sync ]],
    arg = 1, context = "timer" }
joins { [[ cancel_work_sync cancel_delayed_work_sync flush_work flush_delayed_work kthread_cancel_work_sync kthread_flush_work
    flush_workqueue drain_workqueue destroy_workqueue flush_scheduled_work disable_work_sync disable_delayed_work_sync ]], arg = 1, context = "work" }
joins { "tasklet_kill tasklet_disable tasklet_unlock_wait napi_disable", arg = 1, context = "softirq" }
joins { "irq_work_sync hrtimer_cancel", arg = 1, context = "interrupt" }
joins { "kthread_stop kthread_stop_put kthread_park", arg = 1, context = "thread" }

-- atomics, accessors, data of one's own ---------------------------------------------------
atomic [[ ^(arch_|raw_)?atomic(64|_long)?_(set|add|sub|inc|dec|and|andnot|or|xor|fetch|xchg|cmpxchg|try_cmpxchg|cond_read)(_|$)
    ^refcount_(set|add|sub|inc|dec)(_not_zero|_and_test|_if_one|_not_one)?$ ^(arch_|sync_)?(try_)?(cmp)?xchg(64|128)?(_local|_relaxed|_acquire|_release|_double)?$
    ^local(64)?_(set|add|sub|inc|dec|cmpxchg|xchg)(_|$) ]]
atomic { "^(arch_|raw_)?atomic(64|_long)?_read(_acquire)?$ refcount_read", arg = 1, access = "read" }
atomic { [[ set_bit clear_bit change_bit test_and_set_bit test_and_clear_bit test_and_change_bit clear_bit_unlock
    test_and_set_bit_lock ]], arg = 2 }
atomic { "test_bit test_bit_acquire", arg = 2, access = "read" }
atomic { "smp_load_acquire smp_cond_load_acquire smp_cond_load_relaxed", arg = 1, access = "read" }
atomic { "smp_store_release", arg = 1, access = "write" }
accessor { "READ_ONCE __READ_ONCE data_race lockless_dereference READ_ONCE_NOCHECK", access = "read" }
accessor { "^(s)?rcu_dereference(_|$) rcu_access_pointer rtnl_dereference unrcu_pointer", access = "read" }
accessor { "WRITE_ONCE __WRITE_ONCE rcu_assign_pointer RCU_INIT_POINTER smp_store_mb set_mb", access = "write" }
accessor "ACCESS_ONCE rcu_replace_pointer"
percpu { "^(raw|this|__this)_cpu_ __get_cpu_var __raw_get_cpu_var get_cpu_var get_cpu_ptr", arg = 1 }
percpu { "per_cpu per_cpu_ptr", arg = 1, other = true }

-- Trees and tables that their users lock: what the library does to them is not in every tree that is analysed.
accesses { "rb_erase rb_erase_cached rb_insert_color rb_insert_color_cached", arg = 2 }
accesses { "rb_replace_node rb_replace_node_cached", arg = 3 }
-- Bits that their users lock, too: a map is one object.
accesses { [[ __set_bit __clear_bit __change_bit __assign_bit __test_and_set_bit __test_and_clear_bit
    __test_and_change_bit ]], arg = 2 }
accesses { "bitmap_set bitmap_clear", arg = 1 }
accesses { [[ idr_alloc idr_alloc_u32 idr_alloc_cyclic radix_tree_insert radix_tree_delete
    radix_tree_delete_item radix_tree_tag_set radix_tree_tag_clear ]], arg = 1 }

-- Registers of devices: to read one, or to write one, is a single step. Who only says something changes nothing either.
accesses { [[ ^(__raw_)?read[bwlq](_relaxed|_be)?$ ^(__)?ioread(8|16|32|64)(be)?$ ^in[bwl](_p)?$ ^in_(8|be16|be32|le16|le32)$
    ^sbus_read[bwlq]$ ^__raw_in[bwl]$ ]], device = true, access = "read" }
accesses { [[ printk vprintk no_printk early_printk dump_stack
    ^(pr|dev|netdev|netif|net|wiphy|ibdev|drm|DRM|usb|hw|sdev|scmd|shost|ata|nvme|v4l2|hid|pci)_((DEV_)?(emerg|alert|crit|err|error|ERROR|warn|warning|notice|info|INFO|printk|cont|debug|DEBUG|dbg|vdbg|devel))(_once|_ratelimited|_kms|_DRIVER)?$
    ^trace_\w+ barrier mb rmb wmb smp_mb smp_rmb smp_wmb cpu_relax ]], device = true, access = "read" }
accesses { [[ ^(__raw_)?write[bwlq](_relaxed|_be)?$ ^(__)?iowrite(8|16|32|64)(be)?$ ^out[bwl](_p)?$ ^out_(8|be16|be32|le16|le32)$
    ^sbus_write[bwlq]$ ^__raw_out[bwl]$ ]], device = true, access = "write" }

-- macros ---------------------------------------------------------------------------
container "container_of container_of_const container_of_safe"
condition "IS_ENABLED IS_BUILTIN IS_REACHABLE config_enabled CONFIG_IS_ENABLED"
condition { "IS_MODULE", answer = 0 }
keep { "current", type = "struct task_struct *" }
-- What expands to much and says nothing of locks or data.
keep [[ printk vprintk no_printk early_printk
    ^(pr|dev|netdev|netif|net|wiphy|ibdev|drm|DRM|usb|acpi_handle|hw|sdev|scmd|shost|ata|fs|xfs|btrfs|nvme|v4l2|hid|pci)_((DEV_)?(emerg|alert|crit|err|error|ERROR|warn|warning|notice|info|INFO|printk|cont|debug|DEBUG|dbg|vdbg|devel))(_once|_ratelimited|_kms|_DRIVER)?$
    ^trace_\w+ ^static_(branch|key|cpu)_ ^(boot_)?cpu_(feature_enabled|has)$ dynamic_pr_debug print_hex_dump_debug
    min max min3 max3 min_t max_t clamp clamp_t clamp_val min_not_zero abs roundup rounddown round_up round_down DIV_ROUND_UP
    DIV_ROUND_UP_ULL DIV_ROUND_CLOSEST do_div ALIGN IS_ALIGNED array_size array3_size FIELD_GET FIELD_PREP
    ilog2 roundup_pow_of_two rounddown_pow_of_two hweight8 hweight16 hweight32 hweight64 upper_32_bits lower_32_bits
    cpu_to_le16 cpu_to_le32 cpu_to_le64 cpu_to_be16 cpu_to_be32 cpu_to_be64 le16_to_cpu le32_to_cpu le64_to_cpu
    be16_to_cpu be32_to_cpu be64_to_cpu htons htonl ntohs ntohl swab16 swab32 swab64
    check_add_overflow check_sub_overflow check_mul_overflow
    time_after time_before time_after_eq time_before_eq time_in_range jiffies smp_processor_id raw_smp_processor_id
    readb readw readl readq writeb writew writel writeq ioread8 ioread16 ioread32 iowrite8 iowrite16 iowrite32
    inb inw inl outb outw outl in_interrupt in_irq in_softirq in_task in_atomic preemptible in_hardirq in_nmi
    barrier mb rmb wmb smp_mb smp_rmb smp_wmb smp_mb__before_atomic smp_mb__after_atomic smp_mb__after_spinlock
    cpu_relax prefetch prefetchw local_irq_count set_current_state __set_current_state
    read_poll_timeout readl_poll_timeout readl_poll_timeout_atomic read_poll_timeout_atomic regmap_read_poll_timeout
    ^module_param EXPORT_SYMBOL EXPORT_SYMBOL_GPL EXPORT_SYMBOL_NS EXPORT_SYMBOL_NS_GPL EXPORT_PER_CPU_SYMBOL
    EXPORT_PER_CPU_SYMBOL_GPL EXPORT_SYMBOL_NOVERS ALLOW_ERROR_INJECTION BTF_ID ]]

-- Words without a meaning for us, for sources whose headers are not there.
attribute { "__init __devinit __cpuinit __meminit __net_init __initdata __initconst __devinitdata", mark = "init" }
attribute { "__exit __devexit __net_exit __exitdata", mark = "exit" }
attribute { "__must_hold __releases __must_hold_shared", states = "lockdep_assert_held" } -- behind a function's header
attribute { "__acquires __cond_acquires", mark = "acquires" }
attribute [[ __packed __aligned __section __user __kernel __iomem __force __rcu __percpu __nocast __private __safe __must_check __cold __hot __used
    __read_mostly __ro_after_init ____cacheline_aligned __cacheline_aligned ____cacheline_aligned_in_smp
    __cacheline_aligned_in_smp ____cacheline_internodealigned_in_smp __acquire __release
    __printf __scanf __ref __refdata __sched __kprobes __lockfunc __visible __latent_entropy __randomize_layout
    __no_randomize_layout asmlinkage fastcall notrace noinline noinline_for_stack noinstr fallthrough __maybe_unused
    __always_unused __deprecated __pure __attribute_const__ __malloc __assume_aligned __alloc_size __counted_by __nonstring
    __no_sanitize_address __no_kcsan __no_sanitize_thread __flatten __bpf_kfunc __nonnull __noclone __diag_push __diag_pop
    __diag_ignore NORET_TYPE ATTRIB_NORET FASTCALL ^MODULE_ALIAS(_\w+)?$ MODULE_AUTHOR MODULE_DESCRIPTION MODULE_FIRMWARE
    MODULE_INFO MODULE_LICENSE MODULE_SOFTDEP MODULE_VERSION MODULE_PARM_DESC MODULE_PARM MODULE_DEVICE_TABLE MODULE_IMPORT_NS
    MODULE_SUPPORTED_DEVICE MODULE_GENERIC_TABLE BUILD_BUG_ON BUILD_BUG_ON_MSG BUILD_BUG compiletime_assert
    TRACE_EVENT TRACE_EVENT_FN TRACE_EVENT_CONDITION TRACE_EVENT_FN_COND DECLARE_EVENT_CLASS DEFINE_EVENT DEFINE_EVENT_FN
    DEFINE_EVENT_PRINT DEFINE_EVENT_CONDITION DECLARE_TRACE TRACE_DEFINE_ENUM TRACE_DEFINE_SIZEOF NOKPROBE_SYMBOL
    STACK_FRAME_NON_STANDARD __bpf_kfunc_start_defs __bpf_kfunc_end_defs ]]

-- definitions ----------------------------------------------------------------------
-- Sizes, which touch nothing.
definition { "ARRAY_SIZE", text = "(sizeof($1) / sizeof(($1)[0]))" }
definition { "struct_size", text = "(sizeof(*($1)) + ($3) * sizeof(*($1)->$2))" }
definition { "BUILD_BUG_ON_ZERO __must_be_array", text = "0" }
definition { "__same_type", text = "1" }
attribute "BUILD_BUG_ON_NOT_POWER_OF_2"
definition { "SYSCALL_DEFINE0", text = '[[rx::mark("syscall")]] long sys_$1(void)' }
definition { "^SYSCALL_DEFINE[1-6]$", text = '[[rx::mark("syscall")]] long sys_$1($pairs(2))' }
definition { "COMPAT_SYSCALL_DEFINE0", text = '[[rx::mark("syscall")]] long compat_sys_$1(void)' }
definition { "^COMPAT_SYSCALL_DEFINE[1-6]$ ^SYSCALL32_DEFINE[1-6]$", text = '[[rx::mark("syscall")]] long compat_sys_$1($pairs(2))' }
definition { "^DEFINE_PER_CPU(_[A-Z_]+)?$", text = '[[rx::mark("percpu")]] __typeof__($1) $2' }
definition { "^DECLARE_PER_CPU(_[A-Z_]+)?$", text = 'extern [[rx::mark("percpu")]] __typeof__($1) $2' }
for names, text in pairs {
    ["DEFINE_SPINLOCK"] = "spinlock_t $1",
    ["DEFINE_RAW_SPINLOCK"] = "raw_spinlock_t $1",
    ["DEFINE_RWLOCK"] = "rwlock_t $1",
    ["DEFINE_SEQLOCK"] = "seqlock_t $1",
    ["DEFINE_MUTEX"] = "struct mutex $1",
    ["DEFINE_RT_MUTEX"] = "struct rt_mutex $1",
    ["DECLARE_RWSEM"] = "struct rw_semaphore $1",
    ["DEFINE_PERCPU_RWSEM"] = "struct percpu_rw_semaphore $1",
    ["DEFINE_STATIC_PERCPU_RWSEM"] = "static struct percpu_rw_semaphore $1",
    ["DECLARE_MUTEX DECLARE_MUTEX_LOCKED DEFINE_SEMAPHORE"] = "struct semaphore $1",
    ["DEFINE_SRCU"] = "struct srcu_struct $1",
    ["DEFINE_STATIC_SRCU"] = "static struct srcu_struct $1",
    ["LIST_HEAD"] = "struct list_head $1",
    ["HLIST_HEAD"] = "struct hlist_head $1",
    ["DECLARE_WAIT_QUEUE_HEAD DECLARE_WAIT_QUEUE_HEAD_ONSTACK"] = "wait_queue_head_t $1",
    ["DECLARE_WAITQUEUE DEFINE_WAIT DEFINE_WAIT_FUNC"] = "wait_queue_entry_t $1",
    ["DECLARE_COMPLETION DECLARE_COMPLETION_ONSTACK"] = "struct completion $1",
    ["DECLARE_WORK"] = "struct work_struct $1 = { .func = $2 }",
    ["DECLARE_DELAYED_WORK DECLARE_DEFERRABLE_WORK"] = "struct delayed_work $1 = { .work = { .func = $2 } }",
    ["DEFINE_TIMER"] = "struct timer_list $1 = { .function = $2 }",
    ["DECLARE_TASKLET DECLARE_TASKLET_DISABLED DECLARE_TASKLET_OLD"] = "struct tasklet_struct $1 = { .func = $2 }",
    ["DEFINE_IRQ_WORK"] = "struct irq_work $1 = { .func = $2 }",
    ["DEFINE_IDA"] = "struct ida $1",
    ["DEFINE_IDR"] = "struct idr $1",
    ["DEFINE_RATELIMIT_STATE"] = "struct ratelimit_state $1",
} do
    definition { names, text = text }
end
registers { field = "struct irq_work.func", context = "interrupt" }

-- guard(mutex)(&lock) and scoped_guard(mutex, &lock).
for class, of in pairs {
    mutex = { kind = "mutex" }, spinlock = { kind = "spin" }, raw_spinlock = { kind = "spin" },
    spinlock_irq = { kind = "spin", disables = "interrupts" }, raw_spinlock_irq = { kind = "spin", disables = "interrupts" },
    spinlock_irqsave = { kind = "spin", disables = "interrupts" }, raw_spinlock_irqsave = { kind = "spin", disables = "interrupts" },
    spinlock_bh = { kind = "spin", disables = "softirqs" },
    rwsem_read = { kind = "mutex", shared = true }, rwsem_write = { kind = "mutex" },
    read_lock = { kind = "spin", shared = true }, write_lock = { kind = "spin" },
    read_lock_irq = { kind = "spin", shared = true, disables = "interrupts" }, write_lock_irq = { kind = "spin", disables = "interrupts" },
    read_lock_irqsave = { kind = "spin", shared = true, disables = "interrupts" },
    write_lock_irqsave = { kind = "spin", disables = "interrupts" }, raw_spinlock_bh = { kind = "spin", disables = "softirqs" }, srcu = { kind = "srcu", shared = true },
} do
    lock { guard = "guard scoped_guard", arg = 2, when = { 1, class }, kind = of.kind, disables = of.disables, shared = of.shared }
end
-- With a statement for when it is not to be had, as the second argument.
for class, of in pairs {
    ["^mutex_(try|intr|kill)$"] = { kind = "mutex" }, ["^spinlock(_try)?$|^raw_spinlock_try$"] = { kind = "spin" },
    ["^(raw_)?spinlock_irq(save)?_try$"] = { kind = "spin", disables = "interrupts" },
    ["^rwsem_read_(try|intr|kill)$"] = { kind = "mutex", shared = true }, ["^rwsem_write_(try|kill)$"] = { kind = "mutex" },
} do
    lock { guard = "scoped_cond_guard", arg = 3, when = { 1, class }, kind = of.kind, disables = of.disables, shared = of.shared }
end
lock { guard = "guard scoped_guard", global = "rcu", kind = "rcu", shared = true, recursive = true, when = { 1, "rcu" } }
lock { guard = "guard scoped_guard", kind = "interrupts", when = { 1, "^irq(save)?$" } }
lock { guard = "guard scoped_guard", kind = "preemption", when = { 1, "^preempt(_notrace)?$" } }
iterator "scoped_guard scoped_cond_guard"

-- configuration --------------------------------------------------------------------
-- Built in, 64 bits, SMP, no real-time patches.
undefine [[ MODULE ^CONFIG_\w+_MODULE$ CONFIG_PREEMPT_RT CONFIG_PREEMPT_RT_FULL CONFIG_PREEMPT_NONE CONFIG_X86_32 CONFIG_32BIT
    CONFIG_CPU_BIG_ENDIAN CONFIG_TINY_RCU CONFIG_TINY_SRCU CONFIG_SLOB CONFIG_CC_IS_CLANG CONFIG_UML CONFIG_BROKEN
    CONFIG_COMPILE_TEST CONFIG_SPL_BUILD CONFIG_TPL_BUILD CONFIG_VPL_BUILD USE_HOSTCC
    __BIG_ENDIAN __BIG_ENDIAN_BITFIELD __BIG_ENDIAN__ ]]
define {
    __weak = "__attribute__((weak))", __KERNEL__ = 1, CONFIG_SMP = 1, CONFIG_64BIT = 1, CONFIG_X86_64 = 1, CONFIG_MMU = 1, BITS_PER_LONG = 64, __BITS_PER_LONG = 64,
    __LITTLE_ENDIAN_BITFIELD = 1, KBUILD_MODNAME = '"kernel"', LINUX_VERSION_CODE = 0x060100,
    ["from_timer(var, timer, field)"] = "container_of(timer, __typeof__(*(var)), field)",
    ["from_tasklet(var, tasklet, field)"] = "container_of(tasklet, __typeof__(*(var)), field)",
    ["timer_container_of(var, timer, field)"] = "container_of(timer, __typeof__(*(var)), field)",
    ["IS_ERR(pointer)"] = "((pointer) < 0)", ["IS_ERR_OR_NULL(pointer)"] = "((pointer) <= 0)", -- an error code is a negative number
    ["KERNEL_VERSION(a, b, c)"] = "(((a) << 16) + ((b) << 8) + (c))",
}

-- Wrong on purpose, and what runs on the build host.
annotate(function(program)
    mark(program:functions_in(re [[^(tools|scripts|samples)/|(^|/)lib/test_\w+\.c$|(^|/)\w+-(stress|torture)\w*\.c$]]), "test")
    mark(program:functions_in(re [[[/_-](self-?tests?|kunit|torture|lkdtm|fault-inject|kprobe_example)([/_.-]|\w*\.c$)|torture\.c$]]), "test")
end)

-- files ------------------------------------------------------------------------
-- Of one open file: open comes before everything else, release after it.
annotate(function(program)
    -- A driver's probe makes the device: nobody else knows its objects until it returns.
    for name in program:fields "^struct \\w+_driver\\.(probe|probe_new)$" do
        mark(program:stored_in(name), "init")
        mark(program:stored_in(name), "attach")
    end
    -- So does mounting with a file system, a new name space with what it keeps there, a queueing discipline when it is chosen,
    -- a board that is attached by hand, a switch before its ports are registered, a function of a gadget when it is bound.
    for name in program:fields "^struct (file_system_type\\.mount|fs_context_operations\\.get_tree|pernet_operations\\.init|Qdisc_ops\\.init|target_type\\.ctr)$" do
        mark(program:stored_in(name), "attach")
    end
    for name in program:fields "^struct (comedi_driver\\.(auto_)?attach|dsa_switch_ops\\.setup|usb_function\\.bind)$" do
        mark(program:stored_in(name), "attach")
    end
    mark(program:functions "_fill_super$", "attach")
end)
annotate(function(program)
    local function stored(member) return program:stored_in("struct file_operations." .. member) end
    local ends = { stored "open", stored "release" }
    never_parallel(ends, ends, { arg = 2 })
    for _, member in ipairs(words "read write poll unlocked_ioctl mmap llseek fsync") do
        never_parallel(ends, stored(member), { arg = { 2, 1 } })
    end
end)

-- The machine goes to sleep -----------------------------------------------------
-- Processes are frozen from before the first device is told until after the last one is back, and whoever tells a
-- device, or takes its driver away, holds the device's lock. Handlers, timers, work and other threads go on.
annotate(function(program)
    local function only(fields, wanted)
        local kept = {}
        for name in program:fields(fields) do
            for _, f in ipairs(program:stored_in(name)) do
                local all = true
                for _, field in ipairs(f:fields()) do
                    all = all and match(field, wanted) ~= nil
                end
                if all then kept[#kept + 1] = f end
            end
        end
        return kept
    end
    local told = [[^struct (dev_pm_ops\.(prepare|complete|(suspend|resume|freeze|thaw|poweroff|restore)(_late|_early|_noirq)?)|(pci|platform|isa|pnp|pcmcia|ssb|amba|of_platform)_driver\.(suspend|resume))$]]
    local gone = [[^struct \w+_driver\.(remove|remove_new|shutdown|disconnect)$]]
    local users = [[^struct ((file_operations|proc_ops|seq_operations|v4l2_ioctl_ops|v4l2_file_operations)\.\w+|snd_pcm_ops\.(open|close|hw_params|hw_free|prepare)|snd_kcontrol(_new)?\.(info|get|put)|\w+_attribute\.(show|store)|ethtool_ops\.set_\w+|net_device_ops\.ndo_(open|stop)|hwmon_ops\.(read|write))$]]
    local sleeps, goes = only(told, told), only(gone, gone)
    never_parallel(sleeps, { sleeps, goes, only(users, users) }, { roots = true })
    -- A network device sends nothing before it is open, and nothing any more when it is closed.
    local opens, sends = "^struct net_device_ops\\.ndo_(open|stop)$", "^struct net_device_ops\\.ndo_start_xmit$"
    never_parallel(only(opens, opens), only(sends, sends), { roots = true })
end)
