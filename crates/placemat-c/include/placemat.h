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
 * Pointers. NULL with length 0 is the empty input, or no room. NULL where something must be, a
 * length that no object can have, a number that stands for nothing, storage that is not aligned,
 * and parts of memory that must not overlap but do are answered with a status: nothing crashes and
 * nothing is done. What cannot be seen is the caller's word, which stands under "Pointers" of a
 * function: that a pointer leads to as many bytes as its length says, and that no other thread
 * writes to them during the call. The library keeps no pointer behind a call but for transcoders,
 * which live in storage of the caller.
 *
 * Threads. Every function may be called from any thread, at the same time; there is no state but
 * that of transcoders and buffers, each of which is for one thread at a time. No function waits,
 * reads a file, or heeds the locale or the environment.
 *
 * Memory. Only the functions of the last section allocate, what they return in a placemat_buffer.
 * Where there is no memory left these end the process, as Rust does; the others cannot fail so.
 *
 * Time is linear in the length of the input, whatever it holds.
 *
 * Enumerations are handed over as uint32_t, so that every number has an answer.
 *
 * Licensed under MIT or Apache-2.0. This file is made from the sources of the library.
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

/**
 * The version that this header is of: its first number. A greater one means that programs must be
 * compiled again.
 */
#define PLACEMAT_VERSION_MAJOR 0

/** Its second number. A greater one means that something was added. */
#define PLACEMAT_VERSION_MINOR 1

/** Its third number. */
#define PLACEMAT_VERSION_PATCH 0

/**
 * The version of the library that runs: major * 65536 + minor * 256 + patch.
 *
 * Compare it with the header's PLACEMAT_VERSION_MAJOR and so on.
 */
uint32_t placemat_version(void);

/* Answers ====================================================================== */

/**
 * What a function answers. The numbers are fixed: none changes or goes; new ones may come.
 *
 * 0 to 3 say how far the work came; from 16 on nothing was done, and nothing was written but where
 * a function says so.
 */
typedef enum placemat_status {
    /** All was done. */
    PLACEMAT_OK = 0,
    /** The whole chunk is read, and the text is not at its end: push more, or finish. */
    PLACEMAT_NEED_INPUT = 1,
    /**
     * What comes next does not fit into the room: offer the rest of the input again, with new room.
     */
    PLACEMAT_NEED_OUTPUT = 2,
    /**
     * The text is malformed, or the target cannot hold a character of it; the error says what and
     * where.
     */
    PLACEMAT_TEXT_ERROR = 3,
    /** A pointer is NULL that must not be. */
    PLACEMAT_NULL_POINTER = 16,
    /**
     * A length is greater than any object can be (PTRDIFF_MAX), or leads past the end of memory.
     */
    PLACEMAT_TOO_LONG = 17,
    /** No encoding has this number or name, or not in this build or for this function. */
    PLACEMAT_UNKNOWN_ENCODING = 18,
    /** A number or name stands for none of what is asked for, or a reserved field is not 0. */
    PLACEMAT_UNKNOWN_VALUE = 19,
    /**
     * The settings cannot serve between these encodings, or the encoding cannot do what is asked
     * for.
     */
    PLACEMAT_UNSUITABLE = 20,
    /** Storage is too small or not aligned, or holds no transcoder. */
    PLACEMAT_BAD_STORAGE = 21,
    /** Input, room and storage overlap. */
    PLACEMAT_OVERLAP = 22,
    /** A label from an untrusted source asks for an encoding that is not safe to take from one. */
    PLACEMAT_UNSAFE_ENCODING = 23,
    /**
     * The text seems to be something else than UTF-8 with a few errors, so a repair would do harm.
     */
    PLACEMAT_REFUSED = 24,
    /**
     * A fault of the library itself, which is worth a report. What was written is not to be used.
     */
    PLACEMAT_INTERNAL = 25,
} placemat_status;

/** The name of a status, such as "PLACEMAT_OK"; NULL for a number that is none. It is static. */
const char *placemat_status_name(uint32_t status);

/**
 * What a status says, in a few English words in lower case; NULL for a number that is none. It is
 * static.
 */
const char *placemat_status_message(uint32_t status);

/** What is wrong with a text, in the terms of the standards. The numbers are fixed. */
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
 * The name of a placemat_kind, as the command prints it: "overlong"; NULL for 0 and for a number
 * that is none. It is static.
 */
const char *placemat_kind_name(uint32_t kind);

/**
 * One malformed sequence, or one character that the target cannot hold.
 *
 * In UTF-8 the length is that of the maximal subpart (Unicode 3.9, D93b), as the WHATWG Encoding
 * Standard counts.
 */
