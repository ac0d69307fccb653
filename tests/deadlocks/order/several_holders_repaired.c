// Three functions call, with the desk's lock held, something that takes the drawer's far below; four take them the other
// way round. All three let the desk go before.
#include <pthread.h>

pthread_mutex_t desk = PTHREAD_MUTEX_INITIALIZER, drawer = PTHREAD_MUTEX_INITIALIZER;
int papers, pens;

static void drawer_put(int what) {
    pthread_mutex_lock(&drawer);
    pens += what;
    pthread_mutex_unlock(&drawer);
}
static void tidy_one(int what) { drawer_put(what); }
static void tidy(int what) { tidy_one(what); }

void read_paper(void) {
    pthread_mutex_lock(&desk);
    papers++;
    pthread_mutex_unlock(&desk);
    tidy(1);
}

void write_paper(void) {
    pthread_mutex_lock(&desk);
    papers--;
    pthread_mutex_unlock(&desk);
    tidy(-1);
}

void clean_desk(void) {
    pthread_mutex_lock(&desk);
    papers = 0;
    pthread_mutex_unlock(&desk);
    tidy(-2);
}

void look(void) {
    pthread_mutex_lock(&desk);
    papers++;
    pthread_mutex_unlock(&desk);
}

void empty_drawer(void) {
    pthread_mutex_lock(&drawer);
    pthread_mutex_lock(&desk);  
    papers += pens;
    pthread_mutex_unlock(&desk);
    pthread_mutex_unlock(&drawer);
}

void count_pens(void) {
    pthread_mutex_lock(&drawer);
    pthread_mutex_lock(&desk);
    papers -= pens;
    pthread_mutex_unlock(&desk);
    pthread_mutex_unlock(&drawer);
}

void sort_pens(void) {
    pthread_mutex_lock(&drawer);
    pthread_mutex_lock(&desk);
    papers ^= pens;
    pthread_mutex_unlock(&desk);
    pthread_mutex_unlock(&drawer);
}

void lend_pens(void) {
    pthread_mutex_lock(&drawer);
    pthread_mutex_lock(&desk);
    papers ^= pens;
    pthread_mutex_unlock(&desk);
    pthread_mutex_unlock(&drawer);
}
