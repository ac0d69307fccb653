#!/bin/bash
# What is believed of locks, as a page and as attributes: clang, which checks them, names the same places as we do.
. "$(dirname "$0")/../cli/common.inc"
command -v jq >/dev/null || { echo "there is no jq"; exit 77; }
mkdir tree
cat >tree/mutex.h <<'E2'
#include <pthread.h>
#ifdef __clang__
#define ATTRIBUTE(x) __attribute__((x))
#else
#define ATTRIBUTE(x)
#endif
#define GUARDED_BY(lock) ATTRIBUTE(guarded_by(lock))
struct ATTRIBUTE(capability("mutex")) mutex { pthread_mutex_t inner; };
void mutex_take(struct mutex *m) ATTRIBUTE(acquire_capability(m));
void mutex_give(struct mutex *m) ATTRIBUTE(release_capability(m));
E2
cat >tree/racerx.lua <<'E2'
lock { acquire = "mutex_take", release = "mutex_give", arg = 1, kind = "mutex" }
E2
cat >tree/shop.c <<'E2'
#include "mutex.h"
static struct mutex till;
static int money, sales[4];
static long never;
struct mutex door;
int guests = 0;
struct item {
    struct mutex lock;
    int left;
    int sold[2];
};
static struct item item;

static void *sell(void *x)
{
    mutex_take(&till);
    money += 5;
    sales[0]++;
    mutex_give(&till);
    mutex_take(&till);
    money -= 1;
    sales[1] = 0;
    mutex_give(&till);
    mutex_take(&door);
    guests++;
    mutex_give(&door);
    return x;
}

static void *count(void *x)
{
    mutex_take(&till);
    int sum = money + sales[2];
    mutex_give(&till);
    mutex_take(&door);
    guests -= sum;
    mutex_give(&door);
    money = 0;
    return x;
}

static void use(struct item *i)
{
    mutex_take(&i->lock);
    i->left--;
    i->sold[0]++;
    mutex_give(&i->lock);
}

static void refill(struct item *i)
{
    mutex_take(&i->lock);
    i->left += 9;
    i->sold[0] = 0;
    mutex_give(&i->lock);
}

static void *stock(void *x)
{
    use(&item);
    refill(&item);
    use(x);
    refill(x);
    never++;
    return x;
}

int main(void)
{
    pthread_t t[6];
    pthread_create(&t[0], 0, sell, &item);
    pthread_create(&t[1], 0, sell, &item);
    pthread_create(&t[2], 0, count, &item);
    pthread_create(&t[3], 0, count, &item);
    pthread_create(&t[4], 0, stock, &item);
    pthread_create(&t[5], 0, stock, &item);
    return 0;
}
E2
run run -q --format jsonl tree
expect run 0
found=$(jq -r 'select(.object == "shop.c:money") | .line' <<<"$out")
same the-race "$found" 38

# As a page ---------------------------------------------------------------------------
run guards --format md
expect md 0
same page "$(head -n 1 <<<"$out")" '# Locking rules'
same rule "$(grep -c '^| `guests` | `door` | ' <<<"$out")" 1
same exception "$(grep -c '^| `money` | `shop.c:till` | .*`count` `shop.c`:38 |$' <<<"$out")" 1
same heading "$(grep -c '^## `shop.c`$' <<<"$out")" 1
same not-guarded "$(grep -c never <<<"$out")" 0

# As a patch ----------------------------------------------------------------------------
run guards --format clang
expect clang 0
cp "$work/.out" clang.patch
cp -r tree annotated
command -v patch >/dev/null && (cd annotated && patch -s -p1 <../clang.patch) || (cd annotated && git apply ../clang.patch)
same applied "$(grep -c 'int money GUARDED_BY(till), sales\[4\] GUARDED_BY(till);' annotated/shop.c)" 1
same initialised "$(grep -c '^int guests GUARDED_BY(door) = 0;' annotated/shop.c)" 1
same member-comment "$(grep -c 'int left /\* GUARDED_BY(lock) \*/;' annotated/shop.c)" 1
same nothing-else "$(grep -c 'never;' annotated/shop.c)" 1
run run -q --db again.db annotated
run guards --db again.db --format clang
same nothing-twice "$out" ''
run guards --format kernel
same kernel "$(grep -c '__guarded_by(&lock)' <<<"$out")" 2
run guards --format xml
expect unknown-format 2 'there is no format'
if command -v clang >/dev/null; then
    clang -fsyntax-only -Wthread-safety annotated/shop.c >clang.txt 2>&1
    same clang-says-the-same "$(sed -n 's/.*shop.c:\([0-9]*\):.*Wthread-safety-analysis.*/\1/p' clang.txt | sort -u | tr '\n' ' ')" "$found "
else
    echo "skipped: there is no clang to ask"
fi
finish
