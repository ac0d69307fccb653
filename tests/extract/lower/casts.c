typedef unsigned int word;
int casts(int x, int len, int *p, int (*call)(int)) {
    x = (word)(len);
    x = (word)*p;
    x = (word) & len;
    x = (word)-1;
    x = (size_like_t)(len);
    x = (unknown)(len);
    x = (len) - 1;
    x = (len) -1;
    x = (x) * len;
    x = (call)(len);
    x = (int)len;
    foo * bar;
    foo ** baz;
    bar->x = 1;
    x * len;
    x = sizeof(len) + sizeof(word) + sizeof len + sizeof(struct s) + sizeof *p;
    ((struct s *)p)->f = (struct s *)0 == (void *)p;
    return &((struct s *)0)->f;
}
