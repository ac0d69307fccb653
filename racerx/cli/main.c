// main.c: picks the command. Each stage is one; `run` is all of them in order.
// Exit status: 0 fine, 1 findings where a --fail-on option asks for it, 2 the user's mistake,
// 3 our bug.
#include "racerx/cli/command.h"

#include <jansson.h>
#include <malloc.h>
#include <signal.h>

// Tables from this size on are pages of their own: they grow without being copied, leave no holes among what is small,
// and are gone when they are freed. Left alone, the C library raises the limit to 32 MiB as such tables are freed.
#define OWN_PAGES (512 * 1024)

const Command *const commands[] = {
    &command_init,       &command_run,
    &command_check,      &command_rank,
    &command_list,       &command_show,
    &command_why,        &command_mark,
    &command_verdicts,   &command_confirm,
    &command_cc,         &command_trace,
    &command_predict,    &command_diff,
    &command_report,     &command_review,
    &command_lsp,        &command_extract,
    &command_link,       &command_functions,
    &command_callers,    &command_callees,
    &command_roots,      &command_locks,
    &command_semaphores, &command_guards,
    &command_summary,    &command_filters,
    &command_known,      &command_dump,
    &command_completion, &command_help,
    &command_version,    NULL,
};

static const Command *find_command(const char *name) {
    if (!strcmp(name, "--help") || !strcmp(name, "-h"))
        name = "help";
    if (!strcmp(name, "--version") || !strcmp(name, "-V"))
        name = "version";
    const char *names[sizeof commands / sizeof *commands];
    for (u32 i = 0; commands[i]; i++) {
        if (!strcmp(name, commands[i]->name))
            return commands[i];
        names[i] = commands[i]->name;
    }
    names[sizeof commands / sizeof *commands - 1] = NULL;
    const char *near = nearest_word(name, names);
    char *shown = quote_path(name);
    if (near)
        fatal("there is no command '%s': did you mean '%s'?", shown, near);
    fatal("there is no command '%s': `racerx help` lists them", shown);
}

int main(int argc, char **argv) {
    mallopt(M_MMAP_THRESHOLD, OWN_PAGES);
    signal(SIGPIPE, SIG_DFL);               // a reader that has enough ends us quietly, whatever we inherited
    json_set_alloc_funcs(must_alloc, free); // it would call text malformed when memory is out
    if (argc < 2) {
        command_help.run(&command_help, 0, NULL);
        return 2;
    }
    const Command *command = find_command(argv[1]);
    int status = command->run(command, argc - 2, argv + 2);
    finish_output();
    return status;
}
