/*
 * Random sequences of calls, the same in each run: random texts, pieces, rooms, copies, resets in the middle, finishes twice. However a
 * text is divided, the output and the errors must be the same.
 *
 * sequences [ROUNDS [SEED]]
 */
#include <placemat.h>

#include "random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUT = 8192, ERRORS = 512 };

/* The output of a conversion, and its errors. */
struct result {
    unsigned char out[OUT];
    size_t length;
    placemat_error errors[ERRORS];
    size_t count;
};

static int take(struct result *to, const unsigned char *out, const placemat_step *step, placemat_status status) {
    if (to->length + step->written > OUT || to->count >= ERRORS) {
        return 0;
    }
    memcpy(to->out + to->length, out, step->written);
    to->length += step->written;
    if (status == PLACEMAT_TEXT_ERROR) {
        to->errors[to->count++] = step->error;
    }
    return 1;
}

/* Converts a text in pieces of up to `most` bytes, with rooms of up to `room`; with `moves`, the transcoder is moved now and then. */
static int run(placemat_transcoder *t, const unsigned char *text, size_t length, size_t most, size_t room, int moves, struct result *to) {
    static uint64_t places[2][PLACEMAT_TRANSCODER_SIZE / 8];
    size_t at = 0, place = 0, least = 0;
    int finishing = 0;
    to->length = to->count = 0;
    for (;;) {
        /* On the heap and of the exact size, so that tools detect a byte too many. */
        size_t now = least + below(room + 1), piece = below(most + 1) < length - at ? below(most + 1) : length - at;
        unsigned char *out = (unsigned char *)malloc(now ? now : 1), *in;
        placemat_step step;
        placemat_status status;
        int good;
        if (piece > length - at) {
            piece = length - at;
        }
        in = (unsigned char *)malloc(piece ? piece : 1);
        memcpy(in, text + at, piece);
        if (moves && below(8) == 0) {
            memcpy(places[place], t, placemat_transcoder_size());
            t = (placemat_transcoder *)(void *)places[place];
            place = !place;
        }
        status = finishing ? placemat_transcoder_finish(t, out, now, &step) : placemat_transcoder_push(t, in, piece, out, now, &step);
        good = status < PLACEMAT_NULL_POINTER && step.written <= now && step.read <= piece && take(to, out, &step, status);
        free(out);
        free(in);
        if (!good) {
            return 0;
        }
        at += step.read;
        least = status == PLACEMAT_NEED_OUTPUT && step.read + step.written == 0 ? least + 1 : 0;
        if (least > PLACEMAT_MIN_ROOM) {
            return 0;
        }
        if (status == PLACEMAT_OK) {
            return finishing && placemat_transcoder_finish(t, NULL, 0, &step) == PLACEMAT_OK && step.written == 0;
        }
        if (status == PLACEMAT_NEED_INPUT && at == length) {
            finishing = 1;
        }
    }
}

static int same(const struct result *a, const struct result *b) {
    size_t at;
    if (a->length != b->length || a->count != b->count || memcmp(a->out, b->out, a->length) != 0) {
        return 0;
    }
    for (at = 0; at < a->count; at++) {
        if (a->errors[at].kind != b->errors[at].kind || a->errors[at].offset != b->errors[at].offset
            || a->errors[at].length != b->errors[at].length) {
            return 0;
        }
    }
    return 1;
}

