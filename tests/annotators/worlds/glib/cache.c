/* A cache with threads and a main loop: the locks of this library, right and wrong. */
#include <glib.h>

typedef struct {
  GMutex lock;
  GRWLock map_lock;
  GCond filled;
  gint items, hits, readers;
} Cache;

static Cache cache;
static GMutex first, second;
static GRecMutex tree_lock;
static GStaticMutex old_lock = G_STATIC_MUTEX_INIT;
G_LOCK_DEFINE_STATIC (names);
static gint total, depth, named, unnamed, old, polls, ticks, done, seen, references, jobs, shown, waiting;

static void
cache_count (Cache *c)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new (&c->lock);
  c->hits++; /* NORACE */
  if (c->hits > 100)
    return; /* NOLEAK */
  c->hits = 0; /* NORACE */
}

static gboolean
cache_try (Cache *c)
{
  if (!g_mutex_trylock (&c->lock))
    return FALSE;
  c->hits--; /* NORACE */
  g_mutex_unlock (&c->lock); /* NOUNHELD */
  return TRUE;
}

static void
tree_walk (int n)
{
  g_rec_mutex_lock (&tree_lock);
  depth = n; /* NORACE */
  if (n > 0)
    tree_walk (n - 1); /* NODOUBLE-LOCK */
  g_rec_mutex_unlock (&tree_lock);
}

/* Readers only read. */
static gint
map_read (void)
{
  gint n;
  g_rw_lock_reader_lock (&cache.map_lock);
  n = cache.items; /* NORACE */
  cache.readers++; /* RACE */
  g_rw_lock_reader_unlock (&cache.map_lock);
  return n;
}

static void
map_write (void)
{
  g_rw_lock_writer_lock (&cache.map_lock);
  cache.items++; /* NORACE */
  g_rw_lock_writer_unlock (&cache.map_lock);
}

static gpointer
forth (gpointer data)
{
  Cache *c = data;
  g_mutex_lock (&first);
  g_mutex_lock (&second); /* DEADLOCK@orders */
  total++;
  g_mutex_unlock (&second);
  g_mutex_unlock (&first);
  cache_count (c);
  tree_walk (3);
  map_read ();
  map_write ();
  G_LOCK (names);
  named++; /* NORACE */
  G_UNLOCK (names);
  unnamed++; /* RACE@unnamed */
  g_static_mutex_lock (&old_lock);
  old++; /* NORACE */
  g_static_mutex_unlock (&old_lock);
  /* A wait that lets go of its mutex. */
  g_mutex_lock (&c->lock);
  while (!waiting)
    g_cond_wait (&c->filled, &c->lock);
  waiting = 0; /* NORACE */
  g_mutex_unlock (&c->lock);
  g_atomic_int_inc (&references); /* NORACE */
  return NULL;
}

static gpointer
back (gpointer data)
{
  Cache *c = data;
  g_mutex_lock (&second);
  g_mutex_lock (&first); /* DEADLOCK@orders */
  total--;
  g_mutex_unlock (&first);
  g_mutex_unlock (&second);
  cache_count (c);
  cache_try (c);
  tree_walk (2);
  map_read ();
  map_write ();
  G_LOCK (names);
  named = 0; /* NORACE */
  G_UNLOCK (names);
  unnamed = 0; /* RACE@unnamed */
  g_static_mutex_lock (&old_lock);
  old = 0; /* NORACE */
  g_static_mutex_unlock (&old_lock);
  g_mutex_lock (&c->lock);
  waiting = 1; /* NORACE */
  g_cond_signal (&c->filled);
  g_mutex_unlock (&c->lock);
  if (g_atomic_int_dec_and_test (&references)) /* NORACE */
    seen++;
  return NULL;
}

/* The main loop calls one after the other; the pool's threads run beside it. */
static gboolean
on_idle (gpointer data)
{
  polls++; /* NORACE */
  shown = 0; /* RACE */
  return G_SOURCE_CONTINUE;
}

static gboolean
on_timeout (gpointer data)
{
  polls = 0; /* NORACE */
  ticks++;
  g_mutex_lock (&first);
  shown--;
  g_mutex_unlock (&first);
  return G_SOURCE_REMOVE;
}

static void
job (gpointer item, gpointer data)
{
  g_mutex_lock (&first);
  jobs++; /* NORACE */
  shown++;
  if (shown > 9)
    shown = 1;
  g_mutex_unlock (&first);
}

int
main (void)
{
  GThread *a, *b;
  GThreadPool *pool;

  g_mutex_init (&first);
  total = done = 0; /* NORACE */
  pool = g_thread_pool_new (job, NULL, 4, FALSE, NULL);
  a = g_thread_new ("forth", forth, &cache);
  b = g_thread_new ("back", back, &cache);
  g_idle_add (on_idle, NULL);
  g_timeout_add (100, on_timeout, NULL);
  g_thread_pool_push (pool, a, NULL);
  g_main_loop_run (g_main_loop_new (NULL, FALSE));
  g_thread_join (a);
  g_thread_join (b);
  total = 0; /* NORACE */
  return 0;
}
