// sample.c: every access of a shared object with every protection it was made under.
// In: accesses by node, the ways to each node. Out: Analysis.samples, sorted by object.
// A sample is counted once for a place, a protection and a root, not for every visit. What is still nobody else's is
// left out, and so is what nobody ever writes.
#include "racerx/check/relation.h"

// An access to a record as a whole, as it is put.
typedef struct {
    const NodeAccess *record;
    u32 access, way;
    LocksetId held, alive;
    ObjectId object;
    PathId path;
    u8 bound;
} Whole;

typedef struct {
    Analysis *analysis;
    Map seen;       // samples
    Map counts;     // (object, access) -> samples of threads that exist once, of others << 16
    Map protection; // (owner's path, lockset) -> protection + 1
    u8 *written;    // by object: somebody writes it
    u32 written_count;
    Map bits;  // (object, member): a bit-field that somebody writes
    Map lists; // RecordId -> 1: its objects may be in several lists at a time, 2: they are in one
    Array(Whole) wholes;
    Map members;          // (kind, id, var) -> first object with members
    U32Array next_member; // by object: the next member of the same
} Samples;

// The lock of an array that a constant chooses is one lock: it has a class of its own, as another constant chooses
// another.
static ClassId element_class(Analysis *self, const Held *held) {
    u32 index = path_index(&self->paths, held->path);
    LockClass whole = self->classes.items[held->class];
    if (!held->path || held->class < CLASS_FIRST || whole.global || whole.record != NO_ID || !step_is_number(index))
        return held->class;
    Buffer text = {0};
    u32 constant = step_name(index) & STEP_VALUE;
    buffer_format(&text, "%s[", program_text(self->program, whole.name));
    if ((step_name(index) & STEP_NAMED) == STEP_NAMED)
        buffer_format(&text, "%s]", program_text(self->program, constant));
    else
        buffer_format(&text, "%u]", constant);
    ClassId class = class_intern(self, program_intern(self->program, (char *)text.bytes, (u32)text.size), true);
    buffer_free(&text);
    self->classes.items[class].kind = whole.kind;
    self->classes.items[class].base = held->class;
    return class;
}

// Does a state of the CPU say nothing, because a handler runs with it anyway? One that runs late, or by a timer, begins
// with interrupts on.
static bool is_so_anyway(ClassId class, u32 contexts) {
    const u32 late = 1u << CONTEXT_SOFTIRQ | 1u << CONTEXT_TIMER;
    return class < CLASS_FIRST &&
           ((contexts & 1u << CONTEXT_INTERRUPT) || ((contexts & late) && class != CLASS_INTERRUPTS));
}

// One of several locks, for something of which there is one?
static bool is_one_of(const Analysis *self, FunctionId function, const Held *held, ObjectId object) {
    PathId root = path_first(&self->paths, held->path);
    return root && self->paths.paths.items[root].root == ROOT_LOCAL &&
           self->objects.items[object].kind == OBJECT_GLOBAL &&
           map_get(&self->chosen_locks, (u64)function << 32 | self->paths.paths.items[root].step);
}

static bool holds_two(const HeldSet *locks, ClassId class) {
    u32 count = 0;
    for (u32 i = 0; i < locks->count; i++)
        count += locks->items[i].class == class;
    return count >= 2;
}

