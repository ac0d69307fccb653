#!/bin/bash
# A mutex that only others let go is taken twice on purpose, to wait for them; one that its holder lets go elsewhere is
# not, and one that both do is between the two.
. "$(dirname "$0")/../cli/common.inc"

program() { # who lets it go: the thread, and elsewhere its holder
    cat >"$1.c" <<C
#include <pthread.h>
static pthread_mutex_t gate, lock;
static int left = 2, rounds;
static void *work(void *argument)
{
	pthread_mutex_lock(&lock);
	if (--left == 0)
		$2;
	pthread_mutex_unlock(&lock);
	return argument;
}
static void wait_for_all(void)
{
	rounds++;
	pthread_mutex_lock(&gate);
}
static void other(void)
{
	$3;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_mutex_lock(&gate);
	for (int i = 0; i < 3; i++)
		wait_for_all();
	other();
	return 0;
}
C
    "$RACERX" run --all --format jsonl --db "$1.db" "$1.c" | jq -r 'select(.kind == "double-lock") | .score'
}

mistake=$(program mistake "left = 0" "pthread_mutex_lock(&gate); left = 1; pthread_mutex_unlock(&gate)")
both=$(program both "pthread_mutex_unlock(&gate)" "pthread_mutex_lock(&gate); left = 1; pthread_mutex_unlock(&gate)")
signal=$(program signal "pthread_mutex_unlock(&gate)" "left = 0")
echo "mistake $mistake, both $both, signal $signal"
awk -v m="${mistake%%$'\n'*}" -v b="${both%%$'\n'*}" -v s="${signal%%$'\n'*}" 'BEGIN { exit !(m > b && b > s && m - s > 2) }'
