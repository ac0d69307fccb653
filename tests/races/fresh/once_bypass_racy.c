#include <pthread.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* keyword table of a small lexer */
typedef enum tok { T_IDENT, T_IF, T_WHILE, T_RETURN } tok;

struct kw { const char *s; tok t; };

static struct kw slots[32];
static unsigned  n_kw;
static pthread_once_t kw_once = PTHREAD_ONCE_INIT;

static unsigned kw_hash(const char *s, size_t n)
{
  unsigned h = (unsigned)n;
  while (n--) h = h * 33 + (unsigned char)*s++;
  return h & 31;
}

static void put(const char *s, tok t)
{
  unsigned h = kw_hash(s, strlen(s));
  while (slots[h].s) h = (h + 1) & 31;
  slots[h] = (struct kw){ s, t };
  n_kw++;
}

static void kw_setup(void)
{
  put("if", T_IF);
  put("while", T_WHILE);
  put("return", T_RETURN);
}

static tok classify(const char *s, size_t n)
{
  pthread_once(&kw_once, kw_setup);
  for (unsigned h = kw_hash(s, n); slots[h].s; h = (h + 1) & 31)
    if (strlen(slots[h].s) == n && !memcmp(slots[h].s, s, n))
      return slots[h].t;
  return T_IDENT;
}

static unsigned kw_count(void)
{
  return n_kw; // TODO RACE: what a function that runs once writes, read by who did not ask for it
}

static void *lex(void *arg)
{
  const char *p = arg;
  int kws = 0, ids = 0;
  while (*p) {
    const char *q = p;
    while (isalnum((unsigned char)*q)) q++;
    if (q == p) { p++; continue; }
    if (classify(p, (size_t)(q - p)) == T_IDENT) ids++; else kws++;
    p = q;
  }
  printf("%d keywords, %d identifiers\n", kws, ids);
  return NULL;
}

static void *completer(void *arg)
{
  printf("completing from %u keywords\n", kw_count());
  return arg;
}

int main(void)
{
  pthread_t a, b, c;
  pthread_create(&c, 0, completer, 0);
  pthread_create(&a, 0, lex, "if (x) return y; while (z) foo();");
  pthread_create(&b, 0, lex, "while (1) if (q) bar();");
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}
