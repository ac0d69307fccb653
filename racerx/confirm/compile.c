// compile.c: `racerx cc`: the compiler, with what steering needs. In: the words of a call of gcc or clang. Out: the
// same call, which leaves lines and frames in the code, calls the runtime at every access, and links it.
//
// Our words come last, so that they count. What is neither compiled nor linked (-E, -M, --version …) is passed on as it
// is, for those who ask the compiler what it is.
#include "racerx/confirm/confirm.h"

#include <errno.h>
#include <unistd.h>

typedef Array(char *) WordArray;

static bool is_one_of(const char *word, const char *const *list) {
    for (u32 i = 0; list[i]; i++)
        if (!strcmp(word, list[i]))
            return true;
    return false;
}

static bool has_one_of(int count, char **words, const char *const *list) {
    for (int i = 0; i < count; i++)
        if (is_one_of(words[i], list))
            return true;
    return false;
}

// Options whose value is the next word, which is no input.
static bool has_input(int count, char **words) {
    static const char *const with_value[] = {
        "-o",       "-I",    "-D",       "-U",      "-L",        "-l",          "-MF",
        "-MT",      "-MQ",   "-include", "-x",      "-isystem",  "-iquote",     "-idirafter",
        "-Xlinker", "-T",    "-z",       "-u",      "-Xclang",   "-Xassembler", "-Xpreprocessor",
        "-imacros", "-arch", "-target",  "--param", "-aux-info", "-B",          "-specs",
        NULL};
    for (int i = 0; i < count; i++) {
        if (is_one_of(words[i], with_value))
            i++;
        else if (words[i][0] != '-' || !words[i][1])
            return true;
    }
    return false;
}

static void add(WordArray *out, const char *word) { array_push(out, must_strdup(word)); }

static void add_path(WordArray *out, const char *option, const char *path) {
    Buffer word = {0};
    buffer_format(&word, "%s%s", option, path);
    buffer_byte(&word, 0);
    array_push(out, (char *)word.bytes);
}

// Lines that an optimiser moved or merged cannot be stalled: it is asked for what debuggers want.
static void add_compiling(WordArray *out, bool clang, bool optimised) {
    static const char *const words[] = {"-g",
                                        "-fno-omit-frame-pointer",
                                        "-fno-optimize-sibling-calls",
                                        "-fsanitize=thread",
                                        "-U_FORTIFY_SOURCE",
                                        "-fno-builtin-memcpy",
                                        "-fno-builtin-memmove",
                                        "-fno-builtin-memset",
                                        "-fno-builtin-strcpy",
                                        "-fno-builtin-strlen",
                                        "-fno-builtin-strcmp",
                                        "-fno-builtin-printf",
                                        "-fno-builtin-sprintf",
                                        "-fno-builtin-snprintf",
                                        NULL};
    for (u32 i = 0; words[i]; i++)
        add(out, words[i]);
    if (optimised)
        add(out, "-Og");
    if (clang) {
        add(out, "-mno-omit-leaf-frame-pointer");
        add(out, "-Wno-unused-command-line-argument");
    }
}

static void add_linking(WordArray *out, const char *compiler, bool clang) {
    char *directory = runtime_directory(compiler);
    add_path(out, "-L", directory);
    add_path(out, "-Wl,-rpath,", directory);
    if (clang)
        add(out, "-fno-sanitize-link-runtime");
    else
        add_path(out, "-B", directory);
    add_path(out, "-Wl,--no-as-needed,", "-lracerx_runtime");
    free(directory);
}

int compile_steered(const char *compiler, int count, char **words) {
    static const char *const asks[] = {"-E",
                                       "-M",
                                       "-MM",
                                       "-###",
                                       "--version",
                                       "-v",
                                       "-dumpversion",
                                       "-dumpmachine",
                                       "-dumpspecs",
                                       "-fsyntax-only",
                                       "--help",
                                       "-nostdlib",
                                       "-ffreestanding",
                                       NULL};
    static const char *const plain[] = {"-O0", NULL};
    static const char *const only_compiles[] = {"-c", "-S", "-r", NULL};
    WordArray line = {0};
    const char *slash = strrchr(compiler, '/');
    bool clang = strstr(slash ? slash : compiler, "clang") != NULL;
    bool passes = has_one_of(count, words, asks) || !has_input(count, words);
    array_push(&line, (char *)(uintptr_t)compiler);
    for (int i = 0; i < count; i++)
        array_push(&line, words[i]);
    if (!passes)
        add_compiling(&line, clang, !has_one_of(count, words, plain));
    if (!passes && !has_one_of(count, words, only_compiles))
        add_linking(&line, compiler, clang);
    array_push(&line, NULL);
    execvp(compiler, line.items);
    fatal("cannot run the compiler %s: %s (RACERX_CC names another)", quote_path(compiler), strerror(errno));
}
