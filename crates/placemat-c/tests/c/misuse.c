/* Tests what every section of the header promises, and its statuses for misuse. */
#include <placemat.h>

#include <stdio.h>
#include <string.h>

static int failures;

#define EXPECT(what) \
    do { \
        if (!(what)) { \
            failures += 1; \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what); \
        } \
    } while (0)

static bool count_three(const placemat_error *error, void *context) {
    int *count = (int *)context;
    EXPECT(error->kind == PLACEMAT_MISSING_CONTINUATION || error->kind == PLACEMAT_INVALID_BYTE);
    return ++*count < 3;
}

static void about(void) {
    uint32_t number;
    EXPECT(placemat_version() == (PLACEMAT_VERSION_MAJOR << 16 | PLACEMAT_VERSION_MINOR << 8 | PLACEMAT_VERSION_PATCH));
    EXPECT(strcmp(placemat_status_name(PLACEMAT_OVERLAP), "PLACEMAT_OVERLAP") == 0);
    EXPECT(strcmp(placemat_status_message(PLACEMAT_OK), "done") == 0);
    EXPECT(strcmp(placemat_kind_name(PLACEMAT_UNENCODABLE), "unencodable") == 0);
    EXPECT(strcmp(placemat_policy_name(PLACEMAT_REPLACE_RUN), "replace-run") == 0);
    EXPECT(!placemat_kind_name(0) && !placemat_kind_name(10) && !placemat_policy_name(12));
    for (number = 26; number < 300; number++) {
        EXPECT(!placemat_status_name(number) && !placemat_status_message(number));
    }
    EXPECT(!placemat_status_name(UINT32_MAX) && !placemat_policy_name(UINT32_MAX) && !placemat_kind_name(UINT32_MAX));
}

static void encodings(void) {
    placemat_encoding list[256], found = 7, allowed[2] = {PLACEMAT_UTF_8, PLACEMAT_UTF_7};
    placemat_facts facts;
    size_t count = placemat_encodings(list, 256), at;
    EXPECT(count >= 50 && count <= 256 && placemat_encodings(NULL, 9) == count);
    for (at = 0; at < count && at < 256; at++) {
        const char *name = placemat_encoding_name(list[at]);
        EXPECT(name && placemat_encoding_by_name(name) == list[at]);
        EXPECT(placemat_encoding_is_form(list[at]) == (placemat_form_facts(list[at], &facts) == PLACEMAT_OK));
    }
    EXPECT(placemat_encoding_by_name("UTF 8") == PLACEMAT_UTF_8 && placemat_encoding_by_name("latin1") == PLACEMAT_ISO_8859_1);
    EXPECT(!placemat_encoding_by_name(NULL) && !placemat_encoding_by_name("") && !placemat_encoding_by_name("\xFF"));
    EXPECT(!placemat_encoding_name(0) && !placemat_encoding_name(UINT32_MAX) && !placemat_encoding_is_form(0));
    EXPECT(placemat_form_facts(PLACEMAT_UTF_16LE, &facts) == PLACEMAT_OK && facts.least == 2 && facts.most == 4);
    EXPECT(placemat_form_facts(0, &facts) == PLACEMAT_UNKNOWN_ENCODING);
    EXPECT(placemat_form_facts(PLACEMAT_UTF_8, NULL) == PLACEMAT_NULL_POINTER);

    EXPECT(placemat_label(PLACEMAT_LABELS_WHATWG, " Latin1\n", 8, &found) == PLACEMAT_OK && found == PLACEMAT_WINDOWS_1252);
    EXPECT(placemat_label(PLACEMAT_LABELS_IANA, "utf8", 4, &found) == PLACEMAT_UNKNOWN_ENCODING && found == 0);
    EXPECT(placemat_label(99, "utf8", 4, &found) == PLACEMAT_UNKNOWN_VALUE);
    EXPECT(placemat_label(PLACEMAT_LABELS_LENIENT, NULL, 4, &found) == PLACEMAT_NULL_POINTER);
    EXPECT(placemat_label(PLACEMAT_LABELS_LENIENT, NULL, 0, &found) == PLACEMAT_UNKNOWN_ENCODING);
    EXPECT(placemat_label(PLACEMAT_LABELS_LENIENT, "utf8", 4, NULL) == PLACEMAT_NULL_POINTER);
    EXPECT(placemat_label_untrusted(0, "utf-7", 5, NULL, 0, &found) == PLACEMAT_UNSAFE_ENCODING && found == 0);
    EXPECT(placemat_label_untrusted(0, "utf-7", 5, allowed, 1, &found) == PLACEMAT_UNSAFE_ENCODING);
    EXPECT(placemat_label_untrusted(0, "utf-7", 5, allowed, 2, &found) == PLACEMAT_OK && found == PLACEMAT_UTF_7);
    EXPECT(placemat_label_untrusted(0, "utf-8", 5, NULL, 0, &found) == PLACEMAT_OK && found == PLACEMAT_UTF_8);
    EXPECT(placemat_label_untrusted(0, "utf-8", 5, NULL, 1, &found) == PLACEMAT_NULL_POINTER);
    EXPECT(placemat_label_untrusted(0, "nothing", 7, NULL, 0, &found) == PLACEMAT_UNKNOWN_ENCODING);
    found = PLACEMAT_UTF_7;
    EXPECT(placemat_label_untrusted(0, "utf-7", 5, &found, 1, &found) == PLACEMAT_OVERLAP && found == PLACEMAT_UTF_7);
}

