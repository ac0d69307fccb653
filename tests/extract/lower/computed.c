int interpret(unsigned char *pc, int acc) {
    static void *table[] = { __rx_label(op_add), __rx_label(op_sub), [5] = __rx_label(op_end) };
    __rx_goto(table[*pc]);
op_add:
    acc++;
    __rx_goto(table[*++pc]);
op_sub:
    acc--;
    __rx_goto(table[*++pc]);
op_end:
    return acc;
not_taken:
    dead();
}
void asm_goto(int x, int *p) {
    __rx_asm(&*p, &x, x + 1);
    __rx_asm(x, __rx_label(slow));
    fast();
    return;
slow:
    slowly();
}
void raw_asm(int x, int y) {
    asm volatile("add %1, %0" : "=r"(x) : "r"(y) : "memory");
}
void asm_input(int x, int y) {
    __rx_asm(&x, (&y), (x));
}
