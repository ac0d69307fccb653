// declare_test.c: the declarations, the sandbox, and the presets. Prints ok/not ok lines; exit 1
// when one is not ok. What must fail fatally is run in a child whose standard error is read.
#include "annotators/declare.h"
#include "annotators/host.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static u32 failures;
static char directory[] = "/tmp/racerx-declare-XXXXXX";

static void expect(bool holds, const char *what) {
    printf("%s %s\n", holds ? "ok" : "not ok", what);
    failures += !holds;
}

// a script in a file of its own ---------------------------------------------------

static char *script_path(const char *name) {
    Buffer path = {0};
    buffer_format(&path, "%s/%s", directory, name);
    buffer_byte(&path, 0);
    return (char *)path.bytes;
}

static char *script_write(const char *name, const char *text) {
    char *path = script_path(name);
    FILE *file = fopen(path, "w");
    check(file && fputs(text, file) >= 0 && !fclose(file));
    return path;
}

static void script_remove(const char *name) {
    char *path = script_path(name);
    unlink(path);
    free(path);
}

static Declarations *load_presets(const char *text, const char *const *presets, u32 count) {
    char *path = script_write("racerx.lua", text);
    const char *scripts[] = {path};
    DeclareOptions options = {.presets = presets, .preset_count = count, .scripts = scripts, .script_count = 1};
    Declarations *loaded = declarations_load(&options);
    free(path);
    return loaded;
}

static Declarations *load(const char *text) {
    static const char *const none[] = {NULL};
    return load_presets(text, none, 0);
}

static Declared look(const Declarations *declarations, const char *name) {
    return declarations_look(declarations, name, (u32)strlen(name));
}

static const LockEffect *effect(const Declarations *declarations, const char *name, u32 wanted, u32 index) {
    const LockEffect *effects = NULL;
    u32 count = declarations_effects(declarations, name, (u32)strlen(name), &effects);
    return count == wanted && index < count ? &effects[index] : NULL;
}

static const CallFact *fact(const Declarations *declarations, const char *name, u32 said, u32 wanted, u32 index) {
    const CallFact *facts = NULL;
    u32 count = declarations_facts(declarations, name, (u32)strlen(name), said, &facts);
    return count == wanted && index < count ? &facts[index] : NULL;
}

// Loading `text` must end with status 2 and a message that has all these parts.
static void expect_fatal(const char *text, const char *place, const char *part, const char *what) {
    int ends[2];
    char message[65536];
    check(!pipe(ends));
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        dup2(ends[1], 2);
        load(text);
        _exit(0);
    }
    close(ends[1]);
    size_t size = 0;
    for (ssize_t got; (got = read(ends[0], message + size, sizeof message - 1 - size)) > 0;)
        size += (size_t)got;
    message[size] = 0;
    close(ends[0]);
    int status;
    waitpid(child, &status, 0);
    bool holds = WIFEXITED(status) && WEXITSTATUS(status) == 2 && strstr(message, place) && strstr(message, part);
    expect(holds, what);
    if (!holds)
        printf("#  status %d, said: %s\n", status, message);
}

static void test_constants(void) {
    Declarations *declarations = load("constant { BUSY = 16, LOW = -3 }\nconstant { EPERM = 77 }\nkeep 'BUSY'");
    i64 value = 0;
    expect(declarations_constant(declarations, "BUSY", 4, &value) && value == 16, "a constant has its value");
    expect(declarations_constant(declarations, "LOW", 3, &value) && value == -3, "a negative constant");
    expect(declarations_constant(declarations, "EPERM", 5, &value) && value == 77,
           "a script overrules a preset's constant");
    expect(declarations_constant(declarations, "EINTR", 5, &value) && value == 4, "the C preset knows error numbers");
    expect(!declarations_constant(declarations, "BUS", 3, &value), "another name is no constant");
    declarations_free(declarations);
}

// what is wrong is said with its line -----------------------------------------------

