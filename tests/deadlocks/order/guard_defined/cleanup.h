#define __cleanup(func) __attribute__((__cleanup__(func)))
#define DEFINE_CLASS(_name, _type, _exit, _init, _init_args...)		\
typedef _type class_##_name##_t;					\
static inline void class_##_name##_destructor(_type *p)			\
{ _type _T = *p; _exit; }						\
static inline _type class_##_name##_constructor(_init_args)		\
{ _type t = _init; return t; }
#define CLASS(_name, var)						\
	class_##_name##_t var __cleanup(class_##_name##_destructor) =	\
		class_##_name##_constructor
#define DEFINE_GUARD(_name, _type, _lock, _unlock) \
	DEFINE_CLASS(_name, _type, if (_T) { _unlock; }, ({ _lock; _T; }), _type _T)
#define __PASTE(a,b) a##b
#define guard(_name) CLASS(_name, __PASTE(guard, __LINE__))
#define scoped_guard(_name, args...)					\
	for (CLASS(_name, scope)(args), *done = NULL; !done; done = (void *)1)
