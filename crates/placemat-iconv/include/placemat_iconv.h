/* The functions of libplacemat_iconv.so: POSIX's iconv, and GNU libiconv's names and requests. <iconv.h> may be included too. */
#ifndef PLACEMAT_ICONV_H
#define PLACEMAT_ICONV_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void *iconv_t;

/* The version of GNU libiconv whose functions these are: 0x0112. */
extern int _libiconv_version;

/* Opens a descriptor for conversions from `fromcode` to `tocode`, which may end with //IGNORE, //TRANSLIT and //NON_IDENTICAL_DISCARD.
   An empty name is the codeset of the locale. Close the descriptor with iconv_close.
   Errors: (iconv_t)-1 with errno EINVAL for an unknown name and for NULL, EMFILE for too many open descriptors.
   Threads: descriptors are independent of each other. Cost: allocates 5 KiB; the first use of a legacy encoding fills its tables. */
iconv_t iconv_open(const char *tocode, const char *fromcode);

/* Converts `*inbytesleft` bytes at `*inbuf` into the room of `*outbytesleft` bytes at `*outbuf`; all four are updated by what was read and
   written. If `inbuf` or `*inbuf` is NULL: returns to the initial state, after writing the bytes that lead there if there is a room.
   Returns the number of characters that were replaced, transliterated or left out.
   Errors: (size_t)-1 with errno E2BIG for a full room, EILSEQ for a malformed sequence, EINVAL for one that the input does not finish: the
   input then points to the sequence. EBADF if the descriptor is not open or another thread uses it, EFAULT for a missing pointer.
   After the bytes that were written, the room may be overwritten. Cost: linear; allocates only if input and room overlap. */
size_t iconv(iconv_t cd, char **inbuf, size_t *inbytesleft, char **outbuf, size_t *outbytesleft);

/* Closes a descriptor. Errors: -1 with errno EBADF, as for iconv. */
int iconv_close(iconv_t cd);

/* Requests of iconvctl. `argument` points to an int, which is set or read. */
#define ICONV_TRIVIALP 0
#define ICONV_GET_TRANSLITERATE 1
#define ICONV_SET_TRANSLITERATE 2
#define ICONV_GET_DISCARD_ILSEQ 3
#define ICONV_SET_DISCARD_ILSEQ 4
#define ICONV_GET_DISCARD_INVALID 11
#define ICONV_SET_DISCARD_INVALID 12
#define ICONV_GET_DISCARD_NON_IDENTICAL 13
#define ICONV_SET_DISCARD_NON_IDENTICAL 14

/* Gets or sets what to do with characters that cannot be converted. Errors: -1 with errno EINVAL for other requests and for NULL, EBADF as
   for iconv. */
int iconvctl(iconv_t cd, int request, void *argument);

/* Calls `do_one` with the names of each encoding, until it returns a value other than 0. The names live until it returns. */
void iconvlist(int (*do_one)(unsigned int namescount, const char *const *names, void *data), void *data);

/* The same under the names that GNU libiconv exports. */
iconv_t libiconv_open(const char *tocode, const char *fromcode);
size_t libiconv(iconv_t cd, char **inbuf, size_t *inbytesleft, char **outbuf, size_t *outbytesleft);
int libiconv_close(iconv_t cd);
int libiconvctl(iconv_t cd, int request, void *argument);
void libiconvlist(int (*do_one)(unsigned int namescount, const char *const *names, void *data), void *data);

#ifdef __cplusplus
}
#endif

#endif
