int seh(int x) {
    __try { a(); } __except (x) { b(); }
    __try { c(); } __finally { d(); }
    [[fallthrough]];
    return __extension__ x;
}
