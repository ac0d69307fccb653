#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* key/value store front end, single exit style */
#define MAXKEY 16
#define NSLOT  32

struct slot { char key[MAXKEY]; int val; int live; };

static struct slot slots[NSLOT];
static pthread_mutex_t kv_mu = PTHREAD_MUTEX_INITIALIZER;

static struct slot *slot_for(const char *key)
{
	struct slot *spare = NULL;

	for (int i = 0; i < NSLOT; i++) {
		if (slots[i].live && strcmp(slots[i].key, key) == 0)
			return &slots[i];
		if (!slots[i].live && !spare)
			spare = &slots[i];
	}
	return spare;
}

static int kv_put(const char *key, int val)
{
	struct slot *s;
	int rc;

	if (key == NULL || strlen(key) >= MAXKEY) {
		rc = -EINVAL;
		goto done;
	}
	pthread_mutex_lock(&kv_mu);
	s = slot_for(key);
	if (!s) {
		rc = -ENOSPC;
		goto done;
	}
	strcpy(s->key, key);
	s->val = val;
	s->live = 1;
	rc = 0;
done:
	pthread_mutex_unlock(&kv_mu); // UNHELD!
	if (rc)
		fprintf(stderr, "put: %s\n", strerror(-rc));
	return rc;
}

static int kv_sum(void)
{
	int s = 0;

	pthread_mutex_lock(&kv_mu);
	for (int i = 0; i < NSLOT; i++)
		s += slots[i].live ? slots[i].val : 0;
	pthread_mutex_unlock(&kv_mu);
	return s;
}

static void *loader(void *arg)
{
	char key[MAXKEY];

	for (int i = 0; i < 20; i++) {
		snprintf(key, sizeof key, "k%d", i & 0xff);
		kv_put(key, i);
	}
	if (arg)
		kv_put("a key that is much too long", 1);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t;

	pthread_create(&t, NULL, loader, argc > 1 ? argv : NULL);
	printf("sum %d\n", kv_sum());
	pthread_join(t, NULL);
	printf("sum %d\n", kv_sum());
	return 0;
}
