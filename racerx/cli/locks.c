// locks.c: `racerx locks` and `racerx roots --registrations`: which functions are taken for what, who said
// so, how often they are called, and what looks wrong.
// In: the database, the scripts in force. Out: a table by calls, then complaints.
#include "racerx/cli/command_link.h"
#include "annotators/host.h"
#include "racerx/init/propose.h"

typedef struct {
    const char *db;
    u32 jobs;
    Format format;
    TextArray annotators, presets;
    bool no_config, quick;
} TableArguments;

// One line: a function with one effect.
typedef struct {
    const char *name;   // of the tree
    const char *effect; // "acquire", … or "registers"
    const char *kind;   // of the lock; the context
    char place[24];     // of the lock: "1", "result", "global"
    Origin origin;
    u32 calls;
    u64 lock; // what an acquire needs a release for: kind and global
} TableRow;

typedef struct {
    Declarations *declarations;
    Proposal proposal;
    Array(TableRow) rows;
    Format format;
    bool roots; // registrations, not locks
    Buffer out;
    u32 complaints;
} Table;

// gathering -------------------------------------------------------------------

static const char *const effect_words[] = {
    [EFFECT_ACQUIRE] = "acquire",          [EFFECT_RELEASE] = "release", [EFFECT_WAIT] = "wait",
    [EFFECT_DOWNGRADE] = "downgrade",      [EFFECT_UPGRADE] = "upgrade", [EFFECT_ASSERT] = "asserts held",
    [EFFECT_ASSERT_FREE] = "asserts free", [EFFECT_TEST] = "test",       [EFFECT_INIT] = "init",
    [EFFECT_DESTROY] = "destroy",          [EFFECT_SAVE] = "save",
};

static void place_text(char out[24], i32 argument, const char *global, const char *member) {
    if (argument == ARGUMENT_RESULT)
        snprintf(out, 24, "result");
    else if (argument > 0)
        snprintf(out, 24, member ? "%d->%.10s" : "%d", argument, member);
    else
        snprintf(out, 24, global ? "global" : "-");
}

static void add_effects(Table *self, const char *name, u32 calls) {
    const LockEffect *effects;
    u32 count = declarations_effects(self->declarations, name, (u32)strlen(name), &effects);
    for (u32 i = 0; i < count; i++) {
        const LockEffect *effect = &effects[i];
        const char *global = effect->global ? effect->global : "";
        TableRow row = {.name = name,
                        .effect = effect->flags & LOCK_TRY      ? "try"
                                  : effect->flags & LOCK_SCOPED ? "guard"
                                                                : effect_words[effect->kind],
                        .kind = lock_kind_word(effect->lock),
                        .origin = effect->origin,
                        .calls = calls,
                        .lock = hash_bytes(global, strlen(global), effect->lock)};
        place_text(row.place, effect->argument, effect->global, effect->member);
        bool again = false; // the same under another condition
        for (u32 k = self->rows.count; k-- > 0 && self->rows.items[k].name == name && !again;)
            again = !strcmp(self->rows.items[k].effect, row.effect) && !strcmp(self->rows.items[k].place, row.place);
        if (!again)
            array_push(&self->rows, row);
    }
}

static void add_facts(Table *self, const char *name, u32 calls) {
    const CallFact *facts;
    static const u32 kinds[] = {SAID_REGISTERS, SAID_JOINS};
    for (u32 k = 0; k < 2; k++) {
        u32 count = declarations_facts(self->declarations, name, (u32)strlen(name), kinds[k], &facts);
        for (u32 i = 0; i < count; i++) {
            TableRow row = {.name = name,
                            .effect = k ? "joins" : "registers",
                            .kind = facts[i].context ? context_word(facts[i].context) : "any",
                            .origin = facts[i].origin,
                            .calls = calls};
            place_text(row.place, facts[i].argument, NULL, NULL);
            array_push(&self->rows, row);
        }
    }
}

