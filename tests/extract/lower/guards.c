int whole(int n) {
    guard(mutex)(&list);
    if (n == 1)
        return compute(n);
    while (n--) {
        guard(spinlock)(&item->lock);
        guard(rcu)();
        if (n == 2)
            continue;
        if (n == 3)
            break;
        if (n == 4)
            goto out;
        use(n);
    }
    last();
out:
    return 0;
}
void scoped(int n) {
    for (; scoped_guard(mutex, &list); ) {
        if (n == 1)
            break;
        if (n == 2)
            continue;
        if (n == 3)
            return;
        if (n == 4)
            goto out;
        inside();
    }
    for (; scoped_guard(mutex, &list); )
        for (; scoped_guard(spinlock, &other); )
            both();
    outside();
out:
    end();
}
void plain(void (*guard)(int)) {
    guard(1);
    value(scoped_guard(2));
}
