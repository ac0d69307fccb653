#!/bin/bash
# functions, dump, run: what is printed of a small tree.
. "$(dirname "$0")/common.inc"
mkdir -p tree/sub
printf 'static int alpha(int x)\n{\n\treturn x;\n}\n\nint beta(void)\n{\n\treturn alpha(1);\n}\n' >tree/a.c
printf 'int gamma_(void)\n{\n\treturn 1;\n}\n' >tree/sub/a.c
printf 'int delta(void)\n{\n\treturn 1;\n}\n' >'tree/b:c.c'
run extract tree
expect extract 0 "functions"

run functions --format jsonl
same jsonl "$out" '{"file":"a.c","line":1,"function":"alpha","marks":["static"],"end_line":4,"lost_bytes":0}
{"file":"a.c","line":6,"function":"beta","marks":["root"],"end_line":9,"lost_bytes":0}
{"file":"b:c.c","line":1,"function":"delta","marks":["root"],"end_line":4,"lost_bytes":0}
{"file":"sub/a.c","line":1,"function":"gamma_","marks":["root"],"end_line":4,"lost_bytes":0}'
run functions
same text "$out" 'a.c:1      alpha   static
a.c:6      beta    root
b:c.c:1    delta   root
sub/a.c:1  gamma_  root'
run functions --file 'sub/*'
same by-file "$out" 'sub/a.c:1  gamma_  root'
run functions '?eta'
same by-name "$out" 'a.c:6  beta  root'
run functions nonesuch
expect by-name-none 0 "no function is called nonesuch"
run functions a b
expect_line too-many 2 "one too many"

run dump a.c:beta
expect dump-function 0
[[ $out == *beta* ]] && ok dump-function-text || not_ok dump-function-text "$out"
run dump sub/a.c
[[ $out == *gamma_* ]] && ok dump-file || not_ok dump-file "$out"
run dump b:c.c
[[ $out == *delta* ]] && ok dump-colon || not_ok dump-colon "$out"
run dump b:c.c:delta
[[ $out == *delta* ]] && ok dump-colon-function || not_ok dump-colon-function "$out"
run dump ./tree/sub/a.c:gamma_
[[ $out == *gamma_* ]] && ok dump-real-path || not_ok dump-real-path "$out"
run dump a.c:betta
expect_line dump-near 2 "did you mean 'beta'?"
run dump none.c
expect_line dump-none 2 "no such file in the database"
run dump
expect_line dump-nothing 2 "takes one FILE"
mkdir tree/other
cp tree/sub/a.c tree/other/a.c
mv tree/a.c tree/first.c
run extract -q tree
run dump a.c
expect_line dump-ambiguous 2 "several files end in a.c: other/a.c, sub/a.c"

run run tree
expect run 0
[[ $out == *"4 files"*"4 functions"* || $out == *"4 files"*"5 functions"* ]] && ok run-text || not_ok run-text "$out"
run run --format jsonl tree
same run-jsonl "$out" ""
run extract --stats tree
for text in "files" "functions with a body" "macros expanded" "of these lost" "scan" "harvest" "trees"; do
    [[ $err == *"$text"* ]] && ok "stats-$text" || not_ok "stats-$text" "$err"
done

# racerx.lua at the top of the tree is run, unless told otherwise.
echo 'this is no Lua' >tree/racerx.lua
run extract tree
expect config-mistake 2 "racerx.lua"
run extract -q --no-config tree
expect no-config 0
run extract -q --no-config --annotator nonesuch.lua tree
expect annotator-missing 2 "nonesuch.lua"
finish
