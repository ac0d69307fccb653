// asked.h: inside racerx/check/, what a function asks before it waits, or takes a lock (asked.c).
#ifndef RACERX_ASKED_H
#define RACERX_ASKED_H

#include "racerx/facts/analysis.h"

// Is a wait only come to when a comparison has told that what is waited for is not what runs?
bool asks_who_runs(const Analysis *self, FunctionId function, Place place);
// Is a lock only taken where something says that it is not held, and says so from then on?
bool keeps_book(const Analysis *self, FunctionId function, Place place);

#endif
