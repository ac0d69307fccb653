# 1 "src/lines.c"
# 1 "include/lock.h" 1
static inline void take(int *l)
{
 *l = 1;
}
# 7 "src/lines.c" 2
int f(int *l)
{
 take(l);
 return *l;
}
