-- c: the C language, its compilers and its standard library. Always in force.
world { name = "c", always = true }

-- The compiler whose view of the code we take: gcc 12 on 64-bit little-endian Linux/x86.
define {
    __STDC__ = 1, __STDC_VERSION__ = 201112, __STDC_HOSTED__ = 1,
    __GNUC__ = 12, __GNUC_MINOR__ = 2, __GNUC_PATCHLEVEL__ = 0, __GNUC_STDC_INLINE__ = 1, __OPTIMIZE__ = 1,
    __linux__ = 1, __linux = 1, __unix__ = 1, __unix = 1, __gnu_linux__ = 1, __ELF__ = 1,
    __GLIBC__ = 2, __GLIBC_MINOR__ = 36,
    __x86_64__ = 1, __x86_64 = 1, __amd64__ = 1, __amd64 = 1, __LP64__ = 1, _LP64 = 1,
    __CHAR_BIT__ = 8, __SIZEOF_SHORT__ = 2, __SIZEOF_INT__ = 4, __SIZEOF_LONG__ = 8, __SIZEOF_LONG_LONG__ = 8,
    __SIZEOF_POINTER__ = 8, __SIZEOF_SIZE_T__ = 8, __SIZEOF_PTRDIFF_T__ = 8, __SIZEOF_WCHAR_T__ = 4,
    __SIZEOF_INT128__ = 16, __SIZEOF_FLOAT__ = 4, __SIZEOF_DOUBLE__ = 8,
    __SCHAR_MAX__ = 127, __SHRT_MAX__ = 32767, __INT_MAX__ = 2147483647, __LONG_MAX__ = "9223372036854775807L",
    __LONG_LONG_MAX__ = "9223372036854775807LL", __SIZE_MAX__ = "18446744073709551615UL",
    __INTPTR_WIDTH__ = 64, __WORDSIZE = 64,
    __ORDER_LITTLE_ENDIAN__ = 1234, __ORDER_BIG_ENDIAN__ = 4321, __ORDER_PDP_ENDIAN__ = 3412,
    __BYTE_ORDER__ = 1234, __FLOAT_WORD_ORDER__ = 1234, __LITTLE_ENDIAN__ = 1,
    __BYTE_ORDER = 1234, __LITTLE_ENDIAN = 1234, __BIG_ENDIAN = 4321, __PDP_ENDIAN = 3412,
    __GCC_ATOMIC_INT_LOCK_FREE = 2, __GCC_ATOMIC_LONG_LOCK_FREE = 2, __GCC_ATOMIC_POINTER_LOCK_FREE = 2,
    __GCC_HAVE_SYNC_COMPARE_AND_SWAP_8 = 1,
}

-- Every name that nobody defines is taken as on; these are off. Not C:
undefine [[
    __cplusplus c_plusplus __OBJC__ __ASSEMBLER__ __ASSEMBLY__ _ASMLANGUAGE LOCORE _LOCORE __CUDACC__ __OPENCL_VERSION__
    __STRICT_ANSI__ __NO_INLINE__ __STDC_NO_ATOMICS__ __STDC_NO_THREADS__ __STDC_NO_VLA__ __STDC_NO_COMPLEX__ ]]
-- other compilers,
undefine [[
    __clang__ __apple_build_version__ __llvm__ _MSC_VER _MSC_FULL_VER _MSC_BUILD __INTEL_COMPILER __INTEL_LLVM_COMPILER
    __ICC __ICL __SUNPRO_C __SUNPRO_CC __TINYC__ __PCC__ __LCC__ __xlc__ __xlC__ __IBMC__ __ibmxl__ __HP_cc __HP_aCC __DECC
    __DECC_VER __ARMCC_VERSION __ARMCC__ __CC_ARM __ICCARM__ __IAR_SYSTEMS_ICC__ __ghs__ __DCC__ __TI_COMPILER_VERSION__
    __TMS320C6X__ __MWERKS__ __CWCC__ __CODEWARRIOR__ __PGI __PGIC__ __NVCOMPILER __SDCC SDCC __COMPCERT__ __BORLANDC__
    __TURBOC__ __WATCOMC__ __ZTC__ __DMC__ __POCC__ __LCC_VERSION__ __XC8 __XC16 __XC32 __C51__ __KEIL__ __RENESAS__
    __VISUALDSPVERSION__ _CRAYC __CHIBICC__ __CCC__ __XTENSA__ __BCC__ __NWCC__ __convexc__ __highc__ ]]
