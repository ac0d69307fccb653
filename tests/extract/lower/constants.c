int declared(int n) {
    if (try(n) == BUSY)
        return -BUSY;
    n = BUSY | 1;
    BUSY = n;
    return p->BUSY;
}
int local(int BUSY) {
    return BUSY;
}
enum { BUSY = 3 };
int known(int n) {
    return n == BUSY;
}
