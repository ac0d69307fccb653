-- glib: GLib's threads and its main loop, old (g_static_mutex_lock, g_thread_create) and new.
world {
    name = "glib",
    detect = [[ g_mutex_lock g_mutex_unlock g_rec_mutex_lock g_rw_lock_reader_lock g_rw_lock_writer_lock g_static_mutex_lock
        g_thread_new g_thread_create g_thread_join g_cond_wait g_thread_pool_new g_mutex_locker_new G_LOCK g_once_init_enter
        g_atomic_int_get g_idle_add g_timeout_add g_main_loop_run ]],
    least = 3,
    beside = "pthreads", -- programs have locks of both, one of them often through macros of their own
}

-- locks --------------------------------------------------------------------------
lock { kind = "mutex", arg = 1, types = "GMutex GStaticMutex", acquire = "g_mutex_lock g_static_mutex_lock",
    try = "g_mutex_trylock g_static_mutex_trylock", release = "g_mutex_unlock g_static_mutex_unlock",
    init = "g_mutex_init g_static_mutex_init", destroy = "g_mutex_clear g_mutex_free g_static_mutex_free" }
lock { kind = "mutex", arg = 1, recursive = true, types = "GRecMutex GStaticRecMutex", acquire = "g_rec_mutex_lock g_static_rec_mutex_lock",
    try = "g_rec_mutex_trylock g_static_rec_mutex_trylock", release = "g_rec_mutex_unlock g_static_rec_mutex_unlock",
    init = "g_rec_mutex_init g_static_rec_mutex_init", destroy = "g_rec_mutex_clear g_static_rec_mutex_free" }
lock { kind = "mutex", arg = 1, shared = true, types = "GRWLock GStaticRWLock",
    acquire = "g_rw_lock_reader_lock g_static_rw_lock_reader_lock", try = "g_rw_lock_reader_trylock g_static_rw_lock_reader_trylock",
    release = "g_rw_lock_reader_unlock g_static_rw_lock_reader_unlock" }
lock { kind = "mutex", arg = 1, acquire = "g_rw_lock_writer_lock g_static_rw_lock_writer_lock",
    try = "g_rw_lock_writer_trylock g_static_rw_lock_writer_trylock", release = "g_rw_lock_writer_unlock g_static_rw_lock_writer_unlock",
    init = "g_rw_lock_init g_static_rw_lock_init", destroy = "g_rw_lock_clear g_static_rw_lock_free" }
-- One bit of a word that is otherwise data.
lock { kind = "mutex", arg = 1, acquire = "g_bit_lock g_pointer_bit_lock", try = "g_bit_trylock g_pointer_bit_trylock",
    release = "g_bit_unlock g_pointer_bit_unlock" }
lock { kind = "mutex", arg = 1, acquire = "g_async_queue_lock", release = "g_async_queue_unlock" }
-- g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lock): to the end of the scope.
lock { kind = "mutex", arg = 1, guard = "g_mutex_locker_new" }
lock { kind = "mutex", arg = 1, recursive = true, guard = "g_rec_mutex_locker_new" }
lock { kind = "mutex", arg = 1, shared = true, guard = "g_rw_lock_reader_locker_new" }
lock { kind = "mutex", arg = 1, guard = "g_rw_lock_writer_locker_new" }
-- G_LOCK(name) is about a mutex of another name.
definition { "G_LOCK_NAME", text = "g__$1_lock" }
definition { "G_LOCK_DEFINE", text = "GMutex g__$1_lock" }
definition { "G_LOCK_DEFINE_STATIC", text = "static GMutex g__$1_lock" }
definition { "G_LOCK_EXTERN", text = "extern GMutex g__$1_lock" }
definition { "G_LOCK", text = "g_mutex_lock(&g__$1_lock)" }
definition { "G_UNLOCK", text = "g_mutex_unlock(&g__$1_lock)" }
definition { "G_TRYLOCK", text = "g_mutex_trylock(&g__$1_lock)" }

lock { kind = "mutex", arg = 2, wait = "g_cond_wait g_cond_wait_until g_cond_timed_wait" }
wakes "g_cond_signal g_cond_broadcast"
wakes { "g_cond_wait", is = false }
blocks [[ g_cond_wait g_cond_wait_until g_cond_timed_wait g_usleep g_thread_join g_async_queue_pop g_async_queue_timeout_pop g_poll
    g_main_loop_run g_main_context_iteration g_spawn_sync g_spawn_command_line_sync g_thread_pool_free ]]

-- what runs by itself -----------------------------------------------------------------
registers { "g_thread_new g_thread_try_new", arg = 2, data = 3, object = "result", context = "thread" }
registers { "g_thread_create g_thread_create_full", arg = 1, data = 2, object = "result", context = "thread" }
registers { "g_thread_pool_new g_thread_pool_new_full", arg = 1, data = 2, parameter = 2, object = "result", context = "thread" }
registers { "g_task_run_in_thread g_task_run_in_thread_sync", arg = 2, context = "thread" }
registers { "g_once", arg = 2, data = 3, context = "once" }
-- The main loop calls these, one after the other.
registers { "g_idle_add g_idle_add_once g_main_context_invoke", arg = 1, data = 2, context = "work" }
registers { "g_timeout_add g_timeout_add_seconds g_timeout_add_once g_timeout_add_seconds_once g_idle_add_full g_child_watch_add", arg = 2, data = 3,
    context = "work" }