static int compare_table_rows(const void *left, const void *right) {
    const TableRow *a = left, *b = right;
    if (a->calls != b->calls)
        return a->calls > b->calls ? -1 : 1;
    int order = strcmp(a->name, b->name);
    if (!order)
        order = strcmp(a->effect, b->effect);
    return order ? order : strcmp(a->place, b->place);
}

static void gather(Table *self) {
    const char *name;
    for (u32 next = 0; (name = proposal_called(&self->proposal, &next));) {
        u32 calls = proposal_calls(&self->proposal, name);
        if (self->roots)
            add_facts(self, name, calls);
        else
            add_effects(self, name, calls);
    }
    if (self->rows.count)
        qsort(self->rows.items, self->rows.count, sizeof(TableRow), compare_table_rows);
}

// printing --------------------------------------------------------------------

static const char *base_name(const char *script) {
    const char *slash = script ? strrchr(script, '/') : NULL;
    return slash ? slash + 1 : script ? script : "?";
}

static void put_pair(Buffer *out, const char *key, const char *value, bool first) {
    buffer_format(out, "%s\"%s\":", first ? "{" : ",", key);
    buffer_json(out, value, strlen(value));
}

static void print_row(Table *self, const TableRow *row) {
    char script[64];
    snprintf(script, sizeof script, "%.10s:%u", base_name(row->origin.script), row->origin.line);
    if (self->format == FORMAT_JSONL) {
        put_pair(&self->out, "function", row->name, true);
        put_pair(&self->out, "effect", row->effect, false);
        put_pair(&self->out, self->roots ? "context" : "kind", row->kind, false);
        put_pair(&self->out, "argument", row->place, false);
        put_pair(&self->out, "script", row->origin.script ? row->origin.script : "", false);
        buffer_format(&self->out, ",\"line\":%u,\"calls\":%u}\n", row->origin.line, row->calls);
        return;
    }
    if (strlen(row->name) > 25)
        buffer_format(&self->out, "%6u  %s\n%34s%-12s %-10s %-6.6s %s\n", row->calls, row->name, "", row->effect,
                      row->kind, row->place, script);
    else
        buffer_format(&self->out, "%6u  %-25s %-12s %-10s %-6.6s %s\n", row->calls, row->name, row->effect, row->kind,
                      row->place, script);
}

static void print_rows(Table *self) {
    if (self->format == FORMAT_TEXT)
        buffer_format(&self->out, "%6s  %-25s %-12s %-10s %-6s %s\n", "CALLS", "FUNCTION", "EFFECT",
                      self->roots ? "CONTEXT" : "KIND", "ARG", "SAID BY");
    for (u32 i = 0; i < self->rows.count; i++)
        print_row(self, &self->rows.items[i]);
}

// complaining -----------------------------------------------------------------

__attribute__((format(printf, 4, 5))) static void complain(Table *self, const char *what, const char *name,
                                                           const char *format, ...) {
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    self->complaints++;
    if (self->format == FORMAT_JSONL) {
        put_pair(&self->out, "complaint", what, true);
        put_pair(&self->out, "function", name, false);
        put_pair(&self->out, "message", text, false);
        buffer_text(&self->out, "}\n");
        return;
    }
    if (self->complaints == 1)
        buffer_text(&self->out, "\nWhat looks wrong, or is in no table:\n");
    buffer_format(&self->out, "  %s\n", text);
}

// Taken in this tree, and nothing that is called in it lets such a lock go.
static void complain_held(Table *self) {
    Map released = {0};
    for (u32 i = 0; i < self->rows.count; i++)
        if (!strcmp(self->rows.items[i].effect, "release") || !strcmp(self->rows.items[i].effect, "wait"))
            map_put(&released, self->rows.items[i].lock, NULL);
    for (u32 i = 0; i < self->rows.count; i++) {
        const TableRow *row = &self->rows.items[i];
        bool takes = !strcmp(row->effect, "acquire") || !strcmp(row->effect, "try");
        if (takes && !map_get(&released, row->lock))
            complain(self, "never released", row->name, "%s takes a lock (%s) that nothing called here releases",
                     row->name, row->kind);
    }
    map_free(&released);
}

