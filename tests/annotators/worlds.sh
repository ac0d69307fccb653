#!/bin/bash
# Programs in the idiom of each world a preset is for: worlds/NAME/*.c. The preset NAME must be picked for the folder by what
# is called in it, and what is found must be what the verdicts on the lines say (see tests/verdict).
cd "$(dirname "$0")/../.." || exit 2
: "${RACERX:=build/racerx}" "${TMP:=/tmp}"
failures=0
work=$(mktemp -d "$TMP/worlds.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
for folder in tests/annotators/worlds/*/; do
    name=$(basename "$folder")
    picked=$("$RACERX" run --quiet --db "$work/x.db" "$folder" 2>/dev/null | sed -n 's/.*lock tables: //p')
    rm -f "$work/x.db"
    case ", $picked," in
    *", $name,"*) echo "ok $name is recognised" ;;
    *) echo "not ok $name: recognised as '$picked'" && failures=1 ;;
    esac
    tests/verdict "$folder" || failures=1
done
exit "$failures"