static LocksetId protect(Samples *self, LocksetId set, ObjectId object, PathId path, PathId from, FunctionId function,
                         u32 contexts) {
    Analysis *analysis = self->analysis;
    if (!set)
        return 0;
    u64 key = hash_mix((u64)path << 32 | set, hash_mix((u64)function << 32 | from, (u64)object << 32 | contexts));
    u32 *known = map_put(&self->protection, key, NULL);
    if (*known)
        return *known - 1;
    HeldSet locks, kept;
    held_load(&locks, &analysis->locksets, set);
    held_begin(&kept);
    for (u32 i = 0; i < locks.count; i++) {
        const Held *held = &locks.items[i];
        const LockClass *class = &analysis->classes.items[held->class];
        bool nothing = class->thread || is_so_anyway(held->class, contexts) || lock_has(class->kind, TRAIT_READS) ||
                       is_of_thread(held->class) || class->scheduling || class->vague ||
                       (class->parameter && held->class >= CLASS_FIRST);
        if (nothing)
            continue;
        u32 relation = lock_relation(analysis, held, object, path, from);
        if (relation == RELATION_OTHER && holds_two(&locks, held->class) && lock_may_be_of(analysis, held, path))
            relation = RELATION_UNKNOWN; // the lower one and the higher one of both
        if (relation == RELATION_UNKNOWN && is_one_of(analysis, function, held, object))
            relation = RELATION_OTHER;
        bool one = relation == RELATION_ONE || relation == RELATION_UNKNOWN;
        ClassId element = one ? element_class(analysis, held) : held->class;
        held_push(&kept, (Held){element, element == held->class ? relation : RELATION_ONE,
                                held->flags & (HELD_SHARED | HELD_EVERYWHERE), 1, 0});
    }
    held_end(&locks);
    LocksetId result = held_intern(&kept, &analysis->protections);
    *map_get(&self->protection, key) = result + 1;
    return result;
}

static bool holds_vague(const Analysis *self, LocksetId set) {
    u32 count;
    const Held *held = lockset_held(&self->locksets, set, &count);
    for (u32 i = 0; i < count; i++)
        if (self->classes.items[held[i].class].vague ||
            (self->classes.items[held[i].class].parameter && held[i].class >= CLASS_FIRST))
            return true;
    return false;
}

// Is a reader's side of something that needs no lock (RCU) entered? Then what is walked over is made for that.
static bool holds_reader(const Analysis *self, LocksetId set) {
    u32 count;
    const Held *held = lockset_held(&self->locksets, set, &count);
    for (u32 i = 0; i < count; i++)
        if (lock_has(self->classes.items[held[i].class].kind, TRAIT_READS))
            return true;
    return false;
}

// MADE_…
static u8 state_of(const Analysis *self, LocksetId set) {
    u32 count;
    u8 state = 0;
    const Held *held = lockset_held(&self->locksets, set, &count);
    for (u32 i = 0; i < count; i++)
        state |= held[i].class == CLASS_CHILD ? MADE_IN_CHILD : held[i].class == CLASS_SIGNALS ? MADE_MASKED : 0;
    return state;
}

static LocksetId only_threads(Analysis *self, LocksetId set) {
    HeldSet kept;
    held_begin(&kept);
    u32 count;
    const Held *held = lockset_held(&self->locksets, set, &count);
    for (u32 i = 0; i < count; i++)
        if (self->classes.items[held[i].class].thread)
            held_push(&kept, held[i]);
    return held_intern(&kept, &self->locksets);
}

static LocksetId join_sets(Analysis *self, LocksetId a, LocksetId b) {
    if (!a || !b || a == b)
        return a ? a : b;
    HeldSet held;
    held_load(&held, &self->locksets, a);
    u32 count = held.count, more;
    const Held *second = lockset_held(&self->locksets, b, &more);
    for (u32 i = 0; i < more; i++) {
        bool known = false;
        for (u32 k = 0; k < count; k++)
            if (held.items[k].class == second[i].class && held.items[k].path == second[i].path) {
                held.items[k].flags |= second[i].flags & HELD_EVERYWHERE;
                known = true;
            }
        if (!known)
            held_push(&held, second[i]);
    }
    return held_intern(&held, &self->locksets);
}

// objects -------------------------------------------------------------------------

// The record that a place starting from a global, a local or an allocation is; NO_ID: none, or not known.
static RecordId record_at(const Analysis *self, const Path *root) {
    if (root->root == ROOT_GLOBAL) {
        TypeRef type = type_strip(self->program, global_type(self->program, root->step));
        while (type_known(type) && type_kind(self->program, type) == TYPE_ARRAY)
            type = type_strip(self->program, type_target(self->program, type));
        return type_known(type) ? type_record(self->program, type) : NO_ID;
    }
    if (root->root != ROOT_STACK)
        return NO_ID;
    const StackObject *stack = &self->stack.items[root->step];
    const u32 *made = map_get(&self->made, (u64)stack->function << 32 | stack->var);
    return made ? *made - 1 : NO_ID;
}

