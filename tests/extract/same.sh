#!/bin/bash
# The same outcome for any number of threads, any order of files, a cold or a warm database; and no more is
# parsed again than a change reaches.
cases=$PWD/tests
. "$(dirname "$0")/../cli/common.inc"

# state DB DIR: everything a database holds, as text
state() {
    "$RACERX" functions --db "$1" --format jsonl
    find "$2" -type f -printf '%P\0' | sort -z | while IFS= read -r -d '' file; do
        echo "== $file"
        "$RACERX" dump --db "$1" "$file" 2>&1
    done
}

# A tree with headers that include each other, macros of every sort, and twins.
mkdir -p tree/inc/deep tree/drivers tree/lower
cp "$cases"/extract/lower/*.c tree/lower
for i in $(seq 24); do
    cat >"tree/drivers/d$i.c" <<END
#include <inc/all.h>
#include "local.h"
static int value_$i;
int used_$i(struct thing *t, int circle)
{
	int plain = circle;
	t->count += LIMIT + COUNT_$((i % 4));
	KEPT(t->count);
	if (plain > PING(LAUGH))
		return LOCAL(plain);
	value_$i = GUESSED + $i;
	return t->SHADOW + PONG(value_$i);
}
END
done
cat >tree/drivers/local.h <<'END'
#define LOCAL(x) ((x) * 2)
END
cat >tree/inc/all.h <<'END'
#ifndef ALL_H
#define ALL_H
#include "deep/base.h"
#include <inc/counts.h>
struct thing { int lock; int count; int SHADOW; };
#define SPREAD(x) do { if (x) { a(x); b(x); c(x); d(x); e(x); f(x); g(x); h(x); i(x); j(x); k(x); l(x); m(x); n(x); } } while (0)
#define KEPT(x) do { SPREAD(x); SPREAD(x); INNER(x); } while (0)
#define INNER(x) last(x)
#define PING(x) PONG(x) + a1(x) + a2(x) + a3(x) + a4(x) + a5(x) + a6(x) + a7(x) + a8(x) + a9(x) + a10(x)
#define PONG(x) PING(x) + b1(x) + b2(x) + b3(x) + b4(x) + b5(x) + b6(x) + b7(x) + b8(x) + b9(x) + b10(x)
static inline int inlined(struct thing *t) { return t->count + LIMIT; }
#endif
END
cat >tree/inc/deep/base.h <<'END'
#include "../all.h"
#define LIMIT 10
#define LAUGH LAUGH1, LAUGH1
#define LAUGH1 LAUGH2, LAUGH2
#define LAUGH2 7
END
printf '#define COUNT_%s %s\n' 0 10 1 11 2 12 3 13 >tree/inc/counts.h
printf '#define GUESSED 3\n#define elsewhere 4\n' >tree/inc/apart.h
printf '#define TWIN 1\nint twin(void) { return TWIN; }\n' | tee tree/twin.c tree/twin.i >tree/twin.h

# Threads and order.
"$RACERX" extract -q -j1 --db one.db tree
state one.db tree >one
[ "$(wc -l <one)" -gt 500 ] && ok there-is-something || not_ok there-is-something "$(wc -l <one) lines"
for jobs in 2 4 16; do
    "$RACERX" extract -q -j$jobs --db many.db tree && state many.db tree >many
    cmp -s one many && ok "threads-$jobs" || not_ok "threads-$jobs" "$(diff one many | head -n 5)"
    rm -f many.db
done
for seed in 1 2 3; do
    RACERX_SHUFFLE=$seed "$RACERX" extract -q -j$((seed * 2 - 1)) --db many.db tree && state many.db tree >many
    cmp -s one many && ok "shuffled-$seed" || not_ok "shuffled-$seed" "$(diff one many | head -n 5)"
    rm -f many.db
done
# Directory entries in another order: made anew, the other way round.
mkdir back
(cd tree && find . -type f | sort -r) | while read -r file; do
    mkdir -p "back/$(dirname "$file")"
    cp "tree/$file" "back/$file"
done
"$RACERX" extract -q --db many.db back && state many.db back >many
cmp -s one many && ok entries-reversed || not_ok entries-reversed "$(diff one many | head -n 5)"
rm -r tree/lower # changes are tried on the rest

# reached NAME COUNT: runs again over what was there; COUNT files are parsed, and the outcome is a fresh run's.
reached() {
    "$RACERX" extract --stats --db warm.db tree >/dev/null 2>.stats
    local parsed
    parsed=$(awk '/parsed now/ { print $3 }' .stats)
    same "$1: parsed" "$parsed" "$2"
    rm -f fresh.db
    "$RACERX" extract -q --db fresh.db tree
    state warm.db tree >warm
    state fresh.db tree >fresh
    cmp -s warm fresh && ok "$1: as fresh" || not_ok "$1: as fresh" "$(diff warm fresh | head -n 5)"
}
"$RACERX" extract -q --db warm.db tree
reached nothing 0
touch tree/drivers/d1.c tree/inc/all.h
reached touched 0
echo '// more' >>tree/drivers/d1.c
reached source 1
echo '// more' >>tree/inc/all.h
reached header-comment 1
sed -i 's/COUNT_1 11/COUNT_1 21/' tree/inc/counts.h
reached macro-of-six 7
sed -i 's/LIMIT 10/LIMIT 11/' tree/inc/deep/base.h
reached macro-of-all 26 # 24 sources, all.h and itself
sed -i 's/LAUGH2 7/LAUGH2 8/' tree/inc/deep/base.h
reached macro-behind-macros 25
sed -i 's/last(x)/return last(x)/' tree/inc/all.h
reached inside-a-macro-kept-as-a-call 25
echo '#define circle 3' >>tree/inc/deep/base.h
reached plain-name-becomes-a-macro 25
sed -i '/circle/d' tree/inc/deep/base.h
reached and-back 25
echo '#define plain 3' >>tree/inc/apart.h
reached same-name-in-a-header-not-included 1
echo '#define UNUSED 3' >>tree/inc/deep/base.h
reached macro-of-nobody 1
sed -i 's/GUESSED 3/GUESSED 4/' tree/inc/apart.h
reached number-from-a-header-not-included 1 # numbers are not guessed
sed -i '1i #include <inc/apart.h>' tree/drivers/d2.c
reached include-added 1
sed -i '1d' tree/drivers/d2.c
reached include-removed 1
printf '#include "apart.h"\n' >>tree/inc/counts.h
reached header-includes-more 25 # GUESSED is no guess any more, plain is a macro
sed -i '$d' tree/inc/counts.h
reached header-includes-less 25
mkdir tree/drivers/inc
printf '#define COUNT_1 31\n' >tree/drivers/inc/counts.h
"$RACERX" extract -q --db warm.db tree && rm -f fresh.db && "$RACERX" extract -q --db fresh.db tree
same closer-header-added "$(state warm.db tree | cksum)" "$(state fresh.db tree | cksum)"
rm -r tree/drivers/inc
"$RACERX" extract -q --db warm.db tree && rm -f fresh.db && "$RACERX" extract -q --db fresh.db tree
same closer-header-removed "$(state warm.db tree | cksum)" "$(state fresh.db tree | cksum)"
rm tree/inc/counts.h
reached header-removed 24
printf '#define COUNT_%s %s\n' 0 10 1 11 2 12 3 13 >tree/inc/counts.h
reached header-back 25
mv tree/drivers/d3.c tree/drivers/e3.c
reached source-renamed 1
rm tree/drivers/e3.c
reached source-removed 0
printf '#include "e4.c"\nint includes_a_source(void) { return 1; }\n' >tree/drivers/e5.c
printf '#define FROM_SOURCE 1\nint included(void) { return FROM_SOURCE; }\n' >tree/drivers/e4.c
reached source-that-is-included 2
sed -i 's/FROM_SOURCE 1/FROM_SOURCE 2/' tree/drivers/e4.c
reached source-that-is-included-changed 1
for option in '-D LIMIT=99' '-U LIMIT' '-D circle' '--preset linux' '--preset none'; do
    # shellcheck disable=SC2086
    "$RACERX" extract -q --db warm.db $option tree && rm -f fresh.db && "$RACERX" extract -q --db fresh.db $option tree
    same "option $option" "$(state warm.db tree | cksum)" "$(state fresh.db tree | cksum)"
done

# Of two headers the one with more files about it is meant: a new source may change that.
mkdir -p crowd/x/h crowd/y/h
echo '#define Q 1' >crowd/x/h/q.h
echo '#define Q 2' >crowd/y/h/q.h
printf '#include <h/q.h>\nint f(int a) { return a + Q; }\n' >crowd/main.c
echo 'int x;' >crowd/x/x.c
"$RACERX" extract -q --db crowd.db crowd
before=$("$RACERX" dump --db crowd.db main.c | cksum)
echo 'int y;' | tee crowd/y/{1,2,3}.c >/dev/null
"$RACERX" extract -q --db crowd.db crowd && rm -f fresh.db && "$RACERX" extract -q --db fresh.db crowd
same crowded "$(state crowd.db crowd | cksum)" "$(state fresh.db crowd | cksum)"
[ "$before" != "$("$RACERX" dump --db crowd.db main.c | cksum)" ] && ok crowded-differs || not_ok crowded-differs "no change"

# What there is to say of a file is said by every run.
printf 'int open(void) { return 1; }\n/* never closed\n' >tree/open.c
printf '\1\2\3\4%.0s' $(seq 50) >tree/binary.c
"$RACERX" extract --db warm.db tree 2>first
"$RACERX" extract --db warm.db tree 2>second
touch tree/drivers/d1.c
"$RACERX" extract --db warm.db tree 2>third
same said-again "$(grep skipped second)" "$(grep skipped first)"
same said-again-after-a-change "$(grep skipped third)" "$(grep skipped first)"
same said "$(grep -c skipped first)" 2
finish
