#ifndef COUNTER_H
#define COUNTER_H
extern long counter_value;
void counter_init(void);
void counter_add(long n);
long counter_get(void);
#endif
