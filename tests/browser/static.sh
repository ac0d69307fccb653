#!/bin/bash
# The page of `racerx report --format html` in a browser: read, filtered, sorted, driven by keys, printed, on a phone, in the dark,
# without JavaScript; nothing is requested from anywhere.
. "$(dirname "$0")/common.inc"
"$RACERX" run --quiet --db examples.db "$root/examples" >/dev/null
"$RACERX" report --db examples.db --format html -o examples.html
"$RACERX" report --db examples.db --format jsonl -o examples.jsonl
mkdir empty && echo 'int nothing(void) { return 0; }' >empty/a.c
"$RACERX" run --quiet --db empty.db empty >/dev/null
"$RACERX" report --db empty.db --format html -o empty.html
"$BUILD/bench/html_list" 700 made >long.html
exec node "$here/static.mjs" "$PWD"
