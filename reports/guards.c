// guards.c: which lock guards what, as text or as JSON lines.
// In: FindingList.guards. Out: as text, for each object its name and lock, a line of numbers under one heading, and the
// lines that go without the lock; as JSON, one object on a line. In their order.
#include "reports/reports.h"

#define COLUMNS 80

static double shown(double z) { return z > -0.005 && z < 0.005 ? 0 : z; } // no "-0.00"

static u32 more_lines(const GuardRow *row) {
    return row->lines > row->exceptions.count ? row->lines - row->exceptions.count : 0;
}

static void put_json(Buffer *out, const GuardRow *row) {
    buffer_text(out, "{\"object\":");
    buffer_json(out, row->object, strlen(row->object));
    buffer_text(out, ",\"lock\":");
    buffer_json(out, row->lock, strlen(row->lock));
    buffer_format(out, ",\"s\":%u,\"f\":%u,\"z\":%.2f,\"s_any\":%u,\"f_any\":%u,\"z_any\":%.2f", row->with,
                  row->without, shown(row->z), row->with_any, row->without_any, shown(row->z_any));
    buffer_format(out, ",\"same_object\":%u,\"only\":%u,\"first\":%u,\"last\":%u,\"exceptions\":[", row->same,
                  row->only, row->first, row->last);
    for (u32 i = 0; i < row->exceptions.count; i++) {
        const GuardException *one = &row->exceptions.items[i];
        buffer_text(out, i ? ",{\"file\":" : "{\"file\":");
        buffer_json(out, one->file, strlen(one->file));
        buffer_format(out, ",\"line\":%u,\"function\":", one->line);
        buffer_json(out, one->function, strlen(one->function));
        buffer_format(out, ",\"role\":\"%s\"}", role_word(one->role));
    }
    buffer_format(out, "],\"more\":%u}\n", more_lines(row));
}

// "OBJECT under LOCK", the lock on a line of its own where one is too short.
static void put_names(Buffer *out, const GuardRow *row, bool colour) {
    u32 wide, wider;
    char *object = printable_text(row->object, &wide), *lock = printable_text(row->lock, &wider);
    bool fits = wide + wider + 7 <= COLUMNS;
    buffer_format(out, "%s%s%s%sunder %s\n", colour ? "\033[1m" : "", object, colour ? "\033[0m" : "",
                  fits ? " " : "\n    ", lock);
    free(object);
    free(lock);
}

static void put_exception(Buffer *out, const GuardException *one) {
    u32 wide, wider;
    char *file = printable_text(one->file, &wide), *function = printable_text(one->function, &wider);
    bool wrong = one->role == ROLE_WRONG_LOCK_READ || one->role == ROLE_WRONG_LOCK_WRITE;
    const char *how = wrong ? ", wrong lock" : "";
    size_t width = strlen("    not in ") + wider + 1 + wide + 11 + strlen(role_verb(one->role)) + 3 + strlen(how);
    buffer_format(out, "    not in %s%s%s:%u (%s%s)\n", function, width <= COLUMNS ? " " : "\n      ", file, one->line,
                  role_verb(one->role), how);
    free(file);
    free(function);
}

static void put_text(Buffer *out, const GuardRow *row, bool colour) {
    put_names(out, row, colour);
    buffer_format(out, "    %6u %6u %7.2f %6u  %6u %6u %7.2f  %5u %5u %5u\n", row->with, row->without, shown(row->z),
                  row->same, row->with_any, row->without_any, shown(row->z_any), row->only, row->first, row->last);
    for (u32 i = 0; i < row->exceptions.count; i++)
        put_exception(out, &row->exceptions.items[i]);
    if (more_lines(row))
        buffer_format(out, "    and %u more line%s\n", more_lines(row), more_lines(row) == 1 ? "" : "s");
}

void report_guards(const FindingList *findings, const ReportOptions *options, bool jsonl, Buffer *out) {
    u32 count = findings->guards.count, most = options->most && options->most < count ? options->most : count;
    if (!jsonl && count)
        buffer_format(out, "    %6s %6s %7s %6s  %6s %6s %7s  %5s %5s %5s\n", "S", "F", "z", "same", "S any", "F any",
                      "z any", "only", "first", "last");
    for (u32 i = 0; i < most; i++)
        if (jsonl)
            put_json(out, &findings->guards.items[i]);
        else
            put_text(out, &findings->guards.items[i], options->colour);
    if (!jsonl && most < count)
        buffer_format(out, "%u of %u objects\n", most, count);
}
