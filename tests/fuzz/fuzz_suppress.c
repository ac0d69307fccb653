// fuzz_suppress.c: racerx.suppress. In: its bytes. Out: nothing; what is wrong aborts.
#include "racerx/findings/suppress.h"
#include "tests/fuzz/fuzz.h"

static void add(FindingList *list, FindingKind kind, const char *file, const char *object) {
    Finding *finding = findings_add(list, kind);
    finding->file = file;
    finding->function = "worker";
    finding->object = object;
    snprintf(finding->id, sizeof finding->id, "0123456789abcdef");
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size) {
    static Suppressions *all; // not lost when a line is wrong
    static FindingList list;
    FuzzFile file = fuzz_file(data, size);
    all = suppressions_make();
    findings_begin(&list);
    if (fuzz_try()) {
        add(&list, KIND_RACE, "sub/a.c", "struct queue.count");
        add(&list, KIND_DEADLOCK, "b.c", "");
        suppressions_read(all, file.path, "racerx.suppress");
        suppress(all, &list);
    }
    findings_free(&list);
    suppressions_free(all);
    close(file.file);
    return 0;
}
