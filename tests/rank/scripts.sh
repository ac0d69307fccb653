#!/bin/bash
# Ranking on the command line: scripts that extend, veto and replace, settings, `racerx rank`; every mistake is one line with
# status 2 and leaves the database as it was; the README's examples run and its table of settings is true.
top=$PWD
. "$(dirname "$0")/../cli/common.inc"

mkdir -p tree/sub
cp "$top"/tests/deadlocks/{leak/leak.c,double/double_lock.c} tree/
cp "$top"/tests/deadlocks/unheld/unheld.c tree/sub/
scores() { # of the last output: kind and score, in order
    sed 's/.*"kind":"\([^"]*\)","score":\([^,]*\),.*/\1 \2/' <<<"$out"
}
first_file() { sed -n '1s/.*"objects":[^]]*\],"lock":"[^"]*","file":"\([^"]*\)".*/\1/p' <<<"$out"; }
below() { grep -c '"below_line":true' <<<"$out"; }
is() { [ "$2" == "$3" ] && ok "$1" || not_ok "$1" "got '$2', wanted '$3'"; }

run run --quiet --db a.db --format jsonl --all tree
expect run 0
base=$out
count=$(wc -l <<<"$base")
[ "$count" -ge 4 ] && ok some-findings || not_ok some-findings "only $count: $out"
[[ $out == *'"reasons":[{"points":'*'"text":"some paths return with the lock"'* ]] && ok reasons || not_ok reasons "$out"
is first-is-best "$(scores)" "$(scores | sort -s -k2,2nr)"

# rank: the same again, then by other numbers, and back
run rank --quiet --db a.db --format jsonl --all
expect rank 0
is rank-changes-nothing "$out" "$base"
run rank --db a.db
expect rank-text 0
[[ $out == *" 1. "*"why: "*"findings: "* ]] && ok rank-prints || not_ok rank-prints "$out"
run rank --db a.db --format jsonl --all --set lock_leak=99 --set line=90
expect rank-set 0
[[ $(scores | head -n 1) =~ ^lock-leak\ (9[0-9]|10[0-9])(\.|$) ]] && ok set-lifts || not_ok set-lifts "$(scores | head -n 1)"
is set-line "$(below)" "$((count - $(grep -c '^lock-leak' <<<"$(scores)")))"
run rank --db a.db --format jsonl --all
is settings-are-not-kept "$out" "$base"
run rank --db a.db --format jsonl --all --top 1
is top "$out" "$(head -n 1 <<<"$base")"

# scripts
cat >lift.lua <<'LUA'
rank(function(f) if match(f.file, "^sub/") then add(50, "ours") end end)
LUA
cat >replace.lua <<'LUA'
rank { replace = true, function(f) add(f.line, "by line") end }
LUA
run rank --db a.db --format jsonl --all --rank lift.lua
is lift "$(first_file)" sub/unheld.c
run rank --db a.db --format jsonl --all --rank lift.lua --rank lift.lua
is once "$(grep -o '"text":"ours"' <<<"$(head -n 1 <<<"$out")" | wc -l)" 1
run rank --db a.db --format jsonl --all --rank lift.lua --rank replace.lua
[[ $out != *'"ours"'* && $out == *'"by line"'* ]] && ok replace || not_ok replace "$out"
run rank --db a.db --format jsonl --all --rank replace.lua --rank lift.lua
[[ $out == *'"ours"'* && $out == *'"by line"'* ]] && ok replace-then-extend || not_ok replace-then-extend "$out"

# the same script has declarations and the ranking; run and check take it as annotator or find it in the tree
cp -r tree described
cat >described/racerx.lua <<'LUA'
lock { kind = "mutex", arg = 1, acquire = "TakeIt", release = "LetGo" }
keep "Trace"
settings { line = 100 }
annotate(function() end)
rank(function(f) add(1, "from the tree") end)
rank(function(f) if f.kind == "lock-leak" then veto("leaks are fine here") end end)
LUA
run run --quiet --db d.db --format jsonl --all described
expect tree-script 0
[[ $out == *'"from the tree"'* && $out == *'leaks are fine here'* ]] && ok tree-script-ranks || not_ok tree-script-ranks "$out"
is tree-script-line "$(below)" "$count"
seen=$out
run run --quiet --db d.db --format jsonl --all --no-config described
[[ $out != *'"from the tree"'* ]] && ok no-config || not_ok no-config "$out"
run check --quiet --db d.db --format jsonl --all --annotator described/racerx.lua
is check-annotator "$out" "$seen"
run check --quiet --db d.db --format jsonl --all --annotator described/racerx.lua --set line=-50
is set-overrules "$(below)" "$(grep -c '"lock-leak"' <<<"$out")"
run rank --quiet --db d.db --format jsonl --all --annotator described/racerx.lua
is rank-annotator "$out" "$seen"

# the same whatever the number of threads, also for a script that counts
cat >counts.lua <<'LUA'
local n = 0
rank(function(f) n = n + 1 add(n / 100, "number " .. n) end)
LUA
for jobs in 1 2 7; do
    run run --quiet --db "j$jobs.db" --format jsonl --all --rank counts.lua -j "$jobs" tree
    [ "$jobs" = 1 ] && one=$out
    is "jobs-$jobs" "$out" "$one"