// The first members that lead to one of the name: `object` for `uses` of a session that begins with an object. 0: the
// name is a member itself, or none leads there.
static NameId base_of(const Analysis *self, RecordId record, NameId name) {
    const Program *program = self->program;
    RecordId owner;
    const Field *field;
    TypeRef type;
    NameId prefix = 0;
    for (u32 depth = 0; depth < HANDED_DEPTH && record != NO_ID; depth++) {
        if (record_member(program, record, name, &owner, &field, &type))
            return prefix;
        TypeRef first = type_strip(program, record_field_type(program, record, 0));
        const ProgramRecord *one = &program->records.items[record];
        if (!type_known(first) || one->index == NO_ID)
            return 0;
        const Tree *tree = &program->files.items[one->file].tree;
        const Field *base = &tree->fields.items[tree->records.items[one->index].member];
        prefix = program_join(program, prefix, program->files.items[one->file].names[base->name]);
        record = type_record(program, first);
    }
    return 0;
}

// The object at a path that starts from a global or a thread's local; 0 when a pointer is on the way.
static ObjectId object_at(Analysis *self, PathId path, ObjectId like) {
    NameId names[12];
    u32 count = 0;
    bool element = false;
    PathId at = path;
    for (; at && self->paths.paths.items[at].depth; at = self->paths.paths.items[at].parent) {
        u32 step = self->paths.paths.items[at].step;
        if (step_is_pointer(step) || step_is_up(step))
            return 0;
        if (step_is_index_or_up(step))
            element = true;
        else if (step_name(step) && count < 12)
            names[count++] = step_name(step);
    }
    if (!at)
        return 0;
    Path root = self->paths.paths.items[at];
    NameId member = count ? base_of(self, record_at(self, &root), names[count - 1]) : 0;
    while (count)
        member = program_join(self->program, member, names[--count]);
    SharedObject object = {.member = member, .flags = like ? self->objects.items[like].flags : 0};
    object.flags |= element ? SHARED_ELEMENT : 0;
    if (root.root == ROOT_GLOBAL) {
        object.kind = OBJECT_GLOBAL;
        object.id = root.step;
        object.flags |= SHARED_GLOBAL;
    } else if (root.root == ROOT_STACK) {
        StackObject stack = self->stack.items[root.step];
        object.kind = OBJECT_LOCAL;
        object.id = stack.function;
        object.var = stack.var;
    } else {
        return 0;
    }
    return object_intern(self, object);
}

// Of a bit-field the whole word, by the name of the first in it, as its object has it.
static PathId word_at(Analysis *self, PathId path, const Access *access) {
    const Path *last = &self->paths.paths.items[path];
    if (!access->bit || !access->object || !path || !last->depth || step_name(last->step) != access->bit)
        return path;
    const char *word = program_text(self->program, self->objects.items[access->object].member),
               *dot = strrchr(word, '.');
    word = dot ? dot + 1 : word;
    NameId name = program_intern(self->program, word, (u32)strlen(word));
    return path_step(&self->paths, last->parent, name, step_is_pointer(last->step));
}

// The place that a path of this node means everywhere; 0: it means nothing outside.
static PathId place_at(Analysis *self, const Node *node, PathId path) {
    PathId root = path_first(&self->paths, path);
    if (!root)
        return 0;
    Path first = self->paths.paths.items[root];
    if (first.root == ROOT_GLOBAL)
        return path;
    if (first.root == ROOT_RESULT && first.step != UINT32_MAX) { // a function that gives out the address of a global
        const CallSite *site = program_call(self->program, node->function, first.step);
        PathId place = site && site->target_count == 1
                           ? self->skeletons[self->program->targets.items[site->target]].returns_place
                           : 0;
        const u32 *known =
            map_get(&self->stack_index, (u64)node->function << 32 | (HEAP_VAR | first.step)); // given to a thread
        if (known && !place)
            place = path_root(&self->paths, ROOT_STACK, *known - 1);
        return place ? path_rebase_data(&self->paths, path, root, place) : 0;
    }
    if (first.root == ROOT_LOCAL) { // a local that threads were given
        const u32 *known = map_get(&self->stack_index, (u64)node->function << 32 | first.step);
        return known ? path_rebase(&self->paths, path, root, path_root(&self->paths, ROOT_STACK, *known - 1), false)
                     : 0;
    }
    if (first.root != ROOT_PARAM || !node->binding)
        return 0;
    const u32 *run = self->bindings.items + node->binding;
    for (u32 i = 0; i < run[0]; i++)
        if (run[1 + 2 * i] == (BIND_DATA << 8 | first.step))
            return path_rebase_data(&self->paths, path, root, run[2 + 2 * i]);
    return 0;
}

