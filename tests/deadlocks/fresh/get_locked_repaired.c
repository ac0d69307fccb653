#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* user database: user_get() returns the user locked, user_done() unlocks */
typedef struct user {
  unsigned uid;
  int      logins;
  int      disabled;
  pthread_mutex_t mx;
  struct user *next;
} user;

static user *all_users;               /* built before threads start */

static void user_create(unsigned uid)
{
  user *u = calloc(1, sizeof *u);
  u->uid = uid;
  pthread_mutex_init(&u->mx, NULL);
  u->next = all_users;
  all_users = u;
}

static user *user_get(unsigned uid)
{
  for (user *u = all_users; u; u = u->next)
    if (u->uid == uid) {
      pthread_mutex_lock(&u->mx);
      return u;
    }
  return NULL;
}

static void user_done(user *u)
{
  pthread_mutex_unlock(&u->mx);
}

static int user_disable(unsigned uid)
{
  user *u = user_get(uid);
  if (!u)
    return -1;
  u->disabled = 1;
  user_done(u);
  return 0;
}

static int login(unsigned uid)
{
  user *u = user_get(uid);
  if (!u)
    return -1;
  if (u->disabled) {
    user_done(u);
    return -2;
  }
  u->logins++;
  user_done(u);
  return 0;
}

static int runs;

static void *session(void *arg)
{
  int bad = 0;
  for (int i = 0; i < runs; i++)
    bad += login(1000 + i % 5) != 0;
  printf("%d failed\n", bad);
  return arg;
}

int main(int argc, char **argv)
{
  pthread_t a, b;
  runs = argc > 1 ? 20 : 3;
  for (unsigned i = 0; i < 4; i++)
    user_create(1000 + i);
  user_disable(1003);
  pthread_create(&a, 0, session, 0);
  pthread_create(&b, 0, session, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
