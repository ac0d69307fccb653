// steer.h: inside racerx/confirm/: lines and code, plans for the runtime, runs, what was written down in them.
#ifndef RACERX_STEER_H
#define RACERX_STEER_H

#include "racerx/confirm/confirm.h"

// lines.c: where the code of a line is, and which line code is of
typedef struct {
    u64 start, end; // as linked; the end is behind
} CodeRange;
typedef Array(CodeRange) CodeRangeArray;
typedef struct Module Module;          // a program or a shared object
Module *module_open(const char *path); // NULL: it cannot be read, or has no lines
void module_close(Module *self);
bool module_is_steered(const Module *self); // it calls the runtime
// Of the file whose path ends most like this one; the nearest line that has code, if this has none. The result is how
// many names of the path were the same; 0: it has no such file.
u32 module_fit(const Module *self, const char *file);
const char *module_file(const Module *self, const char *file); // the one that fits best; NULL: none
void module_find(const Module *self, const char *file, u32 line, CodeRangeArray *out);
typedef Array(WitnessFrame) WitnessFrameArray;
void module_describe(Module *self, u64 address, WitnessFrameArray *out); // inlined ones first; texts live with it
const char *module_symbol(const Module *self, u64 address, u64 *offset); // of a variable or function; NULL: none

// records.c: what the runtime wrote down
typedef struct {
    u64 lock, pc;
    char kind;
} RecordLock;
typedef struct {
    u32 thread;             // in the order of creation
    i32 target;             // of the plan; -1: another place
    u64 start;              // the thread's function
    char name[32];          // of the thread
    char does[16];          // of a race: read, write, free
    bool atomic;            // likewise
    u64 address, size;      // likewise
    u64 wants;              // of a deadlock: what it waits for
    char wants_kind;        // likewise
    Array(u64) stack;       // behind the calls, the innermost first
    Array(RecordLock) held; //
} RecordSide;
typedef enum { RECORD_RACE, RECORD_DEADLOCK, RECORD_STANDSTILL, RECORD_CRASH } RecordKind;
typedef struct {
    RecordKind kind;
    u32 finding;                // of a race: of the plan
    u32 process;                // which of the logs it is from
    bool exact, in_handler;     // of a race: both lines are the finding's; a signal handler met what it interrupted
    char before[24], after[24]; // likewise
    i32 signal;                 // of a crash
    Array(RecordSide) sides;
} SteerRecord;
typedef struct {
    u64 low, high, base;
    char *path;
    u32 process;
} RecordModule;
typedef struct {
    Array(SteerRecord) items;
    Array(RecordModule) modules;
} Records;
void records_read(Records *self, const char *directory); // of all processes of a run, as far as they are whole
void records_free(Records *self);

// plan.c: which code belongs to which side of which finding
typedef enum {
    TARGET_ANY,
    TARGET_READS,
    TARGET_WRITES,
    TARGET_LOCKS,
    TARGET_CHECKS,
    TARGET_GAPS,
    TARGET_USES,
    TARGET_MEETS
} TargetRole; // as in the runtime
typedef struct {
    u32 finding; // index of those that are confirmed
    u32 side;
    TargetRole role;
    const char *file;
    u32 line;
    u64 hits, fitting, threads; // counted by the runtime, in all runs
} SteerTarget;
typedef Array(SteerTarget) TargetArray;
typedef struct {
    u64 hits, fitting, threads;
} TargetHits;                                                          // as in the runtime
enum { PLAN_TARGETS_MOST = 4096 };                                     // likewise
bool targets_add(TargetArray *out, const Finding *finding, u32 index); // false: none that could be steered
typedef struct {
    const char *directory, *hits; // for logs; the counts
    u64 seed;                     // also says whom to stall, and how long
    bool steer;                   // or only count
    u32 runs;                     // so far
    const bool *wanted;           // by finding
} PlanOptions;
typedef Array(Module *) ModuleArray;
void plan_write(Buffer *out, const TargetArray *targets, const ModuleArray *modules, const PathArray *paths,
                const PlanOptions *options);

// launch.c: one run
typedef struct {
    double seconds; // it took
    bool timed_out, stopped, started;
    i32 signal; // that ended it; 0: none
} StartedRun;
enum { LINES_TOGETHER = 2 };
typedef struct {
    char **command;         // NULL: the lines are all there is
    const char *plan;       // its path; NULL: the program runs as it would without us
    double seconds;         // at most
    double settle;          // seconds from the command's start to that of the lines
    bool output;            // what it prints is shown
    char *const *lines;     // for the shell, beside the command
    u32 line_count;         // at most LINES_TOGETHER
    bool (*enough)(void *); // asked now and then; once it says yes the program is ended, with all that it started
    void *context;          // for it
} LaunchOptions;
StartedRun launch(const LaunchOptions *options);

// describe.c: records as witnesses
typedef struct {
    FindingList *texts;
    ModuleArray modules;
    PathArray paths; // of them
    char *root;      // where the analysed tree is, as compilers knew it: taken off what is shown; NULL: not known
} BuiltProgram;
void built_add(BuiltProgram *self, const char *path); // when it is a new one that can be steered
void built_free(BuiltProgram *self);
void built_root(BuiltProgram *self, const char *file); // by a file of the analysis
void describe_sides(const BuiltProgram *program, const Records *records, const SteerRecord *record, RunWitness *out);

#endif