static bool has_own_element(const PathTable *paths, PathId path) {
    for (; path && paths->paths.items[path].depth; path = paths->paths.items[path].parent)
        if (step_is_owned(step_name(paths->paths.items[path].step)))
            return true;
    return false;
}

// BOUND_… of what only this thread leads to; BOUND_NOT: others may.
static u8 own_by(const Analysis *self, const Node *node, const Access *access) {
    PathId root = path_first(&self->paths, access->path);
    const Path *first = &self->paths.paths.items[root];
    if (!root || access->hops == NO_ID || !self->follows_threads)
        return BOUND_NOT;
    if (first->root == ROOT_PARAM && node->binding) {
        const u32 *run = self->bindings.items + node->binding;
        for (u32 i = 0; i < run[0]; i++)
            if (run[1 + 2 * i] == (BIND_OWN << 8 | first->step) && hops_are_clean(self, access->hops))
                return run[2 + 2 * i] == OWN_LOCAL ? BOUND_LOCAL : BOUND_OWN;
    }
    u32 own = hops_from_own(self, root, access->hops);
    return own == OWN_LOCAL ? BOUND_LOCAL : own ? BOUND_OWN : BOUND_NOT;
}

// The path of what a pointer is known to point to: where the caller says which element of it, that one's.
static PathId told_place(Analysis *self, const Node *node, const Access *access) {
    const Path *first = &self->paths.paths.items[path_first(&self->paths, access->path)];
    const SharedObject *object = &self->objects.items[access->object];
    if (!access->path || !access->object || first->root != ROOT_PARAM ||
        self->paths.paths.items[access->path].depth != 1 || object->kind != OBJECT_GLOBAL ||
        !(object->flags & SHARED_ELEMENT))
        return access->path;
    PathId real = self->follows_threads ? place_at(self, node, access->path) : 0;
    bool same = real && has_own_element(&self->paths, real) && object_at(self, real, access->object) == access->object;
    return same ? real : 0;
}

// What an access of a node touches, and by which path; 0: nothing shared that has a name.
static ObjectId resolve(Analysis *self, const Node *node, const Access *access, PathId *path, u8 *bound) {
    *path = access->path;
    *bound = 0;
    if (access->fresh >= FRESH_PARAM && node->binding) {
        const u32 *run = self->bindings.items + node->binding;
        for (u32 i = 0; i < run[0]; i++)
            if (run[1 + 2 * i] == (BIND_FRESH << 8 | (access->fresh - (u32)FRESH_PARAM))) {
                *bound = BOUND_TAKEN;
                return run[2 + 2 * i] == FRESH_TAKEN ? access->object : 0;
            }
    }
    if (access->fresh == FRESH_TAKEN && self->objects.items[access->object].kind == OBJECT_FIELD) {
        *bound = BOUND_TAKEN;
        return access->object;
    }
    if (!self->binds_data || (access->object && self->objects.items[access->object].kind != OBJECT_FIELD)) {
        *path = told_place(self, node, access);
        *bound = has_own_element(&self->paths, *path) ? BOUND_ELEMENT : BOUND_NOT;
        return access->object;
    }
    PathId real = self->follows_threads ? place_at(self, node, access->path) : 0;
    if (!real && !access->object && node->binding) {
        const u32 *run = self->bindings.items + node->binding;
        for (u32 i = 0; i < run[0]; i++)
            if (run[1 + 2 * i] == (BIND_OBJECT << 8 | (access->param - 1u)) &&
                self->paths.paths.items[access->path].depth == 1)
                return run[2 + 2 * i];
    }
    ObjectId object = real ? object_at(self, word_at(self, real, access), access->object) : 0;
    if (!object) {
        *bound = own_by(self, node, access);
        return access->object;
    }
    Path root = self->paths.paths.items[path_first(&self->paths, real)];
    if (root.root == ROOT_GLOBAL && global_is_own(self, root.step))
        return 0; // handed over by address, it is still the thread's own
    *path = real;
    *bound = has_own_element(&self->paths, real) ? BOUND_ELEMENT : BOUND_PLACE;
    return object;
}

