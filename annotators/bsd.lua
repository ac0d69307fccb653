-- bsd: what the kernels of the BSD family have in common. No world by itself: the others ask for it.
world { name = "bsd" }

-- Interrupt priority levels: interrupts off until splx(what it was before). Who sleeps, sleeps at the old level. They are of the
-- time of one processor, or of one big lock that handlers take, too: no handler runs meanwhile.
lock { kind = "interrupts", flags = "result", release_on_block = true, everywhere = true,
    acquire = [[ splhigh splvm splbio splnet spltty splclock splsched splserial splimp splstatclock splusb splaudio splipi
        splsoft splsoftclock splsoftnet splsoftserial splsoftbio splsofttty splsoftvm splsoftcam splcam splcrypto spllpt splfd
        splraise splraiseipl spllock splbluetooth splsoftcrypto splpower splhdmi splcons splsysmon splwdog splrnd splpcmcia
        splzs splir splsdmmc splbpp splhil splhardusb splwsevent splpcu splev spluba spl1 spl2 spl3 spl4 spl5 spl6 spl7 ]] }
lock { kind = "interrupts", flags = 1, release = "splx", asserts_held = "splassert splsoftassert" }
lock { kind = "interrupts", release = "spl0 spllower spllowersoftclock" }

-- Waiting, and what may wait. The waits that let go of a lock differ from one to the other.
blocks [[ tsleep tsleep_nsec ltsleep pause copyin copyout copyinstr copyoutstr uiomove fuword suword fubyte subyte vslock ]]
blocks { "malloc realloc contigmalloc reallocf", when = { 3, "M_WAITOK" } }
blocks { "mallocarray realloc", when = { 4, "M_WAITOK" } }
allocates "contigmalloc mallocarray uvm_km_alloc"
frees "free contigfree"
noreturn [[ panic kthread_exit exit1 cpu_reboot kproc_exit cpu_throw lwp_exit doadump vpanic ]]
asserts { "KASSERT KASSERTMSG KDASSERT KDASSERTMSG MPASS VASSERT", arg = 1 }
likely "__predict_true __predict_false"
container "__containerof container_of member2struct"

-- Tables of operations that system calls go through.
for _, table in ipairs(words "cdevsw bdevsw fileops filterops vfsops protosw linesw pr_usrreqs vops vop_vector vop_ops dev_ops") do
    registers { field = "struct " .. table, context = "syscall" }
end
registers { field = "struct vnodeopv_entry_desc.opve_impl", context = "syscall" }
registers { field = "struct sysent.sy_call", context = "syscall" }

-- A kernel's main starts it; there are no threads yet. Nobody knows a device before it is attached.
annotate(function(program)
    mark(program:functions "^(main|init_main|mi_startup)$", "init")
    for name in program:fields "^struct (cfattach\\.ca_(attach|match)|cfdriver\\.cd_attach)$" do
        mark(program:stored_in(name), "init")
        mark(program:stored_in(name), "attach")
    end
end)

-- macros ---------------------------------------------------------------------------
-- Logging is called under every lock.
opaque [[ printf vprintf uprintf log vlog tprintf addlog aprint_normal aprint_error aprint_verbose aprint_debug aprint_naive device_printf if_printf
    kprintf kvprintf kvcprintf ksnprintf ksprintf krateprintf snprintf db_printf ^aprint_\w+_(dev|ifnet)$ backtrace print_backtrace db_enter Debugger ]]
keep [[ DPRINTF ^CTR[0-6]$ ^SDT_PROBE[0-9]*$ DTRACE_PROBE nitems roundup rounddown roundup2 howmany
    min max imin imax lmin lmax ulmin ulmax MIN MAX htons htonl ntohs ntohl htole16 htole32 htole64 le16toh le32toh le64toh
    htobe16 htobe32 htobe64 be16toh be32toh be64toh splz setrunqueue wakeup wakeup_one wakeup_n ]]
attribute [[ __dead __dead2 __pure __pure2 __unused __used __packed __aligned __section __printflike __scanflike __kprintf_attribute__
    __BEGIN_DECLS __END_DECLS __read_mostly __read_frequently __exclusive_cache_line __cacheline_aligned __diagused
    __unused_diag __noinline __always_inline __malloc __result_use_check __weak_symbol __noasan __nosanitizeaddress __nosanitizethread
    __KERNEL_RCSID __RCSID __COPYRIGHT __FBSDID __IDSTRING __SCCSID MALLOC_DECLARE MALLOC_JUSTDEFINE_LIMIT
    MODULE_VERSION MODULE_DEPEND MODULE_PNP_INFO SDT_PROVIDER_DEFINE SDT_PROVIDER_DECLARE CTASSERT __CTASSERT
    __locks_exclusive __locks_shared __unlocks __asserts_locked __requires_exclusive __requires_shared __requires_unlocked
    __guarded_by __pt_guarded_by __lockable __trylocks_exclusive __trylocks_shared __no_lock_analysis ]]
definition { "MALLOC_DEFINE", text = "struct malloc_type $1[1]" }
definition { "MALLOC_DEFINE_LIMIT", text = "struct malloc_type $1[1]" }

-- The kernel is read, on more than one processor, and nothing of Linux.
define { _KERNEL = 1, MULTIPROCESSOR = 1, SMP = 1 }
undefine "__linux__ __linux __gnu_linux__ __GLIBC__ _RUMPKERNEL _STANDALONE SMALL_KERNEL RAMDISK_HOOKS"
