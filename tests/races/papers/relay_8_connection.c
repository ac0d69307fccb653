// racerx: --preset linux
/*
 * RELAY, Figure 8: a connection is allocated by a helper and filled in before it is put on the peer's list. Only then
 * can others see it, and they take the lock.
 */
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timer.h>

struct address { int sin_family, sin_port; };
struct peer { rwlock_t conn_idlock; struct list_head conn_idlist; };
struct conn { struct list_head id_link; struct timer_list timeout; struct address addr; struct peer *peer; int usage; };

static int __rxrpc_create_connection(struct peer *peer, struct conn **_conn)
{
	struct conn *conn = kmalloc(sizeof(struct conn), GFP_KERNEL);
	if (!conn)
		return -ENOMEM;
	conn->peer = peer; /* NORACE */
	conn->usage = 1; /* NORACE */
	*_conn = conn; /* NORACE */
	return 0;
}

int rxrpc_create_connection(struct peer *peer, int port)
{
	struct conn *conn;
	int ret = __rxrpc_create_connection(peer, &conn);
	if (ret < 0)
		return ret;
	/* fill in the specific bits */
	conn->addr.sin_family = AF_INET; /* NORACE */
	conn->addr.sin_port = port; /* NORACE */
	write_lock(&peer->conn_idlock);
	list_add(&conn->id_link, &peer->conn_idlist);
	write_unlock(&peer->conn_idlock);
	return 0;
}

void conn_move(struct peer *peer, struct conn *conn, int port)
{
	write_lock(&peer->conn_idlock);
	conn->addr.sin_port = port; /* NORACE */
	conn->addr.sin_family = AF_INET; /* NORACE */
	write_unlock(&peer->conn_idlock);
}

void conn_get(struct peer *peer, struct conn *c) { write_lock(&peer->conn_idlock); c->usage++; write_unlock(&peer->conn_idlock); }
void conn_put(struct peer *peer, struct conn *c) { write_lock(&peer->conn_idlock); c->usage--; write_unlock(&peer->conn_idlock); }
int conn_port(struct peer *peer, struct conn *c) { int p; read_lock(&peer->conn_idlock); p = c->addr.sin_port; read_unlock(&peer->conn_idlock); return p; }
int conn_family(struct peer *peer, struct conn *c) { int f; read_lock(&peer->conn_idlock); f = c->addr.sin_family; read_unlock(&peer->conn_idlock); return f; }
int conn_used(struct peer *peer, struct conn *c) { int u; read_lock(&peer->conn_idlock); u = c->usage; read_unlock(&peer->conn_idlock); return u; }
