-- pthreads: POSIX threads and semaphores, C11 threads, and the calls of POSIX that block.
world {
    name = "pthreads",
    detect = [[ pthread_create pthread_mutex_lock pthread_mutex_unlock pthread_rwlock_rdlock pthread_rwlock_wrlock
        pthread_rwlock_unlock pthread_spin_lock pthread_cond_wait pthread_cond_signal pthread_join pthread_once sem_wait sem_post
        mtx_lock mtx_unlock thrd_create cnd_wait glthread_lock_lock gl_lock_lock ]],
    least = 1,
}

-- Locks. They return 0 when all is well, and fail only where the program is broken: hardly anybody looks.
lock {
    kind = "mutex", arg = 1, returns = "zero", sure = true, types = "pthread_mutex_t",
    acquire = "pthread_mutex_lock", try = "pthread_mutex_trylock", release = "pthread_mutex_unlock",
    init = "pthread_mutex_init", like = 2, destroy = "pthread_mutex_destroy",
}
lock { kind = "mutex", arg = 1, returns = "zero", timed = true, acquire = "pthread_mutex_timedlock pthread_mutex_clocklock pthread_mutex_reltimedlock_np" }
lock { -- the attribute, then the mutex made with it
    kind = "mutex", arg = 1, recursive = true, init = "pthread_mutexattr_settype pthread_mutexattr_setkind_np",
    when = { 2, "^PTHREAD_MUTEX_RECURSIVE(_NP)?$" },
}
lock { kind = "mutex", arg = 1, recursive = true,
    init = "PTHREAD_RECURSIVE_MUTEX_INITIALIZER PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP" }
lock {
    kind = "mutex", arg = 1, shared = true, recursive = true, returns = "zero", sure = true, types = "pthread_rwlock_t",
    acquire = "pthread_rwlock_rdlock", try = "pthread_rwlock_tryrdlock",
}
lock {
    kind = "mutex", arg = 1, returns = "zero", sure = true,
    acquire = "pthread_rwlock_wrlock", try = "pthread_rwlock_trywrlock", release = "pthread_rwlock_unlock",
    init = "pthread_rwlock_init", destroy = "pthread_rwlock_destroy",
}
lock { kind = "mutex", arg = 1, shared = true, recursive = true, returns = "zero", timed = true,
    acquire = "pthread_rwlock_timedrdlock pthread_rwlock_clockrdlock" }
lock { kind = "mutex", arg = 1, returns = "zero", timed = true, acquire = "pthread_rwlock_timedwrlock pthread_rwlock_clockwrlock" }
lock {
    kind = "spin", arg = 1, returns = "zero", sure = true, types = "pthread_spinlock_t",
    acquire = "pthread_spin_lock", try = "pthread_spin_trylock", release = "pthread_spin_unlock",
    init = "pthread_spin_init", destroy = "pthread_spin_destroy",
}
lock {
    kind = "semaphore", arg = 1, count = 3, returns = "zero", types = "sem_t",
    acquire = "sem_wait", try = "sem_trywait", release = "sem_post", init = "sem_init", destroy = "sem_destroy",
}
lock { kind = "semaphore", arg = 1, returns = "zero", timed = true, acquire = "sem_timedwait sem_clockwait" }
lock { -- C11
    kind = "mutex", arg = 1, returns = "zero", sure = true, types = "mtx_t",
    acquire = "mtx_lock", try = "mtx_trylock", release = "mtx_unlock", init = "mtx_init", destroy = "mtx_destroy",
}
lock { kind = "mutex", arg = 1, recursive = true, init = "mtx_init", when = { 2, "mtx_recursive" } }
lock { kind = "mutex", arg = 1, returns = "zero", timed = true, acquire = "mtx_timedlock" }
lock { kind = "mutex", arg = 1, recursive = true, acquire = "flockfile", release = "funlockfile" }
lock { kind = "mutex", arg = 1, recursive = true, returns = "zero", try = "ftrylockfile" }

