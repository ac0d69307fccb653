// callers.c: `racerx callers F`, `racerx callees F`, `racerx roots`: the linked program, for people.
// In: a database. Out: one line per call, or per root, in the order of files.
#include "racerx/cli/command_link.h"

// the program -----------------------------------------------------------------

#define AT(field) offsetof(LinkArguments, field)
const Option link_options[] = {
    {OPTION_TEXT, 0, "db", "FILE", AT(db), "the database (default: " STORE_DEFAULT_PATH ")"},
    {OPTION_FORMAT, 0, "format", "FORMAT", AT(format), "text (default), or jsonl: one JSON object per line"},
    {OPTION_NUMBER, 'j', "jobs", "N", AT(jobs), "threads (default: one per processor)"},
    {OPTION_LIST, 0, "annotator", "FILE", AT(annotators), "also run this Lua script, as `extract` did; repeatable"},
    {OPTION_FLAG, 0, "no-config", NULL, AT(no_config), "do not run the racerx.lua of the analysed directories"},
    {OPTION_FLAG, 0, "stats", NULL, AT(stats), "print on standard error what was linked, time and memory"},
    {0},
};

// The racerx.lua of the analysed directories, and the scripts named now.
void find_scripts(Store *store, const LinkArguments *arguments, PathArray *scripts) {
    ExtractArguments named = {.annotators = arguments->annotators, .no_config = arguments->no_config};
    PathArray analysed = {0};
    TextArray paths = {0};
    remembered_paths(store, &analysed);
    for (u32 i = 0; i < analysed.count; i++)
        array_push(&paths, analysed.items[i]);
    gather_scripts(&named, &paths, scripts);
    array_free(&paths);
    paths_free(&analysed);
}

// The presets that extraction picked, and the scripts.
static Declarations *load_declarations(Store *store, const LinkArguments *arguments) {
    size_t size;
    PathArray scripts = {0};
    find_scripts(store, arguments, &scripts);
    char *presets = store_get_meta(store, "presets", &size), *rest = NULL;
    Array(const char *) names = {0};
    for (char *word = presets ? strtok_r(presets, ", ", &rest) : NULL; word; word = strtok_r(NULL, ", ", &rest))
        if (strcmp(word, "c"))
            array_push(&names, word);
    array_push(&names, NULL);
    DeclareOptions options = {.presets = names.items,
                              .preset_count = names.count - 1,
                              .scripts = (const char *const *)scripts.items,
                              .script_count = scripts.count};
    Declarations *declarations = declarations_load(&options);
    array_free(&names);
    paths_free(&scripts);
    free(presets);
    return declarations;
}

Linked link_database(const LinkArguments *arguments) {
    Store *store = store_open(arguments->db, STORE_READ);
    Linked linked = {load_declarations(store, arguments), NULL};
    linked.program = program_load(store, linked.declarations, arguments->jobs ? arguments->jobs : cpu_count());
    store_close(store);
    if (!linked.program->files.count)
        fatal("%s holds no finished run: complete it with `racerx extract DIR`",
              quote_path(arguments->db ? arguments->db : store_default()));
    annotate(linked.program);
    if (arguments->stats)
        print_link_stats(&linked.program->stats, stderr);
    return linked;
}

void linked_free(Linked *self) {
    program_free(self->program);
    declarations_free(self->declarations);
}

static void print_count(FILE *out, const char *name, u64 value) {
    char number[32];
    fprintf(out, "  %-34s %16s\n", name, grouped(value, number));
}

