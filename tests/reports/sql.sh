#!/bin/bash
# docs/sql.md, to the letter: every command in it is run on the examples, and must give rows; every column it names is there.
root=$PWD
. "$(dirname "$0")/../cli/common.inc"
command -v sqlite3 >/dev/null || { echo "there is no sqlite3"; exit 77; }
run run --quiet "$root/examples"
expect run 0
# Verdicts: of the first finding, and of one that is found no more.
export RACERX_UNCHECKED=1 # another program writes
sqlite3 .racerx/racerx.db "INSERT INTO verdicts_given (id, verdict, note, reviewer, time, kind, object, lock, file, function)
    SELECT id, 'false', 'n', 'me', 1, kind, object, lock, file, function FROM finding_rows WHERE rank = 1
    UNION ALL SELECT 'gone', 'confirmed', 'n', 'me', 2, 'race', 'x', 'y', 'z.c', 'f'"

# The commands: from each `sqlite3` at the beginning of a line to where the next begins, or the block ends.
awk '/^```sh$/ { on = 1; next } /^```$/ { on = 0 } on { if (/^sqlite3 /) n++; print > ("command." n) }' "$root/docs/sql.md"
for command in command.*; do
    rows=$(bash "$command" 2>&1)
    status=$?
    if [ $status != 0 ]; then
        not_ok "$command" "status $status: $rows: $(cat "$command")"
    elif [ -z "$rows" ]; then
        not_ok "$command" "no rows: $(cat "$command")"
    else
        ok "$command"
    fi
done
count=$(ls command.* | wc -l)
[ "$count" -ge 15 ] && ok enough || not_ok enough "$count commands"

# The tables of columns: exactly what the views have.
for view in findings sites guards lock_order verdicts; do
    said=$(awk -v heading="## $view" '$0 == heading { on = 1; next } /^## / { on = 0 } on && /^\| `/ { split($0, cells, "|"); print cells[2] }' "$root/docs/sql.md" |
        grep -o '`[a-z_]*`' | tr -d '`' | sort)
    same "columns of $view" "$said" "$(sqlite3 .racerx/racerx.db "SELECT name FROM pragma_table_info('$view')" | sort)"
done

# What the views say.
ask() { sqlite3 .racerx/racerx.db "$1"; }
same order "$(ask "SELECT before, after, function, line, held_line, places, tried, gate, findings FROM lock_order ORDER BY 1")" \
    "rtc.c:rtc_lock|rtc.c:rtc_task_lock|rtc_control|89|88|2|0||1
rtc.c:rtc_task_lock|rtc.c:rtc_lock|rtc_task_clear|67|74|1|0||1"
same verdict "$(ask 'SELECT verdict, note FROM findings ORDER BY rank')" $'false|n\n|'
# A gate, a try, and a cycle of three.
cat >more.c <<'END'
#include <pthread.h>
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
void gated(void) {
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&gate);
}
void tried(void) {
    if (pthread_mutex_trylock(&c))
        return;
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&c);
}
void last(void) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&c);
    pthread_mutex_unlock(&c);
    pthread_mutex_unlock(&b);
}
END
run run --quiet --all more.c
same more "$(ask "SELECT before, after, tried, gate, findings <> '' FROM lock_order ORDER BY 1, 2")" \
    "more.c:a|more.c:b|0|more.c:gate|1
more.c:b|more.c:c|0||1
more.c:c|more.c:a|1||1
more.c:gate|more.c:a|0||0
more.c:gate|more.c:b|0|more.c:a|0"
# Ranking again leaves the order; a check without the findings it had makes it anew.
run rank --set line=1000
same ranked-again "$(ask 'SELECT count(*) FROM lock_order')" 5
echo 'int f(void) { return 0; }' >more.c
run run --quiet more.c
same made-anew "$(ask 'SELECT count(*) FROM lock_order')" 0
same kept "$(ask 'SELECT count(*) FROM verdicts')" 2
finish
