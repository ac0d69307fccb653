// table.c: facts, who said them, and which of them hold. In: what script.c read. Out: for each
// name the sources that speak of it, most decisive first.
//
// Invariant: one Source per script and name or pattern; what one script says of one of them does
// not contradict itself, what different scripts say is decided by rank, never merged.
#include "annotators/table.h"

static const char *table_text(Declarations *self, const char *format, ...) __attribute__((format(printf, 2, 3)));
static const char *table_text(Declarations *self, const char *format, ...) {
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return arena_copy(&self->arena, text, strlen(text));
}

// filling ---------------------------------------------------------------------

// Interned ids count from 1 for us, 0 being the empty string: id n is item n - 1.
const char *table_source(Declarations *self, u32 layer, Subject subject, Source **source) {
    char key[1100], reason[256];
    check(subject.length < 1024);
    int length = snprintf(key, sizeof key, "%u%c%s", layer, subject.pattern ? '^' : '=', subject.text);
    u32 id = intern_add(&self->source_ids, key, (u32)length);
    if (id <= self->sources.count) {
        *source = self->sources.items[id - 1];
        return NULL;
    }
    Source *fresh = arena_new(&self->arena, Source);
    fresh->text = arena_copy(&self->arena, subject.text, subject.length);
    fresh->length = subject.length;
    fresh->layer = layer;
    array_push(&self->sources, fresh);
    *source = fresh;
    if (subject.pattern && !(fresh->pattern = pattern_new(fresh->text, reason)))
        return table_text(self, "the pattern '%s' is not usable: %s", fresh->text, reason);
    return NULL;
}

static const char *said_word(u32 said) {
    static const char *const words[] = {"lock",      "keep",      "iterator",   "attribute", "likely",
                                        "container", "condition", "definition", "undefine",  "define"};
    for (u32 i = 0; i < sizeof words / sizeof *words; i++)
        if (said >> i & 1)
            return words[i];
    return said & SAID_CONSTANT ? "constant" : said & SAID_MACRO ? "define" : said & SAID_GUARD ? "lock" : "forget";
}

static bool readings_agree(u32 before, u32 now) {
    u32 roles = (before | now) & SAID_ROLES;
    u32 replaced = SAID_ATTRIBUTE | SAID_LIKELY | SAID_CONTAINER | SAID_DEFINITION | SAID_DEFINED | SAID_MACRO;
    if (roles & (roles - 1))
        return false; // two roles
    return !((before | now) & (SAID_KEEP | SAID_LOCK)) || !(roles & replaced);
}

static bool texts_agree(const char *before, const char *now) { return !before || !now || !strcmp(before, now); }

const char *table_say(Declarations *self, Source *source, Declared declared, Origin origin) {
    Declared *before = &source->declared;
    u32 was = before->said & SAID_READING;
    bool agree = readings_agree(was, declared.said) && texts_agree(before->definition, declared.definition) &&
                 texts_agree(before->value, declared.value) && texts_agree(before->parameters, declared.parameters) &&
                 texts_agree(before->type, declared.type) && texts_agree(before->mark, declared.mark) &&
                 texts_agree(before->states, declared.states) && texts_agree(before->closed_by, declared.closed_by);
    if (was & declared.said & SAID_ITERATOR)
        agree &= before->iterator_variable == declared.iterator_variable;
    if (was && !agree)
        return table_text(self, "'%s' is said to be %s here but %s in line %u; keep one of the two", source->text,
                          said_word(declared.said & ~was ? declared.said & ~was : declared.said),
                          said_word(was & ~declared.said ? was & ~declared.said : was), source->read_at.line);
    if (!was && declared.said & SAID_READING)
        source->read_at = origin;
    before->said |= declared.said;
    before->iterator_variable |= declared.iterator_variable;
    before->definition = declared.definition ? declared.definition : before->definition;
    before->value = declared.value ? declared.value : before->value;
    before->parameters = declared.parameters ? declared.parameters : before->parameters;
    before->type = declared.type ? declared.type : before->type;
    before->mark = declared.mark ? declared.mark : before->mark;
    before->states = declared.states ? declared.states : before->states;
    before->closed_by = declared.closed_by ? declared.closed_by : before->closed_by;
    return NULL;
}

static bool choices_equal(const Choice *a, const Choice *b) {
    bool same = a->argument == b->argument && a->word_count == b->word_count && !a->also == !b->also &&
                (!a->also || choices_equal(a->also, b->also));
    for (u32 i = 0; same && i < a->word_count; i++)
        same = a->words[i].absent == b->words[i].absent && !strcmp(a->words[i].text, b->words[i].text);
    return same;
}

