#!/bin/bash
# Which files are read, and under which name.
. "$(dirname "$0")/common.inc"
define() { printf '%s %s(void) { return 1; }\n' "${3:-int}" "$2" >"$1"; }
mkdir empty nothing
echo text >nothing/readme.txt
touch a-file.txt

run extract --db t.db missing
expect_line missing-path 2 "cannot read missing"
run extract --db t.db ""
expect_line empty-path 2 "the path is empty"
run extract --db t.db empty
expect_line empty-tree 2 "no C file"
run extract --db t.db nothing
expect_line no-c-file 2 "no C file"
mkfifo pipe.c
run extract --db t.db pipe.c
expect_line fifo-named 2 "named pipe"
run extract --db t.db /dev/null
expect_line device-named 2 "device"
run extract --db t.db $'no\nsuch'
expect_line missing-with-newline 2 'no\nsuch'

# Everything awkward in one tree; what can be read is.
mkdir -p tree/sub/deep tree/.git tree/.racerx tree/x.c "tree/with space"
define tree/b.c b
define tree/sub/a.c a
define tree/sub/inner.h inner "static inline int"
define tree/.git/hidden.c hidden
define tree/.racerx/ours.c ours
define tree/x.c/in_directory.c in_directory
define "tree/with space/s p.c" spaced
define "tree/quo\"te's.c" quoted
define "tree/new"$'\n'"line.c" newline
define "tree/bad"$'\xff\xfe'".c" invalid
define tree/not-c.txt ignored
mkfifo tree/fifo.c
ln -s nowhere.c tree/dangling.c
ln -s loop2.c tree/loop1.c
ln -s loop1.c tree/loop2.c
ln -s . tree/self
ln -s .. tree/sub/up
ln -s sub/a.c tree/a-link.c
ln -s /dev/zero tree/zero.c
mkdir outside
define outside/o.c outside
ln -s ../outside tree/outside
ln -s ../outside/o.c tree/o-link.c
head -c 70000 /dev/zero | tr '\0' ' ' >tree/large.c
run extract --db t.db --max-file-size 64K tree
expect awkward-tree 0
same awkward-files "$(functions t.db)" 'b.c:b
bad\ufffd\ufffd.c:invalid
new\nline.c:newline
quo\"te'"'"'s.c:quoted
sub/a.c:a
sub/inner.h:inner
with space/s p.c:spaced
x.c/in_directory.c:in_directory'
for text in "fifo.c: a named pipe" "dangling.c: a symbolic link that leads nowhere" "loop1.c: a symbolic link that leads back" \
    "o-link.c: a symbolic link out of the tree; --follow-links" "outside: a symbolic link to a directory outside" "zero.c: a device" "large.c: 70000 bytes are over"; do
    [[ $err == *"skipped $text"* ]] && ok "says ${text%%:*}" || not_ok "says ${text%%:*}" "$err"
done
run extract --db t.db --max-file-size 64K --follow-links tree
same links-followed "$(functions t.db | grep o-link)" o-link.c:outside
run extract --db t.db --max-file-size 64K tree
same links-not-followed-again "$(functions t.db | grep o-link)" ""
[[ $err == *"skipped self"* || $err == *"skipped sub/up"* ]] && not_ok inner-links "$err" || ok inner-links
touch tree/f{1,2,3,4,5,6,7,8,9}.c
for i in 1 2 3 4 5 6 7 8 9; do ln -s gone "tree/gone$i.c"; done
run extract --db t.db --max-file-size 64K tree
[[ $(grep -c "racerx: skipped" .err) -eq 11 && $err == *"skipped 7 more"* ]] && ok skips-are-few || not_ok skips-are-few "$err"
run extract --db t.db --quiet --max-file-size 64K tree
same quiet "$err" ""

# A tree where nothing can be read says why.
mkdir only
ln -s gone only/a.c
run extract --db t2.db only
expect nothing-readable 2 "no C file could be read in only"
[[ $err == *"skipped a.c"* ]] && ok nothing-readable-why || not_ok nothing-readable-why "$err"

