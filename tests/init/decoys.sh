# What comes in pairs and is no lock; locks that are macros; a wrapper; names that say nothing.
. "$(dirname "$0")/common.inc"
mkdir tree
{
    cat <<'C'
struct object { int references; int state; struct latch latch; };
#define LATCH_LOCK(l) do { while (swap(&(l)->word, 1)) relax(); } while (0)
#define LATCH_UNLOCK(l) do { (l)->word = 0; } while (0)
#define TRACE_LOCK(x)
#define TRACE_UNLOCK(x)
#define TABLE_LOCK(t) LATCH_LOCK(&(t)->latch)
#define TABLE_UNLOCK(t) LATCH_UNLOCK(&(t)->latch)
void blocklist_add(struct object *o); int clock_read(void); void lock_print(struct object *o);
C
    for i in 1 2 3 4 5 6 7 8; do
        cat <<C
int locked_$i(struct object *o) { LATCH_LOCK(&o->latch); o->state = $i; LATCH_UNLOCK(&o->latch); return 0; }
int tabled_$i(struct object *o) { TABLE_LOCK(o); o->state = $i; TABLE_UNLOCK(o); return 0; }
int traced_$i(struct object *o) { TRACE_LOCK(o); trace_begin("f$i"); o->state++; trace_end("f$i"); TRACE_UNLOCK(o); return 0; }
int counted_$i(struct object *o) { object_get(o); if (o->state) { object_put(o); return 1; } use(o); object_put(o); return 0; }
int taken_$i(struct object *o) { object_get(o); o->state = 1; return store(o); }
int opened_$i(const char *p) { int f = open_file(p); if (f < 0) return f; use_file(f); close_file(f); return 0; }
int noisy_$i(struct object *o) { blocklist_add(o); lock_print(o); clock_start(o); use(o); clock_stop(o); blocklist_remove(o); return clock_read(); }
int begun_$i(struct object *o) { begin_drawing(o); use(o); end_drawing(o); return 0; }
int enabled_$i(struct object *o) { clk_enable(&o->clk); use(o); clk_disable(&o->clk); return 0; }
C
    done
} >tree/a.c
run init tree
expect "decoys" 0
has "a lock that is a macro" 'acquire = "LATCH_LOCK", release = "LATCH_UNLOCK"' tree/racerx.lua
hasnt "a macro that comes down to it needs no entry" 'TABLE_LOCK' tree/racerx.lua
commented "and is named as such" 'TABLE_LOCK' tree/racerx.lua
for decoy in TRACE_LOCK trace_begin object_get object_put open_file close_file blocklist_add clock_start clock_read lock_print begin_drawing clk_enable clk_disable; do
    hasnt "no lock: $decoy" "(acquire|release|try) = .*\b$decoy\b" tree/racerx.lua
done

# Behaviour alone: commented out.
mkdir mute
{
    echo 'struct thing { struct zwick zwick; int value; };'
    for i in 1 2 3 4 5 6 7 8 9; do
        echo "int work_$i(struct thing *t) { zug(&t->zwick); if (t->value) { bnor(&t->zwick); return 1; } t->value = $i; bnor(&t->zwick); return 0; }"
    done
} >mute/a.c
run init --db mute.db mute
expect "names that say nothing" 0
commented "are proposed, doubtful" 'acquire = "zug", release = "bnor"' mute/racerx.lua
hasnt "and not active" 'zug' mute/racerx.lua

# A function that says it is a lock and has no counterpart.
mkdir half
for i in 1 2 3 4; do echo "int half_$i(struct f *f) { file_lock(f); return work(f); }"; done >half/a.c
run init --db half.db half
hasnt "no unlock, no lock" 'file_lock' half/racerx.lua

# Names that are no C for Lua's quotes, and the language's own words.
mkdir odd
printf 'int end_lock(int *a);\nint f(int *nil) { and_lock(nil); \xc3\xa4_lock(nil); $_lock(nil); use(nil); and_unlock(nil); \xc3\xa4_unlock(nil); $_unlock(nil); return 0; }\n' >odd/a.c
printf '/* ]] "\\ */ int g(int *x) { and_lock(x); /* -- */ and_unlock(x); return "]]\\"[["[0]; }\n#define A_LOCK(x) "\\"]]--\n' >>odd/a.c
run init --db odd.db odd
expect "odd names" 0
run run --db odd.db odd
expect "and the file loads" 0
finish
