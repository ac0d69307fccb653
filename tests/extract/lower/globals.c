static int a = 1, *b = &a, c[3];
extern struct foo ext;
static thread_local int tls;
__thread int tls2 = 2;
[[rx::mark("percpu")]] [[rx::mark("hot")]] static struct rq queue;
[[noreturn]] void stop(void);
[[weak]] int weak_one(void);
int aliased(void) [[alias("real")]];
[[constructor]] static void ctor(void) { boot(); }
_Noreturn void stop2(void);
struct { int x; } anonymous;
const char *names[] = { "a", "b" };
int (*handler)(int) = handle;
volatile unsigned flags;
struct { int __rx_typeof[*b]; } same;
struct { unsigned long __rx_typeof; } same2;
extern "C" { int in_c; }
module_init(start);
EXPORT_SYMBOL(stop);
DEFINE(queue, sizeof(struct rq), a + 1, &a);
