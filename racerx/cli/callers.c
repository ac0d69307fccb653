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
static void find_scripts(Store *store, const LinkArguments *arguments, PathArray *scripts) {
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
    const Program *program;
    Format format;
    Buffer out;
    Body body; // of `decoded`
    FunctionId decoded;
    u32 lines;
} CallListing;

// The line of a call: that of its first event.
static u32 call_line(CallListing *self, FunctionId from, ExprId call) {
    if (self->decoded != from && !program_body(self->program, from, &self->body)) {
        self->decoded = NO_ID;
        return 0;
    }
    self->decoded = from;
    for (u32 i = 0; i < self->body.events.count; i++)
        if (self->body.events.items[i].kind == EVENT_CALL && self->body.events.items[i].expr == call)
            return self->body.events.items[i].place.line;
    return 0;
}

static void put_json(Buffer *out, const char *key, const char *text) {
    buffer_format(out, "\"%s\":", key);
    buffer_json(out, text, strlen(text));
}

static void print_given_json(CallListing *self, const CallSite *site) {
    const char *comma = "";
    buffer_text(&self->out, ",\"given\":[");
    for (u32 i = 0; i < site->binding_count; i++) {
        const Binding *binding = &self->program->bindings.items[site->binding + i];
        if (binding->function == NO_ID)
            continue;
        const char *name = program_text(self->program, self->program->functions.items[binding->function].name);
        buffer_text(&self->out, comma);
        buffer_json(&self->out, name, strlen(name));
        comma = ",";
    }
    buffer_text(&self->out, "]");
}

static void print_call_json(CallListing *self, FunctionId from, const CallSite *site, FunctionId target) {
    const Program *program = self->program;
    Buffer *out = &self->out;
    buffer_text(out, "{");
    put_json(out, "file", function_path(program, from));
    buffer_format(out, ",\"line\":%u,", call_line(self, from, site->expr));
    put_json(out, "function", program_text(program, program->functions.items[from].name));
    buffer_text(out, ",\"callee\":");
    NameId name = target == NO_ID ? site->name : program->functions.items[target].name;
    if (name)
        buffer_json(out, program_text(program, name), strlen(program_text(program, name)));
    else
        buffer_text(out, "null");
    if (target != NO_ID) {
        buffer_text(out, ",");
        put_json(out, "callee_file", function_path(program, target));
        buffer_format(out, ",\"callee_line\":%u", program->functions.items[target].place.line);
    } else {
        buffer_text(out, ",\"callee_file\":null,\"callee_line\":null");
    }
    buffer_format(out, ",\"indirect\":%s,\"guessed\":%s,\"cut\":%s", site->indirect || site->handed ? "true" : "false",
                  site->guessed ? "true" : "false", site->cut ? "true" : "false");
    print_given_json(self, site);
    buffer_text(out, "}\n");
}

static void print_remarks(CallListing *self, const CallSite *site, FunctionId target) {
    const char *between = "  (";
    for (u32 i = 0; i < site->binding_count; i++) {
        const Binding *binding = &self->program->bindings.items[site->binding + i];
        if (binding->function == NO_ID)
            continue;
        buffer_format(&self->out, "%s%s%s", between, between[0] == ' ' ? "given " : "",
                      program_text(self->program, self->program->functions.items[binding->function].name));
        between = ", ";
    }
    const char *const words[] = {target == NO_ID && site->name ? "not in the tree" : NULL,
                                 site->indirect ? "through a pointer" : NULL,
                                 site->handed ? "by the function it is given to" : NULL,
                                 site->guessed ? "by type only" : NULL, site->cut ? "more were left out" : NULL};
    for (u32 i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i]) {
            buffer_format(&self->out, "%s%s", between, words[i]);
            between = ", ";
        }
    buffer_text(&self->out, between[0] == ',' ? ")\n" : "\n");
}

// `callers` prints who calls, `callees` what is called.
static void print_call(CallListing *self, FunctionId from, const CallSite *site, FunctionId target, bool callers) {
    const Program *program = self->program;
    self->lines++;
    if (self->format == FORMAT_JSONL) {
        print_call_json(self, from, site, target);
        return;
    }
    char *file = quote_path(function_path(program, from));
    NameId name = callers           ? program->functions.items[from].name
                  : target == NO_ID ? site->name
                                    : program->functions.items[target].name;
    buffer_format(&self->out, "%s:%u  %s", file, call_line(self, from, site->expr),
                  name ? program_text(program, name) : "?");
    free(file);
    if (!callers && target != NO_ID) {
        file = quote_path(function_path(program, target));
        buffer_format(&self->out, "  %s:%u", file, program->functions.items[target].place.line);
        free(file);
    }
    print_remarks(self, site, target);
}

static void print_callees(CallListing *self, FunctionId id) {
    const ProgramFunction *function = &self->program->functions.items[id];
    for (u32 c = function->call; c < function->call + function->call_count; c++) {
        const CallSite *site = &self->program->calls.items[c];
        for (u32 t = 0; t < site->target_count; t++)
            print_call(self, id, site, self->program->targets.items[site->target + t], false);
        if (!site->target_count || site->handed)
            print_call(self, id, site, NO_ID, false);
    }
}

