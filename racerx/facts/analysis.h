// analysis.h: inside racerx/, from the linked program to facts about locks. Sections in pipeline
// order: accesses, lock classes, skeletons, releases, the walk, what it records.
// docs/locksets.md says what holds.
#ifndef RACERX_ANALYSIS_H
#define RACERX_ANALYSIS_H

#include "racerx/facts/walked.h"

// products ------------------------------------------------------------------------
// What each room makes, in the order it is made: one pass, or a few, fill a product, all later ones only read it (but
// for words, objects and copies of nodes, which grow). A product is freed by one function of its own; those that two
// threads let grow at the same time can be forked. In the Analysis a product has a name, and its fields are at hand.

// A room may write what it makes, and only read what was made before: the Makefile compiles each with a word for every
// such product that says `const`. (Of arrays the items are, too.)
#ifndef OF_FACTS
#define OF_FACTS
#endif
#ifndef OF_NODES
#define OF_NODES
#endif
#ifndef OF_EVENTS
#define OF_EVENTS
#endif
#ifndef OF_CHECK
#define OF_CHECK
#endif
// words.c: what things are called, made as passes meet them: grows until the end.
typedef struct Words {
    PathTable paths;
    Array(LockClass) classes;
    Map class_by_name;
    Map class_by_path;           // PathId of a lock in a global -> its class
    ClassId parameter_class[32]; // by parameter: the class of what it points to; 0: none yet
    LocksetTable locksets;
    ValueTable values;
    Array(LockSite) sites; // of lock operations
    Map site_index;
    U32Array class_site; // by class: first LockSite
} Words;

// access.c: what is accessed; the race checks add to it.
typedef struct ObjectTable {
    Array(SharedObject) objects;
    Map object_index;
    Map local_names; // (function, var) -> NameId, of objects that are locals
} ObjectTable;

// An enumerator, whatever file has it.
typedef struct {
    i64 value;
    bool vague; // others of this name have other values
} ConstantValue;

#pragma push_macro("Array")
#undef Array
#define Array(T)                                                                                                       \
    struct {                                                                                                           \
        T MADE_BEFORE *items;                                                                                          \
        u32 count, capacity;                                                                                           \
    }
