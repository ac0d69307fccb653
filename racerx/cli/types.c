// types.c: `racerx dump FILE:FUNCTION --types`: the dump with what linking knows behind each event.
// In: the text of a dump, and the linked program. Out: the same text; behind reads and writes the object's name,
// behind calls the functions that may be called.
// The idea: a dump has one line per event, block by block, so the lines are counted along with the body.
#include "racerx/cli/command_link.h"

typedef struct {
    const Program *program;
    FileId file;
    const char *function; // only functions of this name; NULL: all
    u32 next;             // function of the tree that is printed next
    Body body;
    BodyScope scope;
    Buffer *out;
} TypedDump;

static void print_targets(TypedDump *self, ExprId call) {
    const CallSite *site = program_call(self->program, self->scope.function, call);
    if (!site || !site->target_count)
        return;
    buffer_text(self->out, "  # calls");
    for (u32 i = 0; i < site->target_count; i++) {
        FunctionId target = self->program->targets.items[site->target + i];
        buffer_format(self->out, "%s %s", i ? "," : "",
                      program_text(self->program, self->program->functions.items[target].name));
    }
}

static void print_event_object(TypedDump *self, const Event *event) {
    if (event->kind == EVENT_CALL) {
        print_targets(self, event->expr);
    } else if (event->kind == EVENT_READ || event->kind == EVENT_WRITE) {
        Object object = expr_object(&self->scope, event->expr);
        buffer_text(self->out, "  # ");
        object_name(self->program, &object, self->out);
    }
}

// The header line of a function was met: which one it is follows from the order.
static void enter_function(TypedDump *self) {
    const ProgramFile *file = &self->program->files.items[self->file];
    while (self->next < file->tree.functions.count && self->function &&
           strcmp(program_text(self->program, self->program->functions.items[file->function + self->next].name),
                  self->function))
        self->next++;
    self->scope = (BodyScope){self->program, file->function + self->next, self->file, &self->body};
    if (self->next >= file->tree.functions.count || !program_body(self->program, self->scope.function, &self->body))
        body_reset(&self->body);
    self->next++;
}

static const char *copy_line(TypedDump *self, const char *line, const char *end, bool newline) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    stop = stop ? stop : end;
    buffer_put(self->out, line, (size_t)(stop - line));
    if (newline)
        buffer_byte(self->out, '\n');
    return stop < end ? stop + 1 : end;
}

static void type_lines(TypedDump *self, const char *line, const char *end) {
    while (line < end) {
        bool is_function = !strncmp(line, "function ", 9), is_block = !strncmp(line, "block ", 6);
        u32 block = is_block ? (u32)strtoul(line + 6, NULL, 10) : 0;
        line = copy_line(self, line, end, true);
        if (is_function)
            enter_function(self);
        if (!is_block || block >= self->body.blocks.count)
            continue;
        for (u32 e = 0; e < self->body.blocks.items[block].event_count && line < end; e++) {
            line = copy_line(self, line, end, false);
            print_event_object(self, &self->body.events.items[self->body.blocks.items[block].event + e]);
            buffer_byte(self->out, '\n');
        }
    }
}

void print_typed_dump(const Program *program, const char *path, const char *function, const char *text, size_t size) {
    Buffer out = {0};
    TypedDump dump = {.program = program, .file = NO_ID, .function = function, .out = &out};
    for (u32 f = 0; f < program->files.count; f++)
        if (!strcmp(program->files.items[f].path, path))
            dump.file = f;
    if (dump.file == NO_ID)
        die("%s is not in the program", path);
    type_lines(&dump, text, text + size);
    write_output(&out);
    body_free(&dump.body);
    buffer_free(&out);
}
