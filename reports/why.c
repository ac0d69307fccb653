// why.c: what is known of one place of the text, for `racerx why`.
// In: answers. Out: in the terminal a sentence each, the short answer first, equal words before them said once; as JSON
// lines an object for each answer.
#include "racerx/findings/answers.h"
#include "reports/writer.h"

enum { LABEL_COLUMNS = 11 };

static void put_answer(Writer *self, const AnswerRow *answer, bool labelled) {
    char margin[24] = "";
    if (labelled)
        snprintf(margin, sizeof margin, "%-*s", LABEL_COLUMNS, answer_label(answer->kind));
    writer_line(self, LABEL_COLUMNS, margin, answer->kind == ANSWER_SHORT ? STYLE_ALARM : STYLE_FAINT);
    writer_text(self, answer->kind == ANSWER_SHORT ? STYLE_STRONG : STYLE_PLAIN, answer->text);
    writer_end(self);
}

static void put_all(Writer *self, const AnswerList *answers, bool shorts) {
    AnswerKind last = ANSWER_COUNT;
    for (u32 i = 0; i < answers->items.count; i++) {
        const AnswerRow *answer = &answers->items.items[i];
        if ((answer->kind == ANSWER_SHORT) != shorts)
            continue;
        if (answer->kind == ANSWER_OBJECT && last != ANSWER_OBJECT && last != ANSWER_COUNT)
            buffer_byte(self->out, '\n'); // each object with what is said of it stands apart
        put_answer(self, answer, answer->kind != last);
        last = answer->kind;
    }
}

static void put_json(Buffer *out, const AnswerRow *answer, const char *file, u32 line) {
    Json json = {.out = out};
    json_open(&json, NULL, '{');
    json_text(&json, "answer", answer_word(answer->kind));
    json_text(&json, "file", file);
    json_number(&json, "line", line);
    json_text(&json, "text", answer->text);
    for (u32 i = 0; i < answer->value_count; i++)
        if (answer->values[i].text)
            json_text(&json, answer->values[i].name, answer->values[i].text);
        else
            json_number(&json, answer->values[i].name, answer->values[i].number);
    json_close(&json, '}');
    buffer_byte(out, '\n');
}

void report_why(const AnswerList *answers, const char *file, u32 line, const ReportOptions *options, bool jsonl,
                Buffer *out) {
    Writer writer = {.out = out, .width = options->width ? options->width : 80, .colour = options->colour};
    for (u32 pass = 0; jsonl && pass < 2; pass++)
        for (u32 i = 0; i < answers->items.count; i++)
            if ((answers->items.items[i].kind == ANSWER_SHORT) == !pass)
                put_json(out, &answers->items.items[i], file, line);
    if (jsonl)
        return;
    writer_line(&writer, 0, "", STYLE_PLAIN);
    writer_place(&writer, file, line);
    writer_end(&writer);
    put_all(&writer, answers, true);
    buffer_byte(out, '\n');
    put_all(&writer, answers, false);
    writer_free(&writer);
}
