// predict.c: races that no run has shown yet. In: a directory of samples (trace.c). Out: pairs of lines that conflict
// with no lock in common, with the probability that a run does both; what every run keeps in order is left out.
//
// Within a run accesses are compared as they were, byte by byte and lock by lock (meet.c). Runs are compared by numbers
// that mean the same in all of them (places.c): so are accesses of two seeds that never ran together, on places that
// two threads were seen to use without order; their probability is the product, as in the paper.
#include "racerx/confirm/predict.h"

#include <dirent.h>
#include <math.h>

enum { CONFIDENCE = 20 }; // the bound fails once in so many

// a sample ----------------------------------------------------------------------------

typedef struct {
    u64 low, high;
    u64 start; // the thread's function, as linked
} Stack;
typedef struct {
    Prediction *prediction;
    const Trace *trace;
    const TraceProcess *process;
    u32 seed;
    Map codes; // pc -> index of the next one
    Array(u64) linked;
    Array(Stack) stacks; // by address
} RunSample;

static u64 code_of(RunSample *self, u64 pc) {
    bool fresh;
    u32 *at = map_put(&self->codes, pc, &fresh);
    if (fresh) {
        *at = self->linked.count;
        u64 linked = names_linked(&self->prediction->names, &self->trace->records, self->process->process, pc - 1);
        array_push(&self->linked, linked);
    }
    return self->linked.items[*at];
}

static const Stack *stack_at(const RunSample *self, u64 address) {
    u32 low = 0, high = self->stacks.count;
    while (low < high) {
        u32 middle = (low + high) / 2;
        low = self->stacks.items[middle].low <= address ? middle + 1 : low;
        high = self->stacks.items[middle].low <= address ? high : middle;
    }
    return low && address < self->stacks.items[low - 1].high ? &self->stacks.items[low - 1] : NULL;
}

static u32 place_of(RunSample *self, const Order *order, u64 address) {
    Names *names = &self->prediction->names;
    u64 linked = names_linked(names, &self->trace->records, self->process->process, address);
    if (linked)
        return names_place(names, (TracedPlace){PLACE_STATIC, linked, 0});
    const TraceBlock *block = order_block(order, address);
    if (block)
        return names_place(names, (TracedPlace){PLACE_HEAP, code_of(self, block->pc), address - block->base});
    const Stack *stack = stack_at(self, address);
    if (stack)
        return names_place(names, (TracedPlace){PLACE_STACK, stack->start, 0});
    return names_place(names, (TracedPlace){PLACE_RAW, 0, address});
}

static u32 name_access(void *context, const Order *order, u32 thread, const TraceEvent *event, const u64 *locks,
                       u32 count) {
    RunSample *self = context;
    u32 set[64];
    u64 code = code_of(self, event_pc(event));
    TracedKind kind = event_kind(event);
    u8 flags = kind == EVENT_READ          ? 0
               : kind == EVENT_WRITE       ? TOUCH_WRITES
               : kind == EVENT_ATOMIC_READ ? TOUCH_ATOMIC
               : kind == EVENT_FREE        ? TOUCH_WRITES | TOUCH_FREES
                                           : TOUCH_ATOMIC | TOUCH_WRITES;
    (void)thread;
    if (!code)
        return UINT32_MAX;
    for (u32 i = 0; i < count && i < 64; i++)
        set[i] = place_of(self, order, locks[i] >> 1) << 1 | (locks[i] & 1);
    u32 place = place_of(self, order, event->address);
    u32 lockset = names_lockset(&self->prediction->names, set, count < 64 ? count : 64);
    return prediction_access(self->prediction, self->seed, code, place, lockset, flags);
}

static int stack_order(const void *a, const void *b) {
    const Stack *x = a, *y = b;
    return x->low < y->low ? -1 : x->low > y->low;
}

// Who called whom: by any thread, once.
static void add_calls(RunSample *self) {
    for (u32 i = 0; i < self->process->threads.count; i++)
        for (u32 k = 0; k < self->process->threads.items[i].count; k++) {
            const TraceEvent *event = &self->process->threads.items[i].events[k];
            if (event_kind(event) != EVENT_CALL)
                continue;
            bool fresh;
            CallCode call = {code_of(self, event_pc(event)), code_of(self, event->address)};
            map_put(&self->prediction->call_map, hash_mix(call.from, call.to), &fresh);
            if (fresh && call.from && call.to)
                array_push(&self->prediction->calls, call);
        }
}

