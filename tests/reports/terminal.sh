#!/bin/bash
# list, show and mark: what a reviewer types, and what goes wrong then.
. "$(dirname "$0")/../cli/common.inc"
unset COLUMNS NO_COLOR
racy() { # NAME [LINES]: a program with a race on NAME_total.done, after so many empty lines
    yes '' | head -n "${2:-0}"
    cat <<EOF
#include <pthread.h>
struct $1_counter {
    pthread_mutex_t mutex;
    long done;
};
static struct $1_counter $1_total;
static void $1_add(void)
{
	pthread_mutex_lock(&$1_total.mutex);
	$1_total.done++;
	pthread_mutex_unlock(&$1_total.mutex);
}
static void *$1_work(void *unused)
{
	if (unused)
		$1_add();
	$1_total.done++;
	return unused;
}
int $1_start(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, $1_work, 0);
	pthread_create(&b, 0, $1_work, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
EOF
}
widest() { LC_ALL=C.UTF-8 wc -L <"$work/.out"; }
holds() { # NAME TEXT: the last output has it
    if [[ $out == *"$2"* ]]; then ok "$1"; else not_ok "$1" "no '$2' in: $(head -c 600 <<<"$out")"; fi
}
lacks() {
    if [[ $out != *"$2"* ]]; then ok "$1"; else not_ok "$1" "'$2' in: $(head -c 600 <<<"$out")"; fi
}
mkdir -p tree/a_directory_with_a_long_name/and_one_more_below_it/yet_another_one
{ racy one; echo 'int main(void) { return one_start(); }'; } >tree/one.c
long=a_counter_whose_name_was_made_by_somebody_who_had_a_lot_of_time_and_no_mercy_at_all
{ racy $long; echo "int main(void) { return ${long}_start(); }"; } >tree/a_directory_with_a_long_name/and_one_more_below_it/yet_another_one/long_name_of_a_file.c
"$RACERX" run -q tree >/dev/null || exit 1

# Widths, colours, pipes: in a pipe a list's lines are whole.
run list
expect list 0
holds whole-in-a-pipe "${long}_total.done"
holds whole-path-in-a-pipe "yet_another_one/long_name_of_a_file.c:"
COLUMNS=80 run list
[ "$(widest)" -le 80 ] && ok fits-80 || not_ok fits-80 "$(widest) columns"
holds both-there "2 findings: 2 race"
holds analysed "analysed tree: 2 files"
COLUMNS=60 run list
[ "$(widest)" -le 60 ] && ok fits-60 || not_ok fits-60 "$(widest) columns"
COLUMNS=200 run list
holds wide-is-whole "${long}_total.done"
id=$("$RACERX" show --format jsonl 1 | sed 's/.*"id":"\([0-9a-f]*\)".*/\1/')
holds wide-has-ids "${id:0:8}"
for command in "list" "show 1" "report"; do
    COLUMNS=80 run $command
    lacks "no-colour-in-a-pipe $command" $'\033'
    [ "$(grep -v '_directory_\|_counter_' "$work/.out" | LC_ALL=C.UTF-8 wc -L)" -le 80 ] && ok "80 columns: $command" || not_ok "80 columns: $command" "$(widest)"
    if command -v script >/dev/null; then
        TERM=xterm script -qec "$RACERX $command" /dev/null >"$work/.out" </dev/null
        out=$(cat "$work/.out")
        holds "colour-on-a-terminal $command" $'\033['
        NO_COLOR=1 TERM=xterm script -qec "$RACERX $command" /dev/null >"$work/.out" </dev/null
        out=$(cat "$work/.out")
        lacks "NO_COLOR $command" $'\033['
    fi
done
# On a terminal a run shows its first page and where the rest is; a long list goes through the pager.
if command -v script >/dev/null; then
    on_terminal() { NO_COLOR=1 TERM=xterm script -qec "stty cols 80 rows ${rows:-0}; $*" /dev/null </dev/null | tr -d '\r' >"$work/.out"; out=$(cat "$work/.out"); }
    on_terminal "$RACERX run -q tree"
    holds first-page '`racerx list` lists them all'
    lacks first-page-is-short 'Who'
    [ "$(widest)" -le 80 ] && ok first-page-fits || not_ok first-page-fits "$(widest) columns"
    on_terminal "$RACERX run -q --full tree"
    lacks full '`racerx list` lists them all'
    holds full-is-in-full 'while another thread'
    rows=3 on_terminal "PAGER='sed s/^/paged:/' $RACERX list"
    [ "$(grep -vc '^paged:' "$work/.out")" -eq 0 ] && ok paged || not_ok paged "$out"
    rows=3 on_terminal "PAGER=no-such-pager $RACERX list"
    holds no-pager '2 findings'
    rows=3 on_terminal "RACERX_PAGER= PAGER=false $RACERX list"
    holds pager-switched-off '2 findings'
    rows=50 on_terminal "PAGER='sed s/^/paged:/' $RACERX list"
    lacks fits-unpaged 'paged:'
fi
# The database of a directory above is found, to read and to mark; a run makes its own.
mkdir -p below/here
list=$("$RACERX" list)
out=$(cd below/here && "$RACERX" list)
[ "$out" = "$list" ] && ok found-above || not_ok found-above "$out"
(cd below/here && "$RACERX" mark 1 minor only a test >/dev/null && "$RACERX" mark 1 none >/dev/null)
[ ! -e below/here/.racerx ] && ok marked-above || not_ok marked-above "a database of its own"
echo 'int f(void) { return 0; }' >below/here/f.c
(cd below/here && "$RACERX" run -q . >/dev/null)
[ -e below/here/.racerx/racerx.db ] && [ "$("$RACERX" list)" = "$list" ] && ok own-run || not_ok own-run "$("$RACERX" list)"
rm -r below
index=$("$RACERX" list --file one.c --format jsonl | sed 's/.*"rank":\([0-9]*\).*/\1/')
COLUMNS=120 run show "$index"
[ "$(widest)" -le 120 ] && ok show-fits-120 || not_ok show-fits-120 "$(widest) columns"
[ "$(grep -c '^A .* B ' "$work/.out")" -eq 1 ] && ok side-by-side || not_ok side-by-side "$(head -20 "$work/.out")"
run show 1
[ "$(grep -c '^A \|^B ' "$work/.out")" -eq 2 ] && ok one-after-another || not_ok one-after-another "$(head -20 "$work/.out")"

# What the story says.
run show "$index"
holds says-what "one.c:one_total.done is written here while another thread writes it"
holds excerpt "17 | one_total.done++;"
holds points-at-access "^~~~~~~~~~~~~~ writes one.c:one_total.done"
holds points-at-lock "^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
holds says-what-it-takes "takes one.c:one_total.mutex"
holds where-taken "holds one.c:one_total.mutex, taken at one.c:9"
holds chain "from  one_work, which calls at one.c:16"
holds conditions "1 condition passed on the way"
holds belief "S = 1 place and not in F = 1"
holds why "+1.50  two threads of the program run both"
holds silence-comment "/* racerx: ignore race REASON */"
holds silence-file "race id="
holds silence-mark "racerx mark "

# Which findings.
run list --file 'one.*'
holds file-glob "1 finding: 1 race; 1 left out by the options"
run list --kind deadlock
holds kind "no findings; 2 left out"
run list --kind race --kind deadlock --object '^one[.]c:'
holds object "1 finding: 1 race"
run list --verdict none
holds verdict-none "2 findings"
run list --top 1
holds top "the first is shown"
run list --kind rac
expect_line bad-kind 2 "there is no 'rac': did you mean 'race'?"
run list --verdict maybe
expect_line bad-verdict 2 "it is one of none, confirmed, unconfirmed, minor, false"
run list --object '('
expect_line bad-pattern 2 "is no pattern"
run list tree
expect_line list-takes-no-path 2 "it reads the database"
run report --format csv --kind deadlock
expect report-takes-filters 0
run list --new nothing.db
expect_line no-baseline 2 "there is no nothing.db to compare with"
run list --db nothing.db
expect_line no-database 2 "there is no database nothing.db"

# Naming a finding.
run show
expect_line show-nothing 2 "show needs a RANK or an ID"
run show 99
expect_line show-no-rank 2 "ranks go from 1 to 2"
run show zzz
expect_line show-no-id 2 "no finding has an id that begins with 'zzz'"
run show "${id:0:6}"
expect show-by-prefix 0
holds show-right-one "1 of 2: race"
mkdir many
for i in $(seq 40); do { racy "many$i"; echo "int main(void) { return many${i}_start(); }"; } >many/$i.c; done
"$RACERX" run -q --db many.db many >/dev/null
letter=$("$RACERX" report --all --db many.db --format jsonl | sed 's/.*"id":"\([a-f]\).*/\1/' | grep '^[a-f]$' | sort | uniq -d | head -n 1)
run show --db many.db "$letter"
expect_line show-ambiguous 2 "is the beginning of"

# Verdicts.
export USER=bob
run mark 1
expect_line mark-without-verdict 2 "mark needs a verdict"
run mark 1 fales
expect_line mark-misspelt 2 "did you mean 'false'?"
run mark confirmed
expect_line mark-nothing 2 "mark needs a RANK or an ID before 'confirmed'"
run mark 1 2 9 confirmed
expect_line mark-one-wrong 2 "there is no finding 9"
run list --verdict confirmed
holds mark-all-or-none "no findings"
run mark "$index" confirmed "I saw it happen" on Monday
expect mark 0
holds mark-says ": confirmed (was not reviewed)"
run list
holds list-verdict "confirmed"
holds list-reviewed "1 reviewed (1 confirmed)"
run show "$index"
holds show-note "confirmed by bob on "
holds show-note-text "I saw it happen on Monday"
run report
holds text-has-verdict "[confirmed]"
run mark --reviewer ann "$index" false
run show "$index"
holds history-first "confirmed by bob"
holds history-second "false by ann"
run list --verdict false
holds last-counts "1 finding"
run mark "$index" none
holds taken-back "verdict taken back (was false)"
run list --verdict none
holds none-again "2 findings"
run mark "$index" minor
{ racy one 12; echo 'int main(void) { return one_start(); }'; } >tree/one.c
run show "$index"
holds changed-source "one.c: the file has changed since it was analysed"
lacks changed-no-excerpt "17 |"
run list --verdict minor
holds before-the-run "one.c:17"
"$RACERX" run -q tree >/dev/null
run list --verdict minor
holds moved-lines-keep-verdicts "one.c:29"
rm tree/one.c
run show "$("$RACERX" list --verdict minor --format jsonl | sed 's/.*"rank":\([0-9]*\).*/\1/')"
holds missing-source "one.c: the file cannot be read any more"

# A database that another process uses.
if command -v flock >/dev/null; then
    flock .racerx/racerx.db.lock sleep 2 &
    sleep 0.5
    run mark --no-wait 1 minor
    expect_line locked-no-wait 2 "is writing .racerx/racerx.db: wait for it, or leave out --no-wait"
    run mark 1 unconfirmed
    expect locked-waits 0 "waiting for another racerx on .racerx/racerx.db"
    run list --verdict unconfirmed
    holds locked-marked "1 finding"
    wait
fi
if command -v sqlite3 >/dev/null; then
    (echo 'BEGIN EXCLUSIVE;'; sleep 4; echo 'COMMIT;') | sqlite3 .racerx/racerx.db &
    sleep 0.5
    run list
    expect busy-reader-waits 0 "waiting for another program that uses .racerx/racerx.db"
    wait
fi

# Names and texts made to do harm.
mkdir hostile
evil=$'hostile/evil\033[2J\r\n\xe2\x80\xae\xff.c'
{ racy evil; printf 'int main(void) { return evil_start(); } // \033[2J \xe2\x80\xae \xff\r\n'; } >"$evil"
sed -i $'s|^\tevil_total.done++;$|\tevil_total.done++; // \033]0;title\007 \xc2\x9b2J|' "$evil"
"$RACERX" run -q --db evil.db hostile >.out
for command in "list" "show 1" "report" "mark 1 false" "diff evil.db"; do
    "$RACERX" $command --db evil.db >"$work/.out" 2>&1
    "$RACERX" mark --db evil.db --reviewer $'\033[2Jann' 1 false $'note\033[2J\nnext' >>"$work/.out" 2>&1
    if LC_ALL=C grep -aq $'[\001-\010\013-\037\177]\|\xc2\x9b\|\xe2\x80\xae\|\xff' "$work/.out"; then
        not_ok "hostile $command" "$(grep -a -m1 $'[\001-\010\013-\037\177]' "$work/.out" | cat -v)"
    else
        ok "hostile $command"
    fi
done
COLUMNS=120 run show --db evil.db 1
[ "$(widest)" -le 120 ] && ok hostile-fits || not_ok hostile-fits "$(widest)"

# Places that do the same on the same way are one line; the suspect and its counterpart speak for themselves.
mkdir folds && cat >folds/f.c <<'EOF'
#include <pthread.h>
static pthread_mutex_t mutex;
static long level, seen;
static void *fill(void *unused)
{
	pthread_mutex_lock(&mutex);
	level++;
	pthread_mutex_unlock(&mutex);
	level++;
	return unused;
}
static void *watch(void *unused)
{
	long sum = level;
	sum += level;
	sum *= level;
	seen = sum;
	return unused;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, fill, 0);
	pthread_create(&b, 0, watch, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
EOF
"$RACERX" run -q --db folds.db folds >/dev/null
run report --db folds.db
holds folded "B  watch f.c:14 reads f.c:level; also at :15, :16"
lacks folded-away "watch f.c:15"
holds not-folded "fill f.c:7 writes f.c:level holding"

# Nothing found, and that is said of something.
mkdir quiet && echo 'int f(void) { return 1; }' >quiet/f.c
"$RACERX" run -q --db quiet.db quiet >/dev/null
run list --db quiet.db
holds empty-list "no findings"
holds empty-analysed "analysed quiet: 1 file, 1 function;"
run show --db quiet.db 1
expect_line empty-show 2 "there is no finding 1"
"$RACERX" extract -q --db raw.db quiet
run list --db raw.db
expect_line no-findings-yet 2 "the database has no findings yet (init and extract only read), or those of another version"
finish
