#!/bin/bash
# racerx over its own sources: how many findings it shows may only fall. Fewer? Then write the new number here.
# What they are: members of files (SourceFile) that workers of parallel_for write, each at the index it was handed; the
# store reads them later, under its own mutex, which is taken for what protects them. None is real.
root=$PWD
. "$(dirname "$0")/../cli/common.inc"
most=3
# racerx/confirm/runtime is no part of the program: it runs in others.
run run --quiet --format jsonl --db self.db --exclude runtime "$root"/{base,annotators,extract,racerx,rank,reports}
expect "it reads its own sources" 0
shown=$(grep -c '"kind"' <<<"$out")
if [ "$shown" -le "$most" ]; then ok "$shown findings shown, $most at most"; else not_ok "own sources" "$shown findings are shown, not $most at most"; fi
finish