#define MADE_BEFORE OF_FACTS
// facts.c: bodies reduced to what concerns locks and accesses. requires: Program. Filled before the walk.
typedef struct Facts {
    Array(LockOperation) operations;
    u32 watched; // assertions that a lock is held, or not, for a thousand acquisitions: its users look for mistakes
    Array(Access) accesses;
    Array(Handed) handed;
    Array(Keeper) keepers;
    Map keeper_index;
    Array(Hop) hops; // [0]: the root itself
    Map hop_index;
    Array(KeptParameter) kept_parameters;
    Array(KeptParameter) out_parameters; // likewise what is stored through one; keeper: all places of a type
    Array(Spawn) spawns;
    Map elected;  // access -> by which number, of which threads have each another, one thread alone comes to it
    Map prepared; // (access, spawn): of the element that this thread is given, before it is started in the same round
    Array(SpawnVariant) variants;
    Array(Launch) launches;
    Map chosen_locks; // (function, var): it points to one of several objects, chosen together with their locks
    Array(GivenNumber) given;
    Map given_index; // FunctionId that threads begin in -> given
    Array(StoredNumber) stored_numbers;
    Map stored_index; // a place (numbers.c) -> stored_numbers
    Array(PassedNumber) passed;
    Map passed_index; // (function, parameter) -> passed
    Map stored_in;    // FunctionId << 32 | parameter -> by bits: parameters whose objects it is stored in
    Map drawing;      // FunctionId -> ObjectId of the counter that it draws numbers from
    Map in_turn;      // STEP_TERM of an index that goes on each time -> elements of the array; UINT32_MAX: not known
    Map index_terms;  // (function, parameter) that is an index itself -> its STEP_TERM
    Map follows;      // STEP_TERM -> the one that it is known by
    Map remainders;   // STEP_TERM -> of the division by this constant
    Map either;       // (STEP_TERM, STEP_TERM): the one is the other, or some third: `a < b ? a : b` is a
    Map all_taken;    // STEP_TERM that a loop takes the locks of all elements by
    Map constants_stored; // access -> the constant that it stores
    Map settled;          // settled.c: of globals that threads want to know; ask settled_value()
    Map counted;          // access -> COUNTS_…: by an operation that counts
    Array(Beginning) begun;
    Map beginnings; // (function, var) -> Analysis.begun
    U32Array ended; // runs of ClassIds
    Map spawned;    // (function, call) -> first registration + 1
    Map made;       // (function, var or HEAP_VAR | call) -> 1 + RecordId: what a local, or an allocation, is
    Map lock_types; // (file, type) -> 1: no lock, 2: a lock
    Array(LockRecord) lock_records;
    Map turns;          // (function, call that draws a number) -> the word that it waits for << 1 | by its address
    Map served;         // classes that such words are
    Map lock_record_at; // RecordId, of the handle or of what is behind it -> lock_records, + 1
    u32 *wrapper_of;    // by function: 0 not asked yet, 1 no wrapper, else Facts.wrappers, plus 2
    Array(LockWrapper *) wrappers;
    u32 *lock_parameters; // by function: bit n: parameter n is a lock; the highest: the others were worked out
    Array(Getter) getters;
    Map getter_at; // FunctionId -> getters, + 1
    u8 *passes;    // by function: 0 not asked yet, 1 nothing, else the parameter that it gives back, plus 2
    u64 *mains;    // by function: a bit for each main that reaches it, in main_words words
    u32 main_words;
    u8 *lone;             // by function: a main, one of several, that starts nothing beside itself; NULL: none
    u8 *started_as;       // by function: some call that is followed starts it as a thread
    bool binds_data;      // small enough to tell callers apart by what they hand over
    bool shares_memory;   // some of it is other processes', too
    bool follows_threads; // a program with a main: threads have a beginning and an end
    MADE_BEFORE Skeleton *skeletons; // by function
    Arena arena;
    U32Array critical_only, critical_first, critical_last; // by object: times it was so in a critical section
    U32Array
        *touched; // by function: classes that it or what is near below it operates on; NO_ID: any, they are too many
    Array(Started) started;
    Array(QueueMade) queues;
    Array(Queued) queued;
    u32 *queue_of;        // by handler of work: name of the ordered queue that all of it goes to, as a class; 0: none
    U32Array handle_sets; // a set is the index of its count; its names, as classes, follow
    Array(HandleParameter) handle_parameters;
    Map handle_types; // ClassId of a name that is a member of a global -> the name by its type
    Map handle_index; // ClassId of such a name -> handle_parameters, + 1
    Array(LockInit) inits;
    Array(LockMaker) makers;
    Map held_blocks; // likewise: where it is held on every way
    Array(LockAlias) aliases;
    Map alias_index;       // (record, member) -> aliases, + 1
    U32Array alias_makers; // pairs: function, class of a lock that it stores a pointer to
    U32Array *releases;    // by function: classes held on entry that it may let go
    U32Array *given_back;  // by function: of these, what every way out has again
    U32Array *leaves;      // by function: classes that it takes and may leave held
    Map release_blocks;    // (function, class) -> bits per block, + 1
    Array(u64 *) release_bits;
    Map caller_releases; // (function, class) -> 1 no, 2 yes
    Map constants;       // NameId of an enumerator -> constant_values, + 1
    Array(ConstantValue) constant_values;
    U32Array *writes; // by function: objects that some function tests and this one, or what is near below it, writes
} Facts;

#undef MADE_BEFORE
#define MADE_BEFORE OF_NODES
// walk.c: functions as they were entered, and the calls between them. Copies with chains for reports are added.
typedef struct NodeTable {
    Array(Node) nodes;
    u32 walked_nodes;         // of them: made by the walk; the others are copies with chains for reports
    U32Array edge_pairs;      // caller, callee
    Array(Place) edge_places; // of the calls
    Array(u8) edge_costs;     // how unsure they are: 1, and more for calls with several targets
    U32Array edge_ambient; // by call between nodes: LocksetId of the locks that did not go along, in the callee's words
    Array(const SkeletonStep *) edge_steps; // the call; NULL: a copy made for a report
    bool lent;                              // somebody reads what these arrays had so far: they must not move
} NodeTable;

