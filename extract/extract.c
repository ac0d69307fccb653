// extract.c: the driver of stage one: scan, harvest, choose, then every file to its tree.
// In: directories and files. Out: a tree per file in the store, keyed by its content and by the
// macros that shaped it; a file whose key is there already is not parsed again.
// Invariant: results go to the place of their file, so that no order of threads shows.
#include "extract/extract.h"

#include "annotators/host.h"
#include "extract/preprocess.h"
#include "extract/tree.h"

#include <errno.h>

// What --stats says of one file, kept between runs.
typedef struct {
    u32 functions;
    u64 body_bytes, lost_bytes, lost_statements, lost_items;
    char *why;     // the first thing lost; malloc'd or NULL
    char *trouble; // why it was skipped, or not read as a whole; malloc'd or NULL
    bool parsed;   // in this run
    bool failed;   // has no tree
} UnitOutcome;

typedef struct {
    Harvest harvest;
    Scan scan;
    DefineOptions defines;
    Declarations *declarations;
    Worker **workers;
    u32 jobs;
    Store *store;
    UnitOutcome *outcomes;  // by file
    SourceFileArray before; // files of the last run
    Map before_by_path;     // hash of path -> index + 1
    Map outcome_by_tree;    // tree key -> index + 1 into old_outcomes
    Array(UnitOutcome) old_outcomes;
    u32 shard, shards; // only these files; 0: all
    bool interrupted;  // the last run did not end: it may have left trees that no file names
    bool headers_same; // nothing that macros come from has changed since the last run
} Extraction;

// one file --------------------------------------------------------------------

static const char *marked_file(const Lexed *lexed, u32 offset) {
    u32 low = 0, high = lexed->marks.count;
    if (!high || lexed->marks.items[0].offset > offset)
        return NULL;
    while (low + 1 < high) {
        u32 middle = (low + high) / 2;
        if (lexed->marks.items[middle].offset <= offset)
            low = middle;
        else
            high = middle;
    }
    u32 file = lexed->marks.items[low].file;
    return file == UINT32_MAX ? NULL : lexed->mark_files.items[file];
}

typedef struct {
    Worker *worker;
    SpanArray spans;
    U32Array partners;
    OutTokens out;
    Map defined; // names of functions seen, by hash
} UnitWork;

// remarks ---------------------------------------------------------------------

#define REMARK_MOST 1000

// White space as single spaces, and no stars at the beginnings of lines.
static StrId remark_text(Worker *worker, const char *text, u32 length) {
    char clean[REMARK_MOST];
    u32 size = 0;
    bool line_start = false;
    for (u32 i = 0; i < length && size + 1 < REMARK_MOST; i++) {
        bool blank =
            (u8)text[i] <= ' ' || (text[i] == '\\' && i + 1 < length && (text[i + 1] == '\n' || text[i + 1] == '\r'));
        line_start |= text[i] == '\n';
        if (line_start && text[i] == '*')
            continue;
        line_start &= blank;
        if (!blank)
            clean[size++] = text[i];
        else if (size && clean[size - 1] != ' ')
            clean[size++] = ' ';
    }
    while (size && clean[size - 1] == ' ')
        size--;
    return intern_add(&worker->tree.strings, clean, size);
}

static void unit_remarks(Worker *worker) {
    const RemarkArray *found = &worker->lexed.remarks;
    for (u32 i = 0; i < found->count; i++) {
        const LexedRemark *one = &found->items[i];
        const char *file = marked_file(&worker->lexed, one->offset);
        Remark remark = {
            .text = remark_text(worker, one->text, one->length), .line = one->line, .next = one->alone ? one->next : 0};
        remark.file = file ? intern_add(&worker->tree.strings, file, (u32)strlen(file)) : 0;
        array_push(&worker->tree.remarks, remark);
    }
}

// Remarks at, or right above, the head of the function that was read last: from its first token to the { of its body.
static void remarks_at_head(Worker *worker, u32 first, u32 last) {
    const Function *function = &worker->tree.functions.items[worker->tree.functions.count - 1];
    for (u32 i = 0; i < worker->tree.remarks.count; i++) {
        Remark *remark = &worker->tree.remarks.items[i];
        bool here = (remark->line >= first && remark->line <= last) || (remark->next >= first && remark->next <= last);
        if (here && remark->file == function->file)
            remark->function = function->name;
    }
}