typedef struct placemat_error {
    /** Its first byte, counted from 0 from the start of the text (of all chunks together). */
    uint64_t offset;
    /** How many bytes it has. */
    uint32_t length;
    /** What is wrong. */
    placemat_kind kind;
} placemat_error;

/* Encodings ==================================================================== */

/**
 * An encoding, as a number; 0 is none.
 *
 * The forms of Unicode have fixed numbers, those of placemat_form. Every other encoding gets a
 * number of this library when the program runs: ask for it by name, and store the name, not the
 * number.
 */
typedef uint32_t placemat_encoding;

/**
 * The forms of Unicode, and the single-byte encodings that the core knows. After the second
 * underscore of a name comes its profile, a named departure from the strict form. The numbers are
 * fixed: none changes or goes; new ones may come.
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
 * The encoding of a name that a person typed: "utf-8", "UTF 16 LE", "latin1", "shift_jis"; 0 if it
 * means nothing, or is NULL.
 *
 * The name ends with a NUL and is read as PLACEMAT_LABELS_LENIENT reads labels.
 * Cost: one look into a table of hashes.
 * Pointers: `name` is NULL or ends with a NUL.
 */
placemat_encoding placemat_encoding_by_name(const char *name);

/**
 * The canonical name of an encoding: "utf-16le", "mutf-8/java", "koi8-r"; NULL for a number that is
 * none. It is static.
 */
const char *placemat_encoding_name(placemat_encoding encoding);

/**
 * Whether an encoding is a form: one that every function takes. Others are taken by those that
 * allocate.
 */
bool placemat_encoding_is_form(placemat_encoding encoding);

/**
 * Every encoding that this library converts, forms first: the first `room` of them into
 * `encodings`. Returns how many there are.
 *
 * Nothing is written if `encodings` is NULL.
 * Pointers: `encodings` is NULL or leads to room for `room` numbers.
 */
size_t placemat_encodings(placemat_encoding *encodings,
                          size_t room);

/** What can be said of a form. */
typedef struct placemat_facts {
    /** The least bytes that a code point takes. */
    uint8_t least;
    /** The most bytes that a code point takes (UTF-7 counts its shifts). */
    uint8_t most;
    /** Bytes 00 to 7F are exactly the ASCII characters, wherever they stand. */
    bool ascii_transparent;
    /**
     * From any byte (in UTF-16 and UTF-32 any code unit) the next boundary can be found without
     * reading from the start.
     */
    bool self_synchronising;
    /** Texts compared byte by byte are in the order of their code points. */
    bool order_preserving;
} placemat_facts;

/**
 * What can be said of a form.
 *
 * Errors: PLACEMAT_UNKNOWN_ENCODING for what is no form, PLACEMAT_NULL_POINTER.
 * Pointers: `facts` is NULL or leads to a placemat_facts.
 */
placemat_status placemat_form_facts(placemat_encoding form, placemat_facts *facts);

/**
 * Who reads labels. The same label means different things to different readers: `latin1` is ISO
 * 8859-1 to IANA and windows-1252 to the web.
 */
