#!/bin/bash
# annotate(function): everything a script can ask and say, what follows from it, and every way to get it wrong.
. "$(dirname "$0")/../cli/common.inc"
mkdir tree tree/boot
cat >tree/a.c <<'END'
struct inode;
struct file { int position; struct inode *inode; };
struct operations { int (*open)(struct inode *, struct file *); int (*release)(struct inode *, struct file *); void *data; };
typedef int (*handler_t)(int);
struct line { handler_t serve; handler_t later; };
union pair { long both; char half[2]; };
static __thread int mine;
int counter;
static int a_open(struct inode *inode, struct file *file) { return outside(file); }
static int a_release(struct inode *inode, struct file *file) { static int calls; return calls++; }
static int b_open(struct inode *inode, struct file *file) { return a_open(inode, file); }
static int c_open(struct inode *inode, struct file *file) { return 0; }
struct operations a = { a_open, a_release }, b = { .open = b_open }, c = { .open = c_open };
static int first(int n) { return n; }
static int second(int n) { return n; }
static handler_t table[] = { first, second };
static int direct(int n) { return n; }
static int sibling(int n) { return n; }
struct line lines[2] = { { .serve = direct }, { .serve = sibling, .later = second } };
void attach(int n) { attach_irq(n, direct); }
long sys_read(int fd, char *buffer, unsigned long count, ...) { return table[fd](1); }
const struct file *sys_open(const char *path) { return 0; }
static int same(void) { return 1; }
int use(void) { return same() + a.open(0, 0); }
END
cat >tree/boot/b.c <<'END'
static int same(void) { return 2; }
int start_up(void) { return same(); }
int (*hook)(void) = start_up;
END
# script TEXT: racerx.lua with a registration, and TEXT in annotate()
script() {
    cat >tree/racerx.lua <<END
registers { "attach_irq", arg = 2, context = "interrupt" }
annotate(function(program)
$1
end)
END
}
# marked WORD: the functions that `functions` shows with this mark, in order
marked() { "$RACERX" functions 2>/dev/null | awk -v word="$1" '{ for (i = 3; i <= NF; i++) if ($i == word) print $2 }' | paste -sd ' '; }
# says NAME TEXT WANTED: what print() says in the script
says() {
    script "$2"
    run functions
    same "$1" "$(sed -n 's/^racerx: tree\/racerx.lua: //p' <<<"$err" | paste -sd '|')" "$3"
}
run extract -q tree
expect extract 0

# What there is to ask.
says functions 'for f in program:functions() do if match(f.name, "^s") then print(f.name, f.file, f.line, f.static) end end' \
    'second a.c 15 true|sibling a.c 18 true|sys_read a.c 21 false|sys_open a.c 22 false|same a.c 23 true|same boot/b.c 1 true|start_up boot/b.c 2 false'
says files 'for f in program:functions_in "^boot/" do print(f) end print(mark(program:functions_in(re "a[.]c$"), "test"))' \
    'same|start_up|13'
same "tests are marked" "$(marked test)" "a_open a_release b_open c_open first second direct sibling attach sys_read sys_open same use"
says pattern 'for f in program:functions "_open$" do print(f) end for f in program:functions(re "^use") do print(f) end' \
    'a_open|b_open|c_open|sys_open|use'
says types-of 'local f = program:function_named "sys_read" print(f.returns, table.concat(f:parameters(), ",")) print(program:function_named "sys_open".returns)' \
    'long int,char *,unsigned long,...|const struct file *'
says no-such 'print(program:function_named "nobody", program:global_named "nobody", program:type_named "struct nobody")' 'nil nil nil'
says callers 'local f = program:function_named "a_open" for _, g in ipairs(f:callers()) do print(g) end' 'b_open|use'
says callees 'for _, g in ipairs(program:function_named "use":callees()) do print(g, g.file) end' 'a_open a.c|same a.c'
says calls 'print(table.concat(program:function_named "a_open":calls(), " "))' 'outside'
says fields-of 'print(table.concat(program:function_named "second":fields(), " "))' 'struct line.later a.c:table'
says fields 'for name in program:fields() do print(name, #program:stored_in(name)) end' \
    'struct operations.open 3|struct operations.release 1|struct line.serve 2|struct line.later 1|a.c:table 2|hook 1'
says stored-in 'for _, f in ipairs(program:stored_in "struct operations.open") do print(f) end print(#program:stored_in "struct nobody.x")' \
    'a_open|b_open|c_open|0'
