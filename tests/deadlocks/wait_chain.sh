#!/bin/bash
# The two chains of a wait: from where the lock is held to the wait, and from what is waited for to where it takes the lock.
. "$(dirname "$0")/../cli/common.inc"
cat >pump.c <<'END'
struct pump { struct mutex lock; struct task_struct *thread; int level; };
static void drain(struct pump *pump) { mutex_lock(&pump->lock); pump->level--; mutex_unlock(&pump->lock); }
static void step(struct pump *pump) { drain(pump); }
static int pump_thread(void *data) { step(data); return 0; }
int pump_start(struct pump *pump) { pump->thread = kthread_run(pump_thread, pump, "pump"); return 0; }
static void finish(struct pump *pump) { kthread_stop(pump->thread); }
static void quiesce(struct pump *pump) { finish(pump); }
void other(struct pump *pump) { quiesce(pump); }
void pump_stop(struct pump *pump) { mutex_lock(&pump->lock); quiesce(pump); mutex_unlock(&pump->lock); }
void user(struct pump *pump) { drain(pump); }
END
run run --quiet --format jsonl --db x.db pump.c
same "one finding" "$(wc -l <<<"$out")" 1
site() { sed "s/.*{\"file\":\"pump.c\",\"line\":$1,\"function\":\"[a-z_]*\",\"role\":\"\([a-z]*\)\",\"lockset\":\[\([^]]*\)\],\"callchain\":\[\([^]]*\)\].*/\1 \2 \3/" <<<"$out"; }
same "the wait" "$(site 6)" 'wait "struct pump.lock" "pump_stop","quiesce","finish"'
same "the lock" "$(site 2)" 'acquire  "pump_thread","step","drain"'
finish
