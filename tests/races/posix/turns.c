/* Two threads take turns with a board, by helpers: but white does not wait for its turn to come back. */
#include <semaphore.h>
#include <threads.h>

static sem_t white_turn, black_turn;
static int board[64], moves;

static void pass(sem_t *to_white)
{
	(void)to_white;
	sem_post(&black_turn);
}

static int white(void *argument)
{
	for (int i = 0; i < 8; i++) {
		board[i] = moves++; /* RACE */
		pass(&white_turn);
	}
	return argument != NULL;
}

static int black(void *argument)
{
	for (int i = 0; i < 8; i++) {
		sem_wait(&black_turn);
		board[63 - i] = moves; /* RACE */
		moves += 2; /* RACE */
		sem_post(&white_turn);
	}
	return argument != NULL;
}

int main(void)
{
	thrd_t a, b;
	sem_init(&white_turn, 0, 0);
	sem_init(&black_turn, 0, 0);
	thrd_create(&a, white, NULL);
	thrd_create(&b, black, NULL);
	thrd_join(a, NULL);
	thrd_join(b, NULL);
	return moves;
}