void print_link_stats(const LinkStats *stats, FILE *out) {
    char bytes[32];
    fprintf(out, "what was linked\n");
    print_count(out, "files", stats->files);
    print_count(out, "functions", stats->functions);
    print_count(out, "globals", stats->globals);
    print_count(out, "types with members", stats->records);
    print_count(out, "calls", stats->calls);
    print_count(out, "  without a target in the tree", stats->unresolved);
    print_count(out, "  through pointers", stats->indirect);
    print_count(out, "    resolved", stats->indirect_resolved);
    fprintf(out, "  %-34s %16.1f\n", "    functions each, on average", stats->fan_out_mean);
    print_count(out, "    functions at most", stats->fan_out_most);
    print_count(out, "    not all of them taken", stats->fan_out_cut);
    print_count(out, "components of the call graph", stats->components);
    print_count(out, "  functions in the largest", stats->largest_component);
    print_count(out, "roots", stats->roots);
    if (stats->bodies_bad)
        print_count(out, "bodies that cannot be read", stats->bodies_bad);
    fprintf(out, "  %-34s %14.2f s  load %.2f, index %.2f, bodies %.2f, pointers %.2f\n", "time", stats->seconds,
            stats->seconds_load, stats->seconds_index, stats->seconds_scan, stats->seconds_flow);
    fprintf(out, "  %-34s %16s\n", "most memory so far", human_bytes(stats->memory, bytes));
}

const char *context_bit_word(u32 contexts, u32 bit) {
    if (!(contexts >> bit & 1))
        return NULL;
    return bit == CONTEXT_NONE ? "unknown" : context_word((Context)bit);
}

// calls -----------------------------------------------------------------------

typedef struct {
    Atlas *atlas;
    Format format;
    Buffer out;
    AtlasCalls calls; // of the function whose calls are printed
    U32Array ids;     // who calls it
    u32 lines;
} CallListing;

static void put_json(Buffer *out, const char *key, const char *text) {
    buffer_format(out, "\"%s\":", key);
    buffer_json(out, text, strlen(text));
}

static AtlasFunction function_of(CallListing *self, u32 id) {
    AtlasFunction function;
    if (!atlas_function(self->atlas, id, &function))
        fatal("the database is damaged: `racerx run PATH` makes it anew; verdicts stay");
    return function;
}

static void print_given_json(CallListing *self, const AtlasCall *call) {
    buffer_text(&self->out, ",\"given\":[");
    for (u32 i = 0; i < call->given_count; i++) {
        const char *name = function_of(self, self->calls.ids.items[call->given + i]).name;
        buffer_text(&self->out, i ? "," : "");
        buffer_json(&self->out, name, strlen(name));
    }
    buffer_text(&self->out, "]");
}

static void print_call_json(CallListing *self, const AtlasFunction *from, const AtlasCall *call,
                            const AtlasFunction *target) {
    Buffer *out = &self->out;
    const char *name = target ? target->name : call->name;
    buffer_text(out, "{");
    put_json(out, "file", from->path);
    buffer_format(out, ",\"line\":%u,", call->line);
    put_json(out, "function", from->name);
    buffer_text(out, ",\"callee\":");
    if (*name)
        buffer_json(out, name, strlen(name));
    else
        buffer_text(out, "null");
    if (target) {
        buffer_text(out, ",");
        put_json(out, "callee_file", target->path);
        buffer_format(out, ",\"callee_line\":%u", target->line);
    } else {
        buffer_text(out, ",\"callee_file\":null,\"callee_line\":null");
    }
    buffer_format(out, ",\"indirect\":%s,\"guessed\":%s,\"cut\":%s", call->indirect || call->handed ? "true" : "false",
                  call->guessed ? "true" : "false", call->cut ? "true" : "false");
    print_given_json(self, call);
    buffer_text(out, "}\n");
}

static void print_remarks(CallListing *self, const AtlasCall *call, const AtlasFunction *target) {
    const char *between = "  (";
    for (u32 i = 0; i < call->given_count; i++) {
        buffer_format(&self->out, "%s%s%s", between, between[0] == ' ' ? "given " : "",
                      function_of(self, self->calls.ids.items[call->given + i]).name);
        between = ", ";
    }
    const char *const words[] = {!target && *call->name ? "not in the tree" : NULL,
                                 call->indirect ? "through a pointer" : NULL,
                                 call->handed ? "by the function it is given to" : NULL,
                                 call->guessed ? "by type only" : NULL, call->cut ? "more were left out" : NULL};
    for (u32 i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i]) {
            buffer_format(&self->out, "%s%s", between, words[i]);
            between = ", ";
        }
    buffer_text(&self->out, between[0] == ',' ? ")\n" : "\n");
}

