/*
 * libplacemat: UTF-8 and everything around it.
 *
 * Check, convert, repair and stream text in UTF-8, its relatives and dialects (CESU-8, Modified
 * UTF-8, WTF-8, UTF-7 ...), UTF-16, UTF-32, and the legacy encodings of the web and of DOS.
 *
 * What holds for every function:
 *
 * Lengths, offsets and room are in bytes and count from 0.
 *
 * Pointers. NULL with length 0 is the empty input, or no room. These mistakes are answered with a
 * status, and nothing is done: NULL where a pointer is needed, a length that no object can have, an
 * unknown number, storage that is not aligned, and memory ranges that overlap but must not. What
 * the library cannot check, the caller must guarantee; it is listed under "Pointers" of a function:
 * a pointer points to as many bytes as its length says, and no other thread writes to them during
 * the call. The library keeps no pointer after a call, except for transcoders, which live in
 * storage of the caller.
 *
 * Threads. Every function may be called from any thread, at the same time. The only state is in
 * transcoders, converters and buffers, each of which may be used by one thread at a time. No
 * function waits, reads a file, or depends on the locale or the environment.
 *
 * Memory. Only the functions of the last section allocate. They return memory in a placemat_buffer.
 * If no memory is left, they end the process, as Rust does; the other functions cannot fail so.
 *
 * Time is linear in the length of the input, whatever its content.
 *
 * Enumerations are passed as uint32_t, so that any number is allowed and has an answer.
 *
 * Licensed under MIT or Apache-2.0. This file is generated from the sources of the library.
 */

#ifndef PLACEMAT_H
#define PLACEMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version ====================================================================== */

/** The first number of this header's version. If it grows, programs must be compiled again. */
#define PLACEMAT_VERSION_MAJOR 0

/** The second number of this header's version. If it grows, something was added. */
#define PLACEMAT_VERSION_MINOR 1

/** The third number of this header's version. */
#define PLACEMAT_VERSION_PATCH 0

/**
 * The version of the library at run time: major * 65536 + minor * 256 + patch.
 *
 * Compare it with PLACEMAT_VERSION_MAJOR and the other two numbers of the header.
 */
uint32_t placemat_version(void);

/* Answers ====================================================================== */

/**
 * What a function returns. The numbers are fixed: none is changed or removed; new ones may be
 * added.
 *
 * 0 to 3 say how far the call came. From 16 on, nothing was done, and nothing was written unless a
 * function says so.
 */
typedef enum placemat_status {
    /** Everything is done. */
    PLACEMAT_OK = 0,
    /** The whole chunk is read, and the text has not ended: push more, or finish. */
    PLACEMAT_NEED_INPUT = 1,
    /**
     * The next character does not fit into the room: pass the rest of the input again, with new
     * room.
     */
    PLACEMAT_NEED_OUTPUT = 2,
    /**
     * The text is malformed, or the target cannot hold a character of it; the error says what and
     * where.
     */
    PLACEMAT_TEXT_ERROR = 3,
    /** A pointer is NULL that must not be NULL. */
    PLACEMAT_NULL_POINTER = 16,
    /**
     * A length is greater than any object can be (PTRDIFF_MAX), or reaches past the end of memory.
     */
    PLACEMAT_TOO_LONG = 17,
    /** No encoding has this number or name, or this build or this function does not convert it. */
    PLACEMAT_UNKNOWN_ENCODING = 18,
    /** A number or name is not valid here, or a reserved field is not 0. */
    PLACEMAT_UNKNOWN_VALUE = 19,
    /**
     * The settings are not possible between these encodings, or the encoding does not support the
     * function.
     */
    PLACEMAT_UNSUITABLE = 20,
    /** Storage is too small or not aligned, or has no transcoder. */
    PLACEMAT_BAD_STORAGE = 21,
    /** Input, room and storage overlap. */
    PLACEMAT_OVERLAP = 22,
    /** A label from an untrusted source names an encoding that is not safe there. */
    PLACEMAT_UNSAFE_ENCODING = 23,
    /**
     * The text seems to be something else than UTF-8 with a few errors, so a repair would do harm;
     * or it is not the text that the report of a repair describes.
     */
    PLACEMAT_REFUSED = 24,
    /** A bug in the library; please report it. Do not use what was written. */
    PLACEMAT_INTERNAL = 25,
} placemat_status;

/**
 * The name of a status, such as "PLACEMAT_OK"; NULL if no status has this number. The string is
 * static.
 */
const char *placemat_status_name(uint32_t status);

/**
 * The meaning of a status, in a few English words in lower case; NULL if no status has this number.
 * The string is static.
 */
const char *placemat_status_message(uint32_t status);

/** The kinds of errors of a text, in the terms of the standards. The numbers are fixed. */
typedef enum placemat_kind {
    /** Nothing is wrong. */
    PLACEMAT_NO_ERROR = 0,
    /** A continuation byte (or the second half of a pair) where a sequence should start. */
    PLACEMAT_UNEXPECTED_CONTINUATION = 1,
    /** A sequence that the next byte cannot continue. */
    PLACEMAT_MISSING_CONTINUATION = 2,
    /** A sequence that the end of the input cuts off. */
    PLACEMAT_TRUNCATED = 3,
    /** A value written in more bytes than it needs. */
    PLACEMAT_OVERLONG = 4,
    /** A surrogate code point, or an unpaired surrogate code unit. */
    PLACEMAT_SURROGATE = 5,
    /** A value above the range of the encoding. */
    PLACEMAT_TOO_LARGE = 6,
    /** A byte that no sequence of the encoding contains. */
    PLACEMAT_INVALID_BYTE = 7,
    /** The right value, written in a way that the encoding does not allow. */
    PLACEMAT_NON_CANONICAL = 8,
    /** A character that the target cannot hold. */
    PLACEMAT_UNENCODABLE = 9,
} placemat_kind;

/**
 * The name of a placemat_kind, as the command prints it: "overlong"; NULL for 0, and if no kind has
 * this number. The string is static.
 */
const char *placemat_kind_name(uint32_t kind);

/**
 * One malformed sequence, or one character that the target cannot hold.
 *
 * In UTF-8 the length is that of the maximal subpart (Unicode 3.9, D93b), as the WHATWG Encoding
 * Standard counts.
 */