static void complain_unmatched(void *context, const UserSubject *subject) {
    Table *self = context;
    u32 wanted = self->roots ? SAID_REGISTERS | SAID_JOINS : SAID_LOCK | SAID_GUARD;
    const char *name;
    if (!(subject->said & wanted))
        return;
    if (!subject->code && proposal_calls(&self->proposal, subject->text))
        return;
    for (u32 next = 0; subject->code && (name = proposal_called(&self->proposal, &next));)
        if (pattern_matches(subject->code, name, (u32)strlen(name)))
            return;
    complain(self, "matches nothing", subject->text, "%s:%u: %s: nothing in the tree is called so",
             base_name(subject->origin.script), subject->origin.line, subject->text);
}

static void complain_missing(Table *self) {
    u32 shown = 0, left = 0;
    for (u32 i = 0; i < self->proposal.names.count; i++) {
        const ProposedName *found = &self->proposal.names.items[i];
        bool root = !strcmp(found->effect, "registers");
        bool lock =
            !strcmp(found->effect, "acquire") || !strcmp(found->effect, "release") || !strcmp(found->effect, "try");
        if (self->roots ? !root : !lock)
            continue;
        if (++shown > 40) {
            left++;
            continue;
        }
        complain(self, "not declared", found->name, "%s (%s) looks like %s%s", found->name, found->effect,
                 self->roots ? "a registration" : "a lock function", found->sure ? "" : ", perhaps");
    }
    if (left)
        complain(self, "not declared", "", "… and %u more: `racerx init DIR` proposes them", left);
}

// the commands ----------------------------------------------------------------

static Declarations *load_table(const TableArguments *arguments, Store *store, char **presets) {
    static const char *const none[] = {NULL};
    ExtractArguments extract = {.annotators = arguments->annotators, .no_config = arguments->no_config};
    PathArray analysed = {0}, scripts = {0};
    TextArray paths = {0}, names = {0};
    size_t size;
    *presets = store_get_meta(store, "presets", &size);
    remembered_paths(store, &analysed);
    for (u32 i = 0; i < analysed.count; i++)
        array_push(&paths, analysed.items[i]);
    gather_scripts(&extract, &paths, &scripts);
    for (u32 i = 0; i < arguments->presets.count; i++)
        if (strcmp(arguments->presets.items[i], "none"))
            array_push(&names, arguments->presets.items[i]);
    for (char *word = *presets && !arguments->presets.count ? strtok(*presets, ", ") : NULL; word;
         word = strtok(NULL, ", "))
        if (strcmp(word, "c"))
            array_push(&names, word);
    DeclareOptions options = {.presets = names.count ? names.items : none,
                              .preset_count = names.count,
                              .scripts = (const char *const *)scripts.items,
                              .script_count = scripts.count};
    Declarations *declarations = declarations_load(&options);
    array_free(&paths);
    array_free(&names);
    paths_free(&analysed);
    paths_free(&scripts);
    return declarations;
}

// All that the answer depends on besides what was read.
static u64 asked(const TableArguments *arguments, Store *store, bool roots) {
    LinkArguments link = {.annotators = arguments->annotators, .no_config = arguments->no_config};
    PathArray scripts = {0};
    find_scripts(store, &link, &scripts);
    u64 key = hash_mix(scripts_stamp(store, &scripts), (u64)arguments->format << 1 | roots);
    for (u32 i = 0; i < arguments->presets.count; i++)
        key = hash_bytes(arguments->presets.items[i], strlen(arguments->presets.items[i]) + 1, key);
    for (u32 i = 0; i < scripts.count; i++) // the table names them
        key = hash_bytes(scripts.items[i], strlen(scripts.items[i]) + 1, key);
    paths_free(&scripts);
    return key;
}

