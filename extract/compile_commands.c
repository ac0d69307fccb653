// compile_commands.c: how a tree's files are compiled, when somebody wrote it down.
// In: a compile_commands.json. Out: per entry the file, and its -D, -U and include directories.
// SQLite reads the JSON: it bounds nesting and checks the text for us. Equal commands are kept
// once, so a kernel's thousands of entries cost a few dozen commands.
#include "extract/scan.h"

#include <errno.h>
#include <limits.h>
#include <sqlite3.h>

typedef struct {
    PathArray defines, undefines;
    PathArray quote, plain, system; // include directories by the order a compiler looks in them
} Flags;

typedef struct {
    sqlite3 *db;
    sqlite3_stmt *arguments; // the words of one "arguments"
    const char *home;        // directory of the file, for entries that name none
    Intern keys;             // of all commands so far; the id of a command is its index + 1
    Scan *out;
    CompileEntryArray *entries;
} CommandReader;

// paths -----------------------------------------------------------------------

// Takes "." and ".." out of an absolute path, in place.
static void path_clean(char *path) {
    char *out = path;
    for (const char *at = path; *at;) {
        while (*at == '/')
            at++;
        size_t length = strcspn(at, "/");
        if (length == 2 && at[0] == '.' && at[1] == '.') {
            while (out > path && *--out != '/')
                ;
        } else if (length && !(length == 1 && *at == '.')) {
            *out++ = '/';
            memmove(out, at, length);
            out += length;
        }
        at += length;
    }
    if (out == path)
        *out++ = '/';
    *out = 0;
}

char *path_from(const char *directory, const char *name) {
    Buffer path = {0};
    if (*name != '/') {
        buffer_text(&path, directory);
        buffer_byte(&path, '/');
    }
    buffer_text(&path, name);
    buffer_byte(&path, 0);
    char *real = realpath((char *)path.bytes, NULL);
    if (real) {
        buffer_free(&path);
        return real;
    }
    path_clean((char *)path.bytes);
    return (char *)path.bytes;
}

// words -----------------------------------------------------------------------

static void words_free(PathArray *words) {
    for (u32 i = 0; i < words->count; i++)
        free(words->items[i]);
    array_free(words);
}

// One word of a command line as a shell reads it; moves *at past it. False at the end.
static bool shell_word(const char **at, Buffer *word) {
    const char *p = *at;
    word->size = 0;
    while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')
        p++;
    bool any = *p;
    for (char quote = 0; *p && (quote || !strchr(" \t\n\r", *p)); p++) {
        if (quote ? *p == quote : *p == '"' || *p == '\'')
            quote = quote ? 0 : *p;
        else if (*p == '\\' && p[1] && (!quote || (quote == '"' && strchr("\"\\$`", p[1]))))
            buffer_byte(word, (u8) * ++p);
        else
            buffer_byte(word, (u8)*p);
    }
    *at = p;
    return any;
}

static void split_command(const char *command, PathArray *words) {
    Buffer word = {0};
    while (shell_word(&command, &word)) {
        buffer_byte(&word, 0);
        array_push(words, must_strdup((char *)word.bytes));
    }
    buffer_free(&word);
}

// flags -----------------------------------------------------------------------

// `-Ivalue`, `-I value`: the value, and *index moved to the word it was in; NULL when it is another option.
static const char *flag_value(const PathArray *words, u32 *index, const char *flag) {
    const char *word = words->items[*index];
    size_t length = strlen(flag);
    if (strncmp(word, flag, length))
        return NULL;
    if (word[length])
        return word + length;
    return *index + 1 < words->count ? words->items[++*index] : NULL;
}

static void read_flags(const PathArray *words, const char *directory, Flags *flags) {
    const struct {
        const char *flag;
        PathArray *list;
        bool is_path;
    } known[] = {
        {"-D", &flags->defines, false},
        {"-U", &flags->undefines, false},
        {"-isystem", &flags->system, true},
        {"-iquote", &flags->quote, true},
        {"-idirafter", &flags->system, true},
        {"-I", &flags->plain, true},
        {"-include", NULL, false},
        {"-imacros", NULL, false},
        {"-o", NULL, false},
    };
    for (u32 i = 1; i < words->count; i++)
        for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
            const char *value = flag_value(words, &i, known[k].flag);
            if (!value)
                continue;
            if (known[k].list && *value)
                array_push(known[k].list, known[k].is_path ? path_from(directory, value) : must_strdup(value));
            break;
        }
}

static char **take_lists(PathArray *const *lists, u32 count) { // NULL-terminated; empties them
    PathArray all = {0};
    for (u32 i = 0; i < count; i++) {
        for (u32 j = 0; j < lists[i]->count; j++)
            array_push(&all, lists[i]->items[j]);
        array_free(lists[i]);
    }
    array_push(&all, NULL);
    return all.items;
}

static void command_key(const CompileCommand *command, Buffer *key) {
    char **lists[] = {command->defines, command->undefines, command->includes};
    for (u32 i = 0; i < 3; i++) {
        for (char **item = lists[i]; *item; item++)
            buffer_put(key, *item, strlen(*item) + 1);
        buffer_byte(key, 1);
    }
}

static void command_free(CompileCommand *command) {
    char **lists[] = {command->defines, command->undefines, command->includes};
    for (u32 i = 0; i < 3; i++) {
        for (char **item = lists[i]; *item; item++)
            free(*item);
        free(lists[i]);
    }
}