static void unit_items(UnitWork *self, const TokenArray *tokens, bool alternative) {
    Worker *worker = self->worker;
    split(tokens->items, tokens->count, &self->partners, &self->spans);
    for (u32 i = 0; i < self->spans.count; i++) {
        const Span *span = &self->spans.items[i];
        const char *name = "";
        u32 flags = alternative ? DECL_ALTERNATIVE : 0;
        if (alternative && (span->kind != ITEM_FUNCTION || span->unclosed))
            continue;
        if (span->kind == ITEM_FUNCTION) {
            bool from_macro, fresh;
            name = span_name(worker, tokens->items, self->partners.items, span, &from_macro);
            map_put(&self->defined, hash_bytes(name, strlen(name), 0), &fresh);
            if (alternative && !fresh)
                continue;
            flags |= from_macro ? DECL_FROM_MACRO : 0;
        }
        normalise(worker, tokens->items, self->partners.items, span, &self->out);
        u32 functions = worker->tree.functions.count;
        parse_item(worker, &self->out, span->kind, name, flags,
                   marked_file(&worker->lexed, tokens->items[span->first].offset));
        if (worker->tree.remarks.count && span->kind == ITEM_FUNCTION && worker->tree.functions.count > functions &&
            span->body != NO_TOKEN)
            remarks_at_head(worker, tokens->items[span->first].line, tokens->items[span->body].line);
    }
}

void unit_trees(Worker *worker, const char *text, size_t size) {
    UnitWork work = {.worker = worker};
    RangeArray dropped = {0};
    tree_reset(&worker->tree);
    worker->text = text;
    worker->size = size;
    parsing_begin(worker);
    lex(&worker->lexed, &worker->names, text, size, &worker->arena);
    unit_remarks(worker);
    worker->budget = (i64)worker->lexed.tokens.count * 40 + worker->allowance;
    choose(worker, 0, worker->lexed.tokens.count, &worker->expanded, &dropped);
    unit_items(&work, &worker->expanded, false);
    worker->alternative = true;
    for (u32 i = 0; i < dropped.count; i++) {
        TokenRange arm = dropped.items[i];
        worker->expanded.count = 0;
        worker->braces = 0;
        u8 before = arm.name ? unit_name(worker, arm.name)->state : 0;
        if (arm.name)
            unit_name(worker, arm.name)->state = arm.on ? NAME_DEFINED : NAME_UNDEFINED;
        choose(worker, arm.first, arm.count, &worker->expanded, &dropped);
        unit_items(&work, &worker->expanded, true);
        if (arm.name)
            unit_name(worker, arm.name)->state = before;
    }
    array_free(&dropped);
    array_free(&work.spans);
    array_free(&work.partners);
    array_free(&work.out);
    map_free(&work.defined);
}

static int compare_u32(const void *a, const void *b) {
    u32 x = *(const u32 *)a, y = *(const u32 *)b;
    return x < y ? -1 : x > y;
}

// The names looked up, as sorted hashes, each once.
static u32 *unit_hashes(Worker *worker, u32 *count) {
    u32 *hashes = must_alloc(sizeof(u32) * (worker->used.count + 1)), kept = 0;
    for (u32 i = 0; i < worker->used.count; i++)
        hashes[i] = worker->names.names.items[worker->used.items[i]].hash;
    qsort(hashes, worker->used.count, sizeof(u32), compare_u32);
    for (u32 i = 0; i < worker->used.count; i++)
        if (!kept || hashes[kept - 1] != hashes[i])
            hashes[kept++] = hashes[i];
    *count = kept;
    return hashes;
}

static Key tree_key(Key content, Key environment) {
    return (Key){hash_mix(content.a ^ TREE_VERSION, environment.a), hash_mix(content.b, environment.b ^ TREE_VERSION)};
}

// A few odd bytes may be an accident; text that is full of them is none.
static bool is_binary(const char *text, size_t size) {
    size_t look = size < 4096 ? size : 4096, odd = 0;
    for (size_t i = 0; i < look; i++)
        odd += (u8)text[i] < 32 && !(text[i] >= '\t' && text[i] <= '\r') && text[i] != 27;
    return odd > 8 && odd * 100 > look * 3;
}

