#ifndef SESSION_H
#define SESSION_H
struct session;
typedef void (*closed_fn)(struct session *session, void *data);
struct session *session_new(void);
void session_on_closed(struct session *session, closed_fn closed, void *data);
int session_send(struct session *session, const char *text);
int session_is_open(struct session *session);
void session_input(struct session *session, const char *text);
#endif
