int gotos(int x) {
    if (x)
        goto out;
    work();
again:
    if (more())
        goto again;
    goto nowhere;
    dead();
out:
    return x;
unused:
    dead2();
}
int into(int x) {
    if (x) goto inside;
    return 0;
    {
        dead3();
inside:
        live();
    }
    return 1;
}
