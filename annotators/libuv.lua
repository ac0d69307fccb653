-- libuv: libuv's threads, locks and loop.
world {
    name = "libuv",
    detect = [[ uv_mutex_lock uv_mutex_unlock uv_mutex_init uv_rwlock_rdlock uv_rwlock_wrlock uv_rwlock_rdunlock uv_rwlock_wrunlock
        uv_sem_wait uv_sem_post uv_cond_wait uv_cond_signal uv_thread_create uv_thread_join uv_queue_work uv_run uv_async_send
        uv_timer_start uv_loop_init ]],
    headers = "uv.h",
    least = 3,
    beside = "pthreads",
}

lock { kind = "mutex", arg = 1, types = "uv_mutex_t", acquire = "uv_mutex_lock", release = "uv_mutex_unlock", init = "uv_mutex_init",
    destroy = "uv_mutex_destroy" }
lock { kind = "mutex", arg = 1, returns = "zero", try = "uv_mutex_trylock" }
lock { kind = "mutex", arg = 1, recursive = true, init = "uv_mutex_init_recursive" }
lock { kind = "mutex", arg = 1, shared = true, recursive = true, types = "uv_rwlock_t", acquire = "uv_rwlock_rdlock", release = "uv_rwlock_rdunlock" }
lock { kind = "mutex", arg = 1, acquire = "uv_rwlock_wrlock", release = "uv_rwlock_wrunlock", init = "uv_rwlock_init", destroy = "uv_rwlock_destroy" }
lock { kind = "mutex", arg = 1, shared = true, recursive = true, returns = "zero", try = "uv_rwlock_tryrdlock" }
lock { kind = "mutex", arg = 1, returns = "zero", try = "uv_rwlock_trywrlock" }
lock { kind = "semaphore", arg = 1, count = 2, types = "uv_sem_t", acquire = "uv_sem_wait", release = "uv_sem_post", init = "uv_sem_init",
    destroy = "uv_sem_destroy" }
lock { kind = "semaphore", arg = 1, returns = "zero", try = "uv_sem_trywait" }
lock { kind = "mutex", arg = 2, wait = "uv_cond_wait uv_cond_timedwait" }
wakes "uv_cond_signal uv_cond_broadcast"
wakes { "uv_cond_wait", is = false }
meets "uv_barrier_wait"
blocks "uv_cond_wait uv_cond_timedwait uv_thread_join uv_barrier_wait uv_sleep uv_run"

registers { "uv_thread_create", arg = 2, data = 3, object = 1, context = "thread" }
registers { "uv_thread_create_ex", arg = 3, data = 4, object = 1, context = "thread" }
joins { "uv_thread_join", arg = 1, context = "thread" }
registers { "uv_once", arg = 2, object = 1, context = "once" }
registers { "uv_queue_work", arg = 3, object = 2, context = "thread" } -- one of the pool's
-- The loop calls these, one after the other.
registers { "uv_queue_work", arg = 4, context = "work" }
registers { "uv_async_init", arg = 3, object = 2, context = "work" }
registers { "uv_timer_start uv_poll_start uv_idle_start uv_prepare_start uv_check_start uv_signal_start uv_close uv_shutdown uv_fs_event_start", arg = 2,
    object = 1, context = "work" }
registers { "uv_poll_start uv_listen uv_udp_recv_start uv_read_start", arg = 3, object = 1, context = "work" }
