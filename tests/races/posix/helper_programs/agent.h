void agent_begin(void);
int agent_collect(void *data);