-- checkers and documentation makers, which are shown something else than the compiler,
undefine [[
    lint __lint __lint__ _lint LINT __LINT__ S_SPLINT_S __SPLINT__ __COVERITY__ __coverity__ __KLOCWORK__ __clang_analyzer__
    __CHECKER__ __cppcheck__ CPPCHECK __CPROVER CPROVER __FRAMAC__ __CLANG_TIDY__ __PVS_STUDIO__ PCLINT _lint_ __GENKSYMS__
    DOXYGEN __DOXYGEN__ DOXYGEN_SHOULD_SKIP_THIS DOXYGEN_ONLY SWIG RC_INVOKED __BINDGEN__ __GCCXML__ __CDT_PARSER__
    __INTELLISENSE__ __JETBRAINS_IDE__ __SANITIZE_ADDRESS__ __SANITIZE_THREAD__ __SANITIZE_HWADDRESS__ ]]
-- other systems (a preset for one of them says otherwise),
undefine [[
    _WIN32 _WIN64 WIN32 WIN64 __WIN32__ __WIN32 _WINDOWS WINDOWS _WIN32_WCE WINCE __CYGWIN__ __CYGWIN32__ __MINGW32__
    ^_?WIN(32|64)_\w+$ __MINGW64__ __MSYS__ __MSDOS__ MSDOS _MSDOS __DOS__ DOS __DJGPP__ __DJGPP DJGPP __GO32__ __EMX__ __OS2__ OS2 _OS2
    __NT__ __TOS_WIN__ __INTERIX __UWIN__ UEFI __EFI__
    __APPLE__ __APPLE_CC__ __MACH__ __DARWIN__ DARWIN macintosh __FreeBSD__ __FreeBSD_kernel__ __FreeBSD_version __NetBSD__
    __NetBSD_Version__ __OpenBSD__ OpenBSD __DragonFly__ __bsdi__ __MidnightBSD__ BSD BSD4_3 BSD4_4 __386BSD__
    sun __sun __sun__ __svr4__ __SVR4 SVR4 SYSV SYSV3 USG __illumos__ hpux __hpux __hpux__ _HPUX_SOURCE _AIX AIX __AIX__
    _IBMR2 __osf__ __digital__ ultrix __ultrix __ultrix__ sgi __sgi __sgi__ __VMS VMS __vms vms __BEOS__ __HAIKU__ __QNX__
    __QNXNTO__ __minix __minix__ _MINIX __amigaos__ AMIGA __AMIGA__ __MORPHOS__ __AROS__ __MVS__ __HOS_MVS__ __VM__ __TANDEM
    __OS400__ __ILEC400__ __TOS__ atarist __riscos __riscos__ __ANDROID__ ANDROID __EMSCRIPTEN__ __wasm__ __wasi__
    __native_client__ _SCO_DS M_XENIX M_UNIX M_I386 _UNICOS _CRAY __Lynx__ __LYNX __vxworks __VXWORKS__ VXWORKS _WRS_KERNEL
    __rtems__ __ZEPHYR__ __NuttX__ __ECOS __ecos __SYLLABLE__ __PLAN9__ __plan9__ PLAN9 __GNU__ __gnu_hurd__ __Fuchsia__
    __KERNEL__ _KERNEL _STANDALONE __NetWare__ NETWARE N_PLAT_NLM _NLM_ __SYMBIAN32__ __palmos__ pyr mips convex NeXT __NeXT__
    ]]
