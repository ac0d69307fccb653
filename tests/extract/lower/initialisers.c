static struct ops ops = {
    .open = my_open,
    .close = &my_close,
    .flags = 1 | 2,
    .name = "x",
    .nested = { .deep = deep_fn, 5, other_fn },
    .arr[2] = third,
    .arr[3].x = fourth,
    old: old_fn,
    .cast = (void *)cast_fn,
    .sub = &(struct sub){ .run = run_fn, .n = 3 },
    .made = MAKE(a, b),
};
static int (*table[])(void) = { first, second, [5] = sixth, seventh, [8 ... 10] = range, [IDX] = by_name };
static struct ops pos = { a, 1, { b, c }, .f = d, e };
static int big[] = { 1, 2, 3, -4, 0x10, 1 << 3, 'c', sizeof(int), A_NAME };
static struct list head = { &head, &head };
struct multi m[2] = { { .a = fa }, { .a = fb } };
int f(int x) {
    struct ops local = { .open = get(x), .flags = x, { 1, 2 } };
    struct ops zero = { 0 };
    char text[] = "abc";
    int list[3] = { x, g(x && 1) };
    use(&(struct ops){ .open = my_open });
    local = (struct ops){ .flags = x };
    static const struct ops kept = { .open = my_open };
}
