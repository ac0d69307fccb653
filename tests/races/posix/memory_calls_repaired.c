/* memory_calls.c under the lock. */
#include <pthread.h>
#include <string.h>

static pthread_mutex_t title_lock = PTHREAD_MUTEX_INITIALIZER;
static char title[64];
static struct { int width, height; } page;

static void *editor(void *argument)
{
	char draft[64];
	memset(draft, 0, sizeof draft); // NORACE
	strcpy(draft, "draft"); // NORACE
	pthread_mutex_lock(&title_lock);
	memcpy(title, draft, sizeof title); // NORACE
	memset(&page, 0, sizeof page); // NORACE
	pthread_mutex_unlock(&title_lock);
	return argument;
}

static void *viewer(void *argument)
{
	char shown[64];
	pthread_mutex_lock(&title_lock);
	memcpy(shown, title, sizeof shown); // NORACE
	shown[1] = page.width; // NORACE
	pthread_mutex_unlock(&title_lock);
	return shown[0] ? argument : NULL;
}

int main(void)
{
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, i % 2 ? editor : viewer, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