done

# mistakes: before anything is made
bad() { # NAME SCRIPT TEXT
    printf '%s\n' "$2" >bad.lua
    run run --db none.db --rank bad.lua tree
    expect_line "run-$1" 2 "$3"
    [ ! -e none.db ] && ok "run-$1-early" || { not_ok "run-$1-early" "a database was made"; rm -f none.db; }
    run check --db a.db --annotator bad.lua
    expect_line "check-$1" 2 "$3"
    run rank --db a.db --rank bad.lua
    expect_line "rank-$1" 2 "$3"
    is "unchanged-$1" "$(cksum <a.db)" "$before"
}
"$RACERX" rank --quiet --db a.db >/dev/null # as it is from now on
before=$(cksum <a.db)
bad syntax $'\nrank(function(f' 'bad.lua:'
bad loop 'while true do end' 'bad.lua:1: the script takes too many steps'
bad type 'rank "x"' 'bad.lua:1: rank: takes a function'
bad setting $'\n\nsettings { lien = 3 }' "bad.lua:3: settings: there is no setting 'lien'; did you mean 'line'?"
bad no-number 'settings { race_only_often = "4" }' 'bad.lua:1: settings: race_only_often is a string'
bad global 'local x = os.time()' "bad.lua:1: 'os' is neither"
bad runtime-error 'error("no")' 'bad.lua:1: no'
run run --db none.db --rank missing.lua tree
expect_line missing-file 2 'cannot read the script missing.lua'
run run --db none.db --rank tree tree
expect_line directory 2 'cannot read the script tree'
run run --db none.db --set line=x tree
expect_line set-no-number 2 '--set line=x: the value is no number'
run run --db none.db --set lien=1 tree
expect_line set-unknown 2 "did you mean 'line'?"
run run --db none.db --set p0=2 tree
expect_line set-range 2 'from 0.001 to 0.999'
run run --db none.db --set line tree
expect_line set-no-value 2 'NAME=VALUE'
[ ! -e none.db ] && ok mistakes-make-nothing || not_ok mistakes-make-nothing "a database was made"
run rank --db none.db
expect rank-no-database 2
"$RACERX" extract --quiet --db e.db tree
run rank --db e.db
expect_line rank-no-findings 2 'no findings yet'
run rank --db a.db tree
expect_line rank-path 2 'rank takes no PATH'

# mistakes while scoring: found before anything is saved
late() { # NAME STATEMENTS TEXT
    printf 'rank(function(f)\n%s\nend)\n' "$2" >bad.lua
    run rank --db a.db --rank bad.lua
    expect_line "rank-$1" 2 "$3"
    same "rank-$1-prints-nothing" "$out" ""
    run check --db a.db --rank bad.lua
    expect_line "check-$1" 2 "$3"
    is "unchanged-$1" "$(cksum <a.db)" "$before"
}
late nan 'add(0 / 0, "x")' 'bad.lua:2: add: '
late infinite 'add(1 / 0, "x")' 'bad.lua:2: add: '
late text-points 'add("4", "x")' 'bad.lua:2: add: points must be a number, not a string'
late returns 'return 7' 'bad.lua:1: the ranking function returns a number'
late endless 'while true do end' 'bad.lua:2: the script takes too many steps'
late memory 'local s = "x" while true do s = s .. s end' 'bad.lua:2: the script uses more than'
late failing 'local x = f.features.nothing + 1' 'bad.lua:2: attempt to perform arithmetic'
late field 'local x = f.fiel' "bad.lua:2: a finding has no 'fiel'"

# the README: its examples run, its settings are those of default.lua
awk -v dir="$work" '/^```lua/ { n++; inside = 1; next } /^```/ { inside = 0 } inside { print > (dir "/example" n ".lua") }' "$top/rank/README.md"
examples=0
for example in "$work"/example*.lua; do
    run rank --db a.db --rank "$example" --all
    expect "readme-${example##*/}" 0
    examples=$((examples + 1))
done
[ "$examples" -ge 4 ] && ok readme-examples || not_ok readme-examples "only $examples"
awk '/^-- fitted/ { fitted = 1 } /^-- end of what is fitted/ { exit } /^    [a-z_0-9]* = / { sub(",", "", $3); print $1, fitted ? "fitted" : $3 }' \
    "$top/rank/default.lua" | sort >in-script
sed -n 's/^| `\([a-z_0-9]*\)` | \([-0-9.]*\|fitted\) |.*/\1 \2/p' "$top/rank/README.md" | sort >in-readme
[ "$(wc -l <in-script)" -gt 50 ] && cmp -s in-script in-readme && ok readme-settings || not_ok readme-settings "$(diff in-script in-readme | tr '\n' ' ')"
grep -q '^\.It Cm rank' "$top/docs/racerx.1" && grep -q 'Fl -set' "$top/docs/racerx.1" && ok man-page || not_ok man-page "rank or --set is missing"
run help
[[ $out == *"  rank "* ]] && ok help || not_ok help "$out"
for command in run check rank; do
    run "$command" --help
    [[ $out == *"--rank FILE"* && $out == *"--set NAME=VALUE"* ]] && ok "help-$command" || not_ok "help-$command" "$out"
done
finish
