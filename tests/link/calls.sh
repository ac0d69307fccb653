#!/bin/bash
# callers, callees: which function a call means.
. "$(dirname "$0")/../cli/common.inc"
# callees FUNCTION: "line callee file" of each call
callees() {
    "$RACERX" callees --format jsonl "$@" |
        sed 's/.*"line":\([0-9]*\),.*"callee":\("[^"]*"\|null\),"callee_file":\("[^"]*"\|null\).*/\1 \2 \3/' | tr -d '"'
}

# Direct calls ------------------------------------------------------------------
mkdir -p near/include near/x/deep near/y near/tools/include
cat >near/include/util.h <<'END'
static inline int inlined(int x) { return x; }
END
cp near/include/util.h near/tools/include/util.h
cat >near/x/one.c <<'END'
static int local(void) { return 1; }
int shared(void) { return 1; }
__attribute__((weak)) int fallback(void) { return 0; }
__attribute__((weak)) int only_weak(void) { return 0; }
int main(void) { return local() + shared() + inlined(1) + fallback() + only_weak(); }
END
cat >near/x/deep/two.c <<'END'
int user(void) { return shared() + inlined(2) + outside(3) + aliased(); }
static int target(void) { return 2; }
int aliased(void) __attribute__((alias("target")));
END
cat >near/y/three.c <<'END'
static int local(void) { return 3; }
int shared(void) { return 3; }
int fallback(void) { return local(); }
int main(void) { return local() + shared(); }
END
cat >near/tools/tool.c <<'END'
int tool(void) { return inlined(4); }
END
run extract -q near
expect extract-near 0
same same-file "$(callees x/one.c:main)" '5 local x/one.c
5 shared x/one.c
5 inlined include/util.h
5 fallback y/three.c
5 only_weak x/one.c'
same nearest "$(callees user)" '1 shared x/one.c
1 inlined include/util.h
1 outside null
1 target x/deep/two.c'
same other-main "$(callees three.c:main)" '4 local y/three.c
4 shared y/three.c'
same nearest-header "$(callees tool)" '1 inlined tools/include/util.h'
run callers three.c:local
same callers "$out" 'y/three.c:3  fallback
y/three.c:4  main'
run callers main
same callers-two "$out" 'x/one.c:5  main

y/three.c:4  main'
run callees near
expect_line no-function 2 "no function is called 'near'"
run callees mian
expect_line near-name 2 "did you mean 'main'?"
run callers
expect_line no-argument 2 "takes one FUNCTION"
rm -rf .racerx

