/* A volume's semaphore is made with nothing in it and let go when the volume is ready: a lock from then on.
   An error keeps it. */
#include <semaphore.h>
#include <stdlib.h>

struct volume { sem_t sem; sem_t ready; int sector, files; };

struct volume *volume_mount(void)
{
	struct volume *v = malloc(sizeof *v);
	if (!v)
		return NULL;
	sem_init(&v->sem, 0, 0);
	sem_init(&v->ready, 0, 0);
	v->sector = v->files = 0;
	sem_post(&v->sem); /* NOUNHELD */
	return v;
}
int volume_create(struct volume *v)
{
	sem_wait(&v->sem);
	v->files++;
	sem_post(&v->sem);
	return 0;
}
int volume_remove(struct volume *v)
{
	sem_wait(&v->sem);
	v->files--;
	sem_post(&v->sem);
	return 0;
}
int volume_count(struct volume *v)
{
	sem_wait(&v->sem);
	int files = v->files;
	sem_post(&v->sem);
	return files;
}
int volume_read(struct volume *v, int at)
{
	sem_wait(&v->sem);
	if (at < 0) {
		return -1; /* LEAK */
	}
	v->sector = at;
	sem_post(&v->sem);
	return 0;
}
void volume_wait(struct volume *v)
{
	sem_wait(&v->ready);
} /* NOLEAK */
void volume_tell(struct volume *v)
{
	sem_post(&v->ready); /* NOUNHELD */
}
