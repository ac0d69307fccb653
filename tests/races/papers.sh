#!/bin/bash
# The examples of the papers in papers/, each against the verdicts on its lines: see tests/verdict. Of the slides'
# illustrative race also how the finding counts: one for all four variables.
set -u
cd "$(dirname "$0")/../.." || exit 2
: "${RACERX:=build/racerx}" "${TMP:=/tmp}"
status=0
tests/verdict tests/races/papers/*.c tests/races/papers/*/ || status=1

finding=$("$RACERX" run --format jsonl --all --quiet --db "$TMP/iospace.db" tests/races/papers/slides_iospace |
    grep '"kind":"race"' | grep '"function":"IOSpaceEnablePassthrough"')
rm -f "$TMP/iospace.db"
expect() { # pattern
    grep -Eq "$1" <<<"$finding" && echo "ok slides_iospace: $1" && return
    echo "not ok slides_iospace: the finding has no $1"
    status=1
}
objects=$(sed 's/.*"objects":\[//; s/\],"lock":.*//' <<<"$finding")
for object in logLevelPtr _loglevel_offset_vmm enabledPassthroughPorts enabledPassthroughWords; do
    case $objects in *"$object"*) echo "ok slides_iospace: $object" ;;
    *) echo "not ok slides_iospace: $object is not among the objects: $objects" && status=1 ;;
    esac
done
expect '"nvars":4[,}]'
expect '"modified":[1-9]'
expect '"has_locked":1'
[ "$(grep -c . <<<"$finding")" = 1 ] || { echo "not ok slides_iospace: not one finding" && status=1; }
exit $status