#undef MADE_BEFORE
#define MADE_BEFORE OF_EVENTS
// walk.c: what was met in them: acquisitions, releases, accesses, sleeps, waits, exits. requires: Facts.
typedef struct Events {
    Map node_index;
    U32Array bindings; // runs: count, then (BIND_… << 8 | parameter, value)…
    Map binding_index;
    u16 *entries;   // by function: locksets it was entered with
    Map node_edges; // (caller node, callee node) seen
    U32Array entry_sites;
    Array(NodeAccess) node_accesses; // by node, in the order they were walked; until samples are made of them
    Array(StackObject) stack;
    Map stack_index;
    Map spawn_root_index;
    Array(Ambient) ambient;
    Map ambient_index;
    Array(LockEvent) met; // by node, as they were done; in it, in the order they were met
    Array(Outcome) outcomes;
    Array(Outcall) flat_outcalls; // likewise out of the tree, from functions without locks
} Events;

#undef MADE_BEFORE
#define MADE_BEFORE OF_CHECK
// Which threads run beside which: what the walk met, and what started.c makes of it.
typedef struct Company {
    bool main_starts; // some main of the tree starts threads
    Array(SpawnRoot) spawn_roots;
    U32Array coalive; // pairs: class of a thread that may run, class of one that is started then
    Map coalive_index;
    Map single_nodes; // nodes of threads: never two at a time that are given the same
} Company;

// met.c, and with what callers hold besides, ambient.c and sleeps.c: what follows from events. requires: Events.
typedef struct Readings {
    Array(Acquisition) acquisitions;
    Array(OrderEdge) edges;
    Map edge_index;
    Array(Witness) witnesses;
    Array(Couple) couples;
    Array(Outcall) outcalls; // calls out of the tree, with what is held
    Map couple_index;        // (class, site, site of the held one) -> how many
    Array(Note) notes;
    Map note_index;
    Array(NodeAccess)
        node_raises; // of Events.node_accesses, which go before they do: that store constants other than 0
} Readings;

// context.c: where control came from, on each way to a node. requires: Events.
typedef struct WayTable {
    U32Array spawners;      // roots that start a thread, in runs by Root
    U32Array above;         // all roots above a thread, in runs by Root
    u8 *ruled;              // by function: never_parallel speaks of it; NULL: of none
    u32 *ruled_roots;       // by function: the rules whose first list has it as a root, as a number; NULL: none
    u32 ways_most;          // ways kept for a node
    Array(SlotEntry) slots; // in the order they were met
    U32Array slot_of;       // by function: its slot entry, plus 1; empty: threads are followed
    U32Array context_first; // by node: its first WayContext, plus 1
    u32 way_nodes;          // so many nodes: those made later are copies
    Array(WayContext) way_contexts;
    Array(Root) roots;
    U32Array root_of;      // by function: root, plus 1
    Map runs;              // (function a thread begins in, function it was told to run) -> root
    Array(Bitset) reached; // by Root.reach: the accesses that conditions on the way let it come to
} WayTable;

// sample.c: accesses with what protected them. requires: Events, WayTable.
typedef struct SampleTable {
    Array(Sample) samples; // sorted by object, then by place
    LocksetTable protections;
    Map usual; // (file, class) -> functions of the file that hold it somewhere; class 0: all that have samples
    Map *asked_counts, *asked_last; // seen.c: answers that were given before
    Map *asked_beside;              // parallel.c: likewise, (root, threads alive, thread): 1 no, 2 yes
    Map *asked_set_up;              // setup.c: likewise, by access
    Map makes;                      // (function, class): it makes the lock
    U32Array caller_first;          // by function: its calls in caller_calls
    U32Array caller_calls;          // indices of edge_…
    Map tickets;                    // ObjectId of a counter -> 1: each number is drawn once (check/tickets.c)
    Map called;                     // (function, class) -> callers with it << 16 | without
} SampleTable;

// order.c, ambient.c: what every way holds, what kinds of root reach what. requires: Events.
typedef struct ContextTable {
    LocksetId *node_must; // by node: ambient locks that every way to it holds; NO_ID: no way yet
    u32 *contexts;        // by function: 1 << CONTEXT_… of the roots that reach it
    u32 *node_contexts;   // by node, likewise; bit 31: some root of unknown context
} ContextTable;
#undef MADE_BEFORE
#pragma pop_macro("Array")

