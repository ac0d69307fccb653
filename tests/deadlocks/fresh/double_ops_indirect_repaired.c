#include <stdlib.h>
#include <threads.h>

struct stream;
struct stream_vtbl {
    int (*read)(struct stream *, char *, int);
    void (*close)(struct stream *);
};
struct stream {
    const struct stream_vtbl *v;
    mtx_t mtx;
    int open, pos, end;
};

static void file_close(struct stream *s)
{
    mtx_lock(&s->mtx);
    s->open = 0;
    mtx_unlock(&s->mtx);
}

static int file_read(struct stream *s, char *to, int n)
{
    int got = 0;

    mtx_lock(&s->mtx);
    while (got < n && s->pos < s->end)
        to[got++] = (char)s->pos++;
    int eof = s->pos == s->end;
    mtx_unlock(&s->mtx);
    if (eof)
        s->v->close(s);
    return got;
}

static const struct stream_vtbl file_vtbl = { file_read, file_close };

static int reader(void *arg)
{
    struct stream *s = arg;
    char tmp[8];

    while (s->v->read(s, tmp, sizeof tmp) > 0)
        ;
    return 0;
}

int main(void)
{
    struct stream *s = calloc(1, sizeof *s);
    thrd_t a, b;

    s->v = &file_vtbl;
    s->end = 64;
    s->open = 1;
    mtx_init(&s->mtx, mtx_plain);
    thrd_create(&a, reader, s);
    thrd_create(&b, reader, s);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    return 0;
}
