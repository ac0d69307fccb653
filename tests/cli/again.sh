#!/bin/bash
# A second run over what has not changed shows what the first one found, and does not analyse: whatever changes, is seen.
. "$(dirname "$0")/common.inc"
mkdir tree
cat >tree/a.c <<'E2'
#include <pthread.h>
static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *x)
{
    pthread_mutex_lock(&lock);
    total += 3;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    total -= 1;
    pthread_mutex_unlock(&lock);
    total = 0;
    return x;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_create(&t, 0, work, 0);
    return 0;
}
E2
first() { "$RACERX" run -q --db one.db "$@" 2>&1; }
fresh() { rm -f other.db; "$RACERX" run -q --db other.db "$@" 2>&1; }
state() { "$RACERX" list --db one.db --format jsonl >/dev/null && od -A n -t x1 -j 24 -N 4 one.db; } # SQLite's counter of changes
first tree >1.txt
before=$(state)
first tree >2.txt
same shown-again "$(cmp 1.txt 2.txt && echo same)" same
same nothing-written "$(state)" "$before"
for format in text jsonl sarif gcc csv html; do
    first --format $format tree >2.txt
    fresh --format $format tree >1.txt
    same "as-$format" "$(cmp 1.txt 2.txt && echo same)" same
done
same one "$(first tree | grep -c '^1 finding')" 1
# What a run is given.
same settings "$(first --set line=5 tree | grep -c '^no findings\|^0 findings\|below the line')" 1
same back "$(first tree | grep -c '^1 finding')" 1
same options "$(first --no-races tree | grep -c '^1 finding')" 0
same back-again "$(first tree | grep -c '^1 finding')" 1
before=$(state)
first --engine summaries tree >2.txt
same engine "$([ "$(state)" != "$before" ] && echo analysed)" analysed
same back-from-engine "$(first tree | grep -c '^1 finding')" 1
echo 'race file=a.c # known' >mine.suppress
same suppressed "$(first --suppressions mine.suppress tree | grep -c '1 suppressed')" 1
echo 'race file=b.c # known' >mine.suppress
same suppressed-no-more "$(first --suppressions mine.suppress tree | grep -c '^1 finding')" 1
echo 'any object=* # all' >tree/racerx.suppress
same tree-suppress "$(first tree | grep -c '1 suppressed')" 1
rm tree/racerx.suppress
echo 'rank(function(f) veto("not today") end)' >tree/racerx.lua
same script "$(first tree | grep -c '^1 finding:')" 0
rm tree/racerx.lua
same no-script "$(first tree | grep -c '^1 finding')" 1
# What else writes the findings.
"$RACERX" rank -q --db one.db --set line=5 >/dev/null
same ranked "$(first tree | grep -c '^1 finding')" 1
id=$("$RACERX" list --db one.db --format jsonl | sed 's/.*"id":"\([0-9a-f]*\)".*/\1/')
"$RACERX" mark --db one.db "$id" false >/dev/null
same judged "$(first --format jsonl tree | grep -c '"verdict":"false"')" 1
# What is read.
sed -i 's/    total = 0;//' tree/a.c
same mended "$(first tree | grep -c '^1 finding')" 0
finish
