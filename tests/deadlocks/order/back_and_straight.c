// Two threads come to where the display is taken under the journal: one has the display already, the other has not.
#include <pthread.h>
struct display { pthread_mutex_t m; int lines; };
struct journal { pthread_mutex_t m; int entries; };
struct desk { struct display display; struct journal journal; };
static struct desk *desk;

static void display_show(struct display *self, int lines) {
    pthread_mutex_lock(&self->m); // DEADLOCK@a
    self->lines += lines;
    pthread_mutex_unlock(&self->m);
}

static void journal_add(struct journal *self, int entries) {
    pthread_mutex_lock(&self->m); // DEADLOCK@a
    self->entries += entries;
    if (self->entries % 10 == 0)
        display_show(&desk->display, 1);
    pthread_mutex_unlock(&self->m);
}

static void display_scroll(struct display *self) {
    pthread_mutex_lock(&self->m); // DEADLOCK@a
    self->lines--;
    journal_add(&desk->journal, 1);
    pthread_mutex_unlock(&self->m);
}

static void *writer(void *unused) {
    for (int i = 0; i < 100; i++)
        journal_add(&desk->journal, 3);
    return unused;
}

static void *reader(void *unused) {
    for (int i = 0; i < 100; i++)
        display_scroll(&desk->display);
    return unused;
}

int main(void) {
    static struct desk one;
    pthread_t a, b;
    desk = &one;
    pthread_mutex_init(&one.display.m, NULL);
    pthread_mutex_init(&one.journal.m, NULL);
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
