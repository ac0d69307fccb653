struct plugin {
	const char *name;
	int (*start)(void);
	void (*event)(int code);
};
extern const struct plugin clock_plugin, meter_plugin;
void host_log(const char *who, int code);
