-- gnumach: GNU Mach, and other kernels of Mach 3.
world {
    name = "gnumach",
    detect = [[ simple_lock simple_unlock simple_lock_init lock_write lock_read lock_done lock_write_to_read thread_block assert_wait
        thread_wakeup thread_sleep thread_wakeup_one clear_wait splsched splhigh kernel_thread ip_lock ip_unlock vm_map_lock
        thread_lock thread_unlock task_lock ipc_port_release_send kalloc simple_lock_irq current_thread ]],
    least = 5,
}

-- Locks that spin; those of interrupts are taken at a raised level.
lock { kind = "spin", arg = 1, types = "simple_lock_data_t simple_lock_irq_data_t", acquire = "simple_lock", try = "simple_lock_try", release = "simple_unlock",
    init = "simple_lock_init simple_lock_init_irq", test = "simple_lock_taken", asserts_held = "simple_lock_assert" }
lock { kind = "spin", arg = 1, acquire = "simple_lock_nocheck", try = "simple_lock_try_nocheck", release = "simple_unlock_nocheck" }
lock { kind = "spin", arg = 1, disables = "interrupts", acquire = "simple_lock_irq", release = "simple_unlock_irq simple_unlock_irq_nocheck" }
lock { kind = "spin", arg = 1, disables = "interrupts", try = "simple_lock_try_irq simple_lock_try_irq_nocheck", acquire = "simple_lock_irq_nocheck" }
-- Levels.
lock { kind = "interrupts", flags = "result", release_on_block = true, everywhere = true,
    acquire = "splhigh splio splsched splvm splbio spltty splimp splnet splhdw splclock splsoftclock splhi spl1 spl2 spl3 spl4 spl5 spl6 spl7 sploff" }
lock { kind = "interrupts", flags = 1, release = "splx splx_cli splon" }
lock { kind = "interrupts", release = "spl0" }
lock { kind = "interrupts", acquire = "cli", release = "sti" }

-- Readers and writers: they sleep, when made so.
lock { kind = "mutex", arg = 1, types = "lock_data_t struct lock", acquire = "lock_write", try = "lock_try_write", release = "lock_done lock_write_done lock_read_done",
    downgrade = "lock_write_to_read", asserts_held = "have_write_lock" }
lock { kind = "mutex", arg = 1, shared = true, acquire = "lock_read", try = "lock_try_read" }
lock { kind = "mutex", arg = 1, upgrade = "lock_read_to_write", returns = "zero", retakes = false }
lock { kind = "mutex", arg = 1, upgrade = "lock_try_read_to_write", returns = "nonzero" }
lock { kind = "mutex", arg = 1, init = "lock_init" }
lock { kind = "mutex", arg = 1, recursive = true, init = "lock_set_recursive" }

-- Waits. thread_sleep lets go of its lock and does not take it back.
lock { kind = "spin", arg = 2, wait = "thread_sleep", retakes = false }
blocks [[ thread_block vm_page_wait thread_syscall_return copyin copyout copyinmsg copyoutmsg
    biowait iowait ]]
noreturn [[ panic Panic halt_cpu halt_all_cpus thread_syscall_return thread_exception_return thread_bootstrap_return call_continuation
    Assert ]]
allocates "kalloc kmem_cache_alloc zalloc vm_page_grab"
frees "kfree"
frees { "kmem_cache_free zfree", arg = 2 }

-- what runs by itself --------------------------------------------------------------
registers { "kernel_thread", arg = 3, data = 4, context = "thread" }
registers { "thread_start", arg = 2, object = 1, context = "thread" }
registers { "timeout", arg = 1, data = 2, object = 1, context = "timer" }
registers { "set_timeout", arg = 1, object = 1, context = "timer" }
registers { field = "timer_elt_data_t.fcn", context = "timer" }
registers { field = "struct timer_elt.fcn", context = "timer" }
registers { "request_irq", arg = 2, object = 1, context = "interrupt" }
registers { "take_irq", arg = 4, object = 1, context = "interrupt" }
registers { "install_user_intr_handler", arg = 2, context = "interrupt" }
joins { "untimeout", arg = 1, context = "timer" }
-- Traps from user mode, and messages to the kernel's ports.
registers { field = "mach_trap_t.mach_trap_function", context = "syscall" }
registers { field = "struct dev_ops", context = "syscall" }
registers { field = "struct device_emulation_ops", context = "syscall" }
annotate(function(program)
    mark(program:functions "^(c_boot_entry|setup_main|start_kernel_threads|machine_init|main)$", "init") -- main: of tests beside it
    mark(program:functions "^(syscall_|xxx_|mach_msg_trap)", "multithreaded")
    mark(program:functions "intr$", "interrupt")
    for f in program:functions() do
        if match(f.file, "(^|/)kern/(lock||timer)\\.c$") then mark(f, "ignore") end
    end
end)

-- macros ---------------------------------------------------------------------------
asserts "assert"
opaque "printf db_printf" -- called under every lock
keep "min max"
iterator { "queue_iterate", var = 2 }
iterator { "list_for_each list_for_each_safe rbtree_for_each_remove", var = 2 }
iterator { "list_for_each_entry list_for_each_entry_safe list_for_each_entry_reverse slist_for_each_entry", var = 2 }
container "structof"
container "list_entry rbtree_entry slist_entry"
keep { "current_thread", type = "thread_t" }
attribute "__aligned __packed __initdata"
define { KERNEL = 1, MACH_KERNEL = 1, NCPUS = 4, MACH_LDEBUG = 0, MACH_SLOCKS = 1 }
undefine "MACH_LOCK_MON"