says globals 'for g in program:globals "^(c|mine|hook|table)" do print(g.name, g.file, g.line, g.static, g.type, table.concat(g.marks, "+")) end' \
    'mine a.c 7 true int thread-local|counter a.c 8 false int |c a.c 13 false struct operations |table a.c 16 true handler_t[] |hook boot/b.c 3 false int (*)(void) |calls a.c 10 true int '
says types 'for t in program:types "pair|line" do for _, m in ipairs(t:fields()) do print(t.name, t.file, t.line, m.name, m.type) end end' \
    'struct line a.c 5 serve handler_t|struct line a.c 5 later handler_t|union pair a.c 6 both long|union pair a.c 6 half char[]'
says type-named 'print(program:type_named "struct operations":fields()[1].type, program:global_named "counter".type)' \
    'int (*)(struct inode *, struct file *) int'
says keys 'local f, g = program:function_named "use", program:function_named "use" local seen = { [f] = 1 } print(f == g, seen[g], type(f), tostring(f), f:is "root")' \
    'true 1 userdata use true'
says marks-of 'print(table.concat(program:function_named "direct".marks, " ")) mark("use", "ignore") print(program:function_named "use":is "ignore", mark("^sys_", "ignore"), unmark("use", "ignore"))' \
    'static root interrupt|true 2 1'
says order 'print(program)' 'program'
says twice 'print(1) end) print "not again" annotate(function(p) print(2)' 'not again|1|2'

# Marks and what follows from them.
script 'mark("^sys_", "multithreaded") mark({ "use", re "art_up$" }, "single-threaded") mark(program:functions "^same$", "ignore")
    mark("boot/b.c:same", "init") mark({ { program:function_named "attach" } }, "init")'
same multithreaded "$(marked multithreaded)" 'sys_read sys_open'
same thread "$(marked thread)" 'sys_read sys_open'
same single-threaded "$(marked single-threaded)" 'use start_up'
same ignore "$(marked ignore)" 'same same'
same init "$(marked init)" 'attach same'
run functions --format jsonl sys_open
[[ $out == *'"marks":["root","thread","multithreaded"]'* ]] && ok jsonl || not_ok jsonl "$out"
run roots
[[ $out == *'sys_open  thread'* && $out == *'attach  init'* ]] && ok roots || not_ok roots "$out"
run functions --no-config sys_open
[[ $out == *root && $out != *multi* ]] && ok no-config || not_ok no-config "$out"
run functions --annotator tree/racerx.lua
same once-by-both-names "$(grep -c multithreaded <<<"$out")" 2

# A mark makes a root of what is called; the last word counts; what was taken away stays away.
script 'mark("a.c:same", "multithreaded") mark("use", "multithreaded") mark("use", "init") mark("use", "multithreaded")'
same last-word "$(marked multithreaded) / $(marked init) / $(marked root | grep -cw same)" 'same use /  / 1'
script 'mark("use", "multithreaded") unmark("use", "multithreaded") unmark("direct", "interrupt")'
same unmark "$(marked multithreaded) / $(marked interrupt) / $(marked root | grep -cw direct)" ' /  / 1'

# Equivalence: by field, by array, from a registration; not where something else was said, nor further on.
script ''
same from-registration "$(marked interrupt) / $(marked by-equivalence)" 'direct sibling / sibling'
script 'mark("b_open", "multithreaded") mark("c_open", "single-threaded") mark("first", "interrupt") unmark("sibling", "interrupt")'
same contradiction "$(marked multithreaded) / $(marked single-threaded)" 'b_open / c_open'
same by-array "$(marked interrupt) / $(marked by-equivalence)" 'first second direct / second'
script 'mark("b_open", "multithreaded") mark("c_open", "init")'
same overruled "$(marked multithreaded) / $(marked by-equivalence)" 'a_open b_open / a_open sibling'
script 'mark("b_open", "single-threaded")'
same single "$(marked single-threaded)" 'a_open b_open c_open'
script 'mark("sibling", "single-threaded")'
same registered-stays "$(marked interrupt) / $(marked single-threaded)" 'direct / sibling'
cat >more.lua <<'END'
annotate(function(program) unmark("a_open b_open", "multithreaded") end)
END
script 'mark("^[ab]_open$", "multithreaded")'
run functions --annotator more.lua
same layers "$(grep -c multithreaded <<<"$out")" 0