// `callers` prints who calls, `callees` what is called.
static void print_call(CallListing *self, const AtlasFunction *from, const AtlasCall *call, const AtlasFunction *target,
                       bool callers) {
    self->lines++;
    if (self->format == FORMAT_JSONL) {
        print_call_json(self, from, call, target);
        return;
    }
    char *file = quote_path(from->path);
    const char *name = callers ? from->name : target ? target->name : call->name;
    buffer_format(&self->out, "%s:%u  %s", file, call->line, *name ? name : "?");
    free(file);
    if (!callers && target) {
        file = quote_path(target->path);
        buffer_format(&self->out, "  %s:%u", file, target->line);
        free(file);
    }
    print_remarks(self, call, target);
}

static void print_callees(CallListing *self, const AtlasFunction *from) {
    atlas_calls(self->atlas, from->id, &self->calls);
    for (u32 c = 0; c < self->calls.items.count; c++) {
        const AtlasCall *call = &self->calls.items.items[c];
        for (u32 t = 0; t < call->target_count; t++) {
            AtlasFunction target = function_of(self, self->calls.ids.items[call->target + t]);
            print_call(self, from, call, &target, false);
        }
        if (!call->target_count || call->handed)
            print_call(self, from, call, NULL, false);
    }
}

static void print_callers(CallListing *self, const AtlasFunction *target) {
    self->ids.count = 0;
    atlas_callers(self->atlas, target->id, &self->ids);
    for (u32 i = 0; i < self->ids.count; i++) {
        AtlasFunction from = function_of(self, self->ids.items[i]);
        atlas_calls(self->atlas, from.id, &self->calls);
        for (u32 c = 0; c < self->calls.items.count; c++)
            if (atlas_call_reaches(&self->calls, &self->calls.items.items[c], target->id))
                print_call(self, &from, &self->calls.items.items[c], target, true);
    }
}

// finding ---------------------------------------------------------------------

// Whether `path` is `wanted`, or ends in it at a '/'.
static bool path_ends_in(const char *path, const char *wanted, size_t length) {
    size_t total = strlen(path);
    return total >= length && !memcmp(path + total - length, wanted, length) &&
           (total == length || path[total - length - 1] == '/');
}

typedef struct {
    Array(const char *) items;
    Arena arena;
} ShownNames;

static void add_name(void *context, const AtlasFunction *function) {
    ShownNames *names = context;
    array_push(&names->items, arena_copy(&names->arena, function->name, strlen(function->name)));
}

static _Noreturn void say_unknown(Atlas *atlas, const char *wanted) {
    ShownNames names = {0};
    atlas_each(atlas, false, add_name, &names);
    array_push(&names.items, NULL);
    const char *near = nearest_word(wanted, names.items.items);
    char *shown = quote_path(wanted);
    if (near)
        fatal("no function is called '%s': did you mean '%s'?", shown, near);
    fatal("no function is called '%s': `racerx functions` lists them", shown);
}

typedef Array(AtlasFunction) AtlasFunctionArray;

// All functions of a name, or FILE:NAME; fatal() when there is none.
static void find_functions(CallListing *self, const char *wanted, AtlasFunctionArray *out) {
    const char *colon = strrchr(wanted, ':'), *name = colon ? colon + 1 : wanted;
    U32Array ids = {0};
    atlas_named(self->atlas, name, &ids);
    for (u32 i = 0; i < ids.count; i++) {
        AtlasFunction function = function_of(self, ids.items[i]);
        if (!colon || path_ends_in(function.path, wanted, (size_t)(colon - wanted)))
            array_push(out, function);
    }
    array_free(&ids);
    if (!out->count)
        say_unknown(self->atlas, wanted);
}

