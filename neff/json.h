/* SPDX-License-Identifier: Apache-2.0 */
/* JSON read where it lies: no tree is built, so that a manifest costs no more memory than its bytes, whatever it says.
 * A document is judged once as a whole; the rest then trusts its form. */
#ifndef DVE_NEFF_JSON_H
#define DVE_NEFF_JSON_H

#include <stddef.h>
#include <stdint.h>

/* One value, without blanks around it. */
typedef struct neff_json {
    const uint8_t *at, *end;
} neff_json;

typedef enum neff_json_verdict { NEFF_JSON_GOOD, NEFF_JSON_WRONG, NEFF_JSON_DEEP } neff_json_verdict;

/* GOOD if the bytes are one RFC 8259 value in UTF-8, nested at most DVE_NEFF_JSON_DEPTH deep; *out is then that value.
 * Else *bad is the offset where that ceased to be possible: WRONG, or DEEP for an array or object that is one too deep. */
neff_json_verdict dve_neff_json_whole(const uint8_t *bytes, size_t size, neff_json *out, size_t *bad);

int dve_neff_json_is_object(neff_json value);
int dve_neff_json_is_array(neff_json value);
int dve_neff_json_is_string(neff_json value);

/* Goes through an object or array: *rest begins as what neff_json_inside answers; 0 at the end. `key` is a string value,
 * not written for an array. */
neff_json dve_neff_json_inside(neff_json container);
int dve_neff_json_next(neff_json *rest, neff_json *key, neff_json *value);

/* The last member of that name, which must be plain ASCII. 0 if there is none, or `object` is no object. */
int dve_neff_json_get(neff_json object, const char *name, neff_json *out);
/* A string's text with a zero behind. 0 if the value is no string, does not fit, or has a zero or half a surrogate pair. */
int dve_neff_json_text(neff_json value, char *out, size_t capacity);

#endif
