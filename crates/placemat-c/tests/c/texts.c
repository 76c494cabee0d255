/*
 * Tests the functions that allocate with random texts: streams give the same as whole texts, repairs are well-formed and can be undone,
 * and every call returns.
 *
 * texts [ROUNDS [SEED]]
 */
#include <placemat.h>

#include "random.h"

#include <stdio.h>
#include <stdlib.h>

static placemat_encoding encodings[256];
static size_t count;

static placemat_encoding any(void) {
    return below(40) == 0 ? (placemat_encoding)below(70000) : encodings[below(count)];
}

static placemat_settings some_settings(void) {
    placemat_settings settings;
    memset(&settings, 0, sizeof settings);
    settings.on_error = (uint32_t)below(13);
    settings.unencodable = (uint32_t)below(6);
    settings.bom = (uint32_t)below(4);
    return settings;
}

/* Converts a stream in pieces: the output, the number of errors that were replaced, and whether it stopped. */
static int pieces(placemat_converter *converter, const unsigned char *text, size_t length, const placemat_buffer *whole,
                  placemat_status expected, uint64_t errors, const placemat_error *stop) {
    size_t at = 0, written = 0;
    placemat_status status = PLACEMAT_NEED_INPUT;
    placemat_error error;
    placemat_buffer out;
    int good = 1, last = 0;
    while (good && status == PLACEMAT_NEED_INPUT) {
        size_t piece = 1 + below(7);
        last = at == length;
        piece = piece < length - at ? piece : length - at;
        status = last ? placemat_converter_finish(converter, &out, &error) : placemat_converter_push(converter, text + at, piece, &out, &error);
        at += piece;
        good = out.data && written + out.length <= whole->length && memcmp(whole->data + written, out.data, out.length) == 0;
        written += out.length;
        placemat_buffer_free(&out);
    }
    good &= written == whole->length && status == expected && placemat_converter_errors(converter) == errors;
    return good && (status != PLACEMAT_TEXT_ERROR || (error.kind == stop->kind && error.offset == stop->offset));
}

static int conversions(const unsigned char *text, size_t length) {
    placemat_settings settings = some_settings();
    placemat_encoding from = any(), to = any();
    placemat_converter *converter;
    placemat_buffer out;
    placemat_error error;
    uint64_t errors;
    placemat_status status = placemat_convert(from, to, &settings, text, length, &out, &errors, &error);
    int good = 1;
    if (placemat_converter_new(from, to, &settings, &converter) == PLACEMAT_OK) {
        good = out.data && pieces(converter, text, length, &out, status, errors, &error);
        if (!good) {
            size_t at;
            for (at = 0; at < length; at++) {
                fprintf(stderr, "%02X", text[at]);
            }
            fprintf(stderr, ": %s to %s under %u, %u, %u: %s\n", placemat_encoding_name(from), placemat_encoding_name(to),
                    (unsigned)settings.on_error, (unsigned)settings.unencodable, (unsigned)settings.bom, placemat_status_name(status));
        }
    } else {
        good = !out.data && !converter && status >= PLACEMAT_NULL_POINTER;
    }
    placemat_converter_free(converter);
    placemat_buffer_free(&out);
    return good;
}

static int repairs(const unsigned char *text, size_t length) {
    placemat_buffer out, report, back;
    uint32_t flags = (uint32_t)below(65);
    placemat_status status = placemat_repair(flags, below(3) ? 0 : any(), text, length, &out, &report);
    int good = 1;
    if (status == PLACEMAT_OK) {
        good = placemat_is_valid(out.data, out.length)
            && placemat_repair_undo(report.data, report.length, out.data, out.length, &back) == PLACEMAT_OK;
        good = good && back.length == length && memcmp(back.data, text, length) == 0;
        placemat_buffer_free(&back);
    } else {
        good = !out.data && !report.data && status >= PLACEMAT_NULL_POINTER;
    }
    placemat_buffer_free(&out);
    placemat_buffer_free(&report);
    placemat_repair_undo(text, length, text, length, &back);
    placemat_buffer_free(&back);
    return good;
}

static int objects(const unsigned char *text, size_t length) {
    placemat_buffer out;
    uint64_t errors;
    placemat_status status;
    int good = placemat_detect_json(text, length, below(2) != 0, &out) == PLACEMAT_OK && out.length > 0;
    placemat_buffer_free(&out);
    status = placemat_explain_json((placemat_encoding)below(53), text, length, below(30), &out);
    good &= status == PLACEMAT_OK || status == PLACEMAT_UNKNOWN_ENCODING;
    placemat_buffer_free(&out);
    good &= placemat_invisible_json(below(2) ? "all" : NULL, text, length, &out) == PLACEMAT_OK;
    placemat_buffer_free(&out);
    status = placemat_replace((uint32_t)below(13), text, length, &out, &errors);
    good &= status != PLACEMAT_OK || placemat_is_valid(out.data, out.length);
    good &= status != PLACEMAT_OK || (errors == 0) == placemat_is_valid(text, length);
    placemat_buffer_free(&out);
    return good;
}

int main(int argc, char **argv) {
    unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000, round;
    unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    count = placemat_encodings(encodings, 256);
    state = seed * UINT64_C(0x9E3779B97F4A7C15) | 1;
    for (round = 0; round < rounds; round++) {
        unsigned char made[TEXT], *text;
        size_t length = make(made);
        int good;
        /* Of the exact size, so that tools detect a byte too many. */
        text = (unsigned char *)malloc(length ? length : 1);
        memcpy(text, made, length);
        good = conversions(text, length);
        good = repairs(text, length) && good;
        good = objects(text, length) && good;
        free(text);
        if (!good) {
            fprintf(stderr, "round %lu of seed %lu fails\n", round, seed);
            return 1;
        }
    }
    printf("%lu rounds\n", rounds);
    return 0;
}
