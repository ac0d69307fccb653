// html_list.c N DIR: a report of N made-up findings, as HTML on standard output; their sources are written to DIR.
// For measuring how the page opens, and for testing what only a long list shows. The same N gives the same page.
#include "reports/reports.h"

#include <errno.h>
#include <sys/stat.h>

#define FILES 200
#define LINES 1200

static u32 next_random(void) {
    static u64 state = 88172645463325252ull;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (u32)(state >> 32);
}

static u32 below(u32 limit) { return next_random() % limit; }

// sources -----------------------------------------------------------------------

static const char *const lines[] = {
    "static int device_%u_update(struct device_%u *device, const struct request *request)",
    "{",
    "    /* the queue of device %u is emptied by the timer (%u) */",
    "    unsigned long flags, count = %u;",
    "    spin_lock_irqsave(&device->lock, flags);",
    "    device->state_%u = request->state + count;",
    "    if (device->pending > %u) {",
    "        printk(\"device %%u: \\\"pending\\\" %u\\n\", device->pending);",
    "        device->errors_%u++;",
    "    }",
    "    spin_unlock_irqrestore(&device->lock, flags);",
    "    return device->state_%u ? 0 : -EIO;",
    "}",
    "",
};

static void write_source(Sources *sources, const char *directory, u32 number) {
    Buffer text = {0}, path = {0};
    for (u32 i = 0; i < LINES; i++) {
        const char *line = lines[i % (sizeof lines / sizeof *lines)], *mark = strstr(line, "%u");
        if (mark) // each has at most two
            buffer_format(&text, "%.*s%u%s\n", (int)(mark - line), line, number * LINES + i, mark + 2);
        else
            buffer_format(&text, "%s\n", line);
    }
    buffer_format(&path, "%s/file_%u.c%c", directory, number, 0);
    FILE *file = fopen((const char *)path.bytes, "wb");
    if (!file || fwrite(text.bytes, 1, text.size, file) != text.size || fclose(file))
        fatal("cannot write %s: %s", (const char *)path.bytes, strerror(errno));
    char shown[64];
    snprintf(shown, sizeof shown, "drivers/subsystem_%u/file_%u.c", number % 17, number);
    sources_add(sources, shown, (const char *)path.bytes, key_bytes(text.bytes, text.size));
    buffer_free(&text);
    buffer_free(&path);
}

// findings ------------------------------------------------------------------------

static const char *some_file(FindingList *list) {
    u32 number = below(FILES);
    return findings_text(list, "drivers/subsystem_%u/file_%u.c", number % 17, number);
}

static void fill_site(FindingList *list, Site *site, const char *object, const char *lock) {
    site->object = object;
    site->conditionals = below(6);
    if (*lock) {
        site_add_lock(list, site, lock, site->file, site->line > 2 ? site->line - 1 : 1);
        site_add_lock(list, site, "interrupts off", site->file, site->line > 2 ? site->line - 1 : 1);
    }
    u32 depth = 1 + below(7);
    for (u32 i = 0; i < depth; i++)
        site_add_call(list, site, findings_text(list, "subsystem_%u_dispatch_%u", below(17), below(5000)),
                      some_file(list), 1 + below(LINES));
    site_add_call(list, site, site->function, "", 0);
}

