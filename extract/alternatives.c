// alternatives.c: of the arms of `#if A … #elif B … #elif C`, which one is built here?
// In: the conditionals of headers, and the lock table. Out: names that are taken as off (Harvest.polarity).
// The idea: a chain of arms that each ask for a name of their own chooses a system (`HAVE_BEOSTHREAD`,
// `HAVE_POSIXTHREAD`, `HAVE_WIN32THREAD`): one of them is on. Names being on unless somebody says otherwise, that is
// the first; but when a later arm makes its macros and helpers of functions that the lock table knows, and none before
// it does, the analysed program is that one: the names before it are off, everywhere, so that arms which belong
// together are chosen together.
#include "extract/preprocess.h"

#include <ctype.h>

#define KNOWN_LEAST 2 // known names that make an arm the one

typedef struct {
    u32 hash;        // of the only name that its condition asks for; 0: another condition
    u32 first, past; // its text, as offsets
} Arm;

typedef struct {
    const Declarations *declarations;
    Array(Arm) arms;    // of the conditionals that are open, and may be a chain
    U32Array beginning; // of each open conditional: its first arm
} Alternatives;

static bool is_word(char c) { return isalnum((u8)c) || c == '_' || c == '$'; }

// The X of `#if X`, `#if defined(X)`, `#ifdef X` and their `#elif`, as a hash; 0: another condition.
static u32 asked_name(const Directive *directive) {
    const char *at = directive->text, *end = at + directive->length, *name = NULL;
    u32 length = 0;
    while (at < end) {
        if (!is_word(*at)) {
            if (*at != ' ' && *at != '\t' && *at != '(' && *at != ')')
                return 0;
            at++;
            continue;
        }
        const char *first = at;
        while (at < end && is_word(*at))
            at++;
        if (at - first == 7 && !memcmp(first, "defined", 7))
            continue;
        if (name || isdigit((u8)*first))
            return 0;
        name = first;
        length = (u32)(at - first);
    }
    return name ? (u32)hash_bytes(name, length, 0) : 0;
}

// Is the word at `first` used there, and not being declared or defined?
static bool is_used(const char *text, u32 begin, u32 first) {
    u32 at = first;
    while (at > begin && (text[at - 1] == ' ' || text[at - 1] == '\t' || text[at - 1] == '\n'))
        at--;
    if (at == begin || text[at - 1] == '*')
        return false;
    if (!is_word(text[at - 1]))
        return true;
    u32 word = at;
    while (word > begin && is_word(text[word - 1]))
        word--;
    if (at - word == 6 && !memcmp(text + word, "return", 6))
        return true;
    // `#define OURS THEIRS`: the word before is the macro's name
    while (word > begin && (text[word - 1] == ' ' || text[word - 1] == '\t'))
        word--;
    return word - begin >= 6 && !memcmp(text + word - 6, "define", 6);
}

static u32 count_known(const Alternatives *self, const char *text, const Arm *arm) {
    u32 count = 0;
    for (u32 at = arm->first; at < arm->past;) {
        u32 first = at;
        while (at < arm->past && is_word(text[at]))
            at++;
        if (at == first)
            at++;
        else if (!isdigit((u8)text[first]) &&
                 declarations_look(self->declarations, text + first, at - first).said & (SAID_LOCK | SAID_REGISTERS))
            count += is_used(text, arm->first, first);
    }
    return count;
}

static void take_away(Harvest *self, u32 hash) { *map_put(&self->polarity, hash, NULL) = 0xffff; }

// A chain has ended: which of its arms is the one?
static void judge(Alternatives *self, Harvest *harvest, const char *text, u32 first) {
    u32 named = 0;
    for (u32 i = first; i < self->arms.count; i++)
        named += self->arms.items[i].hash != 0;
    if (named < 2 || !self->arms.items[first].hash)
        return;
    for (u32 i = first; i < self->arms.count && self->arms.items[i].hash; i++) {
        u32 known = count_known(self, text, &self->arms.items[i]);
        if (known >= KNOWN_LEAST) {
            for (u32 k = first; k < i; k++)
                take_away(harvest, self->arms.items[k].hash);
            return;
        }
        if (known)
            return;
    }
}

static void arm_begin(Alternatives *self, const Directive *directive) {
    bool asks =
        directive->kind == DIRECTIVE_IF || directive->kind == DIRECTIVE_IFDEF || directive->kind == DIRECTIVE_ELIF;
    Arm arm = {.hash = asks ? asked_name(directive) : 0, .first = directive->offset, .past = directive->offset};
    array_push(&self->arms, arm);
}

static void arm_end(Alternatives *self, const Directive *directive) {
    if (self->arms.count)
        self->arms.items[self->arms.count - 1].past = directive->offset;
}

static void alternatives_of_file(Alternatives *self, Harvest *harvest, const HarvestedFile *file) {
    self->arms.count = self->beginning.count = 0;
    for (u32 d = 0; d < file->directives.count; d++) {
        const Directive *directive = &file->directives.items[d];
        switch (directive->kind) {
        case DIRECTIVE_IF:
        case DIRECTIVE_IFDEF:
        case DIRECTIVE_IFNDEF:
            array_push(&self->beginning, self->arms.count);
            arm_begin(self, directive);
            break;
        case DIRECTIVE_ELIF:
        case DIRECTIVE_ELSE:
            if (self->beginning.count) {
                arm_end(self, directive);
                arm_begin(self, directive);
            }
            break;
        case DIRECTIVE_ENDIF:
            if (self->beginning.count) {
                arm_end(self, directive);
                u32 first = self->beginning.items[--self->beginning.count];
                judge(self, harvest, file->text, first);
                self->arms.count = first;
            }
            break;
        }
    }
}

void alternatives_choose(Harvest *harvest, const Declarations *declarations) {
    Alternatives self = {.declarations = declarations};
    for (u32 f = 0; f < harvest->scan->files.count; f++)
        if (harvest->files[f].text)
            alternatives_of_file(&self, harvest, &harvest->files[f]);
    array_free(&self.arms);
    array_free(&self.beginning);
}
