-- riot: RIOT, its drivers and network stacks, and programs for it.
world {
    name = "riot",
    detect = [[ irq_restore irq_is_in mutex_lock mutex_unlock rmutex_lock rmutex_unlock msg_receive msg_send msg_try_send msg_reply
        ztimer_set ztimer_now ztimer_sleep ztimer_remove xtimer_set xtimer_usleep xtimer_now_usec thread_yield_higher thread_getpid
        thread_flags_set gpio_init_int event_post event_wait sched_task_exit gnrc_netapi_send gnrc_pktbuf_release sema_post
        i2c_acquire spi_acquire ]],
    headers = "ztimer.h xtimer.h periph/gpio.h periph/i2c.h periph/spi.h net/gnrc.h thread_config.h kernel_defines.h",
    least = 4,
}

-- interrupts and locks ---------------------------------------------------------------
lock { kind = "interrupts", everywhere = true, flags = "result", acquire = "irq_disable" }
lock { kind = "interrupts", everywhere = true, flags = 1, release = "irq_restore" }
lock { kind = "interrupts", everywhere = true, release = "irq_enable" }
lock { kind = "mutex", arg = 1, types = "mutex_t", acquire = "mutex_lock", try = "mutex_trylock", release = "mutex_unlock mutex_unlock_and_sleep",
    init = "mutex_init mutex_init_locked" }
lock { kind = "mutex", arg = 1, returns = "zero", acquire = "mutex_lock_cancelable" }
lock { kind = "mutex", arg = 2, returns = "zero", timed = true, acquire = "ztimer_mutex_lock_timeout" }
lock { kind = "mutex", arg = 1, returns = "zero", timed = true, acquire = "xtimer_mutex_lock_timeout" }
lock { kind = "mutex", arg = 1, recursive = true, types = "rmutex_t", acquire = "rmutex_lock", try = "rmutex_trylock", release = "rmutex_unlock",
    init = "rmutex_init" }
lock { kind = "semaphore", arg = 1, count = 2, returns = "zero", types = "sema_t", acquire = "sema_wait", try = "sema_try_wait",
    release = "sema_post", init = "sema_create", destroy = "sema_destroy" }
lock { kind = "semaphore", arg = 1, returns = "zero", timed = true, acquire = "sema_wait_timed sema_wait_timed_ztimer" }
-- A bus is for one thread at a time.
lock { kind = "mutex", arg = 1, acquire = "i2c_acquire spi_acquire", release = "i2c_release spi_release" }
lock { kind = "mutex", arg = 2, wait = "cond_wait" }
wakes "cond_signal cond_broadcast"
wakes { "cond_wait", is = false }

blocks [[ msg_receive msg_send_receive thread_sleep ztimer_sleep ztimer_periodic_wakeup xtimer_sleep xtimer_msleep xtimer_usleep
    xtimer_periodic_wakeup event_wait event_wait_timeout event_wait_multi event_loop thread_flags_wait_any thread_flags_wait_all
    thread_flags_wait_one cond_wait ztimer_msg_receive_timeout xtimer_msg_receive_timeout sock_udp_recv sock_tcp_read ]]

-- what runs by itself -----------------------------------------------------------------
registers { "thread_create", arg = 5, data = 6, object = "result", context = "thread" }
registers { field = "ztimer_t.callback", context = "interrupt" }
registers { field = "xtimer_t.callback", context = "interrupt" }
registers { "gpio_init_int", arg = 4, data = 5, context = "interrupt" }
registers { "timer_init timer_init_periodic uart_init", arg = 3, data = 4, object = 1, context = "interrupt" }
registers { "rtc_set_alarm rtt_set_alarm", arg = 2, data = 3, context = "interrupt" }
registers { field = "event_t.handler", context = "work" }
registers { "event_callback_init", arg = 2, data = 3, object = 1, context = "work" }

-- the rest --------------------------------------------------------------------------
atomic { "^atomic_(store|load|fetch_(add|sub|or|xor|and)|set_bit|clear_bit)_u(8|16|32|64)$", arg = 1 }
percpu "thread_get_active thread_getpid"
keep "^(DEBUG|DEBUG_PUTS|LOG_(ERROR|WARNING|INFO|DEBUG)|LOG)$"
container "container_of"
constant { KERNEL_PID_UNDEF = 0 }
annotate(function(program)
    mark("^auto_init\\w*$", "init")
    for f in program:functions "^isr_\\w+$" do
        local given = f:parameters()
        if #given == 0 or given[1] == "void" then mark(f, "interrupt") end
    end
end)
