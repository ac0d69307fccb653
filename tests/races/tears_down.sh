#!/bin/bash
# Who frees an object whatever happens takes it apart: its accesses without the lock are shown lower. Not so a thread
# that frees at last what it has worked with, nor who may keep it.
. "$(dirname "$0")/../cli/common.inc"

cat >box.c <<'C'
#include <pthread.h>
#include <stdlib.h>

struct box { pthread_mutex_t lock; int items, taken, kept; };
struct box *box_of(int n);

void box_add(int n) { struct box *b = box_of(n); pthread_mutex_lock(&b->lock); b->items++; b->taken++; b->kept++; pthread_mutex_unlock(&b->lock); }
void box_less(int n) { struct box *b = box_of(n); pthread_mutex_lock(&b->lock); b->items--; b->taken--; b->kept--; pthread_mutex_unlock(&b->lock); }
void box_some(int n) { struct box *b = box_of(n); pthread_mutex_lock(&b->lock); b->items += n; b->taken += n; b->kept += n; pthread_mutex_unlock(&b->lock); }
void box_none(int n) { struct box *b = box_of(n); pthread_mutex_lock(&b->lock); b->items = n; b->taken = n; b->kept = n; pthread_mutex_unlock(&b->lock); }

static void box_empty(struct box *b) { b->items = 7; }
static void box_free(struct box *b) { if (b) free(b); }
void box_end(struct box *b)
{
	box_empty(b);
	pthread_mutex_destroy(&b->lock);
	box_free(b);
}
void box_put(struct box *b)
{
	b->taken = 8;
	if (b->taken > 3)
		return;
	free(b);
}
void box_reset(struct box *b) { b->kept = 9; }
C
"$RACERX" run --all --format jsonl box.c >found 2>errors
is() { # function, 1 or null
    got=$(jq -r --arg f "$1" 'select(.kind == "race" and .function == $f) | .features.tears_down' found)
    [ "$got" = "$2" ] && ok "$1" || not_ok "$1" "tears_down is '$got', wanted $2"
}
is box_empty 1
is box_put null
is box_reset null
finish
