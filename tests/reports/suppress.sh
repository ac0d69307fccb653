#!/bin/bash
# Suppressions: comments in the source and suppression files; used, unused, bad.
. "$(dirname "$0")/../cli/common.inc"
unset COLUMNS
holds() {
    if [[ $out == *"$2"* ]]; then ok "$1"; else not_ok "$1" "no '$2' in: $(head -c 600 <<<"$out")"; fi
}
program() { # COMMENT-ABOVE-HEAD COMMENT-ABOVE COMMENT-BESIDE [COMMENT-ABOVE-THE-OTHER-SIDE]
    cat <<EOF
#include <pthread.h>
static pthread_mutex_t mutex;
static long done;
static void add(void)
{
	pthread_mutex_lock(&mutex);
	${4:-}
	done++;
	pthread_mutex_unlock(&mutex);
}
$1
static void *
work(void *unused)
{
	add();
	$2
	done++; $3
	return unused;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, work, 0);
	pthread_create(&b, 0, work, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
EOF
}
# silenced NAME: the program on standard input has its race suppressed, and nothing is unused; shown NAME: it is shown.
silenced() {
    rm -rf tree && mkdir tree && cat >tree/p.c
    run run --db s.db tree
    expect "$1" 0
    holds "$1: hidden" "no findings; 1 suppressed"
    [[ $err != *"nothing:"* ]] && ok "$1: used" || not_ok "$1: used" "$err"
}
shown() { # NAME MESSAGE
    rm -rf tree && mkdir tree && cat >tree/p.c
    run run --db s.db tree
    expect "$1" 0 "$2"
    holds "$1: shown" "1 finding: 1 race"
}
shown plain '' < <(program '' '' '')
silenced beside < <(program '' '' '/* racerx: ignore race only a statistic */')
silenced beside-line-comment < <(program '' '' '// racerx: ignore race only a statistic')
silenced above < <(program '' '/* racerx: ignore race only a statistic */' '')
silenced above-in-lines < <(program '' $'/*\n * racerx: ignore race this is\n * only a statistic\n */' '')
silenced several < <(program '' '' '/* racerx: ignore deadlock,race both */')
silenced several-with-a-space < <(program '' '' '/* racerx: ignore deadlock, race both */')
silenced any < <(program '' '' '/* racerx: ignore any it is a statistic */')
silenced function < <(program '/* racerx: ignore race the whole function counts */' '' '')
silenced other-side < <(program '' '' '' '/* racerx: ignore race only a statistic */')
silenced function-head < <(program '' '' '' | sed 's|^work(.*|& // racerx: ignore race at the head|')
shown other-kind "1 suppression silences nothing: p.c:16;" < <(program '' '/* racerx: ignore deadlock only a statistic */' '')
shown no-reason "p.c:16 (it gives no reason)" < <(program '' '/* racerx: ignore race */' '')
shown no-such-kind "p.c:16 ('rices' is no kind of finding)" < <(program '' '/* racerx: ignore rices why not */' '')
shown no-kind "p.c:16 (it names no kind of finding)" < <(program '' '/* racerx: ignore */' '')
shown no-ignore 'only `racerx: ignore KIND REASON` is known' < <(program '' '/* racerx: please be quiet */' '')
shown in-a-string '' < <(program '' 'unused = "racerx: ignore race in a string";' '')
[[ $err != *suppression* ]] && ok string-is-no-comment || not_ok string-is-no-comment "$err"
shown not-at-its-beginning '' < <(program '' '/* see racerx: ignore race not at its beginning */' '')
shown beside-speaks-of-its-line '' < <(program '' $'unused = 0; /* racerx: ignore race of this line */' '')

# It stays in the database, and says where and why.
program '' '/* racerx: ignore race only a statistic */' '' >tree/p.c
"$RACERX" run -q --db s.db tree >/dev/null 2>&1
run list --db s.db
holds list-hides "no findings; 1 suppressed (--all shows them)"
run list --db s.db --all
holds list-all "suppressed"
run show --db s.db 1
holds show-says "suppressed: p.c:16: only a statistic"
run report --db s.db --all --format jsonl
holds jsonl-says '"suppressed":"p.c:16: only a statistic"'
run report --db s.db --format jsonl
[ -z "$out" ] && ok jsonl-hides || not_ok jsonl-hides "$out"
run rank -q --db s.db
holds rank-keeps "1 suppressed"
run list --db s.db --unused-suppressions
holds none-unused "1 suppression, 0 of them silence nothing"

# The same whatever -j is, from a cold and a warm database, and after the comment went.
for i in 1 2 3 4 5 6 7 8; do cp tree/p.c "tree/p$i.c"; done
"$RACERX" run -q -j1 --db one.db --all --format jsonl tree >one 2>&1
"$RACERX" run -q -j4 --db four.db --all --format jsonl tree >four 2>&1
cmp -s one four && ok same-for-any-j || not_ok same-for-any-j "$(diff one four | head -3)"
"$RACERX" run -q --db one.db --all --format jsonl tree >warm 2>&1
cmp -s one warm && ok same-when-warm || not_ok same-when-warm "$(diff one warm | head -3)"
rm tree/p?.c
"$RACERX" run -q --db s.db tree >/dev/null 2>&1
program '' '' '' >tree/p.c
run run --db s.db tree
holds comment-gone "1 finding: 1 race"

# In a preprocessed file the markers say where.
rm tree/p.c
{ echo '# 1 "orig/q.c"'; program '' '/* racerx: ignore race kept by -C */' '' | sed 's/^#include.*/typedef int pthread_mutex_t; typedef long pthread_t;/'; } >tree/q.i
run run --db i.db --preset pthreads tree
holds preprocessed "no findings; 1 suppressed"
run show --db i.db 1
holds preprocessed-place "suppressed: orig/q.c:16: kept by -C"
rm tree/q.i

# Suppression files.
program '' '' '' >tree/p.c
id=$("$RACERX" run -q --db s.db --format jsonl tree | sed 's/.*"id":"\([0-9a-f]*\)".*/\1/')
file() { # NAME LINE: it silences the race
    printf '# what we know\n\n%s\n' "$2" >tree/racerx.suppress
    run run --db s.db tree
    expect "$1" 0
    holds "$1: hidden" "no findings; 1 suppressed"
    [[ $err != *"nothing:"* ]] && ok "$1: used" || not_ok "$1: used" "$err"
}
file by-id "race id=$id  # known"
file by-beginning-of-id "any id=${id:0:8}  # known"
file by-object 'race object=p.c:d*  # known'
file by-quoted-object 'race object="p.c:done"  # known'
file by-file 'deadlock,race file=*.c  # known'
file by-function 'race function=add # known'
file by-all "race object=*done file=p.c function=work id=$id   # known"
run show --db s.db 1
holds file-says "suppressed: racerx.suppress:3: known"
mv tree/racerx.suppress mine.suppress
run run --db s.db --suppressions mine.suppress tree
holds option "no findings; 1 suppressed"
run show --db s.db 1
holds option-says "suppressed: mine.suppress:3: known"
cp mine.suppress tree/racerx.suppress
run run --db s.db --no-config tree
holds no-config "1 finding: 1 race"
run extract -q --db c.db tree
run check --db c.db
holds check "no findings; 1 suppressed"
printf 'race function=gone # was renamed\nrace function=work file=other.c # moved\nrace function=work # right\n' >tree/racerx.suppress
run run --db s.db tree
expect unused-noted 0 "2 suppressions silence nothing: racerx.suppress:1, racerx.suppress:2;"
run list --db s.db --unused-suppressions
holds unused-listed "racerx.suppress:1: race function=gone # was renamed: no finding is"
holds unused-counted "3 suppressions, 2 of them silence nothing"
run list --db s.db --unused-suppressions --format jsonl
holds unused-jsonl '{"file":"racerx.suppress","line":2,"text":"race function=work file=other.c # moved","trouble":"","used":0}'
bad() { # NAME LINE MESSAGE
    printf 'race id=%s # fine\n%s\n' "$id" "$2" >tree/racerx.suppress
    before=$(cksum <s.db)
    run run --db s.db tree
    expect_line "$1" 2 "racerx.suppress:2: $3"
    same "$1: nothing was done" "$(cksum <s.db)" "$before"
}
bad no-reason-given 'race function=work' "it gives no reason"
bad empty-reason 'race function=work #  ' "it gives no reason"
bad nothing-named 'race # all of them' "it does not say which findings"
bad unknown-kind 'rice function=work # x' "'rice' is no kind of finding"
bad unknown-key 'race funktion=work # x' "'funktion' is not object=, file=, function= or id="
bad no-value 'race function= # x' "function= has no value"
bad open-quotes 'race object="struct a # x' "the quotes after object= do not end"
run run --db s.db --suppressions nothing.suppress tree
expect_line no-such-file 2 "cannot read the suppressions nothing.suppress"
rm tree/racerx.suppress

# Comments in a tree that wishes us ill.
printf '/* racerx: ignore %s */\n// racerx:\n/* racerx: ignore race \033[2J */\n/* racerx: ignore race' "$(head -c 200000 /dev/zero | tr '\0' x)" >tree/h.c
run run --db s.db tree
expect hostile-comments 0 "suppressions silence nothing"
if LC_ALL=C grep -aq $'\033' "$work/.err"; then not_ok hostile-quiet "an escape"; else ok hostile-quiet; fi
finish
