#!/bin/bash
# A long list is served in parts: the page with the first rows, the others behind it, details when they are opened.
. "$(dirname "$0")/common.inc"
mkdir tree
for i in $(seq 350); do
    cat >tree/f$i.c <<E2
#include <pthread.h>
static pthread_mutex_t lock$i = PTHREAD_MUTEX_INITIALIZER;
static int count$i;
static void *run$i(void *x)
{
    pthread_mutex_lock(&lock$i);
    count$i = count$i + 2;
    pthread_mutex_unlock(&lock$i);
    pthread_mutex_lock(&lock$i);
    count$i -= 1;
    pthread_mutex_unlock(&lock$i);
    count$i = 0;
    return x;
}
void start$i(void) { pthread_t t; pthread_create(&t, 0, run$i, 0); pthread_create(&t, 0, run$i, 0); }
E2
done
{ for i in $(seq 350); do echo "void start$i(void);"; done; echo 'int main(void) {'; for i in $(seq 350); do echo "start$i();"; done; echo 'return 0; }'; } >tree/main.c
"$RACERX" run --quiet --db long.db tree >/dev/null
"$RACERX" review --db long.db >server.log 2>&1 &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT
for _ in $(seq 100); do
    grep -q '^http://' server.log && break
    sleep 0.1
done
url=$(grep -m 1 '^http://' server.log) || { cat server.log && exit 1; }
node "$here/long.mjs" "$url"
