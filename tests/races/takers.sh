#!/bin/bash
# A lock that one function far above holds around everything says little of what is done deep below. Not so where
# several take it, however far above, nor where one that accesses the object takes it itself.
. "$(dirname "$0")/../cli/common.inc"

cat >shop.c <<'C'
#include <pthread.h>

struct shop { int till, stock, door; };
static pthread_mutex_t start_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t shop_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t door_lock = PTHREAD_MUTEX_INITIALIZER;

static void till_open(struct shop *s) { s->till = 1; }
static void till_count(struct shop *s) { s->till += 2; }
static void till_sort(struct shop *s) { s->till *= 3; }
static void till_all(struct shop *s) { till_open(s); till_count(s); till_sort(s); }
static void day_begin(struct shop *s) { till_all(s); }
void shop_start(struct shop *s) { pthread_mutex_lock(&start_lock); day_begin(s); pthread_mutex_unlock(&start_lock); }
void till_peek(struct shop *s) { s->till = 9; }

static void stock_add(struct shop *s) { s->stock = 1; }
static void stock_count(struct shop *s) { s->stock += 2; }
static void stock_sort(struct shop *s) { s->stock *= 3; }
static void stock_all(struct shop *s) { stock_add(s); stock_count(s); stock_sort(s); }
void stock_buy(struct shop *s) { pthread_mutex_lock(&shop_lock); stock_all(s); pthread_mutex_unlock(&shop_lock); }
void stock_sell(struct shop *s) { pthread_mutex_lock(&shop_lock); stock_all(s); pthread_mutex_unlock(&shop_lock); }
void stock_peek(struct shop *s) { s->stock = 9; }

static void door_oil(struct shop *s) { s->door = 1; }
static void door_paint(struct shop *s) { s->door += 2; }
static void door_all(struct shop *s) { door_oil(s); door_paint(s); }
static void door_day(struct shop *s) { door_all(s); }
void door_start(struct shop *s) { pthread_mutex_lock(&door_lock); door_day(s); pthread_mutex_unlock(&door_lock); }
void door_shut(struct shop *s) { pthread_mutex_lock(&door_lock); s->door = 0; pthread_mutex_unlock(&door_lock); }
void door_peek(struct shop *s) { s->door = 9; }
C
"$RACERX" run --all --format jsonl shop.c >found 2>errors
is() { # function, number or null
    got=$(jq -r --arg f "$1" 'select(.kind == "race" and .function == $f) | .features.takers' found)
    [ "$got" = "$2" ] && ok "$1" || not_ok "$1" "takers is '$got', wanted $2"
}
is till_peek 1
is stock_peek null
is door_peek null
finish
