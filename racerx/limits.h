// limits.h: the limits of limits.def as constants, and how often each was hit.
#ifndef RACERX_LIMITS_H
#define RACERX_LIMITS_H

#include "base/base.h"

#ifdef RACERX_HOSTILE
#define LIMIT(name, number, hostile, meaning) name = (hostile),
#else
#define LIMIT(name, number, hostile, meaning) name = (number),
#endif
enum {
#include "racerx/limits.def"
};
#undef LIMIT
#define LIMIT(name, number, hostile, meaning) LIMIT_##name,
typedef enum {
#include "racerx/limits.def"
    LIMIT_COUNT
} LimitId;
#undef LIMIT

// Something was cut. From any thread; of work that is shared out, count only what is cut whoever does it.
void limit_reached(LimitId limit);
// The same where it is asked: was something cut? Counts it if so.
static inline bool limit_cuts(LimitId limit, bool cut) {
    if (cut)
        limit_reached(limit);
    return cut;
}
u64 limit_hits(LimitId limit);
const char *limit_meaning(LimitId limit);
u32 limit_number(LimitId limit);
void limits_clear(void);

#endif
