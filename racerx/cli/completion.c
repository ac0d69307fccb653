// completion.c: `racerx completion SHELL`: what a shell needs to complete words, from the tables of commands and
// options. In: the tables, so that it never lags behind them. Out: a script for bash, zsh or fish.
#include "racerx/cli/command.h"

#include "annotators/host.h"
#include "racerx/findings/findings.h"

static bool takes_value(const Option *option) { return option->kind != OPTION_FLAG; }

// The words that a value is one of; "": a file, or anything.
static void put_values(Buffer *out, const Command *command, const Option *option) {
    if (!strcmp(option->name, "format") && !strcmp(command->name, "guards")) {
        buffer_text(out, "text jsonl md clang kernel");
    } else if (option->kind == OPTION_FORMAT || option->kind == OPTION_REPORT) {
#define FORMAT(name, word, report, type, file)                                                                         \
    if (option->kind == OPTION_REPORT || FORMAT_##name < FORMAT_ROWS)                                                  \
        buffer_format(out, "%s%s", FORMAT_##name ? " " : "", word);
#include "reports/formats.def"
#undef FORMAT
    } else if (!strcmp(option->name, "kind")) {
        for (u32 i = 0; i < KIND_COUNT; i++)
            buffer_format(out, "%s%s", i ? " " : "", kind_word((FindingKind)i));
    } else if (!strcmp(option->name, "verdict")) {
        buffer_text(out, "none");
        for (u32 i = 1; i < VERDICT_COUNT; i++)
            buffer_format(out, " %s", verdict_word((Verdict)i));
    } else if (!strcmp(option->name, "preset")) {
        buffer_text(out, "none");
        for (u32 i = 0; i < builtin_preset_count; i++)
            buffer_format(out, " %s", builtin_presets[i].name);
    } else if (!strcmp(option->name, "race-mode")) {
        buffer_text(out, "simple statistical precise");
    }
}

// Words after the command that are no options.
static const char *command_words(const Command *command) {
    static const char *const words[][2] = {{"mark", "confirmed unconfirmed minor false none"},
                                           {"verdicts", "export import"},
                                           {"completion", "bash zsh fish"}};
    for (u32 i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i][0], command->name))
            return words[i][1];
    return "";
}

static void put_commands(Buffer *out) {
    for (u32 i = 0; commands[i]; i++)
        buffer_format(out, "%s%s", i ? " " : "", commands[i]->name);
}

// In single quotes, without what is special to a shell or to its completion.
static void put_plain(Buffer *out, const char *text) {
    for (; *text; text++)
        if (strchr("'`\\[]:$\"", *text))
            buffer_text(out, *text == ':' ? "," : *text == '[' ? "(" : *text == ']' ? ")" : "");
        else
            buffer_byte(out, (u8)*text);
}

// bash ------------------------------------------------------------------------------

static void put_bash_options(Buffer *out, const Command *command) {
    const Option *option;
    buffer_format(out, "    %s)\n        case $prev in\n", command->name);
    for (u32 i = 0; (option = command_option(command, i)); i++) {
        Buffer values = {0};
        put_values(&values, command, option);
        if (values.size)
            buffer_format(out, "        --%s) words='%.*s' ;;\n", option->name, (int)values.size, (char *)values.bytes);
        else if (takes_value(option))
            buffer_format(out, "        --%s) files=1 ;;\n", option->name);
        buffer_free(&values);
    }
    buffer_text(out, "        *) words='--help");
    for (u32 i = 0; (option = command_option(command, i)); i++)
        buffer_format(out, " --%s", option->name);
    buffer_format(out, "%s%s' files=1 ;;\n        esac ;;\n", *command_words(command) ? " " : "",
                  command_words(command));
}

static void put_bash(Buffer *out) {
    buffer_text(out, "# bash completion of racerx, made by `racerx completion bash`\n_racerx() {\n"
                     "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words= files=\n"
                     "    if [ \"$COMP_CWORD\" = 1 ]; then\n        COMPREPLY=($(compgen -W '");
    put_commands(out);
    buffer_text(out, "' -- \"$cur\"))\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n");
    for (u32 i = 0; commands[i]; i++)
        put_bash_options(out, commands[i]);
    buffer_text(out, "    esac\n    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
                     "    if [ -n \"$files\" ] && [ \"${cur#-}\" = \"$cur\" ]; then\n"
                     "        compopt -o filenames 2>/dev/null\n        local IFS=$'\\n'\n"
                     "        COMPREPLY+=($(compgen -f -- \"$cur\"))\n    fi\n}\ncomplete -F _racerx racerx\n");
}

