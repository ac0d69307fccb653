#!/bin/bash
# A database that the disk has changed: bits are flipped, bytes and pages overwritten, pages exchanged and cut off, at hundreds of
# places. Every command gives what it gave before, or says in one line that it is damaged; never something else. `run` makes it anew.
root=$PWD
. "$(dirname "$0")/common.inc"
mkdir tree
cp "$root"/examples/*/*.[ch] tree 2>/dev/null
cp "$root"/tests/races/posix/[a-d]*.c tree
case $RACERX in */build-*) tries=${TRIES:-24} ;; *) tries=${TRIES:-200} ;; esac
"$RACERX" run -q --all --format jsonl tree >wanted 2>/dev/null
cp .racerx/racerx.db good.db
"$RACERX" list --all >wanted.list
"$RACERX" functions --format jsonl >wanted.functions
"$RACERX" dump "$(sed -n '1s/.*"file":"\([^"]*\)".*/\1/p' wanted.functions)" >wanted.dump
file=$(sed -n '1s/.*"file":"\([^"]*\)".*/\1/p' wanted.functions)
[ "$(wc -l <wanted)" -gt 20 ] && ok "there are findings" || not_ok "there are findings" "$(wc -l <wanted)"

# same_or_said NAME WANTED COMMAND...: the same result and status 0, or status 2 and one line that says damage
same_or_said() {
    local name=$1 wanted=$2
    shift 2
    run "$@"
    if [ "$status" -eq 0 ] && cmp -s "$work/.out" "$wanted"; then
        unharmed=$((unharmed + 1))
    elif [ "$status" -eq 2 ] && [ "$(wc -l <"$work/.err")" -eq 1 ] && [ ! -s "$work/.out" ] &&
        [[ $err == *damaged* || $err == *"not a database"* || $err == *"another program"* || $err == *"version of racerx"* || $err == *"older racerx"* ]]; then
        said=$((said + 1))
    else
        not_ok "$name: $1" "status $status, $(cmp "$work/.out" "$wanted" 2>&1 | head -c 100), $(head -c 300 "$work/.err" | tr '\n' ' ')"
    fi
}
unharmed=0 said=0
perl -e '
    my ($tries) = @ARGV;
    open my $in, "<:raw", "good.db" or die; local $/; my $good = <$in>; my $size = length $good;
    my $seed = 4711;
    sub some { $seed = ($seed * 1103515245 + 12345) & 0x7fffffff; return ($seed >> 8) % $_[0] }
    my @ways = (
        (map { my $at = int($_ * $size / $tries); ["bit-$at", sub { my $x = $_[0]; substr($x, $at, 1) ^= chr(1 << some(8)); $x }] } 0 .. $tries - 1),
        (map { my $at = $_; ["header-$at", sub { my $x = $_[0]; substr($x, $at, 1) ^= chr(1 << some(8)); $x }] } 16 .. 99),
        (map { my $at = some($size - 600); ["bytes-$at", sub { my $x = $_[0]; substr($x, $at, 512) = "\xa5" x 512; $x }] } 1 .. $tries / 20),
        (map { my $at = 16384 * (1 + some($size / 16384 - 1)); ["zeros-$at", sub { my $x = $_[0]; substr($x, $at, 16384) = "\0" x 16384; $x }] } 1 .. $tries / 20),
        (map { my ($p, $q) = map { 16384 * (1 + some($size / 16384 - 1)) } 1, 2; ["exchanged-$p-$q", sub { my $x = $_[0]; my $y = substr($x, $p, 16384); substr($x, $p, 16384) = substr($x, $q, 16384); substr($x, $q, 16384) = $y; $x }] } 1 .. $tries / 20),
        (map { my $at = some($size); ["cut-$at", sub { substr($_[0], 0, $at) }] } 1 .. $tries / 20),
    );
    my %seen;
    for (grep { !$seen{$$_[0]}++ } @ways) {
        open my $out, ">:raw", "$$_[0].bad" or die; print $out $$_[1]->($good); close $out; print "$$_[0]\n";
    }' "$tries" >names
number=0
while read -r name; do
    cp "$name.bad" x.db
    rm "$name.bad"
    cmp -s x.db good.db && continue
    number=$((number + 1))
    same_or_said "$name" wanted report --format jsonl --all --db x.db
    case $((number % 4)) in
    0) same_or_said "$name" wanted.list list --all --db x.db ;;
    1) same_or_said "$name" wanted.functions functions --format jsonl --db x.db ;;
    2) same_or_said "$name" wanted.dump dump --db x.db "$file" ;;
    esac
    if [ $((number % 8)) -eq 0 ]; then
        run run -q --all --format jsonl --db x.db tree
        if [ "$status" -eq 0 ]; then
            cmp -s .out wanted && ok "$name: run makes it anew" || not_ok "$name: run" "other findings"
        else
            [[ $err == *"not a database"* || $err == *"another program"* || $err == *"version of racerx"* ]] || not_ok "$name: run" "$err"
        fi
        rm -f x.db.damaged
    fi
done <names
echo "damage: $number damaged databases, $unharmed answers unharmed, $said said, $failures wrong"
[ "$number" -ge "$tries" ] && [ "$said" -gt $((tries / 4)) ] && ok "enough was damaged" || not_ok "enough was damaged" "$number, $said"

# What another program wrote counts as damage, until it is told to be trusted.
if command -v sqlite3 >/dev/null; then
    cp good.db x.db
    sqlite3 x.db "UPDATE finding_rows SET message = 'changed' WHERE rank = 1"
    run list --db x.db
    expect_line "another program wrote" 2 "damaged"
    RACERX_UNCHECKED=1 run list --db x.db
    expect "and is trusted" 0
fi
finish