lock { -- gnulib's portable ones: macros that ask each time whether the program has threads at all
    kind = "mutex", arg = 1, returns = "zero", sure = true, types = "gl_lock_t",
    acquire = "glthread_lock_lock gl_lock_lock", release = "glthread_lock_unlock gl_lock_unlock",
    init = "glthread_lock_init gl_lock_init", destroy = "glthread_lock_destroy gl_lock_destroy",
}
lock {
    kind = "mutex", arg = 1, recursive = true, returns = "zero", sure = true, types = "gl_recursive_lock_t",
    acquire = "glthread_recursive_lock_lock gl_recursive_lock_lock", release = "glthread_recursive_lock_unlock gl_recursive_lock_unlock",
    init = "glthread_recursive_lock_init gl_recursive_lock_init", destroy = "glthread_recursive_lock_destroy gl_recursive_lock_destroy",
}
lock {
    kind = "mutex", arg = 1, shared = true, recursive = true, returns = "zero", sure = true, types = "gl_rwlock_t",
    acquire = "glthread_rwlock_rdlock gl_rwlock_rdlock",
}
lock {
    kind = "mutex", arg = 1, returns = "zero", sure = true,
    acquire = "glthread_rwlock_wrlock gl_rwlock_wrlock", release = "glthread_rwlock_unlock gl_rwlock_unlock",
    init = "glthread_rwlock_init gl_rwlock_init", destroy = "glthread_rwlock_destroy gl_rwlock_destroy",
}

lock { -- Darwin's
    kind = "mutex", arg = 1, types = "os_unfair_lock os_unfair_lock_s OSSpinLock",
    acquire = "os_unfair_lock_lock OSSpinLockLock", try = "os_unfair_lock_trylock OSSpinLockTry",
    release = "os_unfair_lock_unlock OSSpinLockUnlock",
}

-- Waits that let go of the mutex meanwhile.
lock { kind = "mutex", arg = 2,
    wait = [[ pthread_cond_wait pthread_cond_timedwait pthread_cond_clockwait pthread_cond_timedwait_relative_np
        pthread_cond_reltimedwait_np cnd_wait cnd_timedwait ]] }
blocks [[ pthread_cond_wait pthread_cond_timedwait pthread_cond_clockwait cnd_wait cnd_timedwait pthread_barrier_wait
    pthread_join pthread_timedjoin_np pthread_clockjoin_np thrd_join thrd_sleep pthread_cond_timedwait_relative_np
    pthread_cond_reltimedwait_np ]]

meets "pthread_barrier_wait"
wakes "pthread_cond_signal pthread_cond_broadcast cnd_signal cnd_broadcast"
wakes { "pthread_cond_wait cnd_wait", is = false }

-- Threads, and what else runs by itself.
registers { "pthread_create", arg = 3, data = 4, object = 1, context = "thread" }
registers { "thrd_create", arg = 2, data = 3, object = 1, context = "thread" }
registers { "pthread_once call_once", arg = 2, object = 1, context = "once" }
registers { "pthread_key_create tss_create", arg = 2, context = "thread" }
keep { "pthread_cleanup_push", closed_by = "pthread_cleanup_pop" }
keep { "pthread_cleanup_push_defer_np", closed_by = "pthread_cleanup_pop_restore_np" }
keep "pthread_cleanup_pop pthread_cleanup_pop_restore_np"
-- fork calls these, in whichever thread: the first takes what the others let go.
for arg = 1, 3 do
    registers { "pthread_atfork", arg = arg, context = "exit" }
end
registers { field = "struct sigevent.sigev_notify_function", context = "thread" }
joins { "pthread_join thrd_join pthread_timedjoin_np pthread_tryjoin_np pthread_clockjoin_np", arg = 1, context = "thread" }
noreturn "pthread_exit thrd_exit"
percpu "pthread_getspecific tss_get"

-- These may sleep.
blocks [[ sleep usleep nanosleep clock_nanosleep pause sigsuspend sigwait sigwaitinfo sigtimedwait wait waitpid wait3 wait4
    waitid system read readv pread preadv write writev pwrite pwritev recv recvfrom recvmsg recvmmsg send sendto sendmsg
    sendmmsg sendfile splice accept accept4 connect poll ppoll select pselect epoll_wait epoll_pwait kevent io_getevents
    fsync fdatasync sync msync flock lockf open openat close fopen fclose fread fwrite fgets fgetc getc fputs fflush getline
    getaddrinfo getnameinfo gethostbyname mq_send mq_receive mq_timedreceive msgsnd msgrcv semop semtimedop tcdrain ]]
allocates { "posix_memalign asprintf vasprintf", arg = 1 }
allocates { "mmap", other = true, when = { 4, "MAP_SHARED" } }
allocates { "shmat", other = true }
allocates "memalign valloc mmap"

-- What a child process does is done to a copy.
lock { kind = "child", returns = "zero", try = "fork" }

-- Where no header says so.
constant { thrd_success = 0, thrd_nomem = 1, thrd_timedout = 2, thrd_busy = 3, thrd_error = 4 }