// A lock of a global object is that object's, by whatever pointer it was reached; so is one that it has a pointer to.
static Held localised(Analysis *self, const Node *node, Held held) {
    if (!self->follows_threads || held.class < CLASS_FIRST || self->classes.items[held.class].global || !held.path)
        return held;
    PathId kept = path_kept_in(&self->paths, held.path);
    PathId real = place_at(self, node, kept);
    ObjectId object = real ? object_at(self, real, 0) : 0;
    if (!object)
        return held;
    Buffer text = {0};
    buffer_text(&text, kept == held.path ? "" : "*");
    shared_object_name(self, object, &text);
    ClassId class = class_intern(self, program_intern(self->program, (char *)text.bytes, (u32)text.size),
                                 self->objects.items[object].kind == OBJECT_GLOBAL &&
                                     !(self->objects.items[object].flags & SHARED_ELEMENT));
    buffer_free(&text);
    self->classes.items[class].kind = self->classes.items[held.class].kind;
    self->classes.items[class].told = held.class;
    held.class = class;
    held.path = kept == held.path ? real : path_step(&self->paths, real, 0, true);
    return held;
}

static LocksetId localise(Analysis *self, const Node *node, LocksetId set) {
    if (!set || !self->follows_threads)
        return set;
    HeldSet held;
    held_load(&held, &self->locksets, set);
    for (u32 i = 0; i < held.count; i++)
        held.items[i] = localised(self, node, held.items[i]);
    return held_intern(&held, &self->locksets);
}

// samples -------------------------------------------------------------------------

static void put_one(Samples *self, const NodeAccess *record, u32 index, u32 way, LocksetId held, LocksetId alive,
                    ObjectId object, PathId path, u8 bound);

// Is a member's path below another's?
static bool is_inside(const Analysis *self, ObjectId inner, NameId outer) {
    const char *path = program_text(self->program, self->objects.items[inner].member),
               *above = program_text(self->program, outer);
    size_t length = strlen(above);
    return !outer || (!strncmp(path, above, length) && path[length] == '.');
}

// Is it read, and is it one of the bit-fields of a word of which only others are ever written?
static bool is_lasting_bit(const Samples *self, const Access *access, ObjectId object) {
    return access->bit && !(access->flags & ACCESSED_WRITE) && object < self->written_count &&
           !map_get(&self->bits, (u64)object << 32 | access->bit);
}

static void put_sample(Samples *self, const NodeAccess *record, u32 index, u32 way, LocksetId held, LocksetId alive) {
    Analysis *analysis = self->analysis;
    Access access = analysis->accesses.items[index];
    PathId path;
    if (access.fresh == FRESH_YES || !(access.flags & (ACCESSED_READ | ACCESSED_WRITE)) ||
        (access.flags & ACCESSED_GROWN))
        return;
    if ((access.flags & ACCESSED_WALKED) && holds_reader(analysis, held))
        return;
    if (analysis->program->functions.items[access.function].flags & DECL_ALTERNATIVE)
        return; // another configuration: never together with the one that was chosen
    u8 bound;
    ObjectId object = resolve(analysis, &analysis->nodes.items[record->node], &access, &path, &bound);
    if (!object || (object < self->written_count && !self->written[object]) || is_lasting_bit(self, &access, object))
        return;
    put_one(self, record, index, way, held, alive, object, path, bound);
    const SharedObject *whole = &analysis->objects.items[object];
    bool unknown = !access.object && access.param; // behind a parameter it has no type of its own
    if (((whole->flags & SHARED_AGGREGATE) || unknown) && whole->kind != OBJECT_FIELD)
        array_push(&self->wholes, ((Whole){record, index, way, held, alive, object, path, bound}));
}

