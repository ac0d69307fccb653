// cc.c: `racerx cc`: a compiler for programs that `racerx confirm` is to steer. Its words are the compiler's.
#include "racerx/cli/command.h"

#include "racerx/confirm/confirm.h"

static int cc_run(const Command *self, int count, char **words) {
    const char *compiler = getenv("RACERX_CC");
    compiler = compiler && *compiler ? compiler : "gcc";
    if (count && !strncmp(words[0], "--with=", 7)) {
        compiler = words[0] + 7;
        words++, count--;
    }
    if (!count || (count == 1 && !strcmp(words[0], "--help"))) {
        print_help(self, stdout);
        return count ? 0 : 2;
    }
    return compile_steered(compiler, count, words);
}

const Command command_cc = {
    .name = "cc",
    .arguments = "[--with=COMPILER] WORDS…",
    .summary = "compile a program so that `confirm` can steer it",
    .details = "Runs gcc, or the compiler that --with or $RACERX_CC names (clang), with the\n"
               "words given, and some of ours after them: code that calls racerx's runtime\n"
               "at every access to memory, with lines and frames, and linked with that\n"
               "runtime. Use it wherever a compiler is named:\n"
               "\n"
               "  make CC=\"racerx cc\"\n"
               "  ./configure CC=\"racerx cc\" && make\n"
               "  racerx cc --with=clang -O1 -o prog prog.c -lpthread\n"
               "\n"
               "What is built this way runs as it always did, only slower, until `racerx\n"
               "confirm` runs it. The runtime is a shared object under ~/.cache/racerx,\n"
               "made when it is first needed; RACERX_RUNTIME=DIR names another place (see\n"
               "`racerx confirm --runtime DIR`). Programs are linked dynamically; a\n"
               "sanitizer of one's own cannot be used beside it.\n",
    .run = cc_run,
};
