// show.c: one finding as a story: what is wrong, both sides with their sources, the belief, why it ranks there, what
// would silence it. In: a finding, the sources it was found in, what reviewers said of it. Out: text for a terminal;
// sides stand beside each other where it is wide enough.
#include "reports/writer.h"

#include <time.h>

enum {
    BESIDE = 100, // columns from which on sides stand beside each other
    BETWEEN = 3,  // columns between them
    INDENT = 2,   // of what stands under a heading
    SIBLINGS_SHOWN = 8,
    BRIEF_MOST = 20, // further sides told in a line each
};

static void put_heading(Writer *self, const char *text) {
    buffer_byte(self->out, '\n');
    writer_line(self, 0, "", STYLE_PLAIN);
    writer_text(self, STYLE_STRONG, text);
    writer_end(self);
}

// sides -------------------------------------------------------------------------

// What is pointed at: every operation of the side, and where each lock that it holds was taken.
static void add_pointer(PointerArray *out, Pointer pointer) {
    for (u32 i = 0; i < out->count; i++)
        if (out->items[i].line == pointer.line && !strcmp(out->items[i].file, pointer.file) &&
            (!pointer.column || out->items[i].column == pointer.column))
            return;
    if (pointer.line && *pointer.file)
        array_push(out, pointer);
}

static const char *label_text(Arena *arena, const char *verb, const char *object) {
    char *text = arena_alloc(arena, strlen(verb) + strlen(object) + 2);
    sprintf(text, "%s%s%s", verb, *object ? " " : "", object);
    char *last = strrchr(text, ' '); // "may sleep in", and nobody says in what
    if (!*object && last && strlen(last) <= strlen(" for"))
        *last = 0;
    return text;
}

static void side_pointers(PointerArray *out, Arena *arena, const Site *sites, u32 count) {
    for (u32 i = 0; i < count; i++) { // an operation says more of a line than that a lock is held from there
        bool call = sites[i].role == ROLE_CALL || sites[i].role >= ROLE_ACQUIRE;
        add_pointer(out, (Pointer){sites[i].file, sites[i].line, sites[i].column, sites[i].object,
                                   label_text(arena, role_verb(sites[i].role), sites[i].object), call});
    }
    for (u32 i = 0; i < count; i++)
        for (u32 k = sites[i].lockset.count; k-- > 0;) { // of several taken by one call the last is the lock itself
            const HeldLock *held = &sites[i].lockset.items[k];
            add_pointer(out,
                        (Pointer){held->file, held->line, 0, held->name, label_text(arena, "takes", held->name), true});
        }
}

static bool is_access(SiteRole role) { return role <= ROLE_CALL; }

static void put_held(Writer *self, const Site *site) {
    for (u32 i = 0; i < site->lockset.count; i++) {
        const HeldLock *held = &site->lockset.items[i];
        writer_line(self, INDENT + 6, i ? "" : "holds ", STYLE_FAINT);
        writer_name(self, STYLE_STRONG, held->name);
        if (held->line) {
            writer_text(self, STYLE_PLAIN, ", taken at ");
            writer_place(self, held->file, held->line);
        } else {
            writer_text(self, STYLE_FAINT, ", taken somewhere on the way");
        }
        writer_end(self);
    }
    if (site->lockset.count || !is_access(site->role)) // of the first lock of a cycle nobody asked
        return;
    writer_line(self, INDENT + 6, "holds ", STYLE_FAINT);
    writer_text(self, STYLE_PLAIN, "no lock");
    writer_end(self);
}

