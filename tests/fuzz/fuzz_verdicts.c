// fuzz_verdicts.c: files of verdicts, and verdicts that a browser sends. In: bytes, read as both. Out: nothing; what is
// wrong aborts. What was read is written and read again, and must be the same.
#include "racerx/findings/findings.h"
#include "reports/reports.h"
#include "tests/fuzz/fuzz.h"

static void write_lines(const VerdictLineArray *lines, Buffer *out) {
    for (u32 i = 0; i < lines->count; i++)
        verdict_line_put(out, &lines->items[i]);
}

static void read_lines(const u8 *data, size_t size, FindingList *texts, Buffer *out) {
    FuzzFile file = fuzz_file(data, size);
    VerdictLineArray lines = {0};
    check(verdict_lines_read(file.path, texts, &lines));
    write_lines(&lines, out);
    array_free(&lines);
    close(file.file);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size) {
    VerdictRequest request;
    char why[160] = "";
    if (!fuzz_try())
        return 0;
    check(read_verdict(data, size, &request, why) || *why);
    FindingList texts;
    Buffer first = {0}, second = {0};
    findings_begin(&texts);
    read_lines(data, size, &texts, &first);
    read_lines(first.bytes, first.size, &texts, &second);
    check(first.size == second.size && (!first.size || !memcmp(first.bytes, second.bytes, first.size)));
    buffer_free(&first);
    buffer_free(&second);
    findings_free(&texts);
    return 0;
}