static bool has_target(const Program *self, const CallSite *site, FunctionId id) {
    u32 low = site->target, high = site->target + site->target_count;
    while (low < high) {
        u32 middle = low + (high - low) / 2;
        if (self->targets.items[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < site->target + site->target_count && self->targets.items[low] == id;
}

static void print_callers(CallListing *self, FunctionId id) {
    const Program *program = self->program;
    const ProgramFunction *function = &program->functions.items[id];
    for (u32 i = 0; i < function->caller_count; i++) {
        FunctionId from = program->callers.items[function->caller + i];
        const ProgramFunction *caller = &program->functions.items[from];
        for (u32 c = caller->call; c < caller->call + caller->call_count; c++)
            if (has_target(program, &program->calls.items[c], id))
                print_call(self, from, &program->calls.items[c], id, true);
    }
}

// finding ---------------------------------------------------------------------

// Whether `path` is `wanted`, or ends in it at a '/'.
static bool path_ends_in(const char *path, const char *wanted, size_t length) {
    size_t total = strlen(path);
    return total >= length && !memcmp(path + total - length, wanted, length) &&
           (total == length || path[total - length - 1] == '/');
}

static _Noreturn void say_unknown(const Program *self, const char *wanted) {
    Array(const char *) names = {0};
    for (u32 i = 0; i < self->functions.count; i++)
        array_push(&names, program_text(self, self->functions.items[i].name));
    array_push(&names, NULL);
    const char *near = nearest_word(wanted, names.items);
    char *shown = quote_path(wanted);
    if (near)
        fatal("no function is called '%s': did you mean '%s'?", shown, near);
    fatal("no function is called '%s': `racerx functions` lists them", shown);
}

// All functions of a name, or FILE:NAME; fatal() when there is none.
static void find_functions(const Program *self, const char *wanted, U32Array *out) {
    const char *colon = strrchr(wanted, ':'), *name = colon ? colon + 1 : wanted;
    NameId id = intern_find(&self->names, name, (u32)strlen(name));
    FunctionId function;
    for (u32 n = 0; id != UINT32_MAX && (function = program_named(self, id, n)) != NO_ID; n++)
        if (!colon || path_ends_in(function_path(self, function), wanted, (size_t)(colon - wanted)))
            array_push(out, function);
    if (!out->count)
        say_unknown(self, wanted);
}

static int compare_ids(const void *left, const void *right) {
    u32 a = *(const u32 *)left, b = *(const u32 *)right;
    return a < b ? -1 : a > b;
}

// Nothing was listed: why?
static void explain_nothing(const Program *program, const U32Array *functions, const char *name, bool callers) {
    u32 contexts = 0;
    for (u32 i = 0; i < functions->count; i++)
        contexts |= program->functions.items[functions->items[i]].contexts;
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
    Linked linked = link_database(&arguments);
    CallListing listing = {.program = linked.program, .format = arguments.format, .decoded = NO_ID};
    U32Array functions = {0};
    find_functions(linked.program, rest.items[0], &functions);
    qsort(functions.items, functions.count, sizeof(u32), compare_ids);
    for (u32 i = 0; i < functions.count; i++) {
        if (functions.count > 1 && arguments.format == FORMAT_TEXT) {
            char *file = quote_path(function_path(linked.program, functions.items[i]));
            buffer_format(&listing.out, "%s%s:%u  %s\n", i ? "\n" : "", file,
                          linked.program->functions.items[functions.items[i]].place.line,
                          program_text(linked.program, linked.program->functions.items[functions.items[i]].name));
            free(file);
        }
        if (callers)
            print_callers(&listing, functions.items[i]);
        else
            print_callees(&listing, functions.items[i]);
    }
    if (!listing.lines)
        explain_nothing(linked.program, &functions, rest.items[0], callers);
    write_output(&listing.out);
    buffer_free(&listing.out);
    body_free(&listing.body);
    array_free(&functions);
    array_free(&rest);
    array_free(&arguments.annotators);
    linked_free(&linked);
    return 0;
}

static int callers_run(const Command *self, int count, char **words) { return calls_run(self, count, words, true); }
static int callees_run(const Command *self, int count, char **words) { return calls_run(self, count, words, false); }

// roots -----------------------------------------------------------------------

static void print_root_json(const Program *self, FunctionId id, Buffer *out) {
    const ProgramFunction *function = &self->functions.items[id];
    const char *comma = "", *word;
    buffer_text(out, "{");
    put_json(out, "file", function_path(self, id));
    buffer_format(out, ",\"line\":%u,", function->place.line);
    put_json(out, "function", program_text(self, function->name));
    buffer_text(out, ",\"contexts\":[");
    for (u32 bit = 0; bit <= CONTEXT_CALL; bit++)
        if ((word = context_bit_word(function->contexts, bit))) {
            buffer_format(out, "%s\"%s\"", comma, word);
            comma = ",";
        }
    buffer_format(out, "],\"once\":%s,\"called\":%s}\n", function->marks & MARK_THREAD_ONCE ? "true" : "false",
                  function->caller_count ? "true" : "false");
}

static void print_root_text(const Program *self, FunctionId id, Buffer *out) {
    const ProgramFunction *function = &self->functions.items[id];
    char *file = quote_path(function_path(self, id));
    const char *word;
    buffer_format(out, "%s:%u  %s ", file, function->place.line, program_text(self, function->name));
    free(file);
    for (u32 bit = 0; bit <= CONTEXT_CALL; bit++)
        if ((word = context_bit_word(function->contexts, bit)))
            buffer_format(out, " %s", word);
    buffer_format(out, "%s\n", function->marks & MARK_THREAD_ONCE ? " once" : "");
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
    Linked linked = link_database(&arguments);
    Buffer out = {0};
    for (FunctionId id = 0; id < linked.program->functions.count; id++) {
        if (!(linked.program->functions.items[id].marks & MARK_ROOT))
            continue;
        if (arguments.format == FORMAT_JSONL)
            print_root_json(linked.program, id, &out);
        else
            print_root_text(linked.program, id, &out);
    }
    write_output(&out);
    buffer_free(&out);
    array_free(&arguments.annotators);
    linked_free(&linked);
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
