// answers.c: filling a list of answers.
#include "racerx/findings/answers.h"

static const struct {
    const char *word, *label;
} kinds[ANSWER_COUNT] = {
#define ANSWER(name, word, label) [ANSWER_##name] = {word, label},
#include "racerx/findings/answers.def"
#undef ANSWER
};

const char *answer_word(AnswerKind kind) { return kinds[kind].word; }
const char *answer_label(AnswerKind kind) { return kinds[kind].label; }

void answers_begin(AnswerList *self) { *self = (AnswerList){.cause = ""}; }

void answers_free(AnswerList *self) {
    arena_free(&self->arena);
    array_free(&self->items);
}

static const char *keep_format(AnswerList *self, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    check(length >= 0);
    char *text = arena_alloc(&self->arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

const char *answers_text(AnswerList *self, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = keep_format(self, format, args);
    va_end(args);
    return text;
}

void answers_add(AnswerList *self, AnswerKind kind, const char *format, ...) {
    va_list args;
    va_start(args, format);
    array_push(&self->items, ((AnswerRow){.kind = kind, .text = keep_format(self, format, args)}));
    va_end(args);
}

static Feature *add_value(AnswerList *self, const char *name) {
    AnswerRow *last = &self->items.items[self->items.count - 1];
    check(last->value_count < ANSWER_VALUES);
    last->values[last->value_count].name = name;
    return &last->values[last->value_count++];
}

void answer_number(AnswerList *self, const char *name, double number) { add_value(self, name)->number = number; }

void answer_text(AnswerList *self, const char *name, const char *text) {
    add_value(self, name)->text = answers_text(self, "%s", text);
}

void answers_stop(AnswerList *self, Hurdle hurdle, const char *format, ...) {
    va_list args;
    if (*self->cause && hurdle <= self->hurdle)
        return;
    va_start(args, format);
    self->cause = keep_format(self, format, args);
    self->hurdle = hurdle;
    va_end(args);
}
