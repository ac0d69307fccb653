int old(a, b, c, cb)
    int a;
    char *b, c[];
    int (*cb)();
{
    return a + b[0] + c[1] + cb(a);
}
int bare(x, y) { return x + y; }
headless(p, q) char *p; { return *p + q; }
main() { return 0; }
static implicit = 3;