// From the root down, a line for each call.
static void put_chain(Writer *self, const Site *site) {
    for (u32 i = 0; i < site->callchain.count; i++) {
        const ChainLink *link = &site->callchain.items[i];
        bool last = i + 1 == site->callchain.count;
        writer_line(self, INDENT + 6, i ? "" : "from  ", STYLE_FAINT);
        writer_name(self, last ? STYLE_STRONG : STYLE_PLAIN, link->function);
        if (!last) {
            writer_text(self, STYLE_FAINT, ", which calls at ");
            writer_place(self, link->file, link->line);
        }
        writer_end(self);
    }
    if (!site->conditionals)
        return;
    writer_line(self, INDENT + 6, "", STYLE_PLAIN);
    writer_format(self, STYLE_FAINT, "%u condition%s passed on the way", site->conditionals,
                  site->conditionals == 1 ? "" : "s");
    writer_end(self);
}

static void put_site(Writer *self, const Site *site, const char *margin) {
    Arena arena = {0};
    writer_line(self, INDENT, margin, STYLE_STRONG);
    writer_name(self, STYLE_STRONG, site->function);
    writer_text(self, STYLE_PLAIN, " ");
    writer_text(self, STYLE_PLAIN, label_text(&arena, role_verb(site->role), *site->object ? " " : ""));
    writer_name(self, STYLE_STRONG, site->object);
    arena_free(&arena);
    writer_text(self, STYLE_PLAIN, " at ");
    writer_place(self, site->file, site->line);
    if (*site->note) {
        writer_text(self, STYLE_PLAIN, ", ");
        writer_text(self, STYLE_PLAIN, site->note);
    }
    writer_end(self);
    put_held(self, site);
    put_chain(self, site);
}

typedef struct {
    const Site *sites;
    u32 count;
    char letter[4]; // A, B …; "": there is only one side
} ShownSide;
typedef Array(ShownSide) SideArray;

static void gather_sides(const Finding *finding, SideArray *out) {
    for (u32 i = 0; i < finding->sites.count;) {
        ShownSide side = {&finding->sites.items[i], 1, ""};
        while (i + side.count < finding->sites.count && side.sites[side.count].side == side.sites->side)
            side.count++;
        u32 index = out->count;
        snprintf(side.letter, sizeof side.letter, "%c ", index < 26 ? 'A' + (int)index : '+');
        array_push(out, side);
        i += side.count;
    }
    if (out->count == 1)
        out->items[0].letter[0] = 0;
}

static void put_side(Writer *self, const ShownSide *side, Sources *sources) {
    PointerArray pointers = {0};
    Arena arena = {0};
    for (u32 i = 0; i < side->count; i++)
        put_site(self, &side->sites[i], i ? "" : side->letter);
    side_pointers(&pointers, &arena, side->sites, side->count);
    if (sources)
        writer_excerpt(self, sources, &pointers, INDENT);
    array_free(&pointers);
    arena_free(&arena);
}

// beside each other -----------------------------------------------------------------

static size_t line_length(const Buffer *text, size_t at) {
    const u8 *end = at < text->size ? memchr(text->bytes + at, '\n', text->size - at) : NULL;
    return end ? (size_t)(end - text->bytes) - at : text->size - at;
}

static void put_beside(Writer *self, const Buffer *left, const Buffer *right, u32 width) {
    for (size_t a = 0, b = 0; a < left->size || b < right->size;) {
        size_t length = line_length(left, a), other = line_length(right, b);
        u32 columns = line_columns((const char *)left->bytes + a, length);
        buffer_put(self->out, left->bytes + a, length);
        if (other) {
            buffer_format(self->out, "%*s", (int)((columns < width ? width - columns : 0) + BETWEEN), "");
            buffer_put(self->out, right->bytes + b, other);
        }
        buffer_byte(self->out, '\n');
        a += a < left->size ? length + 1 : 0;
        b += b < right->size ? other + 1 : 0;
    }
}

static u32 widest_line(const Buffer *text) {
    u32 widest = 0;
    for (size_t at = 0; at < text->size; at += line_length(text, at) + 1) {
        u32 columns = line_columns((const char *)text->bytes + at, line_length(text, at));
        widest = columns > widest ? columns : widest;
    }
    return widest;
}

