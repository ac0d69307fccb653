// polarity.c: which configuration names say that something is left out?
// In: the conditionals of all files. Out: names that are taken as off although nobody says so (Harvest.absent).
// The idea: names are on unless somebody says otherwise, since most say that something is there. A name that is
// asked for nearly always in order to do what is done *without* it (`#ifndef NO_THREADS`, `#if
// !defined(STATIC_DRIVER)`) is meant to be off: with it on, the code that everybody builds would be dropped. Include
// guards and defaults
// (`#ifndef X`, `#define X …`) ask for nothing; where there is an `#else`, a name is asked for both ways.
#include "extract/preprocess.h"

#include <ctype.h>

#define NESTED 32      // parentheses that are looked into
#define ABSENT_SHARE 2 // how many times as often it must be asked for to be absent

static bool is_word(char c) { return isalnum((u8)c) || c == '_' || c == '$'; }

static void count_name(Harvest *self, const char *name, u32 length, bool absent) {
    u32 *count = map_put(&self->polarity, (u32)hash_bytes(name, length, 0), NULL);
    u32 there = *count >> 16, away = *count & 0xffff;
    if (absent)
        away += away < 0xffff;
    else
        there += there < 0xffff;
    *count = there << 16 | away;
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
        else if (directive->kind == DIRECTIVE_IFNDEF && !defines_it(all, i) && define_read(directive, &asked)) {
            count_name(self, asked.name, asked.name_length, true);
            if (followed[i])
                count_name(self, asked.name, asked.name_length, false);
        }
    }
    free(followed);
}

bool harvest_is_absent(const Harvest *self, u32 hash) {
    const u32 *count = map_get(&self->polarity, hash);
    return count && (*count & 0xffff) > ABSENT_SHARE * (*count >> 16);
}
