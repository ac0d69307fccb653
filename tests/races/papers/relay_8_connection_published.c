// racerx-verdict: shown
// racerx: --preset linux
/* RELAY, Figure 8, turned round: the connection is on the list when its port is still being filled in. */
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct address { int sin_family, sin_port; };
struct conn { struct list_head id_link; struct address addr; int usage; };

static DEFINE_RWLOCK(conn_lock);
static LIST_HEAD(conn_list);

int rxrpc_create_connection(int port)
{
	struct conn *conn = kmalloc(sizeof(struct conn), GFP_KERNEL);
	if (!conn)
		return -ENOMEM;
	conn->addr.sin_family = AF_INET; /* NORACE */
	write_lock(&conn_lock);
	list_add(&conn->id_link, &conn_list);
	write_unlock(&conn_lock);
	conn->addr.sin_port = port; /* RACE */
	return 0;
}

struct conn *conn_find(int port)
{
	struct conn *conn, *found = NULL;
	read_lock(&conn_lock);
	list_for_each_entry(conn, &conn_list, id_link)
		if (conn->addr.sin_port == port)
			found = conn;
	read_unlock(&conn_lock);
	return found;
}

void conn_move(struct conn *c, int port) { write_lock(&conn_lock); c->addr.sin_port = port; write_unlock(&conn_lock); }
void conn_close(struct conn *c) { write_lock(&conn_lock); c->addr.sin_port = 0; write_unlock(&conn_lock); }
void conn_next(struct conn *c) { write_lock(&conn_lock); c->addr.sin_port++; write_unlock(&conn_lock); }
int conn_port(struct conn *c) { int p; read_lock(&conn_lock); p = c->addr.sin_port; read_unlock(&conn_lock); return p; }
int conn_low(struct conn *c) { int p; read_lock(&conn_lock); p = c->addr.sin_port < 1024; read_unlock(&conn_lock); return p; }
int conn_family(struct conn *c) { int f; read_lock(&conn_lock); f = c->addr.sin_family; read_unlock(&conn_lock); return f; }
void conn_family_set(struct conn *c, int f) { write_lock(&conn_lock); c->addr.sin_family = f; write_unlock(&conn_lock); }