static bool returns_exclude(u8 a, u8 b) { // they come in pairs, after RETURNS_ANY
    return a && b && a != b && (a - 1) / 2 == (b - 1) / 2;
}

// Whether both say what becomes of one lock by one call.
static bool effects_meet(const LockEffect *a, const LockEffect *b) {
    const char *none = "";
    return a->kind <= EFFECT_UPGRADE && b->kind <= EFFECT_UPGRADE && a->argument == b->argument &&
           !strcmp(a->global ? a->global : none, b->global ? b->global : none) &&
           !strcmp(a->member ? a->member : none, b->member ? b->member : none) &&
           !returns_exclude(a->returns, b->returns) && choices_equal(&a->choice, &b->choice);
}

static bool effects_equal(const LockEffect *a, const LockEffect *b) {
    return a->kind == b->kind && a->lock == b->lock && a->mode == b->mode && a->returns == b->returns &&
           a->flags == b->flags && a->disables == b->disables && a->flags_argument == b->flags_argument &&
           a->nested_argument == b->nested_argument;
}

const char *table_effect(Declarations *self, Source *source, const LockEffect *effect) {
    for (u32 i = 0; i < source->effects.count; i++) {
        const LockEffect *before = &source->effects.items[i];
        if (!effects_meet(before, effect))
            continue;
        if (effects_equal(before, effect))
            return NULL;
        return table_text(self,
                          "what '%s' does to its lock contradicts line %u; keep one of the two, or tell them apart "
                          "with when = or returns =",
                          source->text, before->origin.line);
    }
    if (source->effects.count >= MOST_FACTS)
        return table_text(self, "'%s' has more than %d effects; is this in a loop?", source->text, MOST_FACTS);
    array_push(&source->effects, *effect);
    Declared declared = {.said = effect->flags & LOCK_SCOPED ? SAID_GUARD : SAID_LOCK};
    return table_say(self, source, declared, effect->origin);
}

static u32 fact_group(const CallFact *fact) { return fact->said & -fact->said; } // accessors are atomics

// Facts of one kind stay together, in the order they were said.
const char *table_fact(Declarations *self, Source *source, const CallFact *fact) {
    if (source->facts.count >= MOST_FACTS)
        return table_text(self, "'%s' has more than %d facts; is this in a loop?", source->text, MOST_FACTS);
    source->calls |= fact->said;
    array_push(&source->facts, *fact);
    CallFact *items = source->facts.items;
    for (u32 i = source->facts.count - 1; i && fact_group(&items[i - 1]) > fact_group(fact); i--) {
        items[i] = items[i - 1];
        items[i - 1] = *fact;
    }
    return NULL;
}

const char *table_field(Declarations *self, u32 layer, const char *key, const CallFact *fact) {
    u32 id = intern_add(&self->field_ids, key, (u32)strlen(key));
    FieldFact entry = {arena_copy(&self->arena, key, strlen(key)), layer, *fact};
    if (id > self->fields.count) {
        array_push(&self->fields, entry);
        return NULL;
    }
    FieldFact *before = &self->fields.items[id - 1];
    if (before->layer == layer && before->fact.context != fact->context)
        return table_text(self, "the context of '%s' contradicts line %u; keep one of the two", key,
                          before->fact.origin.line);
    if (self->layers.items[layer].user || !self->layers.items[before->layer].user)
        *before = entry;
    return NULL;
}

// A lock that is taken and that no function of any script lets go.
const char *table_lacks_release(const Declarations *self, Origin *origin) {
    Map released = {0};
    const char *found = NULL;
    for (u32 pass = 0; pass < 2; pass++)
        for (u32 i = 0; i < self->sources.count && !found; i++)
            for (u32 j = 0; j < self->sources.items[i]->effects.count && !found; j++) {
                const LockEffect *effect = &self->sources.items[i]->effects.items[j];
                const char *global = effect->global ? effect->global : "";
                u64 lock = hash_bytes(global, strlen(global), effect->lock);
                if (!pass && (effect->kind == EFFECT_RELEASE || effect->kind == EFFECT_WAIT))
                    map_put(&released, lock, NULL);
                bool ends = !(effect->flags & LOCK_SCOPED) && !lock_has(effect->lock, TRAIT_LASTS);
                if (pass && effect->kind == EFFECT_ACQUIRE && ends && !map_get(&released, lock)) {
                    *origin = effect->origin;
                    found = self->sources.items[i]->text;
                }
            }
    map_free(&released);
    return found;
}