# Through pointers --------------------------------------------------------------
mkdir -p ptr/include ptr/a
cat >ptr/include/ops.h <<'END'
struct file;
typedef int (*handler_t)(struct file *);
struct ops { int flags; handler_t open; int (*close)(struct file *f); void *data; };
struct wrap { long n; struct ops ops; handler_t table[4]; };
struct file { const struct ops *ops; struct wrap *wrap; handler_t later; };
END
cat >ptr/a/stores.c <<'END'
#include "ops.h"
static int designated(struct file *f) { return 0; }
static int positional(struct file *f) { return 0; }
static int closes(struct file *f) { return 0; }
static int nested(struct file *f) { return 0; }
static int element(struct file *f) { return 0; }
static int assigned(struct file *f) { return 0; }
static int chosen(struct file *f) { return 0; }
static int casted(struct file *f) { return 0; }
static int literal(struct file *f) { return 0; }
static int given(struct file *f) { return 0; }
static int in_global(struct file *f) { return 0; }
static int as_data(struct file *f) { return 0; }
static int other_data(long a, long b) { return 0; }
static const struct ops one = { .open = designated };
static const struct ops two = { 1, &positional, closes };
static struct wrap three[] = { { 1, { .open = nested } }, { .table = { [2] = element } } };
handler_t global_handler = in_global;
static struct ops fourth = { .data = as_data };
static struct ops fifth = { .data = (void *)other_data };
void store(struct file *f, struct ops *o, int c) {
    f->wrap->ops.open = assigned;
    o->open = c ? chosen : (handler_t)casted;
    f->ops = &(struct ops){ .open = literal };
}
static void keep(struct file *f, handler_t h) { f->later = h; }
void start(struct file *f) { keep(f, given); }
END
cat >ptr/a/calls.c <<'END'
#include "ops.h"
extern handler_t global_handler;
int field(struct file *f) { return f->ops->open(f); }
int deref(struct file *f) { return (*f->ops->close)(f); }
int array(struct file *f, int i) { return f->wrap->table[i](f); }
int through_global(struct file *f) { return global_handler(f); }
int kept(struct file *f) { return f->later(f); }
int local(struct file *f) { handler_t h = f->later; return h ? h(f) : 0; }
static handler_t pick(struct file *f) { return f->ops->close; }
int returned(struct file *f) { return pick(f)(f); }
int data(struct file *f) { return ((handler_t)f->ops->data)(f); }
int unknown_type(struct nowhere *n) { return n->go(n); }
int direct_choice(int c) { int one(int); int two(int); return (c ? field : deref)(0); }
static struct wrap mine = { .table = { field } };
int own_object(struct file *f) { return mine.table[0](f); }
END
run extract -q ptr
expect extract-ptr 0
names() { callees "$1" | awk '{print $2}' | sort | tr '\n' ' '; }
same by-field "$(names calls.c:field)" 'assigned casted chosen designated literal nested positional '
same by-deref "$(names deref)" 'closes '
same by-array "$(names array)" 'element field '
same by-global "$(names through_global)" 'in_global '
same by-parameter-stored "$(names kept)" 'given '
same by-local "$(names local)" 'given '
same by-result "$(names returned)" 'closes pick '
same by-data-and-type "$(names data)" 'as_data '
same by-unknown "$(names unknown_type)" 'null '
same by-choice "$(names direct_choice)" 'deref field '
same by-object "$(names own_object)" 'field '
run callers literal
same callers-indirect "$out" 'a/calls.c:3  field  (through a pointer)'
rm -rf .racerx

# Functions as arguments ----------------------------------------------------------
mkdir arg
cat >arg/arg.c <<'END'
typedef int (*fn)(int);
static int reads(int x) { return x; }
static int writes(int x) { return x; }
static int compares(const void *a, const void *b) { return 0; }
static int call_fp(fn f, int x) { return f(x); }
static int pass_on(fn f, int x) { return call_fp(f, x); }
int first(void) { return call_fp(&reads, 1); }
int second(void) { return pass_on(writes, 2); }
void sorts(int *v) { qsort(v, 3, sizeof *v, compares); }
struct table { int (*run)(fn f); };
static int runs(fn f) { return f(1); }
static int late(int x) { return 0; }
static struct table tab = { runs };
int third(struct table *t) { return t->run(late); }
END
run extract -q arg
run callees call_fp
same inner "$out" 'arg.c:5  reads  arg.c:2  (through a pointer)
arg.c:5  writes  arg.c:3  (through a pointer)'
run callees first
same given "$out" 'arg.c:7  call_fp  arg.c:5  (given reads)'
run callees second
same given-on "$out" 'arg.c:8  pass_on  arg.c:6  (given writes)'
same handed "$(names sorts)" 'compares qsort '
same argument-of-indirect "$(names runs)" 'late '
run callees --format jsonl first
same jsonl "$out" '{"file":"arg.c","line":7,"function":"first","callee":"call_fp","callee_file":"arg.c","callee_line":5,"indirect":false,"guessed":false,"cut":false,"given":["reads"]}'
rm -rf .racerx

# By type only ------------------------------------------------------------------
mkdir type
cat >type/type.c <<'END'
typedef int (*rare_t)(struct odd *, long);
static int matches(struct odd *o, long n) { return 0; }
static int differs(struct odd *o, struct odd *p) { return 0; }
void *sink[] = { matches, differs };
int guess(rare_t *places) { return (*places[1])(0, 1); }
int by_type(void **p) { return ((rare_t)*p)(0, 2); }
END
run extract -q type
run callees by_type
same guessed "$out" 'type.c:6  matches  type.c:2  (through a pointer, by type only)'
finish