// Nothing was listed: why?
static void explain_nothing(const AtlasFunctionArray *functions, const char *name, bool callers) {
    u32 contexts = 0;
    for (u32 i = 0; i < functions->count; i++)
        contexts |= functions->items[i].contexts;
    Buffer words = {0};
    for (u32 bit = 0; bit < 32; bit++) {
        const char *word = bit == CONTEXT_NONE ? NULL : context_bit_word(contexts, bit);
        if (word)
            buffer_format(&words, "%s%s", words.size ? ", " : "", word);
    }
    buffer_byte(&words, 0);
    if (callers && words.size > 1)
        note("nobody calls %s; it is started as: %s (see `racerx roots`)", name, (char *)words.bytes);
    else
        note(callers ? "nobody calls %s" : "%s calls nothing", name);
    buffer_free(&words);
}

static void print_head(CallListing *self, const AtlasFunction *function, bool first) {
    char *file = quote_path(function->path);
    buffer_format(&self->out, "%s%s:%u  %s\n", first ? "" : "\n", file, function->line, function->name);
    free(file);
}

static int calls_run(const Command *self, int count, char **words, bool callers) {
    LinkArguments arguments = {0};
    TextArray rest = {0};
    arguments_read(self, count, words, &arguments, &rest);
    if (arguments.observed && !rest.count) {
        print_observed_calls(&arguments);
        array_free(&arguments.annotators);
        return 0;
    }
    if (rest.count != 1)
        fatal("%s takes one FUNCTION or FILE:FUNCTION (see `racerx %s --help`)", self->name, self->name);
    Lookup lookup = lookup_open(&arguments);
    CallListing listing = {.atlas = lookup.atlas, .format = arguments.format};
    AtlasFunctionArray functions = {0};
    find_functions(&listing, rest.items[0], &functions);
    for (u32 i = 0; i < functions.count; i++) {
        if (functions.count > 1 && arguments.format == FORMAT_TEXT)
            print_head(&listing, &functions.items[i], !i);
        if (callers)
            print_callers(&listing, &functions.items[i]);
        else
            print_callees(&listing, &functions.items[i]);
    }
    if (!listing.lines)
        explain_nothing(&functions, rest.items[0], callers);
    lookup_close(&lookup);
    write_output(&listing.out);
    buffer_free(&listing.out);
    atlas_calls_free(&listing.calls);
    array_free(&listing.ids);
    array_free(&functions);
    array_free(&rest);
    array_free(&arguments.annotators);
    return 0;
}

static int callers_run(const Command *self, int count, char **words) { return calls_run(self, count, words, true); }
static int callees_run(const Command *self, int count, char **words) { return calls_run(self, count, words, false); }

// roots -----------------------------------------------------------------------

typedef struct {
    Buffer out;
    Format format;
} RootListing;

static void print_root_json(const AtlasFunction *function, Buffer *out) {
    const char *comma = "", *word;
    buffer_text(out, "{");
    put_json(out, "file", function->path);
    buffer_format(out, ",\"line\":%u,", function->line);
    put_json(out, "function", function->name);
    buffer_text(out, ",\"contexts\":[");
    for (u32 bit = 0; bit <= CONTEXT_CALL; bit++)
        if ((word = context_bit_word(function->contexts, bit))) {
            buffer_format(out, "%s\"%s\"", comma, word);
            comma = ",";
        }
    buffer_format(out, "],\"once\":%s,\"called\":%s}\n", function->marks & MARK_THREAD_ONCE ? "true" : "false",
                  function->called ? "true" : "false");
}

static void print_root_text(const AtlasFunction *function, Buffer *out) {
    char *file = quote_path(function->path);
    const char *word;
    buffer_format(out, "%s:%u  %s ", file, function->line, function->name);
    free(file);
    for (u32 bit = 0; bit <= CONTEXT_CALL; bit++)
        if ((word = context_bit_word(function->contexts, bit)))
            buffer_format(out, " %s", word);
    buffer_format(out, "%s\n", function->marks & MARK_THREAD_ONCE ? " once" : "");
}

