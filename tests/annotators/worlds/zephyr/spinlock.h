/* The macros as the kernel's header has them: a guard that was spoken of stays one. */
#define K_SPINLOCK_ONEXIT
#define K_SPINLOCK_BREAK continue
#define K_SPINLOCK(lck)                                                                            \
	for (k_spinlock_key_t __i K_SPINLOCK_ONEXIT = {}, __key = k_spin_lock(lck); !__i.key;      \
	     k_spin_unlock((lck), __key), __i.key = 1)
