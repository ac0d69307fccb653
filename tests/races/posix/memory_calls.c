/* Library functions write what they are given. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t title_lock = PTHREAD_MUTEX_INITIALIZER;
static char title[64], status[64], banner[64], footer[64];
static struct { int width, height; } page;

static void *editor(void *argument)
{
	strcpy(title, "draft"); // RACE!
	memset(&page, 0, sizeof page); // RACE!
	snprintf(status, sizeof status, "%s", "busy"); // RACE!
	memcpy(footer, "page", 5); // RACE!
	pthread_mutex_lock(&title_lock);
	strncpy(banner, "news", sizeof banner - 1); // NORACE
	pthread_mutex_unlock(&title_lock);
	return argument;
}

static void *viewer(void *argument)
{
	char shown[64];
	pthread_mutex_lock(&title_lock);
	memcpy(shown, title, sizeof shown);
	shown[0] = status[0];
	shown[1] = page.width;
	shown[2] = footer[2];
	shown[3] = banner[3]; // NORACE
	pthread_mutex_unlock(&title_lock);
	return shown[0] ? argument : NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, editor, NULL);
	pthread_create(&b, NULL, viewer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	puts(title); // NORACE
	return 0;
}
