#!/bin/bash
# Fingerprints, by doing it: programs with bugs are changed in ways that do not touch a bug (lines inserted, another layout,
# functions in another order, unrelated functions renamed, the file moved), and every id must stay; then the object, the lock or the
# function of each finding is renamed, and its id must go.
root=$PWD
. "$(dirname "$0")/../cli/common.inc"
command -v jq >/dev/null || { echo "there is no jq"; exit 77; }

programs=("$root"/examples/*.c "$root"/tests/deadlocks/{leak/leak,sleep/sleep_alloc,irq/irq,unheld/unheld,sleep/guard_exits}.c) # every kind
every=${FINGERPRINTS_EVERY:-6} # of the other programs; 1 takes all of them, and two minutes
for program in "$root"/tests/races/posix/*.c "$root"/tests/races/kernel/*.c "$root"/tests/deadlocks/*/*.c; do
    case $program in *_repaired.c) continue ;; esac
    number=$((${number:--1} + 1))
    [ $((number % every)) != 0 ] || programs+=("$program")
done
programs_seen=0 findings_seen=0
declare -A seen changed

findings() { # DIRECTORY: as JSON lines, all of them
    "$RACERX" run --quiet --all --format jsonl --db x.db ${options[@]+"${options[@]}"} "$1" 2>.err </dev/null || echo "failed: $(head -n 1 .err)"
    rm -f x.db
}
ids() { findings "$1" | jq -r '.kind + " " + .id' | sort; }
stays() { # NAME DIRECTORY
    local now
    now=$(ids "$2")
    seen[$1]=$((${seen[$1]:-0} + 1))
    [ "$now" = "$before" ] || not_ok "${program##*/}: $1" "$(diff <(echo "$before") <(echo "$now") | grep '^[<>]' | tr '\n' ' ')"
}
goes() { # NAME ID DIRECTORY: it is found, but under another id
    local now
    now=$(ids "$3")
    changed[$1]=$((${changed[$1]:-0} + 1))
    [[ $now != *"$2"* ]] || not_ok "${program##*/}: $1" "$2 is still there"
}
fresh() { rm -rf tree && mkdir tree; }
renamed() { # FROM TO: of whole words, everywhere but in includes
    sed "/^#include/!s/\\b$1\\b/$2/g" base/p.c >tree/p.c
}

