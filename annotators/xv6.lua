-- xv6: MIT's teaching kernel, for RISC-V and for x86, and what courses make of it.
-- `acquire` and `release` are anybody's names: others tell the world.
world {
    name = "xv6",
    detect = [[ acquiresleep releasesleep holdingsleep initsleeplock push_off pop_off pushcli popcli begin_op end_op
        iunlockput iunlock ilock namei argint argaddr fetchstr myproc usertrapret forkret growproc ]],
    least = 6,
}

-- A spin lock keeps interrupts off on this CPU, counted by push_off.
lock { kind = "spin", arg = 1, disables = "interrupts", types = "struct spinlock", acquire = "acquire", release = "release",
    init = "initlock", test = "holding" }
lock { kind = "mutex", arg = 1, types = "struct sleeplock", acquire = "acquiresleep", release = "releasesleep",
    init = "initsleeplock", test = "holdingsleep" }
-- sleep(channel, lock) lets go of the lock until wakeup(channel).
lock { kind = "spin", arg = 2, disables = "interrupts", wait = "sleep" }
lock { kind = "interrupts", recursive = true, acquire = "push_off pushcli", release = "pop_off popcli" }
lock { kind = "interrupts", acquire = "intr_off cli", release = "intr_on sti" }
-- begin_op and end_op count who is in a transaction; nobody is kept out by them. They sleep.
blocks "begin_op end_op bread bwrite"
allocates "kalloc"
frees "kfree kmem_free"
noreturn "panic exit scheduler usertrapret"

-- One per CPU, one per process: nobody else's.
percpu "mycpu cpuid r_tp"
keep { "myproc proc curproc", type = "struct proc *" }

annotate(function(program)
    for name in program:fields "^((\\w+\\.c:)?syscalls$|struct devsw\\.)" do
        mark(program:stored_in(name), "multithreaded")
    end
    mark("^(usertrap|forkret|scheduler)$", "multithreaded")
    mark("^(devintr|kerneltrap|uartintr|ideintr|kbdintr|virtio_disk_intr)$", "interrupt")
    -- The kernel's main makes everything before other CPUs go on. User programs have one thread each, and call the
    -- kernel by the names of its own functions: fork, exec, kill.
    mark("^(main|fsinit)$", "init")
end)
