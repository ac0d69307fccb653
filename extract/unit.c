// unit.c: one file being read: what its names mean.
// A name is a macro when this file has defined it so far, when a header that it includes
// (directly or not) does, or when only one header of the tree does and the name looks like a
// macro's. The headers are found by the end of their paths; where several fit, the one
// closest to the unit, then the shallowest, then the one in the most populous directory.
// Invariant: unit_macro() depends only on the file's text, the harvest and the options, so that
// unit_environment() can tell whether a tree made earlier is still right.
#include "extract/preprocess.h"

Worker *worker_new(const Harvest *harvest, const DefineOptions *defines) {
    Worker *self = must_zero(sizeof *self);
    self->harvest = harvest;
    self->defines = defines;
    self->allowance = 2000000;
    name_add(&self->names, "", 0);
    return self;
}

void worker_free(Worker *self) {
    intern_free(&self->names.intern);
    array_free(&self->names.names);
    array_free(&self->unit_names);
    array_free(&self->used);
    array_free(&self->lexed.tokens);
    array_free(&self->lexed.directives);
    array_free(&self->lexed.marks);
    array_free(&self->lexed.mark_files);
    array_free(&self->lexed.remarks);
    arena_free(&self->arena);
    bitset_free(&self->closure);
    array_free(&self->pending);
    array_free(&self->reached);
    array_free(&self->declared);
    array_free(&self->locals);
    array_free(&self->own_includes);
    array_free(&self->body_tokens);
    array_free(&self->bodies);
    map_free(&self->body_of);
    array_free(&self->local_tokens);
    array_free(&self->local_bodies);
    map_free(&self->choices);
    array_free(&self->candidates);
    array_free(&self->active);
    array_free(&self->expanded);
    array_free(&self->feeds);
    array_free(&self->stated);
    array_free(&self->weighings);
    array_free(&self->members);
    free(self);
}

UnitName *unit_name(Worker *self, u32 name) {
    while (self->unit_names.count <= name)
        array_push(&self->unit_names, (UnitName){0});
    UnitName *unit = &self->unit_names.items[name];
    if (unit->stamp != self->stamp) {
        *unit = (UnitName){.stamp = self->stamp, .macro = NO_MACRO};
        array_push(&self->used, name);
    }
    return unit;
}

static Name *name_ask(Worker *self, u32 name) {
    Name *entry = &self->names.names.items[name];
    if (!entry->asked) {
        const InternEntry *text = &self->names.intern.entries.items[name];
        entry->asked = 1;
        if (self->declarations)
            entry->said = declarations_look(self->declarations, text->text, text->length).said;
        entry->first_macro = harvest_find(self->harvest, entry->hash);
    }
    return entry;
}

u32 name_said(Worker *self, u32 name) { return name_ask(self, name)->said; }

// defining --------------------------------------------------------------------

static void define_local(Worker *self, u32 name, Macro macro) {
    UnitName *unit = unit_name(self, name);
    macro.active = 1;
    array_push(&self->locals, macro);
    unit->macro = LOCAL_MACRO + self->locals.count - 1;
    unit->resolved = 1;
    unit->state = NAME_DEFINED;
    unit->bound = 0;
}

void unit_define(Worker *self, const Directive *directive) {
    Macro macro;
    if (!define_read(directive, &macro))
        return;
    macro.file = self->file;
    define_local(self, name_add(&self->names, macro.name, macro.name_length), macro);
}

void unit_undefine(Worker *self, const Directive *directive) {
    Macro macro;
    if (!define_read(directive, &macro))
        return;
    UnitName *unit = unit_name(self, name_add(&self->names, macro.name, macro.name_length));
    unit->macro = NO_MACRO;
    unit->resolved = 1;
    unit->state = NAME_UNDEFINED;
    unit->bound = 0;
}

// "NAME", "NAME=VALUE" or "NAME(a)=VALUE" from the command line.
static void define_option(Worker *self, const char *text) {
    size_t length = strcspn(text, "=");
    const char *value = text[length] ? text + length + 1 : "1";
    size_t name = strcspn(text, "=(");
    char *copy = arena_alloc(&self->arena, strlen(text) + 24);
    int size = sprintf(copy, "%.*s %s", (int)length, text, value);
    memset(copy + size, 0, 16);
    (void)name;
    Directive directive = {.text = copy, .length = (u32)size};
    unit_define(self, &directive);
}

