static struct operations table = {
	open:	dev_open,
	close:	dev_close,
};
int counts[0];
main(argc, argv)
	int argc;
	char **argv;
{
	register int i;
	for (i = 0; i < argc; i++)
		switch (argv[i][0]) {
		case '0' ... '9': number(argv[i]); break;
		case '-': default: other(argv[i]);
		}
	return i ?: -1;
}
int add(a, b) int a, b; { return a + b; }
void *jump(int n)
{
	static void *labels[] = { &&one, &&two };
	__label__ three;
	typeof(n) m = ({ int t = n + 1; t; });
	asm volatile("mov %1, %0" : "=r" (m) : "r" (n) : "memory");
	goto *labels[m];
one:
	return labels[0];
two:
three:
	return n > 0 ? m ? labels[1] : 0 : labels[m];
}
static int __attribute__((noreturn)) stop(const char *why) __attribute__((cold));
static int stop(const char *why) { for (;;) sleep(1); }