__attribute__((format(printf, 3, 4))) static void note_trouble(UnitOutcome *outcome, const char *path,
                                                               const char *format, ...) {
    Buffer text = {0};
    va_list args;
    va_start(args, format);
    char reason[256];
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    skip(path, "%s", reason);
    if (outcome->trouble)
        buffer_format(&text, "%s; ", outcome->trouble);
    buffer_format(&text, "%s", reason);
    buffer_byte(&text, 0);
    free(outcome->trouble);
    outcome->trouble = (char *)text.bytes;
}

static void note_outcome(UnitOutcome *outcome, const Worker *worker) {
    const Tree *tree = &worker->tree;
    outcome->parsed = true;
    outcome->functions = tree->functions.count;
    outcome->body_bytes = worker->body_bytes;
    outcome->lost_items = tree->lost_items;
    for (u32 i = 0; i < tree->functions.count; i++) {
        outcome->lost_bytes += tree->functions.items[i].lost_bytes;
        outcome->lost_statements += tree->functions.items[i].lost_count;
    }
    if (worker->lost_why)
        outcome->why = must_strdup(worker->lost_why);
}

static void progress_put(Extraction *self, const SourceFile *file, const UnitOutcome *outcome);

static void extract_parse(Extraction *self, Worker *worker, u32 index) {
    SourceFile *file = &self->scan.files.items[index];
    UnitOutcome *outcome = &self->outcomes[index];
    size_t size = self->harvest.files[index].size;
    char *text = self->harvest.files[index].text, *read = NULL;
    if (!text)
        text = read = file_read(file->full, &size);
    if (!text) {
        outcome->failed = true;
        if (file->content.a || file->content.b) // else harvest has said why
            note_trouble(outcome, file->path, "cannot be read any more: %s", strerror(errno));
        file->content = (Key){0, 0};
        return;
    }
    if (is_binary(text, size)) {
        note_trouble(outcome, file->path, "is binary, not C");
        outcome->failed = true;
        free(read);
        return;
    }
    if (read) // it may have changed since the harvest
        file->content = key_bytes(text, size);
    unit_begin(worker, index);
    unit_trees(worker, text, size);
    if (worker->lexed.trouble)
        note_trouble(outcome, file->path, "%s: read up to there", worker->lexed.trouble);
    if (worker->limit)
        note_trouble(outcome, file->path, "%s: left as it is from there", worker->limit);
    u32 count;
    u32 *hashes = unit_hashes(worker, &count);
    file->environment = unit_environment(worker, hashes, count);
    file->tree = tree_key(file->content, file->environment);
    if (checks_wanted())
        tree_check(&worker->tree);
    Buffer head = {0};
    tree_write_head(&worker->tree, &head);
    store_put_tree(self->store, file->tree, &head, &worker->tree.bodies);
    note_outcome(outcome, worker);
    store_put_names(self->store, file->tree, hashes, count);
    if (!outcome->trouble) // what there is to say is said again
        progress_put(self, file, outcome);
    buffer_free(&head);
    free(hashes);
    free(read);
}

// reuse -----------------------------------------------------------------------

static const SourceFile *file_before(const Extraction *self, const char *path) {
    u32 *found = map_get(&self->before_by_path, hash_bytes(path, strlen(path), 0));
    if (!found)
        return NULL;
    const SourceFile *file = &self->before.items[*found - 1];
    return strcmp(file->path, path) ? NULL : file;
}

static void reuse_outcome(Extraction *self, u32 index) {
    u32 *found = map_get(&self->outcome_by_tree, self->scan.files.items[index].tree.a);
    if (!found)
        return;
    self->outcomes[index] = self->old_outcomes.items[*found - 1];
    self->outcomes[index].parsed = false;
    if (self->outcomes[index].why)
        self->outcomes[index].why = must_strdup(self->outcomes[index].why);
    if (self->outcomes[index].trouble) {
        self->outcomes[index].trouble = must_strdup(self->outcomes[index].trouble);
        skip(self->scan.files.items[index].path, "%s", self->outcomes[index].trouble);
    }
}