static void checks(void) {
    static const char bad[] = "a\xFF" "b\xFF" "c\xFF" "d\xFF";
    placemat_error error, errors[2];
    uint64_t count = 0;
    int calls = 0;
    EXPECT(placemat_is_valid("na\xC3\xAFve", 6) && !placemat_is_valid(bad, 8) && placemat_is_valid(NULL, 0));
    EXPECT(!placemat_is_valid(NULL, 1) && !placemat_is_valid(bad, SIZE_MAX));
    EXPECT(placemat_validate("ok", 2, &error) == PLACEMAT_OK && error.kind == PLACEMAT_NO_ERROR);
    EXPECT(placemat_validate(NULL, 0, NULL) == PLACEMAT_OK);
    EXPECT(placemat_validate(NULL, 1, &error) == PLACEMAT_NULL_POINTER);
    EXPECT(placemat_validate(bad, SIZE_MAX, &error) == PLACEMAT_TOO_LONG);
    EXPECT(placemat_validate(bad, 8, NULL) == PLACEMAT_TEXT_ERROR);
    EXPECT(placemat_validate("na\xEFve", 5, &error) == PLACEMAT_TEXT_ERROR && error.offset == 2 && error.length == 1);
    EXPECT(error.kind == PLACEMAT_MISSING_CONTINUATION);
    EXPECT(placemat_first_error(PLACEMAT_CESU_8, "\xED\xA0\x80!", 4, &error) == PLACEMAT_TEXT_ERROR);
    EXPECT(error.kind == PLACEMAT_SURROGATE && error.length == 3);
    EXPECT(placemat_first_error(0, "a", 1, &error) == PLACEMAT_UNKNOWN_ENCODING);
    EXPECT(placemat_errors(PLACEMAT_UTF_8, bad, 8, count_three, &calls, &count) == PLACEMAT_OK && calls == 3 && count == 3);
    EXPECT(placemat_errors(PLACEMAT_UTF_8, bad, 8, NULL, NULL, &count) == PLACEMAT_NULL_POINTER);
    EXPECT(placemat_errors_into(PLACEMAT_UTF_8, bad, 8, errors, 2, &count) == PLACEMAT_OK && count == 4);
    EXPECT(errors[1].offset == 3);
    EXPECT(placemat_errors_into(PLACEMAT_UTF_8, bad, 8, NULL, 0, &count) == PLACEMAT_OK && count == 4);
    EXPECT(placemat_errors_into(PLACEMAT_UTF_8, bad, 8, NULL, 2, &count) == PLACEMAT_NULL_POINTER);
    EXPECT(placemat_errors_into(PLACEMAT_UTF_8, bad, 8, errors, SIZE_MAX, &count) == PLACEMAT_TOO_LONG);
}

