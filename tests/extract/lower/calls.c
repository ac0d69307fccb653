int calls(struct dev *d, int (*fp)(int), int (**fpp)(int)) {
    int v = f(g(1), h(d->id));
    d->ops->open(d, v);
    (*d->ops->close)(d);
    (d->ops->ioctl)(d, &v);
    fp(1);
    (*fp)(2);
    (*fpp)(3);
    (&named)(4);
    (*named)(5);
    table[v](6);
    get(d)->run(7);
    cb = handler;
    reg(handler, &handler, "name", 'c', 1.5);
    (void)f(8);
    v = f(9), f(10);
    MACRO(d, { inside(d->x); });
    type_arg(sizeof(struct dev), d);
    return likely(f(11));
}
