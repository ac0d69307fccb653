#ifndef DEFS_H
#define DEFS_H
#define LIMIT (1 << 4)
#define MAX_OF(a, b) ((a) > (b) ? (a) : (b))
struct box { int n; };
static inline int in_header(struct box *b) { return b->n; }
#endif