static void add_process(Prediction *prediction, const Trace *trace, const TraceProcess *process, u32 seed) {
    RunSample self = {.prediction = prediction, .trace = trace, .process = process, .seed = seed};
    TouchArray touches = {0};
    for (u32 i = 0; i < process->threads.count; i++) {
        const TraceThread *thread = &process->threads.items[i];
        array_push(&self.stacks,
                   ((Stack){thread->low, thread->high, thread->start ? code_of(&self, thread->start + 1) : 0}));
    }
    if (self.stacks.count)
        qsort(self.stacks.items, self.stacks.count, sizeof *self.stacks.items, stack_order);
    Order *order = order_make(process, &(OrderNamer){&self, name_access}, &touches);
    meet(prediction, order, &touches);
    add_calls(&self);
    order_free(order);
    array_free(&touches);
    array_free(&self.stacks);
    array_free(&self.linked);
    map_free(&self.codes);
}

// The text behind a word at the beginning of a line of `sample`; malloc'd.
static char *sample_word(const char *text, const char *word) {
    size_t length = strlen(word);
    for (const char *line = text; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL)
        if (!strncmp(line, word, length) && line[length] == ' ') {
            const char *from = line + length + 1;
            size_t size = strcspn(from, "\n");
            char *out = must_alloc(size + 1);
            memcpy(out, from, size);
            out[size] = 0;
            return out;
        }
    return must_strdup("");
}

static void add_sample(Prediction *self, const char *directory, Predictions *out) {
    Buffer path = {0};
    size_t size;
    Trace trace;
    buffer_format(&path, "%s/sample", directory);
    buffer_byte(&path, 0);
    char *text = file_read((char *)path.bytes, &size);
    buffer_free(&path);
    if (!text)
        return;
    char *line = sample_word(text, "line");
    u32 seed = prediction_seed(self, line);
    self->seeds.items[seed].samples++;
    trace_read(&trace, directory);
    for (u32 i = 0; i < trace.processes.count; i++)
        add_process(self, &trace, &trace.processes.items[i], seed);
    out->events += trace.events;
    out->lost += trace.lost;
    out->samples++;
    self->samples++;
    trace_free(&trace);
    free(line);
    free(text);
}

