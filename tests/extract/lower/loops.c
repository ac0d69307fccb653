int loops(int n) {
    int i;
    while (n > 0)
        n--;
    do {
        if (n == 5)
            continue;
        if (n == 7)
            break;
        w(n);
    } while (n++ < 10);
    for (i = 0; i < n; i++)
        body(i);
    for (int j = 0, k = 1; j < k; j++, k--) {
        if (j == 3) continue;
        if (j == 4) break;
    }
    do { once(); } while (0);
    while (0) never();
    for (;;) {
        if (stop()) break;
    }
    while (1) {
        if (last()) return 1;
    }
    unreachable();
}