#define PRODUCT(before, type, name)                                                                                    \
    union {                                                                                                            \
        before type name;                                                                                              \
        before struct type;                                                                                            \
    }
typedef struct Analysis {
    Program *program;
    const Declarations *declarations;
    AnalysisOptions options;
    PRODUCT(, Words, words);
    PRODUCT(, ObjectTable, shared);
    PRODUCT(OF_FACTS, Facts, facts);
    PRODUCT(OF_NODES, NodeTable, graph);
    PRODUCT(OF_EVENTS, Events, events);
    PRODUCT(OF_CHECK, Company, company);
    PRODUCT(OF_CHECK, Readings, read);
    PRODUCT(OF_CHECK, WayTable, ways);
    PRODUCT(OF_CHECK, SampleTable, sampled);
    PRODUCT(OF_CHECK, ContextTable, judged);
    const struct Summaries *summaries; // summary/: NULL: none were wanted
    AnalysisStats stats;
} Analysis;
#define CONTEXT_OTHER (1u << 31)
void words_fork(Words *self, Words *second); // words.c: two that go on apart from here; `second` is freed first
void words_free_second(Words *self);
void words_free(Words *self);
void object_table_free(ObjectTable *self);
void facts_free(Facts *self, u32 function_count);
void node_table_lend(NodeTable *self, NodeTable *reader);   // events.c: `reader` stays as it is from here on
void node_table_return(NodeTable *self, NodeTable *reader); // and is not needed any more
void node_table_put(NodeTable *self, Node node);            // a copy for a report
void node_table_put_call(NodeTable *self, u32 caller, Place place, u8 cost, const SkeletonStep *step,
                         LocksetId ambient); // of the copy that was put last
void node_table_free(NodeTable *self);
void events_tidy(Events *self);
void events_free(Events *self);
void company_free(Company *self);
void readings_free(Readings *self);  // judged.c
void fill_raises(Analysis *self);    // seen.c: requires node_accesses. fills: node_raises
void way_table_free(WayTable *self); // judged.c
void sample_table_free(SampleTable *self);
void context_table_free(ContextTable *self);

// What is promised of each product; dies where it is not kept. Between passes, where checks_wanted().
void words_check(const Words *self);
void facts_check(const Analysis *self);    // facts_check.c
void events_check(const Analysis *self);   // events_check.c
void readings_check(const Analysis *self); // judged.c; after the walk's, and after what callers hold besides
void contexts_check(const Analysis *self); // judged.c
void ways_check(const Analysis *self);     // judged.c
void samples_check(const Analysis *self);  // judged.c

