// lsp.c: `racerx lsp`: the findings in an editor, by the Language Server Protocol on standard input and output.
// In: requests and notifications. Out: diagnostics of the files that are open, actions on them, what guards a name.
//
// Nothing is analysed: it shows what the last run found, and looks before every answer whether the database is another
// now. A file that is saved is told of again. Nothing else than messages goes to standard output.
#include "racerx/cli/command.h"

#include "racerx/findings/findings.h"
#include "reports/lsp.h"

#include <ctype.h>
#include <jansson.h>
#include <unistd.h>

enum { MESSAGE_MOST = 64 << 20, HOVER_MOST = 8 };

typedef struct {
    const char *db;
} LspArguments;

typedef struct {
    const char *db;
    FindingList *findings; // heads; whole where a file of theirs was opened. NULL: not loaded
    StoreState state;      // of the database when they were
    SourceFileArray files; // of the database
    Sources *sources;
    PathArray open; // URIs
    bool ended;     // shutdown was asked for
} Lsp;

// messages --------------------------------------------------------------------------

static void send_message(const Buffer *body) {
    printf("Content-Length: %zu\r\n\r\n", body->size);
    fwrite(body->bytes, 1, body->size, stdout);
    finish_output();
}

static void begin_answer(Buffer *out, const json_t *id) {
    char *text = id ? json_dumps(id, JSON_ENCODE_ANY) : NULL;
    buffer_format(out, "{\"jsonrpc\":\"2.0\",\"id\":%s,", text ? text : "null");
    free(text);
}

static void send_result(const json_t *id, const Buffer *result) {
    Buffer out = {0};
    begin_answer(&out, id);
    buffer_text(&out, "\"result\":");
    buffer_put(&out, result->bytes, result->size);
    buffer_text(&out, "}\n");
    send_message(&out);
    buffer_free(&out);
}

static void send_text_result(const json_t *id, const char *text) {
    send_result(id, &(Buffer){.bytes = (u8 *)text, .size = strlen(text)});
}

static void send_error(const json_t *id, int code, const char *message) {
    Buffer out = {0};
    begin_answer(&out, id);
    buffer_format(&out, "\"error\":{\"code\":%d,\"message\":", code);
    buffer_json(&out, message, strlen(message));
    buffer_text(&out, "}}\n");
    send_message(&out);
    buffer_free(&out);
}

// The length that the head of the next message says; 0: there is none any more.
static size_t read_head(void) {
    char line[512];
    size_t length = 0;
    while (fgets(line, sizeof line, stdin)) {
        if (!strcmp(line, "\r\n") || !strcmp(line, "\n")) {
            if (length)
                return length;
            continue;
        }
        if (!strncasecmp(line, "Content-Length:", 15))
            length = strtoull(line + 15, NULL, 10);
        if (length > MESSAGE_MOST)
            fatal("lsp: a message of %zu bytes is too long", length);
    }
    return 0;
}

static json_t *read_message(void) { // NULL: the end
    for (size_t length; (length = read_head());) {
        char *bytes = must_alloc(length);
        json_t *message = fread(bytes, 1, length, stdin) == length ? json_loadb(bytes, length, 0, NULL) : NULL;
        free(bytes);
        if (message)
            return message;
        if (feof(stdin))
            return NULL;
        send_error(NULL, -32700, "this is no JSON");
    }
    return NULL;
}