// All of it is all its members.
static void put_whole(Samples *self, const Whole *one) {
    const Analysis *analysis = self->analysis;
    SharedObject whole = analysis->objects.items[one->object];
    u32 *first = map_get(&self->members, hash_mix((u64)whole.id << 32 | whole.var, whole.kind));
    for (u32 m = first ? *first : 0, n = 0; m && n < 64; m = self->next_member.items[m], n++)
        if (m != one->object && is_inside(analysis, m, whole.member))
            put_one(self, one->record, one->access, one->way, one->held, one->alive, m, one->path, one->bound);
}

// Were there so many samples of this access that one more says nothing?
static bool is_crowded(Samples *self, ObjectId object, u32 access, bool once) {
    u32 *count = map_put(&self->counts, (u64)object << 32 | access, NULL);
    u32 so_far = once ? *count & 0xffff : *count >> 16;
    if (so_far >= (once ? SAMPLES_ONCE : SAMPLES_OTHERS)) {
        limit_reached(once ? LIMIT_SAMPLES_ONCE : LIMIT_SAMPLES_OTHERS);
        return true;
    }
    *count += once ? 1 : 1u << 16;
    return false;
}

// A head by the members on the way to it in whatever object it is in: `waiting.first` and `done.first` are two.
static PathId some_head(Analysis *self, PathId head) {
    u32 steps[DEEPEST_PATH + 1], count = 0;
    PathId at = head;
    for (; at && self->paths.paths.items[at].depth; at = self->paths.paths.items[at].parent) {
        u32 step = self->paths.paths.items[at].step;
        if (step_is_index_or_up(step) || !step_name(step) || count == DEEPEST_PATH)
            return 0;
        steps[count++] = step & ~1u;
        if (step_is_pointer(step))
            break;
    }
    if (!at || !self->paths.paths.items[at].depth)
        return 0;
    PathId some = path_root(&self->paths, ROOT_OUTER, UINT32_MAX);
    while (count)
        some = path_step(&self->paths, some, steps[--count] >> 1, false);
    return some;
}

// The list that a node of a type was found in, where its like are in one list at a time; 0: not known.
static PathId list_of(Samples *self, u32 node, const Access *access, ObjectId object) {
    Analysis *analysis = self->analysis;
    RecordId record = analysis->objects.items[object].id;
    if (!analysis->follows_threads || analysis->objects.items[object].kind != OBJECT_FIELD || access->hops == NO_ID ||
        !access->path)
        return 0;
    PathId at = access->path;
    while (at && analysis->paths.paths.items[at].depth && !step_is_pointer(analysis->paths.paths.items[at].step))
        at = analysis->paths.paths.items[at].parent;
    at = at && analysis->paths.paths.items[at].depth ? analysis->paths.paths.items[at].parent : 0;
    PathId head = at ? head_of(analysis, access->function, at, access->hops, record) : 0;
    PathId place = head ? place_at(analysis, &analysis->nodes.items[node], head) : 0;
    head = place && !path_goes_through_pointer(&analysis->paths, place) ? place : some_head(analysis, head);
    if (!head)
        return 0;
    u32 *known = map_put(&self->lists, record, NULL);
    *known = *known ? *known : is_in_one_list(analysis, record) ? 2 : 1;
    return *known == 2 ? list_at(&analysis->paths, head) : 0;
}

// The thread, where those of one root are told apart by what they were given: the node that it begins in, plus 1.
static u32 thread_of(const Analysis *self, u32 way) {
    const Root *root = &self->roots.items[self->way_contexts.items[way].root];
    if (!self->follows_threads || root->single || !self->single_nodes.count)
        return 0;
    u32 node = way_first_node(self, way);
    return map_get(&self->single_nodes, node) ? node + 1 : 0;
}

