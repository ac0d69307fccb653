#!/bin/bash
# roots, functions: where control starts and in which context.
. "$(dirname "$0")/../cli/common.inc"
mkdir tree
cat >tree/racerx.lua <<'END'
registers { "attach_irq", arg = 2, context = "interrupt" }
registers { "start_thread", arg = 1, context = "thread" }
registers { "module_start", arg = 1, context = "init" }
registers { "choose", arg = 2, context = "timer", when = { 1, "SOFT" } }
registers { "choose", arg = 2, context = "interrupt", when = { 1, "HARD" } }
registers { field = "struct timer.function", context = "timer" }
registers { field = "struct handlers", context = "syscall" }
definition { "SYSCALL1", text = '[[rx::mark("syscall")]] long sys_$1(long a)' }
END
cat >tree/a.c <<'END'
struct timer { int n; void (*function)(struct timer *t); };
struct handlers { int (*read)(int); int (*write)(int); };
static void on_irq(int n) { }
static void soft(int n) { }
static void hard(int n) { }
static void tick(struct timer *t) { }
static void tock(struct timer *t) { }
static int do_read(int n) { return n; }
static int starting(void) { return 0; }
static struct timer table = { 1, tick };
static const struct handlers handlers = { .read = do_read };
module_start(starting);
void arm(struct timer *t) { t->function = tock; attach_irq(3, on_irq); choose(SOFT | 1, soft); choose(HARD, hard); }
SYSCALL1(open) { return a; }
static int helper(int n) { return n; }
int nobody(void) { return helper(1); }
static void alone(int n) { if (n) alone(n - 1); }
static void ping(int n);
static void pong(int n) { ping(n); }
static void ping(int n) { pong(n); }
static int stored(void) { return 1; }
int (*hook)(void) = stored;
__attribute__((constructor)) static void early(void) { }
END
cat >tree/b.c <<'END'
static void worker(void *p) { }
static void looped(void *p) { }
static void twice(void *p) { }
static void by_wrapper(void *p) { }
static void nested(void *p) { }
static void called_too(void *p) { }
static void outer_thread(void *p) { start_thread(nested); }
static void spawn(void (*f)(void *)) { start_thread(f); }
static void set_up(void) { start_thread(worker); }
static void set_up_often(void) { start_thread(outer_thread); }
int main(void) {
    set_up();
    for (int i = 0; i < 3; i++) start_thread(looped);
    start_thread(twice);
    start_thread(twice);
    spawn(by_wrapper);
    start_thread(called_too);
    called_too(0);
    while (1) set_up_often();
}
END
run extract -q tree
expect extract 0
run roots --annotator tree/racerx.lua
same roots "$(grep -v '^a.c:14' <<<"$out")" 'a.c:3  on_irq  interrupt
a.c:4  soft  timer
a.c:5  hard  interrupt
a.c:6  tick  timer
a.c:7  tock  timer
a.c:8  do_read  syscall
a.c:9  starting  init
a.c:13  arm  unknown
a.c:16  nobody  unknown
a.c:17  alone  unknown
a.c:19  pong  unknown
a.c:21  stored  unknown
a.c:23  early  init
b.c:1  worker  thread once
b.c:2  looped  thread
b.c:3  twice  thread
b.c:4  by_wrapper  thread once
b.c:5  nested  thread
b.c:6  called_too  thread
b.c:7  outer_thread  thread
b.c:11  main  thread once'
[[ $out == *"a.c:14  sys_open  syscall"* ]] && ok mark-of-definition || not_ok mark-of-definition "$out"
run roots --annotator tree/racerx.lua --format jsonl
same roots-jsonl "$(head -n 1 <<<"$out")" \
    '{"file":"a.c","line":3,"function":"on_irq","contexts":["interrupt"],"once":false,"called":false}'
run functions --annotator tree/racerx.lua --format jsonl on_irq
same functions "$out" '{"file":"a.c","line":3,"function":"on_irq","marks":["static","root","interrupt"],"end_line":3,"lost_bytes":0}'
run functions --quick --format jsonl on_irq
same functions-quick "$out" '{"file":"a.c","line":3,"function":"on_irq","marks":["static"],"end_line":3,"lost_bytes":0}'
run callers --annotator tree/racerx.lua on_irq
expect_line started-not-called 0 "nobody calls on_irq; it is started as: interrupt"
run roots nonesuch
expect_line too-many 2 "takes no arguments"
finish
