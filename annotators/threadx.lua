-- threadx: ThreadX (Azure RTOS, Eclipse ThreadX) with NetX, FileX, USBX, and programs for them.
world {
    name = "threadx",
    detect = [[ tx_mutex_get tx_mutex_put tx_mutex_create tx_semaphore_get tx_semaphore_put tx_semaphore_create tx_thread_create
        tx_thread_sleep tx_thread_resume tx_thread_identify tx_queue_send tx_queue_receive tx_event_flags_set tx_event_flags_get
        tx_timer_create tx_timer_activate tx_byte_allocate tx_block_allocate tx_kernel_enter tx_interrupt_control
        _tx_thread_system_preempt_check _tx_thread_system_suspend ]],
    headers = "tx_api.h nx_api.h fx_api.h ux_api.h",
    least = 3,
}

-- Interrupts: what was before is kept in a variable that the macros share.
define { TX_INTERRUPT_SAVE_AREA = "", TX_DISABLE = "tx_interrupts_off();", TX_RESTORE = "tx_interrupts_restored();" }
lock { kind = "interrupts", everywhere = true, acquire = "tx_interrupts_off", release = "tx_interrupts_restored" }
lock { kind = "interrupts", everywhere = true, flags = "result", acquire = "tx_interrupt_control _tx_thread_interrupt_control", when = { 1, "TX_INT_DISABLE" } }
lock { kind = "interrupts", everywhere = true, flags = 1, release = "tx_interrupt_control _tx_thread_interrupt_control", when = { 1, "!TX_INT_DISABLE" } }

-- TX_SUCCESS is 0; the second argument is how many ticks to wait. Mutexes nest.
for _, of in ipairs {
    { kind = "mutex", take = "tx_mutex_get _tx_mutex_get _txe_mutex_get", recursive = true },
    { kind = "semaphore", take = "tx_semaphore_get _tx_semaphore_get _txe_semaphore_get" },
} do
    lock { kind = of.kind, arg = 1, returns = "zero", recursive = of.recursive, acquire = of.take, when = { 2, "TX_WAIT_FOREVER" } }
    lock { kind = of.kind, arg = 1, returns = "zero", recursive = of.recursive, try = of.take, when = { 2, "^(TX_NO_WAIT|0)$" } }
    lock { kind = of.kind, arg = 1, returns = "zero", recursive = of.recursive, timed = true, acquire = of.take,
        when = { 2, "!TX_WAIT_FOREVER", "!^(TX_NO_WAIT|0)$" } }
end
lock { kind = "mutex", arg = 1, recursive = true, types = "TX_MUTEX struct TX_MUTEX_STRUCT", release = "tx_mutex_put _tx_mutex_put _txe_mutex_put",
    init = "tx_mutex_create _tx_mutex_create", destroy = "tx_mutex_delete" }
lock { kind = "semaphore", arg = 1, count = 3, types = "TX_SEMAPHORE struct TX_SEMAPHORE_STRUCT",
    release = "tx_semaphore_put tx_semaphore_ceiling_put _tx_semaphore_put _txe_semaphore_put",
    init = "tx_semaphore_create _tx_semaphore_create", destroy = "tx_semaphore_delete" }

blocks "tx_thread_sleep tx_thread_suspend tx_thread_relinquish"
blocks { "tx_queue_receive tx_queue_send tx_queue_front_send", when = { 3, "!^(TX_NO_WAIT|0)$" } }
blocks { "tx_event_flags_get", when = { 5, "!^(TX_NO_WAIT|0)$" } }
blocks { "tx_byte_allocate", when = { 4, "!^(TX_NO_WAIT|0)$" } }
blocks { "tx_block_allocate", when = { 3, "!^(TX_NO_WAIT|0)$" } }
constant { TX_SUCCESS = 0, NX_SUCCESS = 0, FX_SUCCESS = 0, UX_SUCCESS = 0, TX_NULL = 0, TX_TRUE = 1, TX_FALSE = 0 }

registers { "tx_thread_create _tx_thread_create _txe_thread_create", arg = 3, data = 4, object = 1, context = "thread" }
registers { "tx_timer_create _tx_timer_create _txe_timer_create", arg = 3, data = 4, object = 1, context = "timer" }
allocates { "tx_byte_allocate", arg = 2 }
allocates { "tx_block_allocate", arg = 2 }
frees "tx_byte_release tx_block_release"
percpu "tx_thread_identify"
noreturn "tx_kernel_enter _tx_initialize_kernel_enter"
annotate(function(program)
    mark("^tx_application_define$", "init") -- no thread runs before it is done
    for f in program:functions "_(IRQHandler|ISR)$" do
        local given = f:parameters()
        if #given == 0 or given[1] == "void" then mark(f, "interrupt") end
    end
end)
