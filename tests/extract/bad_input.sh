#!/bin/bash
# Files that are no good C, or no C at all: one clear line each, status 0, and the rest of the tree is extracted.
# Nesting and explosions are in deep.sh; links, odd names, empty and missing trees in cli/scan.sh; databases that
# are none, full disks and several runs at once in cli/store.sh.
root=$PWD
. "$(dirname "$0")/../cli/common.inc"

# bad NAME LINES TEXT OPTION...: the tree `t` with one bad file in it: LINES lines say so, with TEXT in one of them; what
# is good is there, now and when nothing has changed.
bad() {
    printf 'int good(void)\n{\n\treturn 1;\n}\n' >t/good.c
    rm -f t.db*
    run extract "${@:4}" --db t.db t
    expect "$1" 0 "$3"
    same "$1: lines" "$(grep -c 'racerx: skipped' "$work/.err")" "$2"
    functions t.db | grep -qx 'good.c:good' && ok "$1: the rest" || not_ok "$1: the rest" "$(functions t.db)"
    local first=$err
    run extract "${@:4}" --db t.db t
    same "$1: said again" "$(grep skipped <<<"$err")" "$(grep skipped <<<"$first")"
    rm -rf t
    mkdir t
}
mkdir t

# binary files, NUL bytes, invalid UTF-8
head -c 100000 /dev/urandom >t/random.c
bad random-bytes 1 "random.c: is binary, not C"
head -c 1000000 "$RACERX" >t/program.c # all of it is over the limit of sizes in a build with sanitizers
bad program 1 "program.c: is binary, not C"
printf '\377\376i\0n\0t\0 \0x\0;\0 \0i\0n\0t\0 \0y\0;\0' >t/wide.c
bad utf-16 1 "wide.c: is binary, not C"
head -c 100000 /dev/zero >t/zero.c
bad zeros 1 "zero.c: is binary, not C"
head -c 5000 /dev/urandom >t/random.h
printf '#include "random.h"\nint uses(void) { return 1; }\n' >t/uses.c
bad binary-header 1 "random.h: is binary, not C"
: >t/empty.c
bad empty-file 0 ""
printf 'int nul(void)\n{\n\treturn 1;\0\n}\n\0int after(void)\n{\n\treturn \0 2;\n}\n' >t/nul.c
run extract --db t.db t
expect nul-bytes 0
same nul-bytes-read "$(functions t.db | tr '\n' ' ')" "nul.c:nul nul.c:after "
rm t/nul.c
printf 'int latin(void)\n{\n\treturn "\351\377\300\200"[0]; /* \351 */\n}\nint n\303\251(void)\n{\n\treturn 1;\n}\nint \377(void) { return 1; }\n' >t/latin.c
run extract --db t.db t
expect invalid-utf-8 0
same invalid-utf-8-read "$("$RACERX" functions --db t.db --format jsonl | iconv -f UTF-8 -t UTF-8 | wc -l)" 3
"$RACERX" dump --db t.db latin.c >/dev/null && ok invalid-utf-8-dumped || not_ok invalid-utf-8-dumped "status $?"
rm t/latin.c
printf '\357\273\277int marked(void)\r\n{\r\n\treturn 1;\r\n}\r\n' >t/marked.c
run extract --db t.db t
same byte-order-mark-and-carriage-returns "$(functions t.db)" "marked.c:marked"
rm t/marked.c

# one line: too large to be read, and large but read
truncate -s 200M t/huge.c
bad huge-line 1 "huge.c: "
perl -e 'for my $i (1 .. 2000) { print "int f$i(int a) { ", "a += $i; " x 400, "return a; } " }' >t/line.c
[ "$(stat -c %s t/line.c)" -gt 8000000 ] && ok long-line-is-long || not_ok long-line-is-long "$(stat -c %s t/line.c)"
run extract --db t.db t
expect long-line 0
same long-line-read "$(functions t.db | wc -l)" 2000
"$RACERX" functions --db t.db --format jsonl | grep -q '"line":1,"function":"f2000"' && ok long-line-place || not_ok long-line-place "$(functions t.db | tail -n 1)"
rm t/line.c
perl -e 'print "int x; /* ", "a" x 9000000, " */ int f(void) { return 1; }"' >t/comment.c
bad long-comment 0 ""
perl -e 'print "#define A ", "a + " x 2000000, "\nint f(void) { return A 1; }\n"' >t/macro.c
bad long-macro 1 "macro.c: a declaration or function of more than 524288 tokens"
perl -e 'print "int x[] = { ", "1, " x 2000000, "};\n"' >t/table.c
bad long-table 0 ""

