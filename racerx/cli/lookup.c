// lookup.c: answers without linking the program again.
// In: a database, the scripts in force. Out: the tables of the program that `run` or `check` kept in it, when they are
// of these scripts and of the files as they were read last; else tables in memory, of a program that is linked for it.
//
// What is kept is under a name of meta that goes when files are read anew (STORE_DERIVED), with a number for the rest
// that it depends on: scripts, presets and the version of racerx. So nothing old is ever shown.
#include "racerx/cli/command_link.h"

#include "annotators/host.h"

#include <sqlite3.h>
#include <sys/stat.h>

// This very program: another build may see other things.
static u64 program_stamp(void) {
    struct stat info;
    u64 stamp = hash_bytes(RACERX_VERSION, strlen(RACERX_VERSION), ATLAS_VERSION);
    if (!stat("/proc/self/exe", &info))
        stamp = hash_mix(stamp + (u64)info.st_size, (u64)info.st_mtim.tv_sec * 1000000007u + (u64)info.st_mtim.tv_nsec);
    return stamp;
}

u64 scripts_stamp(Store *store, const PathArray *scripts) {
    size_t size;
    char *presets = store_get_meta(store, "presets", &size);
    u64 stamp = program_stamp();
    stamp = hash_bytes(presets ? presets : "", presets ? size : 0, stamp);
    for (u32 i = 0; i < builtin_preset_count; i++)
        stamp = hash_bytes(builtin_presets[i].text, builtin_presets[i].length, stamp);
    for (u32 i = 0; i < scripts->count; i++) {
        char *text = file_read(scripts->items[i], &size);
        stamp = hash_bytes(text ? text : "", text ? size : 0, stamp + 1);
        free(text);
    }
    free(presets);
    return stamp;
}

bool has_stamp(Store *store, const char *name, u64 stamp) {
    size_t size;
    u64 kept = 0;
    char *bytes = store_get_meta(store, name, &size);
    if (bytes && size == sizeof kept)
        memcpy(&kept, bytes, sizeof kept);
    free(bytes);
    return kept == stamp;
}

// the program -----------------------------------------------------------------

static void make_in_memory(Lookup *self, const LinkArguments *arguments) {
    Linked linked = link_database(arguments);
    if (sqlite3_open(":memory:", &self->memory) != SQLITE_OK)
        fatal("out of memory");
    sqlite3_exec(self->memory, "BEGIN", NULL, NULL, NULL);
    atlas_save(linked.program, self->memory, NULL);
    sqlite3_exec(self->memory, "COMMIT", NULL, NULL, NULL);
    linked_free(&linked);
    self->atlas = atlas_open(self->memory, NULL);
}

Lookup lookup_open(const LinkArguments *arguments) {
    Lookup self = {.store = store_open(arguments->db, STORE_READ)};
    PathArray scripts = {0};
    find_scripts(self.store, arguments, &scripts);
    if (!arguments->stats && has_stamp(self.store, ATLAS_META, scripts_stamp(self.store, &scripts))) {
        self.atlas = atlas_open(store_handle(self.store), self.store);
    } else {
        store_close(self.store);
        self.store = NULL;
        make_in_memory(&self, arguments);
    }
    paths_free(&scripts);
    return self;
}

void lookup_close(Lookup *self) {
    atlas_close(self->atlas);
    if (self->store)
        store_close(self->store);
    if (self->memory)
        sqlite3_close(self->memory);
}

void keep_atlas(const Program *program, const ExtractArguments *arguments, const TextArray *paths) {
    PathArray scripts = {0};
    gather_scripts(arguments, paths, &scripts);
    Store *store = store_open(arguments->db, arguments->no_wait ? STORE_WRITE_NOW : STORE_WRITE);
    u64 stamp = scripts_stamp(store, &scripts);
    if (!has_stamp(store, ATLAS_META, stamp)) {
        sqlite3 *db = store_handle(store);
        sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
        atlas_save(program, db, store);
        sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
        store_set_meta(store, ATLAS_META, &stamp, sizeof stamp);
        store_commit(store);
    }
    store_close(store);
    paths_free(&scripts);
}

// answers ---------------------------------------------------------------------

static void answer_name(Buffer *out, const char *kind) { buffer_format(out, "%s%s%c", STORE_DERIVED, kind, 0); }

char *kept_answer(Store *store, const char *kind, u64 asked, size_t *size) {
    Buffer name = {0};
    answer_name(&name, kind);
    char *bytes = store_get_meta(store, (char *)name.bytes, size);
    buffer_free(&name);
    if (!bytes || *size < sizeof asked || memcmp(bytes, &asked, sizeof asked)) {
        free(bytes);
        return NULL;
    }
    *size -= sizeof asked;
    memmove(bytes, bytes + sizeof asked, *size);
    return bytes;
}

void keep_answer(const char *db, const char *kind, u64 asked, const Buffer *answer) {
    Buffer name = {0}, bytes = {0};
    if (!store_is_free(db))
        return;
    answer_name(&name, kind);
    buffer_put(&bytes, &asked, sizeof asked);
    buffer_put(&bytes, answer->bytes, answer->size);
    Store *store = store_open(db, STORE_WRITE_NOW);
    store_set_meta(store, (char *)name.bytes, bytes.bytes, bytes.size);
    store_commit(store);
    store_close(store);
    buffer_free(&name);
    buffer_free(&bytes);
}
