// extract.h: stage one, as its callers see it: source tree in, trees in the store out.
#ifndef EXTRACT_EXTRACT_H
#define EXTRACT_EXTRACT_H

#include "annotators/declare.h"
#include "extract/store.h"

typedef struct {
    ScanOptions scan;
    const char *const *defines; // --define NAME[=V]
    u32 define_count;
    const char *const *undefines; // --undefine NAME
    u32 undefine_count;
    DeclareOptions declare; // count and context are filled by extract()
    u32 jobs;
    u32 shard, shards; // only every file of this share, from 0 of so many, as a run that was killed leaves it; 0: all
} ExtractOptions;

typedef struct {
    char *file; // shown path; malloc'd
    u32 bytes;  // of function bodies not understood
    char *why;  // the first of them, shortened; malloc'd
} WorstFile;

typedef struct {
    u32 files, sources, headers; // extracted or found unchanged
    u32 parsed, reused;          // trees made now; trees kept from before
    u32 skipped;
    u64 bytes; // of source: of all files
    u32 functions;
    u64 macros_known, macros_expanded;
    u64 body_bytes; // bytes of function bodies
    u64 lost_bytes, lost_statements, lost_items;
    u64 limits;          // expansions cut short
    WorstFile worst[10]; // most bytes lost first
    u32 worst_count;
    char *presets; // names of the lock presets in force, ", " between them; malloc'd; NULL: none
    double seconds_scan, seconds_harvest, seconds_trees, seconds_store;
    u64 memory_harvest, memory_trees; // peak after each pass
} ExtractStats;

void extract(const ExtractOptions *options, Store *store, ExtractStats *stats);

#endif