static void test_mistakes(void) {
    expect_fatal("\nlock { aquire = 'a', arg = 1 }", "racerx.lua:2:", "unknown key 'aquire'", "an unknown key");
    expect_fatal("keep { 'a', colour = 1 }", "racerx.lua:1:", "unknown key 'colour'", "an unknown key elsewhere");
    expect_fatal("\n\nkeep '^a(b'", "racerx.lua:3:", "'^a(b' is not usable: missing closing parenthesis",
                 "a pattern that does not compile");
    expect_fatal("keep '^(?R)a'", "racerx.lua:1:", "not allowed", "a pattern that is not plain");
    expect_fatal("keep '^(a)\\\\1'", "racerx.lua:1:", "not usable", "a back-reference");
    expect_fatal("keep '^a*'", "racerx.lua:1:", "matches every name", "a pattern that matches everything");
    expect_fatal("keep 'two-words'", "racerx.lua:1:", "no C name", "a name that is none");
    expect_fatal("keep { {} }", "racerx.lua:1:", "not a table", "a name of the wrong type");
    expect_fatal("keep {}", "racerx.lua:1:", "names nothing", "a declaration of nothing");
    expect_fatal("lock { acquire = 'a', release = 'b', arg = 'x' }", "racerx.lua:1:", "number of an argument",
                 "an argument of the wrong type");
    expect_fatal("lock { acquire = 'a', release = 'b', arg = 1.5 }", "racerx.lua:1:", "number of an argument",
                 "an argument that is no whole number");
    expect_fatal("lock { acquire = 'a', release = 'b', arg = 1, shared = 1 }", "racerx.lua:1:", "true or false",
                 "a flag of the wrong type");
    expect_fatal("lock { acquire = 'a', release = 'b', arg = 1, kind = 'spinning' }", "racerx.lua:1:", "one of spin",
                 "an unknown word");
    expect_fatal("lock { acquire = 'a', release = 'b' }", "racerx.lua:1:", "which lock?", "a lock without its place");
    expect_fatal("lock { acquire = 'a', release = 'b', arg = 1, global = 'g' }", "racerx.lua:1:", "contradict",
                 "a lock with two places");
    expect_fatal("x = 1\nlock { acquire = 'a', arg = 1 }", "racerx.lua:2:", "no declaration releases",
                 "a lock nobody releases");
    expect_fatal("lock { acquire = 'a', release = 'a', arg = 1 }", "racerx.lua:1:", "contradicts line 1",
                 "a function that locks and unlocks");
    expect_fatal("lock { acquire = 'a', release = 'b', arg = 1 }\nlock { acquire = 'a', arg = 1, shared = true }",
                 "racerx.lua:2:", "contradicts line 1", "two modes for one lock");
    expect_fatal("keep 'a'\nattribute 'a'", "racerx.lua:2:", "said to be attribute here but keep in line 1",
                 "two readings of one name");
    expect_fatal("lock { acquire = 'a', release = 'b', arg = 1, like = 2 }", "racerx.lua:1:", "like speaks of init",
                 "like without init");
    expect_fatal("lock { acquire = 'a', arg = 1, fails = 'negative' }", "racerx.lua:1:", "fails needs returns",
                 "fails without returns");
    expect_fatal("constant { A = '1' }", "racerx.lua:1:", "a whole number", "a constant that is no number");
    expect_fatal("constant { 'A' }", "racerx.lua:1:", "write constant { NAME = value }", "a constant without a name");
    expect_fatal("constant { ['A(x)'] = 1 }", "racerx.lua:1:", "no C name", "a constant with parameters");
    expect_fatal("constant { A = 1 }\ndefine { A = 1 }", "racerx.lua:2:", "define here but constant in line 1",
                 "a constant that is defined, too");
    expect_fatal("define { A = 1 }\nundefine 'A'", "racerx.lua:2:", "undefine here but define in line 1",
                 "defined and not");
    expect_fatal("definition { 'D', text = 'int $x' }", "racerx.lua:1:", "'$x'", "a template with an unknown word");
    expect_fatal("loc { }", "racerx.lua:1:", "misspelled", "an unknown declaration");
    expect_fatal("lock {", "racerx.lua:1:", "near <eof>", "a syntax error");
    expect_fatal("error('own words', 0)", "racerx.lua:1:", "own words", "an error without a line gets one");
    expect_fatal("preset 'vms'", "racerx.lua:1:", "there are apr, bsd, c,", "an unknown preset");
    expect_fatal("registers { 'r', context = 'thread' }", "racerx.lua:1:", "needs arg",
                 "a registration without handler");
    expect_fatal("\33Lua", "racerx.lua", "binary chunk", "bytecode");
}