typedef struct placemat_error {
    /**
     * The offset of its first byte from the start of the text (of all chunks together), from 0.
     */
    uint64_t offset;
    /** The number of its bytes. */
    uint32_t length;
    /** The kind of the error. */
    placemat_kind kind;
} placemat_error;

/* Encodings ==================================================================== */

/**
 * An encoding, as a number; 0 is no encoding.
 *
 * The forms of Unicode have the fixed numbers of placemat_form. The number of any other encoding is
 * valid only while the program runs: look it up by name, and store the name, not the number.
 */
typedef uint32_t placemat_encoding;

/**
 * The forms of Unicode, and the single-byte encodings that the core library converts. The part of a
 * name after the second underscore is its profile: a named deviation from the strict form. The
 * numbers are fixed: none is changed or removed; new ones may be added.
 */
typedef enum placemat_form {
    /** No encoding. */
    PLACEMAT_NO_ENCODING = 0,
    /** `utf-8`: one to four bytes, for scalar values only (RFC 3629, Unicode D92). */
    PLACEMAT_UTF_8 = 1,
    /**
     * `utf-8/surrogates`: lets `D800..DFFF` pass by value, paired or not (generalised UTF-8;
     * Python's `surrogatepass`).
     */
    PLACEMAT_UTF_8_SURROGATES = 2,
    /** `utf-8-rfc2279`: one to six octets, to `7FFF_FFFF`, without surrogates (RFC 2279). */
    PLACEMAT_UTF_8_RFC2279 = 3,
    /** `utf-8-rfc2279/surrogates`: lets surrogates pass by value, as that RFC leaves it open. */
    PLACEMAT_UTF_8_RFC2279_SURROGATES = 4,
    /**
     * `fss-utf-1992-07`: the proposal of July 1992, which adds an offset for each length, so that
     * no value has two spellings.
     */
    PLACEMAT_FSS_UTF_1992_07 = 5,
    /**
     * `fss-utf-1992-09`: Ken Thompson's mail of September 1992: the layout of UTF-8, to six bytes,
     * surrogates included.
     */
    PLACEMAT_FSS_UTF_1992_09 = 6,
    /**
     * `utf-1`: ISO/IEC 10646-1:1993 annex G: one to five bytes, printable ASCII within longer
     * sequences.
     */
    PLACEMAT_UTF_1 = 7,
    /** `utf-7`: RFC 2152: runs of base64 in seven bits; writes Set O directly. */
    PLACEMAT_UTF_7 = 8,
    /** `utf-7/base64`: writes Set O in base64, as mail headers need it; reads as `utf-7`. */
    PLACEMAT_UTF_7_BASE64 = 9,
    /**
     * `utf-7/lenient`: also takes what the RFC only advises against: any byte below 80 as itself,
     * zero bits left over, a pair over two runs.
     */
    PLACEMAT_UTF_7_LENIENT = 10,
    /**
     * `utf-7-imap`: the names of mailboxes (RFC 3501, 5.1.3): `&` for `+`, `,` for `/`, and one way
     * only to write each.
     */
    PLACEMAT_UTF_7_IMAP = 11,
    /** `utf-16le`: pairs of surrogates only, low byte first (RFC 2781). */
    PLACEMAT_UTF_16LE = 12,
    /** `utf-16be`: pairs of surrogates only, high byte first (RFC 2781). */
    PLACEMAT_UTF_16BE = 13,
    /** `utf-16le/surrogates`: lone surrogates pass both ways: what Windows and JavaScript hold. */
    PLACEMAT_UTF_16LE_SURROGATES = 14,
    /** `utf-16be/surrogates`: lone surrogates pass both ways, high byte first. */
    PLACEMAT_UTF_16BE_SURROGATES = 15,
    /** `ucs-2le`: 16-bit units that are code points, surrogates too; low byte first. */
    PLACEMAT_UCS_2LE = 16,
    /** `ucs-2be`: 16-bit units that are code points, surrogates too; high byte first. */
    PLACEMAT_UCS_2BE = 17,
    /** `ucs-2le/pairs`: pairs are undone and written, as RFC 2279 section 2 asks. */
    PLACEMAT_UCS_2LE_PAIRS = 18,
    /** `ucs-2be/pairs`: pairs are undone and written, high byte first. */
    PLACEMAT_UCS_2BE_PAIRS = 19,
    /** `utf-32le`: scalar values in four bytes, low byte first (Unicode D90). */
    PLACEMAT_UTF_32LE = 20,
    /** `utf-32be`: scalar values in four bytes, high byte first (Unicode D90). */
    PLACEMAT_UTF_32BE = 21,
    /**
     * `ucs-4le`: any value to `7FFF_FFFF`, low byte first: the code points as numbers, whatever
     * form they came from.
     */
    PLACEMAT_UCS_4LE = 22,
    /** `ucs-4be`: any value to `7FFF_FFFF`, high byte first. */
    PLACEMAT_UCS_4BE = 23,
    /**
     * `cesu-8`: UTF-16 in which each unit takes one to three bytes; no lone surrogates (Unicode
     * Technical Report 26).
     */
    PLACEMAT_CESU_8 = 24,
    /** `cesu-8/lenient`: lone surrogates pass; four-byte sequences are still refused. */
    PLACEMAT_CESU_8_LENIENT = 25,
    /** `mutf-8`: Java's Modified UTF-8: CESU-8 with `C0 80` for U+0000, and lone surrogates. */
    PLACEMAT_MUTF_8 = 26,
    /** `mutf-8/java`: reads what `readUTF` reads: a bare `00` and overlong sequences too. */
    PLACEMAT_MUTF_8_JAVA = 27,
    /** `mutf-8/jvm-old`: reads what class files to version 47 may hold. */
    PLACEMAT_MUTF_8_JVM_OLD = 28,
    /** `mutf-8/art`: reads what Android's later check accepts. */
    PLACEMAT_MUTF_8_ART = 29,
    /** `utf8mb3`: what MySQL called `utf8`: UTF-8 to U+FFFF. */
    PLACEMAT_UTF8MB3 = 30,
    /** `wtf-8`: generalised UTF-8 in which a pair is always one character (Simon Sapin). */
    PLACEMAT_WTF_8 = 31,
    /**
     * `utf-8b`: bytes that are not UTF-8 travel as `DC80..DCFF`; the writer refuses escapes that
     * would forge a character.
     */
    PLACEMAT_UTF_8B = 32,
    /** `utf-8b/python`: its writer does not check for forged characters, as in Python. */
    PLACEMAT_UTF_8B_PYTHON = 33,
    /**
     * `optu-8`: MirBSD's UTF-8 to U+FFFD, in which `EF80..EFFF` stand for bytes; the writer refuses
     * forged characters.
     */
    PLACEMAT_OPTU_8 = 34,
    /** `optu-8/mirbsd`: its writer does not check for forged characters. */
    PLACEMAT_OPTU_8_MIRBSD = 35,
    /** `optu-16`: the 16-bit units of OPTU-8, high byte first. */
    PLACEMAT_OPTU_16 = 36,
    /** `optu-16le`: the 16-bit units of OPTU-8, low byte first. */
    PLACEMAT_OPTU_16LE = 37,
    /** `us-ascii`: `00..7F` (ANSI X3.4, RFC 20). */
    PLACEMAT_US_ASCII = 38,
    /** `iso-8859-1`: Latin-1: all 256 bytes are the code points of that number. */
    PLACEMAT_ISO_8859_1 = 39,
    /** `windows-1252`: the web's table, in which five unused bytes are C1 controls (WHATWG). */
    PLACEMAT_WINDOWS_1252 = 40,
    /**
     * `unicode-1-1-utf-8`: UTF-8 whose Hangul stands where Unicode 1.1 had it (RFC 2279, section
     * 5).
     */
    PLACEMAT_UNICODE_1_1_UTF_8 = 41,
    /** `unicode-1-1-utf-8/lenient`: `AC00..D7A3` pass as themselves. */
    PLACEMAT_UNICODE_1_1_UTF_8_LENIENT = 42,
    /** `utf-8/bom`: strips one leading byte order mark (BOM), and writes one. */
    PLACEMAT_UTF_8_BOM = 43,
    /** `utf-16`: a byte order mark decides; big-endian without one; writes one. */
    PLACEMAT_UTF_16 = 44,
    /** `utf-16/surrogates`: like `utf-16`, and lone surrogates pass. */
    PLACEMAT_UTF_16_SURROGATES = 45,
    /**
     * `utf-16/web`: a byte order mark decides and is removed; little-endian without one; writes
     * none, except before a text that begins with U+FEFF or U+FFFE.
     */
    PLACEMAT_UTF_16_WEB = 46,
    /** `ucs-2`: a byte order mark decides; big-endian without one; writes one. */
    PLACEMAT_UCS_2 = 47,
    /** `ucs-2/pairs`: like `ucs-2`, and pairs are undone and written. */
    PLACEMAT_UCS_2_PAIRS = 48,
    /** `utf-32`: a byte order mark decides; big-endian without one; writes one. */
    PLACEMAT_UTF_32 = 49,
    /** `ucs-4`: a byte order mark decides; big-endian without one; writes one. */
    PLACEMAT_UCS_4 = 50,
} placemat_form;

