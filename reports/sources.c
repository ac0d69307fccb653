// sources.c: lines of the analysed files.
// In: the list of files that were analysed, with the key of what each held. Out: its lines, once it is asked for.
// Invariant: a line is only given from bytes whose key is the analysed one.
#include "reports/reports.h"

typedef struct {
    char *path;  // as shown
    char *full;  // as opened
    Key content; // of what was analysed
    bool tried;  // the next three say what came of it
    SourceState state;
    char *text;       // the whole file; NULL unless SOURCE_READ
    Array(u32) lines; // where each begins, and the end
} SourceText;

struct Sources {
    Array(SourceText) files; // sorted by path once asked
    bool sorted;
};

Sources *sources_make(void) { return must_zero(sizeof(Sources)); }

void sources_free(Sources *self) {
    if (!self)
        return;
    for (u32 i = 0; i < self->files.count; i++) {
        free(self->files.items[i].path);
        free(self->files.items[i].full);
        free(self->files.items[i].text);
        array_free(&self->files.items[i].lines);
    }
    array_free(&self->files);
    free(self);
}

void sources_add(Sources *self, const char *path, const char *full, Key content) {
    array_push(&self->files, ((SourceText){.path = must_strdup(path), .full = must_strdup(full), .content = content}));
    self->sorted = false;
}

static int compare_sources(const void *a, const void *b) {
    return strcmp(((const SourceText *)a)->path, ((const SourceText *)b)->path);
}

static void split_lines(SourceText *self, size_t size) {
    array_push(&self->lines, 0);
    for (size_t i = 0; i < size; i++)
        if (self->text[i] == '\n' && i + 1 < size)
            array_push(&self->lines, (u32)(i + 1));
    array_push(&self->lines, (u32)size);
}

static void read_source(SourceText *self) {
    size_t size;
    self->tried = true;
    self->text = file_read(self->full, &size);
    self->state = !self->text                                             ? SOURCE_MISSING
                  : key_equal(key_bytes(self->text, size), self->content) ? SOURCE_READ
                                                                          : SOURCE_CHANGED;
    if (self->state == SOURCE_READ && size < UINT32_MAX) {
        split_lines(self, size);
        return;
    }
    free(self->text);
    self->text = NULL;
}

static SourceText *look_up(Sources *self, const char *path) {
    if (!self->sorted && self->files.count)
        qsort(self->files.items, self->files.count, sizeof(SourceText), compare_sources);
    self->sorted = true;
    SourceText wanted = {.path = (char *)path};
    return self->files.count ? bsearch(&wanted, self->files.items, self->files.count, sizeof wanted, compare_sources)
                             : NULL;
}

bool sources_known(Sources *self, const char *path) { return look_up(self, path) != NULL; }

static SourceText *find_source(Sources *self, const char *path) {
    SourceText *source = look_up(self, path);
    if (source && !source->tried)
        read_source(source);
    return source;
}

SourceState sources_state(Sources *self, const char *path) {
    const SourceText *source = self ? find_source(self, path) : NULL;
    return source ? source->state : SOURCE_UNKNOWN;
}

const char *sources_line(Sources *self, const char *path, u32 line, u32 *length) {
    const SourceText *source = self ? find_source(self, path) : NULL;
    *length = 0;
    if (!source || !source->text || !line || line >= source->lines.count)
        return NULL;
    u32 from = source->lines.items[line - 1], to = source->lines.items[line];
    while (to > from && (source->text[to - 1] == '\n' || source->text[to - 1] == '\r'))
        to--;
    *length = to - from;
    return source->text + from;
}

const char *sources_full(Sources *self, const char *path) {
    const SourceText *source = self ? find_source(self, path) : NULL;
    return source ? source->full : NULL;
}

const char *sources_from(Sources *self, const char *here, const char *path) {
    const char *full = sources_full(self, path);
    size_t length = strcmp(here, "/") ? strlen(here) : 0;
    return full && *here && !strncmp(full, here, length) && full[length] == '/' ? full + length + 1 : path;
}

const char *source_state_text(SourceState state) {
    static const char *const texts[] = {[SOURCE_READ] = "",
                                        [SOURCE_CHANGED] = "the file has changed since it was analysed",
                                        [SOURCE_MISSING] = "the file cannot be read any more",
                                        [SOURCE_UNKNOWN] = "the file is not one of those analysed"};
    return texts[state];
}

bool finding_shown(const Finding *finding, const ReportOptions *options) {
    return !finding->left_out && (options->all || (!finding->below_line && !*finding->suppressed));
}