// no way out -----------------------------------------------------------------------

static void test_sandbox(void) {
    static const char *const absent[] = {"io",           "os",           "package",   "require",    "debug",
                                         "load",         "loadfile",     "dofile",    "loadstring", "collectgarbage",
                                         "getmetatable", "setmetatable", "coroutine", "rawset",     "rawget",
                                         "pcall",        "xpcall",       "next",      "_G",         "utf8"};
    static const char *const methods[] = {"dump", "find", "gmatch", "gsub", "pack", "unpack"};
    char text[200], what[100];
    for (u32 i = 0; i < sizeof absent / sizeof *absent; i++) {
        snprintf(text, sizeof text, "local x = %s", absent[i]);
        snprintf(what, sizeof what, "no %s", absent[i]);
        expect_fatal(text, "racerx.lua:1:", "neither a declaration", what);
    }
    for (u32 i = 0; i < sizeof methods / sizeof *methods; i++) {
        snprintf(text, sizeof text, "('x'):%s('y')", methods[i]);
        snprintf(what, sizeof what, "no string.%s", methods[i]);
        expect_fatal(text, "racerx.lua:1:", "attempt to call a nil value", what);
    }
    declarations_free(
        load("assert(('x').__index == nil and ('x').__metatable == nil and ('x').rep ~= nil)\n"
             "string.rep = nil assert(table.move == nil and math.random == nil)\n"
             "assert(tostring({}) == 'table' and tostring(print) == 'function')\n"
             "local keys = '' for k in pairs { b = 1, a = 2, [2] = 3, [1] = 4 } do keys = keys .. k end\n"
             "assert(keys == '12ab')\n"
             "assert(match('abc', '^a(.)c$') == 'b' and ('abc'):match('b') == 'b' and not match('a', 'b'))"));
    expect(true, "no metatables, no chance, sorted pairs");
}

static void test_limits(void) {
    double start = clock_seconds();
    expect_fatal("while true do end", "racerx.lua:1:", "too many steps", "an endless loop");
    expect_fatal("local function f() return f() end\nf()", "racerx.lua:1:", "too many steps", "endless tail calls");
    expect_fatal("local function f() f() end\nf()", "racerx.lua:1:", "", "endless recursion");
    expect_fatal("local t = {}\nfor i = 1, 1e9 do t[i] = i end", "racerx.lua:2:", "MiB of memory", "a memory bomb");
    expect_fatal("local s = 'x'\nwhile true do s = s .. s end", "racerx.lua:2:", "MiB of memory", "a string bomb");
    expect_fatal("local s = ('x'):rep(1e9)", "racerx.lua:1:", "larger than the memory", "a rep bomb");
    expect_fatal("local s = (''):rep(1e18)\nkeep '-'", "racerx.lua:2:", "no C name", "a rep of nothing ends at once");
    expect_fatal("local s = ('x'):rep(8e6)\nwhile true do local t = s .. 'y' end", "racerx.lua:2:", "MiB of memory",
                 "endless copying");
    expect_fatal("local s = ('x'):rep(60000)\nmatch(s .. 'z', '^(x+x+)+[yw]')", "racerx.lua:2:", "takes too long",
                 "a pattern that backtracks for ever");
    expect_fatal("local t = {}\nfor i = 1, 1e5 do t[i] = ('x'):rep(2000) end\ntable.sort(t)", "racerx.lua:", "",
                 "sorting long strings");
    expect_fatal("table.sort({1, 2}, rawequal)", "racerx.lua:1:", "function of the script", "sorting by a C function");
    expect_fatal("while true do print 'x' end", "racerx.lua:1:", "prints more than", "endless printing");
    expect_fatal("for i = 1, 3000 do keep('^x' .. i) end", "racerx", "patterns", "too many patterns");
    expect_fatal("for i = 1, 3000 do blocks('x') end", "racerx.lua:1:", "in a loop", "too many facts");
    expect_fatal("string.format('%p', {})", "racerx.lua:1:", "no %p", "no addresses");
    expect_fatal("string.format('%d%%%-20p', 1, 'x')", "racerx.lua:1:", "no %p", "no addresses of any width");
    declarations_free(load("assert(string.format('%5.1f%%p', 2) == '  2.0%p')"));
    expect_fatal("error(('x'):rep(5e6))", "racerx.lua:1:", "xxx\xe2\x80\xa6", "a long error is cut");
    printf("# limits took %.1f s\n", clock_seconds() - start);
}

