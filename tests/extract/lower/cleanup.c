int guarded(struct m *m, int n) {
    [[cleanup(unlock)]] struct m *g = lock(m);
    if (n == 1)
        return compute(g);
    while (n--) {
        int *p [[cleanup(free_it)]] = make();
        int *q [[cleanup(free_it)]] = make2();
        if (n == 2)
            continue;
        if (n == 3)
            break;
        if (n == 4)
            goto out;
        if (n == 5)
            goto inner;
        use(p);
inner:
        use2(q);
    }
    last();
out:
    return 0;
}
void back(void) {
again:
    ;
    [[cleanup(f)]] int x = 1;
    if (x)
        goto again;
}