# Wrong scripts: one line, status 2, nothing changed.
script ''
run run -q tree
cp .racerx/racerx.db before.db
wrong() { # NAME TEXT MESSAGE: the message, at line 3 of the script
    script "$2"
    run check
    expect_line "$1" 2 "tree/racerx.lua:3: $3"
    [[ $out == '' && $err == *'annotators/README.md has the calls)' ]] || not_ok "$1" "$out$err"
}
wrong unknown-mark 'mark("use", "multi-threaded")' "mark: there is no mark 'multi-threaded': did you mean 'multithreaded'?"
wrong far-mark 'mark("use", "xyzzy")' 'mark: there is no mark xyzzy; write "multithreaded", '
wrong no-mark 'mark("use")' 'mark: the mark is missing; write'
wrong unmark-mark 'unmark("use", 1)' 'unmark: the mark is missing; write'
wrong wrong-type 'mark(7, "init")' 'mark: a function is wanted, not number; give'
wrong nothing 'mark(program:function_named "nobody", "init")' 'mark: a function is wanted, not nothing (is there no such function?)'
wrong a-global 'mark(program:global_named "counter", "init")' 'mark: a function is wanted, not userdata'
wrong globals-iterator 'mark(program:globals(), "init")' 'mark: a function is wanted, not function'
wrong misspelt 'never_parallel("sys_raed", "use")' "no function is called 'sys_raed': did you mean 'sys_read'?"
wrong unknown 'mark("use completely_else", "init")' "no function is called 'completely_else'; a pattern,"
wrong other-file 'mark("c.c:same", "init")' "no function is called 'c.c:same'"
wrong bad-pattern 'mark("^(", "init")' "the pattern '^(' is not usable"
wrong every-name 'mark("^.*", "init")' "the pattern '^.*' is not usable: it matches every name"
wrong slow-pattern 'mark("^(([a-z_]+)+)+[0-9]$", "init") for f in program:functions "^(([a-z_]*)*)*(([a-z_]*)*)*[0-9]$" do end' ''
wrong nested 'local t = "use" for i = 1, 20 do t = { t } end mark(t, "init")' 'mark: a function is wanted, not table'
wrong argument-zero 'never_parallel("use", "sys_read", { arg = 0 })' 'never_parallel: an argument is counted from 1'
wrong argument-text 'never_parallel("use", "sys_read", "first")' 'never_parallel: an argument is counted from 1'
wrong argument-one-of-two 'never_parallel("sys_read", "sys_read", { arg = { 1 } })' 'never_parallel: an argument is counted from 1'
wrong argument-key 'never_parallel("use", "sys_read", { argument = 1 })' 'never_parallel: its third argument has one key'
wrong roots-no 'never_parallel("use", "sys_read", { roots = false })' 'never_parallel: write { roots = true }'
wrong roots-and-more 'never_parallel("use", "sys_read", { roots = true, arg = 1 })' 'never_parallel: its third argument has one key'
wrong argument-too-many 'never_parallel("use", "sys_read", { arg = 1 })' 'never_parallel: use has no argument 1'
wrong no-second 'never_parallel("use")' 'never_parallel: a function is wanted, not nothing'
wrong no-member 'print(program:function_named "use".nmae)' "a function has no 'nmae'; it has name, file, line, static, marks, returns, parameters(), "
wrong no-member-program 'program:functoins()' "the program has no 'functoins'; it has functions(), functions_in(), function_named(), "
wrong assignment 'program:function_named "use".name = "x"' 'functions, globals and types cannot be changed; mark('
wrong no-colon 'program.functions()' 'this is a method of the program: write it with a colon'
wrong other-self 'local f = program:function_named "use" f.callers(program)' 'this is a method of a function: write it with a colon'
wrong lua-error 'local x = nil + 1' 'attempt to perform arithmetic on a nil value'
wrong own-error 'error("no luck")' 'no luck'
wrong declaration 'lock { kind = "spin", arg = 1, acquire = "x", release = "y" }' 'lock: declarations shape how the code was read; write it outside the function'
wrong preset-inside 'preset "linux"' 'preset: declarations shape'
wrong annotate-inside 'annotate(function() end)' 'annotate: this function is running already'
echo 'mark("use", "init")' >tree/racerx.lua
run check
expect_line too-early 2 'tree/racerx.lua:1: mark: there are no functions yet; write it inside annotate('
echo 'annotate(7)' >tree/racerx.lua
run check
expect_line annotate-what 2 'tree/racerx.lua:1: bad argument #1 to '
script 'mark("nobody", "init")'
for command in functions roots 'callers use' 'callees use' check; do
    run $command
    expect_line "stops-${command%% *}" 2 "no function is called 'nobody'"
done
cmp -s before.db .racerx/racerx.db && ok unchanged || not_ok unchanged 'the database is not what it was'
run run --db fresh.db -q tree
expect_line stops-run 2 "no function is called 'nobody'"