static void measures(void) {
    static const char text[] = "a\xC3\xA9\xF0\x9F\x98\x80\n\xFF";
    placemat_counts counts;
    placemat_error error;
    placemat_settings lossy;
    size_t at = 99, mark = 99;
    bool is = false;
    memset(&lossy, 0, sizeof lossy);
    lossy.on_error = PLACEMAT_REPLACE;
    EXPECT(placemat_count(PLACEMAT_UTF_8, text, 9, &counts) == PLACEMAT_OK);
    EXPECT(counts.code_points == 5 && counts.utf16_units == 6 && counts.lines == 1 && counts.errors == 1);
    EXPECT(placemat_count(PLACEMAT_UTF_8, NULL, 0, &counts) == PLACEMAT_OK && counts.code_points == 0);
    EXPECT(placemat_count(PLACEMAT_UTF_8, text, 9, NULL) == PLACEMAT_NULL_POINTER);
    EXPECT(placemat_length(PLACEMAT_UTF_8, PLACEMAT_UTF_16LE, NULL, text, 8, &at, &error) == PLACEMAT_OK && at == 10);
    EXPECT(placemat_length(PLACEMAT_UTF_8, PLACEMAT_UTF_16LE, NULL, text, 9, &at, &error) == PLACEMAT_TEXT_ERROR && error.offset == 8);
    EXPECT(placemat_length(PLACEMAT_UTF_8, PLACEMAT_UTF_16LE, &lossy, text, 9, &at, NULL) == PLACEMAT_OK && at == 12);
    EXPECT(placemat_boundary_floor(PLACEMAT_UTF_8, text, 9, 5, &at) == PLACEMAT_OK && at == 3);
    EXPECT(placemat_boundary_ceil(PLACEMAT_UTF_8, text, 9, 5, &at) == PLACEMAT_OK && at == 7);
    EXPECT(placemat_boundary_next(PLACEMAT_UTF_8, text, 9, 3, &at) == PLACEMAT_OK && at == 7);
    EXPECT(placemat_boundary_next(PLACEMAT_UTF_8, text, 9, SIZE_MAX, &at) == PLACEMAT_OK && at == 9);
    EXPECT(placemat_boundary_previous(PLACEMAT_UTF_8, text, 9, 7, &at) == PLACEMAT_OK && at == 3);
    EXPECT(placemat_boundary_previous(PLACEMAT_UTF_8, text, 9, 9, &at) == PLACEMAT_OK && at == 8);
    EXPECT(placemat_boundary_previous(PLACEMAT_UTF_8, text, 9, 0, &at) == PLACEMAT_OK && at == 0);
    EXPECT(placemat_boundary_previous(PLACEMAT_UTF_8, text, 9, 10, &at) == PLACEMAT_OK && at == 9);
    EXPECT(placemat_boundary_previous(PLACEMAT_UTF_8, NULL, 0, 3, &at) == PLACEMAT_OK && at == 0);
    EXPECT(placemat_is_boundary(PLACEMAT_UTF_8, text, 9, 9, &is) == PLACEMAT_OK && is);
    EXPECT(placemat_is_boundary(PLACEMAT_UTF_8, text, 9, 10, &is) == PLACEMAT_OK && !is);
    EXPECT(placemat_is_boundary(PLACEMAT_UTF_8, text, 9, 2, &is) == PLACEMAT_OK && !is);
    EXPECT(placemat_boundary_floor(PLACEMAT_UTF_7, text, 9, 5, &at) == PLACEMAT_UNSUITABLE);
    EXPECT(placemat_boundary_floor(PLACEMAT_UTF_8, text, 9, 5, NULL) == PLACEMAT_NULL_POINTER);
    EXPECT(placemat_bom_of("\xEF\xBB\xBF", 3, &mark) == PLACEMAT_UTF_8 && mark == 3);
    EXPECT(placemat_bom_of("\xFF\xFE\0\0", 4, &mark) == PLACEMAT_UTF_32LE && mark == 4);
    EXPECT(placemat_bom_of("abc", 3, &mark) == 0 && mark == 0);
    EXPECT(placemat_bom_of(NULL, 0, NULL) == 0 && placemat_bom_of(NULL, 1, NULL) == 0);
}