/**
 * Returns the encoding with a name as people write it: "utf-8", "UTF 16 LE", "latin1", "shift_jis";
 * 0 if the name is unknown or NULL.
 *
 * The name ends with a NUL and is read as PLACEMAT_LABELS_LENIENT reads labels.
 * Cost: one look-up in a hash table.
 * Pointers: `name` is NULL or ends with a NUL.
 */
placemat_encoding placemat_encoding_by_name(const char *name);

/**
 * The canonical name of an encoding: "utf-16le", "mutf-8/java", "koi8-r"; NULL if no encoding has
 * this number. The string is static.
 */
const char *placemat_encoding_name(placemat_encoding encoding);

/**
 * Whether an encoding is a form. Every function accepts forms; other encodings are accepted only by
 * the functions that allocate.
 */
bool placemat_encoding_is_form(placemat_encoding encoding);

/**
 * Writes the first `room` of the encodings that this library converts to `encodings`, forms first.
 * Returns the number of all of them.
 *
 * Nothing is written if `encodings` is NULL.
 * Pointers: `encodings` is NULL or points to room for `room` numbers.
 */
size_t placemat_encodings(placemat_encoding *encodings,
                          size_t room);

/** Properties of a form. */
typedef struct placemat_facts {
    /** The least number of bytes of a code point. */
    uint8_t least;
    /** The greatest number of bytes of a code point (in UTF-7 with its shifts). */
    uint8_t most;
    /** Bytes 00 to 7F are always exactly the ASCII characters. */
    bool ascii_transparent;
    /**
     * The next boundary can be found from any byte (in UTF-16 and UTF-32: from any code unit),
     * without reading from the start.
     */
    bool self_synchronising;
    /** Comparing texts byte by byte gives the order of their code points. */
    bool order_preserving;
} placemat_facts;

/**
 * Writes the properties of a form.
 *
 * Errors: PLACEMAT_UNKNOWN_ENCODING if it is not a form, PLACEMAT_NULL_POINTER.
 * Pointers: `facts` is NULL or points to a placemat_facts.
 */
placemat_status placemat_form_facts(placemat_encoding form, placemat_facts *facts);

/**
 * The readers of labels. A label can mean different encodings to different readers: `latin1` is ISO
 * 8859-1 for IANA and windows-1252 for the web.
 */
typedef enum placemat_labels {
    /**
     * placemat's own names, then those of IANA, of the web, and unofficial ones. Spaces, `_` and
     * `-` are ignored.
     */
    PLACEMAT_LABELS_LENIENT = 0,
    /** The names and aliases of the IANA registry. */
    PLACEMAT_LABELS_IANA = 1,
    /** The 228 labels of the WHATWG Encoding Standard, with their meaning in browsers. */
    PLACEMAT_LABELS_WHATWG = 2,
    /**
     * The IANA registry, and the label that RFC 2279 proposed for text with the Hangul of Unicode
     * 1.1.
     */
    PLACEMAT_LABELS_RFC2279 = 3,
    /** The names of Oracle Database, then the IANA registry. */
    PLACEMAT_LABELS_ORACLE = 4,
    /** The names of MySQL and MariaDB, then the IANA registry. */
    PLACEMAT_LABELS_MYSQL = 5,
} placemat_labels;

