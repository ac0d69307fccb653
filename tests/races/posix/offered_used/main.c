#include "shelf.h"

int main(int argc, char **argv) {
    struct shelf shelf = {.lock = PTHREAD_MUTEX_INITIALIZER, .free = argc};
    (void)argv;
    shelf_put(&shelf);
    shelf_grow(&shelf, 1);
    shelf_clear(&shelf);
    return shelf_take(&shelf) + shelf_room(&shelf);
}
