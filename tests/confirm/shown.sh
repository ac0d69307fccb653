#!/bin/bash
# What runs showed is kept beside the database, and shown by every command that shows findings; a seed repeats it.
. "$(dirname "$0")/common.inc"
cat >till.c <<'C'
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t till_lock = PTHREAD_MUTEX_INITIALIZER;
static int cash, receipts;
static void *cashier(void *unused) {
    for (int i = 0; i < 200; i++) {
        pthread_mutex_lock(&till_lock);
        cash += 5;
        receipts++;
        pthread_mutex_unlock(&till_lock);
    }
    return unused;
}
static void *auditor(void *unused) {
    cash = 0;
    pthread_mutex_lock(&till_lock);
    receipts = 0;
    pthread_mutex_unlock(&till_lock);
    return unused;
}
static void *burglar(void *unused) {
    cash -= 1000;
    return unused;
}
int main(int count, char **words) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, cashier, NULL);
    pthread_create(&b, NULL, auditor, NULL);
    if (count > 1)
        pthread_create(&c, NULL, burglar, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    if (count > 1)
        pthread_join(c, NULL);
    return 0;
}
C
built till -O2
run run --quiet --db till.db till.c
run confirm --db till.db 1 -- ./till
expect "confirm" 0
[[ $out == *witnessed* && $out == *till_lock* && $out == *"till.c:8"* ]] && ok "the witness tells lock and line" || not_ok "the witness tells lock and line" "$out"
[ "$(wc -l <till.witnesses.jsonl)" -eq 1 ] && jq -e '.sides | length == 2' till.witnesses.jsonl >/dev/null && ok "kept" || not_ok "kept" "$(cat till.witnesses.jsonl)"
id=$(jq -r .id till.witnesses.jsonl) seed=$(jq -r .seed till.witnesses.jsonl)
run show --db till.db "$id"
[[ $out == *"Seen in a run"*witnessed*"--seed $seed"* ]] && ok "show" || not_ok "show" "$out"
run show --db till.db --format jsonl "$id"
echo "$out" | jq -e '.witness.outcome == "witnessed" and .witness.sides[0].stack[0].line > 0' >/dev/null && ok "show as JSON" || not_ok "show as JSON" "$out"
run list --db till.db --all
[[ $out == *witnessed* ]] && ok "list" || not_ok "list" "$out"
run report --db till.db --format html
[[ $out == *"<h3>Seen in a run</h3>"*till_lock* ]] && ok "HTML" || not_ok "HTML" "no such section"
run report --db till.db --format sarif
echo "$out" | jq -e '.runs[0].results[0].properties.witness == "witnessed"' >/dev/null && ok "SARIF" || not_ok "SARIF" "no such property"
again=0
for _ in $(seq 20); do
    run confirm --db till.db "$id" --runs 1 --seed "$seed" -- ./till
    [[ $out == *"1 witnessed"* ]] && again=1 && break
done
[ $again = 1 ] && ok "again by its seed" || not_ok "again by its seed" "$out"
run show --db till.db "$id"
[[ $out == *witnessed* ]] && ok "a witness stays" || not_ok "a witness stays" "$out"

# A line that never runs is named; a program that was not built for it, or is none, is refused.
cat >idle.c <<'C'
#include <pthread.h>
static int level;
static void *raise_level(void *unused) { level++; return unused; }
static void *lower_level(void *unused) { level--; return unused; }
int main(int count, char **words) {
    pthread_t a, b;
    pthread_create(&a, NULL, raise_level, NULL);
    if (count > 1) {
        pthread_create(&b, NULL, lower_level, NULL);
        pthread_join(b, NULL);
    }
    pthread_join(a, NULL);
    return 0;
}
C
built idle
steered idle --runs 5
expect_outcome idle race not-run
jq -r .said idle.out | grep -q 'idle.c:4 never ran' && ok "which line never ran" || not_ok "which line never ran" "$(cat idle.out)"
gcc -w -o plain till.c -lpthread
run confirm --db till.db 1 -- ./plain
expect "not built for it" 2 "racerx cc"
run confirm --db till.db 1 -- ./nothing-there
expect "no such program" 2 "cannot run"
run confirm --db till.db 1
expect "no program" 2 "needs a program"
run confirm --db till.db --time soon 1 -- ./till
expect "no time" 2 "no time"
echo 'no json' >>till.witnesses.jsonl
run show --db till.db "$id"
expect "a broken line is passed over" 0 "passed over"
exit $((failures > 0))