static void undefine_option(Worker *self, const char *text) {
    Directive directive = {.text = text, .length = (u32)strlen(text)};
    unit_undefine(self, &directive);
}

void unit_begin(Worker *self, u32 file) {
    const SourceFile *source = &self->harvest->scan->files.items[file];
    self->stamp++;
    self->file = file;
    self->used.count = self->locals.count = self->local_tokens.count = self->local_bodies.count = 0;
    self->own_includes.count = self->active.count = self->expanded.count = self->feeds.count = 0;
    arena_reset(&self->arena);
    self->closure_ready = self->declared_ready = self->alternative = false;
    self->text = NULL;
    self->preprocessed = source->kind == FILE_PREPROCESSED;
    self->limit = NULL;
    self->lost_why = NULL;
    self->depth = 0;
    self->braces = self->lock_parens = 0;
    self->stated.count = 0;
    self->counter = 0;
    self->budget = self->allowance;
    self->body_bytes = 0;
    self->command = source->command >= 0 ? &self->harvest->scan->commands.items[source->command] : NULL;
    for (char **define = self->command ? self->command->defines : NULL; define && *define; define++)
        define_option(self, *define);
    for (char **undefine = self->command ? self->command->undefines : NULL; undefine && *undefine; undefine++)
        undefine_option(self, *undefine);
    for (u32 i = 0; i < self->defines->define_count; i++)
        define_option(self, self->defines->defines[i]);
    for (u32 i = 0; i < self->defines->undefine_count; i++)
        undefine_option(self, self->defines->undefines[i]);
}

// includes --------------------------------------------------------------------

static u32 common_directories(const char *a, const char *b) {
    u32 common = 0;
    for (u32 i = 0; a[i] && a[i] == b[i]; i++)
        common += a[i] == '/';
    return common;
}

static u32 count_slashes(const char *path) {
    u32 count = 0;
    for (; *path; path++)
        count += *path == '/';
    return count;
}

// Files at or below the directory that the spelling starts from.
static u32 population(const Harvest *harvest, const char *path, u32 spec_length) {
    u32 length = (u32)strlen(path);
    length = length > spec_length ? length - spec_length - 1 : 0;
    u32 id = intern_find(&harvest->directories, path, length);
    return id == UINT32_MAX ? 0 : harvest->directory_size.items[id];
}

static u32 closest(const Harvest *harvest, const U32Array *candidates, const char *viewpoint, u32 spec_length) {
    u32 best = NO_FILE, best_common = 0, best_depth = 0, best_population = 0;
    for (u32 i = 0; i < candidates->count; i++) {
        const char *path = harvest->scan->files.items[candidates->items[i]].path;
        u32 common = common_directories(viewpoint, path), depth = count_slashes(path);
        u32 people = population(harvest, path, spec_length);
        if (best == NO_FILE || common > best_common || (common == best_common && depth < best_depth) ||
            (common == best_common && depth == best_depth && people > best_population)) {
            best = candidates->items[i];
            best_common = common, best_depth = depth, best_population = people;
        }
    }
    return best;
}

// A -I directory of the compile command that has it.
static u32 by_command(Worker *self, const Include *include) {
    const Harvest *harvest = self->harvest;
    for (char **directory = self->command ? self->command->includes : NULL; directory && *directory; directory++) {
        u32 wanted = (u32)strlen(*directory) + 1 + include->length;
        for (u32 i = 0; i < self->candidates.count; i++) {
            const char *full = harvest->scan->files.items[self->candidates.items[i]].full;
            size_t length = strlen(full);
            if (length >= wanted && !strncmp(full, *directory, strlen(*directory)) && full[strlen(*directory)] == '/' &&
                length == wanted)
                return self->candidates.items[i];
        }
    }
    return NO_FILE;
}

