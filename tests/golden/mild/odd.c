#ifdef _WIN32
int nested(int a)
{
#ifdef _WIN32
	windows(a);
#else
	others(a);
#endif
	return a;
}
#ifdef ALSO
int inner(void) { return 1; }
#else
int innermost(void) { return 2; }
#endif
#endif
#ifdef CONFIG_A
#define away NULL
#else
static int away(int a) { return a; }
#endif
#pragma asm
	can't be read {
#pragma endasm
__asm void other_language(void)
{
	ldr r0, =x
	bx lr
}
void EXPORTED(visible) attributed(struct x FAR *p, int n __unused)
{
	int k[2] ALIGNED(4) = { [1] 5 };
	char FAR *q = (char FAR *)p;
	for (FOREACH(i, p))
		touch(i);
	CHECK(p, goto out);
	DEBUG(1, say(p); shout(p));
	use(k, q, __LINE__, __func__, N_("a") N_("b"));
out:
	return;
}
#define OPTIONAL(a, ...) call(a __VA_OPT__(, 1, ) __VA_ARGS__)
#define PUT(head, x) do { (head)->last = (x); (head)->count++; } while (0)
#define TEST(name) static void test_##name(void)
#define WRAPPED(f) f
TEST(first)
{
	OPTIONAL(2);
	OPTIONAL(2, 3);
	PUT(h, 1);
}
int WRAPPED(second)(int a) { return printf("one
two", a); }
