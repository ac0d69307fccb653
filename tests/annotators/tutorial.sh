#!/bin/bash
# The tutorial of annotators/README.md, to the letter: its program, its script, what it says they print.
readme=$PWD/annotators/README.md
. "$(dirname "$0")/../cli/common.inc"
# block N LANGUAGE: the Nth such block after the tutorial's heading
block() {
    awk -v wanted="$1" -v fence="\`\`\`$2" '/^### Your first marks/ { on = 1 } on && inside && /^```$/ { inside = 0 }
        inside && n == wanted { print } on && $0 == fence { inside = 1; n++ }' "$readme"
}
mkdir tree
block 1 c >tree/kernel.c
[ -s tree/kernel.c ] && ok program || not_ok program "no C block in the tutorial"
run extract -q tree
expect extract 0
run functions
same before "$out" "$(block 1 text)"
block 1 lua >tree/racerx.lua
lines=$(wc -l <tree/racerx.lua)
[ "$lines" -ge 10 ] && [ "$lines" -le 18 ] && ok a-dozen-lines || not_ok a-dozen-lines "$lines"
run functions
expect marks 0
same after "$out" "$(block 2 text)"
same quiet "$err" ''
run run --format jsonl tree
expect run 0
run check --format jsonl
expect check 0
finish
