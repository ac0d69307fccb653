# The file that init writes, and that it never writes over somebody's.
. "$(dirname "$0")/common.inc"
mkdir tree
for i in 1 2 3; do echo "int f$i(struct s *s) { my_mutex_lock(&s->mutex); s->n = $i; my_mutex_unlock(&s->mutex); return 0; }"; done >tree/a.c
run init tree
expect "written" 0
same "nothing else is written to the tree" "$(ls -A tree | tr '\n' ' ')" "a.c racerx.lua "
has "a lock" 'acquire = "my_mutex_lock", release = "my_mutex_unlock"' tree/racerx.lua
cp tree/racerx.lua first
run init tree
same "a second time it is the same" "$(cat tree/racerx.lua)" "$(cat first)"
case $out in *"nothing is new"*) ok "and says so" ;; *) not_ok "and says so" "$out" ;; esac

# More code, nobody changed the file: it is made anew.
for i in 1 2 3; do echo "int g$i(struct s *s) { our_gate_enter(&s->gate_lock); s->n = $i; our_gate_exit(&s->gate_lock); return 0; }"; done >tree/b.c
run extract tree
run init tree
has "made anew" 'our_gate_enter' tree/racerx.lua

# Somebody changed it: not a byte of it is touched.
cp first tree/racerx.lua
sed -i 's/kind = "mutex"/kind = "spin"/' tree/racerx.lua
echo '-- mine' >>tree/racerx.lua
cp tree/racerx.lua mine
run init tree
expect "somebody's" 0
same "is left as it is" "$(cat tree/racerx.lua)" "$(cat mine)"
case $out in *our_gate_enter*) ok "what is new is shown" ;; *) not_ok "what is new is shown" "$out" ;; esac
case $out in *my_mutex_lock*) not_ok "and nothing else" "$out" ;; *) ok "and nothing else" ;; esac
run init --add tree
same "--add keeps what is there" "$(head -c "$(wc -c <mine)" tree/racerx.lua)" "$(cat mine)"
has "and appends" 'our_gate_enter' tree/racerx.lua
run run tree
expect "both together load" 0
run init --add tree
case $out in *our_gate_enter*) not_ok "once is enough" "$out" ;; *) ok "once is enough" ;; esac

# Elsewhere.
mkdir other
echo 'int f(void) { return 0; }' >other/a.c
run init --db other.db -o elsewhere.lua other
expect "-o" 0
same "the tree is untouched" "$(ls -A other)" "a.c"
run run --db other.db --annotator elsewhere.lua other
expect "and it loads" 0
if [ "$(id -u)" -ne 0 ]; then
    chmod a-w other
    run init --db other.db other
    expect_line "a tree that cannot be written" 2 "-o FILE"
    chmod u+w other
else
    run init --db other.db -o /proc/none/racerx.lua other
    expect_line "a file that cannot be written" 2 "-o FILE"
fi
mkdir empty
run init --db empty.db empty
[ "$status" -eq 2 ] && ok "no C files" || not_ok "no C files" "status $status: $err"
run init nowhere
expect_line "no directory" 2 "no directory"
run init
expect_line "no argument" 2 "one DIR"

# What somebody decided about, one way or another, is not proposed again; and nothing is added twice.
mkdir decided
cat >decided/a.c <<'C'
struct gate { int bolt, n; };
void one(struct gate *g) { bolt_lock(&g->bolt); g->n = 1; bolt_unlock(&g->bolt); }
void two(struct gate *g) { bolt_lock(&g->bolt); g->n = 2; bolt_unlock(&g->bolt); }
void three(struct gate *g) { bolt_lock(&g->bolt); g->n = 3; bolt_unlock(&g->bolt); }
C
run init --db decided.db decided
has "proposed at first" 'acquire = "bolt_lock"' decided/racerx.lua
echo 'forget "bolt_lock bolt_unlock"' >decided/racerx.lua
run init --db decided.db --add decided
expect "decided" 0
hasnt "not proposed again" 'acquire = "bolt_lock"' decided/racerx.lua
before=$(cksum <decided/racerx.lua)
run init --db decided.db --add decided
same "nothing twice" "$(cksum <decided/racerx.lua)" "$before"
finish
