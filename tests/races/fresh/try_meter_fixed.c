#include <pthread.h>
#include <errno.h>
#include <stdio.h>
#include <time.h>

typedef struct meter_s {
   pthread_mutex_t guard;
   double          ewma;
   long            samples;
   long            skipped;
} Meter;

static Meter latency = { PTHREAD_MUTEX_INITIALIZER, 0.0, 0, 0 };

/* Must never block the data path: samples may be lost, that is fine. */
static void Meter_Feed(Meter *self, double v)
{
   if (pthread_mutex_trylock(&self->guard) != 0)
      return;
   self->ewma = self->ewma * 0.9 + v * 0.1; // NORACE
   self->samples++; // NORACE
   pthread_mutex_unlock(&self->guard);
}

static double Meter_Read(Meter *self, long *n)
{
   double v;
   pthread_mutex_lock(&self->guard);
   v = self->ewma;
   *n = self->samples;
   pthread_mutex_unlock(&self->guard);
   return v;
}

static void *DataPath(void *arg)
{
   unsigned x = (unsigned)(size_t)arg;
   for (int i = 0; i < 20000; i++) {
      x ^= x << 13; x ^= x >> 17; x ^= x << 5;
      Meter_Feed(&latency, (double)(x % 1000));
   }
   return NULL;
}

int main(void)
{
   pthread_t t[3];
   long n;
   for (int i = 0; i < 3; i++)
      pthread_create(&t[i], NULL, DataPath, (void *)(size_t)(77 + i));
   for (int i = 0; i < 20; i++) {
      struct timespec ts = { 0, 200000 };
      double v = Meter_Read(&latency, &n);
      if (i % 10 == 0)
         printf("%.2f after %ld\n", v, n);
      nanosleep(&ts, NULL);
   }
   for (int i = 0; i < 3; i++)
      pthread_join(t[i], NULL);
   printf("%ld samples\n", latency.samples);
   return 0;
}
