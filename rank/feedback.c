// feedback.c: what reviewers said of some findings moves the others that rest on the same belief.
// In: a ranked list with verdicts. Out: the same list, its unreviewed findings moved, each move with its reason.
//
// Findings are not false one by one: when a lock does not protect an object after all, every violation of that belief
// is false, and when it does, the others are likely bugs as well (Kremenek, Ashcraft, Yang, Engler: "Correlation
// exploitation in error ranking", FSE 2004). So each finding is in groups, from the vaguest to the closest: of the same
// lock, the same record, the same function, the same belief. The chance p that it is real starts at a half and is drawn
// towards what was said of each group in turn: p = (r + a p) / (r + f + a), where r were real, f false, and `a`, a
// setting for each sort of group, says how many verdicts weigh as much as what was known without them: few for a
// belief, more for a lock. What is found under a lock that guards thousands of things has little in common: of locks
// and records `a` grows with the number of findings, too. The points are the log-odds of p, times a setting.
// rank/README.md argues the numbers.
//
// What was reviewed keeps its score, and so its place.
// Invariant: without verdicts nothing changes. The order of the list does not matter, and every step is linear in it.
#include "rank/rank.h"
#include "rank/script.h"

#include <math.h>

typedef enum { // from the vaguest to the closest
    LEVEL_LOCK,
    LEVEL_RECORD,
    LEVEL_FUNCTION,
    LEVEL_BELIEF,
    LEVEL_COUNT,
} FeedbackLevel;
static const char *const level_settings[LEVEL_COUNT] = {"feedback_lock", "feedback_record", "feedback_function",
                                                        "feedback_belief"};

typedef struct {
    FeedbackLevel level;
    u64 key;          // of the kind of finding, and what the group has in common
    const char *name; // how a reason names that
    u32 length;       // bytes of the name
} Group;
typedef Array(Group) GroupArray;

typedef struct {
    double real, mistaken; // verdicts, by their weight
    u32 reals, mistakes;   // as many they are
    u32 members;           // findings of the group, reviewed or not
} Tally;

typedef struct {
    FindingList *list;
    double points, line, unconfirmed, share, prior[LEVEL_COUNT]; // settings
    Map places;                                                  // of a group's key in `tallies`
    Array(Tally) tallies;
    GroupArray groups; // of the finding at hand
} Feedback;

// groups --------------------------------------------------------------------------

static u64 mix(u64 hash, const char *text, size_t length) { return hash_mix(hash_bytes(text, length, hash), length); }

static u64 mix_text(u64 hash, const char *text) { return mix(hash, text, strlen(text)); }

static void join_group(Feedback *self, const Finding *finding, FeedbackLevel level, u64 key, const char *name,
                       size_t length) {
    Group group = {level, mix(hash_mix(level + 1, finding->kind + 1), (const char *)&key, sizeof key), name,
                   (u32)length};
    for (u32 i = 0; i < self->groups.count; i++)
        if (self->groups.items[i].key == group.key)
            return;
    array_push(&self->groups, group);
}

static void join_named(Feedback *self, const Finding *finding, FeedbackLevel level, const char *name, size_t length) {
    if (length)
        join_group(self, finding, level, mix(0, name, length), name, length);
}

// "struct node" of "struct node.next"; 0 for what is no member. The dot of a file's name, before a colon, is none.
static size_t record_length(const char *object) {
    const char *colon = strrchr(object, ':'), *dot = strchr(colon ? colon : object, '.');
    return dot ? (size_t)(dot - object) : 0;
}

// What is raced on; else what is waited for, called or let go.
static const char *subject(const Finding *finding) {
    return *finding->object || !finding->sites.count ? finding->object : finding->sites.items[0].object;
}

// A cycle is its set of locks, wherever it was begun: a sum does not depend on an order.
static u64 hash_set(const Finding *finding) {
    u64 sum = 0;
    for (u32 i = 0; i < finding->objects.count; i++)
        sum += mix_text(1, finding->objects.items[i]);
    return sum + (finding->objects.count ? 0 : mix_text(2, finding->object) + mix_text(2, finding->lock));
}

static void group_deadlock(Feedback *self, const Finding *finding) {
    for (u32 i = 0; i < finding->objects.count; i++)
        join_named(self, finding, LEVEL_LOCK, finding->objects.items[i], strlen(finding->objects.items[i]));
    for (u32 i = 0; i < finding->sites.count; i++)
        join_named(self, finding, LEVEL_FUNCTION, finding->sites.items[i].function,
                   strlen(finding->sites.items[i].function));
    join_group(self, finding, LEVEL_BELIEF, hash_set(finding), "", 0);
}