/**
 * Finds the encoding that a label of a document means to a reader of labels, a placemat_labels.
 *
 * White space around the label and the case of its letters are ignored. Labels that WHATWG maps to
 * "replacement" have a number too, but no function converts it.
 * Errors: PLACEMAT_UNKNOWN_ENCODING if this reader does not know the label (`*encoding` is 0 then),
 * PLACEMAT_UNKNOWN_VALUE for an unknown reader, PLACEMAT_NULL_POINTER.
 * Cost: one pass over at most 256 bytes of the label.
 * Pointers: `label` points to `length` bytes; `encoding` is NULL or points to a number.
 */
placemat_status placemat_label(uint32_t reader,
                               const void *label,
                               size_t length,
                               placemat_encoding *encoding);

/**
 * Like placemat_label, for a label from an untrusted source, such as a header or a document of the
 * web.
 *
 * UTF-7 can write `<` in ways that a filter does not see, and a lenient profile accepts what the
 * strict form refuses. A label for either is refused, unless its form is one of the `count` numbers
 * in `allowed`.
 * Errors: as placemat_label, and PLACEMAT_UNSAFE_ENCODING if the label is refused; `*encoding` is 0
 * then. PLACEMAT_OVERLAP if `encoding` points into `allowed`.
 * Pointers: As placemat_label; `allowed` points to `count` numbers.
 */
placemat_status placemat_label_untrusted(uint32_t reader,
                                         const void *label,
                                         size_t length,
                                         const placemat_encoding *allowed,
                                         size_t count,
                                         placemat_encoding *encoding);

/* Is it well-formed ============================================================ */

/**
 * Whether the bytes are well-formed UTF-8 (RFC 3629, Unicode D92). For NULL with a length other
 * than 0 it returns false.
 *
 * Cost: one pass with the vector instructions of this CPU.
 * Pointers: `data` points to `length` bytes.
 */
bool placemat_is_valid(const void *data,
                       size_t length);

/**
 * Checks whether the bytes are well-formed UTF-8, and finds the first error if not.
 *
 * `error` may be NULL; if nothing is wrong, its kind becomes PLACEMAT_NO_ERROR.
 * Errors: PLACEMAT_TEXT_ERROR, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG.
 * Cost: one pass with the vector instructions of this CPU.
 * Pointers: `data` points to `length` bytes; `error` is NULL or points to a placemat_error.
 */
placemat_status placemat_validate(const void *data, size_t length, placemat_error *error);

/**
 * Finds the first error of a text in any form.
 *
 * `error` may be NULL; if nothing is wrong, its kind becomes PLACEMAT_NO_ERROR.
 * Errors: PLACEMAT_TEXT_ERROR, PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG.
 * Cost: one pass, up to the error.
 * Pointers: As placemat_validate.
 */
placemat_status placemat_first_error(placemat_encoding form,
                                     const void *data,
                                     size_t length,
                                     placemat_error *error);

/**
 * The function that placemat_errors calls for each error. If it returns false, the search ends.
 *
 * It must return: it must not throw an exception or jump out.
 */
typedef bool (*placemat_on_error)(const placemat_error *error, void *context);

/**
 * Finds every error of a text, in order: calls `call` for each, with `context`, until it returns
 * false.
 *
 * `call` must not keep the pointer to the error. `count` may be NULL; it becomes the number of
 * calls. Returns PLACEMAT_OK also if there are errors.
 * Errors: PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG.
 * Cost: one pass, and the calls.
 * Pointers: `data` points to `length` bytes, also during the calls; `count` is NULL or points to a
 * number.
 */
placemat_status placemat_errors(placemat_encoding form,
                                const void *data,
                                size_t length,
                                placemat_on_error call,
                                void *context,
                                uint64_t *count);

/**
 * Finds every error of a text, in order, and writes the first `room` of them to `errors`. `*count`
 * becomes the number of all errors, which may be greater.
 *
 * `errors` may be NULL if `room` is 0; `count` may be NULL. Returns PLACEMAT_OK also if there are
 * errors.
 * Errors: PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG.
 * Cost: one pass.
 * Pointers: `data` points to `length` bytes, `errors` to room for `room` errors; `count` is NULL or
 * points to a number.
 */
placemat_status placemat_errors_into(placemat_encoding form,
                                     const void *data,
                                     size_t length,
                                     placemat_error *errors,
                                     size_t room,
                                     uint64_t *count);

/* Counts, boundaries, byte order marks ========================================= */

/**
 * The counts of a text. A malformed sequence counts as one code point and as one UTF-16 code unit.
 */
typedef struct placemat_counts {
    /** Code points. */
    uint64_t code_points;
    /** The number of code units of the text in UTF-16. */
    uint64_t utf16_units;
    /** Occurrences of U+000A. */
    uint64_t lines;
    /** Malformed sequences. */
    uint64_t errors;
} placemat_counts;

/**
 * Counts code points, UTF-16 code units, lines and errors of a text.
 *
 * Errors: PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG.
 * Cost: one pass; allocates nothing.
 * Pointers: `data` points to `length` bytes, `counts` to a placemat_counts.
 */
placemat_status placemat_count(placemat_encoding form,
                               const void *data,
                               size_t length,
                               placemat_counts *counts);

/**
 * Finds the last boundary at or before byte `index`: the start of a character or of an error, or
 * the end.
 *
 * An `index` beyond the end is treated as the end. The text may be malformed; a cut at a boundary
 * never divides a character.
 * Errors: PLACEMAT_UNSUITABLE for forms that can only be read from the start (UTF-1, UTF-7, the
 * FSS-UTF of July 1992), PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG.
 * Cost: constant; in UTF-8 it reads at most 3 bytes before `index`.
 * Pointers: `data` points to `length` bytes, `boundary` to a number.
 */
placemat_status placemat_boundary_floor(placemat_encoding form,
                                        const void *data,
                                        size_t length,
                                        size_t index,
                                        size_t *boundary);

/**
 * Finds the first boundary at or after byte `index`; the end, for an `index` beyond it. Otherwise
 * like placemat_boundary_floor.
 *
 * Pointers: As placemat_boundary_floor.
 */
