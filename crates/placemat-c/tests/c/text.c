/* Tests the functions that allocate. */
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

/* Whether a buffer has this text, followed by a NUL. Frees the buffer. */
static bool holds(placemat_buffer *buffer, const char *text) {
    bool is = buffer->data && buffer->length == strlen(text) && memcmp(buffer->data, text, buffer->length + 1) == 0;
    placemat_buffer_free(buffer);
    return is && !buffer->data && buffer->length == 0 && buffer->capacity == 0;
}

static bool has(placemat_buffer *buffer, const char *part) {
    bool is = buffer->data && strstr((const char *)buffer->data, part) != NULL;
    placemat_buffer_free(buffer);
    return is;
}

static void conversions(void) {
    placemat_encoding list[256], sjis = placemat_encoding_by_name("shift_jis");
    size_t count = placemat_encodings(list, 256), at;
    placemat_settings settings;
    placemat_buffer out;
    placemat_error error;
    uint64_t errors = 9;
    memset(&settings, 0, sizeof settings);
    EXPECT(placemat_convert(sjis, PLACEMAT_UTF_8, NULL, "\x93\xFA\x96\x7B", 4, &out, &errors, &error) == PLACEMAT_OK);
    EXPECT(holds(&out, "\xE6\x97\xA5\xE6\x9C\xAC") && errors == 0 && error.kind == PLACEMAT_NO_ERROR);
    EXPECT(placemat_convert(PLACEMAT_UTF_8, sjis, NULL, "\xE6\x97\xA5\xC3\xA9", 5, &out, NULL, &error) == PLACEMAT_TEXT_ERROR);
    EXPECT(holds(&out, "\x93\xFA") && error.kind == PLACEMAT_UNENCODABLE && error.offset == 3 && error.length == 2);
    settings.on_error = PLACEMAT_REPLACE;
    settings.unencodable = PLACEMAT_UNENCODABLE_NCR;
    EXPECT(placemat_convert(PLACEMAT_UTF_8, sjis, &settings, "\xE6\x97\xA5\xC3\xA9", 5, &out, NULL, NULL) == PLACEMAT_OK);
    EXPECT(holds(&out, "\x93\xFA&#233;"));
    EXPECT(placemat_convert(PLACEMAT_UTF_8, PLACEMAT_UTF_8, &settings, "a\xFF\xFE", 3, &out, &errors, NULL) == PLACEMAT_OK);
    EXPECT(holds(&out, "a\xEF\xBF\xBD\xEF\xBF\xBD") && errors == 2);
    EXPECT(placemat_convert(PLACEMAT_UTF_8, PLACEMAT_UTF_16LE, NULL, NULL, 0, &out, NULL, NULL) == PLACEMAT_OK && holds(&out, ""));
    for (at = 0; at < count; at++) {
        /* Every encoding has the letters of ASCII. */
        EXPECT(placemat_convert(PLACEMAT_UTF_8, list[at], NULL, "abc", 3, &out, NULL, NULL) == PLACEMAT_OK);
        placemat_buffer back;
        EXPECT(placemat_convert(list[at], PLACEMAT_UTF_8, NULL, out.data, out.length, &back, NULL, NULL) == PLACEMAT_OK);
        EXPECT(holds(&back, "abc"));
        placemat_buffer_free(&out);
    }
    EXPECT(placemat_convert(0, PLACEMAT_UTF_8, NULL, "a", 1, &out, NULL, NULL) == PLACEMAT_UNKNOWN_ENCODING && !out.data);
    EXPECT(placemat_convert(placemat_encoding_by_name("replacement"), PLACEMAT_UTF_8, NULL, "a", 1, &out, NULL, NULL) == PLACEMAT_UNKNOWN_ENCODING);
    EXPECT(placemat_convert(PLACEMAT_UTF_8, PLACEMAT_UTF_8, NULL, NULL, 1, &out, NULL, NULL) == PLACEMAT_NULL_POINTER && !out.data);
    EXPECT(placemat_convert(PLACEMAT_UTF_8, PLACEMAT_UTF_8, NULL, "a", 1, NULL, NULL, NULL) == PLACEMAT_NULL_POINTER);
    settings.on_error = PLACEMAT_SURROGATEESCAPE;
    EXPECT(placemat_convert(PLACEMAT_UTF_8, sjis, &settings, "a", 1, &out, NULL, NULL) == PLACEMAT_UNSUITABLE);
    placemat_buffer_free(NULL);
    placemat_buffer_free(&out);
    placemat_buffer_free(&out);
}