static bool print_kept(Store *store, const char *kind, u64 key) {
    size_t size;
    char *text = kept_answer(store, kind, key, &size);
    if (!text)
        return false;
    write_output(&(Buffer){.bytes = (u8 *)text, .size = size});
    free(text);
    return true;
}

static void run_table(const TableArguments *arguments, bool roots) {
    Store *store = store_open(arguments->db, STORE_READ);
    Table table = {.format = arguments->format, .roots = roots};
    char *presets = NULL;
    const char *kind = roots ? "registrations" : "locks";
    u64 key = asked(arguments, store, roots);
    if (print_kept(store, kind, key)) {
        store_close(store);
        return;
    }
    table.declarations = load_table(arguments, store, &presets);
    ProposeOptions options = {.store = store,
                              .declarations = table.declarations,
                              .presets = "",
                              .directory = "",
                              .jobs = arguments->jobs ? arguments->jobs : cpu_count(),
                              .addition = true};
    propose(&table.proposal, &options);
    store_close(store);
    gather(&table);
    print_rows(&table);
    if (!roots)
        complain_held(&table);
    declarations_subjects(table.declarations, complain_unmatched, &table);
    complain_missing(&table);
    write_output(&table.out);
    keep_answer(arguments->db, kind, key, &table.out);
    buffer_free(&table.out);
    array_free(&table.rows);
    proposal_free(&table.proposal);
    declarations_free(table.declarations);
    free(presets);
}

void print_registrations(const LinkArguments *link) {
    TableArguments arguments = {.db = link->db,
                                .jobs = link->jobs,
                                .format = link->format,
                                .annotators = link->annotators,
                                .no_config = link->no_config};
    run_table(&arguments, true);
}

static int locks_run(const Command *self, int count, char **words) {
    TableArguments arguments = {0};
    TextArray rest = {0};
    arguments_read(self, count, words, &arguments, &rest);
    if (rest.count)
        fatal("locks takes no arguments; '%s' is one too many", quote_path(rest.items[0]));
    run_table(&arguments, false);
    array_free(&arguments.annotators);
    array_free(&arguments.presets);
    return 0;
}

#define AT(field) offsetof(TableArguments, field)
static const Option locks_options[] = {
    {OPTION_TEXT, 0, "db", "FILE", AT(db), "the database (default: " STORE_DEFAULT_PATH ")"},
    {OPTION_NUMBER, 'j', "jobs", "N", AT(jobs), "threads (default: one per processor)"},
    {OPTION_FORMAT, 0, "format", "FORMAT", AT(format), "text (default), or jsonl: one JSON object per line"},
    {OPTION_LIST, 0, "preset", "NAME", AT(presets), "as if this preset, or `none`, had been in force; repeatable"},
    {OPTION_LIST, 0, "annotator", "FILE", AT(annotators), "also run this Lua script; repeatable"},
    {OPTION_FLAG, 0, "no-config", NULL, AT(no_config), "do not run the racerx.lua of the analysed directories"},
    {0},
};

const Command command_locks = {
    .name = "locks",
    .arguments = "",
    .summary = "list the lock functions in force, and what looks wrong about them",
    .details =
        "Lists every function of the tree that the scripts in force (presets, racerx.lua, --annotator) take for a\n"
        "lock's: how often it is called, what it does, to which argument, and who said so. Then what looks wrong:\n"
        "locks that nothing releases, entries of your scripts that match nothing, functions that look like a\n"
        "lock's and are in no table.\n"
        "\n"
        "JSON lines: {\"function\",\"effect\",\"kind\",\"argument\",\"script\",\"line\",\"calls\"} and\n"
        "{\"complaint\",\"function\",\"message\"}.\n",
    .options = locks_options,
    .run = locks_run,
};