# what never ends
printf 'int f(void) { return 1; }\n/* open\nint g(void) { return 1; }\n' >t/comment.c
bad open-comment 1 "comment.c: unterminated comment: read up to there"
printf 'int f(void)\n{\n\treturn "open;\n}\nint g(void)\n{\n\treturn 1;\n}\n' >t/string.c
run extract --db t.db t
expect open-string 0 "string.c: unterminated literal"
functions t.db | grep -qx 'string.c:g' && ok open-string-next-function || not_ok open-string-next-function "$(functions t.db)"
rm t/string.c
printf "int f(void) { return 'a; }\nint g(void)\n{\n\treturn 1;\n}\n" >t/char.c
bad open-char 1 "unterminated literal"
printf 'int f(void) { return "open' >t/end.c
bad open-string-at-end 1 "unterminated literal"
printf '#define A \\\n' >t/splice.c
bad open-splice 0 ""
printf '#if 1\nint f(void) { return 1; }\n#else\n' >t/if.c
bad open-conditional 0 ""
printf '#endif\n#else\n#elif 1\nint f(void) { return 1; }\n#endif\n' >t/endif.c
bad stray-endif 0 ""
printf 'int f(void) {\n' >t/brace.c
bad open-brace 0 ""
printf '#define\n#define 1\n#define A(\n#define B(a\n#define C(a,\n#define D(...\n#undef\n#include\n#include <\n#include "\n#if\n#elif\n#ifdef\n#endif\n#line\n# 1\n# 99999999999999999999 "x\nint f(void) { return A( B(1 C(1, D(; }\n' >t/directives.c
bad directives-cut-short 0 ""

# includes in circles
printf '#include "b.h"\n#define A 1\n#define AB B\n' >t/a.h
printf '#include "c.h"\n#include "b.h"\n#define B A\n' >t/b.h
printf '#include "a.h"\n#include "uses.c"\n#define C B\n' >t/c.h
printf '#include "a.h"\n#include "uses.c"\n#include "."\n#include ".."\n#include "../../../../etc/passwd"\n#include "/dev/zero"\n#include ""\nint uses(int a)\n{\n\treturn a + AB + C;\n}\n' >t/uses.c
run extract --db t.db t
expect include-circle 0
"$RACERX" dump --db t.db uses.c:uses | grep -qF '(a + 1) + 1' && ok include-circle-read || not_ok include-circle-read "$("$RACERX" dump --db t.db uses.c:uses)"
rm -r t && mkdir t
perl -e 'for my $i (0 .. 3000) { open F, ">", "t/h$i.h"; my $next = $i + 1; print F "#include \"h$next.h\"\n#include \"h0.h\"\n#define H$i H$next\n" }'
printf '#define H3001 7\n' >t/h3001.h
printf '#include "h0.h"\nint f(void) { return H0; }\n' >t/f.c
bad include-chain 0 ""

# what cannot be read
ln -s /proc/self/mem t/memory.c
bad reading-fails 1 "memory.c: cannot be read: Input/output error" --follow-links
ln -s gone t/gone.c
mkfifo t/pipe.c
mkdir t/directory.c
bad nothing-to-read 2 "pipe.c: "
mkdir -p t/deep
(cd t/deep && for i in $(seq 300); do mkdir dddddddddddddddddddd && cd dddddddddddddddddddd || exit; done 2>/dev/null
    printf 'int far(void) { return 1; }\n' >far.c)
bad long-path 1 "the directory cannot be read: File name too long"
name=$(perl -e 'print "n" x 253')
printf 'int named(void) { return 1; }\n' >"t/$name.c"
run extract --db t.db t
same long-name "$(functions t.db)" "$name.c:named"
rm -rf t && mkdir t

# A kill at any moment: the next run completes, to the byte.
mkdir -p t/inc
cp "$root"/examples/*.c t
printf '#define LIMIT 3\nstatic inline int helper(int a) { return a + LIMIT; }\n' >t/inc/h.h
for i in $(seq 30); do printf '#include "inc/h.h"\nint k%s(int a)\n{\n\treturn helper(a) > LIMIT ? %s : a;\n}\n' "$i" "$i" >"t/k$i.c"; done
printf 'int broken(void)\n{\n\ta b c;\n}\n/* open' >t/open.c
state() {
    "$RACERX" functions --db "$1" --format jsonl
    for file in t/*.c t/inc/h.h; do "$RACERX" dump --db "$1" "${file#t/}"; done
    "$RACERX" extract --stats --db "$1" t 2>&1 >/dev/null | grep -E 'skipped|files|functions|lost|bytes of'
}
"$RACERX" extract -q --db whole.db t
wanted=$(state whole.db)
for point in store-schema store-first-write store-put store-put:9 store-put:30 store-commit store-commit:2 store-committed store-files \
    store-files-listed store-files-done; do
    for twice in once twice; do
        rm -f k.db*
        { RACERX_FAULT=$point "$RACERX" extract -q -j2 --db k.db t; } >/dev/null 2>&1
        killed=$?
        [ $twice = once ] || { RACERX_FAULT=$point "$RACERX" extract -q --db k.db t; } >/dev/null 2>&1
        run extract --db k.db t
        if [ "$status" -ne 0 ] || [ "$killed" -ne 137 ]; then
            not_ok "killed $twice at $point" "status $status after $killed: $err"
        else
            same "killed $twice at $point" "$(state k.db)" "$wanted"
        fi
    done
done
finish
