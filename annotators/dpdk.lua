-- dpdk: the Data Plane Development Kit's locks and its threads, one a core.
world {
    name = "dpdk",
    detect = [[ rte_spinlock_lock rte_spinlock_unlock rte_spinlock_init rte_rwlock_read_lock rte_rwlock_write_lock rte_eal_remote_launch
        rte_eal_mp_remote_launch rte_eal_init rte_lcore_id rte_ring_enqueue rte_ring_dequeue rte_malloc rte_zmalloc rte_free
        rte_pktmbuf_alloc rte_eth_rx_burst rte_eth_tx_burst rte_eal_alarm_set rte_intr_callback_register ]],
    headers = "rte_eal.h rte_lcore.h rte_spinlock.h rte_ethdev.h rte_mbuf.h",
    least = 3,
    beside = "pthreads",
}

lock { kind = "spin", arg = 1, types = "rte_spinlock_t", acquire = "rte_spinlock_lock rte_spinlock_lock_tm", try = "rte_spinlock_trylock rte_spinlock_trylock_tm",
    release = "rte_spinlock_unlock rte_spinlock_unlock_tm", init = "rte_spinlock_init" }
lock { kind = "spin", arg = 1, recursive = true, types = "rte_spinlock_recursive_t", acquire = "rte_spinlock_recursive_lock rte_spinlock_recursive_lock_tm",
    try = "rte_spinlock_recursive_trylock", release = "rte_spinlock_recursive_unlock rte_spinlock_recursive_unlock_tm", init = "rte_spinlock_recursive_init" }
lock { kind = "spin", arg = 1, types = "rte_ticketlock_t rte_mcslock_t", acquire = "rte_ticketlock_lock rte_mcslock_lock", try = "rte_ticketlock_trylock",
    release = "rte_ticketlock_unlock rte_mcslock_unlock", init = "rte_ticketlock_init" }
lock { kind = "spin", arg = 1, shared = true, recursive = true, types = "rte_rwlock_t rte_pflock_t", acquire = "rte_rwlock_read_lock rte_pflock_read_lock",
    release = "rte_rwlock_read_unlock rte_pflock_read_unlock" }
lock { kind = "spin", arg = 1, shared = true, recursive = true, returns = "zero", try = "rte_rwlock_read_trylock" }
lock { kind = "spin", arg = 1, acquire = "rte_rwlock_write_lock rte_pflock_write_lock", release = "rte_rwlock_write_unlock rte_pflock_write_unlock",
    init = "rte_rwlock_init rte_pflock_init" }
lock { kind = "spin", arg = 1, returns = "zero", try = "rte_rwlock_write_trylock" }

registers { "rte_eal_remote_launch rte_eal_mp_remote_launch", arg = 1, data = 2, context = "thread" }
registers { "rte_ctrl_thread_create", arg = 4, data = 5, object = 1, context = "thread" }
registers { "rte_thread_create_control", arg = 3, data = 4, object = 1, context = "thread" }
registers { "rte_thread_create", arg = 3, data = 4, object = 1, context = "thread" }
-- One thread serves interrupts and alarms.
registers { "rte_eal_alarm_set", arg = 2, data = 3, context = "work" }
registers { "rte_intr_callback_register", arg = 2, data = 3, context = "work" }
registers { "rte_timer_reset", arg = 5, data = 6, parameter = 2, context = "work" }
atomic { "^rte_atomic(16|32|64)_(inc|dec|add|sub|set|clear|add_return|sub_return|test_and_set|cmpset|inc_and_test|dec_and_test)$", arg = 1 }
atomic { "rte_atomic16_read rte_atomic32_read rte_atomic64_read", arg = 1, access = "read" }
allocates "rte_malloc rte_zmalloc rte_calloc rte_malloc_socket rte_zmalloc_socket rte_pktmbuf_alloc rte_mempool_create rte_ring_create"
frees "rte_free rte_pktmbuf_free"
percpu "rte_lcore_id rte_socket_id"
noreturn "rte_exit rte_panic"
asserts "RTE_ASSERT RTE_VERIFY"
keep "^(RTE_LOG|RTE_LOG_DP|rte_log)$"
