#!/bin/bash
# Nesting and chains 100,000 deep, brackets that do not match, macros that explode: no stack overflows, no
# time in the square, and what stands before and after is still extracted.
. "$(dirname "$0")/../cli/common.inc"
case $RACERX in
*/build-*) limit=60 deep=${DEEP:-20000} ;; # a sanitizer is slow
*) limit=10 deep=${DEEP:-100000} ;;
esac

mkdir cases
perl - "$deep" <<'END' || exit 1
my $n = shift;
sub each_of { my ($text, $join) = @_; return join $join // '', map { my $t = $text; $t =~ s/%/$_/g; my $next = $_ + 1; $t =~ s/~/$next/g; $t } 0 .. $n - 1 }
sub f { return "int f(int a)\n{\n\treturn " . $_[0] . ";\n}\n" }  # an expression
sub s { return "int f(int a)\n{\n" . $_[0] . "\n\treturn a;\n}\n" } # statements
my $c = {
    # brackets
    parens => f('(' x $n . 'a' . ')' x $n), parens_open => f('(' x $n . 'a'), parens_close => f('a' . ')' x $n),
    brackets_wrong => f('(' x $n . ']' x $n), brackets_crossed => f('([' x $n . ')]' x $n),
    braces => &s('{' x $n . 'a++;' . '}' x $n), braces_open => &s('{' x $n), braces_close => &s('}' x $n),
    braces_by_column => &s('(' x $n . "\n" . "}\n" x $n), parens_in_header => 'int g' . '(' x $n . ')' x $n . "\n{\n}\n",
    # statements
    blocks => &s('{ if (a) ' x $n . 'a++;' . '}' x $n), ifs => &s('if (a) ' x $n . 'a++;'), whiles => &s('while (a) ' x $n . 'a++;'),
    fors => &s('for (;;) ' x $n . 'a++;'), dos => &s('do ' x $n . 'a++;' . ' while (a);' x $n),
    switches => &s('switch (a) case 1: ' x $n . 'a++;'), labels => &s(each_of('l%: ') . 'a++;'),
    else_ifs => &s(each_of('if (a == %) a++; else ') . 'a--;'), gotos => &s(each_of('l%: goto l~; ') . "l$n: ;"),
    cases => &s('switch (a) { ' . each_of('case %: ') . 'a++; }'), statements => &s('a++; ' x $n),
    computed => &s('goto *' x $n . 'a;'), case_choices => &s('switch (a) { ' . 'case a ? ' x $n . '1 : ; }'),
    case_ranges => &s('switch (a) { ' . 'case 1 ... ' x $n . '2: ; }'), statement_values => f('({ ' x $n . 'a' . ';})' x $n),
    assembly => &s('asm("" : : "r"(({ ' x $n . 'a' . ';})));' x $n), operands => &s('asm("x" : ' . join(', ', ('"=r"(a)') x $n) . ');'),
    # expressions
    (map { ("unary_$_->[0]" => f($_->[1] x $n . 'a')) } ['minus', '- '], ['not', '!'], ['tilde', '~'], ['star', '*'],
        ['address', '& '], ['sizeof', 'sizeof '], ['step', '++'], ['label', '&& '], ['cast', '(int)']),
    calls => f('f(' x $n . 'a' . ')' x $n), calls_open => f('f(' x $n . 'a'), call_results => f('f' . '(a)' x $n),
    choices => f('a ? 1 : ' x $n . '2'), choices_inside => f('a ? ' x $n . '2' . ' : 1' x $n), choices_short => f('a ?: ' x $n . '2'),
    sums => f('a + ' x $n . '2'), mixed => f('a + a * ' x $n . '2'), shifts => f('a << (a) ' x $n), assignments => f('a = ' x $n . '2'),
    both => f('a && ' x $n . '2'), either => &s('if (' . 'a || a && ' x $n . '2) a++;'), commas => f('(' . 'a, ' x $n . '2)'),
    members => f('a' . '->n' x $n), dots => f('a' . '.n' x $n), indices => f('a' . '[1]' x $n), indices_inside => f('a[' x $n . '1' . ']' x $n),
    arguments => f('g(' . join(', ', ('a') x $n) . ')'), strings => f('"a" ' x $n), generics => f('_Generic(' x $n . 'a' . ', int: 1)' x $n),
    typeofs => &s('typeof(' x $n . 'a' . ')' x $n . ' b;'), offsets => f('__builtin_offsetof(struct s, ' x $n . 'a' . ')' x $n),
    # past what 16 bits count, as an item of their own: Debian 12's tree-sitter fell over these
    (map { ("bare_$_->[0]" => $_->[1] x 65534 . "\n") } ['minus', '- '], ['not', '! '], ['tilde', '~ '], ['address', '& ']), bare_most => '- ' x 65536 . "\n",
    # declarations
    initialisers => 'int x[] = ' . '{' x $n . '1' . '}' x $n . ";\n", initialisers_open => 'int x[] = ' . '{' x $n . "1;\n",
    elements => 'int (*x[])(void) = { ' . 'f, ' x $n . "};\n", designators => 'struct s x = { ' . '.a' x $n . " = f };\n",
    structs => each_of('struct s% { ') . 'int x;' . each_of('} m%;') . "\n", structs_bare => 'struct { ' x $n . 'int x;' . '} m;' x $n . "\n",
    unions => 'struct q { ' . 'union { ' x $n . 'int x;' . '};' x $n . "};\n", records_joined => 'struct a { int x; } ' x $n . ";\n",
    fields => 'struct q { ' . each_of('int f%; ') . "};\n", pointers => 'int ' . '*' x $n . "p;\n", pointers_const => 'int ' . '* const ' x $n . "p;\n",
    arrays => 'int p' . '[2]' x $n . ";\n", declarators => 'int ' . '(' x $n . 'p' . ')' x $n . ";\n", function_pointers => 'int ' . '(*' x $n . 'p' . ')(void)' x $n . ";\n",
    parameters => 'int g(' . each_of('int a%', ', ') . ") { return a0; }\n", old_parameters => 'int g(a) ' . 'int a; ' x $n . "{ return a; }\n",
    typedefs => "typedef int t0;\n" . each_of("typedef t% t~;\n"), enumerators => 'enum e { e0, ' . each_of('e~ = e% + 1', ', ') . " };\n",
    names => 'int ' . each_of('v%', ', ') . ";\n", words => 'x ' x $n . ";\n", statics => 'static ' x $n . 'g() ' x $n . "{\n}\n",
    attributes => 'int g(void) ' . '__attribute__((unused)) ' x $n . ";\n", attributes_inside => 'int g(void) __attribute__(' . '(' x $n . 'x' . ')' x $n . ");\n",
    atomics => '_Atomic(' x $n . 'int' . ')' x $n . " x;\n", items => "M(a)\n" x $n, semicolons => ';' x $n . "\n", externs => 'extern "C" { ' x $n . '}' x $n . "\n",
    # directives
    conditionals => "#if A\n" x $n . "int g(void) { return 1; }\n" . "#endif\n" x $n, conditionals_open => "#if A\n" x $n . "int g(void) { return 1; }\n" . "#if A\n" . "#endif\n" x ($n + 1),
    arms => "#if 0\n" . "#elif 0\n" x $n . "#endif\n", arms_dropped => "#if 1\n" . each_of("#elif X%\nint arm%(void) { return 1; }\n") . "#endif\n",
    conditional_parens => '#if ' . '(' x $n . '1' . ')' x $n . "\n#endif\n", conditional_nots => '#if ' . '!' x $n . "1\n#endif\n",
    conditional_choices => '#if ' . '1 ? ' x $n . '1' . ' : 0' x $n . "\n#endif\n", conditional_sums => '#if ' . '1 + ' x $n . "1\n#endif\n",
    hashes => '# ' x $n . "\n", line_marks => each_of("# % \"f%.c\"\n") . "# 1 \"line_marks.c\"\n", splices => "int x; \\\n" x $n . "\n",
    # macros
    macro_chain => each_of("#define A% A~\n") . f('A0'), macro_calls => each_of("#define A%(x) A~(x)\n") . f('A0(a)'),
    macro_nested => "#define M(x) (x + 1)\n" . f('M(' x $n . 'a' . ')' x $n), macro_pair => "#define M(x) (x + 1)\n#define W(x) M(x)\n" . f('M(W(' x ($n / 2) . 'a' . '))' x ($n / 2)),
    macro_open => "#define M(x) (x + 1)\n" . f('M(' x $n . 'a'), macro_arguments => "#define M(x, ...) g(x, __VA_ARGS__)\n" . f('M(' . join(', ', ('a') x $n) . ')'),
    macro_parameters => '#define M(' . each_of('p%', ', ') . ") p1\n" . f('M(' . join(', ', ('a') x $n) . ')'),
    macro_circle => "#define A A A\n#define B C\n#define C B B\n" . f('A + B + C'), macro_long => '#define M ' . 'a + ' x $n . "a\n" . f('M'),
    # text
    comments => '/**/' x $n . "\n", quotes => "'" x $n . "\n", double_quotes => '"' x ($n + 1) . "\n", odd => '@ $ ) ] ' x $n . "\n", backslashes => '\\' x $n . "\n",
    long_name => 'int ' . 'x' x $n . "(void) { return 1; }\n", long_number => f('9' x $n), long_string => f('"' . 'x' x $n . '"'),
    # errors
    error_statements => &s('a b c @ d; ' x ($n / 10)), error_blocks => &s('if (a) { ' x 700 . 'a b c @ d; ' x ($n / 20) . '}' x 700), error_arguments => f('g(' . 'a @ b, ' x ($n / 20) . '1)'),
    error_elements => 'int x[] = { ' . 'a @ b, ' x ($n / 20) . " 1 };\n", error_fields => 'struct s { ' . 'int @ b; ' x ($n / 20) . " int z; };\n", error_header => 'int g(' . 'g(@' x $n . ")\n{\n}\n",
};
# 2 to the power of 100, if nobody stopped it
sub doubling { my $text = shift; return join '', map { my ($t, $k, $l) = ($text, $_, $_ - 1); $t =~ s/%/$k/g; $t =~ s/~/$l/g; $t } 1 .. 99 }
$c->{laughs} = "#define A0 1 +\n" . doubling("#define A% A~ A~\n") . f('A99 1');
$c->{laughs_calls} = "#define A0(x) x +\n" . doubling("#define A%(x) A~(x) A~(x)\n") . f('A99(a) 1');
$c->{laughs_nested} = "#define F(x) x x\n" . f('F(' x 100 . 'a +' . ')' x 100 . ' 1');
$c->{laughs_pasted} = "#define F(x) x##x\n#define G(x) F(x)\n" . f('G(' x 100 . 'a' . ')' x 100);
$c->{laughs_strings} = "#define F(x) #x\n#define G(x) F(x)\n" . f('G(' x 100 . '"a"' . ')' x 100);
$c->{laughs_condition} = "#define A0 1\n" . doubling("#define A% (A~ + A~)\n") . "#if A99\n#endif\n";
$c->{laughs_condition_calls} = "#define A0(x) 1\n" . doubling("#define A%(x) (A~(x) + A~(x))\n") . "#if A99(1)\n#endif\n";
for my $name (keys %$c) {
    open my $out, '>', "cases/$name.c" or die;
    print $out "int before_$name(void)\n{\n\treturn 1;\n}\n$c->{$name}\n"; # what is not closed may take one more with it
    print $out "int ${_}_$name(void)\n{\n\treturn 1;\n}\n" for 'beside', 'after';
}
END

# try NAME: alone, in time, and with what is around it
try() {
    local name=$1 start=$EPOCHREALTIME seconds found
    rm -f t.db*
    timeout "$((limit * 3))" "$RACERX" extract --db t.db "cases/$name.c" >/dev/null 2>.err
    local status=$?
    seconds=$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
    found=$(functions t.db | grep -cE ":(before|after)_$name\$")
    if [ $status -ne 0 ]; then
        not_ok "$name" "status $status after $seconds s: $(tail -n 3 .err)"
    elif [ "$found" -ne 2 ]; then
        not_ok "$name" "$found of the 2 functions around it"
    elif ! timeout "$limit" "$RACERX" dump --db t.db "$name.c" >/dev/null 2>.err; then
        not_ok "$name" "dump: $(tail -n 3 .err)"
    elif awk -v s="$seconds" -v l="$limit" 'BEGIN { exit s <= l }'; then
        not_ok "$name" "took $seconds s"
    else
        echo "ok $name ($seconds s)"
    fi
}
for file in cases/*.c; do
    name=${file##*/}
    try "${name%.c}"
done
# Explosions are said.
for name in cases/laughs*.c cases/macro_nested.c; do
    run extract --db t.db "$name"
    case $name in
    *strings*) ;; # bounded by what a string may hold
    *) expect "said: $name" 0 "too l" ;;
    esac
done
# So is an item of more tokens than the grammar is given, and what stands around it is read.
perl -e 'print "int before_wide(void) { return 1; }\nvoid wide(int a) { ", "a++;" x 180000, "}\nint after_wide(void) { return 1; }\n"' >cases/wide.c
run extract --db t.db cases/wide.c
expect "an item of too many tokens" 0 "wide.c: a declaration or function of more than 524288 tokens"
same "what stands around it" "$(functions t.db | grep -cE ':(before|after)_wide$')" 2
finish
