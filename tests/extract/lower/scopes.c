static int x;
int scopes(int a) {
    x = 1;
    int x = 2;
    {
        int x = x + a;
        x++;
        {
            extern int x;
            x = 5;
        }
        use(x);
    }
    static int counter = 3, *where = &counter;
    int f(int);
    f(x);
    for (int x = 0; x < 3; x++)
        use(x);
    typedef int x_t;
    x_t y = (x_t)a;
    struct local { int q; } l = { .q = a };
    enum { ONE = 1 };
    return x + counter + y + l.q;
}
int after(void) { return x; }
