int f(char *p, int x, int ret) {
    if (x) a1();
    if (!x) a2();
    if (!!x) a3();
    if (p == NULL) a4();
    if (NULL != p) a5();
    if ((ret = g()) < 0) a6();
    if (0 > x) a7();
    if (likely(!(x == 3))) a8();
    if (unlikely(x & 4)) a9();
    if (__builtin_expect(!!(x), 0)) b1();
    if (x < ret) b2();
    if (!(x < ret)) b3();
    if ((bool)x) b4();
    if (x == -1) b5();
    if (x != ~0) b6();
    if (x >= 'a') b7();
    if (x == 1 << 3) b8();
    if (x == sizeof(int)) b9();
    if (p == (char *)0) c1();
    if (x == SOME_ENUM) c2();
    if (({ int r = h(x); r; })) c3();
    if ((x = g(), x)) c4();
    return x == 3;
}
