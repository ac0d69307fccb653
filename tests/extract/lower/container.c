struct outer { int a; struct { int node[2]; } b; };
int contain(struct list *l, void **pp) {
    struct outer *o = container_of(l, sizeof(struct outer), b.node[0]);
    container_of(l->next, sizeof(outer_t), b)->a = 1;
    return container_of(*pp, sizeof(struct { int __rx_typeof[*o]; }), a)->a;
}
