#ifdef CONFIG_A
int braces(int a) {
#else
int braces(void) {
#endif
	return 1;
}
#if defined(CONFIG_B) && !defined(CONFIG_C)
int only_dropped(void) { return 2; }
#elif IS_ENABLED(CONFIG_D)
int second(void) { return 3; }
#endif
#if 0
int dead(void) { return 4; }
#endif
#if VERSION >= MAKE_VERSION(5, 10)
int new_enough(void) { return 5; }
#else
int too_old(void) { return 6; }
#endif
#ifndef LEVEL
#define LEVEL 3
#endif
#if LEVEL > 2
int level(void) { return LEVEL; }
#else
int level(void) { return 0; }
#endif
int inside(int x)
{
#if KIND == 2
	if (x) {
#endif
		two();
#if KIND == 2
	}
#else
	three();
#endif
#ifdef __cplusplus
	four();
#endif
	return call(x,
#ifdef CONFIG_E
		1
#else
		2
#endif
	);
}
