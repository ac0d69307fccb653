// verdict_lines.c: verdicts as JSON lines, the one format they have everywhere: beside the database, in exports, in
// bench/verdicts. In: a file. Out: its lines; lines, appended.
//
// The file is the truth and is only ever added to: people read it in a diff, keep it under version control, merge it
// and delete the database. A line that cannot be read is skipped and said; the others count. Writers take turns; a line
// is there whole, and on the disk, or not at all; after one that a crash broke off, the next begins on a line of its
// own.
#include "extract/store.h"
#include "racerx/findings/findings.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

char *beside_path(Store *store, const char *suffix) {
    const char *database = sqlite3_db_filename(store_handle(store), "main");
    if (!database || !*database)
        return NULL;
    size_t length = strlen(database);
    length -= length > 3 && !strcmp(database + length - 3, ".db") ? 3 : 0;
    char *path = must_alloc(length + strlen(suffix) + 1);
    memcpy(path, database, length);
    strcpy(path + length, suffix);
    return path;
}

char *verdicts_path(Store *store) { return beside_path(store, VERDICTS_SUFFIX); }

// reading -------------------------------------------------------------------------

static const char *text_of(FindingList *texts, const json_t *object, const char *name) {
    const char *text = json_string_value(json_object_get(object, name));
    return text ? findings_text(texts, "%s", text) : "";
}

static u32 number_of(const json_t *object, const char *name) {
    json_int_t value = json_integer_value(json_object_get(object, name));
    return value < 0 || value > UINT32_MAX ? 0 : (u32)value;
}

static bool read_line(const char *text, size_t size, FindingList *texts, VerdictLine *out) {
    json_t *object = json_loadb(text, size, 0, NULL);
    *out = (VerdictLine){.id = text_of(texts, object, "id"),
                         .note = text_of(texts, object, "note"),
                         .reviewer = text_of(texts, object, "reviewer"),
                         .kind = text_of(texts, object, "kind"),
                         .object = text_of(texts, object, "object"),
                         .lock = text_of(texts, object, "lock"),
                         .file = text_of(texts, object, "file"),
                         .function = text_of(texts, object, "function"),
                         .line = number_of(object, "line"),
                         .fingerprint = number_of(object, "fingerprint"),
                         .time = json_integer_value(json_object_get(object, "time"))};
    const char *word = json_string_value(json_object_get(object, "verdict"));
    bool good = word && verdict_by_word(word, &out->verdict);
    json_decref(object);
    return good;
}

bool verdict_lines_read(const char *path, FindingList *texts, VerdictLineArray *out) {
    FILE *file = path ? fopen(path, "rb") : NULL;
    char *text = NULL;
    size_t room = 0;
    u32 number = 0, bad = 0, first = 0;
    if (!file && path && errno != ENOENT)
        fatal("cannot read the verdicts in %s: %s", quote_path(path), strerror(errno));
    if (!file)
        return false;
    for (ssize_t size; (size = getline(&text, &room, file)) > 0;) {
        VerdictLine line;
        number++;
        if (text[strspn(text, " \t\r\n")] == 0)
            continue;
        if (read_line(text, (size_t)size, texts, &line))
            array_push(out, line);
        else
            first = bad++ ? first : number;
    }
    free(text);
    if (ferror(file) || !feof(file)) // else memory was out in the middle
        fatal("cannot read the verdicts in %s: %s", quote_path(path), strerror(errno));
    fclose(file);
    if (bad)
        note("%s:%u: no verdict can be read from this line%s: it is passed over", path, first,
             bad > 1 ? ", and others" : "");
    return true;
}

// writing -------------------------------------------------------------------------

static void put_string(Buffer *out, const char *key, const char *text) {
    buffer_text(out, key);
    buffer_json(out, text, strlen(text));
}

