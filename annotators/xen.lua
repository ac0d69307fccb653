-- xen: the Xen hypervisor.
world {
    name = "xen",
    detect = [[ spin_lock spin_unlock spin_lock_irqsave spin_unlock_irqrestore read_lock write_lock rcu_lock_domain_by_id
        rcu_lock_domain_by_any_id rcu_unlock_domain rcu_lock_current_domain domain_crash domain_pause domain_unpause get_domain put_domain
        raise_softirq open_softirq ASSERT_UNREACHABLE gdprintk gprintk xzalloc xmalloc xfree vcpu_pause domain_lock domain_unlock
        map_domain_page unmap_domain_page copy_from_guest copy_to_guest spin_lock_recursive rspin_lock percpu_read_lock
        hypercall_create_continuation guest_handle_okay set_timer init_timer
        local_irq_save local_irq_restore rcu_read_lock rcu_read_unlock request_irq ]],
    headers = "xen/spinlock.h xen/sched.h xen/rcupdate.h",
    least = 12,
}

-- Everything spins: there is nothing to sleep in.
lock { kind = "spin", arg = 1, types = "spinlock_t struct spinlock rspinlock_t", acquire = "spin_lock _spin_lock", try = "spin_trylock", release = "spin_unlock",
    init = "spin_lock_init rspin_lock_init", test = "spin_is_locked" }
lock { kind = "spin", arg = 1, disables = "interrupts", acquire = "spin_lock_irq", release = "spin_unlock_irq" }
lock { kind = "spin", arg = 1, disables = "interrupts", flags = 2, acquire = "spin_lock_irqsave", try = "spin_trylock_irqsave", release = "spin_unlock_irqrestore" }
lock { kind = "spin", arg = 1, recursive = true, acquire = "spin_lock_recursive rspin_lock nrspin_lock", try = "spin_trylock_recursive rspin_trylock nrspin_trylock",
    release = "spin_unlock_recursive rspin_unlock nrspin_unlock", test = "rspin_is_locked" }
lock { kind = "spin", arg = 1, recursive = true, disables = "interrupts", flags = 2, acquire = "rspin_lock_irqsave", release = "rspin_unlock_irqrestore" }
lock { kind = "spin", arg = 1, disables = "interrupts", acquire = "nrspin_lock_irq", release = "nrspin_unlock_irq" }
lock { kind = "spin", arg = 1, disables = "interrupts", flags = 2, acquire = "nrspin_lock_irqsave", release = "nrspin_unlock_irqrestore" }
for mode, shared in pairs { read = true, write = false } do
    local lock_, unlock_ = mode .. "_lock", mode .. "_unlock"
    lock { kind = "spin", arg = 1, shared = shared, recursive = shared, types = "rwlock_t", acquire = lock_, try = mode .. "_trylock", release = unlock_ }
    lock { kind = "spin", arg = 1, shared = shared, recursive = shared, disables = "interrupts", acquire = lock_ .. "_irq", release = unlock_ .. "_irq" }
    lock { kind = "spin", arg = 1, shared = shared, recursive = shared, disables = "interrupts", flags = 2, acquire = lock_ .. "_irqsave", release = unlock_ .. "_irqrestore" }
    lock { kind = "spin", arg = 2, shared = shared, recursive = shared, types = "percpu_rwlock_t", acquire = "_percpu_" .. lock_, release = "_percpu_" .. unlock_ }
    lock { kind = "spin", arg = 2, shared = shared, recursive = shared, acquire = "percpu_" .. lock_, release = "percpu_" .. unlock_ }
end
lock { kind = "spin", arg = 1, init = "rwlock_init percpu_rwlock_resource_init", test = "rw_is_locked rw_is_write_locked _rw_is_write_locked" }
-- Pages have a bit for it.
lock { kind = "spin", arg = 1, returns = "nonzero", acquire = "page_lock", release = "page_unlock" }

