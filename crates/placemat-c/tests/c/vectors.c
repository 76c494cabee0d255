/* Tests the vectors of the library line by line: whole, byte by byte, cut in two at every index, with much room and with room for one byte. */
#include <placemat.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 8192

static int checks, failures;

/* Only the items up to the first error count, at which a policy stops. */
static int until_error;

/* The items that are read, as the vectors write them: "U+0041 truncated@1+2". */
struct items {
    char text[MOST];
    size_t length;
};

static void add(struct items *items, const char *item) {
    int written = snprintf(items->text + items->length, MOST - items->length, "%s%s", items->length ? " " : "", item);
    items->length += (size_t)written;
}

static void add_ucs4(struct items *items, const unsigned char *bytes, size_t length) {
    size_t at;
    for (at = 0; at + 4 <= length; at += 4) {
        char item[16];
        unsigned long value = (unsigned long)bytes[at] << 24 | (unsigned long)bytes[at + 1] << 16
            | (unsigned long)bytes[at + 2] << 8 | bytes[at + 3];
        snprintf(item, sizeof item, "U+%04lX", value);
        add(items, item);
    }
}

static void add_error(struct items *items, const placemat_error *error) {
    char item[64];
    snprintf(item, sizeof item, "%s@%lu+%lu", placemat_kind_name(error->kind), (unsigned long)error->offset,
             (unsigned long)error->length);
    add(items, item);
}

static void fail(const char *line, const char *what, const char *got, const char *expected) {
    failures += 1;
    if (failures <= 20) {
        fprintf(stderr, "%s: %s: got [%s], expected [%s]\n", line, what, got, expected);
    }
}

/* The output of a stream: its bytes, and its items. */
struct target {
    struct items items;
    unsigned char bytes[MOST];
    size_t length;
};

/* Converts one chunk, or the end if `finish`, with this much room; if nothing fits, with one byte more. */
static int feed(placemat_transcoder *t, const unsigned char *chunk, size_t length, int finish, size_t room, struct target *to) {
    size_t at = 0, now = room;
    for (;;) {
        unsigned char out[4096];
        placemat_step step;
        placemat_status status = finish ? placemat_transcoder_finish(t, out, now, &step)
                                        : placemat_transcoder_push(t, chunk + at, length - at, out, now, &step);
        at += step.read;
        memcpy(to->bytes + to->length, out, step.written);
        to->length += step.written;
        add_ucs4(&to->items, out, step.written);
        switch (status) {
        case PLACEMAT_OK:
            return finish;
        case PLACEMAT_NEED_INPUT:
            return !finish && at == length;
        case PLACEMAT_NEED_OUTPUT:
            if (step.written > 0) {
                now = room;
            } else if (++now > PLACEMAT_MIN_ROOM && room <= PLACEMAT_MIN_ROOM) {
                return 0;
            }
            break;
        case PLACEMAT_TEXT_ERROR:
            add_error(&to->items, &step.error);
            break;
        default:
            return 0;
        }
    }
}

/* Converts a text in pieces: each of `first` bytes, or two pieces, the first of `first` bytes. */
static void run(placemat_encoding from, placemat_encoding target, const placemat_settings *settings, const unsigned char *bytes,
                size_t length, size_t first, int in_two, size_t room, struct target *to, const char *line) {
    uint64_t storage[PLACEMAT_TRANSCODER_SIZE / 8];
    placemat_transcoder *t = NULL;
    size_t at = 0;
    int good = placemat_transcoder_init(storage, sizeof storage, from, target, settings, &t) == PLACEMAT_OK;
    to->items.length = to->length = 0;
    to->items.text[0] = 0;
    while (good && at < length) {
        size_t rest = length - at;
        size_t piece = in_two && at > 0 ? rest : first < rest ? first : rest;
        good = feed(t, bytes + at, piece, 0, room, to);
        at += piece;
    }
    if (!good || !feed(t, NULL, 0, 1, room, to)) {
        fail(line, "the transcoder does not end", "", "");
    }
}

/* Cuts the text in every way, with much room and with little. */
static void check(placemat_encoding from, placemat_encoding target, const placemat_settings *settings, const unsigned char *bytes,
                  size_t length, const char *items, const unsigned char *out, size_t out_length, const char *line) {
    static const size_t rooms[] = {4096, 1, 5};
    static struct target to;
    size_t room, cut;
    for (room = 0; room < sizeof rooms / sizeof rooms[0]; room++) {
        for (cut = 0; cut <= length; cut++) {
            /* 0 means byte by byte; the length means the whole text. */
            run(from, target, settings, bytes, length, cut ? cut : 1, cut != 0, rooms[room], &to, line);
            checks += 1;
            if (until_error && strchr(to.items.text, '@')) {
                char *error = strchr(to.items.text, '@');
                while (error > to.items.text && error[-1] != ' ') {
                    error -= 1;
                }
                error[error > to.items.text ? -1 : 0] = 0;
            }
            if (items && strcmp(to.items.text, items) != 0) {
                fail(line, "read", to.items.text, items);
            }
            if (out && (to.length != out_length || memcmp(to.bytes, out, out_length) != 0)) {
                fail(line, "written", "other bytes", "those of the line");
            }
        }
    }
}

