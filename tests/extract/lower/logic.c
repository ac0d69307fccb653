int logic(int a, int b, int c) {
    if (a && b || !c)
        x1();
    if (!(a || b) && likely(c))
        x2();
    a = b && g(c);
    b = a ? g(1) : h(2);
    c = g(3) ?: h(4);
    a && k(5);
    a ? k(6) : (void)k(7);
    while (a ? b : c)
        x3();
    if (0 && g(8)) x4();
    if (1 || g(9)) x5();
    if (a && 1) x6();
    b = 1 ? g(10) : g(11);
    return a || b;
}