/* Compares a conversion in one piece with one in many. */
static int streams(const unsigned char *text, size_t length) {
    static struct result whole, pieces;
    uint64_t storage[PLACEMAT_TRANSCODER_SIZE / 8];
    placemat_encoding from = 1 + (placemat_encoding)below(50), to = 1 + (placemat_encoding)below(50);
    placemat_settings settings;
    placemat_transcoder *t;
    placemat_step step;
    unsigned char junk[64];
    placemat_status status;
    memset(&settings, 0, sizeof settings);
    settings.on_error = (uint32_t)below(13);
    settings.unencodable = (uint32_t)below(6);
    settings.bom = (uint32_t)below(4);
    status = placemat_transcoder_init(storage, sizeof storage, from, to, &settings, &t);
    if (status != PLACEMAT_OK) {
        return status == PLACEMAT_UNSUITABLE || status == PLACEMAT_UNKNOWN_VALUE;
    }
    if (!run(t, text, length, length, OUT / 2, 0, &whole)) {
        return 0;
    }
    /* The rest of another stream must make no difference. */
    placemat_transcoder_push(t, text, length / 2, junk, below(sizeof junk), &step);
    return placemat_transcoder_reset(t) == PLACEMAT_OK && run(t, text, length, 1 + below(5), below(24), 1, &pieces) && same(&whole, &pieces);
}

/* Calls the other functions with numbers that may be invalid: they must return. */
static int answers(const unsigned char *text, size_t length) {
    placemat_error error, errors[4];
    placemat_counts counts;
    placemat_settings settings;
    placemat_step step;
    unsigned char out[64];
    uint64_t count = 0;
    size_t bytes = 0, boundary = 0, index = below(length + 3);
    placemat_encoding form = (placemat_encoding)below(53), to = (placemat_encoding)below(53), label = 0;
    bool is = false;
    size_t at;
    int good;
    memset(&settings, 0, sizeof settings);
    for (at = 0; at < sizeof settings / 4; at++) {
        uint32_t number = (uint32_t)(below(3) ? below(14) : 0);
        memcpy((char *)&settings + 4 * at, &number, 4);
    }
    good = placemat_is_valid(text, length) == (placemat_validate(text, length, &error) == PLACEMAT_OK);
    if (placemat_errors_into(form, text, length, errors, below(5), &count) == PLACEMAT_OK) {
        good &= placemat_count(form, text, length, &counts) == PLACEMAT_OK && counts.errors == count;
        good &= (placemat_first_error(form, text, length, &error) == PLACEMAT_OK) == (count == 0);
    }
    if (placemat_boundary_floor(form, text, length, index, &boundary) == PLACEMAT_OK) {
        good &= boundary <= index && boundary <= length;
        good &= placemat_boundary_ceil(form, text, length, index, &boundary) == PLACEMAT_OK && (boundary >= index || boundary == length);
        good &= placemat_boundary_next(form, text, length, index, &boundary) == PLACEMAT_OK && (boundary > index || boundary == length);
        good &= placemat_boundary_previous(form, text, length, index, &boundary) == PLACEMAT_OK && (boundary < index || boundary == 0);
        good &= placemat_is_boundary(form, text, length, boundary, &is) == PLACEMAT_OK && is;
    }
    if (placemat_length(form, to, &settings, text, length, &bytes, NULL) == PLACEMAT_OK) {
        placemat_status status = placemat_convert_into(form, to, &settings, text, length, out, sizeof out, &step);
        good &= bytes <= sizeof out ? status == PLACEMAT_OK && step.written == bytes : status == PLACEMAT_NEED_OUTPUT;
    }
    placemat_label((uint32_t)below(8), text, length, &label);
    placemat_label_untrusted((uint32_t)below(8), text, length, NULL, 0, &label);
    placemat_bom_of(text, length, &bytes);
    placemat_encoding_name((placemat_encoding)below(70000));
    return good;
}

int main(int argc, char **argv) {
    unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 20000, round;
    unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    state = seed * UINT64_C(0x9E3779B97F4A7C15) | 1;
    for (round = 0; round < rounds; round++) {
        unsigned char made[TEXT], *text;
        uint64_t before = state;
        size_t length = make(made);
        int good;
        text = (unsigned char *)malloc(length ? length : 1);
        memcpy(text, made, length);
        good = streams(text, length) && answers(text, length);
        free(text);
        if (!good) {
            fprintf(stderr, "round %lu of seed %lu fails, from state %lx\n", round, seed, (unsigned long)before);
            return 1;
        }
    }
    printf("%lu rounds\n", rounds);
    return 0;
}