// what is right ----------------------------------------------------------------------

static void test_names(void) {
    Declarations *all = load("keep { 'one two', 'three', '^four_', re 'ive$' }\n"
                             "iterator { 'each', var = 2 }\n"
                             "definition { 'DEF', text = 'int $1($pairs(2)) $(3*) $$' }\n"
                             "define { A = 7, B = 'x y', C = true, ['M(a, b)'] = '(a + b)' }\n"
                             "undefine '^NOT_ A_LONE_NAME'\n"
                             "attribute { '__early', mark = 'init' }\n"
                             "condition { 'never', answer = 0 }\n"
                             "keep { 'me', type = 'struct task *' }\n"
                             "keep '^mixed_' iterator { 'mixed_each', var = 1 }\n"
                             "annotate(function() end)");
    expect(look(all, "one").said == SAID_KEEP && look(all, "two").said == SAID_KEEP, "names in one string");
    expect(look(all, "four_x").said == SAID_KEEP && look(all, "xfour_").said == 0, "a pattern with ^");
    expect(look(all, "hive").said == SAID_KEEP && look(all, "ives").said == 0, "a pattern with re");
    expect(look(all, "on").said == 0 && look(all, "").said == 0, "nothing said");
    expect(look(all, "each").said == SAID_ITERATOR && look(all, "each").iterator_variable == 2, "an iterator");
    expect(!strcmp(look(all, "DEF").definition, "int $1($pairs(2)) $(3*) $$"), "a definition");
    expect(!strcmp(look(all, "A").value, "7") && !strcmp(look(all, "B").value, "x y") &&
               !strcmp(look(all, "C").value, "1"),
           "defined values");
    expect(look(all, "M").said == SAID_MACRO && !strcmp(look(all, "M").parameters, "a, b"), "a function-like macro");
    expect(look(all, "NOT_X").said == SAID_UNDEFINED && look(all, "A_LONE_NAME").said == SAID_UNDEFINED, "undefined");
    expect(!strcmp(look(all, "__early").mark, "init"), "an attribute with a mark");
    expect(!strcmp(look(all, "never").value, "0"), "a condition with an answer");
    expect(!strcmp(look(all, "me").type, "struct task *"), "a kept name with a type");
    expect(look(all, "mixed_each").said == SAID_ITERATOR, "an exact name before a pattern");
    expect(look(all, "mixed_other").said == SAID_KEEP, "the pattern elsewhere");
    char long_name[600];
    memset(long_name, 'x', sizeof long_name);
    memcpy(long_name, "four_", 5);
    expect(declarations_look(all, long_name, sizeof long_name).said == 0, "patterns do not look at endless names");
    declarations_free(all);
}