static void settings(void) {
    placemat_settings set;
    placemat_step step;
    char out[16];
    memset(&set, 0, sizeof set);
    EXPECT(placemat_settings_set(&set, "on-error", "replace") == PLACEMAT_OK && set.on_error == PLACEMAT_REPLACE);
    EXPECT(placemat_settings_set(&set, "on-error", "perhaps") == PLACEMAT_UNKNOWN_VALUE && set.on_error == PLACEMAT_REPLACE);
    EXPECT(placemat_settings_set(&set, "on_error", "replace") == PLACEMAT_UNKNOWN_VALUE);
    EXPECT(placemat_settings_set(&set, NULL, "replace") == PLACEMAT_NULL_POINTER);
    EXPECT(placemat_settings_set(NULL, "bom", "keep") == PLACEMAT_NULL_POINTER);
    set.on_error = PLACEMAT_SURROGATEESCAPE;
    EXPECT(placemat_convert_into(PLACEMAT_UTF_8, PLACEMAT_UTF_8, &set, "a", 1, out, 16, &step) == PLACEMAT_UNSUITABLE);
    set.on_error = 77;
    EXPECT(placemat_convert_into(PLACEMAT_UTF_8, PLACEMAT_UTF_8, &set, "a", 1, out, 16, &step) == PLACEMAT_UNKNOWN_VALUE);
    memset(&set, 0, sizeof set);
    set.reserved[2] = 1;
    EXPECT(placemat_convert_into(PLACEMAT_UTF_8, PLACEMAT_UTF_8, &set, "a", 1, out, 16, &step) == PLACEMAT_UNKNOWN_VALUE);
    memset(&set, 0, sizeof set);
    set.bom = PLACEMAT_BOM_ADD;
    EXPECT(placemat_convert_into(PLACEMAT_UTF_8, PLACEMAT_US_ASCII, &set, "a", 1, out, 16, &step) == PLACEMAT_UNSUITABLE);
    memset(&set, 0, sizeof set);
    set.unencodable = PLACEMAT_UNENCODABLE_REPLACE;
    set.replacement = 0x20AC;
    EXPECT(placemat_convert_into(PLACEMAT_UTF_8, PLACEMAT_US_ASCII, &set, "a", 1, out, 16, &step) == PLACEMAT_UNSUITABLE);
    set.replacement = '_';
    EXPECT(placemat_convert_into(PLACEMAT_UTF_8, PLACEMAT_US_ASCII, &set, "a\xC3\xA9", 3, out, 16, &step) == PLACEMAT_OK);
    EXPECT(step.written == 2 && memcmp(out, "a_", 2) == 0);
}