// False when it does not fit: names are not broken.
static bool put_pair(Writer *self, const ShownSide *sides, Sources *sources) {
    Buffer texts[2] = {{0}, {0}};
    u32 width = (self->width - BETWEEN) / 2;
    bool fits = true;
    for (u32 i = 0; i < 2; i++) {
        Writer half = {.out = &texts[i], .width = width, .colour = self->colour};
        put_side(&half, &sides[i], sources);
        fits &= widest_line(&texts[i]) <= width;
        writer_free(&half);
    }
    if (fits)
        put_beside(self, &texts[0], &texts[1], width);
    buffer_free(&texts[0]);
    buffer_free(&texts[1]);
    return fits;
}

static void put_brief(Writer *self, const ShownSide *side) {
    for (u32 i = 0; i < side->count; i++) {
        writer_line(self, INDENT + 2, i ? "" : side->letter, STYLE_STRONG);
        writer_operation(self, &side->sites[i]);
        writer_end(self);
    }
}

// Every thread of a lock cycle matters; of a race the first two places do, and the others are more of the same.
static void put_sides(Writer *self, const Finding *finding, Sources *sources) {
    SideArray sides = {0};
    gather_sides(finding, &sides);
    u32 whole = kind_has(finding->kind, SHAPE_SIDES) && sides.count > 2 ? 2 : sides.count;
    put_heading(self, sides.count > 1 ? "Who" : "Where");
    for (u32 i = 0; i < whole;) {
        buffer_text(self->out, i ? "\n" : "");
        bool pair = self->width >= BESIDE && i + 1 < whole && put_pair(self, &sides.items[i], sources);
        if (!pair)
            put_side(self, &sides.items[i], sources);
        i += pair ? 2 : 1;
    }
    if (whole < sides.count)
        put_heading(self, "Also");
    for (u32 i = whole; i < sides.count && i < whole + BRIEF_MOST; i++)
        put_brief(self, &sides.items[i]);
    if (sides.count > whole + BRIEF_MOST) {
        writer_line(self, INDENT, "", STYLE_PLAIN);
        writer_format(self, STYLE_FAINT, "and %u more", sides.count - whole - BRIEF_MOST);
        writer_end(self);
    }
    array_free(&sides);
}

// the belief ------------------------------------------------------------------------

static const Feature *feature_of(const Finding *finding, const char *name) {
    for (u32 i = 0; i < finding->features.count; i++)
        if (!strcmp(finding->features.items[i].name, name) && !finding->features.items[i].text)
            return &finding->features.items[i];
    return NULL;
}

static void put_belief_line(Writer *self, const Finding *finding, const char *lock, const char *s, const char *f,
                            const char *z) {
    const Feature *with = feature_of(finding, s), *without = feature_of(finding, f), *sure = feature_of(finding, z);
    if (!with || !without || !sure)
        return;
    writer_line(self, INDENT + 2, "", STYLE_PLAIN);
    writer_name(self, STYLE_STRONG, lock);
    writer_format(self, STYLE_PLAIN, " is held in S = %.0f place%s and not in F = %.0f: z = %.2f", with->number,
                  with->number == 1 ? "" : "s", without->number, sure->number);
    writer_end(self);
}

static void put_belief(Writer *self, const Finding *finding) {
    if (!kind_has(finding->kind, SHAPE_SIDES) || !feature_of(finding, "s_any"))
        return;
    put_heading(self, "The belief");
    if (*finding->lock)
        put_belief_line(self, finding, finding->lock, "s_lock", "f_lock", "z_lock");
    put_belief_line(self, finding, "some lock", "s_any", "f_any", "z_any");
    for (u32 i = 0; i < finding->evidence.count; i++) {
        writer_line(self, INDENT + 2, "", STYLE_PLAIN);
        writer_text(self, STYLE_FAINT, "as in ");
        writer_operation(self, &finding->evidence.items[i]);
        writer_end(self);
    }
}

// why, and what to do -----------------------------------------------------------------