static void group_other(Feedback *self, const Finding *finding) {
    const char *object = subject(finding);
    if (strcmp(object, finding->lock)) // or the belief says it already
        join_named(self, finding, LEVEL_LOCK, finding->lock, strlen(finding->lock));
    if (kind_has(finding->kind, SHAPE_SIDES))
        join_named(self, finding, LEVEL_RECORD, object, record_length(object));
    else if (strcmp(object, finding->lock)) // what is believed to block, whatever is held
        join_named(self, finding, LEVEL_RECORD, object, strlen(object));
    join_named(self, finding, LEVEL_FUNCTION, finding->function, strlen(finding->function));
    join_group(self, finding, LEVEL_BELIEF, mix_text(mix_text(3, object), finding->lock), object, strlen(object));
}

static void fill_groups(Feedback *self, const Finding *finding) {
    self->groups.count = 0;
    if (kind_has(finding->kind, SHAPE_CIRCLE))
        group_deadlock(self, finding);
    else
        group_other(self, finding);
}

// counting ------------------------------------------------------------------------

// Minor ones are true, but nobody wants to read more of them: they neither lift nor sink.
static bool says_something(const Finding *finding) {
    return finding->verdict == VERDICT_CONFIRMED || finding->verdict == VERDICT_UNCONFIRMED ||
           finding->verdict == VERDICT_FALSE;
}

static void count_verdict(Feedback *self, const Finding *finding) {
    fill_groups(self, finding);
    for (u32 i = 0; i < self->groups.count; i++) {
        bool is_new;
        u32 *place = map_put(&self->places, self->groups.items[i].key, &is_new);
        if (is_new) {
            *place = self->tallies.count;
            array_push(&self->tallies, ((Tally){0}));
        }
        Tally *tally = &self->tallies.items[*place];
        tally->mistaken += finding->verdict == VERDICT_FALSE;
        tally->mistakes += finding->verdict == VERDICT_FALSE;
        tally->real += finding->verdict == VERDICT_CONFIRMED     ? 1
                       : finding->verdict == VERDICT_UNCONFIRMED ? self->unconfirmed
                                                                 : 0;
        tally->reals += finding->verdict != VERDICT_FALSE;
    }
}

static void count_member(Feedback *self, const Finding *finding) {
    fill_groups(self, finding);
    for (u32 i = 0; i < self->groups.count; i++) {
        const u32 *place = map_get(&self->places, self->groups.items[i].key);
        if (place)
            self->tallies.items[*place].members++;
    }
}

// Of the groups of a level (a cycle has several locks) the one that most was said of; NULL: nothing was.
static const Tally *best_tally(const Feedback *self, FeedbackLevel level, const Group **group) {
    const Tally *best = NULL;
    for (u32 i = 0; i < self->groups.count; i++) {
        const u32 *place =
            self->groups.items[i].level == level ? map_get(&self->places, self->groups.items[i].key) : NULL;
        const Tally *tally = place ? &self->tallies.items[*place] : NULL;
        if (tally && (!best || tally->reals + tally->mistakes > best->reals + best->mistakes)) {
            best = tally;
            *group = &self->groups.items[i];
        }
    }
    return best;
}

// explaining ----------------------------------------------------------------------

static void put_what(Buffer *out, const Finding *finding, const Group *group) {
    bool deadlock = kind_has(finding->kind, SHAPE_CIRCLE);
    if (group->level == LEVEL_BELIEF && deadlock)
        buffer_text(out, " of the same locks");
    else if (group->level == LEVEL_FUNCTION)
        buffer_format(out, " in %.*s", (int)group->length, group->name);
    else
        buffer_format(out, " %s %.*s", group->level == LEVEL_LOCK ? deadlock ? "with" : "under" : "on",
                      (int)group->length, group->name);
    if (group->level == LEVEL_BELIEF && !deadlock && *finding->lock && strcmp(subject(finding), finding->lock))
        buffer_format(out, " under %s", finding->lock);
}

