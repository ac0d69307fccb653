#!/bin/bash
# `racerx summary`: what a function does relative to its entry. RELAY's Figure 1; helpers that touch what callers hand
# over; locks that are got on a condition; recursion; the same for any number of threads.
. "$(dirname "$0")/../cli/common.inc"

cat >airo.c <<'C'
#include <pthread.h>
struct node { struct node *next; };
struct airo { pthread_mutex_t lock; struct { int ev; } pwr; struct { int rx_p; } stats; struct node pending; int *count; };
struct device { struct airo *priv; };
int vals[64], hits;
pthread_mutex_t table_lock;

void airo_read_stats(struct airo *ai)
{
	if (ai->pwr.ev++) {
		pthread_mutex_unlock(&ai->lock);
		return;
	}
	pthread_mutex_unlock(&ai->lock);
	ai->stats.rx_p = vals[43];
}
void airo_thread(struct device *d)
{
	struct airo *ai = d->priv;
	pthread_mutex_lock(&ai->lock);
	airo_read_stats(ai);
}
void push(struct node *node, struct node *head) { node->next = head->next; head->next = node; }
void airo_queue(struct airo *ai, struct node *node)
{
	pthread_mutex_lock(&ai->lock);
	push(node, &ai->pending);
	pthread_mutex_unlock(&ai->lock);
}
int grab(struct airo *ai) { return pthread_mutex_trylock(&ai->lock); }
void airo_try(struct airo *ai)
{
	if (pthread_mutex_trylock(&ai->lock) == 0) {
		ai->stats.rx_p = 1;
		pthread_mutex_unlock(&ai->lock);
	}
}
void down(struct airo *ai, int n)
{
	pthread_mutex_lock(&table_lock);
	hits++;
	pthread_mutex_unlock(&table_lock);
	if (n)
		down(ai, n - 1);
	ai->stats.rx_p = n;
}
int airo_enter(struct airo *ai) { pthread_mutex_lock(&ai->lock); return 0; }
void airo_both(struct airo *a, struct airo *b)
{
	airo_enter(a);
	a->stats.rx_p = 2;
	b->stats.rx_p = 3;
	pthread_mutex_unlock(&a->lock);
}
C
run extract -q --db airo.db airo.c
expect "it is read" 0
says() { # function, a part of a line that its summary has
    run summary --db airo.db "$1"
    case $out in *"$2"*) ok "$1: $2" ;; *) not_ok "$1" "no '$2' in: $out" ;; esac
}
says airo_read_stats 'exit:  L+ {}  L- {ai->lock}'
says airo_read_stats 'update ai->pwr.ev  L+ {}  L- {}'
says airo_read_stats 'write  ai->stats.rx_p  L+ {}  L- {ai->lock}'
says airo_thread 'update d->priv->pwr.ev  L+ {d->priv->lock of it}  L- {}'
says airo_thread 'write  d->priv->stats.rx_p  L+ {}  L- {}  airo.c:15 through airo_read_stats'
says airo_queue 'write  ai->pending.next'
says airo_queue 'L+ {ai->lock of it}  L- {}  airo.c:27 through push'
says grab 'perhaps {ai->lock}'
says airo_try 'write  ai->stats.rx_p  L+ {ai->lock of it}  L- {}  airo.c:34'
says airo_try 'exit:  L+ {}  L- {}'
says down 'update hits  L+ {table_lock}'
says down 'one of 1 that call each other'
says airo_enter 'exit:  L+ {ai->lock}  L- {}'
says airo_both 'write  a->stats.rx_p  L+ {a->lock of it}'
says airo_both 'write  b->stats.rx_p  L+ {a->lock of another}'
for function in airo_thread down push; do
    same "$function: any number of threads" "$("$RACERX" summary -j1 --db airo.db $function)" \
        "$("$RACERX" summary -j4 --db airo.db $function)"
done
run summary --db airo.db airo.c:push
expect "FILE:FUNCTION" 0
run summary --db airo.db pusj
expect "a misspelt name" 2 "did you mean 'push'"
finish