static void put_reasons(Writer *self, const Finding *finding, u32 count) {
    put_heading(self, "Why it ranks there");
    writer_line(self, INDENT + 2, "", STYLE_PLAIN);
    char share[16];
    share_text(finding->share, share);
    if (*share)
        writer_format(self, STYLE_PLAIN, "%s of such findings are true: ", share);
    writer_format(self, STYLE_PLAIN, "score %.2f makes it %u of %u%s", finding->score, finding->rank, count,
                  finding->below_line ? ", below the ranking's line" : "");
    writer_end(self);
    for (u32 i = 0; i < finding->reasons.count; i++) {
        char margin[24];
        snprintf(margin, sizeof margin, "%+.2f  ", finding->reasons.items[i].points);
        writer_line(self, INDENT + 9, margin, finding->reasons.items[i].points < 0 ? STYLE_FAINT : STYLE_STRONG);
        writer_text(self, STYLE_PLAIN, finding->reasons.items[i].text);
        writer_end(self);
    }
}

// The others of its group, best first; one verdict can serve them all.
static void put_siblings(Writer *self, const FindingList *findings, u32 index) {
    const Finding *finding = findings->items.items[index];
    Entry entry = {.finding = finding, .place = index};
    for (u32 i = 0; i < findings->items.count; i++)
        entry.siblings += i != index && findings->items.items[i]->rank == finding->rank;
    if (!entry.siblings)
        return;
    const char *word, *common = entry_common(findings, &entry, &word);
    put_heading(self, "Siblings");
    writer_line(self, INDENT + 2, "", STYLE_PLAIN);
    writer_format(self, STYLE_PLAIN, "%u more with the same cause%s%s", entry.siblings, *common ? ", " : "",
                  *common ? word : "");
    if (*common) {
        writer_text(self, STYLE_PLAIN, " ");
        writer_name(self, STYLE_STRONG, common);
    }
    writer_format(self, STYLE_FAINT, "; one verdict for all: racerx mark %.8s VERDICT --group", finding->id);
    writer_end(self);
    for (u32 i = 0, put = 0; i < findings->items.count && put < SIBLINGS_SHOWN; i++) {
        const Finding *other = findings->items.items[i];
        if (i == index || other->rank != finding->rank)
            continue;
        char margin[12];
        snprintf(margin, sizeof margin, "%.8s  ", other->id);
        writer_line(self, INDENT + 12, margin, STYLE_FAINT);
        writer_place(self, other->file, other->line);
        writer_text(self, STYLE_PLAIN, " in ");
        writer_name(self, STYLE_PLAIN, other->function);
        writer_format(self, STYLE_FAINT, ", score %.4g%s", other->score, other->below_line ? ", below the line" : "");
        writer_end(self);
        put++;
    }
    if (entry.siblings > SIBLINGS_SHOWN) {
        writer_line(self, INDENT + 2, "", STYLE_PLAIN);
        writer_format(self, STYLE_FAINT, "and %u more: racerx list --group %u", entry.siblings - SIBLINGS_SHOWN,
                      finding->rank);
        writer_end(self);
    }
}

static void put_way(Writer *self, const char *what, const char *text) {
    writer_line(self, INDENT + 2, "", STYLE_PLAIN);
    writer_text(self, STYLE_PLAIN, what);
    writer_end(self);
    writer_line(self, INDENT + 6, "", STYLE_PLAIN);
    writer_name(self, STYLE_STRONG, text);
    writer_end(self);
}

static void put_silencing(Writer *self, const Finding *finding) {
    Buffer text = {0};
    put_heading(self, "What would silence it");
    buffer_format(&text, "racerx mark %.8s false 'REASON'%c", finding->id, 0);
    put_way(self, "here, in the database:", (const char *)text.bytes);
    text.size = 0;
    buffer_format(&text, "in the source, at the end of %s:%u or on a line above it:%c", finding->file, finding->line,
                  0);
    char *place = must_strdup((const char *)text.bytes);
    text.size = 0;
    buffer_format(&text, "/* racerx: ignore %s REASON */%c", kind_word(finding->kind), 0);
    put_way(self, place, (const char *)text.bytes);
    text.size = 0;
    buffer_format(&text, "%s id=%s  # REASON%c", kind_word(finding->kind), finding->id, 0);
    put_way(self, "in racerx.suppress at the top of the tree:", (const char *)text.bytes);
    free(place);
    buffer_free(&text);
}

