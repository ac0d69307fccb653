/* A port to a machine with one thread: the locks are there in name only. */
#define spin_lock(lock) do {} while (0)
#define spin_unlock(lock) do {} while (0)
#define mutex_lock(...)
#define mutex_unlock(...)
#define spin_lock_irqsave(lock, flags) do {} while (0)
#define spin_unlock_irqrestore(lock, flags) do { flags = 0; } while (0)
