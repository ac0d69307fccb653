/* E_BAD comes from a header that is meant for everybody; SECRET from somebody's own; OFF is a function here, and u99
 * was taken back. */
#include <missing.h>
static void OFF(struct s *p) { p->u99 = SECRET; }
int f(struct s *p)
{
	OFF(p);
	if (p->LEFT)
		goto OUT;
	return -E_BAD;
OUT:
	return 0;
}
