#!/bin/bash
# `racerx semaphores` over programs made to have the counts of the slides' five semaphores, in two worlds: the same
# counts come back, and the same classes. Places count, not visits: a down that two roots reach is one.
. "$(dirname "$0")/../cli/common.inc"

# program DOWN UP LOCK UNLOCK: C with functions around these calls
program() {
    awk -v down="$1" -v up="$2" -v lock="${3:-}" -v unlock="${4:-}" '
    # Functions that take it, each with its share of the ups, every one on a way out of its own.
    function users(name, place, downs, paired, spurious,    i, k, ups) {
        for (i = 0; i < downs; i++) {
            ups = int(paired * (i + 1) / downs) - int(paired * i / downs)
            printf "int %s_user_%d(struct device *d, int n)\n{\n\t%s(%s);\n", name, i, down, place
            for (k = 1; k < ups; k++)
                printf "\tif (n == %d) {\n\t\t%s(%s);\n\t\treturn %d;\n\t}\n", k, up, place, k
            if (ups)
                printf "\t%s(%s);\n", up, place
            print "\treturn 0;\n}"
        }
        for (i = 0; i < spurious; i++)
            printf "void %s_signal_%d(struct device *d)\n{\n\td->state = %d;\n\t%s(%s);\n}\n", name, i, i, up, place
    }
    BEGIN {
        users("complete", "\\&d->complete", 5, 0, 5)
        users("event", "\\&event_exit", 2, 0, 9)
        users("thread", "\\&thread_exit", 2, 0, 1)
        users("data", "\\&d->sem", 8, 28, 2)
        users("mm", "\\&d->mm->sem", 141, 208, 2)
        print "int again_1(struct device *d) { return complete_user_0(d, 1); }"
        print "int again_2(struct device *d) { return data_user_0(d, 2) + data_user_0(d, 1); }"
        for (i = 0; i < 30 && lock != ""; i++)
            printf "void count_%d(struct device *d)\n{\n\t%s(&d->lock);\n\td->state++;\n\t%s(&d->lock);\n}\n", i, lock, unlock
    }' | sed 's/\\&/\&/g'
}

wanted='event_exit 2 0 9 scheduling
struct device.complete 5 0 5 scheduling
struct device.sem 8 28 2 lock
struct mm.sem 141 208 2 lock
thread_exit 2 0 1 scheduling'

# rows: of the text, sorted by name, without z
rows() { sed '1d;/^compared/d' <<<"$out" | awk '{ name = $1; for (i = 2; i <= NF - 5; i++) name = name " " $i
    print name, $(NF - 4), $(NF - 3), $(NF - 2), $NF }' | sort; }

{
    echo '#include <linux/semaphore.h>'
    echo 'struct mm { struct semaphore sem; };'
    echo 'struct device { struct semaphore complete, sem; struct mm *mm; spinlock_t lock; int state; };'
    echo 'struct semaphore event_exit, thread_exit;'
    program down up spin_lock spin_unlock
} >kernel.c
run run --quiet --db kernel.db kernel.c
expect "a program with spin locks is read" 0
run semaphores --db kernel.db
expect "its semaphores are listed" 0
same "their counts and classes" "$(rows)" "$wanted"
same "what they are compared with" "$(tail -n 1 <<<"$out")" \
    "compared with 95 % pairs and 5 % spurious ups, from 30 places that take spin locks"
run semaphores --db kernel.db --format jsonl
same "the least lock-like is first" "$(sed 's/"z":[^,]*,//;q' <<<"$out")" \
    '{"semaphore":"event_exit","downs":2,"paired":0,"spurious":9,"verdict":"scheduling"}'
same "a line of JSON each" "$(grep -c '^{"semaphore":".*"}$' <<<"$out")" 5
run semaphores --db kernel.db kernel.c
expect "it takes no arguments" 2 "takes no arguments"

{
    echo '#include <semaphore.h>'
    echo 'struct mm { sem_t sem; };'
    echo 'struct device { sem_t complete, sem; struct mm *mm; int state; };'
    echo 'sem_t event_exit, thread_exit;'
    program sem_wait sem_post
} >posix.c
run run --quiet --db posix.db posix.c
run semaphores --db posix.db
expect "semaphores of POSIX are listed" 0
same "their counts and classes are the same" "$(rows)" "$wanted"
same "without spin locks the usual shares count" "$(tail -n 1 <<<"$out")" \
    "compared with 95 % pairs and 5 % spurious ups, from 0 places that take spin locks: too few, so these are the usual ones"

echo 'int f(void) { return 0; }' >none.c
run extract --quiet --db none.db none.c
run semaphores --db none.db
expect_line "before any check there is nothing to list" 2 "holds no findings"
run check --quiet --db none.db
run semaphores --db none.db --format jsonl
same "a program without semaphores has no lines" "$status$out" 0
finish
