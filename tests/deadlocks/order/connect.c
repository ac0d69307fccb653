/*
 * The slides' summary {a} -> {a,b}, {a,c}: opening leaves one of two locks held, by its argument. Both orders
 * are turned round elsewhere. The other two combinations of opening and closing are false paths: no leak.
 */
#include <linux/mutex.h>

static DEFINE_MUTEX(table_lock);
static DEFINE_MUTEX(secure_lock);
static DEFINE_MUTEX(plain_lock);
static int secure_count, plain_count, table_count;

static void open_conn(int secure)
{
	if (secure)
		mutex_lock(&secure_lock); /* DEADLOCK@s */
	else
		mutex_lock(&plain_lock); /* DEADLOCK@p */
}

static void close_conn(int secure)
{
	if (secure)
		mutex_unlock(&secure_lock);
	else
		mutex_unlock(&plain_lock);
}

void conn_connect(int secure)
{
	mutex_lock(&table_lock);
	open_conn(secure);
	table_count++;
	close_conn(secure);
	mutex_unlock(&table_lock);
}

void conn_reset_secure(void)
{
	mutex_lock(&secure_lock);
	secure_count = 0;
	mutex_lock(&table_lock); /* DEADLOCK@s */
	table_count--;
	mutex_unlock(&table_lock);
	mutex_unlock(&secure_lock);
}

void conn_reset_plain(void)
{
	mutex_lock(&plain_lock);
	plain_count = 0;
	mutex_lock(&table_lock); /* DEADLOCK@p */
	table_count--;
	mutex_unlock(&table_lock);
	mutex_unlock(&plain_lock);
}