# Functions in reverse order, after everything that is no function. They begin in the first column and end with a } there. Those in
# an arm of a conditional stay where they are.
reverse_functions() {
    awk '
    function flush() { if (text != "") { functions[++count] = text; text = "" } }
    inside { text = text $0 "\n"; if (/^}/) { inside = 0; flush() } next }
    /^#[ \t]*if/ { arms++ }
    /^#[ \t]*endif/ { arms-- }
    arms { print; next }
    /^[A-Za-z_].*\)[ \t]*(\{.*)?$/ && !/;[ \t]*$/ && !/^(typedef|struct [a-z_]+ \{|union|enum)/ && !/=/ {
        pending = $0 "\n"
        if (/\{.*\}[ \t]*$/) { functions[++count] = pending; next }
        inside = 1; text = pending; next
    }
    { print }
    END { flush(); for (i = count; i > 0; i--) printf "%s", functions[i] }'
}

for program in "${programs[@]}"; do
    case $program in *_repaired.c) continue ;; esac
    read -r -a options < <(sed -n '1,2s|^// racerx: *||p' "$program")
    rm -rf base && mkdir base && cp "$program" base/p.c
    list=$(findings base)
    [ -n "$list" ] || continue
    before=$(jq -r '.kind + " " + .id' <<<"$list" | sort)
    programs_seen=$((programs_seen + 1))
    findings_seen=$((findings_seen + $(wc -l <<<"$before")))
    same "${program##*/}: ids are unique" "$(uniq -d <<<"$before")" '' >.same || cat .same

    fresh && sed '/\\$/!{/^[ \t]*#/!s/$/\n\n/}' base/p.c | sed '1s/^/\n\/* moved *\/\n/
        /^[ \t]*#/!{s/^[ \t]*\([^ \t]\)/      \1/; s/;[ \t]*$/ ;/; s/\([a-z_0-9]\)(/\1 (/g}' >tree/p.c
    stays "lines inserted, indented anew" tree
    if command -v clang-format >/dev/null; then
        fresh && clang-format -style=GNU base/p.c >tree/p.c
        stays "laid out anew" tree
    fi
    fresh && mkdir -p tree/some/where && echo 'int unrelated(int a) { return a; }' >tree/q.c
    reverse_functions <base/p.c >tree/some/where/p.c
    stays "functions reordered, file moved" tree
    # Functions that no finding is in: callers, roots, others. `main` is the language's.
    related=$(jq -r '.sites[].function, .evidence[].function, .object, .objects[], .lock, (.sites[] | .object, .lockset[])' <<<"$list")
    cp base/p.c before.c
    for function in $("$RACERX" extract -q --db x.db base 2>/dev/null; "$RACERX" functions --db x.db --format jsonl 2>/dev/null | jq -r .function; rm -f x.db); do
        case $function in main | sys_* | *lock* | *init*) continue ;; esac # names that the tables know by their looks
        grep -qwF -- "$function" "$root"/annotators/*.lua && continue              # or by name: what it does goes with it
        grep -qwF -- "$function" <<<"$related" && continue
        sed -i "/^#include/!s/\\b$function\\b/unrelated_$function/g" before.c
    done
    fresh && cp before.c tree/p.c
    stays "unrelated functions renamed" tree

    # The first that is shown of each kind.
    while IFS=$'\t' read -r kind id object lock function; do
        [ -n "$object" ] || case $lock in *' off') continue ;; esac # of no lock in the text
        case $object in 'what '*' keeps') continue ;; esac          # of a library: no name in the text
        name=${object:-$lock} && name=${name##*[.:> ]} && name=${name%%[^A-Za-z0-9_]*}
        if [ -n "$name" ] && grep -qw "$name" base/p.c; then
            fresh && renamed "$name" "another_$name"
            goes "object renamed ($kind)" "$id" tree
        fi
        [ "$function" != main ] && grep -qw "$function" base/p.c || continue # a macro may have made its name
        fresh && renamed "$function" "another_$function"
        goes "function renamed ($kind)" "$id" tree
    done < <(jq -r 'select(.below_line | not) | [.kind, .id, .object, .lock, .function] | @tsv' <<<"$list" | sort -u -k1,1)
done
# Code that does it right, added elsewhere, makes no other finding of one.
options=() program=counter.c
fresh && cp "$root/examples/counter.c" tree/p.c
before=$(ids tree)
echo 'void more(void) { pthread_mutex_lock(&total.mutex); total.done++; total.failed++; pthread_mutex_unlock(&total.mutex); }' >>tree/p.c
stays "code added" tree
# Files of one name in several directories: their ids differ, and none takes over another's when one comes or goes.
fresh && mkdir tree/b tree/c && cp "$root/examples/counter.c" tree/b/p.c && cp "$root/examples/counter.c" tree/c/p.c
two=$(ids tree)
same "two of a name" "$(sort -u <<<"$two" | wc -l)" 2
same "neither is the one" "$(grep -cxF -- "$before" <<<"$two")" 0
mkdir tree/a && cp "$root/examples/counter.c" tree/a/p.c
same "three of a name" "$(ids tree | grep -cxF -- "$two")" 2

for name in "${!seen[@]}"; do echo "ok $name: ${seen[$name]} programs"; done
for name in "${!changed[@]}"; do echo "ok $name: ${changed[$name]} findings"; done
[ "$programs_seen" -ge 25 ] && [ "$findings_seen" -ge 30 ] && ok enough || not_ok enough "$programs_seen programs, $findings_seen findings"
finish
