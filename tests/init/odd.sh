# Texts that break off: what reads them for init and locks stays inside them (a sanitizer sees it).
. "$(dirname "$0")/common.inc"
texts=('int f(a, b, ;' 'f(a,;' ';' '#define M(a,' 'struct s {' 'int (*f[])(void) = {' 'int f(a) int a; {' 'f(a[ ;')
number=0
for text in "${texts[@]}"; do
    number=$((number + 1))
    rm -rf t t.db*
    mkdir t
    printf '%s' "$text" >t/a.c
    for command in "extract -q --db t.db t" "locks --db t.db" "init -q --db t.db t" "init -q --db t.db --no-presets -o again.lua t"; do
        run $command
        expect "${command%% *} of '$text'" 0
    done
done
finish