static u32 resolve(Worker *self, u32 from, const Include *include) {
    const Harvest *harvest = self->harvest;
    if (include->fixed != NO_FILE)
        return include->fixed;
    if (include->spelling && !harvest->candidates.items[include->spelling].count)
        return NO_FILE;
    u32 view = include->quoted ? from : self->file;
    u64 key = hash_mix((u64)harvest->files[view].directory << 32 | include->spelling,
                       self->command ? (u64)(uintptr_t)(self->command - harvest->scan->commands.items) + 1 : 0);
    u32 *known = include->spelling ? map_put(&self->choices, key, NULL) : NULL;
    if (known && *known)
        return *known - 1 == harvest->scan->files.count ? NO_FILE : *known - 1;
    harvest_candidates(harvest, include->spec, include->length, &self->candidates);
    u32 found = by_command(self, include);
    if (found == NO_FILE)
        found = closest(harvest, &self->candidates, harvest->scan->files.items[view].path, include->length);
    if (known)
        *map_put(&self->choices, key, NULL) = found == NO_FILE ? harvest->scan->files.count + 1 : found + 1;
    return found;
}

static void closure_reach(Worker *self, u32 from, const Include *include) {
    if (!self->choosing && !include->active)
        return;
    u32 file = resolve(self, from, include);
    if (file == NO_FILE || file == self->file || bitset_has(&self->closure, file))
        return;
    bitset_set(&self->closure, file);
    array_push(&self->reached, file);
    array_push(&self->pending, file);
}

static void own_include(Worker *self, const Directive *directive) {
    Include include;
    if (directive->kind != DIRECTIVE_INCLUDE || !include_read(directive, &include))
        return;
    if (include.quoted)
        include.fixed = harvest_beside(self->harvest, self->file, include.spec, include.length);
    u32 spelling = intern_find(&self->harvest->spellings, include.spec, include.length);
    include.spelling = spelling == UINT32_MAX ? 0 : spelling;
    closure_reach(self, self->file, &include);
}

void unit_closure(Worker *self) {
    if (self->closure_ready)
        return;
    self->closure_ready = true;
    const Harvest *harvest = self->harvest;
    if (self->closure.bits != harvest->scan->files.count)
        bitset_resize(&self->closure, harvest->scan->files.count);
    for (u32 i = 0; i < self->reached.count; i++)
        self->closure.words[self->reached.items[i] >> 6] = 0;
    self->reached.count = self->pending.count = 0;
    const HarvestedFile *own = &harvest->files[self->file];
    if (own->text)
        array_push(&self->pending, self->file);
    else
        for (u32 i = 0; i < self->lexed.directives.count; i++)
            own_include(self, &self->lexed.directives.items[i]);
    while (self->pending.count) {
        u32 from = self->pending.items[--self->pending.count];
        const HarvestedFile *file = &harvest->files[from];
        for (u32 i = 0; i < file->include_count; i++)
            closure_reach(self, from, &harvest->includes.items[file->include + i]);
    }
}

// lookup ----------------------------------------------------------------------

static bool same_text(const Macro *a, const Macro *b) {
    return a->function_like == b->function_like && a->length == b->length && !memcmp(a->text, b->text, a->length);
}

// Nothing, or words that begin with __: several headers may disagree about those, no harm done.
static bool is_attribute_text(const Macro *macro) {
    u32 at = 0;
    while (at < macro->length && (macro->text[at] == ' ' || macro->text[at] == '\t'))
        at++;
    return !macro->function_like && (at == macro->length || macro->text[at] == '/' ||
                                     (at + 1 < macro->length && macro->text[at] == '_' && macro->text[at + 1] == '_'));
}

bool unit_includes(Worker *self, u32 file) {
    unit_closure(self);
    return file == self->file || bitset_has(&self->closure, file);
}

// May a macro of this header be meant by a file that does not include it, as far as we see? Its own part of the
// tree may, and others when they are meant to include it.
static bool is_within_reach(const Harvest *harvest, const Macro *macro, const char *view) {
    const char *path = harvest->scan->files.items[macro->file].path;
    return bitset_has(&harvest->open, macro->file) || common_directories(view, path) >= count_slashes(path);
}

// The best of the macros outside what the unit includes, or NO_MACRO: the one closest to it. It must not be
// doubtful: other text equally close, out of reach, or declared as something else in what the unit includes.
typedef struct {
    u32 macro, common, depth;
    bool doubtful;
} Outside;

static void outside_look(Outside *self, const Harvest *harvest, u32 m, const char *view) {
    const Macro *macro = &harvest->macros.items[m];
    const char *path = harvest->scan->files.items[macro->file].path;
    u32 common = common_directories(view, path), depth = count_slashes(path);
    if (self->macro == NO_MACRO || common > self->common || (common == self->common && depth < self->depth))
        *self = (Outside){m, common, depth, false};
    else if (common == self->common && depth == self->depth)
        self->doubtful |= !same_text(&harvest->macros.items[self->macro], macro);
}

