#include "loop.h"
int main(void)
{
	struct loop loop = { store_flush };
	store_flush();
	loop_run(&loop);
	return 0;
}
