// suppress.c: findings that somebody wrote are not wanted, and why.
// In: comments `racerx: ignore KIND[,KIND…] REASON` of the analysed files, lines `KIND… key=GLOB… # REASON` of
// suppression files. Out: Finding.suppressed, and for each of them how many findings it silenced. A reason must be
// given. What is not well formed silences nothing and is said: in a comment of the tree as a row with its trouble, in a
// file of the user's as a fatal mistake.
#include "racerx/findings/suppress.h"

#include <errno.h>
#include <fnmatch.h>

typedef struct {
    SuppressionRow row;
    u32 kinds; // a bit for each
    const char *reason;
    bool comment;         // in the source: row.file and row.line are its place, and
    u32 next;             // line of the code after it; 0: none
    const char *function; // whose head it stands at; "": of none
    const char *keys[4];  // of a file: object, file, function, id; NULL: any
} Rule;
enum { KEY_OBJECT, KEY_FILE, KEY_FUNCTION, KEY_ID, KEY_COUNT };
static const char *const key_words[KEY_COUNT + 1] = {"object", "file", "function", "id", NULL};

struct Suppressions {
    Arena arena;
    Array(Rule) rules;
};

Suppressions *suppressions_make(void) { return must_zero(sizeof(Suppressions)); }

void suppressions_free(Suppressions *self) {
    arena_free(&self->arena);
    array_free(&self->rules);
    free(self);
}

static const char *keep(Suppressions *self, const char *text, size_t length) {
    return arena_copy(&self->arena, text, length);
}

static const char *keep_format(Suppressions *self, const char *format, const char *what) {
    char text[400];
    char *shown = quote_path(what);
    snprintf(text, sizeof text, format, shown);
    free(shown);
    return keep(self, text, strlen(text));
}

// kinds -------------------------------------------------------------------------

static u32 kind_bit(const char *word, size_t length) { // 0: no such kind
    if (length == 3 && !strncmp(word, "any", 3))
        return (1u << KIND_COUNT) - 1;
    for (u32 i = 0; i < KIND_COUNT; i++)
        if (strlen(kind_word((FindingKind)i)) == length && !strncmp(kind_word((FindingKind)i), word, length))
            return 1u << i;
    return 0;
}

// `race,lock-leak`, spaces after the commas allowed; *at moves past it. NULL when it is well formed, else what is
// wrong.
static const char *read_kinds(Suppressions *self, const char **at, u32 *kinds) {
    for (;;) {
        *at += strspn(*at, " \t");
        size_t length = strcspn(*at, ", \t");
        u32 bit = kind_bit(*at, length);
        if (!bit) {
            const char *word = keep(self, *at, length);
            return length ? keep_format(self, "'%s' is no kind of finding", word) : "it names no kind of finding";
        }
        *kinds |= bit;
        *at += length;
        const char *rest = *at + strspn(*at, " \t");
        if (*rest != ',')
            return NULL;
        *at = rest + 1;
    }
}

// comments ------------------------------------------------------------------------

static const char *read_comment(Suppressions *self, Rule *rule) { // what is wrong with it; "": nothing
    const char *at = rule->row.text + strlen("racerx: ");
    if (strncmp(at, "ignore", 6) || (at[6] && at[6] != ' '))
        return "only `racerx: ignore KIND REASON` is known";
    at += 6;
    const char *trouble = read_kinds(self, &at, &rule->kinds);
    if (trouble)
        return trouble;
    at += strspn(at, " :-");
    rule->reason = at;
    return *at ? "" : "it gives no reason";
}

static const char *keep_text(Suppressions *self, const char *text) { // as it was written
    char *copy = arena_alloc(&self->arena, strlen(text) + sizeof "racerx: ");
    sprintf(copy, "racerx: %s", text);
    return copy;
}

static void gather_file(Suppressions *self, const Program *program, const ProgramFile *file) {
    for (u32 i = 0; i < file->tree.remarks.count; i++) {
        const Remark *remark = &file->tree.remarks.items[i];
        const char *text = program_text(program, file->names[remark->text]),
                   *function = program_text(program, file->names[remark->function]);
        const char *path = remark->file ? program_text(program, file->names[remark->file]) : file->path;
        Rule rule = {
            .comment = true, .next = remark->next, .function = keep(self, function, strlen(function)), .reason = ""};
        rule.row = (SuppressionRow){
            .file = keep(self, path, strlen(path)), .line = remark->line, .text = keep_text(self, text)};
        rule.row.trouble = read_comment(self, &rule);
        array_push(&self->rules, rule);
    }
}

void suppressions_gather(Suppressions *self, const Program *program) {
    for (u32 i = 0; i < program->files.count; i++)
        gather_file(self, program, &program->files.items[i]);
}

// files ---------------------------------------------------------------------------

static _Noreturn void bad_line(const Rule *rule, const char *why) {
    fatal("%s:%u: %s; a line is KIND[,KIND…] with object=, file=, function= or id=, and # REASON after it",
          rule->row.file, rule->row.line, why);
}

