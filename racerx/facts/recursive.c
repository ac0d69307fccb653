// recursive.c: locks that are recursive because they were made so.
// In: the calls that make locks (Analysis.inits), initialisers of globals. Out: LockClass.recursive.
//
// The idea: a set of objects that were made recursive, by class; locals by their place, what a parameter points
// to by function and parameter. It grows from attributes to what is made with them, and from parameters to the
// arguments of the calls, until nothing changes. A class is recursive when one of its objects was made so.
#include "racerx/facts/analysis.h"

typedef struct {
    Analysis *analysis;
    Map made; // keys of objects
    bool changed;
} Recursive;

static u64 object_key(const Recursive *self, FunctionId function, ClassId class, PathId path) {
    const LockClass *info = &self->analysis->classes.items[class];
    if (info->parameter)
        return hash_mix((u64)function << 32 | info->param, 1);
    if (info->local)
        return hash_mix((u64)function << 32 | path, 2);
    return hash_mix(class, 3);
}

static bool is_made(const Recursive *self, u64 key) { return map_get(&self->made, key) != NULL; }

static void make(Recursive *self, FunctionId function, ClassId class, PathId path) {
    LockClass *info = &self->analysis->classes.items[class];
    bool fresh;
    map_put(&self->made, object_key(self, function, class, path), &fresh);
    self->changed |= fresh;
    if (!info->parameter && class >= CLASS_FIRST)
        info->recursive = true;
}

// wrapped ------------------------------------------------------------------------

// "a.b" of what a parameter points to; 0: the path is no such place.
static NameId members_of_parameter(const Recursive *self, PathId path) {
    const PathTable *paths = &self->analysis->paths;
    NameId members = 0;
    for (; paths->paths.items[path].depth; path = paths->paths.items[path].parent) {
        u32 step = paths->paths.items[path].step;
        bool first = paths->paths.items[path].depth == 1;
        if (!step_is_named_member(step) || step_is_pointer(step) != first)
            return 0;
        members = program_join(self->analysis->program, step_name(step), members);
    }
    return members;
}

// A lock inside what a function was given: which ones that are, its callers say.
static void follow_makers(Recursive *self, const LockInit *init) {
    Analysis *analysis = self->analysis;
    const Path *root = &analysis->paths.paths.items[path_first(&analysis->paths, init->path)];
    NameId members = init->path && root->root == ROOT_PARAM ? members_of_parameter(self, init->path) : 0;
    for (u32 i = 0; members && i < analysis->makers.count; i++) {
        const LockMaker *maker = &analysis->makers.items[i];
        if (maker->callee != init->function || maker->param != root->step)
            continue;
        NameId name = program_join(analysis->program, maker->given, members);
        u32 *class = map_get(&analysis->class_by_name, name);
        if (class)
            make(self, NO_ID, *class, 0);
    }
}

// calls -------------------------------------------------------------------------

static void follow_inits(Recursive *self) {
    for (u32 i = 0; i < self->analysis->inits.count; i++) {
        const LockInit *init = &self->analysis->inits.items[i];
        if (init->recursive ||
            (init->like && is_made(self, object_key(self, init->function, init->like, init->like_path))))
            make(self, init->function, init->class, init->path), follow_makers(self, init);
    }
}

static void follow_step(Recursive *self, FunctionId caller, const Skeleton *skeleton, const SkeletonStep *step) {
    const Program *program = self->analysis->program;
    const CallSite *site = step->kind == STEP_CALL && step->call != NO_ID ? &program->calls.items[step->call] : NULL;
    for (u32 t = 0; site && t < site->target_count; t++)
        for (u32 i = 0; i < step->arg_count; i++) {
            const ArgumentValue *argument = &skeleton->args[step->arg + i];
            u64 parameter = hash_mix((u64)program->targets.items[site->target + t] << 32 | i, 1);
            if (argument->class && is_made(self, parameter))
                make(self, caller, argument->class, argument->path);
        }
}

