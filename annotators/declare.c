// declare.c: which scripts are run, in what order, and what the finished table answers.
// In: presets, the user's scripts, how often names are called in the tree. Out: Declarations.
//
// Each script runs in a Lua state of its own: none sees what another did. Ranks: a preset that
// another one asks for ranks below it, the preset whose names the tree calls most ranks highest,
// and the user's scripts rank above all presets.
#include "annotators/keys.h"

#include <dirent.h>
#include <errno.h>

#define SCRIPT_RANK 1000000u

// running scripts -------------------------------------------------------------

// A message with the script's name for what went wrong, or NULL.
static char *run_text(Loader *loader, const char *name, const char *text, size_t length) {
    Host *host = host_new(name, NULL);
    script_open(host, loader);
    char *error = host_run(host, text, length);
    host_free(host);
    array_free(&loader->subjects);
    return error;
}

static void keep_later(Declarations *self, u32 index, const char *text, size_t length, u32 later) {
    const Layer *layer = &self->layers.items[index];
    LaterScript script = {.name = layer->name,
                          .text = arena_copy(&self->arena, text, length),
                          .length = (u32)length,
                          .later = later,
                          .rank = layer->rank,
                          .user = layer->user};
    array_push(&self->later, script);
    for (u32 i = self->later.count - 1; i && self->later.items[i - 1].rank > script.rank; i--) {
        self->later.items[i] = self->later.items[i - 1];
        self->later.items[i - 1] = script;
    }
}

const LaterScript *declarations_later(const Declarations *self, u32 *count) {
    *count = self->later.count;
    return self->later.items;
}

static void run_layer(Declarations *self, const char *name, const char *text, size_t length, bool preset) {
    char *shown = quote_path(name);
    Layer layer = {arena_copy(&self->arena, shown, strlen(shown)), 0, !preset};
    u32 index = self->layers.count;
    World world = {0};
    Loader loader = {.table = self, .layer = index, .world = &world};
    free(shown);
    array_push(&self->layers, layer);
    char *error = run_text(&loader, name, text, length);
    if (error)
        fatal("%s (annotators/README.md has the declarations)", error);
    u32 rank = 0;
    for (u32 i = 0; i < self->layers.count; i++) // what was run inside this one ended before it
        rank += i != index && self->layers.items[i].rank;
    self->layers.items[index].rank = rank + 1 + (preset ? 0 : SCRIPT_RANK);
    if (loader.later)
        keep_later(self, index, text, length, loader.later);
    for (u32 i = 0; i < world.detect.count; i++)
        free(world.detect.items[i]);
    array_free(&world.detect);
}

static void run_file(Declarations *self, const char *path) {
    size_t size;
    char *text = file_read(path, &size);
    if (!text) {
        char *shown = quote_path(path);
        fatal("cannot read the script %s: %s; check the path", shown, strerror(errno));
    }
    run_layer(self, path, text, size, false);
    free(text);
}

// presets ---------------------------------------------------------------------

static void add_preset(Declarations *self, const char *name, size_t name_length, char *text, size_t length,
                       bool builtin) {
    Preset preset = {
        .name = arena_copy(&self->arena, name, name_length), .text = text, .length = (u32)length, .builtin = builtin};
    array_push(&self->presets, preset);
}

static int compare_presets(const void *left, const void *right) {
    return strcmp(((const Preset *)left)->name, ((const Preset *)right)->name);
}

static void read_directory(Declarations *self, const char *directory) {
    DIR *open = opendir(directory);
    if (!open)
        fatal("cannot read the presets' directory %s: %s; check the path", directory, strerror(errno));
    for (struct dirent *entry; (entry = readdir(open));) {
        size_t length = strlen(entry->d_name), size;
        if (length < 5 || strcmp(entry->d_name + length - 4, ".lua"))
            continue;
        Buffer path = {0};
        buffer_format(&path, "%s/%s", directory, entry->d_name);
        buffer_byte(&path, 0);
        char *text = file_read((char *)path.bytes, &size);
        if (!text || size > UINT32_MAX)
            fatal("cannot read the preset %s: %s; check the file", (char *)path.bytes, strerror(errno));
        add_preset(self, entry->d_name, length - 4, text, size, false);
        buffer_free(&path);
    }
    closedir(open);
}

static void find_presets(Declarations *self, const char *directory) {
    if (directory)
        read_directory(self, directory);
    else
        for (u32 i = 0; i < builtin_preset_count; i++)
            add_preset(self, builtin_presets[i].name, strlen(builtin_presets[i].name), (char *)builtin_presets[i].text,
                       builtin_presets[i].length, true);
    qsort(self->presets.items, self->presets.count, sizeof(Preset), compare_presets);
}