/* A stream in pieces of this many bytes gives the same as the whole text. */
static void stream(const char *from, const char *to, const char *text, const char *expected) {
    size_t length = strlen(text), piece, at, written;
    for (piece = 1; piece <= length; piece++) {
        placemat_converter *converter;
        placemat_buffer out;
        char all[256];
        int round;
        EXPECT(placemat_converter_new(placemat_encoding_by_name(from), placemat_encoding_by_name(to), NULL, &converter) == PLACEMAT_OK);
        for (round = 0; round < 2; round++) {
            for (at = written = 0; at < length; at += piece) {
                EXPECT(placemat_converter_push(converter, text + at, piece < length - at ? piece : length - at, &out, NULL) == PLACEMAT_NEED_INPUT);
                memcpy(all + written, out.data, out.length);
                written += out.length;
                placemat_buffer_free(&out);
            }
            EXPECT(placemat_converter_finish(converter, &out, NULL) == PLACEMAT_OK);
            memcpy(all + written, out.data, out.length);
            written += out.length;
            EXPECT(written == strlen(expected) && memcmp(all, expected, written) == 0);
            placemat_buffer_free(&out);
            EXPECT(placemat_converter_finish(converter, &out, NULL) == PLACEMAT_OK && holds(&out, ""));
        }
        placemat_converter_free(converter);
    }
}

static void converters(void) {
    placemat_encoding koi8 = placemat_encoding_by_name("koi8-r");
    placemat_converter *converter;
    placemat_settings settings;
    placemat_buffer out;
    placemat_error error;
    memset(&settings, 0, sizeof settings);
    stream("shift_jis", "utf-8", "\x93\xFA\x96\x7B!", "\xE6\x97\xA5\xE6\x9C\xAC!");
    stream("utf-8", "iso-2022-jp", "\xE6\x97\xA5!", "\x1B$BF|\x1B(B!");
    stream("koi8-r", "windows-1251", "\xF0\xD2\xC9", "\xCF\xF0\xE8");
    stream("utf-8", "utf-7", "\xC2\xA3!", "+AKM!");
    EXPECT(placemat_converter_new(koi8, koi8, NULL, NULL) == PLACEMAT_NULL_POINTER);
    EXPECT(placemat_converter_new(koi8, 0, NULL, &converter) == PLACEMAT_UNKNOWN_ENCODING && !converter);
    settings.bom = PLACEMAT_BOM_ADD;
    EXPECT(placemat_converter_new(PLACEMAT_UTF_8, koi8, &settings, &converter) == PLACEMAT_UNSUITABLE && !converter);
    EXPECT(placemat_converter_push(NULL, "a", 1, &out, NULL) == PLACEMAT_NULL_POINTER && !out.data);
    EXPECT(placemat_converter_finish(NULL, &out, NULL) == PLACEMAT_NULL_POINTER && placemat_converter_errors(NULL) == 0);
    placemat_converter_free(NULL);
    EXPECT(placemat_converter_new(PLACEMAT_UTF_8, koi8, NULL, &converter) == PLACEMAT_OK);
    EXPECT(placemat_converter_push(converter, NULL, 1, &out, &error) == PLACEMAT_NULL_POINTER && !out.data);
    EXPECT(placemat_converter_push(converter, "a\xE6\x97\xA5" "b", 5, &out, &error) == PLACEMAT_TEXT_ERROR && holds(&out, "a"));
    EXPECT(error.offset == 1 && error.length == 3 && error.kind == PLACEMAT_UNENCODABLE);
    EXPECT(placemat_converter_push(converter, "b", 1, &out, &error) == PLACEMAT_TEXT_ERROR && holds(&out, "") && error.offset == 1);
    EXPECT(placemat_converter_finish(converter, &out, &error) == PLACEMAT_TEXT_ERROR && holds(&out, ""));
    placemat_converter_free(converter);
    settings.bom = PLACEMAT_BOM_KEEP;
    settings.on_error = PLACEMAT_REPLACE;
    settings.unencodable = PLACEMAT_UNENCODABLE_REPLACE;
    EXPECT(placemat_converter_new(PLACEMAT_UTF_8, koi8, &settings, &converter) == PLACEMAT_OK);
    EXPECT(placemat_converter_push(converter, "a\xE6\x97\xA5\xFF", 5, &out, NULL) == PLACEMAT_NEED_INPUT && holds(&out, "a??"));
    EXPECT(placemat_converter_finish(converter, &out, NULL) == PLACEMAT_OK && holds(&out, ""));
    EXPECT(placemat_converter_errors(converter) == 2);
    placemat_converter_free(converter);
}