static u32 outside_pick(Worker *self, const Outside *found, const char *view) {
    if (found->macro == NO_MACRO)
        return NO_MACRO;
    const Macro *macro = &self->harvest->macros.items[found->macro];
    if (macro->name[0] == '_' && is_attribute_text(macro))
        return found->macro;
    if (found->doubtful || !is_within_reach(self->harvest, macro, view) ||
        harvest_declares(self->harvest, macro->hash, &self->closure))
        return NO_MACRO;
    return found->macro;
}

static u32 pick_macro(Worker *self, u32 first, const char *name, u32 length, bool looks_like_one) {
    const Harvest *harvest = self->harvest;
    u32 best = NO_MACRO, best_common = 0;
    Outside outside = {.macro = NO_MACRO};
    const char *view = harvest->scan->files.items[self->file].path;
    unit_closure(self);
    for (u32 m = first; m != NO_MACRO; m = harvest->macros.items[m].next) {
        const Macro *macro = &harvest->macros.items[m];
        if ((!self->choosing && !macro->active) || macro->file == self->file)
            continue;
        if (macro->name_length != length || memcmp(macro->name, name, length))
            continue;
        if (bitset_has(&self->closure, macro->file)) {
            u32 common = common_directories(view, harvest->scan->files.items[macro->file].path);
            if (best == NO_MACRO || common > best_common)
                best = m, best_common = common;
        } else if (looks_like_one) {
            outside_look(&outside, harvest, m, view);
        }
    }
    return best != NO_MACRO ? best : outside_pick(self, &outside, view);
}

static bool looks_like_macro(const Name *name, const char *text, u32 length) {
    return (name->upper && length > 2) || (length > 3 && text[0] == '_' && text[1] == '_');
}

static int compare_u32(const void *a, const void *b) {
    u32 x = *(const u32 *)a, y = *(const u32 *)b;
    return x < y ? -1 : x > y;
}

// Does the file itself declare the name as something other than a macro?
static bool unit_declares(Worker *self, u32 hash) {
    if (!self->declared_ready) {
        self->declared.count = 0;
        lex_declared(&self->declared, self->text, self->size);
        if (self->declared.count)
            qsort(self->declared.items, self->declared.count, sizeof(u32), compare_u32);
        self->declared_ready = true;
    }
    return self->declared.count && bsearch(&hash, self->declared.items, self->declared.count, sizeof(u32), compare_u32);
}

// A macro that was only guessed gives way to what the file declares.
static u32 doubt_macro(Worker *self, u32 macro, u32 hash) {
    if (macro == NO_MACRO || self->choosing || !self->text ||
        unit_includes(self, self->harvest->macros.items[macro].file))
        return macro;
    const Macro *found = &self->harvest->macros.items[macro];
    return !(found->name[0] == '_' && is_attribute_text(found)) && unit_declares(self, hash) ? NO_MACRO : macro;
}

u32 unit_macro(Worker *self, u32 id) {
    UnitName *unit = unit_name(self, id);
    if (unit->resolved)
        return unit->macro;
    const Name *name = name_ask(self, id);
    const InternEntry *text = &self->names.intern.entries.items[id];
    unit->resolved = 1;
    if (name->said & SAID_DEFINED) {
        Declared declared = declarations_look(self->declarations, text->text, text->length);
        const char *value = declared.value ? declared.value : "1";
        char *copy = arena_alloc(&self->arena, strlen(value) + 24);
        int size = sprintf(copy, " %s", value);
        memset(copy + size, 0, 16);
        define_local(self, id,
                     (Macro){.name = text->text,
                             .name_length = text->length,
                             .text = copy,
                             .length = (u32)size,
                             .next = NO_MACRO,
                             .file = self->file});
        return self->unit_names.items[id].macro;
    }
    if (name->first_macro != NO_MACRO) {
        u32 found = pick_macro(self, name->first_macro, text->text, text->length,
                               looks_like_macro(name, text->text, text->length));
        self->unit_names.items[id].macro = doubt_macro(self, found, name->hash);
    }
    if (unit->macro == NO_MACRO && (name->said & SAID_MACRO)) {
        Declared declared = declarations_look(self->declarations, text->text, text->length);
        const char *parameters = declared.parameters ? declared.parameters : "";
        size_t room = strlen(declared.value) + strlen(parameters) + 32;
        char *copy = arena_zero(&self->arena, room);
        int size = snprintf(copy, room, "(%s) %s", parameters, declared.value);
        define_local(self, id,
                     (Macro){.name = text->text,
                             .name_length = text->length,
                             .text = copy,
                             .function_like = 1,
                             .length = (u32)size,
                             .next = NO_MACRO,
                             .file = self->file});
        return self->unit_names.items[id].macro;
    }
    return unit->macro;
}