static Preset *find_preset(Declarations *self, const char *name) {
    for (u32 i = 0; i < self->presets.count; i++)
        if (!strcmp(self->presets.items[i].name, name))
            return &self->presets.items[i];
    return NULL;
}

static void preset_path(const Preset *self, char path[300]) { snprintf(path, 300, "annotators/%s.lua", self->name); }

static const char *known_presets(Declarations *self) {
    Buffer known = {0};
    for (u32 i = 0; i < self->presets.count; i++)
        buffer_format(&known, "%s%s", i ? ", " : "", self->presets.items[i].name);
    const char *text = arena_copy(&self->arena, known.bytes ? (char *)known.bytes : "", known.size);
    buffer_free(&known);
    return text;
}

const char *declarations_load_preset(Declarations *self, const char *name) {
    Preset *preset = find_preset(self, name);
    char path[300];
    if (!preset)
        return known_presets(self);
    if (preset->loaded)
        return NULL;
    preset->loaded = true;
    preset_path(preset, path);
    run_layer(self, path, preset->text, preset->length, true);
    array_push(&self->in_force, preset->name);
    return NULL;
}

// picking ---------------------------------------------------------------------

// Runs a preset up to its world{…}, which must be its first declaration.
static void probe(Declarations *self, Preset *preset) {
    char path[300];
    preset_path(preset, path);
    array_push(&self->layers, ((Layer){path, 0, false}));
    Loader loader = {.table = self, .layer = self->layers.count - 1, .probing = true, .world = &preset->world};
    char *error = run_text(&loader, path, preset->text, preset->length);
    self->layers.count--;
    if (error && !preset->world.said)
        fatal("%s", error);
    free(error);
}

static bool detects(const World *self, const char *name) {
    for (u32 i = 0; i < self->detect.count; i++)
        if (!strcmp(self->detect.items[i], name))
            return true;
    return false;
}

// Of its names, those that no stronger world has as well: mtx_lock() says nothing of C11 in a kernel full of it.
static void count_world(World *self, Preset *const *stronger, u32 stronger_count, const DeclareOptions *options) {
    self->seen = self->calls = 0;
    for (u32 i = 0; i < self->detect.count && options->count; i++) {
        bool taken = false;
        for (u32 k = 0; k < stronger_count && !taken; k++)
            taken = detects(&stronger[k]->world, self->detect.items[i]);
        if (taken)
            continue;
        u32 calls = options->count(options->context, self->detect.items[i]);
        self->seen += calls > 0;
        self->calls += calls;
    }
}

static int compare_evidence(const void *left, const void *right) {
    const Preset *a = *(Preset *const *)left, *b = *(Preset *const *)right;
    if (a->world.always != b->world.always)
        return a->world.always ? -1 : 1;
    if (a->world.calls != b->world.calls)
        return a->world.calls < b->world.calls ? -1 : 1;
    return strcmp(a->name, b->name);
}

// A small program calls few of a world's functions, but it includes the headers of no other.
static bool includes_header(const World *self, const DeclareOptions *options) {
    static const char blank[] = " \t\r\n";
    char name[100];
    for (const char *at = self->headers; at && options->count && *(at += strspn(at, blank));) {
        size_t length = strcspn(at, blank);
        if (length < sizeof name) {
            memcpy(name, at, length);
            name[length] = 0;
            if (options->count(options->context, name))
                return true;
        }
        at += length;
    }
    return false;
}

static bool is_seen(const World *self, const DeclareOptions *options) {
    return self->detect.count && (self->seen >= self->least || includes_header(self, options));
}

// Next to the world that is called most, a few calls of a few names are a coincidence: tools beside a kernel,
// a program's own mutex_lock().
static bool is_overshadowed(const Preset *preset, const World *most) {
    const World *self = &preset->world;
    if (most->beside && list_has(most->beside, preset->name))
        return false;
    return self->calls < most->calls / 20 ||
           (u64)self->seen * most->detect.count * 4 < (u64)most->seen * self->detect.count;
}

// A world that is called more may have functions by the names of another one.
static bool is_hidden(const Preset *preset, Preset *const *stronger, u32 count) {
    for (u32 i = 0; i < count; i++)
        if (stronger[i]->world.hides && list_has(stronger[i]->world.hides, preset->name))
            return true;
    return false;
}

