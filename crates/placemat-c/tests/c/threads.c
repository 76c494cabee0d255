/* Tests threads: each has a transcoder, and calls the other functions at the same time. */
#include <placemat.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 300, BYTES = 3000 };

static char text[BYTES];

static void *work(void *number) {
    size_t seed = *(size_t *)number, round, failures = 0;
    for (round = 0; round < ROUNDS; round++) {
        uint64_t storage[PLACEMAT_TRANSCODER_SIZE / 8];
        placemat_transcoder *t;
        placemat_step step;
        placemat_counts counts;
        size_t at = 0, written = 0, piece = 1 + (seed + round) % 97;
        char out[4 * BYTES];
        failures += placemat_transcoder_init(storage, sizeof storage, PLACEMAT_UTF_8, PLACEMAT_UTF_16LE, NULL, &t) != PLACEMAT_OK;
        while (at < BYTES) {
            size_t length = piece < BYTES - at ? piece : BYTES - at;
            failures += placemat_transcoder_push(t, text + at, length, out + written, sizeof out - written, &step) != PLACEMAT_NEED_INPUT;
            at += step.read;
            written += step.written;
        }
        failures += placemat_transcoder_finish(t, out + written, sizeof out - written, &step) != PLACEMAT_OK;
        failures += placemat_count(PLACEMAT_UTF_16LE, out, written, &counts) != PLACEMAT_OK;
        failures += counts.code_points != BYTES / 3 * 2 || written != BYTES / 3 * 4;
        failures += placemat_encoding_by_name("UTF-16LE") != PLACEMAT_UTF_16LE;
    }
    *(size_t *)number = failures;
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    size_t results[THREADS], at, failures = 0;
    for (at = 0; at < BYTES; at += 3) {
        memcpy(text + at, "a\xC3\xA9", 3);
    }
    for (at = 0; at < THREADS; at++) {
        results[at] = at;
        failures += pthread_create(&threads[at], NULL, work, &results[at]) != 0;
    }
    for (at = 0; at < THREADS; at++) {
        pthread_join(threads[at], NULL);
        failures += results[at];
    }
    printf("%lu failures\n", (unsigned long)failures);
    return failures > 0;
}
