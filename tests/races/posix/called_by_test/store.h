void store_put(long value);
long store_take(void);
long store_get(void);
void store_reset(void);
