// back_and_straight.c, with the display let go before the journal is told.
#include <pthread.h>
struct display { pthread_mutex_t m; int lines; };
struct journal { pthread_mutex_t m; int entries; };
struct desk { struct display display; struct journal journal; };
static struct desk *desk;

static void display_show(struct display *self, int lines) {
    pthread_mutex_lock(&self->m);
    self->lines += lines;
    pthread_mutex_unlock(&self->m);
}

static void journal_add(struct journal *self, int entries) {
    pthread_mutex_lock(&self->m);
    self->entries += entries;
    if (self->entries % 10 == 0)
        display_show(&desk->display, 1);
    pthread_mutex_unlock(&self->m);
}

static void display_scroll(struct display *self) {
    pthread_mutex_lock(&self->m);
    self->lines--;
    pthread_mutex_unlock(&self->m);
    journal_add(&desk->journal, 1);
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
