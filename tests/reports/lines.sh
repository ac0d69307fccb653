#!/bin/bash
# CSV and workflow commands: what a spreadsheet and a log make of them; a name cannot become a formula, a field or a command.
root=$PWD
. "$(dirname "$0")/../cli/common.inc"
. "$root/tests/reports/hostile.inc"
hostile_tree hostile
count=${#hostile_names[@]}
run run --quiet --all --format jsonl hostile
expect hostile 0
same findings "$(wc -l <.out)" "$count"

# JSON lines have the keys that are documented, and no others.
if command -v jq >/dev/null; then
    documented() { # HEADING: the keys of the table after it
        awk -v heading="$1" 'index($0, heading) == 1 { on = 1 } on && /^\| `/ { split($0, cells, "|"); print cells[2]; table = 1; next } on && table { exit }' \
            "$root/docs/findings/README.md" | grep -o '`[a-z_]*`' | tr -d '`' | sort
    }
    same keys "$(jq -r 'keys[]' .out | sort -u)" "$(documented '## As JSON lines')"
    same site-keys "$(jq -r '.sites[], .evidence[] | keys[]' .out | sort -u)" "$(documented 'A site:')"
fi

# CSV
run report --all --format csv
expect csv 0
cp .out list.csv
iconv -f UTF-8 -t UTF-8 list.csv >/dev/null 2>&1 && ok utf-8 || not_ok utf-8 "it is not"
same line-ends "$(grep -c $'\r$' list.csv)" "$((count + 1))"
if command -v sqlite3 >/dev/null; then
    ask() { sqlite3 :memory: '.import --csv list.csv t' "$1" 2>&1; }
    same rows "$(ask 'SELECT count(*) FROM t')" "$count"
    same columns "$(ask "SELECT group_concat(name) FROM pragma_table_info('t')")" \
        'rank,id,kind,score,below_line,verdict,note,suppressed,file,line,function,object,lock,other_file,other_line,other_function,message,group,share'
    same whole-rows "$(ask "SELECT count(*) FROM t WHERE line = '11' AND kind = 'race' AND message LIKE '%shared%' AND other_line = '6'")" "$count"
    same formulas "$(ask "SELECT count(*) FROM t WHERE substr(file, 1, 1) IN ('=', '+', '-', '@', char(9)) OR substr(object, 1, 1) IN ('=', '+', '-', '@')")" 0
    same quoted "$(ask "SELECT file FROM t WHERE file LIKE '''%' ORDER BY file")" $'\'-x.c\n\'=1+cmd().c\n\'@sum.c'
    same line-in-a-name "$(ask "SELECT count(*) FROM t WHERE file LIKE 'line' || char(10) || '::error%'")" 1
    export RACERX_UNCHECKED=1 # another program writes
    sqlite3 .racerx/racerx.db "INSERT INTO verdicts_given (id, verdict, note, reviewer, time, kind, object, lock, file, function)
        SELECT id, 'false', '=HYPERLINK(\"x\")', 'me', 0, kind, object, lock, file, function FROM finding_rows WHERE rank = 1"
    run report --all --format csv --top 1
    cp .out list.csv
    same verdict "$(ask "SELECT count(*), verdict, note FROM t")" "1|false|'=HYPERLINK(\"x\")"
else
    echo "todo csv: no sqlite3 to read it back with"
fi
grep -q '^1,"[0-9a-f]*","race",-\{0,1\}[0-9.]*,[01],' list.csv && ok numbers || not_ok numbers "$(sed -n 2p list.csv)"

# GitHub's commands
run report --all --format github
expect github 0
cp .out log
same commands "$(wc -l <log)" "$count"
same shape "$(grep -acE '^::(error|warning|notice) file=[^,:]+,line=11,col=18,title=race in wrong[0-9]+::[^[:cntrl:]]+$' log)" "$count"
same no-controls "$(tr -d '\n' <log | LC_ALL=C tr -dc '\000-\037\177' | wc -c)" 0
iconv -f UTF-8 -t UTF-8 log >/dev/null 2>&1 && ok utf-8-log || not_ok utf-8-log "it is not"
grep -qF 'file=hostile/a b#c?d%2541%2Ce%3Af.c,line=11' log && ok encoded || not_ok encoded "$(grep -F 'a b#' log)"
grep -qF 'file=hostile/line\x0a%3A%3Aerror file=x%3A%3Abreak.c,' log && ok no-line || not_ok no-line "$(grep -F break.c log)"
grep -q '%0Aright[0-9]* .*holding .*%0Ascore -\?[0-9.]*, id [0-9a-f]*$' log && ok sides || not_ok sides "$(head -n 1 log)"
(cd hostile && "$RACERX" report --all --format github --db ../.racerx/racerx.db >../inside)
grep -q '^::[a-z]* file=über/' inside && ok from-here || not_ok from-here "$(grep über inside)"
(cd / && "$RACERX" report --all --format github --db "$work/.racerx/racerx.db") | grep -q "file=${work#/}/hostile/-x.c," && ok from-above || not_ok from-above ''
mkdir beside
(cd beside && "$RACERX" report --all --format github --db ../.racerx/racerx.db) | grep -q 'file=-x.c,' && ok from-beside || not_ok from-beside ''
run report --all --format github --top 2
same top "$(wc -l <.out)" 2
# The levels: below the line only a notice.
run run --quiet --all --set line=1000 --format github hostile
same notices "$(grep -c '^::notice ' .out)" "$count"
run run --quiet --set line=-100 --format github hostile
same above "$(grep -c '^::warning ' .out)" "$count"
# A compiler's warnings: whatever a file is called, a line each, and notes.
run report --all --format gcc
expect gcc 0
cp .out warnings
same warnings "$(grep -acE ':11:[0-9]+: (warning|error): .* \[race\]$' warnings)" "$count"
same notes "$(grep -acE ':[0-9]+:[0-9]+: note: right[0-9]* .*holding ' warnings)" "$(grep -ac ': note: ' warnings)"
same only-these "$(grep -avcE ': (warning|error|note): ' warnings)" 0
same no-controls-gcc "$(tr -d '\n' <warnings | LC_ALL=C tr -dc '\000-\037\177' | wc -c)" 0
grep -qF 'hostile/line\x0a::error file=x::break.c:11:' warnings && ok no-line-gcc || not_ok no-line-gcc "$(grep -F break.c warnings)"
(cd hostile && "$RACERX" report --all --format gcc --db ../.racerx/racerx.db) | grep -q '^über/' && ok gcc-from-here || not_ok gcc-from-here ''
# Markdown: a heading and a row for each, whatever names do; no tag, no link, no mention comes of one.
run report --all --format markdown
expect markdown 0
cp .out table
same rows "$(grep -c '^| [0-9]* | race | ' table)" "$count"
same columns "$(tail -n +3 table | sed 's/\\|//g' | awk -F'|' 'NF != 7' | wc -l)" 0
same lines "$(wc -l <table)" $((count + 4))
same no-tags "$(sed 's/@<!-- -->//g; s/`[^`]*`//g' table | grep -c '[^\\][<@]')" 0
same no-controls-markdown "$(tr -d '\n' <table | LC_ALL=C tr -dc '\000-\037\177' | wc -c)" 0
# An empty list: a heading, and nothing.
echo 'int f(void) { return 0; }' >empty.c
run run --quiet --format csv empty.c
same empty-csv "$(wc -l <.out)" 1
run report --format github
same empty-log "$out" ''
run report --format markdown
same empty-markdown "$out" '**racerx: 0 findings**'
finish
