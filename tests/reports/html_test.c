// html_test.c: the page as bytes: what comes from the sources cannot become markup, whatever it is; the digests are
// right; every finding is there once.
#include "reports/html.h"

static void expect(const char *what, const char *got, const char *wanted) {
    if (strcmp(got, wanted)) {
        printf("not ok %s: got '%s', wanted '%s'\n", what, got, wanted);
        exit(1);
    }
}

static const char *text_of(Buffer *out) {
    buffer_byte(out, 0);
    return (const char *)out->bytes;
}

// pieces ------------------------------------------------------------------------

static void test_digest(const char *text, const char *wanted) {
    u8 digest[32];
    char hex[65];
    sha256(text, strlen(text), digest);
    for (u32 i = 0; i < 32; i++)
        sprintf(hex + 2 * i, "%02x", digest[i]);
    expect("sha256", hex, wanted);
}

static void test_digests(void) { // the examples of FIPS 180-4, and lengths on either side of a block
    char long_text[120];
    test_digest("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    test_digest("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    test_digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    memset(long_text, 'a', sizeof long_text);
    long_text[64] = 0;
    test_digest(long_text, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
    long_text[55] = 0;
    test_digest(long_text, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
}

static void test_base64(void) {
    static const char *const pairs[][2] = {
        {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}};
    for (u32 i = 0; i < 5; i++) {
        Buffer out = {0};
        base64(&out, (const u8 *)pairs[i][0], strlen(pairs[i][0]));
        expect("base64", text_of(&out), pairs[i][1]);
        buffer_free(&out);
    }
}

static void test_text(const char *text, const char *wanted) {
    Buffer out = {0};
    html_text(&out, text);
    expect("html_text", text_of(&out), wanted);
    buffer_free(&out);
}

static void test_texts(void) {
    test_text("<script>&\"'</script>", "&lt;script&gt;&amp;&quot;&#39;&lt;/script&gt;");
    test_text("a\x1e\n\x7f", "a⟨U+001E⟩⟨U+000A⟩⟨U+007F⟩");
    test_text("\xe2\x80\xae\xe2\x80\xa8\xef\xbb\xbf", "⟨U+202E⟩⟨U+2028⟩⟨U+FEFF⟩");
    test_text("\xff\xc3(\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    test_text("größe", "größe");
    Buffer out = {0};
    html_short(&out, "äääääääääääääääääääää", 12); // cut between characters
    for (size_t i = 0, length; i < out.size; i += length)
        if (!(length = utf8_length(out.bytes + i, out.size - i)))
            expect("html_short", "a broken character", "");
    buffer_free(&out);
}

// whole pages ---------------------------------------------------------------------

static const char *const evil[] = {"</noscript><script>alert(1)</script>",
                                   "\"><img src=x onerror=alert(1)>",
                                   "</script><!--",
                                   "a\x1e"
                                   "b\nc\x01",
                                   "\xff\xfe\xe2\x80\xae",
                                   "<details class=\"f\" id=\"f-",
                                   "&lt;b&gt;",
                                   "'); alert(1); ('"};

static void fill_hostile(FindingList *list, u32 count) {
    for (u32 i = 0; i < count; i++) {
        const char *bad = evil[i % 8];
        Finding *finding = findings_add(list, i % 3 ? KIND_RACE : KIND_DEADLOCK);
        finding->object = findings_text(list, "%s%u", bad, i);
        finding->message = finding->lock = finding->note = findings_text(list, "%s", bad);
        finding->verdict = i % 5 ? VERDICT_NONE : VERDICT_FALSE;
        finding_add_object(list, finding, bad);
        for (u32 k = 0; k < 4; k++) {
            Site *site =
                finding_add_site(list, finding, k ? ROLE_PROTECTED_READ : ROLE_UNPROTECTED_WRITE, bad, bad, 1 + k, 1);
            site->object = findings_text(list, "%s%u", bad, k);
            site->note = bad;
            site_add_lock(list, site, bad, bad, 3);
            site_add_call(list, site, bad, bad, 3);
            site_add_call(list, site, bad, "", 0);
        }
        finding_add_reason(list, finding, 1, bad);
        finding->score = i % 7;
    }
    findings_add_fact(list, "analysed", evil[0]);
    findings_add_fact(list, evil[1], evil[2]);
    GuardRow row = {.object = evil[1], .lock = evil[0], .with = 3, .without = 1, .lines = 1};
    guard_add_exception(list, findings_add_guard(list, &row),
                        &(GuardException){ROLE_UNPROTECTED_READ, evil[0], 3, evil[1]});
    findings_sort(list);
}

static u32 count_of(const char *text, const char *word) {
    u32 count = 0;
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
        count++;
    return count;
}

static void expect_count(const char *page, const char *word, u32 wanted) {
    char got[32], right[32];
    snprintf(got, sizeof got, "%u", count_of(page, word));
    snprintf(right, sizeof right, "%u", wanted);
    expect(word, got, right);
}

static void check_bytes(const Buffer *page) {
    for (size_t i = 0, length; i < page->size; i += length) {
        length = utf8_length(page->bytes + i, page->size - i);
        if (!length || (page->bytes[i] < 32 && page->bytes[i] != '\n' && page->bytes[i] != '\t')) {
            printf("not ok bytes: 0x%02x at %zu\n", page->bytes[i], i);
            exit(1);
        }
    }
}

static void test_page(u32 count, bool served) {
    FindingList list;
    Buffer out = {0};
    findings_begin(&list);
    fill_hostile(&list, count);
    ReportOptions options = {.all = true, .served = served, .token = served ? "0123\"<script>" : NULL};
    report_html(&list, &options, &out);
    if (served) { // the rest of the rows, and details, that it asks for
        expect_count(text_of(&out), "<details class=\"f", count < 300 ? count : 300);
        expect_count(text_of(&out), "<div class=\"body\">", count < 20 ? count : 20);
        out.size = strlen((char *)out.bytes);
        report_html_rows(&list, &options, &out);
        for (u32 i = 20; i < list.items.count; i++)
            report_html_details(&list, list.items.items[i], &options, &out);
    }
    check_bytes(&out);
    const char *page = text_of(&out);
    u32 packs = count > 150 && !served ? (count - 150 + PACK_PARTS - 1) / PACK_PARTS : 0;
    expect_count(page, "<script>", 1); // ours
    expect_count(page, "<script type=\"text/plain\"", packs);
    expect_count(page, "</script>", 1 + packs);
    expect_count(page, "<img", 0);
    expect_count(page, "<!--", 0);
    expect_count(page, "</noscript>", count > 300 && !served);
    expect_count(page, "<details class=\"f", count);
    expect_count(page, "data-served=\"1\"", served);
    for (u32 i = 0; i < list.items.count; i++) {
        char id[64];
        snprintf(id, sizeof id, "id=\"f-%s\"", list.items.items[i]->id);
        expect_count(page, id, 1);
    }
    buffer_free(&out);
    findings_free(&list);
}

static void test_empty(void) {
    FindingList list;
    Buffer out = {0};
    findings_begin(&list);
    findings_add_fact(&list, "functions", "1,234");
    findings_sort(&list);
    report_html(&list, &(ReportOptions){0}, &out);
    const char *page = text_of(&out);
    expect_count(page, "1,234", 1);
    expect_count(page, "No findings", 1);
    buffer_free(&out);
    findings_free(&list);
}

int main(void) {
    test_digests();
    test_base64();
    test_texts();
    test_page(7, false);
    test_page(420, false);
    test_page(420, true);
    test_empty();
    return 0;
}