static void test_locks(void) {
    Declarations *all = load("lock { kind = 'spin', arg = 1, acquire = 'get', try = 'attempt', release = 'put',\n"
                             "       disables = 'interrupts preemption', flags = 2, types = 'spin_t struct spin' }\n"
                             "lock { arg = 1, acquire = 'mgr', when = { 2, 'EXCL', '!NOWAIT' } }\n"
                             "lock { arg = 1, acquire = 'mgr', shared = true, when = { 2, '^SHA' } }\n"
                             "lock { arg = 1, release = 'mgr', when = { 2, 6 } }\n"
                             "lock { arg = 2, wait = 'cond_wait' } lock { arg = 1, wait = 'nap', retakes = false }\n"
                             "lock { global = 'big', recursive = true, release_on_block = true, acquire = 'big_lock',\n"
                             "       release = 'big_unlock' }\n"
                             "lock { arg = 1, returns = 'zero', acquire = 'get_killable' }\n"
                             "lock { kind = 'interrupts', acquire = 'off', release = 'on', test = 'is_off' }\n"
                             "lock { guard = 'with', arg = 2, when = { 1, 'mutex' } }\n"
                             "lock { arg = 1, asserts_held = '^must_hold', member = 'lk' }\n"
                             "lock { arg = 1, acquire = 'both' } lock { arg = 2, acquire = 'both' }\n");
    const LockEffect *get = effect(all, "get", 1, 0);
    expect(get && get->kind == EFFECT_ACQUIRE && get->lock == LOCK_SPIN && get->mode == MODE_EXCLUSIVE &&
               get->argument == 1 && get->flags_argument == 2 &&
               get->disables == (DISABLES_INTERRUPTS | DISABLES_PREEMPTION) && get->origin.line == 1,
           "an acquisition");
    const LockEffect *attempt = effect(all, "attempt", 1, 0);
    expect(attempt && attempt->flags == LOCK_TRY && attempt->returns == RETURNS_NONZERO, "a trylock");
    const LockEffect *put = effect(all, "put", 1, 0);
    expect(put && put->kind == EFFECT_RELEASE && put->mode == MODE_ANY, "a release");
    expect(look(all, "spin_t").said == SAID_LOCK_TYPE && look(all, "struct spin").said == SAID_LOCK_TYPE, "lock types");
    const LockEffect *chosen = effect(all, "mgr", 3, 0), *shared = effect(all, "mgr", 3, 1),
                     *six = effect(all, "mgr", 3, 2);
    const char *excl[] = {"EXCL"}, *nowait[] = {"EXCL", "NOWAIT"}, *sha[] = {"X", "SHARED"}, *number[] = {"6"};
    expect(chosen && choice_holds(&chosen->choice, excl, 1) && !choice_holds(&chosen->choice, nowait, 2), "a choice");
    expect(shared && shared->mode == MODE_SHARED && choice_holds(&shared->choice, sha, 2), "a choice by pattern");
    expect(six && six->kind == EFFECT_RELEASE && choice_holds(&six->choice, number, 1) &&
               !choice_holds(&six->choice, NULL, 0),
           "a choice by number");
    expect(look(all, "EXCL").said == SAID_KEEP && look(all, "SHARED").said == SAID_KEEP, "chosen constants are kept");
    const LockEffect *wait = effect(all, "cond_wait", 1, 0), *nap = effect(all, "nap", 1, 0);
    expect(wait && wait->kind == EFFECT_WAIT && wait->flags & LOCK_RETAKES && wait->argument == 2, "a wait");
    expect(nap && !(nap->flags & LOCK_RETAKES), "a wait that does not take back");
    const LockEffect *big = effect(all, "big_lock", 1, 0);
    expect(big && !strcmp(big->global, "big") && big->flags == (LOCK_RECURSIVE | LOCK_RELEASE_ON_BLOCK),
           "a global lock");
    expect(effect(all, "get_killable", 1, 0)->returns == RETURNS_ZERO, "an acquisition by result");
    const LockEffect *off = effect(all, "off", 1, 0);
    expect(off && off->lock == LOCK_INTERRUPTS && !strcmp(off->global, "interrupts"), "the state of the CPU");
    const LockEffect *with = effect(all, "with", 1, 0);
    expect(with && with->flags & LOCK_SCOPED && look(all, "with").said == SAID_GUARD, "a guard");
    const LockEffect *held = effect(all, "must_hold_it", 1, 0);
    expect(held && held->kind == EFFECT_ASSERT && !strcmp(held->member, "lk"), "an assertion by pattern");
    expect(effect(all, "both", 2, 1) && effect(all, "both", 2, 1)->argument == 2, "two effects of one call");
    expect(!effect(all, "EXCL", 1, 0) && !effect(all, "unknown", 1, 0), "no effects of other names");
    declarations_free(all);
}