// Do two words for a lock mean the same one, as far as types go?
static inline bool class_covers(const Analysis *self, ClassId by_type, ClassId class) {
    for (u32 depth = 0; by_type && class && depth < CLASS_BASES; depth++, class = self->classes.items[class].base)
        if (by_type == class)
            return true;
    return false;
}
bool global_is_own(const Analysis *self, GlobalId id); // access.c: has every thread or processor a copy?
ObjectId object_intern(Analysis *self, SharedObject object);
void shared_object_name(const Analysis *self, ObjectId id, Buffer *out);
ClassId class_intern(Analysis *self, NameId name, bool global);
ClassId class_of_global(Analysis *self, GlobalId global, NameId member); // lock_class.c: of a lock that is one object
void skeleton_build(Analysis *self, SkeletonBuilder *scratch, FunctionId function);
void fill_bases(Analysis *self);        // lock_class.c: fills: LockClass.base of all classes so far
void fill_lock_aliases(Analysis *self); // lock_alias.c: requires Program.points, lock_stores. fills: aliases
void fill_numbers(Analysis *self);      // numbers.c: requires bodies. fills: given, stored_numbers
void fill_lock_records(Analysis *self); // lock_records.c: requires bodies. fills: lock_records
void fill_turns(Analysis *self);        // turns.c: requires lock_records. fills: turns, served
void fill_recursive(Analysis *self);    // recursive.c; requires: skeletons. fills: LockClass.recursive of locks made so
// wait_names.c: the set of names (0: none) of what a call's argument, or result, is; all names of a set, callers' too.
u32 handle_of(Analysis *self, const BodyScope *scope, const ExprId *alias, ExprId call, i32 argument);
u32 handle_names(Analysis *self, u32 set, u32 *out, u32 most);
void fill_constants(Analysis *self); // deciding.c: fills: constants
bool constant_named(const Analysis *self, FileId file, NameId name, i64 *out);
// deciding.c: requires skeletons, releases. fills: which conditions decide about locks (places, split), writes
void fill_deciding(Analysis *self);
// settled.c: requires deciding, threads. fills: settled
void fill_settled(Analysis *self);
bool is_settled(const Analysis *self, ObjectId object);
// What a thread knows of a global for good, when this is known where it is started; 0: nothing.
ValueId settled_value(Analysis *self, ObjectId object, ValueId known);
const TestedPlace *place_by_path(const Skeleton *skeleton, PathId path); // NULL: none
const TestedPlace *place_by_expr(const Skeleton *skeleton, ExprId expr); // NULL: none
// A callee's path in the words of the caller; 0: none. A parameter's value has none.
PathId path_of_caller(Analysis *self, const Skeleton *caller, const SkeletonStep *call, PathId path);
void fill_relevance(Analysis *self);
// launches.c: what a handle is known by, wherever it is written: root and members, without indices.
u64 thread_handle(const PathTable *paths, FunctionId function, PathId path, NameId *member);
void fill_variants(Analysis *self, Spawn *spawn, u32 first); // `first`: its first registration
void fill_launches(Analysis *self);
void fill_watched(Analysis *self); // watched.c: requires skeletons. fills: watched
void fill_queues(Analysis *self);  // queues.c: requires skeletons. fills: queue_of
void fill_threads(Analysis *self); // threads.c: requires skeletons. fills: classes of spawns, what ends, loop exits
// keepers.c: requires fresh.c. fills: keepers
void fill_keepers(Analysis *self);
// A pointer was stored in a keeper: what a parameter is (NO_ID: none), fresh or not; listed: lists.c judges it.
void keeper_stores(Analysis *self, u32 keeper, FunctionId function, u32 param, bool fresh, bool listed);
// lists.c: the head that a pointer at this place was reached from, and the list that a head belongs to; 0: not known.
PathId head_of(const Analysis *self, FunctionId function, PathId place, u32 hops, RecordId record);
PathId list_at(const PathTable *paths, PathId head);
bool is_in_one_list(const Analysis *self, RecordId record); // keepers.c: is every object of the type?
// Is what is taken off this keeper nobody else's? `links`: members of it, pointers to its like, that the function
// touches.
bool keeper_lets_go(const Analysis *self, u32 keeper, u32 links);
bool hops_are_clean(const Analysis *self, u32 hops); // do they keep only what was made for them?
u32 hops_from_own(const Analysis *self, PathId root,
                  u32 hops); // likewise, from thread-local storage: OWN_…; 0: no
bool argument_is_each(const Analysis *self, FunctionId function, u32 call,
                      const ArgumentValue *argument); // another object each time
void fill_fresh(
    Analysis *self); // fresh.c: requires skeletons. fills: publishes, returns_fresh, fresh of accesses and arguments
