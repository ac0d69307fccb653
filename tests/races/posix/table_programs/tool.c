#include "plug.h"

int main(void) {
    added = 0; // NORACE
    adder.work(1);
    return added; // NORACE
}
