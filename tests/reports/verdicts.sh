#!/bin/bash
# Verdicts are JSON lines beside the database: only added to, read back without the database, taken over by id, or by kind,
# place and object where ids were made by other rules.
. "$(dirname "$0")/../cli/common.inc"
mkdir tree
cat >tree/a.c <<'C'
#include <pthread.h>
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static long hits, misses;
static void count(void) {
    pthread_mutex_lock(&guard);
    hits++;
    misses++;
    pthread_mutex_unlock(&guard);
}
static void drop(void) { hits = 0; }
static void *worker(void *unused) {
    count();
    drop();
    misses = 0;
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    return 0;
}
C
file=.racerx/racerx.verdicts.jsonl
judged() { # NAME COUNTS: what the last lines of `list` say
    run list --all
    [[ $out == *"$2"* ]] && ok "$1" || not_ok "$1" "$out"
}
run run -q tree
hits=$("$RACERX" list --all --format jsonl | jq -r 'select(.function == "drop") | .id')
misses=$("$RACERX" list --all --format jsonl | jq -r 'select(.function == "worker") | .id')
run mark "$hits" false 'two lines
of "note"' --reviewer eva
run mark "$misses" confirmed
[ "$(wc -l <$file)" = 2 ] && ok a-line-each || not_ok a-line-each "$(cat $file)"
is() { jq -e "$2" <<<"$3" >/dev/null && ok "$1" || not_ok "$1" "$3"; }
is keys ".kind == \"race\" and .file == \"a.c\" and .line == 10 and .function == \"drop\" and .object == \"a.c:hits\" and .verdict == \"false\" and (.note | startswith(\"two lines\")) and .reviewer == \"eva\" and .id == \"$hits\" and .fingerprint >= 1 and .time > 0" "$(head -n 1 $file)"
before=$(cat $file)
run mark "$misses" none
[ "$(head -n 2 $file)" = "$before" ] && [ "$(wc -l <$file)" = 3 ] && ok only-added || not_ok only-added "$(cat $file)"
judged taken-back "1 reviewed (1 false)"

rm .racerx/racerx.db
run run -q tree
judged without-database "1 reviewed (1 false)"
[ "$(sqlite3 .racerx/racerx.db 'SELECT count(*) FROM verdicts_given' 2>/dev/null || echo 3)" = 3 ] && ok in-sql-again || not_ok in-sql-again ""
run run -q tree
[ "$(wc -l <$file)" = 3 ] && ok runs-add-nothing || not_ok runs-add-nothing "$(cat $file)"
run show "$hits"
[[ $out == *"two lines"* ]] && ok history || not_ok history "$out"

# A database from before there were files: its table is read, and the first verdict writes it down.
mv $file kept
judged from-table "1 reviewed (1 false)"
run mark "$misses" minor
[ "$(wc -l <$file)" = 4 ] && ok written-down || not_ok written-down "$(cat $file)"
judged both "2 reviewed (1 minor, 1 false)"

# Merged by hand, with a line nobody can read.
{ cat kept; echo '<<<<<<< ours'; } >$file
run list --all
expect bad-line 0 "racerx.verdicts.jsonl:4: no verdict can be read from this line"
[[ $out == *"1 reviewed (1 false)"* ]] && ok others-count || not_ok others-count "$out"

# Other rules for ids: carried over by kind, place and object; rules of today: an unknown id is another finding.
line() { # ID FINGERPRINT FUNCTION OBJECT LINE VERDICT
    printf '{"kind":"race","file":"a.c","line":%s,"function":"%s","object":"%s","lock":"","verdict":"%s","note":"","reviewer":"","id":"%s","fingerprint":%s,"time":1}\n' "$5" "$3" "$4" "$6" "$1" "$2"
}
line feedfeedfeedfeed 0 drop a.c:hits 12 minor >$file
judged carried-over "1 reviewed (1 minor)"
line feedfeedfeedfeed 0 drop a.c:other 10 minor >$file
judged other-object "2 findings"
[[ $out != *reviewed* ]] && ok other-object-not || not_ok other-object-not "$out"
line feedfeedfeedfeed "$(jq .fingerprint kept | head -n 1)" drop a.c:hits 10 minor >$file
run list --all
[[ $out != *reviewed* ]] && ok same-rules || not_ok same-rules "$out"
{ line feedfeedfeedfeed 0 drop a.c:hits 10 minor; line feedfeedfeedfeed 0 drop a.c:hits 10 ''; } >$file
run list --all
[[ $out != *reviewed* ]] && ok carried-back || not_ok carried-back "$out"
{ line feedfeedfeedfeed 0 drop a.c:hits 10 minor; line "$hits" 1 drop a.c:hits 10 false; } >$file
judged own-counts-first "1 reviewed (1 false)"

# Exported, and taken over elsewhere.
run report --format verdicts
[ "$(jq -r .id <<<"$out")" = "$hits" ] && ok exported || not_ok exported "$out"
line '' 0 worker '' 14 confirmed >other.jsonl
"$RACERX" report --format verdicts >>other.jsonl
rm $file .racerx/racerx.db
run run -q tree
run mark --from other.jsonl
[[ $out == "2 verdicts taken over, 0 known already, 0 of findings"* ]] && ok from || not_ok from "$out"
run mark --from other.jsonl
[[ $out == "0 verdicts taken over, 2 known already"* ]] && ok from-again || not_ok from-again "$out"
judged from-counts "2 reviewed (1 confirmed, 1 false)"
run mark --from nowhere.jsonl
expect_line from-nowhere 2 "cannot read nowhere.jsonl"
exit $((failures > 0))