static void test_facts(void) {
    Declarations *all = load("registers { 'start', arg = 2, data = 3, object = 1, context = 'thread' }\n"
                             "blocks { 'alloc', when = { 2, 'GFP_WAIT' } } allocates 'alloc'\n"
                             "registers { 'start', arg = 4, context = 'interrupt' }\n"
                             "blocks 'start' joins { 'stop', arg = 1, context = 'thread' }\n"
                             "accessor { 'ONCE', access = 'read' } atomic { '^atomic_', arg = 2 }\n"
                             "asserts { 'BUG_IF', is = false } frees 'drop' percpu { 'mine', arg = 1 }\n"
                             "registers { field = 'struct timer.fn', context = 'timer' }\n"
                             "registers { field = 'struct ops', context = 'syscall' }\n");
    const CallFact *start = fact(all, "start", SAID_REGISTERS, 2, 0),
                   *second = fact(all, "start", SAID_REGISTERS, 2, 1);
    expect(start && start->argument == 2 && start->data == 3 && start->parameter == 1 && start->object == 1 &&
               start->context == CONTEXT_THREAD,
           "a registration");
    expect(second && second->argument == 4 && second->context == CONTEXT_INTERRUPT, "two handlers of one call");
    expect(look(all, "start").said == (SAID_REGISTERS | SAID_BLOCKS | SAID_KEEP), "what calls do keeps the name");
    expect(fact(all, "alloc", SAID_BLOCKS, 1, 0)->choice.argument == 2, "blocking by flag");
    expect(fact(all, "alloc", SAID_ALLOCATES, 1, 0)->argument == ARGUMENT_RESULT, "an allocator");
    const CallFact *once = fact(all, "ONCE", SAID_ATOMIC, 1, 0);
    expect(once && once->said & SAID_ACCESSOR && once->access == ACCESS_READ && once->argument == 1, "an accessor");
    expect(fact(all, "atomic_add", SAID_ATOMIC, 1, 0)->argument == 2, "an atomic by pattern");
    expect(fact(all, "BUG_IF", SAID_ASSERTS, 1, 0)->is_false, "an assertion of the contrary");
    expect(declarations_field(all, "struct timer", "fn")->context == CONTEXT_TIMER &&
               !declarations_field(all, "struct timer", "data"),
           "a handler's field");
    expect(declarations_field(all, "struct ops", "read")->context == CONTEXT_SYSCALL, "a table of handlers");
    declarations_free(all);
}

// layers ------------------------------------------------------------------------------

static void test_layers(void) {
    static const char *const linux_only[] = {"linux"};
    Declarations *all = load_presets("forget 'printk'\n"
                                     "attribute 'mutex_lock'\n"
                                     "lock { kind = 'mutex', arg = 3, acquire = 'spin_lock' }\n"
                                     "lock { arg = 1, acquire = '^round_', release = '^round_end' }\n",
                                     linux_only, 1);
    expect(look(all, "printk").said == 0, "what is forgotten is not said");
    expect(look(all, "mutex_lock").said == SAID_ATTRIBUTE && !effect(all, "mutex_lock", 1, 0),
           "the user overrules a lock");
    expect(effect(all, "spin_lock", 1, 0) && effect(all, "spin_lock", 1, 0)->argument == 3, "and replaces one");
    expect(look(all, "round_up").said == SAID_LOCK, "by pattern, too");
    expect(look(all, "spin_unlock").said == SAID_LOCK, "the rest stays");
    declarations_free(all);
    all = load("preset 'pthreads' lock { arg = 1, acquire = 'x', release = 'pthread_mutex_unlock' }");
    u32 count;
    const char *const *names = declarations_presets(all, &count);
    expect(count == 2 && !strcmp(names[0], "c") && !strcmp(names[1], "pthreads"), "a preset asked for by a script");
    expect(look(all, "pthread_create").said & SAID_REGISTERS, "and what it says");
    declarations_free(all);
}

