// options.c: words of the command line to values, by a command's table; and the help, from the same table.
#include "racerx/cli/command.h"

#include <ctype.h>

// names -----------------------------------------------------------------------

bool is_macro_name(const char *text, size_t length) {
    if (!length || isdigit((u8)*text))
        return false;
    for (size_t i = 0; i < length; i++)
        if (!isalnum((u8)text[i]) && text[i] != '_' && text[i] != '$' && (u8)text[i] < 128)
            return false;
    return true;
}

// The nth option of a command: its own, then the shared ones; NULL after the last.
const Option *command_option(const Command *command, u32 n) {
    const Option *tables[] = {command->options, command->shared};
    for (u32 i = 0; i < 2; i++)
        for (const Option *option = tables[i]; option && option->kind; option++)
            if (!n--)
                return option;
    return NULL;
}

// values ----------------------------------------------------------------------

static u64 read_size(const char *name, const char *text) {
    char *end;
    u64 value = strtoull(text, &end, 10);
    u32 shift = *end == 'K' || *end == 'k' ? 10 : *end == 'M' || *end == 'm' ? 20 : *end == 'G' || *end == 'g' ? 30 : 0;
    end += shift > 0;
    if (!isdigit((u8)*text) || *end || !value)
        fatal("--%s: '%s' is no size: write a number of bytes, or 64K, 32M, 1G", name, text);
    if (value > ((u64)2 << 30) >> shift)
        fatal("--%s: %s is too much: at most 2G", name, text);
    return value << shift;
}

static u32 read_number(const char *name, const char *text) {
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (!isdigit((u8)*text) || *end || value < 1 || value > 256)
        fatal("--%s: '%s' is not a number from 1 to 256", name, text);
    return (u32)value;
}

static u32 read_count(const char *name, const char *text) {
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (!isdigit((u8)*text) || *end || value < 1 || value > 1000000000)
        fatal("--%s: '%s' is not a number from 1 to 1000000000", name, text);
    return (u32)value;
}

static const char *const formats[FORMAT_COUNT] = {
#define FORMAT(name, word, report, type, file) word,
#include "reports/formats.def"
#undef FORMAT
};

static void put_formats(Buffer *out, u32 known, const char *after_first) {
    for (u32 i = 0; i < known; i++)
        buffer_format(out, "%s%s%s", !i ? "" : i + 1 < known ? ", " : " and ", formats[i], i ? "" : after_first);
    buffer_byte(out, 0);
}

static Format read_format(const char *text, u32 known) {
    Buffer all = {0};
    for (u32 i = 0; i < known; i++)
        if (!strcmp(text, formats[i]))
            return (Format)i;
    put_formats(&all, known, "");
    fatal("--format: there is no format '%s': %s are known", text, (char *)all.bytes);
}

static void option_set(const Option *option, const char *value, void *values) {
    void *target = (char *)values + option->offset;
    switch (option->kind) {
    case OPTION_END: break;
    case OPTION_FLAG: *(bool *)target = true; break;
    case OPTION_TEXT:
        if (!*value)
            fatal("--%s needs a %s that is not empty", option->name, option->argument);
        *(const char **)target = value;
        break;
    case OPTION_LIST:
        if (!*value)
            fatal("--%s needs a %s that is not empty", option->name, option->argument);
        array_push((TextArray *)target, value);
        break;
    case OPTION_NUMBER: *(u32 *)target = read_number(option->name, value); break;
    case OPTION_COUNT: *(u32 *)target = read_count(option->name, value); break;
    case OPTION_SIZE: *(u64 *)target = read_size(option->name, value); break;
    case OPTION_FORMAT: *(Format *)target = read_format(value, FORMAT_ROWS); break;
    case OPTION_REPORT: *(Format *)target = read_format(value, FORMAT_COUNT); break;
    }
}

// words -----------------------------------------------------------------------

static _Noreturn void unknown_option(const Command *command, const char *word) {
    Array(const char *) names = {0};
    for (u32 i = 0; command_option(command, i); i++)
        array_push(&names, command_option(command, i)->name);
    array_push(&names, "help");
    array_push(&names, NULL);
    const char *bare = word + strspn(word, "-");
    char *name = must_strdup(bare);
    name[strcspn(name, "=")] = 0;
    const char *near = strlen(name) > 1 ? nearest_word(name, names.items) : NULL;
    char *shown = quote_path(word);
    if (near)
        fatal("%s has no option '%s': did you mean '--%s'?", command->name, shown, near);
    fatal("%s has no option '%s': see `racerx %s --help`", command->name, shown, command->name);
}

