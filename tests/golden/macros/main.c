#include "defs.h"
#define LOCAL(x) ((x) + LIMIT)
#define NAME(prefix, n) prefix##_##n
#define SHOW(x) printf("%s", #x)
#define LOG(fmt, args...) printf(fmt, ##args)
#define ALL(...) sum(__VA_ARGS__)
#define SELF SELF + 1
#define TWICE(x) x x
#define F(x) G(x)
#define G(x) F(x) + 1
#define CALLEE real_name
#define EMPTY
#define STATEMENT(p) do { if ((p)->n) (p)->n--; } while (0)

int user(struct box *b)
{
	int NAME(a, 1) = LOCAL(2);
	SHOW(b->n);
	LOG("plain");
	LOG("one %d", a_1);
	ALL(1, 2, b->n);
	a_1 = SELF;
	a_1 = F(3);
	CALLEE(b);
	EMPTY STATEMENT(b);
	return MAX_OF(a_1, b->n) EMPTY;
}
#undef LOCAL
int after(int LOCAL) { return LOCAL; }