// presets -----------------------------------------------------------------------------

static u32 count_names(void *context, const char *name) {
    const char *const *counted = context;
    for (; *counted; counted += 2)
        if (!strcmp(counted[0], name))
            return (u32)strtoul(counted[1], NULL, 10);
    return 0;
}

static void expect_picked(const char *const *counted, const char *expected, const char *what) {
    DeclareOptions options = {.count = counted ? count_names : NULL, .context = (void *)counted};
    Declarations *all = declarations_load(&options);
    char picked[200] = "";
    u32 count;
    const char *const *names = declarations_presets(all, &count);
    for (u32 i = 0; i < count; i++) {
        strcat(picked, names[i]);
        strcat(picked, " ");
    }
    expect(!strcmp(picked, expected), what);
    if (strcmp(picked, expected))
        printf("#  picked %s\n", picked);
    declarations_free(all);
}

static void test_picking(void) {
    static const char *const kernel[] = {"spin_lock",      "900", "spin_unlock", "900", "kmalloc", "5",
                                         "pthread_create", "3",   NULL};
    static const char *const server[] = {"pthread_mutex_lock", "50", "mutex_lock", "0", "down", "7", NULL};
    static const char *const both[] = {"pthread_mutex_lock", "50", "mutex_lock", "1", "mutex_unlock", "1", NULL};
    expect_picked(NULL, "c ", "nothing counted: c alone");
    expect_picked(kernel, "c linux ", "a kernel: a tool's threads are in its shade");
    expect_picked(server, "c pthreads ", "a server: one name is not enough for linux");
    expect_picked(both, "c linux pthreads ", "both, the other way round");
}

static void test_directory(void) {
    char *one = script_write("aaa.lua", "world { name = 'aaa', detect = 'x y', least = 2 } preset 'bbb' keep 'same'");
    char *two = script_write("bbb.lua", "world { name = 'bbb' } iterator { 'same', var = 1 } keep 'other'");
    static const char *const seen[] = {"x", "1", "y", "2", NULL};
    script_remove("racerx.lua");
    DeclareOptions options = {.directory = directory, .count = count_names, .context = (void *)seen};
    Declarations *all = declarations_load(&options);
    u32 count;
    const char *const *names = declarations_presets(all, &count);
    expect(count == 2 && !strcmp(names[0], "bbb") && !strcmp(names[1], "aaa"), "presets of a directory");
    expect(look(all, "same").said == SAID_KEEP && look(all, "other").said == SAID_KEEP,
           "a preset ranks above the one it asks for");
    declarations_free(all);
    script_remove("aaa.lua");
    script_remove("bbb.lua");
    free(one);
    free(two);
}

static void test_key(void) {
    Declarations *a = load("keep 'x' -- one"), *b = load("-- two\nkeep 'x'"), *c = load("keep 'y'");
    Declarations *d = load("keep 'x' define { A = 1 }"), *e = load("keep 'x' define { A = 2 }");
    Declarations *f = load("keep '^x'"), *g = load("keep 'x'\nannotate(function() return 1 end)");
    expect(key_equal(declarations_key(a), declarations_key(b)), "the key does not depend on comments");
    expect(key_equal(declarations_key(a), declarations_key(g)), "nor on what later stages run");
    expect(!key_equal(declarations_key(a), declarations_key(c)), "it depends on names");
    expect(!key_equal(declarations_key(d), declarations_key(e)), "on values");
    expect(!key_equal(declarations_key(a), declarations_key(f)), "on patterns");
    Declarations *all[] = {a, b, c, d, e, f, g};
    for (u32 i = 0; i < 7; i++)
        declarations_free(all[i]);
}

// threads and time ----------------------------------------------------------------------

