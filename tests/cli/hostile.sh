#!/bin/bash
# Text of a tree that is meant for the terminal, and patterns that never end.
. "$(dirname "$0")/common.inc"
mkdir tree
printf 'int f\033x(char *s) { g("\033[31mred\033]0;title\007", \047\033\047); s->\033m = 1; return 1; }\n' >tree/a.c
printf 'struct \033[2Js { int m; };\nint \233x; // \033[0m\n#define M \033\nint h(void) { return M; }\n' >>tree/a.c
run run --all tree
for words in "dump a.c" functions "list --all" "dump --skeleton a.c" "report --all" locks "callers g"; do
    run $words
    LC_ALL=C grep -aq $'\033\|\007\|\233' .out .err && not_ok "$words: printable" "$(cat -v .out .err | grep -m1 '\^')" || ok "$words: printable"
done
perl -e 'print "void ", "ab" x 200, "$_(void) { }\n" for 1 .. 2000' >tree/names.c
for line in 'for i = 1, 100 do keep("^(([a-z]+)+)+[0-9]+Z" .. i) end' 'lock { acquire = "^((a|b)+)+Q", release = "^((a|b)+)+P", arg = 1 }'; do
    echo "$line" >tree/racerx.lua
    start=$SECONDS
    run run -q tree
    [ $((SECONDS - start)) -lt 60 ] && [ "$status" -ne 3 ] && ok "a pattern that backtracks: $line" || not_ok "$line" "$((SECONDS - start)) s, $err"
    [ "$status" -eq 0 ] || expect_line "is said in a line" 2 "takes too long"
done
finish
