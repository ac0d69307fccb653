// racerx-verdict: shown
/* A queue is lent the lock of its card, by whoever opens it. Either name protects it, also when it is closed. */
struct card { struct mutex big; int queues; };
struct queue { struct mutex *guard; struct card *card; int depth; int drops; };

static void queue_init(struct queue *queue, struct card *card, struct mutex *guard)
{
	queue->card = card;
	queue->guard = guard;
	queue->depth = 0; /* NORACE */
}

int card_open(struct card *card, struct queue *queue)
{
	queue_init(queue, card, &card->big);
	return 0;
}

void queue_push(struct queue *queue)
{
	mutex_lock(queue->guard);
	queue->depth++; /* NORACE */
	mutex_unlock(queue->guard);
}

void queue_pop(struct queue *queue)
{
	mutex_lock(queue->guard);
	queue->depth--;
	mutex_unlock(queue->guard);
}

int queue_full(struct queue *queue)
{
	int full;
	mutex_lock(queue->guard);
	full = queue->depth > 8;
	mutex_unlock(queue->guard);
	return full;
}

void queue_drop(struct queue *queue)
{
	struct card *card = queue->card;
	mutex_lock(&card->big);
	queue->drops++;
	queue->depth--; /* NORACE */
	mutex_unlock(&card->big);
}

void queue_reset(struct queue *queue)
{
	mutex_lock(queue->guard);
	queue->depth = 0;
	mutex_unlock(queue->guard);
}

int queue_room(struct queue *queue)
{
	int room;
	mutex_lock(&queue->card->big);
	room = 8 - queue->depth;
	mutex_unlock(&queue->card->big);
	return room;
}

void queue_close(struct queue *queue)
{
	mutex_lock(&queue->card->big);
	queue->depth = 0; /* NORACE */
	mutex_unlock(&queue->card->big);
}