static void follow_calls(Recursive *self) {
    for (u32 f = 0; f < self->analysis->program->functions.count; f++) {
        const Skeleton *skeleton = &self->analysis->skeletons[f];
        for (u32 b = 0; b < skeleton->block_count; b++)
            for (u32 s = 0; s < skeleton->blocks[b].step_count; s++)
                follow_step(self, f, skeleton, &skeleton->steps[skeleton->blocks[b].step + s]);
    }
}

// initialisers ------------------------------------------------------------------

static bool name_makes_recursive(const Recursive *self, NameId name) {
    const Program *program = self->analysis->program;
    const LockEffect *effects;
    if (!(program_said(program, name) & SAID_LOCK))
        return false;
    const char *text = program_text(program, name);
    u32 count = declarations_effects(self->analysis->declarations, text, (u32)strlen(text), &effects);
    for (u32 i = 0; i < count; i++)
        if (effects[i].kind == EFFECT_INIT && effects[i].flags & LOCK_RECURSIVE && !effects[i].choice.argument)
            return true;
    return false;
}

// NAME, NAME(…) or (T)NAME as an initialiser's value.
static bool value_is_recursive(const Recursive *self, const ProgramFile *file, ExprId id) {
    const Expr *expr = &file->tree.exprs.items[id];
    for (u32 depth = 0; depth < 8 && (expr->kind == EXPR_CAST || expr->kind == EXPR_CALL); depth++)
        expr = &file->tree.exprs.items[expr->a];
    return expr->kind == EXPR_NAME && name_makes_recursive(self, file->names[expr->a]);
}

static void make_named(Recursive *self, const Object *object) {
    Buffer text = {0};
    object_name(self->analysis->program, object, &text);
    NameId name = program_intern(self->analysis->program, (char *)text.bytes, (u32)text.size);
    make(self, NO_ID, class_intern(self->analysis, name, object->kind == OBJECT_GLOBAL), 0);
    buffer_free(&text);
}

static void make_initialised(Recursive *self, GlobalId global, const ProgramFile *file, const InitEntry *entry) {
    const Program *program = self->analysis->program;
    Object object = {.kind = OBJECT_GLOBAL, .global = global, .record = NO_ID};
    TypeRef type = type_strip(program, global_type(program, global));
    for (u32 i = 0; i < entry->step_count; i++) {
        const Step *step = &file->tree.steps.items[entry->step + i];
        if (step->kind == STEP_FIELD)
            object.member = program_join(program, object.member, file->names[step->value]);
        else if (!object.member)
            type = type_strip(program, type_target(program, type));
    }
    make_named(self, &object);
    object.kind = OBJECT_FIELD;
    object.record = type_record(program, type);
    if (object.member && object.record != NO_ID)
        make_named(self, &object);
}

static void follow_initialisers(Recursive *self) {
    const Program *program = self->analysis->program;
    for (GlobalId g = 0; g < program->globals.count; g++) {
        const ProgramGlobal *global = &program->globals.items[g];
        const ProgramFile *file = &program->files.items[global->file];
        if (global->is_function || global->function != NO_ID)
            continue;
        const Global *one = &file->tree.globals.items[global->index];
        for (u32 i = 0; i < one->init_count; i++) {
            const InitEntry *entry = &file->tree.inits.items[one->init + i];
            if (value_is_recursive(self, file, entry->value))
                make_initialised(self, g, file, entry);
        }
    }
}

void fill_recursive(Analysis *analysis) {
    Recursive self = {.analysis = analysis};
    follow_initialisers(&self);
    follow_inits(&self);
    for (u32 round = 0; round < RECURSIVE_ROUNDS && self.changed; round++) {
        self.changed = false;
        follow_calls(&self);
        follow_inits(&self);
    }
    limit_cuts(LIMIT_RECURSIVE_ROUNDS, self.changed);
    map_free(&self.made);
}
