-- words.lua: what `racerx init` looks for, and how it decides. C counts (racerx/init/propose.c has the functions that are
-- called here), this script knows the words. docs/init.md explains the evidence and the thresholds.

-- words ----------------------------------------------------------------------------
local function set(text)
    local out = {}
    for _, word in ipairs(words(text)) do out[word] = true end
    return out
end

discover {
    noreturn = words "noreturn does_not_return no_return __dead",
    likely = words "likely unlikely __builtin_expect LIKELY UNLIKELY G_LIKELY G_UNLIKELY __predict_true __predict_false",
    zero = words "null false _ok eok success nil",
}

-- A stem takes, its partners let go. strength: how much the words alone say. part: also inside a longer word.
-- needs: only next to one of these words.
local cpu_words = set [[ irq irqs irqn interrupt interrupts intr ints int spl preempt preemption sched scheduler scheduling dispatch bh softirq
    softint critical crit dpc cli sti isr basepri primask local migrate migration systick nmi ]]
local stems = {
    { "lock", "unlock release", strength = 3, part = true },
    { "acquire", "release", strength = 3, part = true },
    { "obtain", "release", strength = 2 },
    { "seize", "release unseize", strength = 2 },
    { "grab", "release drop ungrab", strength = 2 },
    { "hold", "release unhold drop", strength = 1 },
    { "claim", "release unclaim", strength = 1 },
    { "enter", "exit leave", strength = 2, part = true },
    { "take", "give release put untake", strength = 2 },
    { "pend", "post", strength = 2 },
    { "down", "up", strength = 2 },
    { "p", "v", strength = 2 },
    { "wait", "post signal give release", strength = 2, needs = set "sem sema semaphore semaphores sem4 nxsem xsem ksem" },
    { "wait", "post signal give", strength = 2, part = true, needs = set "sem sema semaphore" },
    { "disable", "enable restore", strength = 2, needs = cpu_words },
    { "off", "on", strength = 2, needs = cpu_words },
    { "push", "pop", strength = 2, needs = set "off irq intr cli" },
    { "mask", "unmask", strength = 2, needs = cpu_words },
    { "set", "clear", strength = 2, needs = set "interrupt irq intr mask" },
    { "suspend", "resume", strength = 2, needs = set "all scheduler sched preempt interrupt interrupts irq tasks" },
    { "save", "restore", strength = 2, needs = cpu_words },
    { "block", "unblock", strength = 1, needs = cpu_words },
    { "raise", "lower", strength = 2, needs = set "irql ipl spl" },
    { "get", "put rel release", strength = 1 },
    { "begin", "end retry", strength = 1, part = true },
    { "start", "end stop", strength = 1 },
}

-- Words that make a variant of the same lock function.
local plain_words = set [[ enter exit leave lock unlock mask unmask set clear push pop section all global arch hw cpu cpus os sys port kernel k
    machine md hal platform core system asm native on off begin end bits level x86 arm mips riscv suspend resume raise lower task tasks ]]
local soft = set [[ try trylock tryget nested nest interruptible killable timeout timed timedout until slow fast nowait wait sig intr io
    notrace noresched no resched polled poll slowpath noclear recursive rec ip common acquire2 nb from isr non owner cond conditional
    noerr forever ticks once one all last owned spinning sleep sleeping clock irqrestore2 safe checked caller debug ]]
local hard = set [[ read write rd wr reader writer readers writers shared excl exclusive r w s x irqsave irqrestore irq flags save restore bh
    upgrade upgradable sx raw reading writing share rdwr ]]
local same_word = { irqsave = "irqs", irqrestore = "irqs", save = "sv", restore = "sv", saved = "sv", disable = "sw", enable = "sw" }
local glued_soft, glued_hard = words "try timed", words "rd wr read write r w s x"

-- What a lock is called.
local lock_words = set [[ lock locks mutex mutexes mtx spin spinlock sem sema semaphore semaphores rwlock rwl rwsem latch critical crit
    cs section token giant monitor lk lck mut mux rw sx rm seqlock slock glock futex bkl seq seqcount rcu smr srcu serialize serializer guard splock ]]
local lock_parts = { "lock", "mutex", "mtx", "sem", "latch", "spin", "token" }
local try_words = set "try trylock trywait trydown tryget tryenter trytake conditional attempt tryacquire"
local timed_words = set "timed timeout timedwait timedlock until"
local shared_words = set "read rd reader readers shared share rlock rdlock slock runlock rdunlock tryrdlock tryrlock sharedlock rwlockrd"
-- Words of what comes in pairs and is no lock.
local other_words = set [[ trace tracer log logger dbg debug print stat stats prof profile profiler perf measure test bench func function
    context section2 list node scope tag element elem array object json xml html frame transaction tx sg dma map clk clock power pm
    runtime regulator device dev ref reference refcount kref count va batch draw paint render iter cursor parse level block
    bus phy pwm gpio pin module usb pci ]]
local kinds = {
    { "rcu", set "rcu smr epoch" },
    { "sequence", set "seq seqcount seqlock" },
    { "semaphore", set "sem sema semaphore semaphores nxsem ksem sem4" },
    { "softirqs", set "bh softirq softint", cpu = true },
    { "preemption", set "preempt preemption sched scheduler scheduling dispatch kpreempt migrate migration tasks", cpu = true },
    { "interrupts", set "irq irqs interrupt interrupts intr ints spl cli critical crit primask basepri isr irql", cpu = true },
    { "spin", set "spin spinlock raw slock splock spinlocks" },
    { "mutex", set "mutex mtx mut rw rwlock rwsem sx" },
}
-- No single word of theirs says so.
local cpu_names = "^(push_off|push_?cli|popcli|intr_?push|irq_?push)$|suspend_?all$|suspend_?sched|lock_?sched"
local preemption_names = "suspend_?all$|suspend_?sched|lock_?sched"
local spl = "^_?spl[a-z0-9]+$" -- splnet, splx …: levels of interrupts