// The option that `word` names, and in *value what is written in the same word after it (or NULL).
static const Option *find_option(const Command *command, const char *word, const char **value) {
    *value = NULL;
    const Option *option;
    for (u32 i = 0; (option = command_option(command, i)); i++) {
        size_t length = strlen(option->name);
        if (word[1] != '-') {
            if (word[1] != option->letter)
                continue;
            if (word[2] && option->kind == OPTION_FLAG)
                break;
            *value = word[2] ? word + 2 + (word[2] == '=') : NULL;
            return option;
        }
        if (strncmp(word + 2, option->name, length) || (word[2 + length] && word[2 + length] != '='))
            continue;
        *value = word[2 + length] ? word + 3 + length : NULL;
        return option;
    }
    unknown_option(command, word);
}

void arguments_read(const Command *command, int count, char **words, void *values, TextArray *rest) {
    bool only_rest = false;
    for (int i = 0; i < count; i++) {
        const char *word = words[i], *value;
        if (only_rest || word[0] != '-' || !word[1]) {
            array_push(rest, word);
            continue;
        }
        if (!strcmp(word, "--")) {
            only_rest = true;
            continue;
        }
        if (!strcmp(word, "--help") || !strcmp(word, "-h")) {
            print_help(command, stdout);
            finish_output();
            exit(0);
        }
        const Option *option = find_option(command, word, &value);
        if (option->kind == OPTION_FLAG && value)
            fatal("--%s takes no value", option->name);
        if (option->kind != OPTION_FLAG && !value && ++i >= count)
            fatal("--%s needs a value: --%s %s", option->name, option->name, option->argument);
        option_set(option, value || option->kind == OPTION_FLAG ? value : words[i], values);
    }
}

// help ------------------------------------------------------------------------

// Prints text from column `indent` on, broken at spaces.
static void print_wrapped(const char *text, u32 indent, u32 column, FILE *out) {
    while (*text) {
        size_t length = strcspn(text, " ");
        if (column > indent && column + 1 + length > 80) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', out);
            column++;
        }
        fprintf(out, "%.*s", (int)length, text);
        column += (u32)length;
        text += length + strspn(text + length, " ");
    }
    fputc('\n', out);
}

static void print_option(char letter, const char *name, const char *argument, const char *help, FILE *out) {
    char left[64];
    int length = snprintf(left, sizeof left, "  %c%c%c --%s%s%s", letter ? '-' : ' ', letter ? letter : ' ',
                          letter ? ',' : ' ', name, argument ? " " : "", argument ? argument : "");
    fputs(left, out);
    if (length > 28)
        fprintf(out, "\n%*s", 30, "");
    else
        fprintf(out, "%*s", 30 - length, "");
    print_wrapped(help, 30, 30, out);
}

// Paragraphs are filled anew; lines that begin with a blank are left as they are.
static void print_details(const char *text, FILE *out) {
    Buffer paragraph = {0};
    while (*text) {
        size_t length = strcspn(text, "\n");
        bool plain = length && *text != ' ';
        if (plain)
            buffer_format(&paragraph, "%s%.*s", paragraph.size ? " " : "", (int)length, text);
        text += length + (text[length] == '\n');
        if (paragraph.size && (!plain || !*text)) {
            buffer_byte(&paragraph, 0);
            print_wrapped((const char *)paragraph.bytes, 0, 0, out);
            paragraph.size = 0;
        }
        if (!plain)
            fprintf(out, "%.*s\n", (int)length, text - length - 1);
    }
    buffer_free(&paragraph);
}

static void print_command_option(const Option *option, FILE *out) {
    Buffer help = {0};
    buffer_text(&help, option->help);
    if (option->kind == OPTION_REPORT) {
        buffer_text(&help, ": ");
        put_formats(&help, FORMAT_COUNT, " (default)");
    } else
        buffer_byte(&help, 0);
    print_option(option->letter, option->name, option->argument, (const char *)help.bytes, out);
    buffer_free(&help);
}

void print_help(const Command *command, FILE *out) {
    fprintf(out, "usage: racerx %s%s%s%s\n\n", command->name, command_option(command, 0) ? " [OPTION…]" : "",
            *command->arguments ? " " : "", command->arguments);
    print_details(command->details, out);
    fputc('\n', out);
    fprintf(out, "Options:\n");
    const Option *option;
    for (u32 i = 0; (option = command_option(command, i)); i++)
        print_command_option(option, out);
    print_option('h', "help", NULL, "print this", out);
}
