// witness_lines.c: what runs under steering showed, as JSON lines in a file beside the database. In: witnesses, or the
// file. Out: the file, added to; the best witness of each finding.
//
// Like verdicts (verdict_lines.c) the lines are the truth and are only ever added to. A witness stays true when a later
// run does not see it again: of several of one finding the best outcome counts, of equals the last.
#include "extract/store.h"
#include "racerx/findings/findings.h"

#include <errno.h>
#include <jansson.h>

static const struct {
    const char *word, *text;
} outcomes[OUTCOME_COUNT] = {
    {"", "it was never tried"},
#define OUTCOME(name, word, text) {word, text},
#include "racerx/findings/outcomes.def"
#undef OUTCOME
};

const char *outcome_word(RunOutcome outcome) { return outcomes[outcome].word; }
const char *outcome_text(RunOutcome outcome) { return outcomes[outcome].text; }

static RunOutcome outcome_by_word(const char *word) {
    for (u32 i = 1; word && i < OUTCOME_COUNT; i++)
        if (!strcmp(outcomes[i].word, word))
            return (RunOutcome)i;
    return OUTCOME_NONE;
}

// filling -------------------------------------------------------------------------

static void *grown(FindingList *texts, void *items, u32 count, u32 *capacity, size_t size) {
    if (count < *capacity)
        return items;
    *capacity = *capacity ? *capacity * 2 : 4;
    void *fresh = arena_zero(&texts->arena, *capacity * size);
    if (count)
        memcpy(fresh, items, count * size);
    return fresh;
}
#define push(texts, rows, value)                                                                                       \
    do {                                                                                                               \
        (rows)->items = grown(texts, (rows)->items, (rows)->count, &(rows)->capacity, sizeof *(rows)->items);          \
        (rows)->items[(rows)->count++] = (value);                                                                      \
    } while (0)

static WitnessFrame frame_copy(FindingList *texts, WitnessFrame frame) {
    frame.function = findings_text(texts, "%s", frame.function);
    frame.file = findings_text(texts, "%s", frame.file);
    return frame;
}

WitnessSide *witness_add_side(FindingList *texts, RunWitness *self) {
    WitnessSide side = {.name = "", .start = "", .does = "", .object = ""};
    push(texts, &self->sides, side);
    return &self->sides.items[self->sides.count - 1];
}

void witness_add_frame(FindingList *texts, WitnessSide *side, WitnessFrame frame) {
    push(texts, &side->stack, frame_copy(texts, frame));
}

void witness_add_lock(FindingList *texts, WitnessSide *side, const char *name, WitnessFrame from) {
    WitnessLock lock = {findings_text(texts, "%s", name), frame_copy(texts, from)};
    push(texts, &side->locks, lock);
}

void witness_add_line(FindingList *texts, RunWitness *self, WitnessLine line) {
    line.file = findings_text(texts, "%s", line.file);
    push(texts, &self->lines, line);
}

// writing -------------------------------------------------------------------------

static void put_string(Buffer *out, const char *key, const char *text) {
    buffer_text(out, key);
    buffer_json(out, text, strlen(text));
}

static void put_frame(Buffer *out, const WitnessFrame *frame) {
    put_string(out, "\"function\":", frame->function);
    put_string(out, ",\"file\":", frame->file);
    buffer_format(out, ",\"line\":%u}", frame->line);
}

static void put_side(Buffer *out, const WitnessSide *side) {
    buffer_format(out, "{\"thread\":%u", side->thread);
    put_string(out, ",\"name\":", side->name);
    put_string(out, ",\"start\":", side->start);
    put_string(out, ",\"does\":", side->does);
    put_string(out, ",\"object\":", side->object);
    buffer_text(out, ",\"stack\":[");
    for (u32 i = 0; i < side->stack.count; i++) {
        buffer_text(out, i ? ",{" : "{");
        put_frame(out, &side->stack.items[i]);
    }
    buffer_text(out, "],\"locks\":[");
    for (u32 i = 0; i < side->locks.count; i++) {
        put_string(out, i ? ",{\"lock\":" : "{\"lock\":", side->locks.items[i].name);
        buffer_byte(out, ',');
        put_frame(out, &side->locks.items[i].from);
    }
    buffer_text(out, "]}");
}

// All but the bracket that opens it.
static void put_fields(Buffer *out, const RunWitness *witness) {
    put_string(out, "\"outcome\":", outcome_word(witness->outcome));
    put_string(out, ",\"said\":", witness->note);
    put_string(out, ",\"before\":", witness->before);
    put_string(out, ",\"after\":", witness->after);
    buffer_format(out, ",\"seed\":%llu,\"runs\":%u", (unsigned long long)witness->seed, witness->runs);
    put_string(out, ",\"command\":", witness->command);
    buffer_text(out, ",\"ran\":[");
    for (u32 i = 0; i < witness->lines.count; i++) {
        put_string(out, i ? ",{\"file\":" : "{\"file\":", witness->lines.items[i].file);
        buffer_format(out, ",\"line\":%u,\"times\":%llu}", witness->lines.items[i].line,
                      (unsigned long long)witness->lines.items[i].ran);
    }
    buffer_text(out, "],\"sides\":[");
    for (u32 i = 0; i < witness->sides.count; i++) {
        buffer_text(out, i ? "," : "");
        put_side(out, &witness->sides.items[i]);
    }
    buffer_format(out, "],\"time\":%lld}", (long long)witness->time);
}