# Names: one directory, several, a single file; the same file twice.
mkdir -p p/src q/src
define p/src/one.c one
define q/src/two.c two
run extract --db n.db p/src
same one-directory "$(functions n.db)" "one.c:one"
run extract --db n.db p/src/
same one-directory-slash "$(functions n.db)" "one.c:one"
(cd p/src && "$RACERX" extract -q --db ../../n.db .)
same dot "$(functions n.db)" "one.c:one"
run extract --db n.db p q
same several "$(functions n.db)" "p/src/one.c:one
q/src/two.c:two"
run extract --db n.db p/src q/src
same several-alike "$(functions n.db)" "p/src/one.c:one
q/src/two.c:two"
run extract --db n.db p p p/src p/src/one.c
same overlapping "$(functions n.db | wc -l)" 1
run extract --db n.db p/src/one.c q/src/two.c
same several-files "$(functions n.db)" "one.c:one
two.c:two"
ln -s p link
run extract --db n.db link
same linked-directory-named "$(functions n.db)" "src/one.c:one"

# A single file brings the headers that it names beside it, and theirs.
mkdir -p single/inc other
printf '#include "inc/h.h"\n#include "inc/h.h"\n#  include\t"self.c"\n#include "/etc/passwd"\n#include "gone.h"\n#include <sys.h>\nint f(void) { return 1; }\n' >single/self.c
printf '#include "../../other/deep.h"\n#include "h.h"\nstatic inline int h(void) { return 1; }\n' >single/inc/h.h
define other/deep.h deep "static inline int"
define single/unrelated.c unrelated
define single/inc/unrelated.h unrelated2 "static inline int"
run extract --db s.db single/self.c
same single-file "$(functions s.db)" "../other/deep.h:deep
inc/h.h:h
self.c:f"

# --exclude by path, by name, by directory.
run extract --db e.db -x x.c -x 'a-link*' -x 'sub/*' --exclude 'with space/' -x 'new*' -x 'bad*' -x ./quo* --exclude=o-link.c --max-file-size 64K tree
same exclude "$(functions e.db)" "b.c:b"
run extract --db e.db -x nonesuch p
expect exclude-nothing 0 "--exclude nonesuch took nothing out"
run extract --db e2.db -x '*.c' p
expect_line exclude-all 2 "excluded"

# compile_commands.json: found or named, never needed.
echo '[{"directory":"/","file":"'"$PWD"'/p/src/one.c","command":"cc -DX=\"a b\" -c one.c"},{"directory":"'"$PWD"'","arguments":["cc","-I","inc"],"file":"q/src/two.c"},{"file":"/nonesuch.c","directory":"/"},7,"x",{}]' >cc.json
define p/src/extra.c extra
run extract --db c.db --compile-commands cc.json p q
expect commands 0 "cc.json: 1 of 3 entries"
same commands-restrict-nothing "$(functions c.db | wc -l)" 3
run extract --db c.db --compile-commands cc.json --only-compiled p q
same only-compiled "$(functions c.db)" "p/src/one.c:one
q/src/two.c:two"
run extract --db c.db --only-compiled p
expect_line only-compiled-without 2 "needs a compile_commands.json"
run extract --db c.db --compile-commands nonesuch.json p
expect_line commands-missing 2 "cannot use nonesuch.json"
echo '{"a":' >bad.json
run extract --db c.db --compile-commands bad.json p
expect_line commands-malformed 2 "not valid JSON"
echo '{"a":1}' >object.json
run extract --db c.db --compile-commands object.json p
expect_line commands-object 2 "not a list"
head -c 100000 /dev/zero | tr '\0' '[' >deep.json
run extract --db c.db --compile-commands deep.json p
expect_line commands-deep 2 "not valid JSON"
mkdir p/build
cp bad.json p/build/compile_commands.json
run extract --db c.db p
expect commands-found-malformed 0 "is ignored"
mkdir -p tagged/build
define tagged/a.c a
define tagged/b.c b
echo '[{"directory":"..","file":"a.c","command":"cc -c a.c"}]' >tagged/build/compile_commands.json
run extract --db c.db --only-compiled tagged
same commands-found "$(functions c.db)" "a.c:a"
finish
