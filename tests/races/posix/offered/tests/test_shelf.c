#include "../shelf.h"
int main(void) {
    struct shelf shelf = {.lock = PTHREAD_MUTEX_INITIALIZER, .free = 3};
    shelf_put(&shelf);
    shelf_grow(&shelf, 2);
    shelf_clear(&shelf);
    return shelf_take(&shelf) + shelf_room(&shelf) != 5;
}
