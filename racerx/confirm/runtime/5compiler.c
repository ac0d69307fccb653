// what the compiler calls ---------------------------------------------------------------------

typedef __int128 Wide;

void __tsan_init(void); // of every module that comes
void __tsan_init(void) {
    static int before;
    if (plan.active && before++) {
        Thread *thread = current();
        if (thread)
            thread->inside++;
        modules_read();
        if (thread)
            thread->inside--;
    }
}

#define EXPORT(type, name, ...)                                                                                        \
    type name(__VA_ARGS__);                                                                                            \
    type name(__VA_ARGS__)

EXPORT(void, __tsan_func_entry, void *pc) {
    Thread *thread = plan.trace ? tracing() : NULL;
    if (thread)
        trace_call(thread, (Word)pc, (Word)__builtin_return_address(0));
}
EXPORT(void, __tsan_func_exit, void) {}
EXPORT(void, __tsan_ignore_thread_begin, void) {}
EXPORT(void, __tsan_ignore_thread_end, void) {}
EXPORT(void, __tsan_vptr_update, void **address, void *value) {
    if (*address != value)
        access_at(CALLER, address, sizeof *address, WRITE);
}
EXPORT(void, __tsan_vptr_read, void **address) { access_at(CALLER, address, sizeof *address, READ); }
EXPORT(void, __tsan_read_range, void *address, unsigned long size) { access_at(CALLER, address, size, READ); }
EXPORT(void, __tsan_write_range, void *address, unsigned long size) { access_at(CALLER, address, size, WRITE); }

