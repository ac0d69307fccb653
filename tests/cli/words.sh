#!/bin/bash
# The command line itself: help, versions, mistakes.
. "$(dirname "$0")/common.inc"

run --version
expect version 0
[[ $out == "racerx "[0-9]*.[0-9]*.[0-9]* && $out == *SQLite* && $out == *Lua* && $out == *PCRE2* && $out == *tree-sitter* ]] &&
    ok version-text || not_ok version-text "$out"
run help
expect help 0
for command in run check rank extract functions semaphores guards dump help version; do
    [[ $out == *"  $command "* ]] && ok "help-lists-$command" || not_ok "help-lists-$command" "$out"
done
for command in run check rank extract functions semaphores guards dump help version; do
    run "$command" --help
    expect "$command-help" 0
    [[ $out == "usage: racerx $command"* && $out == *--help* ]] && ok "$command-help-text" || not_ok "$command-help-text" "$out"
    first=$out
    run help "$command"
    same "help-$command" "$out" "$first"
done
run
expect no-command 2 "usage: racerx"
run extrcat
expect_line near-command 2 "did you mean 'extract'?"
run frobnicate
expect_line unknown-command 2 "no command 'frobnicate'"
run $'a\nb'
expect_line command-with-newline 2 'a\nb'
run extract --exlude x .
expect_line near-option 2 "did you mean '--exclude'?"
run functions --zzzzzz
expect_line unknown-option 2 "has no option '--zzzzzz'"
run functions -Z
expect_line unknown-letter 2 "has no option '-Z'"
run extract --db
expect_line missing-value 2 "--db needs a value"
run extract --quiet=1 .
expect_line flag-with-value 2 "takes no value"
run extract
expect_line no-path 2 "needs a PATH"
for size in 0 -1 12x 1T "" 99999999999999999999999 3G; do
    run extract --max-file-size "$size" .
    expect_line "bad-size-$size" 2 "--max-file-size"
done
for jobs in 0 -3 x 1000; do
    run extract -j "$jobs" .
    expect_line "bad-jobs-$jobs" 2 "--jobs"
done
run extract --define 1x .
expect_line bad-define 2 "C name"
run extract --undefine A=1 .
expect_line bad-undefine 2 "C name"
run functions --format xml
expect_line bad-format 2 "no format 'xml'"
run extract --preset none --preset linux .
expect_line preset-none-and-more 2 "--preset none"
[ ! -e .racerx ] && ok mistakes-make-nothing || not_ok mistakes-make-nothing ".racerx was made"

"$RACERX" help >/dev/full 2>.err
same full-output "$?" 2
grep -q "cannot write standard output" .err && ok full-output-said || not_ok full-output-said "$(cat .err)"
{ "$RACERX" help 2>.err; } | :
[ -s .err ] && not_ok closed-pipe "$(cat .err)" || ok closed-pipe
finish