static const char *const probes[] = {"spin_lock",
                                     "pr_info",
                                     "SYSCALL_DEFINE3",
                                     "foo",
                                     "i",
                                     "netdev_warn_once",
                                     "x86_init",
                                     "atomic_long_add_return",
                                     "kmalloc",
                                     "wait_event_timeout",
                                     "return",
                                     "buffer",
                                     "CONFIG_FOO_MODULE",
                                     "trace_sched_switch",
                                     "this_cpu_inc",
                                     "LIST_FOREACH_SAFE"};
#define PROBES (sizeof probes / sizeof *probes)
typedef struct {
    const Declarations *declarations;
    u32 expected[PROBES];
    u32 wrong[64];
} Threads;

static void ask_all(void *context, u32 worker, u32 index) {
    (void)worker;
    Threads *self = context;
    for (u32 round = 0; round < 500; round++)
        for (u32 i = 0; i < PROBES; i++)
            self->wrong[index] += look(self->declarations, probes[i]).said != self->expected[i];
}

static void test_threads(const Declarations *all) {
    Threads threads = {.declarations = all};
    u32 wrong = 0;
    for (u32 i = 0; i < PROBES; i++)
        threads.expected[i] = look(all, probes[i]).said;
    parallel_for(4, 64, ask_all, &threads);
    for (u32 i = 0; i < 64; i++)
        wrong += threads.wrong[i];
    expect(!wrong, "four threads get the same answers");
}

static void time_lookups(const Declarations *all, const char *name, const char *what) {
    double start = clock_seconds();
    u32 said = 0, rounds = 100000;
    for (u32 i = 0; i < rounds; i++)
        said |= look(all, name).said;
    printf("# %s (%s, said %x): %.0f ns\n", what, name, said, (clock_seconds() - start) * 1e9 / rounds);
}

static void test_presets(void) {
    static const char *const wanted[] = {"linux", "pthreads"};
    double start = clock_seconds();
    Declarations *all = load_presets("", wanted, 2);
    printf("# loading c, linux and pthreads: %.1f ms\n", (clock_seconds() - start) * 1e3);
    const LockEffect *save = effect(all, "spin_lock_irqsave", 1, 0), *down = effect(all, "down_trylock", 1, 0);
    expect(save && save->disables == DISABLES_INTERRUPTS && save->flags_argument == 2, "linux: spin_lock_irqsave");
    expect(down && down->returns == RETURNS_ZERO && down->flags & LOCK_TRY, "linux: down_trylock");
    expect(look(all, "__cplusplus").said == SAID_UNDEFINED && look(all, "__KERNEL__").said == SAID_DEFINED,
           "linux: overrules c");
    expect(look(all, "WARN_ON").said == SAID_LIKELY && look(all, "container_of").said == SAID_CONTAINER,
           "linux: macros");
    expect(fact(all, "request_threaded_irq", SAID_REGISTERS, 2, 1)->context == CONTEXT_THREAD, "linux: handlers");
    expect(fact(all, "pthread_create", SAID_REGISTERS, 1, 0)->argument == 3, "pthreads: threads");
    const LockEffect *sleep = effect(all, "wait_event_lock_irq", 1, 0);
    expect(sleep && sleep->kind == EFFECT_WAIT && sleep->disables == DISABLES_INTERRUPTS,
           "linux: waiting under a lock");
    expect(look(all, "spinlock_t").said & SAID_LOCK_TYPE, "linux: lock types");
    test_threads(all);
    time_lookups(all, "spin_lock", "an exact name");
    time_lookups(all, "some_ordinary_name", "no match");
    time_lookups(all, "i", "no match");
    time_lookups(all, "net_device_ops", "no match");
    time_lookups(all, "netdev_warn_once", "a pattern");
    declarations_free(all);
}

int main(void) {
    check(mkdtemp(directory));
    test_constants();
    test_mistakes();
    test_sandbox();
    test_limits();
    test_names();
    test_locks();
    test_facts();
    test_layers();
    test_picking();
    test_directory();
    test_key();
    test_presets();
    script_remove("racerx.lua");
    rmdir(directory);
    printf("# %u failed\n", failures);
    return failures ? 1 : 0;
}