// One key=VALUE or key="VALUE" at *at, which moves past it.
static void read_key(Suppressions *self, Rule *rule, const char **at) {
    size_t length = strcspn(*at, "= \t");
    const char *word = keep(self, *at, length);
    u32 key = 0;
    while (key < KEY_COUNT && strcmp(key_words[key], word))
        key++;
    if (key == KEY_COUNT || (*at)[length] != '=')
        bad_line(rule, keep_format(self, "'%s' is not object=, file=, function= or id=", word));
    const char *value = *at + length + 1;
    bool quoted = *value == '"';
    length = quoted ? strcspn(++value, "\"") : strcspn(value, " \t");
    if (!length || (quoted && !value[length]))
        bad_line(rule, keep_format(self, quoted && length ? "the quotes after %s= do not end" : "%s= has no value",
                                   key_words[key]));
    rule->keys[key] = keep(self, value, length);
    *at = value + length + quoted;
}

static void read_line(Suppressions *self, const char *shown, u32 number, const char *line) {
    Rule rule = {.row = {.file = shown, .line = number, .text = line, .trouble = ""}};
    const char *at = line + strspn(line, " \t");
    if (!*at || *at == '#')
        return;
    const char *trouble = read_kinds(self, &at, &rule.kinds);
    if (trouble)
        bad_line(&rule, trouble);
    u32 keys = 0;
    for (at += strspn(at, " \t"); *at && *at != '#'; at += strspn(at, " \t"), keys++)
        read_key(self, &rule, &at);
    at += strspn(at, "# \t");
    rule.reason = at;
    if (!keys)
        bad_line(&rule, "it does not say which findings");
    if (!*at)
        bad_line(&rule, "it gives no reason");
    array_push(&self->rules, rule);
}

void suppressions_read(Suppressions *self, const char *path, const char *shown) {
    size_t size;
    char *text = file_read(path, &size);
    char *name = quote_path(shown);
    if (!text)
        fatal("cannot read the suppressions %s: %s", name, strerror(errno));
    const char *kept = keep(self, name, strlen(name));
    u32 number = 1;
    for (const char *at = text, *end = text + size; at < end; number++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        size_t used = strnlen(at, length);
        while (used && (at[used - 1] == '\r' || at[used - 1] == ' ' || at[used - 1] == '\t'))
            used--;
        read_line(self, kept, number, keep(self, at, used));
        at += length + 1;
    }
    free(name);
    free(text);
}

// applying ------------------------------------------------------------------------

static bool covers_site(const Rule *rule, const Site *site) {
    if (strcmp(site->file, rule->row.file))
        return false;
    return site->line == rule->row.line || (rule->next && site->line == rule->next) ||
           (*rule->function && !strcmp(rule->function, site->function));
}

static bool glob_matches(const char *glob, const char *text) {
    const char *slash = strrchr(text, '/');
    return !strcmp(glob, text) || !fnmatch(glob, text, 0) || (slash && !fnmatch(glob, slash + 1, 0));
}

static bool has_object(const Finding *finding, const char *glob) {
    if (glob_matches(glob, finding->object))
        return true;
    for (u32 i = 0; i < finding->objects.count; i++)
        if (glob_matches(glob, finding->objects.items[i]))
            return true;
    return false;
}

static bool has_site(const Finding *finding, const Rule *rule) { // in such a file and such a function
    for (u32 i = 0; i < finding->sites.count; i++) {
        const Site *site = &finding->sites.items[i];
        if ((!rule->keys[KEY_FILE] || glob_matches(rule->keys[KEY_FILE], site->file)) &&
            (!rule->keys[KEY_FUNCTION] || glob_matches(rule->keys[KEY_FUNCTION], site->function)))
            return true;
    }
    return false;
}

static bool covers(const Rule *rule, const Finding *finding) {
    if (*rule->row.trouble || !(rule->kinds >> finding->kind & 1))
        return false;
    for (u32 i = 0; rule->comment && i < finding->sites.count; i++)
        if (covers_site(rule, &finding->sites.items[i]))
            return true;
    if (rule->comment)
        return false;
    const char *id = rule->keys[KEY_ID], *object = rule->keys[KEY_OBJECT];
    return (!id || !strncmp(id, finding->id, strlen(id))) && (!object || has_object(finding, object)) &&
           has_site(finding, rule);
}

void suppress(Suppressions *self, FindingList *findings) {
    for (u32 i = 0; i < findings->items.count && self->rules.count; i++) {
        Finding *finding = findings->items.items[i];
        for (u32 r = 0; r < self->rules.count; r++) {
            Rule *rule = &self->rules.items[r];
            if (!covers(rule, finding))
                continue;
            rule->row.used++;
            if (!*finding->suppressed)
                finding->suppressed =
                    findings_text(findings, "%s:%u: %s", rule->row.file, rule->row.line, rule->reason);
        }
    }
    for (u32 r = 0; r < self->rules.count; r++)
        findings_add_suppression(findings, &self->rules.items[r].row);
}
