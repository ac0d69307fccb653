# A room of racerx/ cannot write what was made before it: that is const there, by the words the Makefile compiles it with.
set -eu
directory=$(mktemp -d "$TMP/products.XXXXXX")
try() { # ROOM STATEMENT: does the statement compile there?
    cat >"$directory/try.c" <<C
#include "racerx/facts/analysis.h"
void try(Analysis *self);
void try(Analysis *self) { $2; }
C
    words=$(sed -n "s|^\$(O)/racerx/$1/%.o: MADE_BEFORE := ||p" Makefile)
    gcc -std=c11 -fms-extensions -Wno-microsoft-anon-tag -D_GNU_SOURCE -Werror=discarded-qualifiers -fsyntax-only -I. \
        -isystem build/grammar $(pkg-config --cflags lua5.4 2>/dev/null) $words "$directory/try.c" 2>/dev/null
}
may() { try "$1" "$2" || { echo "$1/ may not: $2"; exit 1; }; }
may_not() { ! try "$1" "$2" || { echo "$1/ may: $2"; exit 1; }; }
may facts 'self->accesses.items[0].flags = 0'
may walk 'array_push(&self->outcomes, (Outcome){0})'
may check 'self->notes.items[0].flags = 1'
for room in walk summary check stale; do
    may_not $room 'self->accesses.items[0].flags = 0'
    may_not $room 'self->skeletons[0].direct = true'
    may_not $room 'self->started.count = 0'
    may_not $room 'map_put(&self->spawned, 1, NULL)'
    may $room 'self->stats.samples++'
done
for room in summary check stale; do
    may_not $room 'array_push(&self->outcomes, (Outcome){0})'
done
for room in summary stale; do
    may_not $room 'self->samples.items[0].unsure = 1'
    may_not $room 'self->nodes.items[0].function = 0'
done
