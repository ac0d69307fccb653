// racerx-verdict: shown
/* A loop over a list reads its head, however the loop is written: here by a macro that is too long to be expanded. */
#include <linux/spinlock.h>

struct list_head { struct list_head *next, *prev; };
#define LIST_HEAD(name) struct list_head name = { &(name), &(name) }
#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
#define list_entry_is_head(pos, head, member) (&pos->member == (head))
#define list_for_each_entry(pos, head, member)                               \
	for (pos = container_of((head)->next, typeof(*pos), member);         \
	     !list_entry_is_head(pos, head, member);                         \
	     pos = container_of(pos->member.next, typeof(*pos), member))

static inline void list_add_tail(struct list_head *entry, struct list_head *head)
{
	struct list_head *last = head->prev;
	entry->next = head;
	entry->prev = last;
	last->next = entry;
	head->prev = entry;
}

static inline void list_move_tail(struct list_head *entry, struct list_head *head)
{
	entry->prev->next = entry->next;
	entry->next->prev = entry->prev;
	list_add_tail(entry, head);
}

struct ticket { struct list_head link; int number; };
static DEFINE_SPINLOCK(desk_lock);
static LIST_HEAD(desk);

void ticket_queue(struct ticket *ticket)
{
	spin_lock(&desk_lock);
	list_add_tail(&ticket->link, &desk);
	spin_unlock(&desk_lock);
}

void ticket_leave(struct ticket *ticket)
{
	spin_lock(&desk_lock);
	list_move_tail(&ticket->link, &desk);
	spin_unlock(&desk_lock);
}

int desk_length(void)
{
	struct ticket *ticket;
	int length = 0;
	spin_lock(&desk_lock);
	list_for_each_entry(ticket, &desk, link)
		length++;
	spin_unlock(&desk_lock);
	return length;
}

int desk_find(int number)
{
	struct ticket *ticket;
	list_for_each_entry(ticket, &desk, link) /* RACE */
		if (ticket->number == number)
			return 1;
	return 0;
}