// Pointers to all presets, the strongest evidence first.
static Preset **by_evidence(Declarations *self, const DeclareOptions *options) {
    u32 count = self->presets.count;
    Preset **sorted = must_alloc(sizeof *sorted * (count + 1));
    for (u32 i = 0; i < count; i++) {
        sorted[i] = &self->presets.items[i];
        probe(self, sorted[i]);
        count_world(&sorted[i]->world, NULL, 0, options);
    }
    if (count)
        qsort(sorted, count, sizeof *sorted, compare_evidence);
    for (u32 i = 0; i < count / 2; i++) {
        Preset *other = sorted[i];
        sorted[i] = sorted[count - 1 - i];
        sorted[count - 1 - i] = other;
    }
    return sorted;
}

// Some worlds give way wherever another is likely.
static bool gives_way(const Preset *preset, Preset *const *picked, u32 count) {
    for (u32 i = 0; preset->world.unless && i < count; i++)
        if (list_has(preset->world.unless, picked[i]->name))
            return true;
    return false;
}

static void load_picked(Declarations *self, const DeclareOptions *options) {
    Preset **sorted = by_evidence(self, options);
    u32 picked = 0; // at the front of `sorted`
    for (u32 i = 0; i < self->presets.count; i++) {
        Preset *preset = sorted[i];
        count_world(&preset->world, sorted, picked, options);
        bool good = is_seen(&preset->world, options) && !is_hidden(preset, sorted, picked) &&
                    (!picked || !is_overshadowed(preset, &sorted[0]->world));
        if (good || preset->world.always)
            sorted[picked++] = preset;
    }
    for (u32 i = picked; i-- > 0;)
        if (!gives_way(sorted[i], sorted, picked))
            declarations_load_preset(self, sorted[i]->name);
    free(sorted);
}

static void load_named(Declarations *self, const DeclareOptions *options) {
    declarations_load_preset(self, "c");
    for (u32 i = 0; i < options->preset_count; i++) {
        const char *known = declarations_load_preset(self, options->presets[i]);
        if (known)
            fatal("there is no preset '%s'; there are %s", quote_path(options->presets[i]), known);
    }
}

Declarations *declarations_load(const DeclareOptions *options) {
    Declarations *self = must_zero(sizeof *self);
    Origin origin;
    find_presets(self, options->directory);
    if (options->presets)
        load_named(self, options);
    else
        load_picked(self, options);
    for (u32 i = 0; i < options->script_count; i++)
        run_file(self, options->scripts[i]);
    const char *held = table_lacks_release(self, &origin);
    if (held)
        fatal("%s:%u: '%s' takes a lock that no declaration releases; add release = \"…\" (annotators/README.md has "
              "the declarations)",
              origin.script, origin.line, held);
    table_finish(self);
    return self;
}

void declarations_free(Declarations *self) {
    if (!self)
        return;
    for (u32 i = 0; i < self->presets.count; i++) {
        Preset *preset = &self->presets.items[i];
        for (u32 j = 0; j < preset->world.detect.count; j++)
            free(preset->world.detect.items[j]);
        array_free(&preset->world.detect);
        if (!preset->builtin)
            free(preset->text);
    }
    for (u32 i = 0; i < self->sources.count; i++) {
        pattern_free(self->sources.items[i]->pattern);
        array_free(&self->sources.items[i]->effects);
        array_free(&self->sources.items[i]->facts);
    }
    for (u32 i = 0; i < 128; i++)
        pattern_free(self->sieves[i].all);
    array_free(&self->presets);
    array_free(&self->in_force);
    array_free(&self->layers);
    array_free(&self->later);
    array_free(&self->sources);
    array_free(&self->fields);
    array_free(&self->exact);
    array_free(&self->patterns);
    intern_free(&self->source_ids);
    intern_free(&self->field_ids);
    intern_free(&self->names);
    arena_free(&self->arena);
    free(self);
}

// asking ----------------------------------------------------------------------

const char *const *declarations_presets(const Declarations *self, u32 *count) {
    *count = self->in_force.count;
    return self->in_force.items;
}

Key declarations_key(const Declarations *self) { return self->key; }

static const Exact *find_exact(const Declarations *self, const char *name, u32 length) {
    u32 id = intern_find(&self->names, name, length);
    return id == UINT32_MAX ? NULL : &self->exact.items[id];
}

Declared declarations_look(const Declarations *self, const char *name, u32 length) {
    const Source *matching[MOST_PATTERNS];
    const Exact *exact = find_exact(self, name, length);
    if (exact)
        return exact->declared;
    u32 count = table_matching(self, name, length, matching);
    return count ? table_resolve(matching, count) : (Declared){0};
}

bool declarations_constant(const Declarations *self, const char *name, u32 length, i64 *value) {
    const Exact *exact = find_exact(self, name, length);
    if (!exact || !(exact->declared.said & SAID_CONSTANT))
        return false;
    *value = strtoll(exact->declared.value, NULL, 10);
    return true;
}

