int sw(int x, int y) {
    switch (x) {
    case 1:
        a();
    case 2:
    case 3:
        b();
        break;
    case __rx_range(10, 20):
        r();
        break;
    case RED:
        c();
        return 1;
    default:
        d();
        break;
    case -1:
        e();
    }
    switch (y) {
    case 'a' ... 'z':
        l();
        break;
    case LOW ... HIGH:
        m();
    }
    switch (4) {
    case 1: n1(); break;
    case 4: n4(); break;
    default: nd();
    }
    return 0;
}