// zsh -------------------------------------------------------------------------------

static void put_zsh_option(Buffer *out, const Command *command, const Option *option) {
    Buffer values = {0};
    put_values(&values, command, option);
    buffer_format(out, " \\\n            '%s--%s[", option->kind == OPTION_LIST ? "*" : "", option->name);
    put_plain(out, option->help);
    buffer_text(out, "]");
    if (values.size)
        buffer_format(out, ":%s:(%.*s)", option->argument ? option->argument : "value", (int)values.size,
                      (char *)values.bytes);
    else if (takes_value(option))
        buffer_format(out, ":%s:_files", option->argument ? option->argument : "value");
    buffer_text(out, "'");
    buffer_free(&values);
}

static void put_zsh(Buffer *out) {
    const Option *option;
    buffer_text(out, "#compdef racerx\n# zsh completion of racerx, made by `racerx completion zsh`\n_racerx() {\n"
                     "    local -a known=(\n");
    for (u32 i = 0; commands[i]; i++) {
        buffer_format(out, "        '%s:", commands[i]->name);
        put_plain(out, commands[i]->summary);
        buffer_text(out, "'\n");
    }
    buffer_text(out, "    )\n    if (( CURRENT == 2 )); then\n        _describe command known\n        return\n    fi\n"
                     "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $command in\n");
    for (u32 i = 0; commands[i]; i++) {
        buffer_format(out, "    %s)\n        _arguments '--help[tell more]'", commands[i]->name);
        for (u32 k = 0; (option = command_option(commands[i], k)); k++)
            put_zsh_option(out, commands[i], option);
        if (*command_words(commands[i]))
            buffer_format(out, " \\\n            '*:word:(%s)'", command_words(commands[i]));
        else
            buffer_text(out, " \\\n            '*:file:_files'");
        buffer_text(out, " ;;\n");
    }
    buffer_text(out, "    esac\n}\n_racerx \"$@\"\n");
}

// fish ------------------------------------------------------------------------------

static void put_fish(Buffer *out) {
    const Option *option;
    buffer_text(out, "# fish completion of racerx, made by `racerx completion fish`\n");
    for (u32 i = 0; commands[i]; i++) {
        buffer_format(out, "complete -c racerx -n __fish_use_subcommand -f -a %s -d '", commands[i]->name);
        put_plain(out, commands[i]->summary);
        buffer_text(out, "'\n");
        for (u32 k = 0; (option = command_option(commands[i], k)); k++) {
            Buffer values = {0};
            put_values(&values, commands[i], option);
            buffer_format(out, "complete -c racerx -n '__fish_seen_subcommand_from %s' -l %s", commands[i]->name,
                          option->name);
            if (option->letter)
                buffer_format(out, " -s %c", option->letter);
            if (values.size)
                buffer_format(out, " -x -a '%.*s'", (int)values.size, (char *)values.bytes);
            else
                buffer_text(out, takes_value(option) ? " -r" : "");
            buffer_text(out, " -d '");
            put_plain(out, option->help);
            buffer_text(out, "'\n");
            buffer_free(&values);
        }
        if (*command_words(commands[i]))
            buffer_format(out, "complete -c racerx -n '__fish_seen_subcommand_from %s' -a '%s'\n", commands[i]->name,
                          command_words(commands[i]));
    }
}

static int completion_run(const Command *self, int count, char **words) {
    TextArray rest = {0};
    Buffer out = {0};
    arguments_read(self, count, words, NULL, &rest);
    if (rest.count != 1)
        fatal("completion needs a shell: bash, zsh or fish");
    if (!strcmp(rest.items[0], "bash"))
        put_bash(&out);
    else if (!strcmp(rest.items[0], "zsh"))
        put_zsh(&out);
    else if (!strcmp(rest.items[0], "fish"))
        put_fish(&out);
    else
        fatal("completion: there is no '%s': it is bash, zsh or fish", quote_path(rest.items[0]));
    write_output(&out);
    buffer_free(&out);
    array_free(&rest);
    return 0;
}

const Command command_completion = {
    .name = "completion",
    .arguments = "bash|zsh|fish",
    .summary = "print a script that completes words in a shell",
    .details = "Prints a script that completes commands, options and their values. `make install` puts all three where "
               "shells\n"
               "look for them.\n"
               "\n"
               "  eval \"$(racerx completion bash)\"             in ~/.bashrc\n"
               "  racerx completion fish | source              in fish\n",
    .run = completion_run,
};
