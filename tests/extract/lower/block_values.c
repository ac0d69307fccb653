int values(struct s *p, int x) {
    int r = ({ int t = p->a; if (t < 0) return -1; t + 1; });
    x = ({ p->b; }) + ({ g(); h(); });
    ({ k(1); k(2); });
    for (;;)
        r += ({ if (x) break; 3; });
    if (({ int t = r; t == 2; }))
        y();
    return sizeof(({ z(); }));
}