static const char *text_at(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

// files ---------------------------------------------------------------------------

static char *path_of_uri(const char *uri) { // malloc'd; "" when it is no file
    Buffer out = {0};
    const char *at = !strncmp(uri, "file://", 7) ? uri + 7 : "";
    for (; *at; at++)
        if (*at == '%' && isxdigit((u8)at[1]) && isxdigit((u8)at[2])) {
            const char digits[] = {at[1], at[2], 0};
            buffer_byte(&out, (u8)strtoul(digits, NULL, 16));
            at += 2;
        } else {
            buffer_byte(&out, (u8)*at);
        }
    buffer_byte(&out, 0);
    return (char *)out.bytes;
}

static const SourceFile *file_of_uri(const Lsp *self, const char *uri) {
    char *path = path_of_uri(uri), *real = realpath(path, NULL);
    const SourceFile *found = NULL;
    for (u32 i = 0; i < self->files.count && !found; i++)
        if (!strcmp(self->files.items[i].full, path) || (real && !strcmp(self->files.items[i].full, real)))
            found = &self->files.items[i];
    free(path);
    free(real);
    return found;
}

static void forget(Lsp *self) {
    if (self->findings)
        release_findings(self->findings, self->sources);
    self->findings = NULL;
    source_files_free(&self->files);
    self->files = (SourceFileArray){0};
}

// What the database holds now; false: there is none.
static bool refresh(Lsp *self) {
    StoreState now = {0};
    WatchResult watched = findings_watch(self->db, &now);
    if (watched == WATCH_BUSY)
        return self->findings != NULL;
    bool same = watched == WATCH_KNOWN && !memcmp(&now, &self->state, sizeof now);
    if (same && self->findings)
        return true;
    forget(self);
    if (watched != WATCH_KNOWN)
        return false;
    Store *store = store_open(self->db, STORE_READ);
    self->findings = load_heads(store);
    self->sources = load_sources(store);
    store_load_files(store, &self->files);
    store_close(store);
    self->state = now;
    return true;
}

// diagnostics ---------------------------------------------------------------------

static void complete_in_file(Lsp *self, const char *path) {
    U32Array rows = {0};
    Store *store = store_open(self->db, STORE_READ);
    findings_rows_in_file(store, path, &rows);
    for (u32 i = 0; i < self->findings->items.count; i++) {
        Finding *finding = self->findings->items.items[i];
        for (u32 r = 0; r < rows.count; r++)
            if (rows.items[r] == finding->row && !finding->features.count)
                findings_load_rest(self->findings, finding, store);
    }
    store_close(store);
    array_free(&rows);
}

static void publish(Lsp *self, const char *uri) {
    Buffer out = {0};
    bool loaded = refresh(self);
    const SourceFile *file = loaded ? file_of_uri(self, uri) : NULL;
    buffer_text(&out, "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/publishDiagnostics\",\"params\":{\"uri\":");
    buffer_json(&out, uri, strlen(uri));
    buffer_text(&out, ",\"diagnostics\":");
    if (file) {
        complete_in_file(self, file->path);
        lsp_diagnostics(self->findings, self->sources, file->path, &out);
    } else {
        buffer_text(&out, "[]");
    }
    buffer_text(&out, "}}\n");
    send_message(&out);
    buffer_free(&out);
}

static u32 open_at(const Lsp *self, const char *uri) {
    u32 i = 0;
    while (i < self->open.count && strcmp(self->open.items[i], uri))
        i++;
    return i;
}

static void did_open(Lsp *self, const json_t *params) {
    const char *uri = text_at(json_object_get(params, "textDocument"), "uri");
    if (open_at(self, uri) == self->open.count)
        array_push(&self->open, must_strdup(uri));
    publish(self, uri);
}

static void did_close(Lsp *self, const json_t *params) {
    u32 at = open_at(self, text_at(json_object_get(params, "textDocument"), "uri"));
    if (at == self->open.count)
        return;
    free(self->open.items[at]);
    self->open.items[at] = self->open.items[--self->open.count];
}

static void publish_all(Lsp *self) {
    for (u32 i = 0; i < self->open.count; i++)
        publish(self, self->open.items[i]);
}

// requests ------------------------------------------------------------------------

static void code_action(Lsp *self, const json_t *id, const json_t *params) {
    Buffer out = {0};
    Json json = {.out = &out};
    const json_t *diagnostics = json_object_get(json_object_get(params, "context"), "diagnostics"), *one;
    const char *uri = text_at(json_object_get(params, "textDocument"), "uri");
    size_t i;
    (void)self;
    json_open(&json, NULL, '[');
    json_array_foreach(diagnostics, i, one) {
        const char *finding = text_at(json_object_get(one, "data"), "id");
        json_t *start = json_object_get(json_object_get(one, "range"), "start");
        if (*finding && !strcmp(text_at(one, "source"), "racerx"))
            lsp_actions(&json, uri, finding, text_at(one, "code"),
                        (u32)json_integer_value(json_object_get(start, "line")));
    }
    json_close(&json, ']');
    send_result(id, &out);
    buffer_free(&out);
}

static void execute(Lsp *self, const json_t *id, const json_t *params) {
    const json_t *words = json_object_get(params, "arguments");
    const char *finding = json_string_value(json_array_get(words, 0)),
               *word = json_string_value(json_array_get(words, 1));
    Verdict verdict;
    if (strcmp(text_at(params, "command"), "racerx.verdict") || !finding || !word || !verdict_by_word(word, &verdict)) {
        send_error(id, -32602, "racerx.verdict takes the id of a finding and a verdict");
        return;
    }
    if (!refresh(self)) {
        send_error(id, -32803, "there is no database: `racerx run DIR` makes one");
        return;
    }
    const Finding *meant = NULL;
    for (u32 i = 0; i < self->findings->items.count && !meant; i++)
        if (!strcmp(self->findings->items.items[i]->id, finding))
            meant = self->findings->items.items[i];
    if (!meant) {
        send_error(id, -32803, "no finding has this id any more");
        return;
    }
    Store *store = store_open(self->db, STORE_WRITE);
    verdict_add(store, meant, verdict, "", getenv("USER") ? getenv("USER") : "");
    store_close(store);
    send_text_result(id, "null");
    publish_all(self);
}

static bool is_word_byte(char c) { return isalnum((u8)c) || c == '_'; }

// The name at a position of a file as it is on the disk; "" when there is none.
static void name_at(const char *path, u32 line, u32 character, char out[128]) {
    size_t size;
    char *text = file_read(path, &size), *at = text;
    *out = 0;
    for (u32 i = 0; at && i < line && (at = strchr(at, '\n')); i++)
        at++;
    size_t length = at ? strcspn(at, "\n") : 0;
    if (at && character <= length) { // lines of ASCII: a unit is a byte
        size_t from = character, to = character;
        while (from && is_word_byte(at[from - 1]))
            from--;
        while (to < length && is_word_byte(at[to]))
            to++;
        snprintf(out, 128, "%.*s", (int)(to - from), at + from);
    }
    free(text);
}

// "struct item.left", "shop.c:money" and "guests" end in the name.
static bool ends_in_name(void *context, const char *object) {
    const char *name = context;
    size_t own = strlen(name), length = strlen(object);
    return length >= own && !strcmp(object + length - own, name) &&
           (length == own || object[length - own - 1] == '.' || object[length - own - 1] == ':');
}

static void hover(Lsp *self, const json_t *id, const json_t *params) {
    const json_t *position = json_object_get(params, "position");
    char *path = path_of_uri(text_at(json_object_get(params, "textDocument"), "uri")), name[128];
    name_at(path, (u32)json_integer_value(json_object_get(position, "line")),
            (u32)json_integer_value(json_object_get(position, "character")), name);
    free(path);
    FindingList guards;
    Buffer text = {0}, out = {0};
    findings_begin(&guards);
    if (*name && refresh(self)) {
        GuardFilter filter = {ends_in_name, name, 0};
        Store *store = store_open(self->db, STORE_READ);
        findings_load_guards(&guards, store, &filter);
        store_close(store);
    }
    guards.guards.count = guards.guards.count > HOVER_MOST ? HOVER_MOST : guards.guards.count;
    lsp_hover(&guards, &text);
    if (text.size) {
        buffer_text(&out, "{\"contents\":{\"kind\":\"markdown\",\"value\":");
        buffer_json(&out, (const char *)text.bytes, text.size);
        buffer_text(&out, "}}");
    } else {
        buffer_text(&out, "null");
    }
    send_result(id, &out);
    findings_free(&guards);
    buffer_free(&text);
    buffer_free(&out);
}

static void initialize(Lsp *self, const json_t *id, const json_t *params) {
    char *root = path_of_uri(text_at(params, "rootUri"));
    if (*root && !self->db && chdir(root))
        note("lsp: cannot go to %s", quoted_path(root));
    free(root);
    send_text_result(id, "{\"capabilities\":{\"textDocumentSync\":{\"openClose\":true,\"change\":0,\"save\":true},"
                         "\"codeActionProvider\":{\"codeActionKinds\":[\"quickfix\"]},\"hoverProvider\":true,"
                         "\"executeCommandProvider\":{\"commands\":[\"racerx.verdict\"]}},"
                         "\"serverInfo\":{\"name\":\"racerx\",\"version\":\"" RACERX_VERSION "\"}}");
}

static void handle(Lsp *self, const json_t *message) {
    const char *method = text_at(message, "method");
    const json_t *id = json_object_get(message, "id"), *params = json_object_get(message, "params");
    if (!strcmp(method, "initialize"))
        initialize(self, id, params);
    else if (!strcmp(method, "textDocument/didOpen"))
        did_open(self, params);
    else if (!strcmp(method, "textDocument/didClose"))
        did_close(self, params);
    else if (!strcmp(method, "textDocument/didSave"))
        publish_all(self);
    else if (!strcmp(method, "textDocument/codeAction"))
        code_action(self, id, params);
    else if (!strcmp(method, "textDocument/hover"))
        hover(self, id, params);
    else if (!strcmp(method, "workspace/executeCommand"))
        execute(self, id, params);
    else if (!strcmp(method, "shutdown")) {
        self->ended = true;
        send_text_result(id, "null");
    } else if (id && *method)
        send_error(id, -32601, "racerx does not do that");
}

static int lsp_run(const Command *self, int count, char **words) {
    LspArguments arguments = {0};
    TextArray rest = {0};
    arguments_read(self, count, words, &arguments, &rest);
    if (rest.count)
        fatal("lsp takes no arguments: editors start it (see `racerx lsp --help`)");
    Lsp server = {.db = arguments.db};
    bool told = false;
    for (json_t *message; !told && (message = read_message()); json_decref(message)) {
        told = !strcmp(text_at(message, "method"), "exit");
        if (!told)
            handle(&server, message);
    }
    forget(&server);
    for (u32 i = 0; i < server.open.count; i++)
        free(server.open.items[i]);
    array_free(&server.open);
    return server.ended || !told ? 0 : 1;
}

static const Option lsp_options[] = {
    {OPTION_TEXT, 0, "db", "FILE", offsetof(LspArguments, db),
     "the database (default: " STORE_DEFAULT_PATH " of the editor's folder, or above)"},
    {0},
};

const Command command_lsp = {
    .name = "lsp",
    .arguments = "",
    .summary = "show the findings in an editor, by the Language Server Protocol",
    .details =
        "Editors start it, and talk to it on standard input and output. Open files show what the last `racerx run` "
        "found in\n"
        "them, each finding with its other places; its actions give a verdict, or put the comment there that silences\n"
        "it; a name that the pointer is over says which lock guards it. Nothing is analysed.\n"
        "\n"
        "docs/editors.md has the lines for Neovim, Vim, Emacs and others.\n",
    .options = lsp_options,
    .run = lsp_run,
};