-- other processors,
undefine [[
    __i386__ __i386 i386 _M_IX86 _M_X64 _M_AMD64 _M_ARM _M_ARM64 _X86_ __ILP32__ _ILP32 __arm__ __arm __thumb__ __thumb2__
    __ARM_ARCH __aarch64__ __AARCH64EB__ __AARCH64EL__ __ARMEB__ __ARMEL__ __mips__ __mips __mips64 __MIPSEB__ __MIPSEL__
    __powerpc__ __powerpc __ppc__ __ppc __PPC__ __powerpc64__ __ppc64__ __PPC64__ _ARCH_PPC _POWER __sparc__ __sparc sparc
    __sparc_v9__ __sparcv9 __alpha__ __alpha __ia64__ __ia64 _IA64 __m68k__ m68k __mc68000__ mc68000 __hppa__ __hppa __s390__
    __s390x__ __riscv __riscv__ __riscv_xlen __sh__ __SH4__ __vax__ vax __arc__ __avr__ __AVR__ __AVR32__ __bfin__ __cris__
    __frv__ __hexagon__ __loongarch__ __m32r__ __microblaze__ __MICROBLAZE__ __mn10300__ __nios2__ __or1k__ __score__ __tile__
    __tilegx__ __xtensa__ __XTENSA__ __h8300__ __csky__ __nds32__ __metag__ __msp430__ __MSP430__ __CHERI__ __KVX__
    __BIG_ENDIAN__ _BIG_ENDIAN WORDS_BIGENDIAN HOST_BIG_ENDIAN ]]
-- and words that switch code off.
undefine [[
    NDEBUG notdef NOTDEF not_def NOT_DEF notyet NOTYET not_yet NOT_YET notused NOTUSED NOT_USED never NEVER undef UNDEF
    nodef OBSOLETE obsolete DONT_COMPILE NOT_IMPLEMENTED notimplemented
    ^(NO|WITHOUT|DISABLE|OMIT|LACKS|MISSING)_[A-Z] ^\w+_(FORCE_NO|DISABLED?|WITHOUT|OMIT)(_[A-Z]|$) ]]
-- Debugging layers that stand in for locks, threads and allocators: what is built to run has the real ones.
undefine [[
    ^(?!CONFIG_)(\w+_)?((SPIN|RW)?LOCKS?|THREADS?|MUTEX(ES)?|PTHREADS?|MALLOC|ALLOC|MEM)_(DEBUG|CHECKS?|CHECKING|PROFILING)$
    ^(?!CONFIG_)(\w+_)?(DEBUG|CHECK|PROFILE)_((SPIN|RW)?LOCKS?|LOCKING|THREADS?|MUTEX(ES)?|PTHREADS?|MALLOC|ALLOC|MEM)$ ]]

condition { "__has_attribute __has_builtin __has_c_attribute __has_include_next", answer = 1 }
condition { "__has_feature __has_extension __has_warning __has_cpp_attribute __has_declspec_attribute", answer = 0 }

attribute "_Pragma __pragma"
keep "memcpy memmove memset memcmp strcpy strncpy strcat strcmp strncmp strlen" -- wrapped by checking macros, and the same
likely "__builtin_expect __builtin_expect_with_probability __builtin_assume_aligned likely unlikely"
container "container_of CONTAINING_RECORD __containerof containerof"
asserts "assert"
noreturn [[ exit _exit _Exit quick_exit abort longjmp siglongjmp _longjmp __builtin_longjmp __builtin_unreachable
    __builtin_trap __assert_fail ]]

allocates "malloc calloc realloc reallocarray aligned_alloc strdup strndup __builtin_malloc __builtin_alloca alloca"
frees "free"
registers { "qsort", arg = 4, context = "call" }
registers { "bsearch", arg = 5, context = "call" }
registers { "atexit at_quick_exit", arg = 1, context = "exit" }
registers { "signal bsd_signal sigset sysv_signal", arg = 2, context = "signal" }
registers { field = "struct sigaction.sa_handler", context = "signal" }
registers { field = "struct sigaction.sa_sigaction", context = "signal" }