// A run that was killed leaves trees but no list of files. Until the list is written, each file's keys
// stand among the names under a key of their own; the end of the run sweeps them away.
static Key progress_key(const SourceFile *file) {
    u64 path = hash_bytes(file->path, strlen(file->path), 5);
    return (Key){hash_mix(file->content.a, path), hash_mix(file->content.b ^ path, TREE_VERSION)};
}

#define PROGRESS_WORDS 13
static void progress_put(Extraction *self, const SourceFile *file, const UnitOutcome *outcome) {
    Key keys[] = {file->tree, file->environment};
    u32 words[PROGRESS_WORDS] = {0};
    memcpy(words, keys, sizeof keys);
    words[8] = outcome->functions;
    words[9] = (u32)outcome->body_bytes;
    words[10] = (u32)outcome->lost_bytes;
    words[11] = (u32)outcome->lost_statements;
    words[12] = (u32)outcome->lost_items;
    store_put_names(self->store, progress_key(file), words, PROGRESS_WORDS);
}

static bool progress_get(Extraction *self, u32 index, SourceFile *before) {
    u32 count;
    const SourceFile *file = &self->scan.files.items[index];
    u32 *words = store_get_names(self->store, progress_key(file), &count);
    bool found = words && count == PROGRESS_WORDS;
    if (found) {
        Key keys[2];
        memcpy(keys, words, sizeof keys);
        *before = (SourceFile){.content = file->content, .tree = keys[0], .environment = keys[1]};
        self->outcomes[index] = (UnitOutcome){.functions = words[8],
                                              .body_bytes = words[9],
                                              .lost_bytes = words[10],
                                              .lost_statements = words[11],
                                              .lost_items = words[12]};
    }
    free(words);
    return found;
}

// Same bytes, and every macro it names is what it was?
static bool still_right(Extraction *self, Worker *worker, u32 index) {
    SourceFile *file = &self->scan.files.items[index];
    const SourceFile *before = file_before(self, file->path);
    SourceFile unfinished;
    if (self->interrupted && (!before || !key_equal(before->content, file->content)) &&
        progress_get(self, index, &unfinished))
        before = &unfinished;
    if (!before || !key_equal(before->content, file->content) || (!before->tree.a && !before->tree.b))
        return false;
    if (!store_has_tree(self->store, before->tree))
        return false;
    if (!self->headers_same || before == &unfinished) {
        u32 count;
        u32 *hashes = store_get_names(self->store, before->tree, &count);
        if (!hashes)
            return false;
        size_t size;
        char *text = self->harvest.files[index].text ? NULL : file_read(file->full, &size);
        unit_begin(worker, index);
        worker->lexed.directives.count = 0;
        if (text) // a source's own includes decide what it sees
            lex_directives(&worker->lexed.directives, text, size);
        Key environment = unit_environment(worker, hashes, count);
        free(hashes);
        free(text);
        if (!key_equal(environment, before->environment))
            return false;
    }
    file->environment = before->environment;
    file->tree = before->tree;
    return true;
}

static void extract_one(void *context, u32 worker, u32 index) {
    Extraction *self = context;
    if (self->shards && index % self->shards != self->shard)
        return;
    if (still_right(self, self->workers[worker], index)) {
        reuse_outcome(self, index);
    } else {
        self->outcomes[index] = (UnitOutcome){0};
        extract_parse(self, self->workers[worker], index);
    }
    progress_step(self->scan.files.items[index].size);
}

// remembered outcomes -----------------------------------------------------------

static void put_text(Buffer *out, const char *text) {
    size_t length = text ? strlen(text) : 0;
    buffer_u64(out, length);
    buffer_put(out, text, length);
}

static char *get_text(Reader *in) { // malloc'd; NULL: none
    size_t length = reader_u64(in);
    const u8 *bytes = reader_bytes(in, length);
    if (!bytes || !length)
        return NULL;
    char *text = must_zero(length + 1);
    return memcpy(text, bytes, length);
}