// deciding --------------------------------------------------------------------

static void resolve_one(Declared *out, const Source *source) {
    const Declared *said = &source->declared;
    if (!(out->said & SAID_READING) && said->said & SAID_READING) {
        out->said |= said->said & SAID_READING;
        out->iterator_variable = said->iterator_variable;
        out->definition = said->definition;
        out->value = said->value;
        out->parameters = said->parameters;
        out->mark = said->mark;
        out->states = said->states;
        out->closed_by = said->closed_by;
    }
    out->said |= (said->said & SAID_LOCK_TYPE) | source->calls;
    out->type = out->type ? out->type : said->type;
}

// What NAME(…) stands for when it comes back only if its nth argument is true, or false.
static const char *assertion_text(const CallFact *fact) {
    static const char *const texts[2][4] = {{"({ if (!($1)) __builtin_trap(); })", "({ if (!($2)) __builtin_trap(); })",
                                             "({ if (!($3)) __builtin_trap(); })",
                                             "({ if (!($4)) __builtin_trap(); })"},
                                            {"({ if ($1) __builtin_trap(); })", "({ if ($2) __builtin_trap(); })",
                                             "({ if ($3) __builtin_trap(); })", "({ if ($4) __builtin_trap(); })"}};
    return fact->argument >= 1 && fact->argument <= 4 ? texts[fact->is_false][fact->argument - 1] : NULL;
}

static void resolve_assertion(Declared *out, const Source *const *sources, u32 count) {
    for (u32 i = 0; i < count && !out->definition; i++) {
        for (u32 k = 0; k < sources[i]->facts.count && !out->definition; k++)
            if (sources[i]->facts.items[k].said & SAID_ASSERTS)
                out->definition = assertion_text(&sources[i]->facts.items[k]);
        if (sources[i]->forgotten)
            break;
    }
    out->said |= out->definition ? SAID_DEFINITION : 0;
}

Declared table_resolve(const Source *const *sources, u32 count) {
    Declared out = {0};
    for (u32 i = 0; i < count; i++) {
        resolve_one(&out, sources[i]);
        if (sources[i]->forgotten)
            break;
    }
    if (out.said & SAID_ASSERTS && !(out.said & SAID_READING))
        resolve_assertion(&out, sources, count);
    if (out.said & SAID_CALLS && !(out.said & SAID_ROLES))
        out.said |= SAID_KEEP;
    return out;
}

u32 table_matching(const Declarations *self, const char *name, u32 length, const Source **out) {
    if (!length || (u8)*name >= 128)
        return 0;
    const Sieve *sieve = &self->sieves[(u8)*name];
    u32 count = 0, first = 0;
    if (sieve->all) {
        first = pattern_first(sieve->all, name, length);
        if (first == UINT32_MAX)
            return 0;
        out[count++] = sieve->sources[first++];
    }
    for (u32 i = first; i < sieve->count; i++)
        if (pattern_matches(sieve->sources[i]->pattern, name, length))
            out[count++] = sieve->sources[i];
    return count;
}

// finishing -------------------------------------------------------------------

static bool decides_before(const Declarations *self, const Source *a, const Source *b) {
    u32 a_rank = self->layers.items[a->layer].rank, b_rank = self->layers.items[b->layer].rank;
    return a_rank != b_rank ? a_rank > b_rank : !a->pattern && b->pattern;
}

// Stable: equal sources stay in the order they were written.
static void sort_sources(const Declarations *self, const Source **items, u32 count) {
    for (u32 width = 1; width < count; width *= 2) {
        const Source **merged = must_alloc(sizeof *merged * count);
        for (u32 low = 0; low < count; low += 2 * width) {
            u32 middle = low + width < count ? low + width : count,
                high = middle + width < count ? middle + width : count;
            for (u32 a = low, b = middle, at = low; at < high; at++)
                merged[at] =
                    a < middle && (b >= high || !decides_before(self, items[b], items[a])) ? items[a++] : items[b++];
        }
        memcpy(items, merged, sizeof *merged * count);
        free(merged);
    }
}