// The most decisive source for which `wanted` holds, or NULL.
static const Source *deciding(const Declarations *self, const char *name, u32 length, u32 said, u32 *all_said) {
    const Source *matching[MOST_PATTERNS], *const *sources = matching;
    const Exact *exact = find_exact(self, name, length);
    u32 count = exact ? exact->source_count : table_matching(self, name, length, matching);
    if (exact)
        sources = exact->sources;
    *all_said = exact ? exact->declared.said : table_resolve(sources, count).said;
    for (u32 i = 0; i < count; i++) {
        if ((sources[i]->declared.said | sources[i]->calls) & said)
            return sources[i];
        if (sources[i]->forgotten)
            return NULL;
    }
    return NULL;
}

u32 declarations_effects(const Declarations *self, const char *name, u32 length, const LockEffect **effects) {
    u32 all_said;
    const Source *source = deciding(self, name, length, SAID_LOCK | SAID_GUARD, &all_said);
    if (!source || !(all_said & (SAID_LOCK | SAID_GUARD)))
        return 0;
    *effects = source->effects.items;
    return source->effects.count;
}

u32 declarations_facts(const Declarations *self, const char *name, u32 length, u32 said, const CallFact **facts) {
    u32 all_said, first = 0;
    const Source *source = deciding(self, name, length, said, &all_said);
    if (!source)
        return 0;
    while (first < source->facts.count && !(source->facts.items[first].said & said))
        first++;
    u32 end = first;
    while (end < source->facts.count && source->facts.items[end].said & said)
        end++;
    *facts = source->facts.items + first;
    return end - first;
}

const CallFact *declarations_field(const Declarations *self, const char *type, const char *member) {
    char key[600];
    for (u32 whole = 0; whole < 2; whole++) {
        int length = snprintf(key, sizeof key, "%s.%s", type, whole ? "" : member);
        u32 id = length < (int)sizeof key ? intern_find(&self->field_ids, key, (u32)length) : UINT32_MAX;
        if (id != UINT32_MAX && id)
            return &self->fields.items[id - 1].fact;
    }
    return NULL;
}

static void effect_arguments(const char *name, const LockEffect *effect, ArgumentFn found, void *context) {
    const i32 arguments[] = {effect->argument,       effect->flags_argument, effect->nested_argument,
                             effect->count_argument, effect->like_argument,  (i32)effect->choice.argument};
    for (u32 i = 0; i < sizeof arguments / sizeof *arguments; i++)
        if (arguments[i] > 0)
            found(context, name, arguments[i], &effect->origin);
}

static void fact_arguments(const char *name, const CallFact *fact, ArgumentFn found, void *context) {
    const i32 arguments[] = {fact->argument, fact->data, fact->object, (i32)fact->choice.argument};
    for (u32 i = 0; i < sizeof arguments / sizeof *arguments; i++)
        if (arguments[i] > 0)
            found(context, name, arguments[i], &fact->origin);
}

void declarations_arguments(const Declarations *self, ArgumentFn found, void *context) {
    for (u32 i = 0; i < self->sources.count; i++) {
        const Source *source = self->sources.items[i];
        if (source->pattern || !self->layers.items[source->layer].user)
            continue;
        for (u32 k = 0; k < source->effects.count; k++)
            effect_arguments(source->text, &source->effects.items[k], found, context);
        for (u32 k = 0; k < source->facts.count; k++)
            fact_arguments(source->text, &source->facts.items[k], found, context);
    }
}

static bool word_holds(const ChoiceWord *self, const char *const *terms, u32 count) {
    bool found = false;
    for (u32 i = 0; i < count && !found; i++)
        found =
            self->code ? pattern_matches(self->code, terms[i], (u32)strlen(terms[i])) : !strcmp(self->text, terms[i]);
    return found != self->absent;
}

bool choice_holds(const Choice *self, const char *const *terms, u32 count) {
    for (u32 i = 0; i < self->word_count; i++)
        if (!word_holds(&self->words[i], terms, count))
            return false;
    return true;
}

void declarations_subjects(const Declarations *self, SubjectFn found, void *context) {
    for (u32 i = 0; i < self->sources.count; i++) {
        const Source *source = self->sources.items[i];
        const Layer *layer = &self->layers.items[source->layer];
        if (!layer->user)
            continue;
        Origin origin = source->effects.count ? source->effects.items[0].origin
                        : source->facts.count ? source->facts.items[0].origin
                                              : source->read_at;
        UserSubject subject = {source->text, source->pattern, source->declared.said | source->calls, origin};
        subject.origin.script = subject.origin.script ? subject.origin.script : layer->name;
        found(context, &subject);
    }
}