placemat_status placemat_boundary_ceil(placemat_encoding form,
                                       const void *data,
                                       size_t length,
                                       size_t index,
                                       size_t *boundary);

/**
 * Finds the first boundary after byte `index`; the end, if there is none. Otherwise like
 * placemat_boundary_floor.
 *
 * Pointers: As placemat_boundary_floor.
 */
placemat_status placemat_boundary_next(placemat_encoding form,
                                       const void *data,
                                       size_t length,
                                       size_t index,
                                       size_t *boundary);

/**
 * Finds the last boundary before byte `index`; 0, if there is none. Otherwise like
 * placemat_boundary_floor.
 *
 * Pointers: As placemat_boundary_floor.
 */
placemat_status placemat_boundary_previous(placemat_encoding form,
                                           const void *data,
                                           size_t length,
                                           size_t index,
                                           size_t *boundary);

/**
 * Whether byte `index` is a boundary. The end is one; an index beyond it is not. Otherwise like
 * placemat_boundary_floor.
 *
 * Pointers: `data` points to `length` bytes, `is_boundary` to a bool.
 */
placemat_status placemat_is_boundary(placemat_encoding form,
                                     const void *data,
                                     size_t length,
                                     size_t index,
                                     bool *is_boundary);

/**
 * Returns the form that a byte order mark at the start announces, or 0: PLACEMAT_UTF_8,
 * PLACEMAT_UTF_16LE, PLACEMAT_UTF_16BE, PLACEMAT_UTF_32LE or PLACEMAT_UTF_32BE.
 *
 * `mark_length` may be NULL; it becomes the length of the mark in bytes, or 0. FF FE 00 00 is read
 * as the mark of UTF-32, not as that of UTF-16 before U+0000.
 * Pointers: `data` points to `length` bytes; `mark_length` is NULL or points to a number.
 */
placemat_encoding placemat_bom_of(const void *data,
                                  size_t length,
                                  size_t *mark_length);

/* Settings of conversions ====================================================== */

/**
 * What to do with malformed input. The numbers are fixed; the command uses the same names in lower
 * case with hyphens.
 */
typedef enum placemat_policy {
    /** Report the first error and stop. */
    PLACEMAT_STOP = 0,
    /** U+FFFD for each error (as in Unicode and on the web); `?` if the target lacks it. */
    PLACEMAT_REPLACE = 1,
    /** U+FFFD for each byte of an error (Go's `range`). */
    PLACEMAT_REPLACE_BYTE = 2,
    /** U+FFFD for each sequence as its lead byte announced it (Perl). */
    PLACEMAT_REPLACE_SEQUENCE = 3,
    /** U+FFFD for each run of errors (Go's `ToValidUTF8`). */
    PLACEMAT_REPLACE_RUN = 4,
    /** Leave the error out. Unsafe after a filter: it joins text that the error separated. */
    PLACEMAT_SKIP = 5,
    /** Each byte as its character of ISO 8859-1. */
    PLACEMAT_LATIN1 = 6,
    /** Each byte as its character of windows-1252, by the web's table. */
    PLACEMAT_CP1252 = 7,
    /** Each byte as its character of windows-1252; U+FFFD for the five unused ones. */
    PLACEMAT_CP1252_STRICT = 8,
    /**
     * Each byte as U+DC00 + byte (Python's surrogateescape), for targets that hold lone surrogates.
     */
    PLACEMAT_SURROGATEESCAPE = 9,
    /** Each byte as U+EF00 + byte (MirBSD's OPTU). */
    PLACEMAT_OPTU = 10,
    /** Each byte as the text `\xhh`. */
    PLACEMAT_ESCAPE = 11,
} placemat_policy;

/**
 * The name of a placemat_policy, as the command accepts it: "replace-byte"; NULL if no policy has
 * this number. The string is static.
 */
const char *placemat_policy_name(uint32_t policy);

/** What to do with a character that the target cannot hold. The numbers are fixed. */
typedef enum placemat_unencodable {
    /** Report it and stop. */
    PLACEMAT_UNENCODABLE_STOP = 0,
    /**
     * Write the character `replacement` of the settings; if that is 0, U+FFFD, or `?` if the target
     * lacks that.
     */
    PLACEMAT_UNENCODABLE_REPLACE = 1,
    /** Leave it out. */
    PLACEMAT_UNENCODABLE_SKIP = 2,
    /** Write the text `\u{20ac}`. */
    PLACEMAT_UNENCODABLE_ESCAPE = 3,
    /** Write the numeric character reference `&#8364;`. */
    PLACEMAT_UNENCODABLE_NCR = 4,
} placemat_unencodable;

/** What to do with a byte order mark. The numbers are fixed. */
typedef enum placemat_bom {
    /** Keep it; drop it if the target cannot hold it. */
    PLACEMAT_BOM_KEEP = 0,
    /** Remove one. */
    PLACEMAT_BOM_STRIP = 1,
    /** Write one if there is none. Not possible for a target that cannot hold it. */
    PLACEMAT_BOM_ADD = 2,
} placemat_bom;

/**
 * What to do with errors and a byte order mark. All zeros (`= {0}`) are the defaults: stop at the
 * first error, keep a mark.
 *
 * PLACEMAT_REPLACE together with PLACEMAT_UNENCODABLE_REPLACE never stops, whatever the encodings.
 */
typedef struct placemat_settings {
    /** A placemat_policy. */
    uint32_t on_error;
    /** A placemat_unencodable. */
    uint32_t unencodable;
    /**
     * The code point for PLACEMAT_UNENCODABLE_REPLACE, which the target must have; 0 for U+FFFD or
     * `?`.
     */
    uint32_t replacement;
    /** A placemat_bom. */
    uint32_t bom;
    /** Must be zeros. */
    uint32_t reserved[4];
} placemat_settings;

/**
 * Sets a field of settings by the name and value of the command's option.
 *
 * `name` is "on-error" (a placemat_policy in lower case with hyphens: "replace-byte"),
 * "unencodable" ("stop", "replace", "replace=X" with one character, "skip", "escape", "ncr") or
 * "bom" ("keep", "strip", "add"). `*settings` must be initialised, at least with zeros.
 * Errors: PLACEMAT_UNKNOWN_VALUE, which leaves `*settings` unchanged, PLACEMAT_NULL_POINTER.
 * Pointers: `settings` is NULL or points to settings; `name` and `value` are NULL or end with a
 * NUL.
 */