-- A thread's signals: blocked, no handler runs in it. Who wants to know what was blocked before blocks more.
for _, mask in ipairs { "sigprocmask pthread_sigmask thr_sigsetmask" } do
    lock { kind = "signals", returns = "zero", sure = true, when = { 1, "SIG_BLOCK" }, acquire = mask }
    lock { kind = "signals", returns = "zero", sure = true, when = { 1, "SIG_SETMASK" }, also = { 3, "!^(0|NULL)$" }, acquire = mask }
    lock { kind = "signals", when = { 1, "SIG_SETMASK" }, also = { 3, "^(0|NULL)$" }, release = mask }
    lock { kind = "signals", when = { 1, "SIG_UNBLOCK" }, release = mask }
end
lock { kind = "signals", acquire = "sighold sigblock", release = "sigrelse sigsetmask" }

-- Atomics of C11 and of the compilers: the first argument points to the object.
atomic { "^__atomic_(store|exchange)$", arg = 1 }
atomic { "^__atomic_(fetch_[^as]|test_and_set|clear|and|or|xor|nand)", arg = 1 }
atomic { "__atomic_store_n __atomic_exchange_n atomic_store atomic_store_explicit atomic_exchange atomic_exchange_explicit",
    arg = 1, data = 2 }
atomic { "__atomic_load __atomic_load_n", arg = 1, access = "read" }
atomic { "__atomic_load", arg = 2, access = "write" }
atomic { "^__sync_(fetch_and_[^as]|[^as][a-z]*_and_fetch|and_and_fetch|val_compare_and_swap|lock_test_and_set|lock_release)", arg = 1 }
atomic { "__atomic_fetch_and __sync_fetch_and_and", arg = 1 }
atomic { "^atomic_fetch_(and|or|xor)(_explicit)?$", arg = 1 }
-- They store only where they say so.
atomic { "^__atomic_compare_exchange", arg = 1, returns = "nonzero" }
atomic { "__sync_bool_compare_and_swap", arg = 1, returns = "nonzero" }
atomic { "^atomic_compare_exchange_(strong|weak)(_explicit)?$", arg = 1, returns = "nonzero" }
atomic { "atomic_init", arg = 1, access = "write", data = 2 }
-- They give each caller another number: the one before, or after.
atomic { "__atomic_fetch_add __sync_fetch_and_add atomic_fetch_add atomic_fetch_add_explicit", arg = 1, counts = "up" }
atomic { "__atomic_fetch_sub __sync_fetch_and_sub atomic_fetch_sub atomic_fetch_sub_explicit", arg = 1, counts = "down" }
atomic { "__atomic_add_fetch __sync_add_and_fetch", arg = 1, counts = "up to" }
atomic { "__atomic_sub_fetch __sync_sub_and_fetch", arg = 1, counts = "down to" }
atomic { "atomic_load atomic_load_explicit", arg = 1, access = "read" }
atomic { "atomic_flag_test_and_set atomic_flag_test_and_set_explicit atomic_flag_clear atomic_flag_clear_explicit", arg = 1 }

-- Locks made of atomics: who is the first to set it has it, until it is cleared.
lock { kind = "claim", arg = 1, returns = "zero",
    try = [[ __atomic_test_and_set atomic_flag_test_and_set atomic_flag_test_and_set_explicit ]],
    release = "__sync_lock_release __atomic_clear atomic_flag_clear atomic_flag_clear_explicit" }
for _, one in ipairs { 1, "^(TRUE|true)$" } do
    lock { kind = "claim", arg = 1, returns = "zero", when = { 2, one },
        try = "__sync_lock_test_and_set __atomic_exchange_n atomic_exchange atomic_exchange_explicit" }
end
lock { kind = "claim", arg = 1, returns = "nonzero", when = { 2, 0 }, try = "__sync_bool_compare_and_swap" }
lock { kind = "claim", arg = 1, returns = "zero", when = { 2, 0 }, try = "__sync_val_compare_and_swap" }
-- Who writes his own number where nobody's was, 0: a local that is always 0 when its address is given.
lock { kind = "claim", arg = 1, returns = "nonzero", when = { 2, 0 },
    try = [[ __atomic_compare_exchange_n ^atomic_compare_exchange_(strong|weak)(_explicit)?$ ]] }
