// races.h: inside racerx/, from samples to races: what is believed of an object, and who goes against it.
#ifndef RACERX_RACES_H
#define RACERX_RACES_H

#include "racerx/facts/analysis.h"

// What the samples of one object say.
typedef struct {
    ObjectId object;
    const Sample *samples;
    u32 count;
    u32 protected_any, bare;           // places with some lock; with none. Unsure ones are in neither
    ClassId lock;                      // the lock believed in; 0: none
    ClassId second;                    // the one that is next; 0: none
    u32 protected_lock, others;        // places with it; without
    u32 written_with, written_without; // of those that write
    double z_write;
    double z_any, z_lock;
    u32 writes;            // places that write, start-up left out
    u32 writing_roots;     // functions that control starts in and that write it
    bool interrupt_writes; // a handler writes it
    bool interrupt;        // a handler accesses it
} Belief;

// tickets.c
void fill_tickets(Analysis *self); // requires samples. fills: tickets

// belief.c
void fill_usual(Analysis *self); // requires samples. fills: usual
void belief_fill(Analysis *self, Belief *belief);
bool sample_holds(const Analysis *self, const Sample *sample, ClassId lock); // and not that of another object
bool sample_is_alone(const Analysis *self, const Sample *sample);            // start-up, shutdown
bool have_common_lock(const Analysis *self, const Sample *a, const Sample *b);
bool conflict(const Analysis *self, const Sample *a, const Sample *b); // one writes, and not both in one piece
bool sample_writes(const Analysis *self, const Sample *sample);

bool makes_object(const Analysis *self, const Sample *sample, ClassId lock); // or the lock: others do not see it yet
bool is_same_lock(const Analysis *self, ClassId a, ClassId b); // also from outside and from inside a member

// callers.c
typedef struct {
    u32 with, without; // call sites
} CallerCount;
void fill_callers(Analysis *self); // requires the walk. fills: caller_first, caller_calls
// Who calls the function with the lock, and who without; none at all: too many to ask.
CallerCount count_callers(Analysis *self, FunctionId callee, ClassId lock);
bool has_two_callers(const Analysis *self, FunctionId callee);
// Pairs: a call (edge_…) without it, a way to its function.
void callers_without(const Analysis *self, FunctionId callee, ClassId lock, U32Array *out);
typedef struct {
    const Sample *before; // the suspect's function looks at it first, likewise; NULL: it does not
    const Sample *suspect, *counterpart;
    Belief belief;
    bool proven;
    bool likely;          // they run together as far as calls with many targets are followed
    const char *evidence; // what speaks against them besides a belief; NULL: the belief
    const char *refuted;  // why they cannot meet after all; NULL: nothing says so
} Race;
// What is being found.
typedef struct Races {
    Analysis *analysis;
    FindingList *list;
    Array(Race) races; // statistical ones, to be put together by function
    struct Histories *histories;
    struct Agreement *agreement; // agree.c; NULL: nobody asks
    Sample *entry_samples;       // relay.c: what its races point to; NULL: none
} Races;
// race_finding.c: how a race is told.
const char *race_object_text(const Analysis *self, FindingList *list, ObjectId object);
const ProgramFunction *sample_function(const Analysis *self, const Sample *sample);
int compare_sample_names(const Analysis *self, const Sample *a, const Sample *b);
void race_put_site(Races *self, Finding *finding, const Sample *sample, ClassId lock, u32 side);
void race_put_sides(Races *self, Finding *finding, const Race *race);
void race_put_evidence(Races *self, Finding *finding, const Belief *belief);
bool is_type_only(const Analysis *self, const Race *race);
void race_put_features(Races *self, Finding *finding, const Race *race, u32 variables, bool modified);
// The calls without the lock become sites of the finding.
void put_callers(Analysis *analysis, FindingList *list, Finding *finding, const Race *race);

