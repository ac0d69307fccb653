// pairs.c: which seeds to run together. In: samples of each seed alone, findings of the text. Out: for each seed those
// others that run the second line of findings of which it runs the first; by how many findings that is.
#include "racerx/confirm/predict.h"

struct SeedPairs {
    u32 count;  // seeds
    u32 *score; // count x count
};

// Which seeds ran a line, in bits of words.
static void mark_line(Describer *describer, const U32Array *seed_of, const Site *site, u64 *bits) {
    const Prediction *from = describer->prediction;
    for (u32 i = 0; i < from->accesses.count; i++) {
        const AccessLockset *access = &from->accesses.items[i];
        WitnessFrame frame = describe_code(describer, access->code);
        u32 seed = seed_of->items[access->seed];
        if (frame.line == site->line && seed != UINT32_MAX && same_source(site->file, frame.file))
            bits[seed / 64] |= 1ull << (seed & 63);
    }
}

static bool has(const u64 *bits, u32 seed) { return bits[seed / 64] >> (seed & 63) & 1; }

static void add_finding(SeedPairs *self, Describer *describer, const U32Array *seed_of, const Finding *finding) {
    u32 words = self->count / 64 + 1;
    u64 *sides[2] = {must_zero(sizeof(u64) * words), must_zero(sizeof(u64) * words)};
    for (u32 i = 0; i < finding->sites.count; i++)
        if (finding->sites.items[i].side < 2)
            mark_line(describer, seed_of, &finding->sites.items[i], sides[finding->sites.items[i].side]);
    for (u32 a = 0; a < self->count; a++)
        for (u32 b = 0; b < self->count; b++)
            self->score[a * self->count + b] +=
                (has(sides[0], a) && has(sides[1], b)) || (has(sides[1], a) && has(sides[0], b));
    free(sides[0]);
    free(sides[1]);
}

SeedPairs *seed_pairs_make(const char *directory, const PathArray *seeds, const FindingList *findings) {
    SeedPairs *self = must_zero(sizeof *self);
    Prediction prediction;
    Predictions counts = {0};
    Describer describer;
    FindingList texts;
    U32Array seed_of = {0};
    self->count = seeds->count;
    self->score = must_zero(sizeof(u32) * self->count * self->count + 1);
    findings_begin(&texts);
    prediction_begin(&prediction, 0);
    prediction_samples(&prediction, directory, &counts);
    for (u32 i = 0; i < prediction.seeds.count; i++) {
        array_push(&seed_of, UINT32_MAX);
        for (u32 k = 0; k < seeds->count; k++)
            if (!strcmp(prediction.seeds.items[i].text, seeds->items[k]))
                seed_of.items[i] = k;
    }
    describer_begin(&describer, &prediction, &texts);
    for (u32 i = 0; i < findings->items.count; i++)
        if (findings->items.items[i]->kind == KIND_RACE)
            add_finding(self, &describer, &seed_of, findings->items.items[i]);
    describer_free(&describer);
    prediction_free(&prediction);
    findings_free(&texts);
    array_free(&seed_of);
    return self;
}

// By chance, each as often as it has findings; any, when none has.
u32 seed_pairs_choose(void *context, u32 seed, u32 count, u64 chance) {
    const SeedPairs *self = context;
    u64 all = 0;
    for (u32 i = 0; i < count; i++)
        all += self->score[seed * self->count + i];
    if (!all)
        return (u32)(chance % count);
    chance %= all;
    for (u32 i = 0; i < count; i++) {
        u32 score = self->score[seed * self->count + i];
        if (chance < score)
            return i;
        chance -= score;
    }
    return 0;
}

void seed_pairs_free(SeedPairs *self) {
    free(self->score);
    free(self);
}
