# `racerx locks` and `racerx roots --registrations`: what is in force, and what looks wrong.
. "$(dirname "$0")/common.inc"
mkdir tree
cat >tree/a.c <<'C'
#include <pthread.h>
static pthread_mutex_t mutex;
static int n;
static void *work(void *p) { pthread_mutex_lock(&mutex); n++; pthread_mutex_unlock(&mutex); return p; }
int begin(struct s *s) { return start(s->t); }
int start(pthread_t *t) { return pthread_create(t, 0, work, 0); }
int one(struct s *s) { bolt_lock(&s->bolt); s->n = 1; bolt_unlock(&s->bolt); return 0; }
int two(struct s *s) { bolt_lock(&s->bolt); s->n = 2; bolt_unlock(&s->bolt); return 0; }
void make(void) { pthread_mutex_init(&mutex, 0); pthread_mutex_destroy(&mutex); }
static void later(void *p) { n--; }
int plan(struct s *s) { zeit_timer_start(&s->timer, later, s); return 0; }
int plan_again(struct s *s) { zeit_timer_start(&s->timer, later, s); return 0; }
C
cat >tree/racerx.lua <<'C'
lock { kind = "spin", arg = 1, acquire = "gone_lock", release = "gone_unlock ^never_\\w+_unlock$" }
lock { kind = "semaphore", arg = 1, acquire = "start", release = "vanished" }
registers { "nowhere_start", arg = 1, context = "thread" }
C
run extract tree
expect "extract" 0
run locks
expect "locks" 0
if awk 'length($0) > 80 { bad = 1 } END { exit bad }' .out; then ok "eighty columns"; else not_ok "eighty columns" "$(awk 'length($0) > 80' .out)"; fi
check() { if grep -Eq -- "$2" .out; then ok "$1"; else not_ok "$1" "no '$2' in: $(head -c 900 .out)"; fi; }
check "a preset's function" '^ +1  pthread_mutex_lock +acquire +mutex +1 +pthreads.l:[0-9]+$'
check "each effect by its name" '^ +1  pthread_mutex_init +init +mutex'
check "each effect by its name, to the last" '^ +1  pthread_mutex_destroy +destroy +mutex'
check "an entry that matches nothing" 'racerx.lua:1: gone_lock: nothing in the tree'
check "a pattern that matches nothing" 'racerx.lua:1: \^never_'
check "a lock that is never released" 'start takes a lock \(semaphore\) that nothing called here releases' || :
check "a lock that is in no table" 'bolt_lock \(acquire\) looks like a lock function'
if grep -q 'pthread_spin_lock\|sem_wait' .out; then not_ok "presets are not blamed for what the tree does not call" "$(cat .out)"; else ok "presets are not blamed for what the tree does not call"; fi
run locks --format jsonl
check "JSON lines" '^\{"function":"pthread_mutex_lock","effect":"acquire","kind":"mutex","argument":"1","script":"[^"]*","line":[0-9]+,"calls":1\}$'
check "complaints too" '^\{"complaint":"not declared","function":"bolt_lock"'
if jq -e . <.out >/dev/null 2>&1 || ! command -v jq >/dev/null; then ok "all of it JSON"; else not_ok "all of it JSON" "$(head -c 300 .out)"; fi
run roots --registrations
expect "registrations" 0
check "what registers" 'pthread_create +registers +thread +3 +pthreads.l'
check "what matches nothing" 'racerx.lua:3: nowhere_start'
check "what looks like it" 'zeit_timer_start \(registers\) looks like a registration'
finish
