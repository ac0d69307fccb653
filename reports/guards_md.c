// guards_md.c: the locking rules of a program, or of a part of it, as a page in Markdown.
// In: FindingList.guards. Out: a table for each structure, and one for the globals of each file: what is guarded by
// what, how surely, and who goes without it. Only what is believed is a rule; what is doubtful is listed as such.
#include "reports/reports.h"

// "struct node.next" is of "struct node"; "cache.c:total" of "cache.c"; "jiffies" of nothing.
static size_t owner_length(const char *object) {
    const char *colon = strchr(object, ':'), *dot = strchr(object, '.');
    if (!strncmp(object, "struct ", 7) || !strncmp(object, "union ", 6))
        return dot ? (size_t)(dot - object) : strlen(object);
    return colon ? (size_t)(colon - object) : 0;
}

static int compare_guards(const void *left, const void *right) {
    const GuardRow *a = *(const GuardRow *const *)left, *b = *(const GuardRow *const *)right;
    size_t own = owner_length(a->object), other = owner_length(b->object);
    int order = strncmp(a->object, b->object, own < other ? own : other);
    if (!order && own != other)
        return own < other ? -1 : 1;
    return order ? order : strcmp(a->object, b->object);
}

// Text of the tree in a cell: nothing in it is markup.
static void put_cell(Buffer *out, const char *text, size_t size) {
    buffer_text(out, "`");
    for (size_t i = 0; i < size; i++)
        if (text[i] == '`' || text[i] == '|' || (u8)text[i] < ' ')
            buffer_byte(out, '?');
        else
            buffer_byte(out, (u8)text[i]);
    buffer_text(out, "`");
}

bool guard_is_sure(const GuardRow *row) { return row->with >= 2 && row->with >= 3 * row->without; }

static void put_rule(Buffer *out, const GuardRow *row) {
    size_t own = owner_length(row->object), skip = own ? own + 1 : 0;
    const char *name = strlen(row->object) > skip ? row->object + skip : row->object;
    buffer_text(out, "| ");
    put_cell(out, name, strlen(name));
    buffer_text(out, " | ");
    put_cell(out, row->lock, strlen(row->lock));
    buffer_format(out, "%s | %u of %u | ", guard_is_sure(row) ? "" : "?", row->with, row->with + row->without);
    for (u32 i = 0; i < row->exceptions.count; i++) {
        const GuardException *one = &row->exceptions.items[i];
        buffer_text(out, i ? ", " : "");
        put_cell(out, one->function, strlen(one->function));
        buffer_text(out, " ");
        put_cell(out, one->file, strlen(one->file));
        buffer_format(out, ":%u", one->line);
    }
    buffer_format(out, "%s |\n", row->lines > row->exceptions.count ? " …" : "");
}

void report_guards_md(const FindingList *findings, const ReportOptions *options, Buffer *out) {
    Array(const GuardRow *) rows = {0};
    u32 most = options->most ? options->most : findings->guards.count;
    for (u32 i = 0; i < findings->guards.count && i < most; i++)
        array_push(&rows, &findings->guards.items[i]);
    if (rows.count)
        qsort(rows.items, rows.count, sizeof *rows.items, compare_guards);
    buffer_text(out,
                "# Locking rules\n\nAs the code has them: which lock is held where data is used, in how many of the "
                "places, and which places go without it. `?`: not sure.\n");
    for (u32 i = 0; i < rows.count; i++) {
        const char *object = rows.items[i]->object, *before = i ? rows.items[i - 1]->object : NULL;
        size_t own = owner_length(object);
        if (!before || owner_length(before) != own || strncmp(object, before, own)) {
            buffer_text(out, "\n## ");
            if (own)
                put_cell(out, object, own);
            else
                buffer_text(out, "Globals");
            buffer_text(out, "\n| data | lock | held in | not in |\n|---|---|---|---|\n");
        }
        put_rule(out, rows.items[i]);
    }
    array_free(&rows);
}
