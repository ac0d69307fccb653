struct bits { unsigned a : 1; unsigned __rx_pad : 3; int b : 4, __rx_pad : 0; };
int members(struct bits *b, struct bits s, struct bits (*rows)[4], struct bits **pp, int i, int j) {
    int m[3][4];
    struct bits arr[5];
    b->a = 1;
    s.a |= 2;
    get().field = 1;
    i = get().field;
    i = (i ? b : &s)->a;
    i = (*rows)[j].a;
    i = pp[i]->a;
    i = pp[i][j].a;
    i = m[i][j];
    i = arr->a;
    i = arr[i].a;
    i = *m[1];
    use(m[i], arr, &arr[i], &b[i], &pp[i]->a, &s);
    i = b->x.y->z.w[j].v;
    global.arr[i] = global_ptr->arr[j];
    per_cpu(var, i) = 3;
    *get_ptr(i) += 4;
    return i++ + --j;
}
