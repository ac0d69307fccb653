#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct msg {
	int op;
	char text[40];
};

static int fds[2];

static void send_msg(struct msg *m)
{
	if (write(fds[1], &m, sizeof m) != sizeof m)
		abort();
}

static struct msg *recv_msg(void)
{
	struct msg *m;
	if (read(fds[0], &m, sizeof m) != sizeof m)
		return NULL;
	return m;
}

static void *printer(void *unused)
{
	struct msg *m;

	while ((m = recv_msg()) != NULL && m->op != 0) {
		printf("op %d: %c\n", m->op, m->text[0]);
		free(m);
	}
	return unused;
}

int main(void)
{
	pthread_t t;
	int i;

	if (pipe(fds))
		return 1;
	pthread_create(&t, NULL, printer, NULL);
	for (i = 5; i >= 0; i--) {
		struct msg *m = malloc(sizeof *m);
		m->op = i; // NORACE
		m->text[0] = (char)('a' + i);
		send_msg(m);
	}
	pthread_join(t, NULL);
	return 0;
}