static void into(void) {
    char out[8], both[32] = "overlapping text";
    placemat_step step;
    EXPECT(placemat_convert_into(PLACEMAT_UTF_8, PLACEMAT_UTF_16LE, NULL, "abcdef", 6, out, 8, &step) == PLACEMAT_NEED_OUTPUT);
    EXPECT(step.read == 4 && step.written == 8);
    EXPECT(placemat_convert_into(PLACEMAT_UTF_8, PLACEMAT_UTF_16LE, NULL, "ab", 2, NULL, 0, &step) == PLACEMAT_NEED_OUTPUT);
    EXPECT(placemat_convert_into(PLACEMAT_UTF_8, PLACEMAT_UTF_16LE, NULL, "a\xFF", 2, out, 8, &step) == PLACEMAT_TEXT_ERROR);
    EXPECT(step.written == 2 && step.error.offset == 1 && step.error.kind == PLACEMAT_INVALID_BYTE);
    EXPECT(placemat_convert_into(PLACEMAT_UTF_8, PLACEMAT_UTF_8, NULL, NULL, 0, NULL, 0, &step) == PLACEMAT_OK && step.written == 0);
    EXPECT(placemat_convert_into(PLACEMAT_UTF_8, PLACEMAT_UTF_8, NULL, both, 8, both + 4, 8, &step) == PLACEMAT_OVERLAP);
    EXPECT(placemat_convert_into(PLACEMAT_UTF_8, PLACEMAT_UTF_8, NULL, both, 8, both + 8, 8, &step) == PLACEMAT_OK);
    EXPECT(placemat_convert_into(PLACEMAT_UTF_8, PLACEMAT_UTF_8, NULL, "a", 1, out, 8, NULL) == PLACEMAT_NULL_POINTER);
    EXPECT(placemat_convert_into(PLACEMAT_UTF_8, PLACEMAT_UTF_8, NULL, "a", 1, &step, sizeof step, &step) == PLACEMAT_OVERLAP);
    step.read = step.written = 7;
    EXPECT(placemat_convert_into(0, PLACEMAT_UTF_8, NULL, "a", 1, out, 8, &step) == PLACEMAT_UNKNOWN_ENCODING);
    EXPECT(step.read == 0 && step.written == 0 && step.error.kind == PLACEMAT_NO_ERROR);
    EXPECT(placemat_convert_into(PLACEMAT_UTF_8, 1u << 16, NULL, "a", 1, out, 8, &step) == PLACEMAT_UNKNOWN_ENCODING);
}

