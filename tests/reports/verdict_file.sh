#!/bin/bash
# The file of verdicts, the one thing that cannot be made again: reviewers at the same time, a crash in the middle, a full disk, a
# planted link, a deleted or damaged database lose none.
. "$(dirname "$0")/../cli/common.inc"
mkdir tree
for i in 1 2 3 4 5 6; do
    printf 'static pthread_mutex_t a%s, b%s;\nvoid f%s(void) { pthread_mutex_lock(&a%s); pthread_mutex_lock(&b%s); pthread_mutex_unlock(&b%s); pthread_mutex_unlock(&a%s); }\n' $i $i $i $i $i $i $i
    printf 'void g%s(void) { pthread_mutex_lock(&b%s); pthread_mutex_lock(&a%s); pthread_mutex_unlock(&a%s); pthread_mutex_unlock(&b%s); }\n' $i $i $i $i $i
done >tree/a.c
sed -i '1i #include <pthread.h>' tree/a.c
run run -q tree
file=.racerx/racerx.verdicts.jsonl
ids=($("$RACERX" list --all --format jsonl | sed 's/.*"id":"\([0-9a-f]*\)".*/\1/'))
same "findings" "${#ids[@]}" 6

# Two reviewers at once.
for who in eva adam; do
    (for id in "${ids[@]}"; do "$RACERX" mark "$id" confirmed "by $who" --reviewer $who >/dev/null 2>>.trouble; done) &
done
wait
same "two reviewers" "$(grep -c '"reviewer":"eva"' $file) $(grep -c '"reviewer":"adam"' $file)" "6 6"
same "nobody had to repeat it" "$(grep -v "waiting for another racerx" .trouble)" ""

# Killed at any moment: what was said to be saved is there, and what comes after it is, too.
saved=12
for delay in 0.001 0.003 0.005 0.008 0.012 0.02 0.03; do
    "$RACERX" mark "${ids[0]}" minor "killed after $delay" >.said 2>/dev/null &
    pid=$!
    sleep $delay
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    [ ! -s .said ] || saved=$((saved + 1))
    [ "$(grep -c . $file)" -ge $saved ] || not_ok "killed after $delay" "$saved were saved, $(grep -c . $file) are there"
done
ok "killed"
printf '{"kind":"deadlock","file":"a.c","li' >>$file # what a power failure may leave
before=$(wc -l <$file)
run mark "${ids[1]}" false "after it"
expect "after a line that broke off" 0
same "is a line of its own" "$(tail -n 1 $file | grep -c '"note":"after it"')" 1
run list --all --verdict false
[[ $out == *"${ids[1]:0:6}"* || $(wc -l <<<"$out") -ge 1 ]] && ok "and counts" || not_ok "and counts" "$out"
[[ $err == *"no verdict can be read from this line"* ]] && ok "the broken one is said" || not_ok "the broken one is said" "$err"
cp $file kept

# A full disk: nothing half is left.
(ulimit -f $(($(stat -c %s $file) / 1024 + 1)); trap '' XFSZ; for i in 1 2 3 4 5 6 7 8 9; do "$RACERX" mark "${ids[2]}" minor "$(printf '%0400d' $i)"; done) >.said 2>&1
grep -q "was not saved" .said && ok "a full disk is said" || not_ok "a full disk is said" "$(head -c 300 .said)"
same "and leaves no half line" "$(tail -c 1 $file | od -An -c | tr -d ' ')" '\n'
same "what was there is there" "$(head -c "$(stat -c %s kept)" $file | cmp - kept 2>&1)" ""

# Without the database, and with a damaged one.
cp $file kept
rm .racerx/racerx.db
run run -q tree
judged=$("$RACERX" list --all --format jsonl | grep -c '"verdict":"confirmed"')
[ "$judged" -ge 3 ] && ok "a new database has them" || not_ok "a new database has them" "$judged"
printf 'damage' | dd of=.racerx/racerx.db bs=1 seek=20000 conv=notrunc 2>/dev/null
run run -q tree
expect "a damaged one is made anew" 0
same "with the verdicts" "$("$RACERX" list --all --format jsonl | grep -c '"verdict":"confirmed"')" "$judged"
same "the file is as it was" "$(cmp $file kept 2>&1)" ""

# A link is not written through.
echo precious >victim
mv $file moved
ln -s ../victim $file
run mark "${ids[0]}" minor linked
[ "$status" -eq 2 ] && [[ $err == *"it is a link"* || $err == *"not saved"* ]] && ok "a link is refused" || not_ok "a link is refused" "$status $err"
same "what lies behind it" "$(cat victim)" precious
finish