const Macro *worker_macro(const Worker *self, u32 macro) {
    return macro & LOCAL_MACRO ? &self->locals.items[macro & ~LOCAL_MACRO] : &self->harvest->macros.items[macro];
}

// Another definition in what the unit includes that takes so many arguments, when there is one: configurations
// that exclude each other may both be on.
u32 unit_macro_of(Worker *self, u32 id, u32 macro, u32 arguments) {
    const InternEntry *text = &self->names.intern.entries.items[id];
    const char *view = self->harvest->scan->files.items[self->file].path;
    u32 best = NO_MACRO, best_common = 0;
    for (u32 m = name_ask(self, id)->first_macro; m != NO_MACRO; m = self->harvest->macros.items[m].next) {
        const Macro *other = &self->harvest->macros.items[m];
        if (!other->active || !other->function_like || other->name_length != text->length ||
            memcmp(other->name, text->text, text->length) || !unit_includes(self, other->file))
            continue;
        const Token *tokens;
        const MacroBody *body = worker_body(self, m, &tokens);
        u32 common = common_directories(view, self->harvest->scan->files.items[other->file].path);
        if (body->param_count == arguments && !body->bad && (best == NO_MACRO || common > best_common))
            best = m, best_common = common;
    }
    return best == NO_MACRO || (macro & LOCAL_MACRO) ? macro : best;
}

// All that a harvested macro does to this unit, as a number; 0 when it is none here.
static u64 macro_content(Worker *self, u32 id) {
    const Name *name = name_ask(self, id);
    const InternEntry *text = &self->names.intern.entries.items[id];
    u32 macro =
        pick_macro(self, name->first_macro, text->text, text->length, looks_like_macro(name, text->text, text->length));
    if (macro == NO_MACRO)
        return 0;
    const Macro *found = &self->harvest->macros.items[macro];
    u64 content = hash_bytes(found->text, found->length, found->function_like | unit_includes(self, found->file) << 1);
    for (u32 m = found->function_like ? name->first_macro : NO_MACRO; m != NO_MACRO;
         m = self->harvest->macros.items[m].next) {
        const Macro *other = &self->harvest->macros.items[m]; // unit_macro_of() may want it
        if (m != macro && other->active && other->hash == found->hash && unit_includes(self, other->file))
            content = hash_bytes(other->text, other->length, content);
    }
    return (found->function_like ? hash_mix(content, macro_info(self, id)) : content) | 1;
}

Key unit_environment(Worker *self, const u32 *hashes, u32 count) {
    Key key = self->declarations ? declarations_key(self->declarations) : (Key){0, 0};
    for (u32 i = 0; i < self->defines->define_count; i++)
        key.a = hash_mix(key.a, hash_bytes(self->defines->defines[i], strlen(self->defines->defines[i]), 1));
    for (u32 i = 0; i < self->defines->undefine_count; i++)
        key.a = hash_mix(key.a, hash_bytes(self->defines->undefines[i], strlen(self->defines->undefines[i]), 2));
    for (char **define = self->command ? self->command->defines : NULL; define && *define; define++)
        key.a = hash_mix(key.a, hash_bytes(*define, strlen(*define), 3));
    for (char **undefine = self->command ? self->command->undefines : NULL; undefine && *undefine; undefine++)
        key.a = hash_mix(key.a, hash_bytes(*undefine, strlen(*undefine), 4));
    key.a ^= self->preprocessed;
    for (u32 i = 0; i < count; i++) {
        if (harvest_is_absent(self->harvest, hashes[i]))
            key.a = hash_mix(key.a ^ hashes[i], 5);
        const Macro *last = NULL; // names that share a hash are few, macros that share a name many
        for (u32 m = harvest_find(self->harvest, hashes[i]); m != NO_MACRO; m = self->harvest->macros.items[m].next) {
            const Macro *macro = &self->harvest->macros.items[m];
            if (last && last->name_length == macro->name_length && !memcmp(last->name, macro->name, last->name_length))
                continue;
            last = macro;
            u64 content = macro_content(self, name_add(&self->names, macro->name, macro->name_length));
            key.a = content ? hash_mix(key.a ^ hashes[i], content) : key.a;
            key.b = content ? hash_mix(key.b + hashes[i], content ^ 0x5bd1e995) : key.b;
        }
    }
    return key;
}

