#!/bin/bash
# The database: what is refused, and that nothing is lost.
. "$(dirname "$0")/common.inc"
trap 'umount "$work/small" "$work/tree" 2>/dev/null; rm -rf "$work"' EXIT
mkdir tree
for i in $(seq 40); do
    for j in $(seq 20); do
        printf 'int f%s_%s(int a)\n{\n\tif (a > %s)\n\t\treturn f%s_1(a - 1);\n\treturn a * %s;\n}\n' "$i" "$j" "$j" "$i" "$i"
    done >"tree/f$i.c"
done

run functions
expect_line no-database 2 "make it with \`racerx run DIR\`"
[ ! -e .racerx ] && ok reading-makes-nothing || not_ok reading-makes-nothing ".racerx is there"
run extract tree
expect default-database 0
[ -f .racerx/racerx.db ] && ok default-place || not_ok default-place "no .racerx/racerx.db"
wanted=$("$RACERX" functions --format jsonl)
same all-functions "$(wc -l <<<"$wanted")" 800
run extract tree
expect second-run 0 "0 parsed, 40 unchanged"
same second-run-same "$("$RACERX" functions --format jsonl)" "$wanted"
[ -z "$(find .racerx -name '*.lock')" ] && ok lock-removed || not_ok lock-removed "$(ls .racerx)"
rm tree/f40.c
run extract tree
same file-removed "$("$RACERX" functions --format jsonl | wc -l)" 780
printf 'int f40(void)\n{\n\treturn 1;\n}\n' >tree/f40.c
run extract tree
expect one-more 0 "1 parsed, 39 unchanged"
wanted=$("$RACERX" functions --format jsonl)

# Files that are no database of ours stay as they are.
refused() { # NAME FILE TEXT
    before=$(cksum <"$2")
    run extract --db "$2" tree
    expect_line "$1" 2 "$3"
    run functions --db "$2"
    expect_line "$1-read" 2 "$3"
    same "$1-untouched" "$(cksum <"$2")" "$before"
}
echo "int main;" >text.db
refused not-a-database text.db "is not a database"
head -c 100000 /dev/urandom >noise.db
refused noise noise.db "is not a database"
printf 'SQLite format 3' >short.db
refused short short.db "is not a database"
cp .racerx/racerx.db version.db
printf '\0\0\0\7' | dd of=version.db bs=1 seek=60 conv=notrunc 2>/dev/null
refused another-version version.db "made by another version of racerx"
cp .racerx/racerx.db foreign.db
printf '\0\0\0\7' | dd of=foreign.db bs=1 seek=68 conv=notrunc 2>/dev/null
refused another-program foreign.db "database of another program"
cp .racerx/racerx.db damaged.db
head -c 100 .racerx/racerx.db >damaged.db
head -c 60000 /dev/urandom >>damaged.db
before=$(cksum <damaged.db)
run functions --db damaged.db
expect_line damaged-read 2 "damaged"
same damaged-read-untouched "$(cksum <damaged.db)" "$before"
run extract --db damaged.db tree
expect damaged-made-anew 0 "set aside as damaged.db.damaged"
same damaged-kept "$(cksum <damaged.db.damaged)" "$before"
same damaged-is-good-again "$("$RACERX" functions --db damaged.db --format jsonl)" "$wanted"
mkdir directory.db
run extract --db directory.db tree
expect_line directory-as-database 2 "is not a file"
mkfifo fifo.db
run extract --db fifo.db tree
expect_line fifo-as-database 2 "is not a file"
run extract --db no/such/place.db tree
expect_line database-nowhere 2 "its directory"
: >empty.db
run functions --db empty.db
expect_line empty-database-read 2 "is empty"
run extract --db empty.db tree
expect empty-database-filled 0
run extract --db 'file:odd?mode=memory' tree
expect odd-database-name 0
[ -s 'file:odd?mode=memory' ] && ok odd-database-is-a-file || not_ok odd-database-is-a-file "$(ls)"

