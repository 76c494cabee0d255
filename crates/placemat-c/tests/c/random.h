/* Random texts, the same in each run. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { TEXT = 96 };

static uint64_t state;

static size_t below(size_t n) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (size_t)((state * UINT64_C(0x2545F4914F6CDD1D)) >> 33) % n;
}

static size_t make(unsigned char *text) {
    static const char *const whole[] = {"\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xED\xA0\xBD\xED\xB8\x80", "\xEF\xBB\xBF",
                                        "\xFE\xFF", "\xFF\xFE", "+AOk-", "&AOk-", "+2D3eAA-", "\xEE\xBE\x80", "plain ascii text", "\xED\x95\x9C"};
    static const unsigned char edges[] = {0, 10, '+', '&', '-', 'a', 127, 128, 159, 160, 191, 192, 193, 194, 216, 220, 224, 237, 239, 240, 244, 245, 254, 255};
    size_t length = 0, most = below(TEXT);
    while (length < most) {
        size_t kind = below(4);
        if (kind == 0) {
            text[length++] = (unsigned char)below(256);
        } else if (kind == 1) {
            const char *one = whole[below(sizeof whole / sizeof whole[0])];
            size_t part = strlen(one) < most - length ? strlen(one) : most - length;
            memcpy(text + length, one, part);
            length += part;
        } else {
            text[length++] = edges[below(sizeof edges)];
        }
    }
    return length;
}

#endif
