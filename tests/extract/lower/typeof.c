int types(struct s *p, int *q, int n) {
    struct { int __rx_typeof[*p]; } copy = *p;
    struct { int __rx_typeof[n]; } m = n;
    struct { int __rx_typeof[p->field]; } field = p->field;
    struct { int __rx_typeof[q]; } ptr = q;
    struct { struct s *__rx_typeof; } named;
    const struct { int __rx_typeof[&n]; } *addr;
    struct { int __rx_typeof[some_name]; } global;
    struct { int __rx_typeof[some_t]; } type;
    __auto_type a = *q;
    __auto_type b = p->other;
    return ((struct { int __rx_typeof[q]; })p)[0] + sizeof(struct { int __rx_typeof[*q]; });
}
