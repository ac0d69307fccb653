// help.c: `racerx help` and `racerx version`.
#include "racerx/cli/command.h"

#include <jansson.h>
#include <lua.h>
#include <microhttpd.h>
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <sqlite3.h>
#include <tree_sitter/api.h>
#include <unistd.h>

extern const TSLanguage *tree_sitter_c(void);

// Where the manuals are that help and messages speak of: beside the program, or in its sources.
static void print_manuals(FILE *out) {
    static const char *const places[] = {"../share/doc/racerx", ".."};
    char exe[4096], manual[4400];
    ssize_t length = readlink("/proc/self/exe", exe, sizeof exe - 1);
    char *slash = length > 0 ? (exe[length] = 0, strrchr(exe, '/')) : NULL;
    if (slash)
        *slash = 0;
    for (u32 i = 0; slash && i < sizeof places / sizeof *places; i++) {
        snprintf(manual, sizeof manual, "%s/%s/docs/review.md", exe, places[i]);
        char *real = realpath(manual, NULL), *docs = real ? strstr(real, "/docs/review.md") : NULL;
        if (docs) {
            *docs = 0;
            fprintf(out, "Manuals (docs/…, rank/…, annotators/…) are in %s\n", real);
            free(real);
            return;
        }
        free(real);
    }
}

static void print_commands(FILE *out) {
    fprintf(out, "racerx finds data races and deadlocks in C, without building it.\n\n");
    fprintf(out, "usage: racerx COMMAND [OPTION…] [ARGUMENT…]\n\nCommands:\n");
    for (u32 i = 0; commands[i]; i++)
        fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    fprintf(out, "\n`racerx COMMAND --help` tells more of each. To start: racerx run DIR\n");
    print_manuals(out);
    fprintf(out, "Exit status: 0 fine, 1 findings where asked for, 2 your mistake, 3 our bug.\n");
}

static int help_run(const Command *self, int count, char **words) {
    TextArray rest = {0};
    if (!words) { // racerx alone: a mistake, told kindly
        print_commands(stderr);
        return 2;
    }
    arguments_read(self, count, words, NULL, &rest);
    if (!rest.count) {
        print_commands(stdout);
        return 0;
    }
    const char *names[64] = {0};
    for (u32 i = 0; commands[i] && i < 63; i++) {
        names[i] = commands[i]->name;
        if (!strcmp(rest.items[0], commands[i]->name)) {
            print_help(commands[i], stdout);
            array_free(&rest);
            return 0;
        }
    }
    const char *near = nearest_word(rest.items[0], names);
    char *shown = quote_path(rest.items[0]);
    if (near)
        fatal("there is no command '%s': did you mean '%s'?", shown, near);
    fatal("there is no command '%s': `racerx help` lists them", shown);
}

static int version_run(const Command *self, int count, char **words) {
    TextArray rest = {0};
    char pcre2[64] = "";
    arguments_read(self, count, words, NULL, &rest);
    if (rest.count)
        fatal("version takes no arguments");
    pcre2_config(PCRE2_CONFIG_VERSION, pcre2);
    printf("racerx %s\n", RACERX_VERSION);
    printf("tree-sitter C grammar, ABI %u (this tree-sitter reads %d to %d)\n",
           ts_language_abi_version(tree_sitter_c()), TREE_SITTER_MIN_COMPATIBLE_LANGUAGE_VERSION,
           TREE_SITTER_LANGUAGE_VERSION);
    printf("SQLite %s, %s, PCRE2 %s, libmicrohttpd %s, jansson %s\n", sqlite3_libversion(), LUA_RELEASE, pcre2,
           MHD_get_version(), JANSSON_VERSION);
    return 0;
}

const Command command_help = {
    .name = "help",
    .arguments = "[COMMAND]",
    .summary = "list the commands, or tell more of one",
    .details = "Lists the commands, or tells more of one: the same as `racerx COMMAND --help`.\n",
    .run = help_run,
};

const Command command_version = {
    .name = "version",
    .arguments = "",
    .summary = "print the versions of racerx and of what it is built on",
    .details = "Prints the versions of racerx and of the libraries it is built on.\n",
    .run = version_run,
};
