// pattern.c: PCRE2 for scripts and tables. In: patterns of untrusted scripts, names of untrusted
// trees. Out: matches, in bounded time.
//
// The idea: patterns of a table are also compiled into alternations, each branch with a mark that
// names it, so that a name which no pattern matches costs one match at most. For that,
// patterns must be plain: nothing in one may refer to something outside itself by number or
// name, or act on the whole match.
#include "annotators/host.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <lauxlib.h>
#include <pcre2.h>
#include <pthread.h>

#define MOST_PATTERN_BYTES 1000
#define MOST_NAME_BYTES 256 // longer names match no pattern
#define MOST_SUBJECT_BYTES (1 << 16)
#define MOST_GROUPS 16
#define MATCH_LIMIT 200000

struct Pattern {
    pcre2_code *code;
    char *text; // for messages
};

// One block of match data per thread, given back when the thread ends.
static pthread_once_t match_once = PTHREAD_ONCE_INIT;
static pthread_key_t match_key;
static pcre2_match_context *match_limits;
static _Thread_local pcre2_match_data *match_data;

static void match_release(void *data) { pcre2_match_data_free(data); }

static void match_prepare(void) {
    check(!pthread_key_create(&match_key, match_release));
    match_limits = pcre2_match_context_create(NULL);
    if (!match_limits)
        out_of_memory(0);
    pcre2_set_match_limit(match_limits, MATCH_LIMIT);
    pcre2_set_depth_limit(match_limits, MATCH_LIMIT);
    pcre2_set_heap_limit(match_limits, 16 << 10);
}

static pcre2_match_data *match_memory(void) {
    if (match_data)
        return match_data;
    pthread_once(&match_once, match_prepare);
    match_data = pcre2_match_data_create(MOST_GROUPS, NULL);
    if (!match_data || pthread_setspecific(match_key, match_data))
        out_of_memory(0);
    return match_data;
}

// Whether nothing in the pattern reaches outside it; "(?" may only be followed by what does not.
static const char *not_plain(const char *text) {
    static const char *const allowed[] = {":", "=", "!", "|", ">", "<=", "<!", "i:", "i)"};
    if (strlen(text) > MOST_PATTERN_BYTES)
        return "it is longer than 1000 bytes";
    if (strstr(text, "(*"))
        return "verbs like (*ACCEPT) are not allowed";
    if (strstr(text, "\\Q") || strstr(text, "\\K") || strstr(text, "\\g") || strstr(text, "\\k"))
        return "\\Q, \\K, \\g and \\k are not allowed";
    for (const char *at = text; (at = strstr(at, "(?")); at += 2) {
        bool fine = false;
        for (u32 i = 0; i < sizeof allowed / sizeof *allowed; i++)
            fine |= !strncmp(at + 2, allowed[i], strlen(allowed[i]));
        if (!fine)
            return "named groups, recursion and options other than (?i) are not allowed";
    }
    return NULL;
}

static pcre2_code *compile(const char *text, u32 options, char reason[256]) {
    int error;
    PCRE2_SIZE at;
    pcre2_compile_context *context = pcre2_compile_context_create(NULL);
    if (!context)
        out_of_memory(0);
    pcre2_set_parens_nest_limit(context, 50);
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, options, &error, &at, context);
    pcre2_compile_context_free(context);
    if (code) {
        pcre2_jit_compile(code, PCRE2_JIT_COMPLETE); // without it everything works, slower
        return code;
    }
    if (error == PCRE2_ERROR_HEAP_FAILED)
        out_of_memory(0);
    PCRE2_UCHAR message[128];
    pcre2_get_error_message(error, message, sizeof message);
    snprintf(reason, 256, "%s at character %zu", (char *)message, (size_t)at + 1);
    return NULL;
}

static Pattern *pattern_wrap(pcre2_code *code, const char *text) {
    Pattern *self = must_zero(sizeof *self);
    self->code = code;
    self->text = must_strdup(text);
    return self;
}

