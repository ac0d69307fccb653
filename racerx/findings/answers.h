// answers.h: a boundary of racerx/: what is known of one place of the text, sentence by sentence (`racerx why`).
// racerx/check/inquire.c says what the analysis saw there, racerx/cli/why.c what was read and found, reports/why.c
// prints.
#ifndef RACERX_ANSWERS_H
#define RACERX_ANSWERS_H

#include "racerx/findings/findings.h"

typedef enum {
#define ANSWER(name, word, label) ANSWER_##name,
#include "racerx/findings/answers.def"
#undef ANSWER
    ANSWER_COUNT,
} AnswerKind;

enum { ANSWER_VALUES = 12 }; // of one answer
typedef struct {
    AnswerKind kind;
    const char *text;              // a sentence for people
    Feature values[ANSWER_VALUES]; // the same for programs
    u32 value_count;               // how many
} AnswerRow;

// How far a place came before something kept it out of the list, from the first hurdle to the last.
typedef enum {
    HURDLE_READ,      // its file was not read
    HURDLE_FUNCTION,  // it is in no function
    HURDLE_WALKED,    // its function was not walked
    HURDLE_STEP,      // nothing on the line concerns locks or shared data
    HURDLE_OBJECT,    // what is accessed cannot be raced on
    HURDLE_SAMPLE,    // nobody else sees it, or it says nothing
    HURDLE_WRITTEN,   // nobody writes it
    HURDLE_ORDER,     // a lock is taken, and nothing speaks against it
    HURDLE_PROTECTED, // it is protected, alone or not sure
    HURDLE_PARTNER,   // no other access can collide with it
    HURDLE_BELIEF,    // nothing says that it should be protected
    HURDLE_NONE,
} Hurdle;

typedef struct AnswerList {
    Arena arena;            // of all texts
    Array(AnswerRow) items; // in the order they were added
    Hurdle hurdle;          // the last one that something on the line came to
    const char *cause;      // what it was, as the second half of a sentence; "": nothing said so far
} AnswerList;

const char *answer_word(AnswerKind kind);  // "belief"
const char *answer_label(AnswerKind kind); // "belief"

void answers_begin(AnswerList *self);
void answers_free(AnswerList *self);
const char *answers_text(AnswerList *self, const char *format, ...) __attribute__((format(printf, 2, 3)));
void answers_add(AnswerList *self, AnswerKind kind, const char *format, ...) __attribute__((format(printf, 3, 4)));
void answer_number(AnswerList *self, const char *name, double number);  // of the last answer; the name is not copied
void answer_text(AnswerList *self, const char *name, const char *text); // likewise
// Something on the line was kept out here. The furthest counts, of equals the first.
void answers_stop(AnswerList *self, Hurdle hurdle, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