static void repairs(void) {
    static const char text[] = "na\xC3\xAFve caf\xE9";
    static const char koi8[] = "\xF0\xD2\xC9\xD7\xC5\xD4, \xCD\xC9\xD2!";
    placemat_buffer out, report, back;
    uint64_t errors;
    EXPECT(placemat_replace(PLACEMAT_REPLACE, text, sizeof text - 1, &out, &errors) == PLACEMAT_OK && errors == 1);
    EXPECT(holds(&out, "na\xC3\xAFve caf\xEF\xBF\xBD"));
    EXPECT(placemat_replace(PLACEMAT_STOP, "a\xFF", 2, &out, &errors) == PLACEMAT_TEXT_ERROR && holds(&out, "a") && errors == 1);
    EXPECT(placemat_replace(12, "a", 1, &out, NULL) == PLACEMAT_UNKNOWN_VALUE && !out.data);
    EXPECT(placemat_repair(0, 0, text, sizeof text - 1, &out, &report) == PLACEMAT_OK);
    EXPECT(out.data && strcmp((char *)out.data, "na\xC3\xAFve caf\xC3\xA9") == 0);
    EXPECT(report.data && strstr((char *)report.data, "\"rule\":\"windows-1252\""));
    EXPECT(placemat_repair_undo(report.data, report.length, out.data, out.length, &back) == PLACEMAT_OK && holds(&back, text));
    EXPECT(placemat_repair_undo(report.data, report.length, "else", 4, &back) == PLACEMAT_REFUSED && !back.data);
    EXPECT(placemat_repair_undo("{}", 2, out.data, out.length, &back) == PLACEMAT_UNKNOWN_VALUE);
    EXPECT(placemat_repair_undo(NULL, 0, NULL, 0, &back) == PLACEMAT_UNKNOWN_VALUE);
    placemat_buffer_free(&out);
    placemat_buffer_free(&report);
    EXPECT(placemat_repair(0, 0, koi8, sizeof koi8 - 1, &out, NULL) == PLACEMAT_REFUSED && !out.data);
    EXPECT(placemat_repair(0, placemat_encoding_by_name("koi8-r"), "\xD0\x9F \xF0\xD2", 5, &out, NULL) == PLACEMAT_OK);
    EXPECT(holds(&out, "\xD0\x9F \xD0\x9F\xD1\x80"));
    EXPECT(placemat_repair(0, PLACEMAT_UTF_16LE, text, 3, &out, NULL) == PLACEMAT_UNSUITABLE);
    EXPECT(placemat_repair(64, 0, text, 3, &out, NULL) == PLACEMAT_UNKNOWN_VALUE);
    EXPECT(placemat_repair(PLACEMAT_REPAIR_MOJIBAKE, 0, "caf\xC3\x83\xC2\xA9", 7, &out, NULL) == PLACEMAT_OK && holds(&out, "caf\xC3\xA9"));
    EXPECT(placemat_repair(PLACEMAT_REPAIR_INVISIBLE, 0, "a\xE2\x80\x8B" "b", 5, &out, NULL) == PLACEMAT_OK && holds(&out, "ab"));
    EXPECT(placemat_repair(PLACEMAT_REPAIR_NUL | PLACEMAT_REPAIR_OVERLONG, 0, "\xC3\xA9\xC3\xA9\xC3\xA9\xC0\xAF", 8, &out, NULL) == PLACEMAT_OK);
    EXPECT(holds(&out, "\xC3\xA9\xC3\xA9\xC3\xA9/"));
    EXPECT(placemat_repair(0, 0, NULL, 0, &out, &report) == PLACEMAT_OK && holds(&out, "") && has(&report, "\"changes\":0"));
    EXPECT(placemat_repair(0, 0, text, 3, NULL, NULL) == PLACEMAT_NULL_POINTER);
}

static void objects(void) {
    placemat_buffer out;
    EXPECT(placemat_detect_json("caf\xC3\xA9", 5, true, &out) == PLACEMAT_OK && has(&out, "\"encoding\":\"utf-8\""));
    EXPECT(placemat_detect_json(NULL, 0, true, &out) == PLACEMAT_OK && has(&out, "{\"type\":\"file\""));
    EXPECT(placemat_detect_json(NULL, 1, true, &out) == PLACEMAT_NULL_POINTER && !out.data);
    EXPECT(placemat_explain_json(PLACEMAT_UTF_8, "\xC0\xAF", 2, 20, &out) == PLACEMAT_OK && has(&out, "\"kind\":\"overlong\""));
    EXPECT(placemat_explain_json(PLACEMAT_UTF_8, "\xC0\xAF", 2, 0, &out) == PLACEMAT_OK && has(&out, "\"type\":\"summary\""));
    EXPECT(placemat_explain_json(1u << 16, "a", 1, 20, &out) == PLACEMAT_UNKNOWN_ENCODING);
    EXPECT(placemat_invisible_json(NULL, "a\xE2\x80\x8B" "b", 5, &out) == PLACEMAT_OK);
    EXPECT(holds(&out, "{\"type\":\"hidden\",\"offset\":1,\"length\":3,\"bytes\":\"E2 80 8B\",\"kind\":\"zero-width\"}\n"));
    EXPECT(placemat_invisible_json("control,private-use", "a\xE2\x80\x8B", 4, &out) == PLACEMAT_OK && holds(&out, ""));
    EXPECT(placemat_invisible_json("magic", "a", 1, &out) == PLACEMAT_UNKNOWN_VALUE && !out.data);
    EXPECT(placemat_invisible_json(NULL, "a", 1, NULL) == PLACEMAT_NULL_POINTER);
}

int main(void) {
    conversions();
    converters();
    repairs();
    objects();
    return failures > 0;
}
