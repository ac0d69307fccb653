// owners.c: whose code a file is, by a CODEOWNERS file.
// In: its text: a pattern and owners on a line; the last line that matches a path counts, as code hosts have it. Out:
// owners.
//
// A pattern with a slash that is not its last character is from the top of the tree, others match at any depth; what
// matches a directory is for all below it. `*` stays within a name, `**` does not. Section heads of GitLab ([Team]
// @owner) give owners to the lines below that name none.
#include "reports/reports.h"

#include <fnmatch.h>

typedef struct {
    char *pattern;
    char *owners; // with single spaces; "": nobody
} OwnerRule;
struct Owners {
    Array(OwnerRule) rules;
};

static char *copy_words(const char *from, const char *end) {
    Buffer out = {0};
    for (const char *at = from; at < end;) {
        size_t space = strspn(at, " \t\r"), word = strcspn(at + space, " \t\r\n");
        at += space;
        if (at >= end || *at == '#')
            break;
        buffer_format(&out, "%s%.*s", out.size ? " " : "", (int)word, at);
        at += word;
    }
    buffer_byte(&out, 0);
    return (char *)out.bytes;
}

Owners *owners_read(const char *text) {
    Owners *self = must_zero(sizeof *self);
    char *section = must_strdup("");
    for (const char *line = text, *end; *line; line = end + (*end == '\n')) {
        end = line + strcspn(line, "\n");
        const char *at = line + strspn(line, " \t\r"), *close = strchr(at, ']');
        if (at >= end || *at == '#')
            continue;
        if ((*at == '[' || !strncmp(at, "^[", 2)) && close && close < end) {
            free(section);
            section = copy_words(close + 1, end);
            continue;
        }
        size_t length = strcspn(at, " \t\r\n");
        char *owners = copy_words(at + length, end);
        if (!*owners && *section) {
            free(owners);
            owners = must_strdup(section);
        }
        array_push(&self->rules, ((OwnerRule){strndup(at, length), owners}));
    }
    free(section);
    return self;
}

void owners_free(Owners *self) {
    for (u32 i = 0; self && i < self->rules.count; i++) {
        free(self->rules.items[i].pattern);
        free(self->rules.items[i].owners);
    }
    if (self)
        array_free(&self->rules);
    free(self);
}

// Does the pattern match this beginning of a path? `**` crosses slashes.
static bool glob_matches(const char *pattern, const char *path) {
    return !fnmatch(pattern, path, strstr(pattern, "**") ? 0 : FNM_PATHNAME);
}

static bool rule_matches(const char *rule, const char *path) {
    char pattern[512], part[4096];
    size_t length = strlen(rule);
    bool directory = length && rule[length - 1] == '/';
    bool anchored = memchr(rule, '/', length - (directory ? 1 : 0)) != NULL;
    if (length >= sizeof pattern || strlen(path) >= sizeof part)
        return false;
    snprintf(pattern, sizeof pattern, "%.*s", (int)(length - directory - (*rule == '/')), rule + (*rule == '/'));
    // Every directory on the way, then the file itself.
    for (size_t at = 0;; at++) {
        if (path[at] && path[at] != '/')
            continue;
        snprintf(part, sizeof part, "%.*s", (int)at, path);
        const char *slash = strrchr(part, '/');
        bool whole = !path[at];
        if (!(whole && directory) && glob_matches(pattern, anchored || !slash ? part : slash + 1))
            return true;
        if (whole)
            return false;
    }
}

const char *owners_of(const Owners *self, const char *path) {
    for (u32 i = self->rules.count; i-- > 0;)
        if (rule_matches(self->rules.items[i].pattern, path))
            return self->rules.items[i].owners;
    return "";
}

bool owners_has(const Owners *self, const char *path, const char *wanted) {
    const char *owners = owners_of(self, path);
    if (!strcmp(wanted, "none"))
        return !*owners;
    for (size_t length; *owners; owners += length + (owners[length] == ' ')) {
        char *one = strndup(owners, length = strcspn(owners, " "));
        bool matches = !fnmatch(wanted, one, 0) || (*one == '@' && !fnmatch(wanted, one + 1, 0));
        free(one);
        if (matches)
            return true;
    }
    return false;
}