static void put_one(Samples *self, const NodeAccess *record, u32 index, u32 way, LocksetId held, LocksetId alive,
                    ObjectId object, PathId path, u8 bound) {
    Analysis *analysis = self->analysis;
    const WayContext *context = &analysis->way_contexts.items[way];
    const u32 handlers = 1u << CONTEXT_INTERRUPT | 1u << CONTEXT_SOFTIRQ | 1u << CONTEXT_TIMER;
    u32 contexts = analysis->roots.items[context->root].contexts & handlers;
    bool unsure = record->unsure || context->wide || holds_vague(analysis, held);
    PathId from = path_read_from(analysis, analysis->accesses.items[index].function, path);
    PathId everywhere =
        analysis->follows_threads && from ? place_at(analysis, &analysis->nodes.items[record->node], from) : 0;
    from = everywhere ? everywhere : from;
    LocksetId protection =
        protect(self, held, object, path, from,
                analysis->chosen_locks.count ? analysis->accesses.items[index].function : 0, contexts);
    Access access = analysis->accesses.items[index];
    PathId list = list_of(self, record->node, &access, object);
    bool element = bound == BOUND_ELEMENT || (bound == BOUND_NOT && has_own_element(&analysis->paths, path));
    PathId place = element && analysis->follows_threads ? path : 0;
    bool fresh;
    u8 state = state_of(analysis, held);
    map_put(&self->seen,
            hash_mix(hash_mix((u64)object << 32 | index, hash_mix((u64)list << 32 | thread_of(analysis, way), place)),
                     hash_mix(hash_mix((u64)protection << 32 | alive, context->begins_by),
                              (u64)context->root << 11 | (u64)state << 9 | (u64)context->attaches << 8 | bound << 1 |
                                  unsure)),
            &fresh);
    if (!fresh ||
        (analysis->follows_threads && is_crowded(self, object, index, analysis->roots.items[context->root].once)))
        return;
    array_push(&analysis->samples, ((Sample){.object = object,
                                             .access = index,
                                             .protection = protection,
                                             .way = way,
                                             .root = (u16)context->root,
                                             .unsure = unsure,
                                             .bound = bound,
                                             .state = state,
                                             .alive = alive,
                                             .place = place,
                                             .list = list}));
}

// Do the function and the root belong to different programs? Then a pointer to a function was followed from one into
// the other.
static bool is_foreign(const Analysis *self, FunctionId function, u32 root) {
    bool known;
    if (!self->mains || self->roots.items[root].function == NO_ID)
        return false;
    return !share_program(self, function, self->roots.items[root].function, &known) && known;
}

static void put_record(Samples *self, const NodeAccess *record) {
    Analysis *analysis = self->analysis;
    for (u32 w = analysis->context_first.items[record->node]; w; w = analysis->way_contexts.items[w - 1].next) {
        WayContext way = analysis->way_contexts.items[w - 1];
        if (is_foreign(analysis, analysis->nodes.items[record->node].function, way.root))
            continue;
        LocksetId held =
            localise(analysis, &analysis->nodes.items[record->node], join_sets(analysis, record->held, way.set));
        LocksetId alive = analysis->follows_threads ? only_threads(analysis, held) : 0;
        for (u32 i = 0; i < record->count; i++)
            put_sample(self, record, record->access + i, w - 1, held, alive);
    }
}

static int compare_samples(const void *left, const void *right) {
    const Sample *a = left, *b = right;
    if (a->object != b->object)
        return a->object < b->object ? -1 : 1;
    if (a->access != b->access)
        return a->access < b->access ? -1 : 1;
    if (a->root != b->root)
        return a->root < b->root ? -1 : 1;
    if (a->way != b->way)
        return a->way < b->way ? -1 : 1;
    return a->protection < b->protection ? -1 : a->protection > b->protection;
}

static bool holds_something(const Analysis *self, LocksetId set) {
    u32 count;
    const Held *held = lockset_held(&self->locksets, set, &count);
    for (u32 i = 0; i < count; i++)
        if (held[i].class != CLASS_PREEMPTION && held[i].class != CLASS_CHILD &&
            !self->classes.items[held[i].class].thread &&
            !lock_has(self->classes.items[held[i].class].kind, TRAIT_PINS))
            return true;
    return false;
}

