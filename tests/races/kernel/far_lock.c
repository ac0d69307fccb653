// racerx-verdict: shown
/* A pool's free pages belong to pool->lock, at four places. One place is below twelve callers with another lock, one has none. */
struct pool { spinlock_t lock; int free; int shrinks; };
static DEFINE_MUTEX(layout_mutex);
static DEFINE_MUTEX(super_mutex);
static DEFINE_MUTEX(inode_mutex);
static DEFINE_MUTEX(dentry_mutex);
static DEFINE_MUTEX(extent_mutex);
static DEFINE_MUTEX(journal_mutex);
static DEFINE_MUTEX(quota_mutex);
static DEFINE_MUTEX(xattr_mutex);
static DEFINE_MUTEX(acl_mutex);
static DEFINE_MUTEX(orphan_mutex);
static DEFINE_MUTEX(bitmap_mutex);
static DEFINE_MUTEX(mount_mutex);
static DEFINE_MUTEX(export_mutex);

static void pool_account(struct pool *pool, int pages)
{
	pool->free -= pages; /* TODO RACE: a race, but under the line: another lock, below a caller */
}

void super_grow(struct pool *pool) { mutex_lock(&layout_mutex); mutex_lock(&super_mutex); pool_account(pool, 1); mutex_unlock(&super_mutex); mutex_unlock(&layout_mutex); }
void inode_grow(struct pool *pool) { mutex_lock(&layout_mutex); mutex_lock(&inode_mutex); pool_account(pool, 2); mutex_unlock(&inode_mutex); mutex_unlock(&layout_mutex); }
void dentry_grow(struct pool *pool) { mutex_lock(&layout_mutex); mutex_lock(&dentry_mutex); pool_account(pool, 3); mutex_unlock(&dentry_mutex); mutex_unlock(&layout_mutex); }
void extent_grow(struct pool *pool) { mutex_lock(&layout_mutex); mutex_lock(&extent_mutex); pool_account(pool, 4); mutex_unlock(&extent_mutex); mutex_unlock(&layout_mutex); }
void journal_grow(struct pool *pool) { mutex_lock(&layout_mutex); mutex_lock(&journal_mutex); pool_account(pool, 5); mutex_unlock(&journal_mutex); mutex_unlock(&layout_mutex); }
void quota_grow(struct pool *pool) { mutex_lock(&layout_mutex); mutex_lock(&quota_mutex); pool_account(pool, 6); mutex_unlock(&quota_mutex); mutex_unlock(&layout_mutex); }
void xattr_grow(struct pool *pool) { mutex_lock(&layout_mutex); mutex_lock(&xattr_mutex); pool_account(pool, 7); mutex_unlock(&xattr_mutex); mutex_unlock(&layout_mutex); }
void acl_grow(struct pool *pool) { mutex_lock(&layout_mutex); mutex_lock(&acl_mutex); pool_account(pool, 8); mutex_unlock(&acl_mutex); mutex_unlock(&layout_mutex); }
void orphan_grow(struct pool *pool) { mutex_lock(&layout_mutex); mutex_lock(&orphan_mutex); pool_account(pool, 9); mutex_unlock(&orphan_mutex); mutex_unlock(&layout_mutex); }
void bitmap_grow(struct pool *pool) { mutex_lock(&layout_mutex); mutex_lock(&bitmap_mutex); pool_account(pool, 10); mutex_unlock(&bitmap_mutex); mutex_unlock(&layout_mutex); }
void mount_grow(struct pool *pool) { mutex_lock(&layout_mutex); mutex_lock(&mount_mutex); pool_account(pool, 11); mutex_unlock(&mount_mutex); mutex_unlock(&layout_mutex); }
void export_grow(struct pool *pool) { mutex_lock(&layout_mutex); mutex_lock(&export_mutex); pool_account(pool, 12); mutex_unlock(&export_mutex); mutex_unlock(&layout_mutex); }

void pool_give(struct pool *pool) { spin_lock(&pool->lock); pool->free++; spin_unlock(&pool->lock); } /* RACE@a */
int pool_free(struct pool *pool) { int n; spin_lock(&pool->lock); n = pool->free; spin_unlock(&pool->lock); return n; }
int pool_low(struct pool *pool) { int n; spin_lock(&pool->lock); n = pool->free < 64; spin_unlock(&pool->lock); return n; }
int pool_empty(struct pool *pool) { int n; spin_lock(&pool->lock); n = !pool->free; spin_unlock(&pool->lock); return n; }

static long pool_shrink(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct pool *pool = file->private_data;
	spin_lock(&pool->lock);
	pool->shrinks++; /* NORACE */
	spin_unlock(&pool->lock);
	pool->free /= 2; /* RACE@a */
	return 0;
}

static const struct file_operations pool_fops = { .unlocked_ioctl = pool_shrink };
