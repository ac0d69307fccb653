-- mynewt: Apache Mynewt, NimBLE and its porting layer, and programs for them.
world {
    name = "mynewt",
    detect = [[ os_mutex_pend os_mutex_release os_mutex_init os_sem_pend os_sem_release os_sem_init os_eventq_put os_eventq_get
        os_eventq_run os_eventq_init os_callout_init os_callout_reset os_callout_stop os_task_init os_time_delay os_mempool_init
        os_memblock_get os_mbuf_append hal_gpio_irq_init os_dev_open os_dev_create ble_npl_mutex_pend ble_npl_mutex_release
        ble_npl_hw_enter_critical ble_npl_eventq_put ble_npl_callout_reset ]],
    headers = "os/mynewt.h os/os.h nimble/nimble_npl.h",
    least = 3,
}

-- interrupts: on one processor; nested by what was before ------------------------------
lock { kind = "interrupts", everywhere = true, flags = 1, acquire = "OS_ENTER_CRITICAL", release = "OS_EXIT_CRITICAL os_arch_restore_sr" }
lock { kind = "interrupts", everywhere = true, flags = "result", acquire = "os_arch_save_sr ble_npl_hw_enter_critical" }
lock { kind = "interrupts", everywhere = true, flags = 1, release = "ble_npl_hw_exit_critical" }
lock { kind = "interrupts", everywhere = true, acquire = "__disable_irq __HAL_DISABLE_INTERRUPTS",
    release = "__enable_irq __HAL_ENABLE_INTERRUPTS" }

-- mutexes, which nest, and semaphores: 0 when they are taken; the second argument is how many ticks to wait ------------
local forever = "^(OS_TIMEOUT_NEVER|OS_WAIT_FOREVER|BLE_NPL_TIME_FOREVER|4294967295)$"
for _, of in ipairs {
    { kind = "mutex", take = "os_mutex_pend ble_npl_mutex_pend", recursive = true },
    { kind = "semaphore", take = "os_sem_pend ble_npl_sem_pend" },
} do
    lock { kind = of.kind, arg = 1, returns = "zero", recursive = of.recursive, acquire = of.take, when = { 2, forever } }
    lock { kind = of.kind, arg = 1, returns = "zero", recursive = of.recursive, try = of.take, when = { 2, 0 } }
    lock { kind = of.kind, arg = 1, returns = "zero", recursive = of.recursive, timed = true, acquire = of.take,
        when = { 2, "!" .. forever, "!^0$" } }
end
lock { kind = "mutex", arg = 1, recursive = true, types = "struct os_mutex struct ble_npl_mutex",
    release = "os_mutex_release ble_npl_mutex_release", init = "os_mutex_init ble_npl_mutex_init" }
lock { kind = "semaphore", arg = 1, count = 2, types = "struct os_sem struct ble_npl_sem", release = "os_sem_release ble_npl_sem_release",
    init = "os_sem_init ble_npl_sem_init" }

blocks [[ os_time_delay os_eventq_get os_eventq_run ble_npl_time_delay ]]
blocks { "ble_npl_eventq_get os_eventq_poll", when = { 2, "!^0$" } }
constant { OS_OK = 0, BLE_NPL_OK = 0 }

-- what runs by itself -----------------------------------------------------------------
registers { "os_task_init", arg = 3, data = 4, object = 1, context = "thread" }
registers { "os_callout_init ble_npl_callout_init", arg = 3, object = 1, context = "work" }
registers { "ble_npl_event_init", arg = 2, object = 1, context = "work" }
registers { field = "struct os_event.ev_cb", context = "work" }
registers { "hal_gpio_irq_init", arg = 2, data = 3, object = 1, context = "interrupt" }
registers { "hal_timer_set_cb os_cputime_timer_init", arg = 2, data = 3, object = 1, context = "interrupt" }
registers { "NVIC_SetVector", arg = 2, context = "interrupt" }

-- the rest --------------------------------------------------------------------------
allocates "os_malloc os_realloc os_memblock_get os_mbuf_get os_mbuf_get_pkthdr os_msys_get os_msys_get_pkthdr"
frees "os_free"
frees { "os_memblock_put", arg = 2 }
asserts "OS_ASSERT_CRITICAL BLE_HS_DBG_ASSERT BLE_LL_ASSERT SYSINIT_ASSERT_ACTIVE"
percpu "os_sched_get_current_task ble_npl_get_current_task_id"
keep "^(\\w+_LOG_\\w+|console_printf|BLE_HS_LOG|MODLOG_\\w+|STATS_INCN?|STATS_CLEAR)$"
attribute "OS_WEAK"
