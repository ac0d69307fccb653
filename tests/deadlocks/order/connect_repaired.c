/* connect.c with the table's lock taken first everywhere. */
#include <linux/mutex.h>

static DEFINE_MUTEX(table_lock);
static DEFINE_MUTEX(secure_lock);
static DEFINE_MUTEX(plain_lock);
static int secure_count, table_count;

static void open_conn(int secure)
{
	if (secure)
		mutex_lock(&secure_lock);
	else
		mutex_lock(&plain_lock);
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
	mutex_lock(&table_lock);
	table_count--;
	mutex_lock(&secure_lock); /* NODEADLOCK */
	secure_count = 0;
	mutex_unlock(&secure_lock);
	mutex_unlock(&table_lock);
}
