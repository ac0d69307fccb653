#!/bin/bash
# bench/slope.sh on a small tree: the sizes, their order, the row that is judged; and what the scripts read from logs.
. "$(dirname "$0")/../cli/common.inc"
root=$OLDPWD build=$(dirname "$RACERX")
[ -x "$build/bench/measure" ] || { echo "not built: bench/measure" && exit 77; }

# Eight directories of one .c file each, the last two as large as the rest together, and headers.
mkdir -p tree/include tree/big/left tree/big/right
for name in a b c d; do
    mkdir tree/$name
    { echo '#include "lock.h"' && echo "void ${name}_f(void) { spin_lock(&one); ${name}_g(); spin_unlock(&one); }"; } >tree/$name/f.c
done
for side in left right; do
    for i in 1 2 3; do echo "void ${side}_$i(void) { spin_lock(&one); spin_unlock(&one); }"; done >tree/big/$side/f.c
done
echo 'extern spinlock_t one;' >tree/include/lock.h
total=$(cat tree/*/f.c tree/big/*/f.c | wc -c)
before=$(cd tree && find . -type f -exec cksum {} + | sort)

out=$(TMPDIR=$work bash "$root/bench/slope.sh" --build "$build" -j 1 "$work/tree" 2>&1)
same "it ends well" $? 0
same "there are four sizes" "$(grep -c 'part-[1248]: ' <<<"$out")" 4
same "the last is all of it" "$(sed -n 's/.*part-8: \([0-9]*\) bytes.*/\1/p' <<<"$out")" "$total"
sizes=$(sed -n 's/.*part-[1248]: \([0-9]*\) bytes.*/\1/p' <<<"$out")
same "they grow" "$sizes" "$(sort -n <<<"$sizes")"
eighth=$(head -n 1 <<<"$sizes")
if [ "$((eighth * 8))" -ge "$total" ] && [ "$eighth" -lt "$((total / 2))" ]; then ok "the first is about an eighth"
else not_ok "the first is about an eighth" "$eighth of $total"; fi
same "the slope is a number, too short to judge" "$(sed -n 's/.*slope of log time over log bytes *-\{0,1\}[0-9.]* *<= 1.15 *//p' <<<"$out")" \
    "(too short to judge)"
same "headers come first, large directories by what is in them" \
    "$(cut -f 2 "$build/bench/tree.slope/order" | tr '\n' ' ')" "include a b c d big/left/f.c big/right/f.c "
same "the tree is as it was" "$(cd tree && find . -type f -exec cksum {} + | sort)" "$before"
rm -rf "$build/bench/tree.slope"

. "$root/bench/tools.inc"
run run --quiet --stats --db x.db tree
printf '%s\n' "$err" >log
for name in link skeletons walk findings; do
    if [[ $(stage "$name" s log) =~ ^[0-9.]+$ && $(stage "$name" GiB log) =~ ^[0-9.]+$ ]]; then ok "the log tells of $name"
    else not_ok "the log tells of $name" "$(head -c 2000 log)"; fi
done
same "and of constraints" "$(statistic 'unique lock-order constraints' log)" 0
finish
