// relation.h: inside racerx/check/, what a held lock has to do with an accessed object (relation.c).
#ifndef RACERX_RELATION_H
#define RACERX_RELATION_H

#include "racerx/facts/analysis.h"

// RELATION_…; `path` leads to the object, `from` to where the last pointer on it was read.
u32 lock_relation(const Analysis *self, const Held *held, ObjectId object, PathId path, PathId from);
// Is the lock chosen by a number that may be the one of the object's element?
bool lock_may_be_of(const Analysis *self, const Held *held, PathId path);
// The place that the last pointer on the way was read from; of a node of a list, where the list begins.
PathId path_read_from(const Analysis *self, FunctionId function, PathId path);

#endif