// taken.c
typedef struct {
    FunctionId function; // NO_ID: not known
    Place place;
} Taken;
// Where a lock that a sample holds was taken: searched for in the text of the functions on its way, nearest first.
Taken where_taken(const Analysis *self, const Sample *sample, ClassId class);
// Is the lock, somewhere, taken by the function that accesses the object, or by whoever calls it? What is held from far
// above is rather for something else.
bool is_locked_near(const Analysis *self, const Belief *belief);
// How many functions far above the accesses took the lock for them; 0: some access, its caller, or several somewhat
// above it took it themselves.
u32 count_takers(Analysis *self, const Belief *belief);
u32 way_conditionals(const Analysis *self, u32 way); // passed between its root and its last function

// sample_facts.c
bool has_locked(const Analysis *self, u32 way);
u32 slot_of_way(const Analysis *self, u32 way);
bool peer_locks(const Analysis *self, const Sample *suspect, const Sample *other);
u32 marks_of(const Analysis *self, const Sample *sample);
bool is_from_test(const Analysis *self, const Sample *sample); // a test is where the way begins
bool is_nonatomic(const Analysis *self, const Sample *sample);
bool is_same_object(const Analysis *self, const Sample *sample, ClassId lock);
bool is_bare(const Analysis *self, const Sample *sample);
bool is_own_allocation(const Analysis *self, const Access *access);
bool takes_lock(const Analysis *self, FunctionId function, ClassId lock);
bool is_also_held(const Analysis *self, const Belief *belief, const Sample *suspect);
bool is_reentrant(const Analysis *self, const Belief *belief, const Sample *suspect, bool threads);
bool is_conditional(const Analysis *self, const Belief *belief, const Sample *suspect);
u32 targets_of(const Analysis *self, const Sample *a, const Sample *b);
bool is_signal(const Analysis *self, const Sample *sample);
bool is_barred(const Analysis *self, const Sample *sample); // conditions keep its root from coming there (reach.c)
bool is_placed(const Analysis *self, const Sample *sample);

// relay.c: pairs of entries by their summaries, and what these say of a race of the walk.
void find_relay(Races *self); // requires: summaries, ways. fills: races without a reason; the table of reasons
bool protects_nobody(const Analysis *self, ClassId class, u32 contexts); // as far as samples go

// agree.c: what the summaries say of a race of the walk.
typedef struct Agreement Agreement;
Agreement *agreement_begin(Analysis *analysis); // requires: summaries; NULL: there are none
void agreement_end(Agreement *self);
// Do the summaries, put together along both ways, find no common lock either? 1: so they do; 0: they find one, or that
// a side is nobody else's yet; -1: they do not know.
int engines_agree(Agreement *self, const Sample *a, const Sample *b);

// races.c
bool races_with(Races *self, const Sample *a, const Sample *b, bool *proven);
bool is_shared_data(const Analysis *self, ObjectId object);
bool are_kin(const Analysis *self, const Sample *a, const Sample *b); // could both sides mean the same object?
SiteRole role_of(const Analysis *self, const Sample *sample,
                 ClassId lock); // what an access is, `lock` being believed to protect

// evidence.c
const char *evidence_of(const Analysis *self, const Belief *belief, const Sample *a, const Sample *b); // NULL: none
bool is_instance_only(const Analysis *self, const Sample *sample);
bool claims(const Analysis *self, const Belief *belief, const Sample *sample); // written where it was found free

// benign.c
bool is_counter(const Analysis *self, const Belief *belief);
bool is_monotonic(const Analysis *self, const Belief *belief);
bool is_rechecked(const Analysis *self, const Belief *belief, const Sample *suspect);
bool prepares(const Analysis *self, const Belief *belief, const Sample *suspect, const Sample *other);

// setup.c
void fill_makes(const Analysis *self, Map *makes); // (function, lock): it makes the lock, or has a helper make it
bool is_set_up(const Analysis *self, const Sample *suspect); // are members stored one after another, none looked at?

// ending.c
bool frees_owner(const Analysis *self, FunctionId function, u32 block, PathId place); // what the place is in, or around
bool is_torn_down(const Analysis *self, const Sample *sample); // is the object freed afterwards, whatever happens?

// guards.c
void put_guard(const Analysis *self, FindingList *list, const Belief *belief); // a row, when there is something to say
void sort_guards(FindingList *list);                                           // highest z first

#endif
