/* A helper that is called for each row may keep the lock, by mistake; what comes after the loop is still looked at. */
#include <pthread.h>

struct row { pthread_mutex_t lock; int *cells; };
struct sheet { pthread_mutex_t lock; struct row rows[8]; int count, full; };

static int row_begin(struct row *row)
{
	pthread_mutex_lock(&row->lock);
	if (!row->cells)
		return -1; /* LEAK */
	row->cells[0] = 0;
	pthread_mutex_unlock(&row->lock);
	return 0; /* NOLEAK */
}

static int sheet_begin(struct sheet *sheet)
{
	int i;
	for (i = 0; i < sheet->count; i++)
		row_begin(&sheet->rows[i]);
	return sheet->full;
}

int sheet_add(struct sheet *sheet)
{
	pthread_mutex_lock(&sheet->lock);
	if (sheet_begin(sheet) != 0)
		return -1; /* LEAK */
	sheet->count++;
	pthread_mutex_unlock(&sheet->lock);
	return 0; /* NOLEAK */
}
