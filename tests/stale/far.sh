#!/bin/bash
# A call between that has more functions below it than can be asked: it does not write what was checked, for none of those
# who do is below it; and where the last of all does write it, it may have been looked at again.
cd "$(dirname "$0")/../.." || exit 2
chain() { # what the last function does
    echo '#include <pthread.h>'
    echo 'struct line { pthread_mutex_t lock; int *text; int sent; };'
    echo 'static struct line line = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };'
    echo 'extern void step(int number);'
    for n in $(seq 0 700); do
        [ "$n" = 0 ] && echo "static void call0(struct line *l) { $1 step(0); }" ||
            echo "static void call$n(struct line *l) { step($n); call$((n - 1))(l); }"
    done
    cat <<'END'
static void *writer(void *given)
{
    struct line *l = given;
    pthread_mutex_lock(&l->lock);
    l->text = 0;
    pthread_mutex_unlock(&l->lock);
    return given;
}
static void *sender(void *given)
{
    struct line *l = given;
    pthread_mutex_lock(&l->lock);
    if (l->text) {
        pthread_mutex_unlock(&l->lock);
        call700(l);
        pthread_mutex_lock(&l->lock);
        l->sent += l->text[0];
    }
    pthread_mutex_unlock(&l->lock);
    return given;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, &line);
    pthread_create(&b, 0, sender, &line);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
END
}
chain '' >"$TMP/far.c"
chain 'l->text = &l->sent;' >"$TMP/far_written.c"
for name in far far_written; do
    "$RACERX" run --db "$TMP/$name.db" --all --format jsonl "$TMP/$name.c" 2>/dev/null | grep -c '"kind":"stale-check"' >"$TMP/$name.count"
done
status=0
[ "$(cat "$TMP/far.count")" = 1 ] && echo "ok far" || { echo "not ok far: not found"; status=1; }
[ "$(cat "$TMP/far_written.count")" = 0 ] && echo "ok far_written" || { echo "not ok far_written: found"; status=1; }
exit $status
