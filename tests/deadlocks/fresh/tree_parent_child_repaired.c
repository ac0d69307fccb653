#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    pthread_mutex_t lock;
    struct node *parent;
    struct node *child[2];
    int size;
    int dirty;
};

static struct node *node_new(struct node *parent)
{
    struct node *n = calloc(1, sizeof(*n));

    pthread_mutex_init(&n->lock, NULL);
    n->parent = parent;
    if (parent)
        parent->child[parent->child[0] != NULL] = n;
    return n;
}

/* Top down: the parent is held while a child is looked at. */
static int tree_sum(struct node *n)
{
    int sum;

    if (!n)
        return 0;
    pthread_mutex_lock(&n->lock);
    sum = n->size + tree_sum(n->child[0]) + tree_sum(n->child[1]);
    n->dirty = 0;
    pthread_mutex_unlock(&n->lock);
    return sum;
}

static void node_grow(struct node *n, int by)
{
    pthread_mutex_lock(&n->lock);
    n->size += by;
    pthread_mutex_unlock(&n->lock);
    if (n->parent) {
        pthread_mutex_lock(&n->parent->lock);
        n->parent->dirty = 1;
        pthread_mutex_unlock(&n->parent->lock);
    }
}

static struct node *root;

static void *grower(void *arg)
{
    for (int i = 0; i < 100; i++)
        node_grow(arg, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int sum = 0;

    root = node_new(NULL);
    struct node *left = node_new(root);
    node_new(root);
    node_new(left);
    pthread_create(&t, NULL, grower, left);
    for (int i = 0; i < 100; i++)
        sum += tree_sum(root);
    pthread_join(t, NULL);
    printf("%d\n", sum);
    return 0;
}