placemat_status placemat_settings_set(placemat_settings *settings,
                                      const char *name,
                                      const char *value);

/* Conversion in memory of the caller =========================================== */

/* Between forms; no function here allocates. */

/** The result of one call. */
typedef struct placemat_step {
    /** The number of bytes of the input that were read; do not pass them again. */
    size_t read;
    /**
     * The number of bytes written to the start of the room. The bytes after them may have been
     * overwritten.
     */
    size_t written;
    /** The error with PLACEMAT_TEXT_ERROR; otherwise its kind is PLACEMAT_NO_ERROR. */
    placemat_error error;
} placemat_step;

/**
 * Computes the exact number of bytes that a text has in another form, without converting it.
 *
 * `settings` may be NULL for the defaults, `error` may be NULL. `*bytes` is written only on
 * success.
 * Errors: PLACEMAT_TEXT_ERROR, PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_UNKNOWN_VALUE,
 * PLACEMAT_UNSUITABLE, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG.
 * Cost: one pass; allocates nothing.
 * Pointers: `data` points to `length` bytes; `settings` is NULL or points to settings, `error` is
 * NULL or points to a placemat_error; `bytes` points to a number.
 */
placemat_status placemat_length(placemat_encoding from,
                                placemat_encoding to,
                                const placemat_settings *settings,
                                const void *data,
                                size_t length,
                                size_t *bytes,
                                placemat_error *error);

/**
 * Converts a whole text from one form to another: `length` bytes of `data` into `room` bytes of
 * `out`.
 *
 * `settings` may be NULL for the defaults. Returns PLACEMAT_OK when the whole text is converted.
 * With PLACEMAT_NEED_OUTPUT and PLACEMAT_TEXT_ERROR, the step says how much was read and written:
 * whole characters up to the end of the room, or up to the error, which then counts as read.
 * placemat_length computes the room that is needed.
 * Errors: PLACEMAT_UNKNOWN_ENCODING (also for encodings that are not forms),
 * PLACEMAT_UNKNOWN_VALUE, PLACEMAT_UNSUITABLE, PLACEMAT_OVERLAP, PLACEMAT_NULL_POINTER,
 * PLACEMAT_TOO_LONG; then nothing is written except the step, if it is valid, which becomes zeros.
 * Cost: linear, with the vector instructions of this CPU for frequent pairs; allocates nothing.
 * Pointers: `data` points to `length` bytes, `out` to room for `room` bytes, `step` to a
 * placemat_step; `settings` is NULL or points to settings.
 */
placemat_status placemat_convert_into(placemat_encoding from,
                                      placemat_encoding to,
                                      const placemat_settings *settings,
                                      const void *data,
                                      size_t length,
                                      void *out,
                                      size_t room,
                                      placemat_step *step);

/**
 * The bytes of storage that are enough for a transcoder of every version with this
 * PLACEMAT_VERSION_MAJOR.
 */
#define PLACEMAT_TRANSCODER_SIZE 1024

/** The bytes of room that are enough for a call to make progress. */
#define PLACEMAT_MIN_ROOM 16

/**
 * Converts a stream from one form to another, in chunks of any size. It lives in storage of the
 * caller and allocates no memory, so it need not be freed: use the storage for something else
 * whenever you like.
 *
 * Only one thread may use it at a time. Its bytes may be copied to other storage that is aligned,
 * too; the copy is a second transcoder that continues from the same position.
 */
typedef struct placemat_transcoder placemat_transcoder;

/** The size of a transcoder in bytes; at most PLACEMAT_TRANSCODER_SIZE. */
size_t placemat_transcoder_size(void);

/** The alignment of a transcoder in bytes; at most that of uint64_t. */
size_t placemat_transcoder_align(void);

/**
 * Creates a transcoder in `size` bytes of `storage`; `*transcoder` becomes a pointer to it, or
 * NULL.
 *
 * `settings` may be NULL for the defaults. The storage must not move while the transcoder is used.
 * Errors: PLACEMAT_BAD_STORAGE if it is too small or not aligned, PLACEMAT_UNKNOWN_ENCODING (also
 * for encodings that are not forms), PLACEMAT_UNKNOWN_VALUE, PLACEMAT_UNSUITABLE,
 * PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG.
 * Cost: constant; allocates nothing.
 * Pointers: `storage` points to `size` bytes that nobody else uses while the transcoder is in use;
 * `settings` is NULL or points to settings; `transcoder` points to a pointer outside the storage.
 */
placemat_status placemat_transcoder_init(void *storage,
                                         size_t size,
                                         placemat_encoding from,
                                         placemat_encoding to,
                                         const placemat_settings *settings,
                                         placemat_transcoder **transcoder);

/**
 * Converts the next chunk of the input: `length` bytes of `data` into `room` bytes of `out`.
 *
 * Returns PLACEMAT_NEED_INPUT when the whole chunk is read (the bytes of an unfinished sequence are
 * kept for the next call). Returns PLACEMAT_NEED_OUTPUT when the room is full, and
 * PLACEMAT_TEXT_ERROR at an error: then pass the rest of the chunk again, from `step->read` on.
 * After an error this continues after the error. The sizes of chunks and room do not change what is
 * written. A character is never written in parts, so less room than PLACEMAT_MIN_ROOM bytes may not
 * be enough for one.
 * Errors: PLACEMAT_BAD_STORAGE, PLACEMAT_OVERLAP, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG; then
 * nothing is read or written except the step, if it is valid, which becomes zeros.
 * Cost: linear, with the vector instructions of this CPU for frequent pairs; allocates nothing.
 * Pointers: `transcoder` was returned by placemat_transcoder_init and is used by this thread only;
 * `data` points to `length` bytes, `out` to room for `room` bytes, `step` to a placemat_step.
 */
placemat_status placemat_transcoder_push(placemat_transcoder *transcoder,
                                         const void *data,
                                         size_t length,
                                         void *out,
                                         size_t room,
                                         placemat_step *step);