-- A domain found is kept from going away until it is unlocked: that keeps nobody out.
keep { "rcu_lock_domain_by_id rcu_lock_domain_by_any_id rcu_lock_domain rcu_lock_current_domain", type = "struct domain *" }
keep "rcu_lock_remote_domain_by_id rcu_lock_live_remote_domain_by_id rcu_unlock_domain rcu_read_lock rcu_read_unlock"

lock { kind = "interrupts", acquire = "local_irq_disable", release = "local_irq_enable" }
lock { kind = "interrupts", flags = 1, acquire = "local_irq_save", release = "local_irq_restore", save = "local_save_flags" }
lock { kind = "preemption", recursive = true, acquire = "preempt_disable", release = "preempt_enable" }

-- What runs by itself. Nothing sleeps; hypercalls come from all processors at once. Timers, tasklets and soft interrupts wait
-- until this processor goes back to a guest: they interrupt nobody.
registers { "open_softirq", arg = 2, object = 1, context = "work" }
registers { "tasklet_init softirq_tasklet_init", arg = 2, data = 3, object = 1, context = "work" }
registers { "DECLARE_TASKLET DECLARE_SOFTIRQ_TASKLET", arg = 2, data = 3, context = "work" }
registers { "init_timer", arg = 2, data = 3, object = 1, context = "work" }
registers { "setup_irq", arg = 3, object = 1, context = "interrupt" }
registers { "request_irq", arg = 3, object = 1, data = 5, parameter = 2, context = "interrupt" }
registers { field = "struct irqaction.handler", context = "interrupt" }
registers { "set_direct_apic_vector alloc_direct_apic_vector", arg = 2, context = "interrupt" }
registers { "on_selected_cpus smp_call_function on_each_cpu", arg = 2, data = 3, context = "interrupt" }
registers { "call_rcu", arg = 2, data = 1, object = 1, context = "work" }
registers { "continue_hypercall_on_cpu", arg = 2, data = 3, context = "work" }
registers { "stop_machine_run", arg = 1, data = 2, context = "call" }
registers { "register_keyhandler", arg = 2, context = "work" }
registers { "register_irq_keyhandler", arg = 2, context = "interrupt" }
registers { "__initcall presmp_initcall", arg = 1, context = "init" }
registers { "__exitcall", arg = 1, context = "exit" }
registers { field = "struct notifier_block.notifier_call", context = "init" }
joins { "kill_timer tasklet_kill", arg = 1, context = "work" }
joins { "release_irq free_irq", arg = 1, context = "interrupt" }
annotate(function(program)
    mark(program:functions "^(do_[a-z]+(_op|_call|ctl|op)(_v[0-9]+)?|compat_\\w+_op|arch_do_\\w+|do_mmu_update|do_multicall|do_console_io|do_vm_assist)$", "multithreaded")
    mark(program:functions "^(__start_xen|start_xen|start_secondary|main)$", "init") -- main: of tools beside it
    for f in program:functions() do
        if match(f.file, "(^|/)(common/(spinlock|rwlock|rcupdate)\\.c|xen/rwlock\\.h)$") then mark(f, "ignore") end
    end
end)

noreturn "panic BUG machine_halt machine_restart fatal_trap reset_stack_and_jump reset_stack_and_jump_ind"
asserts "ASSERT assert"
asserts { "BUG_ON", is = false }
likely "WARN_ON likely unlikely evaluate_nospec"
allocates "xmalloc_bytes xzalloc_bytes _xmalloc _xzalloc alloc_xenheap_pages alloc_xenheap_page alloc_domheap_pages alloc_domheap_page xmalloc xzalloc xmalloc_array xzalloc_array vmalloc vzalloc xvmalloc xvzalloc"
frees "xfree xvfree vfree XFREE free_domheap_page free_xenheap_page free_domheap_pages"

-- atomics, data of one's own ------------------------------------------------------------
atomic [[ ^atomic_(set|add|sub|inc|dec|cmpxchg|xchg|add_return|sub_return|inc_return|dec_return|sub_and_test|inc_and_test|dec_and_test|add_negative|add_unless)$
    ^_?cmpxchg(ptr|16b|_user|64)?$ ^xchg$ guest_cmpxchg guest_cmpxchg64 ]]
