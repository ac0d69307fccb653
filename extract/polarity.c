// polarity.c: which configuration names say that something is left out?
// In: the conditionals of all files. Out: names that are taken as off although nobody says so (Harvest.absent).
// The idea: names are on unless somebody says otherwise, since most say that something is there. A name that is
// asked for nearly always in order to do what is done *without* it (`#ifndef NO_THREADS`, `#if
// !defined(STATIC_DRIVER)`) is meant to be off: with it on, the code that everybody builds would be dropped. Include
// guards and defaults (`#ifndef X`, `#define X …`) ask for nothing; where there is an `#else`, a name is asked for both
// ways. A name that says no itself (`#ifdef TLS_NO_LOCKS`) is likewise off, unless it is asked for very often; so is
// one that a file takes back without having defined it (`#undef FS_DEBUG`, for whoever wants to change that line).
#include "extract/preprocess.h"

#include <ctype.h>

#define NESTED 32           // parentheses that are looked into
#define ABSENT_SHARE 2      // how many times as often it must be asked for to be absent
#define SAYS_NO 0x80000000u // of a count: the name has a word that says that something is left out
#define NO_LEAST 4          // such a name is on only when it is asked for to be there more often than this,
#define NO_SHARE 8          // and so many times as often as to be absent

static bool is_word(char c) { return isalnum((u8)c) || c == '_' || c == '$'; }

// Is one of the words between the underscores NO, or the like?
static bool says_no(const char *name, u32 length) {
    static const char *const words[] = {"NO", "WITHOUT", "DISABLE", "DISABLED", "OMIT"};
    for (u32 at = 0; at < length;) {
        u32 stop = at;
        while (stop < length && name[stop] != '_')
            stop++;
        for (u32 i = 0; i < sizeof words / sizeof *words; i++)
            if (strlen(words[i]) == stop - at && !memcmp(words[i], name + at, stop - at))
                return true;
        at = stop + 1;
    }
    return false;
}

static void count_name(Harvest *self, const char *name, u32 length, bool absent) {
    bool fresh;
    u32 *count = map_put(&self->polarity, (u32)hash_bytes(name, length, 0), &fresh);
    u32 no = fresh ? (says_no(name, length) ? SAYS_NO : 0) : *count & SAYS_NO;
    u32 there = (*count & ~SAYS_NO) >> 16, away = *count & 0xffff;
    if (absent)
        away += away < 0xffff;
    else
        there += there < 0x7fff;
    *count = no | there << 16 | away;
}

// Every name of `!defined(A) && B > 2`, with the `!` before it and before the parentheses around it.
static void count_names(Harvest *self, const Directive *directive, bool both) {
    const char *at = directive->text, *end = at + directive->length;
    bool around[NESTED + 1] = {false}, not = false;
    u32 depth = 0;
    while (at < end) {
        const char *first = at;
        if (is_word(*at)) {
            while (at < end && is_word(*at))
                at++;
            u32 length = (u32)(at - first);
            if (length == 7 && !memcmp(first, "defined", 7))
                continue;
            if (!isdigit((u8)*first))
                count_name(self, first, length, not != around[depth]);
            if (!isdigit((u8)*first) && both && not != around[depth])
                count_name(self, first, length, false);
            not = false;
            continue;
        }
        if (*at == '!' && !(at + 1 < end && at[1] == '='))
            not = !not ;
        else if (*at == '(' && depth < NESTED) {
            depth++;
            around[depth] = around[depth - 1] != not ;
            not = false;
        } else if (*at == ')' && depth)
            depth--;
        else if (*at != ' ' && *at != '\t')
            not = false;
        at++;
    }
}

// fills: by directive, whether another arm follows its own. One pass: conditionals may be nested without end.
static void find_elses(const DirectiveArray *all, u8 *followed) {
    U32Array open = {0};
    for (u32 i = 0; i < all->count; i++) {
        u8 kind = all->items[i].kind;
        if (kind == DIRECTIVE_ENDIF && open.count)
            open.count--;
        if ((kind == DIRECTIVE_ELSE || kind == DIRECTIVE_ELIF) && open.count)
            followed[open.items[--open.count]] = 1;
        if (kind == DIRECTIVE_IF || kind == DIRECTIVE_IFDEF || kind == DIRECTIVE_IFNDEF || kind == DIRECTIVE_ELIF ||
            kind == DIRECTIVE_ELSE)
            array_push(&open, i);
    }
    array_free(&open);
}

// `#ifndef X` … `#define X` within its arm.
static bool defines_it(const DirectiveArray *all, u32 at) {
    Macro asked, made;
    u32 depth = 0;
    if (!define_read(&all->items[at], &asked))
        return true;
    for (u32 i = at + 1; i < all->count && i < at + 24; i++) {
        u8 kind = all->items[i].kind;
        if (kind == DIRECTIVE_IF || kind == DIRECTIVE_IFDEF || kind == DIRECTIVE_IFNDEF)
            depth++;
        else if (kind == DIRECTIVE_ENDIF && !depth--)
            return false;
        else if (kind == DIRECTIVE_DEFINE && define_read(&all->items[i], &made) && made.hash == asked.hash)
            return true;
    }
    return false;
}

static bool opens(u8 kind) { return kind == DIRECTIVE_IF || kind == DIRECTIVE_IFDEF || kind == DIRECTIVE_IFNDEF; }

// `#undef X` whatever else is chosen (an include guard is around everything), in a file that never defines X.
static bool takes_back(const DirectiveArray *all, u32 at) {
    Macro gone, made;
    u32 depth = 0, guards = all->items[0].kind == DIRECTIVE_IFNDEF && defines_it(all, 0);
    if (!define_read(&all->items[at], &gone))
        return false;
    for (u32 i = 0; i < all->count; i++) {
        u8 kind = all->items[i].kind;
        if (kind == DIRECTIVE_DEFINE && define_read(&all->items[i], &made) && made.hash == gone.hash)
            return false;
        depth += i < at && opens(kind);
        depth -= i < at && kind == DIRECTIVE_ENDIF && depth;
    }
    return depth <= guards;
}

void polarity_count(Harvest *self, const DirectiveArray *all) {
    u8 *followed = must_zero(all->count + 1u);
    find_elses(all, followed);
    for (u32 i = 0; i < all->count; i++) {
        const Directive *directive = &all->items[i];
        Macro asked;
        if (directive->kind == DIRECTIVE_IF || directive->kind == DIRECTIVE_ELIF)
            count_names(self, directive, followed[i]);
        else if (directive->kind == DIRECTIVE_IFDEF && define_read(directive, &asked))
            count_name(self, asked.name, asked.name_length, false);
        else if (directive->kind == DIRECTIVE_UNDEF && takes_back(all, i) && define_read(directive, &asked)) {
            count_name(self, asked.name, asked.name_length, true);
            *map_get(&self->polarity, (u32)hash_bytes(asked.name, asked.name_length, 0)) |= SAYS_NO;
        } else if (directive->kind == DIRECTIVE_IFNDEF && !defines_it(all, i) && define_read(directive, &asked)) {
            count_name(self, asked.name, asked.name_length, true);
            if (followed[i])
                count_name(self, asked.name, asked.name_length, false);
        }
    }
    free(followed);
}

bool harvest_is_absent(const Harvest *self, u32 hash) {
    const u32 *count = map_get(&self->polarity, hash);
    if (!count)
        return false;
    u32 there = (*count & ~SAYS_NO) >> 16, away = *count & 0xffff;
    return away > ABSENT_SHARE * there || ((*count & SAYS_NO) && there <= NO_LEAST + NO_SHARE * away);
}
