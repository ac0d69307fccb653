# The tables (*.def) stay the one place that knows their rows: no code asks for a row by name where it wants a property.
set -eu
bad=0
complain() { echo "$1" && bad=1; }

# A kind of lock: traits are asked for. What scripts mean without a kind, the class of no lock, and what
# claims are found to be are named.
kinds=$(sed -n 's/^LOCK_KIND(\([A-Z]*\),.*/\1/p' annotators/lock_kinds.def | paste -sd'|')
[ -n "$kinds" ]
found=$(grep -nE "\bLOCK_($kinds)\b" -r annotators extract racerx rank reports --include='*.[ch]' |
    grep -vE '^annotators/script.c:.*LOCK_MUTEX|^racerx/facts/lock_class.c:.*LOCK_PREEMPTION|^racerx/facts/spun.c:.*lock = LOCK_SPUN' || true)
[ -z "$found" ] || complain "asks for a kind of lock by name, not for a trait (annotators/lock_kinds.def):
$found"

# A limit: where something is cut, it is counted by its name; no other file has a number of that sort.
for limit in $(sed -n 's/^LIMIT(\([A-Z_]*\),.*/\1/p' racerx/limits.def); do
    grep -qE "\bLIMIT_$limit\b" -r racerx --include='*.[ch]' || complain "$limit (racerx/limits.def) is never counted"
done
# Reports show what is cut without the rows around it.
found=$(grep -nE '^LIMIT\(.*"(likewise|the same)' racerx/limits.def || true)
[ -z "$found" ] || complain "does not stand alone (racerx/limits.def):
$found"
twice=$(sed -n 's/^LIMIT(.*, "\(.*\)")$/\1/p' racerx/limits.def | sort | uniq -d)
[ -z "$twice" ] || complain "two limits of one meaning (racerx/limits.def): $twice"
exit $bad