Pattern *pattern_new(const char *text, char reason[256]) {
    const char *why = not_plain(text);
    pcre2_match_data *data = match_memory();
    pcre2_code *code = why ? NULL : compile(text, PCRE2_NO_AUTO_CAPTURE | PCRE2_DOLLAR_ENDONLY, reason);
    if (code && pcre2_match(code, (PCRE2_SPTR) "", 0, 0, 0, data, match_limits) != PCRE2_ERROR_NOMATCH) {
        why = "it matches every name";
        pcre2_code_free(code);
        code = NULL;
    }
    if (why)
        snprintf(reason, 256, "%s", why);
    return code ? pattern_wrap(code, text) : NULL;
}

static bool is_anchored(const Pattern *self) {
    uint32_t options = 0;
    pcre2_pattern_info(self->code, PCRE2_INFO_ALLOPTIONS, &options);
    return options & PCRE2_ANCHORED;
}

// Every branch starts at the start of the name: otherwise the leftmost would win, not the first.
Pattern *pattern_new_union(const Pattern *const *parts, u32 count) {
    Buffer all = {0};
    char reason[256];
    for (u32 i = 0; i < count; i++)
        buffer_format(&all, "%s%s(?:%s)(*MARK:%u)", i ? "|" : "", is_anchored(parts[i]) ? "" : "(?s:.*?)",
                      parts[i]->text, i);
    buffer_byte(&all, 0);
    u32 options = PCRE2_NO_AUTO_CAPTURE | PCRE2_DOLLAR_ENDONLY | PCRE2_ANCHORED;
    pcre2_code *code = compile((char *)all.bytes, options, reason);
    buffer_free(&all);
    return code ? pattern_wrap(code, "all patterns together") : NULL;
}

void pattern_free(Pattern *self) {
    if (!self)
        return;
    pcre2_code_free(self->code);
    free(self->text);
    free(self);
}

static bool matches(const Pattern *self, pcre2_match_data *data, const char *text, u32 length) {
    int found = pcre2_match(self->code, (PCRE2_SPTR)text, length, 0, 0, data, match_limits);
    if (found >= 0)
        return true;
    if (found == PCRE2_ERROR_NOMATCH)
        return false;
    fatal("the pattern '%s' takes too long on the name '%.*s'; write it without nested repetition", self->text,
          (int)length, text);
}

bool pattern_matches(const Pattern *self, const char *text, u32 length) {
    return length <= MOST_NAME_BYTES && matches(self, match_memory(), text, length);
}

int pattern_try(const Pattern *self, const char *text, u32 length) {
    if (length > MOST_NAME_BYTES)
        return 0;
    int found = pcre2_match(self->code, (PCRE2_SPTR)text, length, 0, 0, match_memory(), match_limits);
    return found >= 0 ? 1 : found == PCRE2_ERROR_NOMATCH ? 0 : -1;
}

bool pattern_may_begin(const Pattern *self, char first) { // the end of the text is no obstacle here
    if (!is_anchored(self))
        return true;
    pcre2_match_data *data = match_memory();
    int found = pcre2_match(self->code, (PCRE2_SPTR)&first, 1, 0, PCRE2_PARTIAL_HARD, data, match_limits);
    return found != PCRE2_ERROR_NOMATCH;
}

u32 pattern_first(const Pattern *self, const char *text, u32 length) {
    pcre2_match_data *data = match_memory();
    if (length > MOST_NAME_BYTES || !matches(self, data, text, length))
        return UINT32_MAX;
    return (u32)strtoul((const char *)pcre2_get_mark(data), NULL, 10);
}

// for scripts -----------------------------------------------------------------

static const char re_name[] = "pattern";

