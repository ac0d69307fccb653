#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- canvas.h ------------------------------------------------ */
typedef struct canvas canvas;
typedef enum { PEN_THIN = 1, PEN_THICK = 3 } pen_width;

canvas *canvas_open(int w, int h);
void    canvas_close(canvas *c);
void    canvas_set_pen(canvas *c, pen_width p);
void    canvas_hline(canvas *c, int x, int y, int len);
long    canvas_ink(canvas *c);

/* ---- canvas.c ------------------------------------------------ */
struct canvas {
  pthread_mutex_t lock;
  int             w, h;
  pen_width       pen;
  long            ink;
  unsigned char   px[];
};

canvas *canvas_open(int w, int h)
{
  canvas *c = calloc(1, sizeof *c + (size_t)(w * h));
  if (!c) return NULL;
  pthread_mutex_init(&c->lock, NULL);
  c->w = w; c->h = h; c->pen = PEN_THIN;
  return c;
}

void canvas_close(canvas *c)
{
  pthread_mutex_destroy(&c->lock);
  free(c);
}

void canvas_set_pen(canvas *c, pen_width p)
{
  pthread_mutex_lock(&c->lock);
  c->pen = p; // NORACE
  pthread_mutex_unlock(&c->lock);
}

void canvas_hline(canvas *c, int x, int y, int len)
{
  pthread_mutex_lock(&c->lock);
  for (int dy = 0; dy < (int)c->pen && y + dy < c->h; dy++)
    for (int i = 0; i < len && x + i < c->w; i++) {
      c->px[(y + dy) * c->w + x + i] = 255;
      c->ink++;
    }
  pthread_mutex_unlock(&c->lock);
}

long canvas_ink(canvas *c)
{
  pthread_mutex_lock(&c->lock);
  long v = c->ink;
  pthread_mutex_unlock(&c->lock);
  return v;
}

/* ---- app ------------------------------------------------------- */
static void *painter(void *arg)
{
  canvas *c = arg;
  for (int i = 0; i < 200; i++) {
    canvas_set_pen(c, i & 1 ? PEN_THICK : PEN_THIN);
    canvas_hline(c, i % 40, i % 50, 10);
  }
  return NULL;
}

int main(void)
{
  canvas *c = canvas_open(64, 64);
  pthread_t a, b;
  pthread_create(&a, NULL, painter, c);
  pthread_create(&b, NULL, painter, c);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("ink %ld\n", canvas_ink(c));
  canvas_close(c);
  return 0;
}