// the head --------------------------------------------------------------------------

static void put_history(Writer *self, const GivenVerdictArray *history) {
    for (u32 i = 0; i < history->count; i++) {
        const GivenVerdict *given = &history->items[i];
        char day[32] = "";
        time_t when = (time_t)given->time;
        struct tm parts;
        if (gmtime_r(&when, &parts))
            strftime(day, sizeof day, "%Y-%m-%d", &parts);
        writer_line(self, INDENT, "", STYLE_PLAIN);
        writer_text(self, verdict_style(given->verdict), given->verdict ? verdict_word(given->verdict) : "taken back");
        writer_text(self, STYLE_FAINT, *given->reviewer ? " by " : "");
        writer_name(self, STYLE_FAINT, given->reviewer);
        writer_text(self, STYLE_FAINT, " on ");
        writer_text(self, STYLE_FAINT, day);
        writer_text(self, STYLE_PLAIN, *given->note ? ": " : "");
        writer_text(self, STYLE_PLAIN, given->note);
        writer_end(self);
    }
}

// Objects that are accessed likewise.
static void put_others(Writer *self, const Finding *finding) {
    u32 put = 0;
    for (u32 i = 0; kind_has(finding->kind, SHAPE_SIDES) && i < finding->objects.count; i++) {
        if (!strcmp(finding->objects.items[i], finding->object))
            continue;
        if (!put)
            writer_line(self, INDENT, "", STYLE_PLAIN);
        writer_text(self, STYLE_FAINT, put++ ? ", " : "the same goes for ");
        writer_name(self, STYLE_PLAIN, finding->objects.items[i]);
    }
    if (put)
        writer_end(self);
}

static void put_head(Writer *self, const Finding *finding, u32 count) {
    writer_line(self, 0, "", STYLE_PLAIN);
    writer_format(self, STYLE_STRONG, "%u of %u: ", finding->rank, count);
    writer_text(self, STYLE_ALARM, kind_word(finding->kind));
    writer_text(self, STYLE_PLAIN, " at ");
    writer_place(self, finding->file, finding->line);
    writer_text(self, STYLE_PLAIN, " in ");
    writer_name(self, STYLE_STRONG, finding->function);
    writer_text(self, STYLE_FAINT, ", id ");
    writer_text(self, STYLE_FAINT, finding->id);
    writer_end(self);
    writer_line(self, INDENT, "", STYLE_PLAIN);
    writer_text(self, STYLE_PLAIN, *finding->message ? finding->message : kind_text(finding->kind));
    writer_end(self);
    put_others(self, finding);
}

void report_show(const FindingList *findings, u32 index, const GivenVerdictArray *history, const ReportOptions *options,
                 Buffer *out) {
    const Finding *finding = findings->items.items[index];
    Writer writer = {.out = out, .width = options->width ? options->width : 80, .colour = options->colour};
    put_head(&writer, finding, findings_entries(findings));
    put_history(&writer, history);
    if (*finding->suppressed) {
        writer_line(&writer, INDENT, "", STYLE_PLAIN);
        writer_text(&writer, STYLE_WARN, "suppressed: ");
        writer_text(&writer, STYLE_PLAIN, finding->suppressed);
        writer_end(&writer);
    }
    put_sides(&writer, finding, options->sources);
    if (finding->witness) {
        put_heading(&writer, "Seen in a run");
        writer_witness(&writer, finding, finding->witness);
    }
    put_belief(&writer, finding);
    put_reasons(&writer, finding, findings_entries(findings));
    put_siblings(&writer, findings, index);
    put_silencing(&writer, finding);
    writer_free(&writer);
}