static int re_new(lua_State *lua) {
    size_t length;
    const char *text = luaL_checklstring(lua, 1, &length);
    if (strlen(text) != length || length > MOST_PATTERN_BYTES)
        return luaL_error(lua, "re: the pattern has a NUL byte or more than %d bytes", MOST_PATTERN_BYTES);
    char *copy = lua_newuserdatauv(lua, length + 1, 0);
    memcpy(copy, text, length + 1);
    luaL_setmetatable(lua, re_name);
    return 1;
}

const char *pattern_of_re(lua_State *lua, int index) { return luaL_testudata(lua, index, re_name); }

static const char *script_pattern(lua_State *lua, int index) {
    const char *text = pattern_of_re(lua, index);
    return text ? text : luaL_checkstring(lua, index);
}

static int push_match(lua_State *lua, const char *text, const pcre2_code *code, pcre2_match_data *data) {
    uint32_t groups;
    const PCRE2_SIZE *at = pcre2_get_ovector_pointer(data);
    pcre2_pattern_info(code, PCRE2_INFO_CAPTURECOUNT, &groups);
    groups = groups < MOST_GROUPS ? groups : MOST_GROUPS - 1;
    for (uint32_t i = groups ? 1 : 0; i <= groups; i++)
        if (at[2 * i] == PCRE2_UNSET || at[2 * i + 1] < at[2 * i])
            lua_pushboolean(lua, 0);
        else
            lua_pushlstring(lua, text + at[2 * i], at[2 * i + 1] - at[2 * i]);
    return groups ? (int)groups : 1;
}

// The patterns that match() was given last: scripts ask the same few of every function there is.
#define MOST_REMEMBERED 16
static _Thread_local struct {
    char *text;
    pcre2_code *code;
} remembered[MOST_REMEMBERED];
static _Thread_local u32 next_remembered;

static const pcre2_code *script_compile(lua_State *lua, const char *text) {
    char reason[256];
    for (u32 i = 0; i < MOST_REMEMBERED && remembered[i].text; i++)
        if (!strcmp(remembered[i].text, text))
            return remembered[i].code;
    host_charge(lua, 200);
    const char *why = not_plain(text);
    pcre2_code *code = why ? NULL : compile(text, PCRE2_DOLLAR_ENDONLY, reason);
    if (!code)
        luaL_error(lua, "the pattern '%s' is not usable: %s", text, why ? why : reason);
    u32 at = next_remembered++ % MOST_REMEMBERED;
    pcre2_code_free(remembered[at].code);
    free(remembered[at].text);
    remembered[at].code = code;
    remembered[at].text = must_strdup(text);
    return code;
}

// match(text, pattern): the groups, or the whole match when there are none; nil for no match.
static int script_match(lua_State *lua) {
    size_t length;
    const char *text = luaL_checklstring(lua, 1, &length), *pattern = script_pattern(lua, 2);
    if (length > MOST_SUBJECT_BYTES)
        return luaL_error(lua, "match: the text is longer than %d bytes; cut it first", MOST_SUBJECT_BYTES);
    host_charge(lua, 20 + length);
    const pcre2_code *code = script_compile(lua, pattern);
    pcre2_match_data *data = match_memory();
    int found = pcre2_match(code, (PCRE2_SPTR)text, length, 0, 0, data, match_limits);
    if (found < 0 && found != PCRE2_ERROR_NOMATCH)
        return luaL_error(lua, "the pattern '%s' takes too long; write it without nested repetition", pattern);
    if (found >= 0)
        return push_match(lua, text, code, data);
    lua_pushnil(lua);
    return 1;
}

void pattern_open(Host *host) {
    lua_State *lua = host_lua(host);
    luaL_newmetatable(lua, re_name);
    lua_pushboolean(lua, 0);
    lua_setfield(lua, -2, "__metatable");
    lua_pop(lua, 1);
    host_register(host, "re", re_new, NULL);
    host_register(host, "match", script_match, NULL);
    lua_getglobal(lua, "string");
    lua_pushcfunction(lua, script_match);
    lua_setfield(lua, -2, "match");
    lua_pop(lua, 1);
}