void witness_put(Buffer *out, const RunWitness *witness) {
    buffer_byte(out, '{');
    put_fields(out, witness);
}

void witness_line_put(Buffer *out, const Finding *finding, const RunWitness *witness) {
    put_string(out, "{\"kind\":", kind_word(finding->kind));
    put_string(out, ",\"file\":", finding->file);
    buffer_format(out, ",\"line\":%u", finding->line);
    put_string(out, ",\"function\":", finding->function);
    put_string(out, ",\"object\":", finding->object);
    put_string(out, ",\"id\":", finding->id);
    buffer_format(out, ",\"fingerprint\":%u,", FINGERPRINT_VERSION);
    put_fields(out, witness);
    buffer_byte(out, '\n');
}

void witnesses_append(Store *store, const Buffer *lines) {
    char *path = beside_path(store, WITNESSES_SUFFIX);
    if (path)
        lines_append(path, lines, "what the runs showed");
    free(path);
}

// reading -------------------------------------------------------------------------

static const char *text_of(FindingList *texts, const json_t *object, const char *name) {
    const char *text = json_string_value(json_object_get(object, name));
    return text ? findings_text(texts, "%s", text) : "";
}
static u64 number_of(const json_t *object, const char *name) {
    json_int_t value = json_integer_value(json_object_get(object, name));
    return value < 0 ? 0 : (u64)value;
}
static WitnessFrame read_frame(FindingList *texts, const json_t *object) {
    return (WitnessFrame){text_of(texts, object, "function"), text_of(texts, object, "file"),
                          (u32)number_of(object, "line")};
}

static void read_side(FindingList *texts, const json_t *object, RunWitness *out) {
    WitnessSide *side = witness_add_side(texts, out);
    const json_t *stack = json_object_get(object, "stack"), *locks = json_object_get(object, "locks");
    side->thread = (u32)number_of(object, "thread");
    side->name = text_of(texts, object, "name");
    side->start = text_of(texts, object, "start");
    side->does = text_of(texts, object, "does");
    side->object = text_of(texts, object, "object");
    for (size_t i = 0; i < json_array_size(stack); i++)
        witness_add_frame(texts, side, read_frame(texts, json_array_get(stack, i)));
    for (size_t i = 0; i < json_array_size(locks); i++) {
        const json_t *lock = json_array_get(locks, i);
        witness_add_lock(texts, side, text_of(texts, lock, "lock"), read_frame(texts, lock));
    }
}

static RunWitness *read_witness(FindingList *texts, const json_t *object, RunOutcome outcome) {
    RunWitness *witness = arena_new(&texts->arena, RunWitness);
    const json_t *sides = json_object_get(object, "sides"), *lines = json_object_get(object, "ran");
    witness->outcome = outcome;
    witness->note = text_of(texts, object, "said");
    witness->before = text_of(texts, object, "before");
    witness->after = text_of(texts, object, "after");
    witness->command = text_of(texts, object, "command");
    witness->seed = number_of(object, "seed");
    witness->runs = (u32)number_of(object, "runs");
    witness->time = json_integer_value(json_object_get(object, "time"));
    for (size_t i = 0; i < json_array_size(sides); i++)
        read_side(texts, json_array_get(sides, i), witness);
    for (size_t i = 0; i < json_array_size(lines); i++) {
        const json_t *line = json_array_get(lines, i);
        witness_add_line(
            texts, witness,
            (WitnessLine){text_of(texts, line, "file"), (u32)number_of(line, "line"), number_of(line, "times")});
    }
    return witness;
}

static Finding *finding_by_id(const FindingList *self, const char *id) {
    for (u32 i = 0; id && *id && i < self->items.count; i++)
        if (!strcmp(self->items.items[i]->id, id))
            return self->items.items[i];
    return NULL;
}

static bool read_line(FindingList *self, const char *text, size_t size) {
    json_t *object = json_loadb(text, size, 0, NULL);
    RunOutcome outcome = outcome_by_word(json_string_value(json_object_get(object, "outcome")));
    Finding *finding = finding_by_id(self, json_string_value(json_object_get(object, "id")));
    if (outcome && finding && (!finding->witness || outcome <= finding->witness->outcome))
        finding->witness = read_witness(self, object, outcome);
    json_decref(object);
    return outcome != OUTCOME_NONE;
}

void witnesses_load(FindingList *self, Store *store) {
    char *path = beside_path(store, WITNESSES_SUFFIX), *text = NULL;
    FILE *file = path ? fopen(path, "rb") : NULL;
    size_t room = 0;
    u32 number = 0, bad = 0;
    if (!file && path && errno != ENOENT)
        fatal("cannot read %s: %s", quote_path(path), strerror(errno));
    for (ssize_t size; file && (size = getline(&text, &room, file)) > 0;) {
        number++;
        if (text[strspn(text, " \t\r\n")] && !read_line(self, text, (size_t)size))
            bad = bad ? bad : number;
    }
    if (file && (ferror(file) || !feof(file)))
        fatal("cannot read %s: %s", quote_path(path), strerror(errno));
    if (bad)
        note("%s:%u: this line cannot be read, and is passed over", path, bad);
    if (file)
        fclose(file);
    free(text);
    free(path);
}