/**
 * Ends the input: converts what was kept, and writes what the target needs at the end of a text.
 *
 * Returns PLACEMAT_OK when everything is written. The transcoder is then at the start of a new
 * stream, and another finish writes nothing. After PLACEMAT_NEED_OUTPUT, call it again with new
 * room; after PLACEMAT_TEXT_ERROR, call it again to continue after the error.
 * Errors and cost: as placemat_transcoder_push.
 * Pointers: As placemat_transcoder_push.
 */
placemat_status placemat_transcoder_finish(placemat_transcoder *transcoder,
                                           void *out,
                                           size_t room,
                                           placemat_step *step);

/**
 * Starts a new stream with the same encodings and settings. What was kept is dropped, and the
 * number of errors becomes 0.
 *
 * Errors: PLACEMAT_BAD_STORAGE, PLACEMAT_NULL_POINTER.
 * Pointers: As placemat_transcoder_push.
 */
placemat_status placemat_transcoder_reset(placemat_transcoder *transcoder);

/**
 * The number of errors so far: malformed sequences, and characters that the target could not hold.
 * 0 for NULL.
 *
 * Pointers: As placemat_transcoder_push.
 */
uint64_t placemat_transcoder_errors(placemat_transcoder *transcoder);

/**
 * The number of bytes of the input that are converted: those read, without those of an unfinished
 * sequence. 0 for NULL.
 *
 * Pointers: As placemat_transcoder_push.
 */
uint64_t placemat_transcoder_offset(placemat_transcoder *transcoder);

/**
 * The form of the input. It differs from the one asked for only if a byte order mark selected it. 0
 * for NULL.
 *
 * Pointers: As placemat_transcoder_push.
 */
placemat_encoding placemat_transcoder_source(placemat_transcoder *transcoder);

/* What allocates =============================================================== */

/*
 * Every encoding, repair, detection, explanations. A library that was built without the feature
 * "text" lacks this section.
 */

/** Bytes that the library allocated. Free them with placemat_buffer_free, not with free(). */
typedef struct placemat_buffer {
    /**
     * The bytes, followed by a NUL that `length` does not count. Never NULL if a function says that
     * it fills a buffer.
     */
    uint8_t *data;
    /** The number of bytes. */
    size_t length;
    /** The number of bytes that were allocated. */
    size_t capacity;
} placemat_buffer;

/**
 * Frees the bytes of a buffer, and makes it empty: `{NULL, 0, 0}`. NULL and an empty buffer are
 * ignored.
 *
 * Pointers: `buffer` is NULL or points to a buffer that a function of this library filled, or to
 * zeros.
 */
void placemat_buffer_free(placemat_buffer *buffer);

/**
 * Converts a whole text from any encoding to any other, including legacy encodings.
 *
 * `settings` may be NULL for the defaults. `*out` becomes the output; with PLACEMAT_TEXT_ERROR, the
 * output up to the error. `errors` may be NULL; it becomes the number of errors that the settings
 * replaced, or 0 if an error stopped the conversion. `error` may be NULL; it becomes the error at
 * which the conversion stopped, with an offset in bytes of the source.
 * Errors: PLACEMAT_TEXT_ERROR, PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_UNKNOWN_VALUE,
 * PLACEMAT_UNSUITABLE, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG; `*out` is empty then, except for
 * the first.
 * Cost: linear; allocates `*out`, and about 100 KB during the call if one of the encodings is not a
 * form.
 * Pointers: `data` points to `length` bytes, `out` to a placemat_buffer, which is overwritten. The
 * other pointers are NULL or point to values of their types.
 */
placemat_status placemat_convert(placemat_encoding from,
                                 placemat_encoding to,
                                 const placemat_settings *settings,
                                 const void *data,
                                 size_t length,
                                 placemat_buffer *out,
                                 uint64_t *errors,
                                 placemat_error *error);

/**
 * Converts a stream from any encoding to any other, in chunks of any size. Free it with
 * placemat_converter_free.
 *
 * Only one thread may use it at a time.
 */
typedef struct placemat_converter placemat_converter;

/**
 * Creates a converter between any two encodings; `*converter` becomes a pointer to it, or NULL.
 *
 * `settings` may be NULL for the defaults. Free the converter with placemat_converter_free.
 * Errors: PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_UNKNOWN_VALUE, PLACEMAT_UNSUITABLE,
 * PLACEMAT_NULL_POINTER.
 * Cost: allocates some 100 KB.
 * Pointers: `settings` is NULL or points to settings; `converter` points to a pointer, which is
 * overwritten.
 */
placemat_status placemat_converter_new(placemat_encoding from,
                                       placemat_encoding to,
                                       const placemat_settings *settings,
                                       placemat_converter **converter);

/**
 * Converts the next chunk of the input; `*out` becomes what was written.
 *
 * Returns PLACEMAT_NEED_INPUT, or PLACEMAT_TEXT_ERROR at an error that stops the stream. `*out`
 * then has the output up to the error, ended like a whole text, and every later call returns the
 * same error and writes nothing. `error` may be NULL. The size of the chunks does not change what
 * is written.
 * Errors: PLACEMAT_TEXT_ERROR, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG; `*out` is empty then,
 * except for the first.
 * Cost: linear; allocates `*out`.
 * Pointers: `converter` was returned by placemat_converter_new and is used by this thread only;
 * `data` points to `length` bytes, `out` to a placemat_buffer, which is overwritten; `error` is
 * NULL or points to a placemat_error.
 */
placemat_status placemat_converter_push(placemat_converter *converter,
                                        const void *data,
                                        size_t length,
                                        placemat_buffer *out,
                                        placemat_error *error);

/**
 * Ends the input; `*out` becomes what the target needs at the end of a text.
 *
 * Returns PLACEMAT_OK, and the next push starts a new stream; or PLACEMAT_TEXT_ERROR like
 * placemat_converter_push: then create a new converter for the next stream.
 * Errors and cost: as placemat_converter_push.
 * Pointers: As placemat_converter_push.
 */
placemat_status placemat_converter_finish(placemat_converter *converter,
                                          placemat_buffer *out,
                                          placemat_error *error);

/**
 * The number of errors of this stream, or of the one just finished, that the settings replaced. 0
 * for NULL, and for a stream that an error stopped.
 *
 * Pointers: As placemat_converter_push.
 */
uint64_t placemat_converter_errors(placemat_converter *converter);