static void save_outcomes(Extraction *self) {
    Buffer out = {0};
    buffer_u64(&out, self->scan.files.count);
    for (u32 i = 0; i < self->scan.files.count; i++) {
        const UnitOutcome *outcome = &self->outcomes[i];
        buffer_u64(&out, self->scan.files.items[i].tree.a);
        buffer_u64(&out, outcome->functions);
        buffer_u64(&out, outcome->body_bytes);
        buffer_u64(&out, outcome->lost_bytes);
        buffer_u64(&out, outcome->lost_statements);
        buffer_u64(&out, outcome->lost_items);
        put_text(&out, outcome->why);
        put_text(&out, outcome->trouble);
    }
    store_set_meta(self->store, "outcomes", out.bytes, out.size);
    buffer_free(&out);
}

static void load_outcomes(Extraction *self) {
    size_t size;
    char *bytes = store_get_meta(self->store, "outcomes", &size);
    if (!bytes)
        return;
    Reader in = {(u8 *)bytes, (u8 *)bytes + size, false};
    for (u64 left = reader_u64(&in); left && !in.bad; left--) {
        u64 tree = reader_u64(&in);
        UnitOutcome outcome = {.functions = reader_u32(&in)};
        outcome.body_bytes = reader_u64(&in);
        outcome.lost_bytes = reader_u64(&in);
        outcome.lost_statements = reader_u64(&in);
        outcome.lost_items = reader_u64(&in);
        outcome.why = get_text(&in);
        outcome.trouble = get_text(&in);
        outcome.failed = !tree;
        array_push(&self->old_outcomes, outcome);
        if (tree && !in.bad)
            *map_put(&self->outcome_by_tree, tree, NULL) = self->old_outcomes.count;
    }
    free(bytes);
}

// the whole -------------------------------------------------------------------

static u64 hash_texts(const char *const *texts, u32 count, u64 seed) {
    for (u32 i = 0; i < count; i++)
        seed = hash_bytes(texts[i], strlen(texts[i]), seed + 1);
    return hash_mix(seed, count);
}

// Everything besides the tree that decides what extraction gives.
static u64 input_hash(const ExtractOptions *options) {
    u64 hash = hash_bytes(RACERX_VERSION, strlen(RACERX_VERSION), TREE_VERSION);
    hash = hash_texts(options->defines, options->define_count, hash);
    hash = hash_texts(options->undefines, options->undefine_count, hash + 1);
    hash =
        hash_texts(options->declare.presets, options->declare.preset_count, hash + (options->declare.presets != NULL));
    for (u32 i = 0; i < builtin_preset_count; i++)
        hash = hash_bytes(builtin_presets[i].text, builtin_presets[i].length, hash);
    for (u32 i = 0; i < options->declare.script_count; i++) {
        size_t size = 0;
        char *text = file_read(options->declare.scripts[i], &size);
        hash = hash_bytes(text ? text : "", size, hash + i);
        free(text);
    }
    return hash;
}

static u64 commands_hash(const Scan *scan) {
    u64 hash = scan->commands.count;
    for (u32 i = 0; i < scan->commands.count; i++) {
        char **lists[] = {scan->commands.items[i].defines, scan->commands.items[i].undefines,
                          scan->commands.items[i].includes};
        for (u32 k = 0; k < 3; k++)
            for (char **at = lists[k]; at && *at; at++)
                hash = hash_bytes(*at, strlen(*at), hash + k);
    }
    for (u32 i = 0; i < scan->files.count; i++)
        hash = hash_mix(hash, (u64)scan->files.items[i].command + 7);
    return hash;
}

static bool same_as_before(const Extraction *self) {
    if (self->before.count != self->scan.files.count)
        return false;
    for (u32 i = 0; i < self->scan.files.count; i++) {
        const SourceFile *now = &self->scan.files.items[i], *then = &self->before.items[i];
        if (strcmp(now->path, then->path) || strcmp(now->full, then->full) || now->size != then->size ||
            now->mtime != then->mtime || now->kind != then->kind)
            return false;
        if (!then->content.a && !then->content.b) // it could not be read; perhaps it can now
            return false;
    }
    return true;
}