static void add_race(FindingList *list, u32 number) {
    Finding *finding = findings_add(list, KIND_RACE);
    u32 device = below(3000), with = below(60), without = 1 + below(8), others = 1 + below(6);
    finding->object = findings_text(list, "struct device_%u.state_%u", device, number);
    finding->lock = findings_text(list, "struct device_%u.lock", device);
    finding->message = findings_text(
        list, "%s is written here while another thread reads it, and no lock keeps them apart", finding->object);
    finding_add_object(list, finding, finding->object);
    const char *function = findings_text(list, "device_%u_update", device);
    Site *site =
        finding_add_site(list, finding, ROLE_UNPROTECTED_WRITE, function, some_file(list), 6 + 14 * below(80), 5);
    fill_site(list, site, finding->object, "");
    for (u32 i = 0; i < others; i++) {
        site = finding_add_site(list, finding, ROLE_PROTECTED_READ, function, some_file(list), 9 + 14 * below(80), 9);
        fill_site(list, site, finding->object, finding->lock);
    }
    for (u32 i = 0; i < 3; i++) {
        site =
            finding_add_evidence(list, finding, ROLE_PROTECTED_WRITE, function, some_file(list), 6 + 14 * below(80), 5);
        fill_site(list, site, finding->object, finding->lock);
    }
    finding_add_number(list, finding, "s_lock", with);
    finding_add_number(list, finding, "f_lock", without);
    finding_add_number(list, finding, "z_lock", ((double)with - 9.0 * without) / 10);
}

static void add_deadlock(FindingList *list, u32 number) {
    Finding *finding = findings_add(list, KIND_DEADLOCK);
    u32 parties = 2 + below(3), device = below(3000);
    const char *first = findings_text(list, "struct device_%u.lock", device), *held = first;
    finding->message = findings_text(list, "%u threads can wait for each other (%u)", parties, number);
    finding->lock = first;
    for (u32 i = 0; i < parties; i++) {
        const char *next = i + 1 == parties ? first : findings_text(list, "struct bus_%u_%u.lock", number, i);
        Site *site = finding_add_site(list, finding, ROLE_ACQUIRE, findings_text(list, "device_%u_update", below(3000)),
                                      some_file(list), 5 + 14 * below(80), 5);
        fill_site(list, site, next, held);
        finding_add_object(list, finding, next);
        finding->object = i ? finding->object : next;
        held = next;
    }
}

static void add_finding(FindingList *list, u32 number) {
    static const char *const reasons[] = {"two threads of the program run both",
                                          "the only object of a critical section", "written",
                                          "not accessed in one piece", "written by an interrupt handler"};
    number % 12 ? add_race(list, number) : add_deadlock(list, number);
    Finding *finding = list->items.items[list->items.count - 1];
    for (u32 i = 0; i < 4; i++) {
        double points = (double)below(9) - 2;
        finding_add_reason(list, finding, points, reasons[below(5)]);
        finding->score += points;
    }
    finding->below_line = finding->score < -4;
}

static void add_guards(FindingList *list, u32 count) {
    for (u32 i = 0; i < count; i++) {
        GuardRow row = {.object = findings_text(list, "struct device_%u.state_%u", i, i),
                        .lock = findings_text(list, "struct device_%u.lock", i),
                        .with = 60 - 60 * i / count,
                        .without = i % 5,
                        .z = 3 - 8.0 * i / count,
                        .lines = i % 5};
        GuardRow *kept = findings_add_guard(list, &row);
        for (u32 k = 0; k < i % 5; k++)
            guard_add_exception(
                list, kept,
                &(GuardException){ROLE_UNPROTECTED_READ, some_file(list), 1 + below(LINES), "device_update"});
    }
}

int main(int count, char **words) {
    if (count != 3 || atoi(words[1]) < 0)
        fatal("usage: html_list N DIR");
    if (mkdir(words[2], 0777) && errno != EEXIST)
        fatal("cannot make %s: %s", words[2], strerror(errno));
    FindingList list;
    Buffer out = {0};
    Sources *sources = sources_make();
    findings_begin(&list);
    for (u32 i = 0; i < FILES; i++)
        write_source(sources, words[2], i);
    for (u32 i = 0; i < (u32)atoi(words[1]); i++)
        add_finding(&list, i);
    add_guards(&list, 5000);
    findings_add_fact(&list, "analysed", "made-up");
    findings_add_fact(&list, "not understood", "0.120 %");
    findings_sort(&list);
    report_html(&list, &(ReportOptions){.all = true, .sources = sources}, &out);
    fwrite(out.bytes, 1, out.size, stdout);
    buffer_free(&out);
    sources_free(sources);
    findings_free(&list);
    return 0;
}