static size_t hex(const char *text, unsigned char *bytes) {
    size_t length = 0;
    char *end;
    for (;;) {
        unsigned long value = strtoul(text, &end, 16);
        if (end == text) {
            return length;
        }
        bytes[length++] = (unsigned char)value;
        text = end;
    }
}

/* Parses "U+0041 U+20AC" to UCS-4BE. */
static size_t ucs4(const char *text, unsigned char *bytes) {
    size_t length = 0;
    while ((text = strstr(text, "U+")) != NULL) {
        char *end;
        unsigned long value = strtoul(text + 2, &end, 16);
        bytes[length++] = (unsigned char)(value >> 24);
        bytes[length++] = (unsigned char)(value >> 16);
        bytes[length++] = (unsigned char)(value >> 8);
        bytes[length++] = (unsigned char)value;
        text = end;
    }
    return length;
}

static void trim(char *text) {
    size_t length = strcspn(text, "#\r\n");
    while (length > 0 && text[length - 1] == ' ') {
        length -= 1;
    }
    text[length] = 0;
}

static void form_line(placemat_encoding form, const placemat_settings *writing, const char *line) {
    unsigned char source[MOST], text[MOST];
    const char *mark = strpbrk(line, "|><");
    const char *items = mark ? mark + 1 : "";
    size_t length, written;
    items += strspn(items, " ");
    if (!mark) {
        fail(line, "cannot be read", "", "");
        return;
    }
    if (strncmp(line, "refused ", 8) == 0) {
        placemat_step step;
        unsigned char out[MOST];
        written = ucs4(items, text);
        if (placemat_convert_into(PLACEMAT_UCS_4BE, form, NULL, text, written, out, sizeof out, &step) != PLACEMAT_TEXT_ERROR
            || step.error.kind != PLACEMAT_UNENCODABLE || step.error.offset != 4 * strtoul(line + 8, NULL, 10)) {
            fail(line, "not refused", "", "");
        }
        checks += 1;
        return;
    }
    length = hex(line, source);
    if (*mark != '<') {
        placemat_error error;
        placemat_status status = placemat_first_error(form, source, length, &error);
        if ((status == PLACEMAT_OK) != !strchr(items, '@')) {
            fail(line, "placemat_first_error", placemat_status_name(status), items);
        }
        check(form, PLACEMAT_UCS_4BE, NULL, source, length, items, NULL, 0, line);
    }
    if (*mark == '<' || (*mark == '|' && !strchr(items, '@'))) {
        written = ucs4(items, text);
        check(PLACEMAT_UCS_4BE, form, writing, text, written, NULL, source, length, line);
    }
}

static void policy_line(const char *line) {
    static unsigned char source[MOST];
    static size_t length;
    const char *colon = strchr(line, ':');
    char name[64], expected[MOST];
    placemat_settings settings;
    memset(&settings, 0, sizeof settings);
    if (line[0] != ' ' || !colon) {
        length = hex(line, source);
        return;
    }
    line += strspn(line, " ");
    snprintf(name, sizeof name, "%.*s", (int)(colon - line), line);
    snprintf(expected, sizeof expected, "%s", colon + 1 + strspn(colon + 1, " "));
    if (placemat_settings_set(&settings, "on-error", name) != PLACEMAT_OK) {
        fail(line, "no such policy", name, "");
    } else {
        check(PLACEMAT_UTF_8, PLACEMAT_UCS_4BE, &settings, source, length, expected, NULL, 0, line);
    }
}

static void file(const char *path) {
    static char line[MOST];
    placemat_encoding form = 0;
    int is_policies = strstr(path, "error_policies") != NULL;
    placemat_settings writing;
    FILE *in = fopen(path, "rb");
    until_error = is_policies;
    memset(&writing, 0, sizeof writing);
    if (!in) {
        fail(path, "cannot be opened", "", "");
        return;
    }
    while (fgets(line, sizeof line, in)) {
        trim(line);
        if (line[0] == 0) {
            continue;
        }
        if (is_policies) {
            policy_line(line);
        } else if (strncmp(line, "form ", 5) == 0) {
            form = placemat_encoding_by_name(line + 5);
            memset(&writing, 0, sizeof writing);
            if (!form || strcmp(placemat_encoding_name(form), line + 5) != 0) {
                fail(line, "no such form", "", "");
            }
        } else if (strncmp(line, "unencodable U+", 14) == 0) {
            writing.unencodable = PLACEMAT_UNENCODABLE_REPLACE;
            writing.replacement = (uint32_t)strtoul(line + 14, NULL, 16);
        } else {
            form_line(form, &writing, line);
        }
    }
    fclose(in);
}

int main(int argc, char **argv) {
    int at;
    for (at = 1; at < argc; at++) {
        file(argv[at]);
    }
    printf("%d checks, %d failures\n", checks, failures);
    return failures > 0 || checks == 0;
}
