// arguments.c: do the functions that scripts speak of have the arguments the scripts speak of?
// In: the linked program, the numbers of arguments that the user's scripts gave. Out: nothing, or fatal() with script
// and line. A number is wrong when the tree has functions or prototypes of that name, all of them with fewer
// parameters, and no call of it has so many arguments (it may be a macro that was kept).
#include "racerx/link/link.h"

typedef struct {
    const char *name;
    NameId id;
    i32 argument;
    Origin origin;
} Claim;

typedef struct {
    const Program *program;
    Array(Claim) claims;
    Map most;  // NameId -> 1 + the most parameters seen; not there: nobody declares it
    Map place; // NameId -> 1 + FileId of such a declaration
} Arguments;

static void add_claim(void *context, const char *name, i32 argument, const Origin *origin) {
    Arguments *self = context;
    u32 id = intern_find(&self->program->names, name, (u32)strlen(name));
    if (id != UINT32_MAX && id < self->program->name_limit)
        array_push(&self->claims, ((Claim){name, id, argument, *origin}));
}

static void see_function(Arguments *self, NameId name, FileId file, TypeRef type) {
    type = type_strip(self->program, type);
    const Type *one = type_kind(self->program, type) == TYPE_FUNCTION
                          ? &self->program->files.items[type.file].tree.types.items[type.type]
                          : NULL;
    u32 count = !one || one->quals & (QUAL_VARIADIC | QUAL_NO_PROTOTYPE) ? UINT32_MAX - 1 : one->count;
    bool fresh;
    u32 *most = map_put(&self->most, name, &fresh);
    if (fresh || *most < count + 1) {
        *most = count + 1;
        *map_put(&self->place, name, NULL) = file + 1;
    }
}

static void see_all(Arguments *self) {
    const Program *program = self->program;
    Map wanted = {0};
    for (u32 i = 0; i < self->claims.count; i++)
        map_put(&wanted, self->claims.items[i].id, NULL);
    for (FunctionId f = 0; f < program->functions.count; f++)
        if (map_get(&wanted, program->functions.items[f].name))
            see_function(self, program->functions.items[f].name, program->functions.items[f].file,
                         function_type(program, f));
    for (GlobalId g = 0; g < program->globals.count; g++)
        if (program->globals.items[g].is_function && map_get(&wanted, program->globals.items[g].name))
            see_function(self, program->globals.items[g].name, program->globals.items[g].file, global_type(program, g));
    map_free(&wanted);
}

static bool call_has(const Program *program, FunctionId caller, ExprId call, i32 argument) {
    Body body = {0};
    BodyScope scope = {program, caller, program->functions.items[caller].file, &body};
    bool has = program_body(program, caller, &body) && call_argument(&scope, call, argument);
    body_free(&body);
    return has;
}

static bool some_call_has(const Program *program, const Claim *claim) {
    for (FunctionId f = 0; f < program->functions.count; f++) {
        const ProgramFunction *function = &program->functions.items[f];
        for (u32 c = 0; c < function->call_count; c++) {
            const CallSite *site = &program->calls.items[function->call + c];
            if (site->name == claim->id && call_has(program, f, site->expr, claim->argument))
                return true;
        }
    }
    return false;
}

static void check_claim(const Arguments *self, const Claim *claim) {
    const u32 *most = map_get(&self->most, claim->id);
    if (!most || *most > (u32)claim->argument || some_call_has(self->program, claim))
        return;
    const char *path = self->program->files.items[*map_get(&self->place, claim->id) - 1].path;
    fatal(
        "%s:%u: '%s' has no argument %d: in %s it has %u parameter%s; correct the number (annotators/README.md has the "
        "declarations)",
        claim->origin.script, claim->origin.line, claim->name, (int)claim->argument, quote_path(path), *most - 1,
        *most == 2 ? "" : "s");
}

void arguments_check(const Program *program) {
    Arguments self = {.program = program};
    declarations_arguments(program->declarations, add_claim, &self);
    if (self.claims.count)
        see_all(&self);
    for (u32 i = 0; i < self.claims.count; i++)
        check_claim(&self, &self.claims.items[i]);
    array_free(&self.claims);
    map_free(&self.most);
    map_free(&self.place);
}