void fill_unstarted(Analysis *self); // unstarted.c: requires threads, fresh. fills: exits, of ways around joins
void fill_handed(Analysis *self);    // handed.c: requires skeletons. fills: flags of what calls hand over
void fill_releases(Analysis *self);  // unlockset.c
void fill_kept(Analysis *self);      // kept_pointers.c: requires releases. fills: ACCESSED_KEPT
// What one step, by itself or by a callee, may do to a class: 1 lets it go, 2 takes it, 0 neither.
u32 step_effect(const Analysis *self, const Skeleton *skeleton, const SkeletonStep *step, ClassId class);
// A callee's word for a lock in the caller's; 0: nothing the caller can name.
ClassId caller_class(const Analysis *self, const Skeleton *skeleton, const SkeletonStep *step, ClassId class);
// Can a release of `class` still be reached from after this step?
bool releases_later(Analysis *self, FunctionId function, u32 block, u32 step, ClassId class);
// Has every way from the function's beginning to here taken the class, and not let it go?
bool held_anyway(Analysis *self, FunctionId function, u32 block, u32 step, ClassId class);
bool releases_in_callers(Analysis *self, FunctionId function, ClassId class);
bool releases_inside(const Analysis *self, FunctionId function, ClassId class); // somewhere, itself or by a callee
// Does a caller, or one above it, let go what the function came back with, and did not take it itself?
// `when_cut`: what is said when the callers are too many to ask.
bool released_by_callers(Analysis *self, FunctionId function, ClassId class, bool when_cut);
#define FAN_OUT_NARROW 4
void fill_touched(Analysis *self); // touched.c: requires skeletons, releases. fills: touched
// Is it near certain whom it calls? What far targets of wide calls do to a caller's locks is not believed.
static inline bool call_is_narrow(const CallSite *site) {
    return !site->indirect || (site->target_count <= FAN_OUT_NARROW && !site->guessed && !site->cut);
}
bool touches(const Analysis *self, FunctionId function, ClassId class);
ClassId touched_as(const Analysis *self, FunctionId function, ClassId class); // by which word for it; 0: it is not
void ambient_put(Analysis *self, const Held *held, u32 caller, u32 callee, LocksetId sure, Place place, u8 cost);
void order_ambient(Analysis *self); // fills: edges for ambient locks
void order_holders(
    Analysis *self); // ambient.c: requires order_ambient. fills: more witnesses of orders that contradict each other
void note_sleeps(Analysis *self); // sleeps.c: requires the walk. fills: notes of sleeping below a call
// The lock to blame for sleeping with these held: spinning ones before the CPU's state, the last one taken.
bool innermost_atomic(const Analysis *self, u32 node, LocksetId set, Held *out);
void fill_must(Analysis *self);                                           // fills: node_must
LocksetId lockset_join(Analysis *self, LocksetId a, LocksetId b);         // the locks of both
void edge_put(Analysis *self, ClassId from, ClassId to, Witness witness); // met.c
void walk(Analysis *self);
void read_met(Analysis *self); // met.c: requires the walk. fills: acquisitions, notes, edges, what sites are used for
u32 node_binding(const Analysis *self, const Node *node, u32 kind, u32 param); // state.c; 0: nothing bound
void name_by_path(Analysis *self, Held *held); // lock_class.c: a lock of a global by the global's name
// sure.c: is a lock of the set really held at the place: will somebody let it go?
bool is_let_go_later(Analysis *self, NodePoint at, const Held *held);
bool is_assured(Analysis *self, NodePoint at, const Held *held); // likewise, by the caller after the call that is there
PathId path_into_callee(Analysis *self, const Skeleton *caller, const SkeletonStep *call, FunctionId callee,
                        PathId path);                          // 0: no parameter reaches it
bool is_lock_record(const Analysis *self, RecordId record);    // lock_records.c: of the handle, or behind it
bool has_lock_parameters(Analysis *self, FunctionId function); // lock_parameters.c
bool is_lock_argument(Analysis *self, const CallSite *site, u32 argument); // lock_parameters.c; from 0
const LockWrapper *lock_wrapper(Analysis *self, const CallSite *site);     // wrappers.c; NULL: none
bool call_only_looks(Analysis *self, const CallSite *site); // passes.c: nothing that others could see happens there
bool is_lock_wrapper(const Analysis *self, FunctionId function); // some call of it was read as an operation
bool is_kernel(const Program *program);                          // mains.c
bool is_registered(const Program *program, FunctionId handler);
void fill_mains(Analysis *self); // mains.c: fills: mains
bool share_program(const Analysis *self, FunctionId f, FunctionId g, bool *known);
bool is_slot_call(const Analysis *self, u32 edge); // walk/slots.c: through a table, by somebody who counts
void fill_slots(Analysis *self); // check/slots.c: requires the walk. fills: sets and contexts of slots
LocksetId way_into(Analysis *self, u32 edge, LocksetId set); // context.c: the caller's way in the callee's words
u32 root_category(const Analysis *self,
                  FunctionId function); // context.c: CONTEXT_… it counts as where roots are not told apart
FunctionId told_to_run(const Analysis *self,
                       u32 node);           // context.c: what a thread that begins there was told; NO_ID: nothing