registers { "g_timeout_add_full g_timeout_add_seconds_full g_unix_fd_add g_io_add_watch g_child_watch_add_full", arg = 3, data = 4, context = "work" }
registers { "g_io_add_watch_full g_unix_fd_add_full", arg = 4, data = 5, context = "work" }
registers { "g_source_set_callback g_unix_signal_add", arg = 2, data = 3, context = "work" }
registers { "g_list_foreach g_slist_foreach g_ptr_array_foreach g_queue_foreach g_hash_table_foreach g_hash_table_foreach_remove", arg = 2, context = "call" }
joins { "g_thread_join g_thread_pool_free", arg = 1, context = "thread" }

-- the rest --------------------------------------------------------------------------
atomic { "^g_atomic_(int|pointer)_compare_and_exchange(_full)?$", arg = 1, returns = "nonzero" }
atomic { "^g_atomic_(int|pointer)_(set|inc|dec_and_test|exchange(_and_add)?|add|and|or|xor)$", arg = 1 }
atomic { "g_atomic_int_get g_atomic_pointer_get", arg = 1, access = "read" }
atomic { "^g_(atomic_)?ref_count_(init|inc|dec)$ g_bit_trylock_full g_set_object_atomic", arg = 1 }
atomic "gatomicrefcount"
-- Whoever comes first initialises; the others wait in g_once_init_enter. What is read afterwards is written no more.
keep "g_once_init_enter g_once_init_enter_pointer g_once_init_leave g_once_init_leave_pointer"
percpu "g_private_get g_static_private_get g_thread_self"
allocates [[ g_malloc g_malloc0 g_try_malloc g_try_malloc0 g_realloc g_new g_new0 g_try_new g_try_new0 g_malloc_n g_malloc0_n g_memdup g_memdup2
    g_slice_new g_slice_new0 g_slice_alloc g_slice_alloc0 g_slice_dup g_strdup g_strndup g_strdup_printf g_strconcat g_object_new ]]
frees "g_free g_clear_pointer"
noreturn "g_error g_assert_not_reached g_thread_exit g_abort g_assertion_message g_assertion_message_expr"
asserts "g_assert g_assert_true g_assert_nonnull g_return_if_fail"
asserts { "g_return_val_if_fail", arg = 1 }
asserts { "g_assert_false g_assert_null", is = false }
likely "G_LIKELY G_UNLIKELY"
definition { "g_autoptr", text = "$1 *" }
definition { "g_auto", text = "$1 __attribute__((cleanup(glib_auto_cleanup_$1)))" }
definition { "G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC", text = "static inline void glib_auto_cleanup_$1($1 *made) { $2(made); }" }
definition { "g_autolist g_autoslist g_autoqueue", text = "GList *" }
definition { "G_N_ELEMENTS", text = "(sizeof($1) / sizeof(($1)[0]))" }
attribute [[ g_autofree G_GNUC_UNUSED G_GNUC_PRINTF G_GNUC_NORETURN G_GNUC_CONST G_GNUC_PURE G_GNUC_MALLOC G_GNUC_WARN_UNUSED_RESULT
    G_GNUC_NULL_TERMINATED G_GNUC_NO_INSTRUMENT G_BEGIN_DECLS G_END_DECLS G_GNUC_INTERNAL G_GNUC_FALLTHROUGH
    G_GNUC_BEGIN_IGNORE_DEPRECATIONS G_GNUC_END_IGNORE_DEPRECATIONS G_NO_INLINE G_ALWAYS_INLINE G_STATIC_ASSERT ]]
keep "g_debug g_message g_warning g_critical g_info g_log g_print g_printerr ^g_assert_cmp\\w+$ G_STRLOC G_STRFUNC"
constant { TRUE = 1, FALSE = 0, G_SOURCE_CONTINUE = 1, G_SOURCE_REMOVE = 0 }
-- A debugging aid of old, and systems without threads.
undefine "G_DEBUG_LOCKS G_ERRORCHECK_MUTEXES G_DISABLE_CHECKS G_DISABLE_ASSERT"

annotate(function(program)
    -- A class is made once, by whoever first needs it; the others wait.
    mark("^\\w+_(class_init|class_intern_init|get_type_once)$", "init")
    -- An object is made and ended by one thread, while nobody else has it.
    local made = {}
    for class in program:functions "^\\w+_class_init$" do
        made[class.file .. ":" .. class.name:match "^(.*)_class_init$"] = true
    end
    for f in program:functions "^\\w+_(init|constructed|constructor|dispose|finalize)$" do
        if made[f.file .. ":" .. f.name:match "^(.*)_[a-z]+$"] then mark(f, "init") end
    end
    -- One thread runs the main loop: what it calls never meets another of its kind.
    local loop = {}
    for f in program:functions() do
        if f:is "work" then
            table.insert(loop, f)
        end
    end
    if #loop > 0 then
        never_parallel(loop, loop)
        never_parallel(loop, "^main$")
    end
end)
