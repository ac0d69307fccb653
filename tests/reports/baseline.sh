#!/bin/bash
# Baselines: what is new, the exit status for CI, two runs compared; and verdicts that outlive a version of the database.
. "$(dirname "$0")/../cli/common.inc"
unset COLUMNS
holds() {
    if [[ $out == *"$2"* ]]; then ok "$1"; else not_ok "$1" "no '$2' in: $(head -c 600 <<<"$out")"; fi
}
racy() { # NAME
    cat <<EOF
#include <pthread.h>
static pthread_mutex_t $1_mutex;
static long $1_done;
static void $1_add(void)
{
	pthread_mutex_lock(&$1_mutex);
	$1_done++;
	pthread_mutex_unlock(&$1_mutex);
}
static void *$1_work(void *unused)
{
	$1_add();
	$1_done++;
	return unused;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, $1_work, 0);
	pthread_create(&b, 0, $1_work, 0);
	pthread_join(a, 0);
	return pthread_join(b, 0);
}
EOF
}
mkdir tree
racy old >tree/old.c
"$RACERX" run -q --db old.db tree >/dev/null
racy new >tree/new.c

ci() { run run -q --db ci.db --baseline old.db --fail-on-new "$@" tree; }
ci
expect new-fails 1
holds only-new "new.c:13"
[[ $out != *"old.c:13"* ]] && ok old-is-not-printed || not_ok old-is-not-printed "$out"
run run -q --db ci.db --baseline old.db tree
expect without-fail-on-new 0
holds still-only-new "1 finding: 1 race; 1 left out by the options"
run check -q --db ci.db --baseline old.db --fail-on-new
expect check-too 1
run run -q --db ci.db --baseline old.db --fail-on-new --format jsonl tree
expect jsonl-too 1
same jsonl-only-new "$(grep -c '' "$work/.out")" 1
run run --db ci.db --baseline old.db --fail-on-new tree
expect says-how-many 1 "1 finding is not in old.db"
"$RACERX" run -q --db both.db tree >/dev/null
run run -q --db ci.db --baseline both.db --fail-on-new tree
expect nothing-new 0
run run -q --db ci.db --baseline ci.db --fail-on-new tree
expect the-same-database 0

# What somebody called false or minor, here or there, does not count; nor what is suppressed.
fresh=$("$RACERX" list --db both.db --file new.c --format jsonl | sed 's/.*"id":"\([0-9a-f]*\)".*/\1/')
for verdict in false minor; do
    rm -f ci.db
    ci
    run mark --db ci.db "$fresh" $verdict
    ci
    expect "$verdict-here" 0
    "$RACERX" mark --db both.db "$fresh" $verdict >/dev/null
    cp both.db gone.db # a baseline whose reviewers judged it, and that has it no more
    mv tree/new.c new.c
    "$RACERX" run -q --db gone.db tree >/dev/null
    mv new.c tree/new.c
    rm -f ci.db
    run run -q --db ci.db --baseline gone.db --fail-on-new tree
    expect "$verdict-there" 0
    "$RACERX" mark --db both.db "$fresh" none >/dev/null
done
rm -f ci.db
ci
"$RACERX" mark --db ci.db "$fresh" confirmed >/dev/null
ci
expect confirmed-counts 1
holds confirmed-shown "[confirmed]"
echo "race id=$fresh # for another day" >tree/racerx.suppress
ci
expect suppressed 0
ci --all
expect suppressed-with-all 0
rm tree/racerx.suppress

# A baseline that is none: said before anything is read.
touch tree/old.c
bad() { # NAME FILE MESSAGE
    rm -f never.db
    run run -q --db never.db --baseline "$2" --fail-on-new tree
    expect_line "$1" 2 "$3"
    [ ! -e never.db ] && ok "$1: at once" || not_ok "$1: at once" "the tree was read first"
}
bad missing nothing.db "there is no nothing.db to compare with"
echo text >text.db
bad text text.db "is not a database"
"$RACERX" extract -q --db raw.db tree
bad without-findings raw.db "raw.db has no findings to compare with"
cp old.db older.db
printf '\0\0\3\352' | dd of=older.db bs=1 seek=60 conv=notrunc 2>/dev/null
bad older older.db "was made by an older racerx"
run run -q --db never.db --fail-on-new tree
expect_line no-baseline 2 "--fail-on-new needs --baseline"

# Two runs compared.
run diff old.db both.db
expect diff 0
holds diff-new $'New\n'
holds diff-counts "1 new, 0 fixed, 1 same"
run diff both.db old.db
holds diff-fixed "Fixed, or not found any more"
holds diff-fixed-counts "0 new, 1 fixed, 1 same"
run diff --format jsonl both.db old.db
same diff-jsonl "$(cut -c1-18 <"$work/.out" | sort | tr '\n' ' ')" '{"change":"fixed", {"change":"same"," '
run diff old.db
expect_line diff-needs-two 2 "diff needs two databases"
run diff old.db raw.db
expect_line diff-without-findings 2 "raw.db has no findings to compare with"
cp both.db high.db
"$RACERX" rank -q --db high.db --set line=100 >/dev/null
run diff both.db high.db
holds diff-sunk "it is below the line: score "
holds diff-sunk-counts "0 new, 0 fixed, 0 same; 2 not shown any more that are found still"
run diff high.db both.db
holds diff-risen "it was below the line"
run list --db both.db --new old.db
holds list-new "1 finding: 1 race; 1 left out by the options"

# An older version of the database is made anew, and what reviewers said stays.
"$RACERX" mark --db both.db --reviewer ann "$fresh" confirmed seen twice >/dev/null
cp both.db upgrade.db
printf '\0\0\3\352' | dd of=upgrade.db bs=1 seek=60 conv=notrunc 2>/dev/null
run list --db upgrade.db
expect_line older-is-not-read 2 "\`racerx run PATH\` reads everything again, and keeps the verdicts in it"
{ RACERX_FAULT=store-renew "$RACERX" run -q --db upgrade.db tree; } >/dev/null 2>&1
run list --db upgrade.db
expect_line killed-while-renewing 2 "was made by an older racerx"
run run --db upgrade.db tree
expect upgraded 0 "everything is read again; verdicts are kept"
run show --db upgrade.db "$fresh"
holds verdict-outlives-version "confirmed by ann on "
holds note-outlives-version "seen twice"
run run -q --db upgrade.db tree
expect upgraded-once 0
[ -z "$err" ] && ok upgraded-once-only || not_ok upgraded-once-only "$err"
cp both.db newer.db
printf '\0\0\377\377' | dd of=newer.db bs=1 seek=60 conv=notrunc 2>/dev/null
before=$(cksum <newer.db)
run run --db newer.db tree
expect_line newer-is-refused 2 "made by another version of racerx"
same newer-untouched "$(cksum <newer.db)" "$before"
finish