static int path_order(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

void prediction_samples(Prediction *self, const char *directory, Predictions *out) {
    PathArray paths = {0};
    DIR *entries = opendir(directory);
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        if (!strncmp(entry->d_name, "sample-", 7)) {
            Buffer path = {0};
            buffer_format(&path, "%s/%s", directory, entry->d_name);
            buffer_byte(&path, 0);
            array_push(&paths, (char *)path.bytes);
        }
    if (entries)
        closedir(entries);
    if (paths.count)
        qsort(paths.items, paths.count, sizeof *paths.items, path_order);
    for (u32 i = 0; i < paths.count; i++) {
        add_sample(self, paths.items[i], out);
        free(paths.items[i]);
    }
    array_free(&paths);
    if (!out->samples)
        fatal("there is no sample in %s: make some with `racerx trace -- ./prog`, or `racerx predict -- ./prog`",
              quote_path(directory));
}

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void *row_space(FindingList *texts, void *items, u32 count, u32 *capacity, size_t size) {
    if (count < *capacity)
        return items;
    *capacity = *capacity ? *capacity * 2 : 4;
    void *fresh = arena_zero(&texts->arena, *capacity * size);
    if (count)
        memcpy(fresh, items, count * size);
    return fresh;
}

static PredictedSide side_of(Describer *self, const AccessLockset *access) {
    const Names *names = &self->prediction->names;
    WitnessFrame frame = describe_code(self, access->code);
    PredictedSide side = {.function = frame.function,
                          .file = frame.file,
                          .line = frame.line,
                          .writes = access->flags & TOUCH_WRITES,
                          .frees = access->flags & TOUCH_FREES,
                          .atomic = access->flags & TOUCH_ATOMIC,
                          .probability = access_probability(self->prediction, access),
                          .seed = findings_text(self->texts, "%s", self->prediction->seeds.items[access->seed].text)};
    u32 at = names->set_starts.items[access->lockset];
    u32 end = access->lockset + 1 < names->set_starts.count ? names->set_starts.items[access->lockset + 1]
                                                            : names->set_locks.count;
    for (; at < end; at++) {
        side.locks.items =
            row_space(self->texts, side.locks.items, side.locks.count, &side.locks.capacity, sizeof *side.locks.items);
        side.locks.items[side.locks.count++] =
            findings_text(self->texts, "%s%s", describe_place(self, names->set_locks.items[at] >> 1),
                          names->set_locks.items[at] & 1 ? " (shared)" : "");
    }
    return side;
}

// races ---------------------------------------------------------------------------------

// With this much certainty (Chernoff, as in the paper's Appendix C) a pair that was seen in a share of the samples has
// at least this probability: from (p - m)^2 n / (p + m) = ln(1 / error).
static double at_least(double share, u32 samples) {
    double l = log(CONFIDENCE) / samples;
    double low = (2 * share + l - sqrt(8 * share * l + l * l)) / 2;
    return low > 0 ? low : 0;
}

static PredictedRace *race_at(Predictions *out, Map *known, const PredictedRace *race) {
    bool fresh;
    const PredictedSide *x = &race->sides[0], *y = &race->sides[1];
    u64 a = hash_bytes(x->file, strlen(x->file), x->line), b = hash_bytes(y->file, strlen(y->file), y->line);
    u32 *at = map_put(known, hash_mix(a < b ? a : b, a < b ? b : a), &fresh);
    if (fresh) {
        *at = out->races.count;
        array_push(&out->races, *race);
    }
    return &out->races.items[*at];
}

static void add_race(Describer *self, Predictions *out, Map *known, const AccessLockset *a, const AccessLockset *b,
                     double share, u32 together, u32 apart) {
    u32 samples = self->prediction->seeds.items[a->seed].samples;
    bool turned = !(a->flags & TOUCH_WRITES);
    PredictedRace race = {.sides = {side_of(self, turned ? b : a), side_of(self, turned ? a : b)},
                          .place = describe_place(self, a->place),
                          .probability = share,
                          .at_most = 1 - at_least(share, samples),
                          .together = together,
                          .apart = apart,
                          .samples = samples};
    if (!*race.sides[0].file || !*race.sides[1].file)
        return;
    PredictedRace *best = race_at(out, known, &race);
    double more = race.probability - best->probability;
    u32 writes = race.sides[1].writes, known_writes = best->sides[1].writes; // two that write are worse
    if (more > 0 || (more >= 0 && (race.apart > best->apart || (race.apart == best->apart && writes > known_writes))))
        *best = race;
}

// The better of two pairs of the same instructions.
static bool is_better(const Prediction *from, const AccessPair *a, const AccessPair *b) {
    double more = (double)a->together / from->seeds.items[from->accesses.items[a->a].seed].samples -
                  (double)b->together / from->seeds.items[from->accesses.items[b->a].seed].samples;
    return more > 0 || (more >= 0 && a->apart > b->apart);
}

// Of runs that had both: what they did, in the share of samples that did it. Instructions have many locksets and
// places; the best pair of each two is described.
static void within_runs(Describer *self, Predictions *out, Map *known) {
    const Prediction *from = self->prediction;
    Map best = {0};
    U32Array chosen = {0};
    for (u32 i = 0; i < from->pairs.count; i++) {
        const AccessPair *pair = &from->pairs.items[i];
        const AccessLockset *a = &from->accesses.items[pair->a], *b = &from->accesses.items[pair->b];
        double share = (double)pair->together / from->seeds.items[a->seed].samples;
        bool fresh;
        if (!a->stable || !b->stable || share < from->beta - 1e-9)
            continue;
        if (!pair->apart && from->by == BY_ORDER) {
            out->ordered++;
            continue;
        }
        u32 *at = map_put(&best, hash_mix(a->code < b->code ? a->code : b->code, a->code < b->code ? b->code : a->code),
                          &fresh);
        if (fresh) {
            *at = chosen.count;
            array_push(&chosen, i);
        } else if (is_better(from, pair, &from->pairs.items[chosen.items[*at]]))
            chosen.items[*at] = i;
    }
    for (u32 i = 0; i < chosen.count; i++) {
        const AccessPair *pair = &from->pairs.items[chosen.items[i]];
        const AccessLockset *a = &from->accesses.items[pair->a], *b = &from->accesses.items[pair->b];
        add_race(self, out, known, a, b, (double)pair->together / from->seeds.items[a->seed].samples, pair->together,
                 pair->apart);
    }
    map_free(&best);
    array_free(&chosen);
}

static const Prediction *sorted; // for qsort
static int by_place(const void *a, const void *b) {
    const AccessLockset *x = &sorted->accesses.items[*(const u32 *)a], *y = &sorted->accesses.items[*(const u32 *)b];
    return x->place != y->place ? (x->place < y->place ? -1 : 1) : *(const u32 *)a < *(const u32 *)b ? -1 : 1;
}

static void between_two(Describer *self, Predictions *out, Map *known, const AccessLockset *a, const AccessLockset *b) {
    const Prediction *from = self->prediction;
    double share = access_probability(from, a) * access_probability(from, b);
    if (a->seed == b->seed || !((a->flags | b->flags) & TOUCH_WRITES) || a->flags & b->flags & TOUCH_ATOMIC ||
        share < from->beta - 1e-9 || locksets_meet(&from->names, a->lockset, b->lockset))
        return;
    add_race(self, out, known, a, b, share, 0, 0);
}

// Of seeds that perhaps never ran together, on places that threads were seen to share.
static void between_seeds(Describer *self, Predictions *out, Map *known) {
    const Prediction *from = self->prediction;
    U32Array used = {0};
    for (u32 i = 0; from->seeds.count > 1 && i < from->accesses.count; i++)
        if (from->accesses.items[i].stable && bitset_has(&from->used, from->accesses.items[i].place))
            array_push(&used, i);
    sorted = from;
    if (used.count)
        qsort(used.items, used.count, sizeof *used.items, by_place);
    for (u32 i = 0; i < used.count; i++)
        for (u32 k = i + 1; k < used.count && k < i + 1000 &&
                            from->accesses.items[used.items[i]].place == from->accesses.items[used.items[k]].place;
             k++)
            between_two(self, out, known, &from->accesses.items[used.items[i]], &from->accesses.items[used.items[k]]);
    array_free(&used);
}

static int race_order(const void *a, const void *b) {
    const PredictedRace *x = a, *y = b;
    if (x->probability != y->probability)
        return x->probability > y->probability ? -1 : 1;
    if (x->apart != y->apart)
        return x->apart > y->apart ? -1 : 1;
    for (u32 i = 0; i < 2; i++) {
        int order = strcmp(x->sides[i].file, y->sides[i].file);
        if (order || x->sides[i].line != y->sides[i].line)
            return order ? order : x->sides[i].line < y->sides[i].line ? -1 : 1;
    }
    return strcmp(x->place, y->place);
}

void predict_traces(const char *directory, double beta, PredictBy by, FindingList *texts, Predictions *out) {
    Prediction self;
    Map known = {0};
    double start = clock_seconds();
    *out = (Predictions){0};
    prediction_begin(&self, beta);
    self.by = by;
    prediction_samples(&self, directory, out);
    LocksetCounts counts = prediction_count(&self);
    out->accesses = counts.accesses, out->stable = counts.stable, out->linear = counts.linear;
    out->pairs = counts.pairs, out->places = counts.places, out->violating = counts.violating;
    out->cut = self.cut;
    Describer describer;
    describer_begin(&describer, &self, texts);
    within_runs(&describer, out, &known);
    between_seeds(&describer, out, &known);
    if (out->races.count)
        qsort(out->races.items, out->races.count, sizeof *out->races.items, race_order);
    describer_free(&describer);
    map_free(&known);
    prediction_free(&self);
    out->seconds = clock_seconds() - start;
}

void predictions_free(Predictions *self) { array_free(&self->races); }

Finding *prediction_finding(FindingList *findings, const PredictedRace *race) {
    Finding *finding = findings_add(findings, KIND_RACE);
    for (u32 i = 0; i < 2; i++) {
        const PredictedSide *side = &race->sides[i];
        Site *site = finding_add_site(findings, finding, side->writes ? ROLE_UNPROTECTED_WRITE : ROLE_UNPROTECTED_READ,
                                      side->function, side->file, side->line, 0);
        for (u32 k = 0; k < side->locks.count; k++)
            site_add_lock(findings, site, side->locks.items[k], "", 0);
    }
    finding->object = findings_text(findings, "%s", race->place);
    finding->message = findings_text(
        findings, "predicted: %s:%u and %s:%u on %s, with probability %.2f", last_part(race->sides[0].file),
        race->sides[0].line, last_part(race->sides[1].file), race->sides[1].line, race->place, race->probability);
    return finding;
}
