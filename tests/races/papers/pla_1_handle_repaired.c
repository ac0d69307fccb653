/* PLA, Figure 1, with the counter in the namespace, where its mutex is; and a global one under a global mutex. */
#include <linux/mutex.h>
#include <linux/net.h>
#include <linux/slab.h>

struct net { struct mutex mutex; u64 handle; };
struct table { u64 h; u64 number; struct net *net; };
struct socket { struct net *net; };
static DEFINE_MUTEX(number_mutex);
static u64 global_number;
extern struct table *nft_lookup(struct net *net);

static int nf_newtable(struct net *net)
{
	struct table *table;
	mutex_lock(&net->mutex);
	table = nft_lookup(net);
	table->h = ++net->handle; /* NORACE */
	mutex_lock(&number_mutex);
	table->number = ++global_number; /* NORACE */
	mutex_unlock(&number_mutex);
	mutex_unlock(&net->mutex);
	return 0;
}

static int nf_sendmsg(struct socket *sock, struct msghdr *msg, size_t length)
{
	return nf_newtable(sock->net);
}

static const struct proto_ops nf_ops = { .sendmsg = nf_sendmsg };
