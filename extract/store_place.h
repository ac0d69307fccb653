// store_place.h: inside extract/, where the database is.
#ifndef EXTRACT_STORE_PLACE_H
#define EXTRACT_STORE_PLACE_H

#include "extract/store.h"

char *store_join(const char *first, const char *second);  // malloc'd
char *store_resolve(const char *path, const char *shown); // absolute, without links; malloc'd
const char *store_place(StoreMode mode);                  // where none was named

#endif
