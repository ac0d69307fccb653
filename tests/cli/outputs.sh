#!/bin/bash
# What is named with -o: a regular file is replaced as a whole, a device or pipe is written to, a link is refused, and
# nothing that was planted beside it is written through.
. "$(dirname "$0")/common.inc"
mkdir tree
cat >tree/a.c <<'C'
#include <pthread.h>
static pthread_mutex_t a, b;
void f(void) { pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); }
void g(void) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); }
C
run run -q tree
expect run 0
wanted=$("$RACERX" report --format jsonl)
[ -n "$wanted" ] && ok "there is a finding" || not_ok "there is a finding" "$out"
report() { run report --format jsonl -o "$@"; }

echo old >file
chmod 640 file
report file
expect "a file" 0
same "is replaced" "$(cat file)" "$wanted"
same "with its mode" "$(stat -c %a file)" 640
report fresh
same "a new one" "$(cat fresh)" "$wanted"
ln file twin
echo keep >twin
report file
same "another name of the same file is left alone" "$(cat twin)" keep

# planted links
echo precious >victim
ln -s victim link
report link
expect_line "a link to a file" 2 "it is a link"
same "is still one" "$(readlink link)" victim
same "what lies behind it" "$(cat victim)" precious
ln -s nowhere dangling
report dangling
expect_line "a link to nothing" 2 "it is a link"
[ ! -e nowhere ] && ok "makes nothing" || not_ok "makes nothing" "$(cat nowhere)"
ln -s victim page.partial
report page
expect "a planted .partial" 0
same "is not written through" "$(cat victim)" precious
same "and what was asked for is there" "$(cat page)" "$wanted"
same "nothing else is left" "$(find . -name '*.partial' ! -name page.partial)" ""

# what is no file
mkfifo pipe
cat pipe >got &
report pipe
expect "a FIFO" 0
wait $!
same "is written to" "$(cat got)" "$wanted"
[ -p pipe ] && ok "and stays one" || not_ok "and stays one" "$(ls -l pipe)"
report /dev/null
expect "a device" 0
[ -c /dev/null ] && ok "and it stays one" || not_ok "and it stays one" "$(ls -l /dev/null)"
same "/dev/stdout in a pipe" "$("$RACERX" report --format jsonl -o /dev/stdout | cat)" "$wanted"
"$RACERX" report --format jsonl -o /dev/stdout >redirected
same "/dev/stdout into a file" "$(cat redirected)" "$wanted"
if [ -w /dev/full ]; then
    report /dev/full
    expect_line "a full device" 2 "cannot write /dev/full: No space left"
fi
mkdir directory
report directory
expect_line "a directory" 2 "it is a directory"
report no/such/place
expect_line "nowhere" 2 "cannot write no/such/place"

# init
run init -q tree
expect init 0
rm tree/racerx.lua
ln -s ../victim tree/racerx.lua
run init -q tree
expect_line "init through a link" 2 "it is a link"
same "leaves what lies behind it" "$(cat victim)" precious
run init -q -o link tree
expect_line "init -o through a link" 2 "it is a link"
rm tree/racerx.lua
run init -q -o /dev/null tree
expect "init -o to a device" 0

# The default place is no way out of the directory either.
mkdir elsewhere hostile
cp tree/a.c hostile
ln -s ../elsewhere hostile/.racerx
(cd hostile && "$RACERX" run -q . >../.out 2>../.err)
status=$? err=$(cat .err)
expect_line "a link for .racerx" 2 "is a link"
same "nothing is made there" "$(ls -A elsewhere)" ""
rm hostile/.racerx
mkdir hostile/.racerx
: >empty
ln -s ../../empty hostile/.racerx/racerx.db
(cd hostile && "$RACERX" run -q . >../.out 2>../.err)
status=$? err=$(cat .err)
expect_line "a link for the default database" 2 "is a link"
[ ! -s empty ] && ok "which fills nothing" || not_ok "which fills nothing" "$(wc -c <empty)"
finish