static void fill_sieve(Declarations *self, u8 letter) {
    const Source *able[MOST_PATTERNS];
    const Pattern *parts[MOST_PATTERNS];
    u32 count = 0;
    for (u32 i = 0; i < self->patterns.count; i++)
        if (pattern_may_begin(self->patterns.items[i]->pattern, (char)letter)) {
            parts[count] = self->patterns.items[i]->pattern;
            able[count++] = self->patterns.items[i];
        }
    if (!count)
        return;
    Sieve *sieve = &self->sieves[letter];
    sieve->sources = arena_array(&self->arena, const Source *, count);
    memcpy(sieve->sources, able, sizeof *able * count);
    sieve->count = count;
    sieve->all = pattern_new_union(parts, count);
}

static void collect_patterns(Declarations *self) {
    for (u32 i = 0; i < self->sources.count; i++)
        if (self->sources.items[i]->pattern)
            array_push(&self->patterns, self->sources.items[i]);
    if (self->patterns.count > MOST_PATTERNS)
        fatal("the scripts have %u patterns, more than %u; write names instead of patterns, or join some",
              self->patterns.count, MOST_PATTERNS);
    sort_sources(self, self->patterns.items, self->patterns.count);
    for (u8 letter = '$'; letter <= 'z'; letter++)
        if (letter == '$' || letter == '_' || (letter >= 'A' && letter <= 'Z') || letter >= 'a')
            fill_sieve(self, letter);
}

static void collect_names(Declarations *self) {
    Array(const Source *) named = {0};
    for (u32 i = 0; i < self->sources.count; i++)
        if (!self->sources.items[i]->pattern)
            array_push(&named, self->sources.items[i]);
    intern_add(&self->names, "", 0);
    array_push(&self->exact, (Exact){0});
    for (u32 i = 0; i < named.count; i++) {
        u32 id = intern_add(&self->names, named.items[i]->text, named.items[i]->length);
        if (id == self->exact.count)
            array_push(&self->exact, (Exact){0});
        self->exact.items[id].source_count++;
    }
    for (u32 i = 0; i < named.count; i++) {
        Exact *exact = &self->exact.items[intern_find(&self->names, named.items[i]->text, named.items[i]->length)];
        if (!exact->sources) {
            exact->sources = arena_array(&self->arena, const Source *, exact->source_count);
            exact->source_count = 0;
        }
        exact->sources[exact->source_count++] = named.items[i];
    }
    array_free(&named);
}

static void resolve_names(Declarations *self) {
    const Source *matching[MOST_PATTERNS];
    for (u32 id = 1; id < self->exact.count; id++) {
        Exact *exact = &self->exact.items[id];
        const InternEntry *name = &self->names.entries.items[id];
        u32 count = table_matching(self, name->text, name->length, matching);
        if (count) {
            const Source **all = arena_array(&self->arena, const Source *, exact->source_count + count);
            memcpy(all, exact->sources, sizeof *all * exact->source_count);
            memcpy(all + exact->source_count, matching, sizeof *all * count);
            exact->sources = all;
            exact->source_count += count;
        }
        sort_sources(self, exact->sources, exact->source_count);
        exact->declared = table_resolve(exact->sources, exact->source_count);
    }
}

static void key_text(Buffer *out, const char *text) {
    buffer_u64(out, text ? strlen(text) + 1 : 0);
    buffer_text(out, text ? text : "");
}

static void key_declared(Buffer *out, const char *name, const Declared *declared) {
    key_text(out, name);
    buffer_u64(out, declared->said);
    buffer_u64(out, declared->iterator_variable);
    key_text(out, declared->definition);
    key_text(out, declared->value);
    key_text(out, declared->parameters);
    key_text(out, declared->type);
    key_text(out, declared->mark);
    key_text(out, declared->states);
    key_text(out, declared->closed_by);
}

// Everything declarations_look() answers from, and nothing else.
static void fill_key(Declarations *self) {
    Buffer all = {0};
    buffer_text(&all, "declarations 1");
    for (u32 id = 1; id < self->exact.count; id++)
        key_declared(&all, self->names.entries.items[id].text, &self->exact.items[id].declared);
    for (u32 i = 0; i < self->patterns.count; i++) {
        Declared declared = self->patterns.items[i]->declared;
        declared.said |= self->patterns.items[i]->calls;
        key_declared(&all, self->patterns.items[i]->text, &declared);
        buffer_byte(&all, self->patterns.items[i]->forgotten);
    }
    self->key = key_bytes(all.bytes, all.size);
    buffer_free(&all);
}

void table_finish(Declarations *self) {
    collect_patterns(self);
    collect_names(self);
    resolve_names(self);
    fill_key(self);
}