static void put_clause(Buffer *out, const Finding *finding, const Tally *tally, const Group *group) {
    u32 count = tally->reals + tally->mistakes;
    bool mixed = tally->reals && tally->mistakes;
    if (mixed)
        buffer_format(out, "%u of %u reviewed findings", tally->reals, count);
    else if (count > 2)
        buffer_format(out, "all %u reviewed findings", count);
    else
        buffer_text(out, count == 2 ? "both reviewed findings" : "the reviewed finding");
    put_what(out, finding, group);
    if (!tally->reals)
        buffer_text(out, count == 1 ? " was false" : " were false");
    else
        buffer_text(out, (mixed ? tally->reals : count) == 1 ? " is real" : " are real");
}

// The closest group first; vaguer ones where more was said of them.
static const char *explain(Feedback *self, const Finding *finding) {
    Buffer out = {0};
    const Group *group = NULL;
    u32 said = 0;
    for (u32 level = LEVEL_COUNT; level-- > 0;) {
        const Tally *tally = best_tally(self, (FeedbackLevel)level, &group);
        if (!tally || tally->reals + tally->mistakes <= said)
            continue;
        if (said)
            buffer_text(&out, "; ");
        put_clause(&out, finding, tally, group);
        said = tally->reals + tally->mistakes;
    }
    buffer_byte(&out, 0);
    const char *text = findings_text(self->list, "%s", (const char *)out.bytes);
    buffer_free(&out);
    return text;
}

// moving --------------------------------------------------------------------------

// A script said below() or veto(): that is a reason of no points, or one after which nothing is left.
static bool held_below(const Finding *finding) {
    double sum = 0;
    for (u32 i = 0; i < finding->reasons.count; i++) {
        double points = finding->reasons.items[i].points;
        sum += points;
        if (points == 0 || (points < 0 && fabs(sum - VETOED) < 1e-9))
            return true;
    }
    return false;
}

// A belief's verdicts are also its lock's and its record's: they count once, where they say most.
static double points_for(Feedback *self) {
    double chance = 0.5;
    const Group *group;
    const Tally none = {0}, *belief = best_tally(self, LEVEL_BELIEF, &group);
    for (u32 level = 0; level < LEVEL_COUNT; level++) {
        const Tally *tally = best_tally(self, (FeedbackLevel)level, &group);
        const Tally *nested = belief && level <= LEVEL_RECORD ? belief : &none;
        if (!tally)
            continue;
        double prior = self->prior[level] + (level <= LEVEL_RECORD ? self->share * tally->members : 0);
        double real = tally->real - nested->real, mistaken = tally->mistaken - nested->mistaken;
        chance = (real + prior * chance) / (real + mistaken + prior);
    }
    return round(10 * self->points * log(chance / (1 - chance))) / 10;
}

static void move_finding(Feedback *self, Finding *finding) {
    fill_groups(self, finding);
    double points = points_for(self);
    if (points == 0)
        return;
    bool below = finding->below_line && (finding->score >= self->line || held_below(finding));
    finding_add_reason(self->list, finding, points, explain(self, finding));
    finding->score = round((finding->score + points) * 1e6) / 1e6;
    finding->share = share_of(finding->score);
    finding->below_line = below || finding->score < self->line;
}

static void feedback_begin(Feedback *self, FindingList *list) {
    *self = (Feedback){.list = list,
                       .points = findings_setting(list, "feedback", 0),
                       .line = findings_setting(list, "line", 0),
                       .unconfirmed = findings_setting(list, "feedback_unconfirmed", 0),
                       .share = findings_setting(list, "feedback_share", 0)};
    for (u32 i = 0; i < LEVEL_COUNT; i++)
        self->prior[i] = findings_setting(list, level_settings[i], 1);
}

static void feedback_free(Feedback *self) {
    map_free(&self->places);
    array_free(&self->tallies);
    array_free(&self->groups);
}

void rank_feedback(FindingList *list) {
    Feedback self;
    feedback_begin(&self, list);
    for (u32 i = 0; self.points > 0 && i < list->items.count; i++)
        if (says_something(list->items.items[i]))
            count_verdict(&self, list->items.items[i]);
    for (u32 i = 0; self.tallies.count && i < list->items.count; i++)
        count_member(&self, list->items.items[i]);
    for (u32 i = 0; i < list->items.count; i++)
        if (list->items.items[i]->verdict == VERDICT_NONE && self.tallies.count)
            move_finding(&self, list->items.items[i]);
    findings_order(list);
    feedback_free(&self);
}
