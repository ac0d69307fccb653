struct d { int d; };
struct c { struct { struct d *c[4]; } b; };
struct a { union { struct c; long raw; }; };
typedef struct list { struct list *next; } list_t;
struct item {
	unsigned flag : 1, : 3, mode : 4;
	list_t links;
	long long x;
};
enum state { IDLE, BUSY = 5, DONE };
typedef int (*run_fn)(struct item *);
struct ops { run_fn run; enum state state; };
extern struct { struct ops ops[3]; } table;
extern __thread int counter;
extern volatile _Atomic int shared;
