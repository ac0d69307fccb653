# An operating system that was made up, with camelCase names: init, then run, finds the planted race with no hand edit.
. "$(dirname "$0")/common.inc"
mkdir os
cat >os/kernel.h <<'C'
typedef struct { volatile int word; } KSpin;
typedef struct { int owner; } KGate;
struct Device { KSpin guard; int pending; int total; };
struct Queue { KGate gate; int length; int *items; };
void KSpinSeize(KSpin *s); void KSpinRelease(KSpin *s);
int KGateTryEnter(KGate *g); void KGateEnter(KGate *g); void KGateLeave(KGate *g);
unsigned KIrqSaveDisable(void); void KIrqRestoreEnable(unsigned state);
int KThreadStart(int priority, void (*entry)(void *), void *data);
void KInterruptAttach(int line, void (*handler)(void *), void *data);
void KPanic(const char *text);
C
cat >os/device.c <<'C'
#include "kernel.h"
static struct Device disk, tape;
int DeviceAdd(struct Device *d, int n)
{
    KSpinSeize(&d->guard);
    d->pending += n;
    d->total += n;
    KSpinRelease(&d->guard);
    return n;
}
int DeviceTake(struct Device *d)
{
    int n;
    KSpinSeize(&d->guard);
    if (!d->pending) {
        KSpinRelease(&d->guard);
        return -1;
    }
    n = d->pending--;
    KSpinRelease(&d->guard);
    return n;
}
int DeviceTotal(struct Device *d)
{
    KSpinSeize(&d->guard);
    int n = d->total;
    d->pending = 0;
    KSpinRelease(&d->guard);
    return n;
}
void DeviceFlush(struct Device *d)
{
    KSpinSeize(&d->guard);
    d->pending = 0;
    KSpinRelease(&d->guard);
}
void DeviceRush(struct Device *d)
{
    KSpinSeize(&d->guard);
    d->total++;
    KSpinRelease(&d->guard);
    d->pending++; /* the planted race */
}
static void DiskInterrupt(void *data) { DeviceAdd(data, 1); }
static void TapeInterrupt(void *data) { DeviceAdd(data, 1); }
static void Worker(void *data) { struct Device *d = data; DeviceTake(d); DeviceRush(d); DeviceTotal(d); DeviceFlush(d); }
static void Cleaner(void *data) { DeviceFlush(data); DeviceRush(data); }
int Begin(void)
{
    KInterruptAttach(3, DiskInterrupt, &disk);
    KInterruptAttach(4, TapeInterrupt, &tape);
    KThreadStart(1, Worker, &disk);
    KThreadStart(2, Cleaner, &disk);
    return 0;
}
C
cat >os/queue.c <<'C'
#include "kernel.h"
int QueuePut(struct Queue *q, int v) { KGateEnter(&q->gate); q->items[q->length++] = v; KGateLeave(&q->gate); return 0; }
int QueueGet(struct Queue *q) { int v; KGateEnter(&q->gate); v = q->items[--q->length]; KGateLeave(&q->gate); return v; }
int QueuePeek(struct Queue *q)
{
    if (!KGateTryEnter(&q->gate))
        return -1;
    int v = q->items[0];
    KGateLeave(&q->gate);
    return v;
}
int QueuePoll(struct Queue *q)
{
    if (KGateTryEnter(&q->gate)) {
        int v = q->length;
        KGateLeave(&q->gate);
        return v;
    }
    return -1;
}
static int clock_now;
int Ticks(void) { unsigned state = KIrqSaveDisable(); int now = clock_now; KIrqRestoreEnable(state); return now; }
void Tick(void) { unsigned state = KIrqSaveDisable(); clock_now++; KIrqRestoreEnable(state); }
C
run init os
expect "init of an invented system" 0
has "spin lock" 'lock \{ kind = "spin", arg = 1, acquire = "KSpinSeize", release = "KSpinRelease"' os/racerx.lua
has "gate" 'acquire = "KGateEnter", *(try = "KGateTryEnter", *)?release = "KGateLeave"' os/racerx.lua
has "try" 'try = "KGateTryEnter"' os/racerx.lua
has "saved state of the CPU" 'flags = "result", acquire = "KIrqSaveDisable"' os/racerx.lua
has "and its restoring" 'flags = 1, release = "KIrqRestoreEnable"' os/racerx.lua
has "threads" 'registers \{ "KThreadStart", arg = 2, data = 3' os/racerx.lua
has "interrupts" 'registers \{ "KInterruptAttach", arg = 2, data = 3, context = "interrupt"' os/racerx.lua
for command in "racerx run os" "racerx locks" "racerx roots"; do
    case $out in *"$command"*) ok "names $command" ;; *) not_ok "names $command" "$out" ;; esac
done
run run --format jsonl os
expect "run with the proposal" 0
case $out in
*'"kind":"race"'*'struct Device.pending'*) ok "the planted race is found" ;;
*) not_ok "the planted race is found" "$(head -c 600 <<<"$out")" ;;
esac
cp os/racerx.lua first
rm -rf os/racerx.lua .racerx
run init -j1 os
if cmp -s first os/racerx.lua; then ok "the same with one thread"; else not_ok "the same with one thread" "$(diff first os/racerx.lua | head -5)"; fi
finish