// Headers, their places and the options: what every environment is made of.
static u64 headers_hash(const Extraction *self, u64 input) {
    u64 hash = input;
    for (u32 i = 0; i < self->scan.files.count; i++) {
        const SourceFile *file = &self->scan.files.items[i];
        hash = hash_bytes(file->path, strlen(file->path), hash); // which header an include means depends on all
        if (self->harvest.files[i].text)
            hash = hash_mix(hash, file->content.a ^ file->content.b);
    }
    return hash_mix(hash, declarations_key(self->declarations).a);
}

static u64 meta_u64(Store *store, const char *name) {
    size_t size;
    char *bytes = store_get_meta(store, name, &size);
    u64 value = 0;
    if (bytes && size == 8)
        memcpy(&value, bytes, 8);
    free(bytes);
    return value;
}

static u32 count_calls(void *context, const char *name) {
    const Harvest *harvest = context;
    u32 calls = names_count(&harvest->calls, name, (u32)strlen(name));
    return calls ? calls : names_count(&harvest->header_calls, name, (u32)strlen(name)); // behind macros and inline
}

static void fill_stats(Extraction *self, ExtractStats *stats) {
    for (u32 i = 0; i < self->scan.files.count; i++) {
        const UnitOutcome *outcome = &self->outcomes[i];
        stats->files += !outcome->failed;
        stats->bytes += outcome->failed ? 0 : self->scan.files.items[i].size;
        stats->sources += !outcome->failed && self->scan.files.items[i].kind != FILE_HEADER;
        stats->headers += !outcome->failed && self->scan.files.items[i].kind == FILE_HEADER;
        stats->parsed += outcome->parsed;
        stats->reused += !outcome->parsed && !outcome->failed;
        stats->functions += outcome->functions;
        stats->body_bytes += outcome->body_bytes;
        stats->lost_bytes += outcome->lost_bytes;
        stats->lost_statements += outcome->lost_statements;
        stats->lost_items += outcome->lost_items;
        u32 place = stats->worst_count;
        while (place > 0 && stats->worst[place - 1].bytes < outcome->lost_bytes)
            place--;
        if (!outcome->lost_bytes || place == 10)
            continue;
        if (stats->worst_count == 10) {
            free(stats->worst[9].file);
            free(stats->worst[9].why);
        } else {
            stats->worst_count++;
        }
        memmove(&stats->worst[place + 1], &stats->worst[place], sizeof(WorstFile) * (stats->worst_count - 1 - place));
        stats->worst[place] = (WorstFile){must_strdup(self->scan.files.items[i].path), (u32)outcome->lost_bytes,
                                          must_strdup(outcome->why ? outcome->why : "")};
    }
    for (u32 i = 0; self->workers && i < self->jobs; i++) {
        stats->macros_expanded += self->workers[i]->macros_expanded;
        stats->limits += self->workers[i]->limits;
    }
    stats->macros_known = self->harvest.macros.count;
    stats->skipped = skip_count();
}

static void load_before(Extraction *self) {
    store_load_files(self->store, &self->before);
    for (u32 i = 0; i < self->before.count; i++)
        *map_put(&self->before_by_path, hash_bytes(self->before.items[i].path, strlen(self->before.items[i].path), 0),
                 NULL) = i + 1;
    load_outcomes(self);
}

static void name_presets(const Declarations *declarations, ExtractStats *stats) {
    u32 count;
    const char *const *names = declarations_presets(declarations, &count);
    Buffer text = {0};
    for (u32 i = 0; i < count; i++)
        buffer_format(&text, "%s%s", i ? ", " : "", names[i]);
    buffer_byte(&text, 0);
    stats->presets = (char *)text.bytes;
}

static void harvest_all(Extraction *self, const ExtractOptions *options, ExtractStats *stats) {
    double start = clock_seconds();
    harvest_scan(&self->harvest, &self->scan, self->jobs);
    DeclareOptions declare = options->declare;
    declare.count = count_calls;
    declare.context = &self->harvest;
    self->declarations = declarations_load(&declare);
    name_presets(self->declarations, stats);
    harvest_index(&self->harvest);
    alternatives_choose(&self->harvest, self->declarations);
    self->workers = must_zero(sizeof(Worker *) * self->jobs);
    for (u32 i = 0; i < self->jobs; i++) {
        self->workers[i] = worker_new(&self->harvest, &self->defines);
        self->workers[i]->declarations = self->declarations;
    }
    harvest_choose(&self->harvest, self->workers, self->jobs);
    stats->seconds_harvest = clock_seconds() - start;
    stats->memory_harvest = memory_peak_bytes();
}

