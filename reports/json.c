// json.c: writes JSON values with their commas.
// In: calls in the order of the text. Out: valid JSON and UTF-8, whatever the names hold; a line for each member down
// to `lines` levels, so that a person can read it and two of them can be compared.
#include "reports/reports.h"

#include <float.h>
#include <math.h>

static void begin_value(Json *self) { // after a key nothing is wanted
    if (self->after_key) {
        self->after_key = false;
        return;
    }
    if (self->has_members)
        buffer_byte(self->out, ',');
    if (self->depth && self->depth <= self->lines)
        buffer_format(self->out, "\n%*s", (int)self->depth, "");
    self->has_members = true;
}

void json_open(Json *self, const char *key, char bracket) {
    if (key)
        json_key(self, key);
    begin_value(self);
    buffer_byte(self->out, (u8)bracket);
    self->depth++;
    self->has_members = false;
}

void json_close(Json *self, char bracket) {
    check(self->depth);
    self->depth--;
    if (self->has_members && self->depth < self->lines)
        buffer_format(self->out, "\n%*s", (int)self->depth, "");
    buffer_byte(self->out, (u8)bracket);
    self->has_members = true;
}

void json_key(Json *self, const char *key) {
    begin_value(self);
    buffer_json(self->out, key, strlen(key));
    buffer_byte(self->out, ':');
    self->after_key = true;
}

void json_bytes(Json *self, const char *key, const char *text, size_t size) {
    if (key)
        json_key(self, key);
    begin_value(self);
    buffer_json(self->out, text, size);
}

void json_text(Json *self, const char *key, const char *text) { json_bytes(self, key, text, strlen(text)); }

void json_number(Json *self, const char *key, double number) {
    if (key)
        json_key(self, key);
    begin_value(self);
    buffer_number(self->out, number);
}

void json_bool(Json *self, const char *key, bool value) {
    json_key(self, key);
    begin_value(self);
    buffer_text(self->out, value ? "true" : "false");
}

// As short as reads back the same; JSON has no infinity, so that becomes the largest number.
void buffer_number(Buffer *out, double number) {
    char text[40];
    if (!isfinite(number))
        number = copysign(DBL_MAX, number);
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    buffer_text(out, number == 0 ? "0" : text); // no -0
}
