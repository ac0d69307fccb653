#include "loop.h"
void loop_run(struct loop *loop)
{
	for (int i = 0; i < 100; i++)
		if (loop->idle)
			loop->idle();
}
