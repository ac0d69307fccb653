/* racerx: ignore race whole function is fine */
static int
f(int a)
{
  return a; // racerx: ignore deadlock, lock-leak because
}
int g(void) { /* racerx:ignore race  multi
  * line reason */
  x++; /* racerx: ignore race trailing */
  /* racerx: ignore race
   * above
   */

  y++;
}
#define Z z /* racerx: ignore race in macro */