u32 root_of_node(Analysis *self, u32 node); // context.c
void fill_started(Analysis *self); // started.c: requires ways. fills: who starts which threads, beside which others
bool is_alive(const Analysis *self, LocksetId alive, u32 root); // started.c: may the thread run, with these in the set?
void fill_ways(Analysis *self);    // context.c: requires the walk. fills: roots, way_contexts
void fill_barred(Analysis *self);  // reach.c: requires ways. fills: reached
void fill_samples(Analysis *self); // sample.c: requires ways. fills: samples
// talks.c: what a function does beside what it computes: nothing, one register of a device is written, or more.
typedef enum { TALK_LOOKS = 1, TALK_POKES, TALK_ACTS } Talk;
Talk talk_of_call(const Analysis *self, const SkeletonStep *step, Map *known); // `known`: by function, so far
void fill_critical(Analysis *self); // critical.c: requires skeletons. fills: critical_…
bool may_run_together(const Analysis *self, const Sample *a, const Sample *b, bool *proven); // parallel.c
void fill_created(Analysis *self); // creation.c: requires started threads. fills: Root.begun_under, kept_under
// creation.c: does a lock that a thread was started under keep two accesses apart?
bool creation_keeps_apart(const Analysis *self, const Sample *a, const Sample *b);
// seen.c: does the way of a sample go on only because it has seen under a lock that nobody uses the object any more?
bool is_last_user(const Analysis *self, const Sample *sample);
bool has_said_done(const Analysis *self, const Note *note, FunctionId handler, ClassId lock); // needs it no more
bool may_threads_meet(const Analysis *self, const Sample *a,
                      const Sample *b);                     // parallel.c: only root, way and alive count
void find_races(Analysis *self, FindingList *out);          // races.c
void classify_semaphores(Analysis *self, FindingList *out); // semaphore.c
// How improbable these counts are for a lock, given what spin locks do: the lower of the two z.
double semaphore_z(u32 downs, u32 paired, u32 spurious, const SemaphoreBaseline *baseline);
SemaphoreBaseline semaphore_baseline(u64 downs, u64 paired, u64 spurious); // from the counts of all spin locks
#define SEMAPHORE_IMPROBABLE (-3.0)                                        // under it a semaphore signals
u32 lock_site(const Analysis *self, u32 node,
              const Held *held);    // where a lock held in a node was taken; NO_ID: not known
void fill_contexts(Analysis *self); // order.c
bool edge_is_usable(const Analysis *self, const OrderEdge *edge); // not of a semaphore that signals
u32 best_witness(const Analysis *self, const OrderEdge *edge);    // the shallowest; equals by name
void list_orders(Analysis *self, FindingList *out); // order_table.c: requires edges. fills: FindingList.orders
// Adds the chain of first calls that led to a node, and a site with what was held.
Site *finding_put_site(Analysis *self, FindingList *list, Finding *finding, SiteRole role, u32 node, u32 lock_site,
                       LocksetId held);
void finding_put_marks(FindingList *list, Finding *finding, u32 marks, u32 uses); // words of MARK_… with these MARKS_…
const char *class_text(const Analysis *self, ClassId class);
void site_put_chain(Analysis *self, FindingList *list, Site *site, u32 node); // the chain of first calls to a node
void site_put_way(Analysis *self, FindingList *list, Site *site, u32 way);    // the calls of a way
// The calls of a way, and on from there those given (edge_…).
void site_put_way_on(Analysis *self, FindingList *list, Site *site, u32 way, const u32 *calls, u32 count);
u32 node_depth(const Analysis *self, u32 node);              // calls since the nearest root
static inline u32 way_start(const Analysis *self, u32 way) { // the first way on it
    const WayContext *one = &self->way_contexts.items[way];
    return one->from ? one->start : way;
}
static inline u32 way_first_node(const Analysis *self, u32 way) {
    return self->way_contexts.items[way_start(self, way)].node;
}
FunctionId way_root(const Analysis *self, u32 way);   // where it starts
FunctionId node_root(const Analysis *self, u32 node); // where the chain of first calls starts
void find_deadlocks(Analysis *self, FindingList *out);
void find_couples(Analysis *self,
                  FindingList *out); // couples.c: requires couples, find_deadlocks. fills: edges of one class