static void print_root(void *context, const AtlasFunction *function) {
    RootListing *self = context;
    if (self->format == FORMAT_JSONL)
        print_root_json(function, &self->out);
    else
        print_root_text(function, &self->out);
}

static int roots_run(const Command *self, int count, char **words) {
    LinkArguments arguments = {0};
    TextArray rest = {0};
    arguments_read(self, count, words, &arguments, &rest);
    if (rest.count)
        fatal("roots takes no arguments; '%s' is one too many", rest.items[0]);
    if (arguments.registrations) {
        print_registrations(&arguments);
        array_free(&arguments.annotators);
        return 0;
    }
    Lookup lookup = lookup_open(&arguments);
    RootListing listing = {.format = arguments.format};
    atlas_each(lookup.atlas, true, print_root, &listing);
    lookup_close(&lookup);
    write_output(&listing.out);
    buffer_free(&listing.out);
    array_free(&arguments.annotators);
    return 0;
}

// the commands ----------------------------------------------------------------

const Command command_callers = {
    .name = "callers",
    .arguments = "[FILE:]FUNCTION",
    .summary = "list the calls of a function",
    .details =
        "Lists every call that may reach FUNCTION: directly, or through a pointer it was stored in. Each line has\n"
        "the place of the call and the function it is in.\n"
        "\n"
        "JSON lines: "
        "{\"file\",\"line\",\"function\",\"callee\",\"callee_file\",\"callee_line\",\"indirect\",\"guessed\",\n"
        "\"cut\",\"given\":[…]}: guessed: only the types agree; cut: more targets were left out; given: functions\n"
        "that are arguments.\n"
        "\n"
        "  racerx callers fork.c:copy_process\n",
    .shared = link_options,
    .run = callers_run,
};

static const Option callees_options[] = {
    {OPTION_TEXT, 0, "observed", "DIR", AT(observed),
     "without FUNCTION: calls through pointers that runs made (the samples of `racerx trace`), and whether they are "
     "known"},
    {0},
};

const Command command_callees = {
    .name = "callees",
    .arguments = "[FILE:]FUNCTION",
    .summary = "list what a function calls",
    .details =
        "Lists every call in FUNCTION with each function it may reach: the place of the call, the name of what is\n"
        "called and where that is defined. The JSON lines are those of `racerx callers`; callee is null when it is\n"
        "not known what a pointer points to, callee_file when the function is not in the tree.\n"
        "\n"
        "  racerx callees --format jsonl main\n"
        "\n"
        "--observed DIR takes no FUNCTION: of the functions that call through pointers, how many ran; of the calls\n"
        "that runs made from them, which the text does not know.\n",
    .options = callees_options,
    .shared = link_options,
    .run = callees_run,
};

static const Option roots_options[] = {
    {OPTION_FLAG, 0, "registrations", NULL, offsetof(LinkArguments, registrations),
     "list the functions that start or register others, who said so, and what looks wrong about them"},
    {0},
};

const Command command_roots = {
    .name = "roots",
    .arguments = "",
    .summary = "list the functions where control starts",
    .details =
        "Lists the functions that are started rather than called, with the contexts they run in: thread, interrupt,\n"
        "softirq, timer, work, syscall, init, exit, signal; unknown for functions that nobody in sight calls.\n"
        "`once`: runs in a thread that exists once.\n"
        "\n"
        "JSON lines: {\"file\",\"line\",\"function\",\"contexts\":[…],\"once\",\"called\"}; with --registrations\n"
        "{\"function\",\"effect\",\"context\",\"argument\",\"script\",\"line\",\"calls\"} and "
        "{\"complaint\",\"function\",\"message\"}\n",
    .options = roots_options,
    .shared = link_options,
    .run = roots_run,
};