static void extract_all(Extraction *self, const ExtractOptions *options, u64 input, ExtractStats *stats) {
    harvest_all(self, options, stats);
    u64 headers = headers_hash(self, input);
    self->headers_same = headers == meta_u64(self->store, "headers");
    u64 unfinished = 2, total = 0;
    self->interrupted = meta_u64(self->store, "input") == unfinished;
    store_set_meta(self->store, "input", &unfinished, 8); // until we are done, nothing is complete
    for (u32 i = 0; i < self->scan.files.count; i++)
        total += self->scan.files.items[i].size;
    double start = clock_seconds();
    progress_begin("extract", total);
    parallel_for(self->jobs, self->scan.files.count, extract_one, self);
    progress_end();
    stats->seconds_trees = clock_seconds() - start;
    stats->memory_trees = memory_peak_bytes();
    start = clock_seconds();
    if (self->shards) { // whoever has all parts completes them
        store_commit(self->store);
        return;
    }
    save_outcomes(self);
    store_set_meta(self->store, "presets", stats->presets, strlen(stats->presets) + 1);
    store_save_files(self->store, self->scan.files.items, self->scan.files.count);
    store_set_meta(self->store, "headers", &headers, 8);
    store_set_meta(self->store, "input", &input, 8);
    store_commit(self->store);
    stats->seconds_store = clock_seconds() - start;
}

static void extraction_free(Extraction *self) {
    for (u32 i = 0; self->workers && i < self->jobs; i++) {
        parsing_free(self->workers[i]);
        worker_free(self->workers[i]);
    }
    free(self->workers);
    for (u32 i = 0; i < self->scan.files.count; i++)
        free(self->outcomes[i].why), free(self->outcomes[i].trouble);
    free(self->outcomes);
    for (u32 i = 0; i < self->old_outcomes.count; i++)
        free(self->old_outcomes.items[i].why), free(self->old_outcomes.items[i].trouble);
    array_free(&self->old_outcomes);
    map_free(&self->outcome_by_tree);
    map_free(&self->before_by_path);
    source_files_free(&self->before);
    if (self->declarations)
        declarations_free(self->declarations);
    harvest_free(&self->harvest);
    scan_free(&self->scan);
}

// Of a file without a tree: outcomes are kept in the order of the files.
static const char *remembered_trouble(const Extraction *self, u32 index) {
    const char *trouble = index < self->old_outcomes.count ? self->old_outcomes.items[index].trouble : NULL;
    return trouble ? trouble : "could not be read";
}

void extract(const ExtractOptions *options, Store *store, ExtractStats *stats) {
    Extraction self = {
        .store = store,
        .jobs = options->jobs ? options->jobs : cpu_count(),
        .shard = options->shard,
        .shards = options->shards,
        .defines = {options->defines, options->define_count, options->undefines, options->undefine_count}};
    *stats = (ExtractStats){0};
    double start = clock_seconds();
    scan(&options->scan, &self.scan);
    self.outcomes = must_zero(sizeof(UnitOutcome) * (self.scan.files.count + 1));
    stats->seconds_scan = clock_seconds() - start;
    u64 input = hash_mix(input_hash(options), commands_hash(&self.scan)) | 1;
    load_before(&self);
    if (!self.shards && meta_u64(store, "input") == input && same_as_before(&self)) {
        for (u32 i = 0; i < self.scan.files.count; i++) {
            self.scan.files.items[i].tree = self.before.items[i].tree;
            self.outcomes[i].failed = !self.before.items[i].tree.a;
            if (self.outcomes[i].failed)
                skip(self.scan.files.items[i].path, "%s", remembered_trouble(&self, i));
            reuse_outcome(&self, i);
        }
        size_t size;
        stats->presets = store_get_meta(store, "presets", &size);
    } else {
        extract_all(&self, options, input, stats);
    }
    fill_stats(&self, stats);
    extraction_free(&self);
}
