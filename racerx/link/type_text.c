// type_text.c: a type as people write it. In: a TypeRef. Out: its C text, typedefs by their names.
// Invariant: bounded, whatever the tree says: long types end in "…".
#include "racerx/link/link.h"

typedef struct {
    const Program *program;
    const ProgramFile *file;
    Buffer *out;
    size_t end; // where `out` is full
} TypeWriter;

static void write_type(TypeWriter *self, TypeId id, u32 depth);

static const Type *writer_type(const TypeWriter *self, TypeId id) {
    return &self->file->tree.types.items[id < self->file->tree.types.count ? id : 0];
}

static void write_parameters(TypeWriter *self, const Type *type, u32 depth) {
    buffer_text(self->out, "(");
    for (u32 i = 0; i < type->count && self->out->size < self->end; i++) {
        buffer_text(self->out, i ? ", " : "");
        write_type(self, self->file->tree.lists.items[type->list + i], depth + 1);
    }
    if (type->quals & QUAL_VARIADIC)
        buffer_text(self->out, type->count ? ", ..." : "...");
    else if (!type->count && !(type->quals & QUAL_NO_PROTOTYPE))
        buffer_text(self->out, "void");
    buffer_text(self->out, ")");
}

static void write_named(TypeWriter *self, const char *word, const Type *type) {
    const char *name = program_text(self->program, self->file->names[type->name]);
    buffer_format(self->out, "%s%s", word, *name == '@' ? "{…}" : name);
}

static void write_number(TypeWriter *self, const Type *type) {
    const char *name = type->bits == 8    ? "char"
                       : type->bits == 16 ? "short"
                       : type->bits == 64 ? "long"
                       : type->bits > 64  ? "__int128"
                                          : "int";
    if (type->kind == TYPE_FLOAT)
        name = type->bits == 32 ? "float" : type->bits > 64 ? "long double" : "double";
    buffer_format(self->out, "%s%s", type->quals & QUAL_UNSIGNED ? "unsigned " : "", name);
}

static void write_pointer(TypeWriter *self, const Type *type, u32 depth) {
    const Type *inner = writer_type(self, type->inner);
    if (inner->kind == TYPE_FUNCTION) {
        write_type(self, inner->inner, depth + 1);
        buffer_text(self->out, " (*)");
        write_parameters(self, inner, depth);
        return;
    }
    write_type(self, type->inner, depth + 1);
    buffer_text(self->out, self->out->size && self->out->bytes[self->out->size - 1] == '*' ? "*" : " *");
}

static void write_type(TypeWriter *self, TypeId id, u32 depth) {
    static const char *const words[] = {[TYPE_VOID] = "void",      [TYPE_BOOL] = "bool",    [TYPE_NAMED] = "",
                                        [TYPE_STRUCT] = "struct ", [TYPE_UNION] = "union ", [TYPE_ENUM] = "enum "};
    const Type *type = writer_type(self, id);
    if (limit_cuts(LIMIT_TYPE_TEXT_DEPTH, depth > TYPE_TEXT_DEPTH) ||
        limit_cuts(LIMIT_TYPE_TEXT_MOST, self->out->size > self->end)) {
        buffer_text(self->out, "…");
        return;
    }
    if (type->kind != TYPE_POINTER && type->quals & (QUAL_CONST | QUAL_VOLATILE))
        buffer_format(self->out, "%s%s", type->quals & QUAL_CONST ? "const " : "",
                      type->quals & QUAL_VOLATILE ? "volatile " : "");
    if (type->kind == TYPE_VOID || type->kind == TYPE_BOOL) {
        buffer_text(self->out, words[type->kind]);
    } else if (type->kind >= TYPE_NAMED && type->kind <= TYPE_ENUM) {
        write_named(self, words[type->kind], type);
    } else if (type->kind == TYPE_INT || type->kind == TYPE_FLOAT) {
        write_number(self, type);
    } else if (type->kind == TYPE_POINTER) {
        write_pointer(self, type, depth);
    } else if (type->kind == TYPE_ARRAY) {
        write_type(self, type->inner, depth + 1);
        buffer_text(self->out, "[]");
    } else if (type->kind == TYPE_FUNCTION) {
        write_type(self, type->inner, depth + 1);
        buffer_byte(self->out, ' ');
        write_parameters(self, type, depth);
    } else {
        buffer_text(self->out, "?");
    }
}

void type_text(const Program *self, TypeRef type, Buffer *out) {
    if (!type_known(type)) {
        buffer_text(out, "?");
        return;
    }
    TypeWriter writer = {self, &self->files.items[type.file], out, out->size + TYPE_TEXT_MOST};
    write_type(&writer, type.type, 0);
    for (u32 i = 0; i < type.pointers; i++)
        buffer_text(out, "*");
}