static void streams(void) {
    uint64_t storage[PLACEMAT_TRANSCODER_SIZE / 8], copy[PLACEMAT_TRANSCODER_SIZE / 8];
    unsigned char *bytes = (unsigned char *)storage;
    placemat_transcoder *t = NULL, *second;
    placemat_step step;
    char out[32];
    size_t size = placemat_transcoder_size();
    EXPECT(size <= PLACEMAT_TRANSCODER_SIZE && placemat_transcoder_align() <= sizeof(uint64_t));
    EXPECT(placemat_transcoder_init(NULL, 1024, 1, 1, NULL, &t) == PLACEMAT_NULL_POINTER && !t);
    EXPECT(placemat_transcoder_init(NULL, 0, 1, 1, NULL, &t) == PLACEMAT_NULL_POINTER);
    EXPECT(placemat_transcoder_init(storage, size - 1, 1, 1, NULL, &t) == PLACEMAT_BAD_STORAGE && !t);
    EXPECT(placemat_transcoder_init(bytes + 1, sizeof storage - 1, 1, 1, NULL, &t) == PLACEMAT_BAD_STORAGE);
    t = (placemat_transcoder *)(void *)storage;
    EXPECT(placemat_transcoder_init(storage, SIZE_MAX, 1, 1, NULL, &t) == PLACEMAT_TOO_LONG && !t);
    t = (placemat_transcoder *)(void *)storage;
    EXPECT(placemat_transcoder_init(NULL, sizeof storage, 1, 1, NULL, &t) == PLACEMAT_NULL_POINTER && !t);
    EXPECT(placemat_transcoder_init(storage, sizeof storage, 1, 1, NULL, NULL) == PLACEMAT_NULL_POINTER);
    EXPECT(placemat_transcoder_init(storage, sizeof storage, 1, 999, NULL, &t) == PLACEMAT_UNKNOWN_ENCODING && !t);
    EXPECT(placemat_transcoder_init(storage, sizeof storage, 1, 1, NULL, (placemat_transcoder **)(void *)storage) == PLACEMAT_OVERLAP);

    memset(storage, 0, sizeof storage);
    t = (placemat_transcoder *)(void *)storage;
    EXPECT(placemat_transcoder_push(t, "a", 1, out, 32, &step) == PLACEMAT_BAD_STORAGE);
    EXPECT(placemat_transcoder_finish(t, out, 32, &step) == PLACEMAT_BAD_STORAGE);
    EXPECT(placemat_transcoder_reset(t) == PLACEMAT_BAD_STORAGE && placemat_transcoder_errors(t) == 0);
    EXPECT(placemat_transcoder_push(NULL, "a", 1, out, 32, &step) == PLACEMAT_NULL_POINTER);
    EXPECT(placemat_transcoder_reset(NULL) == PLACEMAT_NULL_POINTER && placemat_transcoder_offset(NULL) == 0);
    EXPECT(placemat_transcoder_source(NULL) == 0);

    EXPECT(placemat_transcoder_init(storage, size, PLACEMAT_UTF_16, PLACEMAT_UTF_8, NULL, &t) == PLACEMAT_OK);
    EXPECT(placemat_transcoder_push(t, "\xFF\xFE\xE9", 3, out, 32, &step) == PLACEMAT_NEED_INPUT && step.read == 3 && step.written == 0);
    EXPECT(placemat_transcoder_source(t) == PLACEMAT_UTF_16LE && placemat_transcoder_offset(t) == 2);
    memcpy(copy, storage, sizeof copy);
    second = (placemat_transcoder *)(void *)copy;
    EXPECT(placemat_transcoder_push(t, "\0", 1, out, 32, &step) == PLACEMAT_NEED_INPUT && step.written == 2);
    EXPECT(placemat_transcoder_finish(second, out, 32, &step) == PLACEMAT_TEXT_ERROR && step.error.kind == PLACEMAT_TRUNCATED);
    EXPECT(placemat_transcoder_errors(second) == 1 && placemat_transcoder_errors(t) == 0);
    EXPECT(placemat_transcoder_finish(second, out, 32, &step) == PLACEMAT_OK);
    EXPECT(placemat_transcoder_finish(t, out, 32, &step) == PLACEMAT_OK);
    EXPECT(placemat_transcoder_finish(t, NULL, 0, &step) == PLACEMAT_OK && step.written == 0);
    EXPECT(placemat_transcoder_push(t, "\xFE\xFF\0a", 4, out, 32, &step) == PLACEMAT_NEED_INPUT && out[0] == 'a');
    EXPECT(placemat_transcoder_push(t, "\xD8", 1, out, 32, &step) == PLACEMAT_NEED_INPUT);
    EXPECT(placemat_transcoder_reset(t) == PLACEMAT_OK);
    EXPECT(placemat_transcoder_finish(t, out, 32, &step) == PLACEMAT_OK && step.written == 0);

    step.read = step.written = 7;
    EXPECT(placemat_transcoder_push(t, NULL, 1, out, 32, &step) == PLACEMAT_NULL_POINTER && step.read == 0 && step.written == 0);
    EXPECT(placemat_transcoder_push(t, "a", 1, out, 32, (placemat_step *)(void *)t) == PLACEMAT_OVERLAP);
    EXPECT(placemat_transcoder_push(t, NULL, 0, out, 32, &step) == PLACEMAT_NEED_INPUT);
    EXPECT(placemat_transcoder_push(t, "\0a", 2, NULL, 1, &step) == PLACEMAT_NULL_POINTER);
    EXPECT(placemat_transcoder_push(t, "\0a", 2, NULL, 0, &step) == PLACEMAT_NEED_OUTPUT && step.written == 0);
    EXPECT(placemat_transcoder_push(t, "\0a", 2, out, 32, NULL) == PLACEMAT_NULL_POINTER);
    EXPECT(placemat_transcoder_push(t, out, 8, out + 4, 8, &step) == PLACEMAT_OVERLAP);
    EXPECT(placemat_transcoder_push(t, "\0a", 2, storage, 8, &step) == PLACEMAT_OVERLAP);
    EXPECT(placemat_transcoder_push(t, storage, 8, out, 8, &step) == PLACEMAT_OVERLAP);
    EXPECT(placemat_transcoder_push(t, "\0a", SIZE_MAX, out, 32, &step) == PLACEMAT_TOO_LONG);
}

int main(void) {
    about();
    encodings();
    checks();
    measures();
    settings();
    into();
    streams();
    return failures > 0;
}