// Objects that nobody ever protects and no handler touches say nothing: their samples are not worth making.
static void fill_telling(Samples *self) {
    const Analysis *analysis = self->analysis;
    const u32 handlers = 1u << CONTEXT_INTERRUPT | 1u << CONTEXT_SOFTIRQ | 1u << CONTEXT_TIMER | 1u << CONTEXT_THREAD;
    u8 *telling = must_zero(analysis->objects.count + 1u);
    for (u32 i = 0; i < analysis->node_accesses.count; i++) {
        const NodeAccess *record = &analysis->node_accesses.items[i];
        bool tells = holds_something(analysis, record->held);
        for (u32 w = analysis->context_first.items[record->node]; w && !tells;
             w = analysis->way_contexts.items[w - 1].next) {
            const WayContext *way = &analysis->way_contexts.items[w - 1];
            tells = (analysis->roots.items[way->root].contexts & handlers) || holds_something(analysis, way->set);
        }
        for (u32 k = 0; tells && k < record->count; k++)
            telling[analysis->accesses.items[record->access + k].object] = 1;
    }
    for (u32 i = 0; i < analysis->accesses.count; i++)
        telling[analysis->accesses.items[i].object] |= (analysis->accesses.items[i].flags & ACCESSED_ATOMIC) != 0;
    for (u32 i = 0; i < analysis->objects.count; i++)
        self->written[i] &= telling[i];
    free(telling);
}

// By object: does anybody write it who is not only making it? Bound parameters may write any global.
static void fill_written(Samples *self) {
    Analysis *analysis = self->analysis;
    self->written = must_zero(analysis->objects.count + 1u);
    self->written_count = analysis->binds_data ? 0 : analysis->objects.count;
    for (u32 i = 0; i < analysis->accesses.count; i++) {
        const Access *access = &analysis->accesses.items[i];
        if ((access->flags & ACCESSED_WRITE) && access->fresh != FRESH_YES && !(access->flags & ACCESSED_ATOMIC))
            self->written[access->object] = 1;
        if ((access->flags & ACCESSED_WRITE) && access->fresh != FRESH_YES && access->bit)
            *map_put(&self->bits, (u64)access->object << 32 | access->bit, NULL) = 1;
    }
}

// requires: objects. fills: members of globals and locals that are accessed one by one.
static void fill_members(Samples *self) {
    const Analysis *analysis = self->analysis;
    array_reserve(&self->next_member, analysis->objects.count + 1);
    for (u32 i = 1; i < analysis->objects.count; i++) {
        const SharedObject *object = &analysis->objects.items[i];
        self->next_member.items[i] = 0;
        if (object->kind == OBJECT_FIELD || !object->member)
            continue;
        u32 *first = map_put(&self->members, hash_mix((u64)object->id << 32 | object->var, object->kind), NULL);
        self->next_member.items[i] = *first;
        *first = i;
    }
}

void fill_samples(Analysis *analysis) {
    Samples self = {.analysis = analysis};
    if (!analysis->objects.count)
        return;
    lockset_intern(&analysis->protections, NULL, 0);
    analysis->asked_counts = must_zero(sizeof(Map));
    analysis->asked_last = must_zero(sizeof(Map));
    analysis->asked_beside = must_zero(sizeof(Map));
    analysis->asked_set_up = must_zero(sizeof(Map));
    fill_written(&self);
    if (!analysis->binds_data)
        fill_telling(&self);
    for (u32 i = 0; i < analysis->node_accesses.count; i++)
        put_record(&self, &analysis->node_accesses.items[i]);
    fill_members(&self); // some are named only where it is known what a parameter points to
    for (u32 i = 0; i < self.wholes.count; i++)
        put_whole(&self, &self.wholes.items[i]);
    if (analysis->samples.count)
        qsort(analysis->samples.items, analysis->samples.count, sizeof(Sample), compare_samples);
    analysis->stats.samples = analysis->samples.count;
    map_free(&self.seen);
    map_free(&self.counts);
    map_free(&self.lists);
    map_free(&self.members);
    map_free(&self.bits);
    array_free(&self.next_member);
    array_free(&self.wholes);
    map_free(&self.protection);
    free(self.written);
}
