// fuzz_script.c: racerx.lua. In: the bytes of a script. Out: nothing; what is wrong aborts.
// Scripts with loops are left out: they are bounded by steps and seconds (tests/annotators/declare_test.c), far too
// many for a fuzzer.
#include "annotators/declare.h"
#include "tests/fuzz/fuzz.h"

static bool may_loop(const u8 *data, size_t size) {
    static const char *const words[] = {"while", "for", "repeat", "goto", "rep", "function", "sort"};
    for (u32 i = 0; i < sizeof words / sizeof *words; i++)
        if (memmem(data, size, words[i], strlen(words[i])))
            return true;
    return false;
}

static void look(const Declarations *all) {
    static const char *const names[] = {"lock", "a", "take", "four_x", "spin_lock", "BUSY", "__init", ""};
    i64 value;
    for (u32 i = 0; i < sizeof names / sizeof *names; i++) {
        declarations_look(all, names[i], strlen(names[i]));
        declarations_constant(all, names[i], strlen(names[i]), &value);
    }
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size) {
    if (may_loop(data, size))
        return 0;
    FuzzFile file = fuzz_file(data, size);
    const char *presets[] = {NULL}, *scripts[] = {file.path};
    DeclareOptions options = {.presets = presets, .scripts = scripts, .script_count = 1};
    if (fuzz_try()) {
        Declarations *all = declarations_load(&options);
        look(all);
        declarations_free(all);
    }
    close(file.file);
    return 0;
}
