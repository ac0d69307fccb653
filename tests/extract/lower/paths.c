struct in { int g[4]; };
struct node { struct node *next; struct in f; int lock; int count; };
int glob;
int table[10];
int read_paths(struct node *p, int i) {
    int a[3];
    int x = p->f.g[i];
    x = p->next->next->count;
    a[i] = glob;
    table[i] = a[1];
    take(a, &p->lock, &x, &glob, table);
    p->count += x;
    (*p).count++;
    --glob;
    (&x)[0] = *&x;
    (&glob)->z = sizeof(p->count);
    *p->next = *p;
    return (void)x, p[i].count;
}
