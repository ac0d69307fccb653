#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static uint32_t crc_table[256];
static pthread_once_t crc_once = PTHREAD_ONCE_INIT;

static void crc_build(void)
{
	uint32_t i, j, c;

	for (i = 0; i < 256; i++) {
		c = i;
		for (j = 0; j < 8; j++)
			c = (c & 1) ? 0xedb88320u ^ (c >> 1) : c >> 1;
		crc_table[i] = c; // NORACE
	}
}

uint32_t crc32_of(const unsigned char *p, size_t n)
{
	uint32_t crc = ~0u;

	pthread_once(&crc_once, crc_build);
	while (n--)
		crc = crc_table[(crc ^ *p++) & 0xff] ^ (crc >> 8);
	return ~crc;
}

struct piece { unsigned char data[64]; uint32_t crc; };

static void *check_piece(void *arg)
{
	struct piece *pc = arg;
	pc->crc = crc32_of(pc->data, sizeof pc->data);
	return NULL;
}

int main(void)
{
	struct piece pieces[4];
	pthread_t t[4];
	int i, k;

	for (i = 0; i < 4; i++) {
		for (k = 0; k < 64; k++)
			pieces[i].data[k] = (unsigned char)(i * k);
		pthread_create(&t[i], NULL, check_piece, &pieces[i]);
	}
	for (i = 0; i < 4; i++) {
		pthread_join(t[i], NULL);
		printf("%08x\n", pieces[i].crc);
	}
	return 0;
}