void find_callbacks(Analysis *self, FindingList *out); // callbacks.c: requires outcalls, acquisitions
void find_others(Analysis *self, FindingList *out);    // checks.c
// How far it is from where the lock of a note was taken to what happened.
void finding_put_distance(Analysis *self, FindingList *list, Finding *finding, const Note *note);
void find_unheld(Analysis *self, FindingList *out); // unheld.c
typedef struct {
    u32 takes;        // places that take it
    u32 paired, bare; // that let it go, held somewhere; never seen held
} ClassUses;
ClassUses class_uses(const Analysis *self, ClassId class);
void find_leaks(Analysis *self, FindingList *out);         // leaks.c
void find_interruptions(Analysis *self, FindingList *out); // interrupts.c
ClassId bound_class(const Analysis *self, const Node *node,
                    ClassId class);                // what a parameter's class is in this node: walk/state.c
void find_waits(Analysis *self, FindingList *out); // waits.c

u32 site_make(Analysis *self, FunctionId function, Place place); // a place that is no lock operation
double z_test(double good, double all, double share);

// What is at a boundary, as lines of text, of one function.
void path_text(const Analysis *self, PathId path, Buffer *out); // facts_text.c
void step_text(const Analysis *self, u32 step, Buffer *out);    // one member on the way
void lockset_text(const Analysis *self, LocksetId set, Buffer *out);
void access_text(const Analysis *self, const Access *access, Buffer *out);
void skeleton_text(const Analysis *self, FunctionId function, Buffer *out);
void events_text(const Analysis *self, FunctionId function, Buffer *out);  // walk/events_text.c
void ways_text(const Analysis *self, FunctionId function, Buffer *out);    // check/ways_text.c
void samples_text(const Analysis *self, FunctionId function, Buffer *out); // check/samples_text.c

// inquire.c: what the analysis knows of one line; requires samples.
typedef struct {
    const char *file;   // as shown
    u32 line;           // from 1
    const char *object; // only what has this in its name; NULL: everything
} Question;
struct AnswerList;
void answer_question(Analysis *self, const Question *question, struct AnswerList *out);

// stale/: requires samples. fills: findings of facts that were true under a lock and are relied on after it.
void find_stale(Analysis *self, FindingList *out);
void facts_text(Analysis *self, FunctionId function, Buffer *out);
typedef struct {
    u64 dereferences;
    u64 reached;  // of these, of pointers proven not null: though all that a global leads to is written at any time
    u64 unlocked; // though all is written that others write, under whatever lock
    u64 locked;   // that others write without the same lock
    u64 alone;    // if there were no other threads
} Survival;
void count_surviving(Analysis *self, Survival *out);

// race_thread.c: races are looked for beside deadlocks; both go by what the walk left.
typedef struct RaceThread RaceThread;
RaceThread *races_begin(Analysis *analysis);
void races_end(RaceThread *self, Analysis *analysis, FindingList *out); // waits for it

// check/samples_text.c: each access of shared data that beliefs count, as they see it
typedef struct {
    const char *object, *file, *function;
    u32 line;
    bool writes, locked; // under some lock, which may be the wrong one
} SampleRow;
typedef void SampleVisit(void *context, const SampleRow *row); // sorted by object, then by place
void each_sample(const Analysis *self, SampleVisit *visit, void *context);

// analyse.c: the driver
void analyse(Program *program, const AnalysisOptions *options, FindingList *out, AnalysisStats *stats);
// Up to the samples only, and no findings: what is known of one line.
void inquire(Program *program, const AnalysisOptions *options, const Question *question, struct AnswerList *out,
             AnalysisStats *stats);
// Up to the samples likewise: what each room made of one function, as text.
enum { DUMP_SKELETON = 1, DUMP_EVENTS = 2, DUMP_WAYS = 4, DUMP_SAMPLES = 8, DUMP_FACTS = 16 };
void visit_samples(Program *program, const AnalysisOptions *options, SampleVisit *visit, void *context);
void dump_products(Program *program, const AnalysisOptions *options, FunctionId function, u32 wanted, Buffer *out);
void measure_surviving(Program *program, const AnalysisOptions *options, Survival *out);
// The facts and the summaries only: those of the given functions, as text.
void dump_summaries(Program *program, const AnalysisOptions *options, const U32Array *functions, Buffer *out,
                    AnalysisStats *stats);

#endif