void verdict_line_put(Buffer *out, const VerdictLine *line) {
    put_string(out, "{\"kind\":", line->kind);
    put_string(out, ",\"file\":", line->file);
    buffer_format(out, ",\"line\":%u", line->line);
    put_string(out, ",\"function\":", line->function);
    put_string(out, ",\"object\":", line->object);
    put_string(out, ",\"lock\":", line->lock);
    put_string(out, ",\"verdict\":", verdict_word(line->verdict));
    put_string(out, ",\"note\":", line->note);
    put_string(out, ",\"reviewer\":", line->reviewer);
    put_string(out, ",\"id\":", line->id);
    buffer_format(out, ",\"fingerprint\":%u,\"time\":%lld}\n", line->fingerprint, (long long)line->time);
}

VerdictLine verdict_line_of(const Finding *finding, Verdict verdict, const char *note, const char *reviewer, i64 time) {
    return (VerdictLine){.id = finding->id,
                         .verdict = verdict,
                         .note = note,
                         .reviewer = reviewer,
                         .kind = kind_word(finding->kind),
                         .object = finding->object,
                         .lock = finding->lock,
                         .file = finding->file,
                         .function = finding->function,
                         .line = finding->line,
                         .fingerprint = FINGERPRINT_VERSION,
                         .time = time};
}

// Behind what is there: a last line that broke off is closed first. What cannot be written whole is taken back.
static bool append(int file, const Buffer *lines) {
    off_t end = lseek(file, 0, SEEK_END);
    char last = '\n';
    if (end < 0 || (end && pread(file, &last, 1, end - 1) != 1))
        return false;
    bool written = (last == '\n' || descriptor_write(file, "\n", 1)) &&
                   descriptor_write(file, lines->bytes, lines->size) && !fsync(file);
    int why = errno;
    if (!written && ftruncate(file, end))
        errno = why;
    errno = why;
    return written;
}

// A name that is new is on the disk when its directory is.
static bool sync_directory(const char *path) {
    const char *slash = strrchr(path, '/');
    char *directory = slash ? must_strdup(path) : must_strdup(".");
    if (slash)
        directory[slash > path ? slash - path : 1] = 0;
    int file = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(directory);
    bool synced = file >= 0 && (!fsync(file) || errno == EINVAL);
    if (file >= 0)
        close(file);
    return synced;
}

void lines_append(const char *path, const Buffer *lines, const char *what) {
    struct stat info;
    bool fresh = lstat(path, &info);
    int file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    bool written = file >= 0 && !fstat(file, &info);
    if (written && !S_ISREG(info.st_mode))
        fatal("%s was not saved: %s is no file", what, quote_path(path));
    while (written && flock(file, LOCK_EX))
        written = errno == EINTR;
    written = written && append(file, lines) && (!fresh || sync_directory(path));
    int why = errno;
    if (file >= 0)
        close(file);
    if (!written)
        fatal("%s was not saved: %s: %s", what, quote_path(path),
              why == ELOOP ? "it is a link: name the database beside the file itself" : strerror(why));
}

void verdict_lines_append(const char *path, const Buffer *lines) { lines_append(path, lines, "the verdict"); }

// fitting -------------------------------------------------------------------------

static bool same_or_open(const char *said, const char *found) { return !*said || !strcmp(said, found); }

// How far a finding is from what a line describes, in lines; UINT32_MAX: it is another one.
static u32 distance_of(const VerdictLine *line, const Finding *finding) {
    u32 apart = line->line > finding->line ? line->line - finding->line : finding->line - line->line;
    if (strcmp(line->kind, kind_word(finding->kind)) || strcmp(line->file, finding->file) ||
        !same_or_open(line->object, finding->object) || !same_or_open(line->function, finding->function))
        return UINT32_MAX;
    return *line->function || *line->object || !apart ? apart : UINT32_MAX;
}

Finding *verdict_line_fits(const FindingList *findings, const VerdictLine *line) {
    Finding *best = NULL;
    u32 nearest = UINT32_MAX;
    for (u32 i = 0; i < findings->items.count; i++) {
        Finding *finding = findings->items.items[i];
        if (*line->id && !strcmp(finding->id, line->id))
            return finding;
        u32 distance = line->fingerprint == FINGERPRINT_VERSION ? UINT32_MAX : distance_of(line, finding);
        if (distance < nearest)
            best = finding, nearest = distance;
    }
    return best;
}
