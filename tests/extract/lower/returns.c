void no_value(int x) {
    if (x) return;
    done();
}
int value(int x) {
    if (x) return f(x) && g(x);
    return (x ? 1 : 2);
}
struct s *chain(struct s *p) { return p->next ?: p; }
int dead_code(void) {
    return 1;
    never();
    if (x) never2();
}
int both(int x) {
    if (x) return 1; else return 2;
}
