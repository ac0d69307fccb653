// fuzz_commands.c: compile_commands.json. In: its bytes. Out: nothing; what is wrong aborts.
#include "extract/preprocess.h"
#include "extract/scan.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size) {
    FuzzFile file = fuzz_file(data, size);
    Scan scan = {0};
    CompileEntryArray entries = {0};
    if (fuzz_try()) {
        bool good = compile_commands_read(file.path, false, &scan, &entries);
        check(good || !entries.count);
        for (u32 i = 0; i < entries.count; i++) {
            check(entries.items[i].command < (i64)scan.commands.count);
            free(entries.items[i].file);
        }
        array_free(&entries);
        scan_free(&scan);
    }
    close(file.file);
    return 0;
}
