// store_test.c: what goes into the store comes out of it, from many threads, and after it was closed.
#include "extract/store.h"

#include <unistd.h>

enum { TREES = 2000, FILES = TREES / 2 };

static Key key_of(u32 index) { return key_bytes(&index, sizeof index); }

static void make_blob(u32 index, u32 salt, Buffer *out) { // of a size and contents that only the index decides
    out->size = 0;
    u32 size = index % 7 ? index * 3 % 5000 : index % 49 ? 0 : 100000;
    for (u32 i = 0; i < size; i++)
        buffer_byte(out, (u8)(hash_mix(index + salt, i)));
}

static u32 make_names(u32 index, u32 *names) {
    u32 count = index % 40, value = 0;
    for (u32 i = 0; i < count; i++)
        names[i] = value += (u32)hash_mix(index, i) >> 6;
    if (count)
        names[count - 1] = UINT32_MAX;
    return count;
}

static bool same(const Buffer *a, const Buffer *b) {
    return a->size == b->size && (!a->size || !memcmp(a->bytes, b->bytes, a->size));
}

// Every tree is put by two of the indices, as two equal files would.
static void put(void *context, u32 worker, u32 index) {
    Store *store = context;
    Buffer head = {0}, bodies = {0};
    u32 names[40], count;
    (void)worker;
    index %= TREES;
    make_blob(index, 1, &head);
    make_blob(index, 2, &bodies);
    count = make_names(index, names);
    store_put_names(store, key_of(index), names, count);
    store_put_tree(store, key_of(index), &head, &bodies);
    check(store_has_tree(store, key_of(index)));
    buffer_free(&head);
    buffer_free(&bodies);
}

static void get(void *context, u32 worker, u32 index) {
    Store *store = context;
    Buffer wanted = {0}, got = {0};
    u32 names[40], count = 99;
    (void)worker;
    check(store_get_head(store, key_of(index), &got));
    make_blob(index, 1, &wanted);
    check(same(&wanted, &got));
    got.size = 0;
    check(store_get_bodies(store, key_of(index), &got));
    make_blob(index, 2, &wanted);
    check(same(&wanted, &got));
    u64 from = wanted.size / 3, size = wanted.size / 2;
    got.size = 0;
    check(store_get_body(store, key_of(index), from, size, &got));
    check(got.size == size && (!size || !memcmp(got.bytes, wanted.bytes + from, size)));
    check(!store_get_body(store, key_of(index), wanted.size, 1, &got));
    check(!store_get_body(store, key_of(index), UINT64_MAX, 2, &got));
    u32 *stored = store_get_names(store, key_of(index), &count);
    check(stored && count == make_names(index, names) && !memcmp(stored, names, sizeof(u32) * count));
    free(stored);
    buffer_free(&wanted);
    buffer_free(&got);
}

static void check_files(Store *store) {
    SourceFileArray files = {0};
    store_load_files(store, &files);
    check(files.count == FILES);
    for (u32 i = 0; i < FILES; i++) {
        const SourceFile *file = &files.items[i];
        check(strlen(file->path) == 6 && (u8)file->path[5] == 0xff && file->mtime == -(i64)i && file->size == i);
        check(key_equal(file->tree, key_of(i)) && key_equal(file->content, key_of(i + 1)) && file->command == -1);
        check(file->kind == i % 3 && !strcmp(file->full, "/a\n'b"));
        check(!i || strcmp(files.items[i - 1].path, file->path) < 0);
    }
    source_files_free(&files);
}

static void save_files(Store *store) {
    SourceFile *files = must_zero(sizeof(SourceFile) * FILES);
    char(*paths)[8] = must_zero(8 * FILES);
    for (u32 i = 0; i < FILES; i++) {
        snprintf(paths[i], 8, "f%04u\xff", i);
        files[i] = (SourceFile){.path = paths[i], .full = "/a\n'b", .kind = (u8)(i % 3), .size = i, .mtime = -(i64)i};
        files[i].tree = files[i].environment = key_of(i);
        files[i].content = key_of(i + 1);
    }
    store_save_files(store, files, FILES);
    free(files);
    free(paths);
}

static void write_all(const char *path) {
    Store *store = store_open(path, STORE_WRITE_NOW);
    parallel_for(4, TREES * 2, put, store);
    store_commit(store);
    parallel_for(4, TREES, get, store);
    store_set_meta(store, "empty", "", 0);
    store_set_meta(store, "word", "old", 3);
    store_set_meta(store, "word", "a\0b", 3);
    save_files(store);
    check_files(store);
    store_close(store);
}

static void read_all(const char *path) {
    size_t size = 9;
    Store *store = store_open(path, STORE_READ);
    parallel_for(4, FILES, get, store);
    for (u32 i = FILES; i < TREES; i++) // nobody names them
        check(!store_has_tree(store, key_of(i)));
    check_files(store);
    char *value = store_get_meta(store, "word", &size);
    check(value && size == 3 && !memcmp(value, "a\0b", 4));
    free(value);
    value = store_get_meta(store, "empty", &size);
    check(value && size == 0);
    free(value);
    check(!store_get_meta(store, "nonesuch", &size));
    store_close(store);
}

int main(void) {
    const char *directory = getenv("TMP");
    char path[4096];
    snprintf(path, sizeof path, "%s/store_test.db", directory ? directory : ".");
    unlink(path);
    write_all(path);
    read_all(path);
    unlink(path);
    return 0;
}
