#include <stdio.h>
#include <pthread.h>
#include <semaphore.h>

/* Two threads write one line in turn. tick begins. */
static char line[64];
static int used;
static sem_t my_turn, your_turn;

static void *tick(void *p) {
	for (int i = 0; i < 10; i++) {
		sem_wait(&my_turn);
		used = snprintf(line, sizeof line, "tick %d", i); // NORACE
		sem_post(&your_turn);
	}
	return p;
}

static void *tock(void *p) {
	for (int i = 0; i < 10; i++) {
		sem_wait(&your_turn);
		used += snprintf(line + used, sizeof line - used, " tock %d", i); // NORACE
		puts(line);
		sem_post(&my_turn);
	}
	return p;
}

int main(void) {
	pthread_t one, two;
	sem_init(&my_turn, 0, 1);
	sem_init(&your_turn, 0, 0);
	pthread_create(&one, 0, tick, 0);
	pthread_create(&two, 0, tock, 0);
	pthread_join(one, 0);
	pthread_join(two, 0);
	return 0;
}
