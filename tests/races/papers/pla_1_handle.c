// racerx-verdict: shown
/* PLA, Figure 1: a global counter under the mutex of a namespace. Two namespaces have two mutexes. */
#include <linux/mutex.h>
#include <linux/net.h>
#include <linux/slab.h>

struct net { struct mutex mutex; int tables; };
struct table { u64 h; struct net *net; };
struct socket { struct net *net; };
static u64 global_handle;
extern struct table *nft_lookup(struct net *net);

static int nf_newtable(struct net *net)
{
	struct table *table;
	mutex_lock(&net->mutex);
	table = nft_lookup(net);
	table->h = ++global_handle; /* RACE */
	net->tables++; /* NORACE */
	mutex_unlock(&net->mutex);
	return 0;
}

static int nf_sendmsg(struct socket *sock, struct msghdr *msg, size_t length)
{
	return nf_newtable(sock->net);
}

static const struct proto_ops nf_ops = { .sendmsg = nf_sendmsg };
