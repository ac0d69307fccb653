struct watch_events {
	void (*added)(int id);
	void (*gone)(int id);
};
void watch_listen(const struct watch_events *events);
int watch_add(int id);
int watch_remove(int id);
int watch_count(void);