for _, one in ipairs { 1, "^(TRUE|true)$" } do
    lock { kind = "claim", arg = 1, returns = "nonzero", when = { 3, one },
        try = [[ __atomic_compare_exchange_n ^atomic_compare_exchange_(strong|weak)(_explicit)?$ ]] }
end
for _, none in ipairs { 0, "^(FALSE|false)$" } do
    lock { kind = "claim", arg = 1, when = { 2, none },
        release = [[ __sync_lock_test_and_set __atomic_store_n atomic_store atomic_store_explicit __atomic_exchange_n atomic_exchange
            atomic_exchange_explicit ]] }
end

-- Types whose objects are accessed in one piece.
atomic [[ sig_atomic_t atomic_flag atomic_bool atomic_char atomic_short atomic_ushort atomic_int atomic_uint atomic_long atomic_ulong
    atomic_llong atomic_ullong atomic_size_t atomic_intptr_t atomic_uintptr_t atomic_ptrdiff_t ^atomic_u?int(_least|_fast)?(8|16|32|64)_t$ ]]

percpu "errno" -- one per thread
-- Tests: what is wrong there is often so on purpose.
-- What a table of start-up calls holds runs before there is anybody else.
annotate(function(program)
    for name in program:fields "^struct (\\w+_)?(init_?calls?|init_(entry|item|table)|sys_?init)\\." do
        mark(program:stored_in(name), "init")
    end
end)

annotate(function(program)
    mark(program:functions_in(re [[(^|/)(self|unit)?-?tests?(suite|cases|ing)?/|(^|/)(test[_-][^/]*|[^/]*[_-](self|unit)?tests?)\.[ch]$]]), "test")
end)

-- <errno.h>, where no header of the tree says what they are.
constant {
    EPERM = 1, ENOENT = 2, ESRCH = 3, EINTR = 4, EIO = 5, ENXIO = 6, E2BIG = 7, ENOEXEC = 8, EBADF = 9, ECHILD = 10,
    EAGAIN = 11, EWOULDBLOCK = 11, ENOMEM = 12, EACCES = 13, EFAULT = 14, ENOTBLK = 15, EBUSY = 16, EEXIST = 17, EXDEV = 18,
    ENODEV = 19, ENOTDIR = 20, EISDIR = 21, EINVAL = 22, ENFILE = 23, EMFILE = 24, ENOTTY = 25, ETXTBSY = 26, EFBIG = 27,
    ENOSPC = 28, ESPIPE = 29, EROFS = 30, EMLINK = 31, EPIPE = 32, EDOM = 33, ERANGE = 34, EDEADLK = 35, EDEADLOCK = 35,
    ENAMETOOLONG = 36, ENOLCK = 37, ENOSYS = 38, ENOTEMPTY = 39, ELOOP = 40, ENOMSG = 42, EIDRM = 43, ECHRNG = 44,
    EL2NSYNC = 45, EL3HLT = 46, EL3RST = 47, ELNRNG = 48, EUNATCH = 49, ENOCSI = 50, EL2HLT = 51, EBADE = 52, EBADR = 53,
    EXFULL = 54, ENOANO = 55, EBADRQC = 56, EBADSLT = 57, EBFONT = 59, ENOSTR = 60, ENODATA = 61, ETIME = 62, ENOSR = 63,
    ENONET = 64, ENOPKG = 65, EREMOTE = 66, ENOLINK = 67, EADV = 68, ESRMNT = 69, ECOMM = 70, EPROTO = 71, EMULTIHOP = 72,
    EDOTDOT = 73, EBADMSG = 74, EOVERFLOW = 75, ENOTUNIQ = 76, EBADFD = 77, EREMCHG = 78, ELIBACC = 79, ELIBBAD = 80,
    ELIBSCN = 81, ELIBMAX = 82, ELIBEXEC = 83, EILSEQ = 84, ERESTART = 85, ESTRPIPE = 86, EUSERS = 87, ENOTSOCK = 88,
    EDESTADDRREQ = 89, EMSGSIZE = 90, EPROTOTYPE = 91, ENOPROTOOPT = 92, EPROTONOSUPPORT = 93, ESOCKTNOSUPPORT = 94,
    EOPNOTSUPP = 95, EPFNOSUPPORT = 96, EAFNOSUPPORT = 97, EADDRINUSE = 98, EADDRNOTAVAIL = 99,
    ENETDOWN = 100, ENETUNREACH = 101, ENETRESET = 102, ECONNABORTED = 103, ECONNRESET = 104, ENOBUFS = 105, EISCONN = 106,
    ENOTCONN = 107, ESHUTDOWN = 108, ETOOMANYREFS = 109, ETIMEDOUT = 110, ECONNREFUSED = 111, EHOSTDOWN = 112,
    EHOSTUNREACH = 113, EALREADY = 114, EINPROGRESS = 115, ESTALE = 116, EUCLEAN = 117, ENOTNAM = 118, ENAVAIL = 119,
    EISNAM = 120, EREMOTEIO = 121, EDQUOT = 122, ENOMEDIUM = 123, EMEDIUMTYPE = 124, ECANCELED = 125, ENOKEY = 126,
    EKEYEXPIRED = 127, EKEYREVOKED = 128, EKEYREJECTED = 129, EOWNERDEAD = 130, ENOTRECOVERABLE = 131, ERFKILL = 132,
}

