#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

/* Three managers of a small game; each guards itself. */
typedef struct { mtx_t m; int playing; } SoundMgr;
typedef struct { mtx_t m; int alive; int spawned; } EntityMgr;
typedef struct { mtx_t m; long score; int level; } RuleMgr;

typedef struct World {
   SoundMgr  snd;
   EntityMgr ent;
   RuleMgr   rules;
} World;

static World *world;

static void nap(long us)
{
   thrd_sleep(&(struct timespec){ .tv_nsec = us * 1000 }, NULL);
}

static void Sound_Play(SoundMgr *s)
{
   mtx_lock(&s->m);
   s->playing++;
   mtx_unlock(&s->m);
}

static void Entity_Spawn(EntityMgr *e, int n)
{
   mtx_lock(&e->m);
   e->alive += n;
   e->spawned += n;
   Sound_Play(&world->snd);
   mtx_unlock(&e->m);
}

static void Rules_Score(RuleMgr *r, long pts)
{
   mtx_lock(&r->m); // DEADLOCK!
   r->score += pts;
   if (r->score / 100 > r->level) {
      r->level++;
      Entity_Spawn(&world->ent, r->level);
   }
   mtx_unlock(&r->m);
}

static void Sound_Finish(SoundMgr *s)
{
   long bonus = 0;
   mtx_lock(&s->m);
   if (s->playing > 0) {
      s->playing--;
      bonus = 1;
   }
   if (bonus)
      Rules_Score(&world->rules, bonus);
   mtx_unlock(&s->m);
}

static int GameThread(void *arg)
{
   for (int i = 0; i < 20; i++) {
      Rules_Score(&world->rules, 30);
      nap(400);
   }
   return 0;
}

static int MixerThread(void *arg)
{
   for (int i = 0; i < 8; i++) {
      nap(1100);
      Sound_Finish(&world->snd);
   }
   return 0;
}

int main(void)
{
   alarm(5);
   thrd_t g, x;
   world = calloc(1, sizeof *world);
   mtx_init(&world->snd.m, mtx_plain);
   mtx_init(&world->ent.m, mtx_plain);
   mtx_init(&world->rules.m, mtx_plain);
   thrd_create(&g, GameThread, NULL);
   thrd_create(&x, MixerThread, NULL);
   thrd_join(g, NULL);
   thrd_join(x, NULL);
   printf("score %ld level %d alive %d\n", world->rules.score, world->rules.level, world->ent.alive);
   free(world);
   return 0;
}
