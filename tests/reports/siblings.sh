#!/bin/bash
# Findings of one cause: one entry for people, a line each for programs, one verdict for all.
. "$(dirname "$0")/../cli/common.inc"
mkdir tree
cat >tree/totals.c <<'C'
#include <pthread.h>
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static long reads, writes, errors, spins;
static void count(int n) {
    pthread_mutex_lock(&guard);
    reads += n;
    writes += n;
    errors += n;
    if (reads + writes + errors > 0)
        spins += n;
    pthread_mutex_unlock(&guard);
}
static void reset(void) {
    reads = 0;
    writes = 0;
    errors = 0;
}
static void spin(void) { spins = 0; }
static void *worker(void *unused) {
    count(1);
    reset();
    spin();
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    return 0;
}
C
run run -q --all --format jsonl tree
all=$out
count=$(wc -l <<<"$all")
group=$(jq -r 'select(.function == "reset") | .group' <<<"$all" | sort -u)
members=$(jq -r --arg g "$group" 'select(.group == $g) | .id' <<<"$all" | wc -l)
[[ -n $group && $group != *$'\n'* && $members -eq 3 ]] && ok one-group || not_ok one-group "$group has $members of $count"
rank=$(jq -r --arg g "$group" 'select(.group == $g) | .rank' <<<"$all" | sort -u)
[[ $rank != *$'\n'* ]] && ok one-rank || not_ok one-rank "$rank"
[ "$(jq -r .rank <<<"$all" | sort -n | tail -n 1)" = "$((count - 2))" ] && ok ranks-count-entries || not_ok ranks-count-entries "$(jq -r .rank <<<"$all")"
run list
[[ $out == *"+2"* && $out == *"$count findings in $((count - 2)) entries"* ]] && ok list || not_ok list "$out"
[ "$(grep -c totals.c: <<<"$out")" = "$((count - 2))" ] && ok list-rows || not_ok list-rows "$out"
run list --top 1
[ "$(grep -c totals.c: <<<"$out")" = 1 ] && ok top-counts-entries || not_ok top-counts-entries "$out"
run list --group "$rank"
[ "$(grep -c 'in reset' <<<"$out")" = 3 ] && ok unfolded || not_ok unfolded "$out"
run list --group "$group"
[ "$(grep -c 'in reset' <<<"$out")" = 3 ] && ok by-group-id || not_ok by-group-id "$out"
alone=$(jq -r 'select(.function == "spin") | .id' <<<"$all")
run list --group "$alone"
expect_line alone 2 "has no siblings"
run report
[[ $out == *"and 2 more like it in reset: racerx list --group $rank"* ]] && ok text || not_ok text "$out"
run show "$rank"
[[ $out == *"Siblings"*"2 more with the same cause, in reset"* ]] && ok show || not_ok show "$out"
for format in jsonl csv; do
    run report --format $format
    [ "$(grep -c "$group" <<<"$out")" = 3 ] && ok "$format-lines" || not_ok "$format-lines" "$out"
done
run report --format sarif
[ "$(jq --arg g "$group" '[.runs[0].results[] | select(.properties.group == $g)] | length' <<<"$out")" = 3 ] && ok sarif-results || not_ok sarif-results "$out"
# A head that is filtered out: a sibling stands for its entry.
others=$(jq -r --arg g "$group" 'select(.group == $g) | .object' <<<"$all" | tail -n +2 | paste -sd '|')
run list --object "$others"
[[ $out == *"+1"* && $out != *"+2"* ]] && ok headless || not_ok headless "$out"
# One verdict for all of them, and back.
run mark "$rank" false --group 'only at start-up'
[ "$(grep -c ': false' <<<"$out")" = 3 ] && ok mark-group || not_ok mark-group "$out"
run list --verdict false
[[ $out == *"3 findings"*"3 reviewed (3 false)"* ]] && ok judged || not_ok judged "$out"
run mark "$alone" minor
[ "$(wc -l <<<"$out")" = 1 ] && ok mark-one || not_ok mark-one "$out"
# In a review, by one request.
run mark "$rank" none --group
"$RACERX" review >said 2>/dev/null &
server=$!
trap 'kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
for ((tries = 0; tries < 1200 && $(wc -l <said) < 2; tries++)); do sleep 0.05; done # a minute: a sanitizer, and a busy machine
url=$(head -n 1 said) url=${url%/} token=${url##*/} port=${url#http://127.0.0.1:} port=${port%%/*}
id=$("$RACERX" list --group "$rank" --format jsonl | jq -r .id | head -n 1)
body="{\"id\":\"$id\",\"verdict\":\"minor\",\"note\":\"all of them\",\"group\":true}"
exec 3<>"/dev/tcp/127.0.0.1/$port"
printf 'POST /%s/api/verdict HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nContent-Type: application/json\r\nX-Racerx-Token: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s' \
    "$token" "$port" "$token" "${#body}" "$body" >&3
answer=$(timeout 20 cat <&3)
[[ $answer == *" 200 "* ]] && ok review-group || not_ok review-group "$answer"
run list --verdict minor --file totals.c --group "$rank"
[[ $out == *"3 findings"* ]] && ok review-judged || not_ok review-judged "$out"
exit $((failures > 0))
