// chosen.c: a lock that is chosen together with the object it is in.
// In: a body. Out: for a local that points to one of several locks, the local that points to the object around it:
// `box = &urgent; lock = &urgent.lock;` wherever either is written. Then the lock is that of `*box`, whichever it is:
// it protects what is in the box, and nothing of which there is one for all.
#include "racerx/facts/skeleton.h"

// One write of a local, in some block.
typedef struct {
    u32 var, block;
    ExprId value;
} LocalWrite;
typedef Array(LocalWrite) LocalWrites;

static ExprId uncast(const Build *self, ExprId id) {
    while (build_expr(self, id)->kind == EXPR_CAST)
        id = build_expr(self, id)->a;
    return id;
}

// Is `value` a pointer to the object that `object` is an lvalue of?
static bool points_to(const Build *self, ExprId value, ExprId object) {
    const Expr *expr = build_expr(self, value = uncast(self, value));
    const Expr *behind = build_expr(self, object);
    if (expr->kind == EXPR_ADDRESS)
        return expr->a == object;
    return behind->kind == EXPR_DEREF && uncast(self, behind->a) == value;
}

// The member that the address of is taken; 0: the value is nothing of the sort.
static ExprId member_in(const Build *self, ExprId value) {
    const Expr *expr = value ? build_expr(self, uncast(self, value)) : NULL;
    return expr && expr->kind == EXPR_ADDRESS && build_expr(self, expr->a)->kind == EXPR_MEMBER ? expr->a : 0;
}

// Does `owner` point to what the lock is in, after every write of either?
static bool go_together(const Build *self, const LocalWrites *writes, u32 lock, u32 owner, NameId *name) {
    u32 locks = 0, owners = 0, pairs = 0;
    for (u32 i = 0; i < writes->count; i++) {
        const LocalWrite *one = &writes->items[i];
        owners += one->var == owner;
        if (one->var != lock)
            continue;
        ExprId member = member_in(self, one->value);
        NameId called = member ? build_name(self, build_expr(self, member)->b) : 0;
        if (!member || (locks++ && called != *name))
            return false;
        *name = called;
        for (u32 k = 0; k < writes->count; k++)
            pairs += writes->items[k].var == owner && writes->items[k].block == one->block && writes->items[k].value &&
                     points_to(self, writes->items[k].value, build_expr(self, member)->a);
    }
    return locks > 1 && locks == owners && locks == pairs;
}

static bool is_plain_local(const Build *self, u32 var) {
    return self->written[var] == 2 &&
           !(self->body->vars.items[var].flags & (DECL_PARAM | DECL_ADDRESSED | DECL_STATIC));
}

// requires: fill_aliases. fills: chosen.
void fill_chosen(Build *self) {
    LocalWrites writes = {0};
    for (u32 b = 0; b < self->body->blocks.count; b++)
        for (u32 e = 0; e < self->body->blocks.items[b].event_count; e++) {
            const Event *event = &self->body->events.items[self->body->blocks.items[b].event + e];
            bool local = event->kind == EVENT_WRITE && build_expr(self, event->expr)->kind == EXPR_VAR;
            u32 var = local ? build_expr(self, event->expr)->a : 0;
            if (local && is_plain_local(self, var))
                array_push(&writes, ((LocalWrite){var, b, event->value}));
        }
    for (u32 i = 0; i < writes.count && !limit_cuts(LIMIT_CHOSEN_MOST, writes.count > CHOSEN_MOST); i++) {
        u32 lock = writes.items[i].var;
        if (self->chosen[lock].owner || !member_in(self, writes.items[i].value))
            continue;
        for (u32 k = 0; k < writes.count && !self->chosen[lock].owner; k++) {
            NameId name = 0;
            u32 owner = writes.items[k].var;
            if (owner != lock && writes.items[k].block == writes.items[i].block &&
                go_together(self, &writes, lock, owner, &name))
                self->chosen[lock] = (Chosen){owner + 1, name};
        }
    }
    array_free(&writes);
}