# A kill at any moment: readers see the state before or none, the next run completes it.
kill_at() { { RACERX_FAULT=$1 "$RACERX" extract -q --db k.db tree; } >/dev/null 2>&1; } # the shell's word on it, too
for point in store-schema store-first-write store-put store-put:7 store-put:31 store-commit store-commit:2 store-committed \
    store-files store-files-listed store-files-done; do
    rm -f k.db*
    kill_at $point
    killed=$?
    run functions --db k.db --format jsonl
    case $point in
    store-files-done | store-commit:2) [ $status -eq 0 ] || [ $status -eq 2 ] ;;
    *) [ $status -eq 2 ] && [ "$(wc -l <.err)" -eq 1 ] ;;
    esac && ok "read after a kill at $point" || not_ok "read after a kill at $point" "$status $err"
    run extract --db k.db tree
    if [ $status -eq 0 ] && [ "$("$RACERX" functions --db k.db --format jsonl)" == "$wanted" ]; then
        [ $killed -eq 137 ] && ok "kill at $point" || not_ok "kill at $point" "the point was not reached"
    else
        not_ok "kill at $point" "$err"
    fi
done
# The same over a finished run: readers go on seeing it until the new list is there.
for point in store-put store-commit store-files store-files-listed; do
    rm -f k.db*
    "$RACERX" extract -q --db k.db tree
    echo 'int changed(void) { return 2; }' >tree/f1.c
    kill_at $point
    same "old list after a kill at $point" "$("$RACERX" functions --db k.db --format jsonl)" "$wanted"
    "$RACERX" extract -q --db k.db tree
    same "new list after a kill at $point" "$("$RACERX" functions --db k.db changed --format jsonl | wc -l)" 1
    for j in $(seq 20); do
        printf 'int f1_%s(int a)\n{\n\tif (a > %s)\n\t\treturn f1_1(a - 1);\n\treturn a * 1;\n}\n' "$j" "$j"
    done >tree/f1.c
    "$RACERX" extract -q --db k.db tree
    same "and back after a kill at $point" "$("$RACERX" functions --db k.db --format jsonl)" "$wanted"
done
# In the middle of writing the file itself: a limit on its size ends the process there.
for blocks in 1 8 20 40 64 80 100 130; do
    rm -f k.db*
    { (ulimit -c 0 -f $blocks; exec "$RACERX" extract -q --db k.db tree); } >/dev/null 2>&1
    run extract -q --db k.db tree
    [ "$("$RACERX" functions --db k.db --format jsonl 2>/dev/null)" == "$wanted" ] && ok "killed at $blocks KiB" ||
        not_ok "killed at $blocks KiB" "$err"
done

# A full disk.
for point in store-schema store-first-write store-put store-commit store-files store-files-listed; do
    rm -f k.db*
    RACERX_FAULT_FULL=$point run extract --db k.db tree
    expect "full disk at $point" 2 "the disk is full"
    run extract -q --db k.db tree
    same "space again after $point" "$("$RACERX" functions --db k.db --format jsonl)" "$wanted"
done
mkdir small
if mount -t tmpfs -o size=96k racerx-test small 2>/dev/null; then
    run extract --db small/s.db tree
    expect really-full 2 "the disk is full"
    mount -o remount,size=64m small
    run extract -q --db small/s.db tree
    same really-full-then-space "$("$RACERX" functions --db small/s.db --format jsonl)" "$wanted"
    umount small
else
    ok "really-full # skipped: cannot mount here"
fi

# Two writers.
rm -f k.db*
flock k.db.lock sleep 2 &
holder=$!
while flock -n k.db.lock true 2>/dev/null; do sleep 0.05; done
run extract --no-wait --db k.db tree
expect_line no-wait 2 "another racerx"
run extract --db k.db tree
expect waits 0 "waiting for another racerx on k.db"
wait $holder
same waited "$("$RACERX" functions --db k.db --format jsonl)" "$wanted"
rm -f k.db*
for i in 1 2 3 4; do "$RACERX" extract -q --db k.db tree & done
wait
same four-at-once "$("$RACERX" functions --db k.db --format jsonl)" "$wanted"

# The analysed tree is only read.
if mount --bind tree tree 2>/dev/null && mount -o remount,bind,ro tree 2>/dev/null; then
    run extract --db ro.db tree
    expect read-only-tree 0
    umount tree
else
    ok "read-only-tree # skipped: cannot mount here"
fi
finish
