#!/bin/bash
# dump --types: which object an access reaches, across files.
. "$(dirname "$0")/../cli/common.inc"
mkdir -p tree/include tree/a tree/b
cat >tree/include/node.h <<'END'
struct node;
typedef int (*open_fn)(struct node *);
struct ops { int flags; open_fn open; };
struct inner { int depth; struct node *link; };
struct node {
    struct ops *ops;
    union { int count; long wide; };
    struct { int x; struct inner in[4]; } box;
    struct inner list;
    int mtx;
};
typedef struct { int lock; struct node *head; } queue_t;
typedef queue_t *queue_ptr;
extern struct node *root_node;
extern queue_t the_queue;
END
cat >tree/a/a.c <<'END'
#include "node.h"
struct node *root_node;
queue_t the_queue;
static int hidden;
struct shape { int sides; };
struct node *first(queue_t *q);
int types(struct node *n, queue_ptr q, int i, struct missing *m, other_t *o) {
    static int calls;
    struct node local, *array[3];
    typeof(n->list.link) t = n->box.in[i].link;
    struct shape s;
    calls = 1;
    local.mtx = 2;
    t->mtx = 3;
    n->box.in[i].link->list.depth = 4;
    q->head->ops->flags = 5;
    the_queue.head->mtx = 6;
    root_node[i].box.x = 7;
    hidden = 8;
    n->wide = 9;
    array[i]->mtx = 10;
    first(q)->count = 11;
    (n + i)->mtx = 12;
    ((struct shape *)q)->sides = 13;
    s.sides = 14;
    container_of(&n->list, struct node, list)->mtx = 15;
    m->field = 16;
    o->member = 17;
    (i ? n : t)->mtx = 18;
    (*q).lock = 19;
    n->list.link[i].list.link->mtx = 20;
    return 0;
}
END
cat >tree/b/b.c <<'END'
#include "node.h"
struct shape { int corners; };
static int hidden;
extern int elsewhere;
void other(struct shape *s, queue_t *q) {
    s->corners = 1;
    hidden = 2;
    the_queue.lock = 3;
    elsewhere = 4;
    q[3].head[2].list.depth = 5;
}
END
run extract -q tree
expect extract 0
objects() { # FUNCTION: "line object" of every write that is no initialiser
    "$RACERX" dump --types "$1" | sed -n 's/^  \([0-9]*\):[0-9]* write .* = [0-9]*  # \(.*\)$/\1 \2/p'
}
same objects-a "$(objects a.c:types)" '12 a.c:types.calls
13 local.mtx
14 struct node.mtx
15 struct node.list.depth
16 struct ops.flags
17 struct node.mtx
18 struct node.box.x
19 a.c:hidden
20 struct node.wide
21 struct node.mtx
22 struct node.count
23 struct node.mtx
24 struct shape.sides
25 s.sides
26 struct node.mtx
27 struct missing.field
28 other_t.member
29 struct node.mtx
30 queue_t.lock
31 struct node.mtx'
same objects-b "$(objects b.c:other)" '6 struct shape.corners
7 b.c:hidden
8 the_queue.lock
9 elsewhere
10 struct node.list.depth'
same same-dump "$("$RACERX" dump --types a.c | sed 's/  # [^#]*$//' | grep -v '^function\|^  var\|^global\|^struct\|^proto')" \
    "$("$RACERX" dump a.c | sed 's/  # [^#]*$//' | grep -v '^function\|^  var\|^global\|^struct\|^proto')"
finish
