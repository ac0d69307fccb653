// inquire.h: inside racerx/check/, what the analysis knows of one line of the text.
#ifndef RACERX_INQUIRE_H
#define RACERX_INQUIRE_H

#include "racerx/check/races.h"
#include "racerx/findings/answers.h"

typedef struct {
    Analysis *analysis;
    const Question *question;
    AnswerList *out;
    FunctionId function; // that the line is in
} Inquiry;

const char *inquiry_function(const Inquiry *self, FunctionId function);
// "f (thread, interrupt)": where control starts, and as what.
const char *inquiry_root(Inquiry *self, FunctionId root);

// inquire_object.c: requires samples. Says of every object that the line accesses why it is, or is not, raced on.
// False: the line accesses nothing.
bool inquire_objects(Inquiry *self);

#endif
