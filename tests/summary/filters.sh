#!/bin/bash
# `racerx filters`: RELAY's warnings of a small kernel and what each reason leaves; --sample draws the same each time, whatever
# -j says. `--engine`: summaries shows pairs that no belief speaks of; both is the walk's list with what the summaries say.
. "$(dirname "$0")/../cli/common.inc"

cat >card.c <<'C'
#include <linux/kthread.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct card { spinlock_t lock; int sent, lost, mode; };
static struct card *cards[4];
static int total, ready;
static DEFINE_SPINLOCK(total_lock);

static void count_one(int *counter) { ++*counter; }

static int sender(void *data)
{
	struct card *c = data;
	spin_lock(&c->lock);
	c->sent++;
	spin_unlock(&c->lock);
	c->lost++;
	count_one(&total);
	if (c->lost)
		spin_lock(&total_lock);
	ready = 1;
	if (c->lost)
		spin_unlock(&total_lock);
	return 0;
}
static int receiver(void *data)
{
	struct card *c = data, *mine = kmalloc(sizeof *mine, GFP_KERNEL);
	mine->mode = 1;
	spin_lock(&c->lock);
	c->sent = 0;
	c->lost = 0;
	c->mode = 0;
	spin_unlock(&c->lock);
	spin_lock(&total_lock);
	total = 0;
	ready = 0;
	spin_unlock(&total_lock);
	return 0;
}
int start(void)
{
	kthread_run(sender, cards[0], "sender");
	kthread_run(receiver, cards[0], "receiver");
	return 0;
}
C
run extract -q --db card.db card.c
expect "it is read" 0
run filters -j1 --db card.db --format jsonl --sample 9
expect "filters" 0
one=$out
run filters -j4 --db card.db --format jsonl --sample 9
same "any number of threads" "$out" "$one"
warning() { # reason, object
    case $one in *"{\"warning\":\"$1\",\"object\":\"$2\""*) ok "$2: $1" ;; *) not_ok "$2" "no $1 in: $one" ;; esac
}
warning left 'struct card.lost'
warning left card.c:total
warning 'conditional locking' card.c:ready
warning initialisation 'struct card.mode'
case $one in *'"object":"struct card.sent"'*) not_ok "struct card.sent" "both sides hold the lock of it" ;;
*) ok "struct card.sent is under its lock" ;; esac
run filters --db card.db --sample 1
case $out in *"warnings left"*"conditional locking"*) ok "the table" ;; *) not_ok "the table" "$out" ;; esac

list() { "$RACERX" check -q "$@" --db card.db --all --format jsonl | jq -r 'select(.kind == "race") | .objects[]' | sort; }
same "--engine summaries" "$(list --engine summaries | tr '\n' ' ')" "card.c:total struct card.lost "
same "both has the walk's list" "$(list --engine both)" "$(list --engine walk)"
same "any -j" "$("$RACERX" check -q -j1 --db card.db --all --format jsonl)" "$("$RACERX" check -q -j4 --db card.db --all --format jsonl)"
run check -q --db card.db --engine walks
expect_line "no such engine" 2 "it is walk, summaries or both"
finish
