-- apr: the Apache Portable Runtime, and what is built on it.
world {
    name = "apr",
    detect = [[ apr_thread_mutex_lock apr_thread_mutex_unlock apr_thread_mutex_create apr_thread_rwlock_rdlock apr_thread_rwlock_wrlock
        apr_thread_rwlock_unlock apr_proc_mutex_lock apr_global_mutex_lock apr_global_mutex_unlock apr_thread_create apr_thread_join
        apr_thread_cond_wait apr_thread_cond_signal apr_thread_pool_push apr_atomic_inc32 apr_palloc apr_pcalloc apr_pool_create
        apr_pstrdup ]],
    least = 3,
    beside = "pthreads",
}

-- locks: APR_SUCCESS is 0 -----------------------------------------------------------
lock { kind = "mutex", arg = 1, returns = "zero", types = "apr_thread_mutex_t struct apr_thread_mutex_t", acquire = "apr_thread_mutex_lock",
    try = "apr_thread_mutex_trylock", release = "apr_thread_mutex_unlock", init = "apr_thread_mutex_create", destroy = "apr_thread_mutex_destroy" }
lock { kind = "mutex", arg = 1, recursive = true, init = "apr_thread_mutex_create", when = { 2, "APR_THREAD_MUTEX_NESTED" } }
lock { kind = "mutex", arg = 1, returns = "zero", timed = true, acquire = "apr_thread_mutex_timedlock" }
lock { kind = "mutex", arg = 1, shared = true, returns = "zero", types = "apr_thread_rwlock_t struct apr_thread_rwlock_t",
    acquire = "apr_thread_rwlock_rdlock", try = "apr_thread_rwlock_tryrdlock" }
lock { kind = "mutex", arg = 1, returns = "zero", acquire = "apr_thread_rwlock_wrlock", try = "apr_thread_rwlock_trywrlock",
    release = "apr_thread_rwlock_unlock", init = "apr_thread_rwlock_create", destroy = "apr_thread_rwlock_destroy" }
-- Between processes; a global mutex also between the threads of each.
lock { kind = "mutex", arg = 1, returns = "zero", types = "apr_proc_mutex_t struct apr_proc_mutex_t apr_global_mutex_t struct apr_global_mutex_t",
    acquire = "apr_proc_mutex_lock apr_global_mutex_lock ap_global_mutex_lock",
    try = "apr_proc_mutex_trylock apr_global_mutex_trylock", release = "apr_proc_mutex_unlock apr_global_mutex_unlock",
    init = "apr_proc_mutex_create apr_global_mutex_create", destroy = "apr_proc_mutex_destroy apr_global_mutex_destroy" }
lock { kind = "mutex", arg = 1, returns = "zero", timed = true, acquire = "apr_proc_mutex_timedlock apr_global_mutex_timedlock" }
lock { kind = "mutex", arg = 1, recursive = true, returns = "zero", acquire = "apr_anylock_lock", release = "apr_anylock_unlock" }

lock { kind = "mutex", arg = 2, wait = "apr_thread_cond_wait apr_thread_cond_timedwait" }
blocks [[ apr_thread_cond_wait apr_thread_cond_timedwait apr_sleep apr_thread_join apr_proc_wait apr_proc_wait_all_procs apr_poll apr_pollset_poll
    apr_socket_recv apr_socket_send apr_socket_accept apr_socket_connect apr_socket_sendv apr_file_read apr_file_write apr_file_read_full
    apr_file_write_full apr_file_gets apr_file_open apr_file_close apr_file_lock apr_queue_pop apr_queue_push apr_reslist_acquire apr_sockaddr_info_get ]]

-- what runs by itself -----------------------------------------------------------------
registers { "apr_thread_create", arg = 3, data = 4, parameter = 2, object = 1, context = "thread" }
registers { "apr_thread_pool_push apr_thread_pool_top apr_thread_pool_schedule", arg = 2, data = 3, parameter = 2, context = "thread" }
registers { "apr_thread_once", arg = 2, context = "once" }
registers { "apr_signal", arg = 2, context = "signal" }
registers { "apr_table_do apr_table_vdo", arg = 1, data = 2, context = "call" }
registers { "apr_threadkey_private_create", arg = 2, context = "thread" }
joins { "apr_thread_join", arg = 2, context = "thread" }

-- the rest --------------------------------------------------------------------------
atomic { "^apr_atomic_(set|inc|dec|add|sub|xchg|cas)(32|64|ptr)$ apr_atomic_casptr apr_atomic_xchgptr apr_atomic_casptr2 apr_atomic_xchgptr2", arg = 1 }
atomic { "apr_atomic_read32 apr_atomic_read64", arg = 1, access = "read" }
allocates [[ apr_palloc apr_pcalloc apr_palloc_debug apr_pcalloc_debug apr_pmemdup apr_pstrdup apr_pstrndup apr_pstrmemdup apr_psprintf
    apr_pvsprintf apr_pstrcat apr_allocator_alloc apr_rmm_addr_get apr_array_make apr_table_make apr_hash_make ]]
noreturn "apr_thread_exit apr_terminate ap_log_assert"
asserts "ap_assert AP_DEBUG_ASSERT apr_assert APR_ASSERT"
constant { APR_SUCCESS = 0 }
attribute "^APR?_DECLARE_(NONSTD|DATA)$ APR_HAS_THREADS_ATTRIBUTE APR_THREAD_FUNC APR_INLINE"
define { APR_HAS_THREADS = 1, APR_HAS_RANDOM = 1 }
