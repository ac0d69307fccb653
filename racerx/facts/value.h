// value.h: what is known of a number or a pointer: its sign, and constants that it has or has not; interned.
#ifndef RACERX_VALUE_H
#define RACERX_VALUE_H

#include "racerx/link/program.h"

// Signs. Of a pointer: an error code, none, something.
enum { VALUE_NEGATIVE = 1, VALUE_ZERO = 2, VALUE_POSITIVE = 4, VALUE_ANY = 7 };
typedef u32 ValueId; // 0: none can be; up to 7: signs, and no more; else ValueTable
typedef struct {
    u8 signs;                  // VALUE_… it may have
    u8 kind;                   // ValueKind
    u8 count;                  // of `items`
    u8 relation;               // REL_… to items[0]
    i64 items[CONSTANTS_MOST]; // sorted
} Value;
typedef enum {
    VALUE_SIGNS,
    VALUE_IN,      // one of these
    VALUE_OUT,     // none of these
    VALUE_RELATED, // what a branch asks: never what is known
} ValueKind;
typedef struct {
    Array(Value) values; // from VALUE_ANY + 1 on
    Map index;           // hash -> id, chained by `next`
    U32Array next;
} ValueTable;
ValueId value_constant(ValueTable *self, i64 constant);
ValueId value_related(ValueTable *self, u8 relation, i64 constant);   // what makes `it relation constant` true
ValueId value_but(ValueTable *self, const i64 *constants, u32 count); // anything but these
ValueId value_meet(ValueTable *self, ValueId a, ValueId b);           // both are true; 0: that cannot be
ValueId value_join(ValueTable *self, ValueId a, ValueId b);           // one of them is
ValueId value_bits(ValueTable *self, ValueId a, i64 bits);            // of `it & bits`
bool value_is_single(const ValueTable *self, ValueId id);             // one constant
u8 value_signs(const ValueTable *self, ValueId id);
u8 relation_opposite(u8 relation);
u8 relation_mask(u8 relation, i64 constant, u8 *exact); // signs that make it true; only those: exact
void value_free(ValueTable *self);

#endif
