void broken(int a, int b) {
    first(a);
    a = b + ;
    second(b);
    if (a +) { third(); } else { fourth(); }
    {
        int x = foo(a b);
        int y = 3, z = 4;
        fifth(y, z);
    }
    __rx_lost(123);
    while (a) {
        b = ) a;
        sixth();
    }
    last();
}
