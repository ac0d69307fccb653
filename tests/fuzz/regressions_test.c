// regressions_test.c: what the fuzzer found once, and its seeds, without a fuzzer.
// In: the files of tests/fuzz/seeds/extract and tests/fuzz/regressions. Out: status 0 when all went through, none of
// them in more than a second (a sanitizer gets ten).
#include "tests/fuzz/fuzz_extract.c"

#include <dirent.h>

static double slowest_allowed(void) {
    const char *build = getenv("BUILD");
    return build && strstr(build, "build-") ? 10 : 1;
}

static u32 run_directory(const char *directory) {
    struct dirent **names;
    int count = scandir(directory, &names, NULL, alphasort);
    u32 failures = 0, ran = 0;
    for (int i = 0; i < count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", directory, names[i]->d_name);
        size_t size;
        char *text = names[i]->d_name[0] == '.' ? NULL : file_read(path, &size);
        free(names[i]);
        if (!text)
            continue;
        printf("%s\n", path); // a crash leaves its name last
        fflush(stdout);
        double start = clock_seconds();
        LLVMFuzzerTestOneInput((const u8 *)text, size);
        double seconds = clock_seconds() - start;
        if (seconds > slowest_allowed()) {
            printf("not ok %s: took %.1f s\n", path, seconds);
            failures++;
        }
        free(text);
        ran++;
    }
    if (count >= 0)
        free(names);
    if (!ran)
        printf("not ok %s: nothing in it\n", directory);
    return failures + !ran;
}

int main(void) { return run_directory("tests/fuzz/seeds/extract") + run_directory("tests/fuzz/regressions") ? 1 : 0; }