atomic { "atomic_read _atomic_read", arg = 1, access = "read" }
atomic { "set_bit clear_bit change_bit test_and_set_bit test_and_clear_bit test_and_change_bit", arg = 2 }
atomic { "guest_set_bit guest_clear_bit guest_test_and_set_bit guest_test_and_clear_bit", arg = 3 }
atomic { "cpumask_set_cpu cpumask_clear_cpu cpumask_test_and_set_cpu cpumask_test_and_clear_cpu", arg = 2 }
atomic { "read_atomic", arg = 1, access = "read" }
atomic { "write_atomic add_sized", arg = 1, access = "write" }
accessor { "ACCESS_ONCE rcu_dereference", access = "read" }
accessor { "rcu_assign_pointer", access = "write" }
percpu { "this_cpu this_cpu_ptr get_per_cpu_var", arg = 1 }
percpu { "per_cpu per_cpu_ptr", arg = 1, other = true }
keep { "current", type = "struct vcpu *" }
percpu "current"

-- macros ---------------------------------------------------------------------------
container "container_of"
condition "IS_ENABLED"
opaque "printk vprintk_common show_execution_state dump_execution_state show_stack domain_crash __domain_crash" -- called under every lock
keep [[ gprintk gdprintk dprintk ^(XENLOG|P2M|PAGING|HVM|AMD_IOMMU|SHADOW|MEM_SHARING|TRACE)_\w+$ ^trace_\w+ ^perfc_\w+ min max min_t max_t smp_processor_id
    barrier mb rmb wmb smp_mb smp_rmb smp_wmb cpu_relax block_speculation ]]
iterator { "for_each_domain for_each_domain_in_cpupool", var = 1 }
iterator { "for_each_vcpu", var = 2 }
iterator { "for_each_cpu for_each_online_cpu for_each_present_cpu for_each_possible_cpu", var = 1 }
iterator { "for_each_pdev", var = 2 }
iterator { "for_each_sched_unit for_each_sched_unit_vcpu", var = 2 }
attribute { "__init __initdata __initconst __initconstrel __initdata_cf_clobber __initconst_cf_clobber", mark = "init" }
attribute { "__exit __exitdata", mark = "exit" }
attribute [[ cf_check __read_mostly __ro_after_init __must_check __packed __aligned __section noinline always_inline
    __hwdom_init __hwdom_initdata __hwdom_initconst __cacheline_aligned __used_section asmlinkage __cold __used
    fallthrough __iomem __user __force custom_param boolean_param integer_param string_param size_param
    custom_runtime_param integer_runtime_param BUILD_BUG_ON EXPORT_SYMBOL EMIT_FILE DEFINE_XEN_GUEST_HANDLE PERFCOUNTER ]]
definition { "DEFINE_SPINLOCK", text = "spinlock_t $1" }
definition { "DEFINE_RSPINLOCK", text = "rspinlock_t $1" }
definition { "DEFINE_RWLOCK", text = "rwlock_t $1" }
definition { "DEFINE_RCU_READ_LOCK", text = "rcu_read_lock_t $1" }
definition { "LIST_HEAD", text = "struct list_head $1" }
definition { "^DEFINE_PER_CPU(_[A-Z_]+)?$", text = '[[rx::mark("percpu")]] __typeof__($1) $2' }
definition { "^DECLARE_PER_CPU(_[A-Z_]+)?$", text = 'extern [[rx::mark("percpu")]] __typeof__($1) $2' }
define { __XEN__ = 1, CONFIG_X86 = 1, CONFIG_X86_64 = 1, CONFIG_64BIT = 1, BITS_PER_LONG = 64 }
undefine "CONFIG_ARM CONFIG_ARM_64 CONFIG_ARM_32 CONFIG_RISCV CONFIG_PPC CONFIG_COVERAGE CONFIG_UBSAN CONFIG_DEBUG_LOCK_PROFILE __MINIOS__ __KERNEL__"