/**
 * Frees a converter. NULL is ignored.
 *
 * Pointers: `converter` is NULL, or was returned by placemat_converter_new and not freed yet.
 */
void placemat_converter_free(placemat_converter *converter);

/**
 * Makes a text well-formed UTF-8 by a policy, a placemat_policy, which applies to every malformed
 * sequence, whatever it was meant to be.
 *
 * `*out` becomes the text; with PLACEMAT_STOP, the text before the first error. `errors` may be
 * NULL; it becomes the number of errors.
 * Errors: PLACEMAT_TEXT_ERROR if the policy stops, PLACEMAT_UNKNOWN_VALUE, PLACEMAT_UNSUITABLE for
 * PLACEMAT_SURROGATEESCAPE, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG; `*out` is empty then, except
 * for the first.
 * Cost: linear; allocates `*out`.
 * Pointers: As placemat_convert.
 */
placemat_status placemat_replace(uint32_t policy,
                                 const void *data,
                                 size_t length,
                                 placemat_buffer *out,
                                 uint64_t *errors);

/** What placemat_repair does in addition. The numbers are fixed; add them up to combine them. */
typedef enum placemat_repair_flags {
    /**
     * Replace what cannot be read otherwise by U+FFFD, even if there is little evidence that the
     * text is UTF-8.
     */
    PLACEMAT_REPAIR_LOSSY = 1,
    /** Read every single malformed byte as windows-1252. */
    PLACEMAT_REPAIR_CP1252 = 2,
    /** Replace overlong sequences by the characters that they encode. Unsafe after a filter. */
    PLACEMAT_REPAIR_OVERLONG = 4,
    /** Replace C0 80 by U+0000. Unsafe after a filter. */
    PLACEMAT_REPAIR_NUL = 8,
    /** Decode text once that was decoded twice. */
    PLACEMAT_REPAIR_MOJIBAKE = 16,
    /** Remove characters that are not shown and that their context does not explain. */
    PLACEMAT_REPAIR_INVISIBLE = 32,
} placemat_repair_flags;

/**
 * Makes a text well-formed UTF-8 and changes nothing else. Each malformed run is read as what it
 * was probably meant to be, if that is likely enough, as the command `placemat repair` does.
 *
 * `flags` is a sum of placemat_repair_flags, or 0. `second` is the encoding of the runs that are
 * not UTF-8, or 0 to guess it. `*out` becomes the text. `report` may be NULL; it becomes a report
 * of the changes with the original bytes, as JSON, one object a line (schema/repair-report.json of
 * placemat-text). placemat_repair_undo uses it to restore the original.
 * Errors: PLACEMAT_REFUSED if the text seems to be something else than UTF-8 with a few errors
 * (placemat_detect_json says what), PLACEMAT_UNKNOWN_VALUE, PLACEMAT_UNKNOWN_ENCODING,
 * PLACEMAT_UNSUITABLE for a second encoding that is a form, PLACEMAT_NULL_POINTER,
 * PLACEMAT_TOO_LONG; `*out` is empty then.
 * Cost: linear; allocates `*out`, the report, and about 100 bytes for each change.
 * Pointers: As placemat_convert; `report` is NULL or points to a placemat_buffer, which is
 * overwritten.
 */
placemat_status placemat_repair(uint32_t flags,
                                placemat_encoding second,
                                const void *data,
                                size_t length,
                                placemat_buffer *out,
                                placemat_buffer *report);

/**
 * Undoes the changes of placemat_repair in a text, by its report. The text must be exactly the
 * repaired one.
 *
 * Errors: PLACEMAT_UNKNOWN_VALUE if this is not a report of one text, PLACEMAT_REFUSED if the text
 * is not the one in the report, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG; `*out` is empty then.
 * Cost: linear; allocates `*out`.
 * Pointers: `report` points to `report_length` bytes, `data` to `length` bytes, `out` to a
 * placemat_buffer, which is overwritten.
 */
placemat_status placemat_repair_undo(const void *report,
                                     size_t report_length,
                                     const void *data,
                                     size_t length,
                                     placemat_buffer *out);

/**
 * Detects the encoding of a text. The result is JSON: `{"type":"file","path":"-","encoding":…}`,
 * see schema/detect.json of placemat-text.
 *
 * `is_complete` is false if the bytes are only the start of a longer text.
 * Errors: PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG; `*out` is empty then.
 * Cost: linear; allocates `*out`, and less than a megabyte while it runs.
 * Pointers: `data` points to `length` bytes, `out` to a placemat_buffer, which is overwritten.
 */
placemat_status placemat_detect_json(const void *data,
                                     size_t length,
                                     bool is_complete,
                                     placemat_buffer *out);

/**
 * Explains bytes, sequence by sequence, as JSON, one object a line, see schema/explain.json of
 * placemat-text.
 *
 * At most `limit` objects are written for the bytes, and at most the first 1,048,576 bytes are
 * read; the last line is a summary.
 * Errors: PLACEMAT_UNKNOWN_ENCODING if it is not a form, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG;
 * `*out` is empty then.
 * Cost: linear; allocates `*out`, about 500 times as long as the bytes, and as much again during
 * the call.
 * Pointers: As placemat_detect_json.
 */
placemat_status placemat_explain_json(placemat_encoding form,
                                      const void *data,
                                      size_t length,
                                      size_t limit,
                                      placemat_buffer *out);

/**
 * Finds characters of UTF-8 that are not shown and that their context does not explain, as JSON,
 * one object a line: `{"type":"hidden","offset":…,"length":…,"bytes":"E2 80
 * 8B","kind":"zero-width"}`; payloads have `"payload"`, the text that they hide.
 *
 * `kinds` are names with commas between ("bidi-unbalanced,zero-width"), "all", "default", or NULL
 * for the default. Malformed bytes are skipped. If nothing is found, `*out` is the empty text.
 * Errors: PLACEMAT_UNKNOWN_VALUE for an unknown kind, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG;
 * `*out` is empty then.
 * Cost: linear; allocates `*out`.
 * Pointers: As placemat_detect_json; `kinds` is NULL or ends with a NUL.
 */
placemat_status placemat_invisible_json(const char *kinds,
                                        const void *data,
                                        size_t length,
                                        placemat_buffer *out);

#ifdef __cplusplus
}
#endif

#endif /* PLACEMAT_H */
