/* Only an idle engine is started; while the buffer is made, it may be killed. */
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/device.h>

enum state { IDLE, STARTING, RUNNING, DEAD };
struct engine { struct mutex lock; enum state state; void *buffer; };
extern void *engine_buffer(void);
extern void engine_kick(void *buffer);

int engine_start(struct engine *engine)
{
	void *buffer;
	int error = 0;

	mutex_lock(&engine->lock);
	if (engine->state != IDLE) {
		error = -EBUSY;
		goto out;
	}
	mutex_unlock(&engine->lock);
	buffer = engine_buffer();
	if (!buffer)
		return -ENOMEM;
	mutex_lock(&engine->lock);
	engine->state = RUNNING; /* STALE-CHECK */
	engine->buffer = buffer;
	engine_kick(buffer);
out:
	mutex_unlock(&engine->lock);
	return error;
}

void engine_kill(struct engine *engine)
{
	mutex_lock(&engine->lock);
	engine->state = DEAD;
	engine->buffer = NULL;
	mutex_unlock(&engine->lock);
}
