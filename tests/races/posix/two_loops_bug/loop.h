struct loop { void (*idle)(void); };
void loop_run(struct loop *loop);
void store_flush(void);
