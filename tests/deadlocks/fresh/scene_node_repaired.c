#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Scene graph; every node has its own lock, parents are locked before children. */
typedef struct node node;
struct node {
  pthread_mutex_t mu;
  node *parent;
  node *kid, *sibling;
  int   visible;
  int   dirty;
};

static node *node_new(node *parent)
{
  node *n = calloc(1, sizeof *n);
  pthread_mutex_init(&n->mu, NULL);
  n->parent = parent;               /* never changes afterwards */
  n->visible = 1;
  if (parent) {
    n->sibling = parent->kid;
    parent->kid = n;
  }
  return n;
}

static int node_draw(node *n)
{
  int drawn = 0;
  pthread_mutex_lock(&n->mu);
  if (n->visible) {
    drawn = 1;
    n->dirty = 0;
    for (node *k = n->kid; k; k = k->sibling)
      drawn += node_draw(k);
  }
  pthread_mutex_unlock(&n->mu);
  return drawn;
}

static void node_set_visible(node *n, int on)
{
  node *p = n->parent;
  if (p) pthread_mutex_lock(&p->mu);
  pthread_mutex_lock(&n->mu);
  if (n->visible != on) {
    n->visible = on;
    if (p) p->dirty = 1;
  }
  pthread_mutex_unlock(&n->mu);
  if (p) pthread_mutex_unlock(&p->mu);
}

static node *root, *leaf;

static void *blinker(void *arg)
{
  for (int i = 0; i < 15; i++) {
    node_set_visible(leaf, i & 1);
    usleep(500);
  }
  return arg;
}

int main(void)
{
  alarm(5);
  pthread_t t;
  root = node_new(NULL);
  for (int i = 0; i < 3; i++) {
    node *g = node_new(root);
    leaf = node_new(g);
  }
  pthread_create(&t, NULL, blinker, NULL);
  for (int i = 0; i < 6; i++) {
    usleep(1200);
    printf("drew %d\n", node_draw(root));
  }
  pthread_join(t, NULL);
  return 0;
}