typedef enum placemat_labels {
    /**
     * placemat's own names, then those of IANA, of the web, and unofficial ones. Spaces, `_` and
     * `-` do not matter.
     */
    PLACEMAT_LABELS_LENIENT = 0,
    /** The names and aliases of the IANA registry. */
    PLACEMAT_LABELS_IANA = 1,
    /** The 228 labels of the WHATWG Encoding Standard, and what browsers mean by them. */
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
 * What a label of a document means to a reader, a placemat_labels.
 *
 * White space around the label and the case of its letters do not matter. A label that WHATWG gives
 * to "replacement" has a number, which no function converts.
 * Errors: PLACEMAT_UNKNOWN_ENCODING if it means nothing to that reader (`*encoding` is 0 then),
 * PLACEMAT_UNKNOWN_VALUE for an unknown reader, PLACEMAT_NULL_POINTER.
 * Cost: one pass over the label, of which no more than 256 bytes matter.
 * Pointers: `label` leads to `length` bytes; `encoding` is NULL or leads to a number.
 */
placemat_status placemat_label(uint32_t reader,
                               const void *label,
                               size_t length,
                               placemat_encoding *encoding);

/**
 * The same for a label from an untrusted source, such as a header or a document of the web.
 *
 * UTF-7 can write `<` in ways that a filter does not see, and a lenient profile accepts what the
 * strict form refuses: a label that means either is refused, unless its form is one of the `count`
 * that are `allowed`.
 * Errors: as placemat_label, and PLACEMAT_UNSAFE_ENCODING for what was refused; `*encoding` is 0
 * then.
 * Pointers: As placemat_label; `allowed` leads to `count` numbers.
 */
placemat_status placemat_label_untrusted(uint32_t reader,
                                         const void *label,
                                         size_t length,
                                         const placemat_encoding *allowed,
                                         size_t count,
                                         placemat_encoding *encoding);

/* Is it well-formed ============================================================ */

/**
 * Whether the bytes are well-formed UTF-8 (RFC 3629, Unicode D92). NULL with a length that is not 0
 * is not.
 *
 * Cost: one pass with the vectors of this CPU.
 * Pointers: `data` leads to `length` bytes.
 */
bool placemat_is_valid(const void *data,
                       size_t length);

/**
 * Whether the bytes are well-formed UTF-8, and the first error if not.
 *
 * `error` may be NULL; where nothing is wrong its kind becomes PLACEMAT_NO_ERROR.
 * Errors: PLACEMAT_TEXT_ERROR, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG.
 * Cost: one pass with the vectors of this CPU.
 * Pointers: `data` leads to `length` bytes; `error` is NULL or leads to a placemat_error.
 */
placemat_status placemat_validate(const void *data, size_t length, placemat_error *error);

/**
 * The first error of a text in any form.
 *
 * `error` may be NULL; where nothing is wrong its kind becomes PLACEMAT_NO_ERROR.
 * Errors: PLACEMAT_TEXT_ERROR, PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG.
 * Cost: one pass, up to the error.
 * Pointers: As placemat_validate.
 */
placemat_status placemat_first_error(placemat_encoding form,
                                     const void *data,
                                     size_t length,
                                     placemat_error *error);

/**
 * What placemat_errors calls for each error: true goes on, false ends the search.
 *
 * It must return; it must not throw an exception or jump out.
 */
typedef bool (*placemat_on_error)(const placemat_error *error, void *context);

/**
 * Every error of a text, in order: `call` is called for each, with `context`, until it returns
 * false.
 *
 * The error that `call` is handed is its own until it returns. `count` may be NULL; it becomes the
 * number of calls. Returns PLACEMAT_OK, also where there are errors.
 * Errors: PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG.
 * Cost: one pass, and the calls.
 * Pointers: `data` leads to `length` bytes, also during the calls; `count` is NULL or leads to a
 * number.
 */
placemat_status placemat_errors(placemat_encoding form,
                                const void *data,
                                size_t length,
                                placemat_on_error call,
                                void *context,
                                uint64_t *count);

/**
 * Every error of a text, in order: the first `room` of them into `errors`. `*count` becomes how
 * many there are, which may be more.
 *
 * `errors` may be NULL if `room` is 0; `count` may be NULL. Returns PLACEMAT_OK, also where there
 * are errors.
 * Errors: PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG.
 * Cost: one pass.
 * Pointers: `data` leads to `length` bytes, `errors` to room for `room` errors; `count` is NULL or
 * leads to a number.
 */
placemat_status placemat_errors_into(placemat_encoding form,
                                     const void *data,
                                     size_t length,
                                     placemat_error *errors,
                                     size_t room,
                                     uint64_t *count);

/* Counts, boundaries, byte order marks ========================================= */

/**
 * What a text comes to. A malformed sequence counts as one code point and as one unit of UTF-16.
 */
typedef struct placemat_counts {
    /** Code points. */
    uint64_t code_points;
    /** Code units that the text has in UTF-16. */
    uint64_t utf16_units;
    /** U+000A. */
    uint64_t lines;
    /** Malformed sequences. */
    uint64_t errors;
} placemat_counts;

/**
 * Code points, units of UTF-16, lines and errors of a text.
 *
 * Errors: PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG.
 * Cost: one pass; allocates nothing.
 * Pointers: `data` leads to `length` bytes, `counts` to a placemat_counts.
 */
placemat_status placemat_count(placemat_encoding form,
                               const void *data,
                               size_t length,
                               placemat_counts *counts);

/**
 * The last boundary at or before byte `index`: the start of a character or of an error, or the end.
 *
 * An `index` beyond the end is the end. Malformed bytes are taken; to cut at a boundary cuts no
 * character in two.
 * Errors: PLACEMAT_UNSUITABLE for forms that can only be read from the start (UTF-1, UTF-7, the
 * FSS-UTF of July 1992), PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG.
 * Cost: constant; in UTF-8 it looks at 3 bytes before `index` at most.
 * Pointers: `data` leads to `length` bytes, `boundary` to a number.
 */
placemat_status placemat_boundary_floor(placemat_encoding form,
                                        const void *data,
                                        size_t length,
                                        size_t index,
                                        size_t *boundary);

/**
 * The first boundary at or after byte `index`; the end, for an `index` beyond it. Otherwise as
 * placemat_boundary_floor.
 *
 * Pointers: As placemat_boundary_floor.
 */
placemat_status placemat_boundary_ceil(placemat_encoding form,
                                       const void *data,
                                       size_t length,
                                       size_t index,
                                       size_t *boundary);

/**
 * The first boundary after byte `index`; the end, where there is none. Otherwise as
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
 * The last boundary before byte `index`; 0, where there is none. Otherwise as
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
 * Whether byte `index` is a boundary; the end is one, what is beyond it is none. Otherwise as
 * placemat_boundary_floor.
 *
 * Pointers: `data` leads to `length` bytes, `is_boundary` to a bool.
 */
placemat_status placemat_is_boundary(placemat_encoding form,
                                     const void *data,
                                     size_t length,
                                     size_t index,
                                     bool *is_boundary);

/**
 * The form that a byte order mark at the start announces, or 0: PLACEMAT_UTF_8, PLACEMAT_UTF_16LE,
 * PLACEMAT_UTF_16BE, PLACEMAT_UTF_32LE or PLACEMAT_UTF_32BE.
 *
 * `mark_length` may be NULL; it becomes the length of the mark in bytes, or 0. FF FE 00 00 is the
 * mark of UTF-32, not of UTF-16 before U+0000.
 * Pointers: `data` leads to `length` bytes; `mark_length` is NULL or leads to a number.
 */
placemat_encoding placemat_bom_of(const void *data,
                                  size_t length,
                                  size_t *mark_length);

/* Settings of conversions ====================================================== */

/**
 * What becomes of malformed input. The numbers are fixed; the names of the command are the same in
 * lower case with hyphens.
 */
typedef enum placemat_policy {
    /** Nothing: report the first error and stop. */
    PLACEMAT_STOP = 0,
    /**
     * U+FFFD for each error (the way of Unicode and of the web); `?` where the target lacks it.
     */
    PLACEMAT_REPLACE = 1,
    /** U+FFFD for each byte of an error (Go's `range`). */
    PLACEMAT_REPLACE_BYTE = 2,
    /** U+FFFD for each sequence as its lead byte announced it (Perl). */
    PLACEMAT_REPLACE_SEQUENCE = 3,
    /** U+FFFD for each run of errors (Go's `ToValidUTF8`). */
    PLACEMAT_REPLACE_RUN = 4,
    /** Nothing stands for it. Unsafe behind a filter: it joins what the error kept apart. */
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
 * The name of a placemat_policy, as the command takes it: "replace-byte"; NULL for a number that is
 * none. It is static.
 */
const char *placemat_policy_name(uint32_t policy);

/** What becomes of a character that the target cannot hold. The numbers are fixed. */
typedef enum placemat_unencodable {
    /** Nothing: report it and stop. */
    PLACEMAT_UNENCODABLE_STOP = 0,
    /**
     * The character `replacement` of the settings; if that is 0, U+FFFD, or `?` where the target
     * lacks that.
     */
    PLACEMAT_UNENCODABLE_REPLACE = 1,
    /** Nothing stands for it. */
    PLACEMAT_UNENCODABLE_SKIP = 2,
    /** The text `\u{20ac}`. */
    PLACEMAT_UNENCODABLE_ESCAPE = 3,
    /** The numeric character reference `&#8364;`. */
    PLACEMAT_UNENCODABLE_NCR = 4,
} placemat_unencodable;

/** What becomes of a byte order mark. The numbers are fixed. */
typedef enum placemat_bom {
    /** It stays as it is, and is dropped where the target cannot hold it. */
    PLACEMAT_BOM_KEEP = 0,
    /** One is removed. */
    PLACEMAT_BOM_STRIP = 1,
    /** One is written if there is none; not for a target that has none. */
    PLACEMAT_BOM_ADD = 2,
} placemat_bom;

/**
 * What becomes of errors and of a byte order mark. All zeros (`= {0}`) are the defaults: stop at
 * the first error, keep a mark.
 *
 * PLACEMAT_REPLACE together with PLACEMAT_UNENCODABLE_REPLACE stops nowhere, whatever the
 * encodings.
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
    /** Zeros. */
    uint32_t reserved[4];
} placemat_settings;

/**
 * Set what has a name to the value of a name, as the command's options have them.
 *
 * `name` is "on-error" (a placemat_policy in lower case with hyphens: "replace-byte"),
 * "unencodable" ("stop", "replace", "replace=X" with one character, "skip", "escape", "ncr") or
 * "bom" ("keep", "strip", "add"). `*settings` must hold settings, zeros at least.
 * Errors: PLACEMAT_UNKNOWN_VALUE, with `*settings` as it was, PLACEMAT_NULL_POINTER.
 * Pointers: `settings` is NULL or leads to settings; `name` and `value` are NULL or end with a NUL.
 */
placemat_status placemat_settings_set(placemat_settings *settings,
                                      const char *name,
                                      const char *value);

/* Conversion in memory of the caller =========================================== */

/* Between forms; no function here allocates. */

/** How far one call came. */
typedef struct placemat_step {
    /** Bytes of the input that need not be offered again. */
    size_t read;
    /**
     * Bytes written to the start of the room. What is behind them in it may have been overwritten.
     */
    size_t written;
    /** With PLACEMAT_TEXT_ERROR what is wrong, else of kind PLACEMAT_NO_ERROR. */
    placemat_error error;
} placemat_step;

/**
 * How many bytes a text has in another form, exactly, before it is converted.
 *
 * `settings` may be NULL for the defaults, `error` may be NULL. `*bytes` is written only if all is
 * well.
 * Errors: PLACEMAT_TEXT_ERROR, PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_UNKNOWN_VALUE,
 * PLACEMAT_UNSUITABLE, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG.
 * Cost: one pass; allocates nothing.
 * Pointers: `data` leads to `length` bytes; `settings` and `error` are NULL or lead to what they
 * are named for; `bytes` leads to a number.
 */
placemat_status placemat_length(placemat_encoding from,
                                placemat_encoding to,
                                const placemat_settings *settings,
                                const void *data,
                                size_t length,
                                size_t *bytes,
                                placemat_error *error);

/**
 * Convert a whole text from one form to another: `length` bytes of `data` into `room` bytes of
 * `out`.
 *
 * `settings` may be NULL for the defaults. Returns PLACEMAT_OK when all is converted. With
 * PLACEMAT_NEED_OUTPUT and PLACEMAT_TEXT_ERROR the step says how much of the input was read and how
 * much written: whole characters, to the end of the room, or to the error and with it.
 * placemat_length says how much room is enough.
 * Errors: PLACEMAT_UNKNOWN_ENCODING (also for encodings that are no forms), PLACEMAT_UNKNOWN_VALUE,
 * PLACEMAT_UNSUITABLE, PLACEMAT_OVERLAP, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG; nothing is
 * written then, and the step, if it is one, says so with zeros.
 * Cost: linear, with the vectors of this CPU for frequent pairs; allocates nothing.
 * Pointers: `data` leads to `length` bytes, `out` to room for `room` bytes, `step` to a
 * placemat_step; `settings` is NULL or leads to settings.
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
 * Storage of so many bytes is enough for a transcoder of every version with this
 * PLACEMAT_VERSION_MAJOR.
 */
#define PLACEMAT_TRANSCODER_SIZE 1024

/** Room of so many bytes is enough for a call to make progress. */
#define PLACEMAT_MIN_ROOM 16

/**
 * Converts a stream from one form to another, in chunks of any size. It lives in storage of the
 * caller, holds no memory of its own, and needs no end: give the storage another use when you like.
 *
 * One thread at a time may use it. Its bytes may be copied to other storage that is aligned as
 * well, which makes a second one that continues from the same place.
 */
typedef struct placemat_transcoder placemat_transcoder;

/** The size of a transcoder in bytes; at most PLACEMAT_TRANSCODER_SIZE. */
size_t placemat_transcoder_size(void);

/** The alignment of a transcoder in bytes; at most that of uint64_t. */
size_t placemat_transcoder_align(void);

/**
 * Make a transcoder in `size` bytes of `storage`; `*transcoder` becomes a pointer to it, or NULL.
 *
 * `settings` may be NULL for the defaults. The storage must stay where it is for as long as the
 * transcoder is used.
 * Errors: PLACEMAT_BAD_STORAGE if it is too small or not aligned, PLACEMAT_UNKNOWN_ENCODING (also
 * for encodings that are no forms), PLACEMAT_UNKNOWN_VALUE, PLACEMAT_UNSUITABLE,
 * PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG.
 * Cost: constant; allocates nothing.
 * Pointers: `storage` leads to `size` bytes that nobody else uses while the transcoder is in use;
 * `settings` is NULL or leads to settings; `transcoder` leads to a pointer outside the storage.
 */
placemat_status placemat_transcoder_init(void *storage,
                                         size_t size,
                                         placemat_encoding from,
                                         placemat_encoding to,
                                         const placemat_settings *settings,
                                         placemat_transcoder **transcoder);

/**
 * Convert the next chunk of the input: `length` bytes of `data` into `room` bytes of `out`.
 *
 * Returns PLACEMAT_NEED_INPUT when all of the chunk is read (bytes of an unfinished sequence are
 * kept for the next call); PLACEMAT_NEED_OUTPUT when the room is full, and PLACEMAT_TEXT_ERROR at
 * an error: then offer the rest of the chunk, from `step->read` on, again. After an error this goes
 * on behind it. How the input and the room are divided changes nothing in what is written. No
 * character is written in parts, so fewer than PLACEMAT_MIN_ROOM bytes of room may not be enough
 * for one.
 * Errors: PLACEMAT_BAD_STORAGE, PLACEMAT_OVERLAP, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG; nothing
 * is read or written then, and the step, if it is one, says so with zeros.
 * Cost: linear, with the vectors of this CPU for frequent pairs; allocates nothing.
 * Pointers: `transcoder` is one that placemat_transcoder_init made, in use by this thread alone;
 * `data` leads to `length` bytes, `out` to room for `room` bytes, `step` to a placemat_step.
 */
placemat_status placemat_transcoder_push(placemat_transcoder *transcoder,
                                         const void *data,
                                         size_t length,
                                         void *out,
                                         size_t room,
                                         placemat_step *step);

/**
 * The end of the input: convert what was kept, and write what the target needs at the end of a
 * text.
 *
 * Returns PLACEMAT_OK when all is written: the transcoder is then at the start of a new stream, and
 * another finish writes nothing. After PLACEMAT_NEED_OUTPUT call it again with new room, after
 * PLACEMAT_TEXT_ERROR to go on behind the error.
 * Errors and cost: as placemat_transcoder_push.
 * Pointers: As placemat_transcoder_push.
 */
placemat_status placemat_transcoder_finish(placemat_transcoder *transcoder,
                                           void *out,
                                           size_t room,
                                           placemat_step *step);

/**
 * Start a new stream with the same encodings and settings; what was kept is forgotten, and errors
 * count from 0.
 *
 * Errors: PLACEMAT_BAD_STORAGE, PLACEMAT_NULL_POINTER.
 * Pointers: As placemat_transcoder_push.
 */
placemat_status placemat_transcoder_reset(placemat_transcoder *transcoder);

/**
 * Errors so far: malformed sequences, and characters that the target could not hold. 0 for NULL.
 *
 * Pointers: As placemat_transcoder_push.
 */
uint64_t placemat_transcoder_errors(placemat_transcoder *transcoder);

/**
 * How many bytes of the input are converted: those read, less those of an unfinished sequence. 0
 * for NULL.
 *
 * Pointers: As placemat_transcoder_push.
 */
uint64_t placemat_transcoder_offset(placemat_transcoder *transcoder);

/**
 * The form that the input turned out to have: another than the one asked for only where a byte
 * order mark decides. 0 for NULL.
 *
 * Pointers: As placemat_transcoder_push.
 */
placemat_encoding placemat_transcoder_source(placemat_transcoder *transcoder);

/* What allocates =============================================================== */

/*
 * Every encoding, repair, detection, explanations. A library that was built without the feature
 * "text" lacks this section.
 */

/** Bytes that the library allocated. placemat_buffer_free gives them back; free() must not. */
typedef struct placemat_buffer {
    /**
     * The bytes, and behind them a NUL that `length` does not count. Never NULL where a function
     * says that it fills a buffer.
     */
    uint8_t *data;
    /** How many there are. */
    size_t length;
    /** How many were allocated. */
    size_t capacity;
} placemat_buffer;

/**
 * Give back the bytes of a buffer, and make it empty: `{NULL, 0, 0}`. Nothing happens for NULL and
 * for an empty buffer.
 *
 * Pointers: `buffer` is NULL or leads to a buffer that a function of this library filled, or to
 * zeros.
 */
void placemat_buffer_free(placemat_buffer *buffer);

/**
 * Convert a whole text from any encoding to any other, legacy encodings too.
 *
 * `settings` may be NULL for the defaults. `*out` becomes what was written, also with
 * PLACEMAT_TEXT_ERROR: what precedes the error. `errors` may be NULL; it becomes the number of
 * errors that the settings replaced, or 0 if one stopped it. `error` may be NULL; it becomes the
 * error at which the conversion stopped, counted in bytes of the source.
 * Errors: PLACEMAT_TEXT_ERROR, PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_UNKNOWN_VALUE,
 * PLACEMAT_UNSUITABLE, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG; `*out` is empty then, but for the
 * first.
 * Cost: linear; allocates `*out`, and some 100 KB while it runs between other encodings than forms.
 * Pointers: `data` leads to `length` bytes, `out` to a placemat_buffer, what it held is lost; the
 * other pointers are NULL or lead to what they are named for.
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
 * Converts a stream from any encoding to any other, in chunks of any size. placemat_converter_free
 * gives it back.
 *
 * One thread at a time may use it.
 */
typedef struct placemat_converter placemat_converter;

/**
 * Make a converter between any two encodings; `*converter` becomes a pointer to it, or NULL.
 *
 * `settings` may be NULL for the defaults. Give it back with placemat_converter_free.
 * Errors: PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_UNKNOWN_VALUE, PLACEMAT_UNSUITABLE,
 * PLACEMAT_NULL_POINTER.
 * Cost: allocates some 100 KB.
 * Pointers: `settings` is NULL or leads to settings; `converter` leads to a pointer, what it held
 * is lost.
 */
placemat_status placemat_converter_new(placemat_encoding from,
                                       placemat_encoding to,
                                       const placemat_settings *settings,
                                       placemat_converter **converter);

/**
 * Convert the next chunk of the input; `*out` becomes what was written.
 *
 * Returns PLACEMAT_NEED_INPUT, or PLACEMAT_TEXT_ERROR at an error, at which the stream ends: `*out`
 * holds what precedes it, with what the target needs at the end of a text, and every later call
 * answers the same error and writes nothing. `error` may be NULL. How the input is divided changes
 * nothing in what is written.
 * Errors: PLACEMAT_TEXT_ERROR, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG; `*out` is empty then, but
 * for the first.
 * Cost: linear; allocates `*out`.
 * Pointers: `converter` is one that placemat_converter_new made, in use by this thread alone;
 * `data` leads to `length` bytes, `out` to a placemat_buffer, what it held is lost; `error` is NULL
 * or leads to a placemat_error.
 */
placemat_status placemat_converter_push(placemat_converter *converter,
                                        const void *data,
                                        size_t length,
                                        placemat_buffer *out,
                                        placemat_error *error);

/**
 * The end of the input; `*out` becomes what the target needs at the end of a text. What is pushed
 * next begins a new stream.
 *
 * Returns PLACEMAT_OK, or PLACEMAT_TEXT_ERROR as placemat_converter_push.
 * Errors and cost: as placemat_converter_push.
 * Pointers: As placemat_converter_push.
 */
placemat_status placemat_converter_finish(placemat_converter *converter,
                                          placemat_buffer *out,
                                          placemat_error *error);

/**
 * Errors of this stream, or of the one that was just finished, that the settings replaced. 0 for
 * NULL, and for a stream that an error stopped.
 *
 * Pointers: As placemat_converter_push.
 */
uint64_t placemat_converter_errors(placemat_converter *converter);

/**
 * Give back a converter. Nothing happens for NULL.
 *
 * Pointers: `converter` is NULL, or one that placemat_converter_new made and that was not given
 * back.
 */
void placemat_converter_free(placemat_converter *converter);

/**
 * Make well-formed UTF-8 of a text by a policy, a placemat_policy: what is malformed is treated so,
 * whatever it was meant to be.
 *
 * `*out` becomes the text; with PLACEMAT_STOP what precedes the first error. `errors` may be NULL;
 * it becomes how many there were.
 * Errors: PLACEMAT_TEXT_ERROR where the policy stops, PLACEMAT_UNKNOWN_VALUE, PLACEMAT_UNSUITABLE
 * for PLACEMAT_SURROGATEESCAPE, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG; `*out` is empty then, but
 * for the first.
 * Cost: linear; allocates `*out`.
 * Pointers: As placemat_convert.
 */
placemat_status placemat_replace(uint32_t policy,
                                 const void *data,
                                 size_t length,
                                 placemat_buffer *out,
                                 uint64_t *errors);

/** What placemat_repair does besides. The numbers are fixed, and are added up. */
typedef enum placemat_repair_flags {
    /** U+FFFD for what cannot be read otherwise, also where little says that the text is UTF-8. */
    PLACEMAT_REPAIR_LOSSY = 1,
    /** Every lone byte is read as windows-1252. */
    PLACEMAT_REPAIR_CP1252 = 2,
    /** Overlong sequences become what they stand for. Unsafe behind a filter. */
    PLACEMAT_REPAIR_OVERLONG = 4,
    /** C0 80 becomes U+0000. Unsafe behind a filter. */
    PLACEMAT_REPAIR_NUL = 8,
    /** Text that was decoded twice is decoded once. */
    PLACEMAT_REPAIR_MOJIBAKE = 16,
    /** Characters that are not shown, and that their place does not explain, are removed. */
    PLACEMAT_REPAIR_INVISIBLE = 32,
} placemat_repair_flags;

/**
 * Make well-formed UTF-8 of a text and touch nothing else: each malformed run is read as what it
 * was meant to be, where that is likely enough, as the command `placemat repair` does it.
 *
 * `flags` are of placemat_repair_flags, added up, or 0. `second` is the encoding of the runs that
 * are no UTF-8, or 0 to let it be guessed. `*out` becomes the text. `report` may be NULL; it
 * becomes what was changed, with the original bytes, as JSON, one object a line (schema/repair.json
 * of placemat-text), by which placemat_repair_undo puts it back.
 * Errors: PLACEMAT_REFUSED where the text seems to be something else than UTF-8 with a few errors
 * (placemat_detect_json says what), PLACEMAT_UNKNOWN_VALUE, PLACEMAT_UNKNOWN_ENCODING,
 * PLACEMAT_UNSUITABLE for a second encoding that is a form, PLACEMAT_NULL_POINTER,
 * PLACEMAT_TOO_LONG; `*out` is empty then.
 * Cost: linear; allocates `*out`, the report, and for each change some 100 bytes.
 * Pointers: As placemat_convert; `report` is NULL or leads to a placemat_buffer, what it held is
 * lost.
 */
placemat_status placemat_repair(uint32_t flags,
                                placemat_encoding second,
                                const void *data,
                                size_t length,
                                placemat_buffer *out,
                                placemat_buffer *report);

/**
 * Put back what placemat_repair changed in a text, by its report; the text must be as the repair
 * left it.
 *
 * Errors: PLACEMAT_UNKNOWN_VALUE for what is no report of one text, PLACEMAT_REFUSED where the text
 * is not the one that it tells of, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG; `*out` is empty then.
 * Cost: linear; allocates `*out`.
 * Pointers: `report` leads to `report_length` bytes, `data` to `length` bytes, `out` to a
 * placemat_buffer, what it held is lost.
 */
placemat_status placemat_repair_undo(const void *report,
                                     size_t report_length,
                                     const void *data,
                                     size_t length,
                                     placemat_buffer *out);

/**
 * What a text seems to be, as JSON: `{"type":"file","path":"-","encoding":…}`, as
 * schema/detect.json of placemat-text describes it.
 *
 * `is_complete` is false where the bytes are the start of a longer text.
 * Errors: PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG; `*out` is empty then.
 * Cost: linear; allocates `*out`, and less than a megabyte while it runs.
 * Pointers: `data` leads to `length` bytes, `out` to a placemat_buffer, what it held is lost.
 */
placemat_status placemat_detect_json(const void *data,
                                     size_t length,
                                     bool is_complete,
                                     placemat_buffer *out);

/**
 * What bytes say, sequence by sequence, as JSON, one object a line, as schema/explain.json of
 * placemat-text describes it.
 *
 * No more than `limit` objects of the bytes are written, and no more than the first 1,048,576 bytes
 * are read; the last line is the summary.
 * Errors: PLACEMAT_UNKNOWN_ENCODING for what is no form, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG;
 * `*out` is empty then.
 * Cost: linear; allocates `*out`, which is some 500 times as long as the bytes, and as much while
 * it runs.
 * Pointers: As placemat_detect_json.
 */
placemat_status placemat_explain_json(placemat_encoding form,
                                      const void *data,
                                      size_t length,
                                      size_t limit,
                                      placemat_buffer *out);

/**
 * Characters of UTF-8 that are not shown and that their place does not explain, as JSON, one object
 * a line: `{"type":"hidden","offset":…,"length":…,"bytes":"E2 80 8B","kind":"zero-width"}`;
 * payloads have `"payload"`, the text that they hide.
 *
 * `kinds` are names with commas between ("bidi-unbalanced,zero-width"), "all", "default", or NULL
 * for the default. Malformed bytes are passed over. Where nothing is found `*out` is the empty
 * text.
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