# No way out, no end without a limit.
wrong getmetatable 'getmetatable(program)' "'getmetatable' is neither"
wrong metatable 'local m = program.__index' "the program has no '__index'"
wrong metatable-key 'local m = program:function_named "use".__metatable' "a function has no '__metatable'"
wrong arithmetic 'local x = program + 1' 'attempt to perform arithmetic on'
wrong concatenation 'local x = program .. ""' 'attempt to concatenate'
wrong order-of-handles 'local x = program < program' 'attempt to compare'
wrong length 'local x = #program' 'attempt to get length of'
wrong call 'program()' 'attempt to call'
wrong number-key 'local x = program[1]' "the program has no '?'"
wrong address 'string.format("%p", program)' 'string.format has no %p here'
wrong endless 'while true do end' 'the script takes too many steps'
wrong endless-iteration 'while true do for f in program:functions() do f:callers() end end' 'the script takes too many steps'
wrong endless-marks 'while true do mark("^sys_", "init") end' 'the script takes too many steps'
wrong endless-names 'while true do program:function_named "use" end' 'the script takes too many steps'
wrong memory 'local t = {} for i = 1, 1e9 do t[i] = i end' 'the script uses more than'
wrong many-patterns 'for i = 1, 1e6 do program:functions("^x" .. i) end' 'more than 1000 different patterns'
wrong many-rules 'for i = 1, 1e6 do never_parallel("use", "use") end' 'never_parallel: more than 10000 calls'
wrong same-again 'local t = program:stored_in "struct operations.open" for i = 1, 7 do t = { t, t, t, t, t, t, t, t } end while true do mark(t, "init") end' 'the script takes too many steps'
wrong bomb 'mark(("x"):rep(1e9), "init")' 'string.rep makes a string larger'
script 'local i = program:functions() while i() do end for n = 1, 10 do assert(i() == nil) end mark(i, "init")'
run functions
expect iterator-after-its-end 0

# A script that is there when nothing was analysed with it, and one that a tree was told not to have.
run extract -q --no-config --db plain.db tree
script 'mark("use", "ignore")'
run functions --db plain.db use
same not-remembered "$out" 'a.c:24  use  root'
(cd boot 2>/dev/null || cd tree; "$RACERX" functions --db ../.racerx/racerx.db use) >other 2>&1
same from-elsewhere "$(cat other)" 'a.c:24  use  root ignore'

# The analysis sees the marks: what was a harmless lock is taken in an interrupt.
mkdir marked
cat >marked/a.c <<'END'
struct spin { int word; };
static struct spin lock;
static int count;
int serve(void) { SpinGet(&lock); count++; SpinPut(&lock); return 0; }
int another(void) { return serve(); }
int read_count(void) { SpinGet(&lock); int n = count; SpinPut(&lock); return n; }
END
echo 'lock { kind = "spin", arg = 1, acquire = "SpinGet", release = "SpinPut" }' >marked/racerx.lua
run run -q --db marked.db --format jsonl marked
same not-marked "$(grep -c irq-deadlock <<<"$out")" 0
echo 'annotate(function(program) mark("serve", "interrupt") end)' >>marked/racerx.lua
run check --db marked.db --format jsonl
[[ $out == *'"kind":"irq-deadlock"'*'"object":"a.c:lock"'* ]] && ok marked || not_ok marked "$out$err"

# Thirty thousand functions are gone through in no time.
mkdir many
awk 'BEGIN { print "struct o { int (*run)(int); };"
    for (i = 0; i < 30000; i++) printf "static int f%d(int x) { return x; } struct o o%d = { f%d };\n", i, i, i }' >many/many.c
cat >many/racerx.lua <<'END'
annotate(function(program)
    local functions, stored = {}, 0
    for f in program:functions() do
        functions[#functions + 1] = f
        if match(f.name, "7$") and #f:callers() == 0 then stored = stored + #f:fields() end
    end
    print(#functions, stored, #program:stored_in "struct o.run")
    mark(functions, "multithreaded")
    never_parallel(functions, functions, 1, 1)
end)
END
run extract -q --db many.db many
run functions --db many.db
expect many 0 'racerx: many/racerx.lua: 30000 3000 30000'
same all-of-them "$(grep -c multithreaded <<<"$out")" 30000
echo 'annotate(function(p) while true do never_parallel("^f", "^f") end end)' >many/racerx.lua
run functions --db many.db
expect_line too-many-members 2 'many/racerx.lua:1: the script takes too many steps'
finish