#define ACCESSES(size)                                                                                                 \
    EXPORT(void, __tsan_read##size, void *address) { access_at(CALLER, address, size, READ); }                         \
    EXPORT(void, __tsan_write##size, void *address) { access_at(CALLER, address, size, WRITE); }                       \
    EXPORT(void, __tsan_read_write##size, void *address) { access_at(CALLER, address, size, WRITE); }                  \
    EXPORT(void, __tsan_unaligned_read##size, void *address) { access_at(CALLER, address, size, READ); }               \
    EXPORT(void, __tsan_unaligned_write##size, void *address) { access_at(CALLER, address, size, WRITE); }             \
    EXPORT(void, __tsan_unaligned_read_write##size, void *address) { access_at(CALLER, address, size, WRITE); }        \
    EXPORT(void, __tsan_volatile_read##size, void *address) { access_at(CALLER, address, size, READ); }                \
    EXPORT(void, __tsan_volatile_write##size, void *address) { access_at(CALLER, address, size, WRITE); }              \
    EXPORT(void, __tsan_unaligned_volatile_read##size, void *address) { access_at(CALLER, address, size, READ); }      \
    EXPORT(void, __tsan_unaligned_volatile_write##size, void *address) { access_at(CALLER, address, size, WRITE); }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

// Every order is the strongest here; but what a relaxed one carries is no order in a trace.
#define TAKES(order) ((order) != __ATOMIC_RELAXED && (order) != __ATOMIC_RELEASE)
#define GIVES(order) ((order) != __ATOMIC_RELAXED && (order) != __ATOMIC_ACQUIRE && (order) != __ATOMIC_CONSUME)
#define ATOMIC_CHANGE(bits, type, word)                                                                                \
    EXPORT(type, __tsan_atomic##bits##_##word, volatile type *address, type value, int order) {                        \
        access_at(CALLER, address, bits / 8, WRITE | ATOMIC);                                                          \
        BEFORE_ATOMIC(GIVES(order));                                                                                   \
        type result = __atomic_##word(address, value, __ATOMIC_SEQ_CST);                                               \
        AFTER_ATOMIC(result, TAKES(order), 1);                                                                         \
        return result;                                                                                                 \
    }
#define ATOMIC_COMPARE(bits, type, word, weak)                                                                         \
    EXPORT(int, __tsan_atomic##bits##_compare_exchange_##word, volatile type *address, type *expected, type value,     \
           int order, int failure) {                                                                                   \
        (void)failure;                                                                                                 \
        access_at(CALLER, address, bits / 8, WRITE | ATOMIC);                                                          \
        BEFORE_ATOMIC(GIVES(order));                                                                                   \
        int result = __atomic_compare_exchange_n(address, expected, value, weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);  \
        AFTER_ATOMIC(*expected, TAKES(order), 1);                                                                      \
        return result;                                                                                                 \
    }
#define ATOMICS(bits, type)                                                                                            \
    EXPORT(type, __tsan_atomic##bits##_load, const volatile type *address, int order) {                                \
        access_at(CALLER, address, bits / 8, READ | ATOMIC);                                                           \
        type result = __atomic_load_n(address, __ATOMIC_SEQ_CST);                                                      \
        AFTER_ATOMIC(result, TAKES(order), 0);                                                                         \
        return result;                                                                                                 \
    }                                                                                                                  \
    EXPORT(void, __tsan_atomic##bits##_store, volatile type *address, type value, int order) {                         \
        access_at(CALLER, address, bits / 8, WRITE | ATOMIC);                                                          \
        BEFORE_ATOMIC(GIVES(order));                                                                                   \
        __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                                            \
    }                                                                                                                  \
    EXPORT(type, __tsan_atomic##bits##_exchange, volatile type *address, type value, int order) {                      \
        access_at(CALLER, address, bits / 8, WRITE | ATOMIC);                                                          \
        BEFORE_ATOMIC(GIVES(order));                                                                                   \
        type result = __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);                                           \
        AFTER_ATOMIC(result, TAKES(order), 1);                                                                         \
        return result;                                                                                                 \
    }                                                                                                                  \
    ATOMIC_CHANGE(bits, type, fetch_add)                                                                               \
    ATOMIC_CHANGE(bits, type, fetch_sub)                                                                               \
    ATOMIC_CHANGE(bits, type, fetch_and)                                                                               \
    ATOMIC_CHANGE(bits, type, fetch_or)                                                                                \
    ATOMIC_CHANGE(bits, type, fetch_xor)                                                                               \
    ATOMIC_CHANGE(bits, type, fetch_nand)                                                                              \
    ATOMIC_COMPARE(bits, type, strong, 0)                                                                              \
    ATOMIC_COMPARE(bits, type, weak, 1)                                                                                \
    EXPORT(type, __tsan_atomic##bits##_compare_exchange_val, volatile type *address, type expected, type value,        \
           int order, int failure) {                                                                                   \
        (void)failure;                                                                                                 \
        access_at(CALLER, address, bits / 8, WRITE | ATOMIC);                                                          \
        BEFORE_ATOMIC(GIVES(order));                                                                                   \
        __atomic_compare_exchange_n(address, &expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                 \
        AFTER_ATOMIC(expected, TAKES(order), 1);                                                                       \
        return expected;                                                                                               \
    }
ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

EXPORT(void, __tsan_atomic_thread_fence, int order) {
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
EXPORT(void, __tsan_atomic_signal_fence, int order) {
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// Sixteen bytes at once, by turns: only what is built with us accesses them so.
static int wide_lock;
static Wide wide_swap(volatile Wide *address, Wide value, Wide expected, int whatever) {
    while (__atomic_exchange_n(&wide_lock, 1, __ATOMIC_ACQUIRE))
        ;
    Wide before = *address;
    if (whatever || before == expected)
        *address = value;
    __atomic_store_n(&wide_lock, 0, __ATOMIC_RELEASE);
    return before;
}
static Wide wide_read(volatile Wide *address) { return wide_swap(address, 0, 0, 0); }

EXPORT(Wide, __tsan_atomic128_load, const volatile Wide *address, int order) {
    access_at(CALLER, address, 16, READ | ATOMIC);
    Wide result = wide_read((volatile Wide *)address);
    AFTER_ATOMIC(result, TAKES(order), 0);
    return result;
}
EXPORT(void, __tsan_atomic128_store, volatile Wide *address, Wide value, int order) {
    (void)order;
    access_at(CALLER, address, 16, WRITE | ATOMIC);
    BEFORE_ATOMIC(1);
    wide_swap(address, value, 0, 1);
}
EXPORT(Wide, __tsan_atomic128_exchange, volatile Wide *address, Wide value, int order) {
    (void)order;
    access_at(CALLER, address, 16, WRITE | ATOMIC);
    BEFORE_ATOMIC(1);
    return wide_swap(address, value, 0, 1);
}
EXPORT(Wide, __tsan_atomic128_compare_exchange_val, volatile Wide *address, Wide expected, Wide value, int order,
       int failure) {
    (void)order, (void)failure;
    access_at(CALLER, address, 16, WRITE | ATOMIC);
    BEFORE_ATOMIC(1);
    return wide_swap(address, value, expected, 0);
}
#define WIDE_COMPARE(word)                                                                                             \
    EXPORT(int, __tsan_atomic128_compare_exchange_##word, volatile Wide *address, Wide *expected, Wide value,          \
           int order, int failure) {                                                                                   \
        (void)order, (void)failure;                                                                                    \
        access_at(CALLER, address, 16, WRITE | ATOMIC);                                                                \
        Wide before = wide_swap(address, value, *expected, 0);                                                         \
        int same = before == *expected;                                                                                \
        *expected = before;                                                                                            \
        return same;                                                                                                   \
    }
WIDE_COMPARE(strong)
WIDE_COMPARE(weak)
#define WIDE_CHANGE(word, result)                                                                                      \
    EXPORT(Wide, __tsan_atomic128_##word, volatile Wide *address, Wide value, int order) {                             \
        (void)order;                                                                                                   \
        access_at(CALLER, address, 16, WRITE | ATOMIC);                                                                \
        for (Wide before = wide_read(address), after;; before = after)                                                 \
            if ((after = wide_swap(address, result, before, 0)) == before)                                             \
                return before;                                                                                         \
    }
WIDE_CHANGE(fetch_add, before + value)
WIDE_CHANGE(fetch_sub, before - value)
WIDE_CHANGE(fetch_and, before &value)
WIDE_CHANGE(fetch_or, before | value)
WIDE_CHANGE(fetch_xor, before ^ value)
WIDE_CHANGE(fetch_nand, ~(before &value))