static u32 intern_command(CommandReader *self, const CompileCommand *command) {
    Buffer key = {0};
    command_key(command, &key);
    u32 id = intern_add(&self->keys, (char *)key.bytes, (u32)key.size);
    buffer_free(&key);
    return id;
}

static i64 add_command(CommandReader *self, Flags *flags) {
    CompileCommand command;
    command.defines = take_lists((PathArray *[]){&flags->defines}, 1);
    command.undefines = take_lists((PathArray *[]){&flags->undefines}, 1);
    command.includes = take_lists((PathArray *[]){&flags->quote, &flags->plain, &flags->system}, 3);
    u32 id = intern_command(self, &command);
    if (id <= self->out->commands.count)
        command_free(&command);
    else
        array_push(&self->out->commands, command);
    return (i64)id - 1;
}

// JSON ------------------------------------------------------------------------

static const char entries_sql[] =
    "SELECT json_extract(value, '$.directory'), json_extract(value, '$.file'), json_extract(value, '$.command'),"
    " json_extract(value, '$.arguments') FROM json_each(?1) WHERE type = 'object'";
static const char check_sql[] = "SELECT CASE WHEN json_valid(?1) THEN json_type(?1) ELSE 'malformed' END";

static sqlite3_stmt *json_prepare(sqlite3 *db, const char *sql, const char *text, size_t size) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL))
        fatal("cannot read JSON: %s", sqlite3_errmsg(db)); // the statements are ours: memory is what is missing
    if (sqlite3_bind_text64(statement, 1, text, size, SQLITE_STATIC, SQLITE_UTF8))
        out_of_memory(size);
    return statement;
}

// Is there a row? What SQLite cannot do here is for want of memory: then the rows that are left must not be missing.
static bool json_step(sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE && code != SQLITE_ERROR && code != SQLITE_TOOBIG)
        fatal("cannot read JSON: %s; try again", sqlite3_errstr(code));
    return code == SQLITE_ROW;
}

static void json_words(CommandReader *self, const char *list, PathArray *words) {
    if (sqlite3_bind_text(self->arguments, 1, list, -1, SQLITE_STATIC))
        out_of_memory(0);
    while (json_step(self->arguments)) {
        const char *word = (const char *)sqlite3_column_text(self->arguments, 0);
        array_push(words, must_strdup(word ? word : ""));
    }
    sqlite3_reset(self->arguments);
}

static void read_entry(CommandReader *self, sqlite3_stmt *row) {
    const char *directory = (const char *)sqlite3_column_text(row, 0);
    const char *file = (const char *)sqlite3_column_text(row, 1);
    const char *command = (const char *)sqlite3_column_text(row, 2);
    const char *arguments = (const char *)sqlite3_column_text(row, 3);
    if (!file || !*file)
        return;
    char *base = path_from(self->home, directory && *directory ? directory : ".");
    PathArray words = {0};
    if (arguments && *arguments == '[')
        json_words(self, arguments, &words);
    else if (command)
        split_command(command, &words);
    Flags flags = {0};
    read_flags(&words, base, &flags);
    CompileEntry entry = {path_from(base, file), add_command(self, &flags)};
    array_push(self->entries, entry);
    words_free(&words);
    free(base);
}

// Why the text is no list of commands, or NULL.
static const char *json_problem(sqlite3 *db, const char *text, size_t size) {
    sqlite3_stmt *statement = json_prepare(db, check_sql, text, size);
    const char *problem = "it is not valid JSON";
    if (size < INT_MAX && json_step(statement)) {
        const char *type = (const char *)sqlite3_column_text(statement, 0);
        if (type && !strcmp(type, "array"))
            problem = NULL;
        else if (type && strcmp(type, "malformed"))
            problem = "it is not a list of commands";
    }
    sqlite3_finalize(statement);
    return problem;
}

static void read_entries(CommandReader *self, const char *path, const char *text, size_t size) {
    char *real = realpath(path, NULL);
    char *slash = real ? strrchr(real, '/') : NULL;
    if (slash)
        *slash = 0;
    self->home = real && *real ? real : "/";
    self->arguments = json_prepare(self->db, "SELECT atom FROM json_each(?1)", "[]", 2);
    for (u32 i = 0; i < self->out->commands.count; i++) // of another file read before
        intern_command(self, &self->out->commands.items[i]);
    sqlite3_stmt *statement = json_prepare(self->db, entries_sql, text, size);
    while (json_step(statement))
        read_entry(self, statement);
    sqlite3_finalize(statement);
    sqlite3_finalize(self->arguments);
    intern_free(&self->keys);
    free(real);
}

bool compile_commands_read(const char *path, bool named, Scan *out, CompileEntryArray *entries) {
    size_t size;
    CommandReader self = {.out = out, .entries = entries};
    char *text = file_read(path, &size);
    const char *problem = text ? NULL : strerror(errno);
    if (sqlite3_open_v2(":memory:", &self.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL))
        out_of_memory(0);
    if (!problem)
        problem = json_problem(self.db, text, size);
    if (!problem)
        read_entries(&self, path, text, size);
    char *shown = quote_path(path);
    if (problem && named)
        fatal("cannot use %s: %s", shown, problem);
    if (problem)
        note("%s is ignored: %s", shown, problem);
    sqlite3_close(self.db);
    free(shown);
    free(text);
    return !problem;
}

void compile_entries_free(CompileEntryArray *entries) {
    for (u32 i = 0; i < entries->count; i++)
        free(entries->items[i].file);
    array_free(entries);
}