-- <sys/queue.h> and <sys/tree.h> are in every second tree, often as system headers nobody has.
iterator { "^(LIST|SLIST|TAILQ|STAILQ|SIMPLEQ|CIRCLEQ|RB|SPLAY)_FOREACH(_|$)", var = 1 }

-- Library functions that write what an argument points to, or read it, and do nothing else to data.
accesses { "memset bzero explicit_bzero memset_s", arg = 1, access = "write" }
accesses { "realloc reallocarray", arg = 1, access = "write" } -- it may be elsewhere afterwards
accesses { "memcpy memmove strcpy strncpy strlcpy stpcpy mempcpy wcscpy", arg = 1, access = "write" }
accesses { "memcpy memmove strcpy strncpy strlcpy stpcpy mempcpy wcscpy", arg = 2, access = "read" }
accesses { "strcat strncat strlcat", arg = 1 }
accesses { "strcat strncat strlcat", arg = 2, access = "read" }
accesses { "sprintf snprintf vsprintf vsnprintf", arg = 1, access = "write" }
accesses { "strlen strcmp strncmp strcasecmp memcmp strchr strrchr strstr atoi atol puts", arg = 1, access = "read" }
accesses { "strcmp strncmp strcasecmp memcmp strstr", arg = 2, access = "read" }
accesses { "fgets", arg = 1, access = "write" }
accesses { "read pread recv recvfrom getrandom", arg = 2, access = "write" }
accesses { "write pwrite send sendto", arg = 2, access = "read" }
accesses { "sscanf", arg = 1, access = "read" }
-- What they keep between calls, or give out, is one for all threads.
accesses { "strtok", global = "what strtok keeps" }
accesses { "localtime gmtime", global = "the time localtime gives", access = "write" }
accesses { "asctime ctime", global = "the text ctime gives", access = "write" }
accesses { "gethostbyname gethostbyaddr", global = "the host gethostbyname gives", access = "write" }
accesses { "getpwnam getpwuid getpwent", global = "the entry getpwnam gives", access = "write" }
accesses { "getgrnam getgrgid getgrent", global = "the entry getgrnam gives", access = "write" }
accesses { "getservbyname getservbyport getprotobyname", global = "the entry getservbyname gives", access = "write" }
accesses { "ttyname", global = "the name ttyname gives", access = "write" }
for argument = 3, 8 do
    accesses { "sscanf fscanf", arg = argument, access = "write" }
end
