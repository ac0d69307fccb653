#!/bin/bash
# One violation of a clear belief among hundreds of weak candidates: it is the first race of the list, and its reasons
# say what is believed. Repaired, nothing is said of it.
set -u
cd "$(dirname "$0")/../.." || exit 2
: "${RACERX:=build/racerx}" "${TMP:=/tmp}"
tree=$TMP/planted.$$
mkdir -p "$tree/weak" || exit 2
trap 'rm -rf "$tree" "$tree.db"' EXIT
status=0
fail() { echo "not ok planted: $*" && status=1; }

# Fields that are protected half the time, never, or once: with the lock around the field alone or around more.
awk -v directory="$tree/weak" '
function under(name, body) { printf "void %s(struct s%d *s) { spin_lock(&s->lock); %s spin_unlock(&s->lock); }\n", name, n, body > file }
function bare(name, body) { printf "void %s(struct s%d *s) { %s }\n", name, n, body > file }
function half(  i) {
    for (i = 1; i <= 2 + n % 2; i++) {
        under("half_in" n "_" i, (n % 4 < 2 ? "s->other = " i "; " : "") "s->value += " i ";" (n % 4 < 2 ? " s->flags = 0;" : ""))
        bare("half_out" n "_" i, n % 2 ? "s->value = " i ";" : "s->other = s->value;")
    }
}
function never(  i) {
    under("never_lock" n, "s->flags++;")
    for (i = 1; i <= 3; i++)
        bare("never" n "_" i, i % 2 ? "s->value++;" : "s->other = s->value;")
}
function once() {
    under("once_in" n, "s->other++; s->value = s->other; s->flags = 1;")
    bare("once_out" n, "s->value = 0;")
}
BEGIN {
    for (n = 0; n < 480; n++) {
        if (n % 12 == 0) {
            file = sprintf("%s/part%02d.c", directory, n / 12)
            print "#include <linux/spinlock.h>\n" > file
        }
        printf "struct s%d { spinlock_t lock; int value, other, flags; };\n", n > file
        if (n % 3 == 0) half(); else if (n % 3 == 1) never(); else once()
    }
}'

plant() { # broken|repaired
    awk -v what="$1" 'BEGIN {
        print "#include <linux/spinlock.h>\n#include <linux/syscalls.h>\n"
        print "struct session { spinlock_t lock; int credits; int owner; };\nextern struct session *session_of(int number);\n"
        for (i = 1; i <= 15; i++)
            printf "void session_step%d(struct session *s) { spin_lock(&s->lock); s->credits %s %d; spin_unlock(&s->lock); }\n",
                i, i % 3 ? "+=" : "=", i
        print "\nstatic void session_settle(struct session *s)\n{"
        print what == "broken" ? "\ts->credits = 0;" : "\tspin_lock(&s->lock);\n\ts->credits = 0;\n\tspin_unlock(&s->lock);"
        print "}\n"
        for (i = 1; i <= 2; i++)
            printf "SYSCALL_DEFINE1(settle%d, int, number)\n{\n\tstruct session *s = session_of(number);\n" \
                "\tspin_lock(&s->lock);\n\ts->owner = %d;\n\tspin_unlock(&s->lock);\n\tsession_settle(s);\n\treturn 0;\n}\n", i, i
    }' >"$tree/session.c"
}
run() { "$RACERX" run --format jsonl --all --quiet --db "$tree.db" "$tree" | grep '"kind":"race"'; }

plant broken
races=$(run)
first=${races%%$'\n'*}
[ "$(grep -c . <<<"$races")" -ge 100 ] || fail "only $(grep -c . <<<"$races") races: the weak candidates are not there"
case $first in
*'"object":"struct session.credits"'*) echo "ok planted: it is the first race" ;;
*) fail "the first race is another: $(cut -c 1-200 <<<"$first")" ;;
esac
grep -q '"function":"session_settle"' <<<"$first" || fail "the first race is not in session_settle"
reasons=$(sed 's/.*"reasons":\[//; s/\],"verdict":.*//' <<<"$first")
grep -Eq '[0-9]+ of [0-9]+|z = -?[0-9]' <<<"$reasons" || fail "the reasons do not name the belief: $reasons"
case $reasons in *'struct session.lock'*) ;; *) fail "the reasons do not name the lock: $reasons" ;; esac
case $first in *'"below_line":true'*) fail "it is below the line" ;; esac

plant repaired
! run | grep -q 'struct session.credits' || fail "repaired, it is still reported"
exit $status
