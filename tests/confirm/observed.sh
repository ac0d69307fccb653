#!/bin/bash
# What runs say about the text: locks that were held on its lines, calls through pointers, seeds that run both lines of a
# finding.
. "$(dirname "$0")/common.inc"
cat >shop.c <<'C'
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stock, orders;
struct desk { void (*serve)(int); };
static void sell(int n) { stock -= n; }
static void buy(int n) { stock += n; }
static void scrap(int n) { stock = n; }
static struct desk desks[3] = {{sell}, {buy}, {scrap}};
static void apart(void) { orders = 0; }
static void *work(void *argument) {
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&lock);
        orders++;
        desks[(int)(long)argument].serve(i);
        pthread_mutex_unlock(&lock);
    }
    if (argument)
        apart();
    return NULL;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, (void *)0);
    pthread_create(&b, NULL, work, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
C
built shop
run run --quiet --db shop.db shop.c
run trace --runs 4 -- ./shop
expect "traced" 0
run guards --db shop.db --observed .racerx/traces
[[ $out == *"shop.c:orders: text S 1 F 1; runs: 2 lines, 1 always under a lock, 1 never"* ]] && ok "runs beside the text" || not_ok "runs beside the text" "$out"
run callees --db shop.db --observed .racerx/traces
[[ $out == "1 functions call through pointers, 1 of them did in runs (1.00); 2 calls observed, 2 known to the text" ]] && ok "calls are known" || not_ok "calls are known" "$out"
# The text of another version: what it says otherwise than the runs is said.
sed 's/pthread_mutex_lock(&lock);/(void)0;/; s/pthread_mutex_unlock(&lock);/(void)0;/; s/static void apart(void) { orders = 0; }/static void apart(void) { pthread_mutex_lock(\&lock); orders = 0; pthread_mutex_unlock(\&lock); }/; s/{{sell}, {buy}, {scrap}}/{{scrap}, {scrap}, {scrap}}/' shop.c >other.c
mkdir other && mv other.c other/shop.c
run run --quiet --db other.db other/shop.c
run guards --db other.db --observed .racerx/traces orders
[[ $out == *"shop.c:14 work() writes: without a lock in the text, always with one in runs: lock"*"shop.c:10 apart() writes: under a lock in the text, without one in runs"* ||
    $out == *"shop.c:10 apart() writes: under a lock in the text, without one in runs"*"shop.c:14 work() writes: without a lock in the text, always with one in runs: lock"* ]] &&
    ok "they disagree" || not_ok "they disagree" "$out"
run guards --db other.db --observed .racerx/traces --format jsonl orders
jq -es 'map(select(.disagree)) | length >= 2' <<<"$out" >/dev/null && ok "as JSON" || not_ok "as JSON" "$out"
run callees --db other.db --observed .racerx/traces
[[ $out == *"work calls buy, which the text does not know"*"2 calls observed, 0 known"* ]] && ok "calls that are not known" || not_ok "calls that are not known" "$out"

# Seeds: of ten command lines two run the lines of a finding; --pairs brings them together.
cat >stalls.c <<'C'
#include <pthread.h>
#include <stdlib.h>
static int stalls[9], till;
static void open_stall(void) { till++; }
static void close_stall(void) { till--; }
static void *one(void *argument) {
    int number = atoi(argument);
    if (number == 3)
        open_stall();
    else if (number == 7)
        close_stall();
    else
        stalls[number]++;
    return NULL;
}
int main(int count, char **words) {
    pthread_t thread[2];
    for (int i = 1; i < count && i < 3; i++)
        pthread_create(&thread[i - 1], NULL, one, words[i]);
    for (int i = 1; i < count && i < 3; i++)
        pthread_join(thread[i - 1], NULL);
    return 0;
}
C
built stalls
run run --quiet --db stalls.db stalls.c
for i in 1 2 3 4 5 6 7 8; do echo "./stalls $i"; done >visits.txt
run predict --seeds visits.txt --pairs --db stalls.db --samples 2
expect "pairs" 0
partner() { for sample in .racerx/traces/sample-*; do grep -qx "line ./stalls $1" "$sample/sample" && sed -n 's/^beside //p' "$sample/sample"; done | sort -u; }
[ "$(partner 3)" = "./stalls 7" ] && [ "$(partner 7)" = "./stalls 3" ] && ok "seeds that have both lines" || not_ok "seeds that have both lines" "$(partner 3), $(partner 7)"
run predict --pairs -- ./stalls 1
expect "no seeds" 2 "--seeds"
exit $((failures > 0))