// bodies ----------------------------------------------------------------------

static u32 read_params(const TokenArray *tokens, u32 first, MacroBody *body, u32 *names, u32 most) {
    u32 at = first + 1; // past (
    for (; at < tokens->count; at++) {
        const Token *token = &tokens->items[at];
        if (token->kind == TOKEN_PUNCT && token->code == ')')
            return at + 1;
        if (token->kind == TOKEN_NAME && body->param_count < most) {
            names[body->param_count++] = token->name;
            bool named_rest = at + 1 < tokens->count && tokens->items[at + 1].code == P_ELLIPSIS &&
                              tokens->items[at + 1].kind == TOKEN_PUNCT;
            if (named_rest) {
                body->variadic = true;
                at++;
            }
        } else if (token->kind == TOKEN_PUNCT && token->code == P_ELLIPSIS) {
            body->variadic = true;
            if (body->param_count < most)
                names[body->param_count++] = UINT32_MAX; // __VA_ARGS__
        } else if (!(token->kind == TOKEN_PUNCT && token->code == ',')) {
            body->bad = true;
        }
    }
    body->bad = true;
    return at;
}

static void mark_params(Token *tokens, u32 count, const u32 *names, u32 param_count, MacroBody *body) {
    for (u32 i = 0; i < count; i++) {
        Token *token = &tokens[i];
        if (token->kind == TOKEN_PUNCT && (token->code == P_PASTE || token->code == '#'))
            body->pastes = true;
        if (token->kind != TOKEN_NAME)
            continue;
        for (u32 p = 0; p < param_count; p++)
            if (names[p] == token->name || (names[p] == UINT32_MAX && token->code == KW_VA_ARGS)) {
                token->kind = TOKEN_PARAM;
                token->name = p;
                break;
            }
    }
}

static void body_parse(Worker *self, const Macro *macro, TokenArray *tokens, MacroBody *body) {
    u32 start = tokens->count, names[255];
    *body = (MacroBody){.function_like = macro->function_like};
    lex_line(tokens, &self->names, macro->text, macro->length, macro->line);
    body->first = start;
    if (macro->function_like) {
        u32 after = read_params(tokens, start, body, names, 255);
        u32 left = tokens->count - (after < tokens->count ? after : tokens->count);
        memmove(tokens->items + start, tokens->items + tokens->count - left, sizeof(Token) * left);
        tokens->count = start + left;
    }
    body->count = tokens->count - start;
    mark_params(tokens->items + start, body->count, names, body->param_count, body);
    if (body->function_like)
        body->iterator = loop_head(tokens->items + start, body->count);
}

const MacroBody *worker_body(Worker *self, u32 macro, const Token **tokens) {
    if (macro & LOCAL_MACRO) {
        u32 local = macro & ~LOCAL_MACRO;
        while (self->local_bodies.count <= local)
            array_push(&self->local_bodies, ((MacroBody){.first = UINT32_MAX}));
        if (self->local_bodies.items[local].first == UINT32_MAX) {
            MacroBody body;
            body_parse(self, &self->locals.items[local], &self->local_tokens, &body);
            self->local_bodies.items[local] = body;
        }
        const MacroBody *body = &self->local_bodies.items[local];
        *tokens = self->local_tokens.items + body->first;
        return body;
    }
    u32 *known = map_put(&self->body_of, macro, NULL);
    if (!*known) {
        MacroBody body;
        body_parse(self, &self->harvest->macros.items[macro], &self->body_tokens, &body);
        array_push(&self->bodies, body);
        *map_put(&self->body_of, macro, NULL) = self->bodies.count;
        known = map_get(&self->body_of, macro);
    }
    const MacroBody *body = &self->bodies.items[*known - 1];
    *tokens = self->body_tokens.items + body->first;
    return body;
}
