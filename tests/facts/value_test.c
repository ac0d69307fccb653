// What is known of a value: meet and join never lose a value that can be.
#include "racerx/facts/value.h"

#include <stdio.h>

static int failed;
static void expect(bool good, const char *what) {
    if (!good) {
        printf("not ok %s\n", what);
        failed = 1;
    }
}

// Is a number among the values?
static bool has(ValueTable *table, ValueId id, i64 number) {
    return value_meet(table, id, value_constant(table, number)) != 0;
}

int main(void) {
    ValueTable table = {0};
    static const i64 numbers[] = {-11, -4, -1, 0, 1, 2, 3, 7};
    ValueId ids[64];
    u32 count = 0;
    for (u32 i = 1; i < 8; i++)
        ids[count++] = i;
    for (u32 i = 0; i < 8; i++) {
        ids[count++] = value_constant(&table, numbers[i]);
        ids[count++] = value_but(&table, &numbers[i], 1);
        ids[count++] = value_join(&table, value_constant(&table, numbers[i]), value_constant(&table, 3));
    }
    for (u32 i = 0; i < count; i++)
        for (u32 k = 0; k < count; k++) {
            ValueId both = value_meet(&table, ids[i], ids[k]), either = value_join(&table, ids[i], ids[k]);
            expect(value_join(&table, ids[k], ids[i]) == either, "join does not ask for the order");
            for (u32 n = 0; n < 8; n++) {
                bool x = has(&table, ids[i], numbers[n]), y = has(&table, ids[k], numbers[n]);
                expect(!(x && y) || has(&table, both, numbers[n]), "meet keeps what both have");
                expect(!(x || y) || has(&table, either, numbers[n]), "join keeps what one has");
            }
        }
    ValueId three = value_constant(&table, 3);
    expect(value_is_single(&table, three) && value_is_single(&table, VALUE_ZERO), "constants are single");
    expect(!value_meet(&table, three, value_related(&table, REL_LT, 3)), "3 is not below 3");
    expect(value_meet(&table, three, value_related(&table, REL_GE, 3)) == three, "3 is 3 or more");
    expect(value_bits(&table, three, 2) == value_constant(&table, 2), "3 & 2 is 2");
    expect(value_bits(&table, three, 4) == VALUE_ZERO, "3 & 4 is 0");
    expect(!has(&table, value_related(&table, REL_NE, 3), 3), "what is not 3 is not 3");
    value_free(&table);
    return failed;
}
