// witness.c: what runs under steering showed of a finding, for a terminal: who did what where, holding which locks, and
// what there was. In: a witness. Out: lines.
#include "reports/writer.h"

enum {
    INDENT = 4,
    FRAMES_SHOWN = 12, // of a stack
    LINES_SHOWN = 8,   // of the finding's
};

static Style outcome_style(RunOutcome outcome) {
    return outcome == OUTCOME_WITNESSED || outcome == OUTCOME_CRASHED ? STYLE_ALARM : STYLE_FAINT;
}

static void put_frame(Writer *self, const WitnessFrame *frame, u32 indent, const char *margin) {
    writer_line(self, indent, margin, STYLE_FAINT);
    writer_name(self, STYLE_PLAIN, *frame->function ? frame->function : "?");
    writer_text(self, STYLE_FAINT, *frame->file ? " at " : "");
    writer_place(self, frame->file, frame->line);
    writer_end(self);
}

static void put_locks(Writer *self, const WitnessSide *side) {
    for (u32 i = 0; i < side->locks.count; i++) {
        const WitnessLock *lock = &side->locks.items[i];
        writer_line(self, INDENT + 8, i ? "" : "holds ", STYLE_FAINT);
        writer_name(self, STYLE_STRONG, lock->name);
        if (lock->from.line) {
            writer_text(self, STYLE_PLAIN, ", taken at ");
            writer_place(self, lock->from.file, lock->from.line);
        }
        writer_end(self);
    }
    if (side->locks.count)
        return;
    writer_line(self, INDENT + 8, "holds ", STYLE_FAINT);
    writer_text(self, STYLE_PLAIN, "no lock");
    writer_end(self);
}

static void put_side(Writer *self, const WitnessSide *side) {
    writer_line(self, INDENT, "", STYLE_PLAIN);
    writer_format(self, STYLE_STRONG, "thread %u", side->thread);
    if (*side->start) {
        writer_text(self, STYLE_FAINT, " (");
        writer_name(self, STYLE_FAINT, side->start);
        writer_text(self, STYLE_FAINT, ")");
    }
    writer_text(self, STYLE_PLAIN, " ");
    writer_text(self, STYLE_PLAIN, side->does);
    writer_text(self, STYLE_PLAIN, " ");
    writer_name(self, STYLE_STRONG, side->object);
    writer_end(self);
    for (u32 i = 0; i < side->stack.count && i < FRAMES_SHOWN; i++)
        put_frame(self, &side->stack.items[i], INDENT + 8, i ? "from  " : "in    ");
    put_locks(self, side);
}

static void put_values(Writer *self, const RunWitness *witness) {
    if (!*witness->before)
        return;
    writer_line(self, INDENT, "", STYLE_PLAIN);
    writer_text(self, STYLE_PLAIN, "the value there was ");
    writer_name(self, STYLE_STRONG, witness->before);
    if (*witness->after && strcmp(witness->before, witness->after)) {
        writer_text(self, STYLE_PLAIN, ", and a moment later ");
        writer_name(self, STYLE_STRONG, witness->after);
    } else if (*witness->after)
        writer_text(self, STYLE_PLAIN, ", and had not changed a moment later");
    writer_end(self);
}

static void put_lines(Writer *self, const RunWitness *witness) {
    for (u32 i = 0; i < witness->lines.count && i < LINES_SHOWN; i++) {
        const WitnessLine *line = &witness->lines.items[i];
        writer_line(self, INDENT, "", STYLE_PLAIN);
        writer_place(self, line->file, line->line);
        if (line->ran)
            writer_format(self, STYLE_FAINT, " ran %llu time%s", (unsigned long long)line->ran,
                          line->ran == 1 ? "" : "s");
        else
            writer_text(self, STYLE_FAINT, " never ran");
        writer_end(self);
    }
}

void writer_witness(Writer *self, const Finding *finding, const RunWitness *witness) {
    writer_line(self, INDENT, "", STYLE_PLAIN);
    writer_text(self, outcome_style(witness->outcome), witness->outcome ? outcome_word(witness->outcome) : "not tried");
    writer_text(self, STYLE_PLAIN, ": ");
    writer_text(self, STYLE_PLAIN, witness->note);
    if (witness->runs)
        writer_format(self, STYLE_FAINT, " (%u run%s)", witness->runs, witness->runs == 1 ? "" : "s");
    writer_end(self);
    for (u32 i = 0; i < witness->sides.count; i++)
        put_side(self, &witness->sides.items[i]);
    put_values(self, witness);
    if (!witness->sides.count)
        put_lines(self, witness);
    if (!witness->seed)
        return;
    writer_line(self, INDENT, "", STYLE_PLAIN);
    writer_text(self, STYLE_FAINT, "again: ");
    writer_format(self, STYLE_PLAIN, "racerx confirm %.8s --runs 1 --seed %llu -- ", finding->id,
                  (unsigned long long)witness->seed);
    writer_name(self, STYLE_PLAIN, witness->command);
    writer_end(self);
}

void report_witness(const Finding *finding, const RunWitness *witness, const ReportOptions *options, Buffer *out) {
    Writer writer = {.out = out, .width = options->width ? options->width : 80, .colour = options->colour};
    writer_line(&writer, 0, "", STYLE_PLAIN);
    writer_format(&writer, STYLE_STRONG, "%u ", finding->rank);
    writer_text(&writer, STYLE_ALARM, kind_word(finding->kind));
    writer_text(&writer, STYLE_PLAIN, " at ");
    writer_place(&writer, finding->file, finding->line);
    writer_text(&writer, STYLE_PLAIN, " in ");
    writer_name(&writer, STYLE_STRONG, finding->function);
    writer_format(&writer, STYLE_FAINT, ", id %.8s", finding->id);
    writer_end(&writer);
    writer_witness(&writer, finding, witness);
    writer_free(&writer);
}
