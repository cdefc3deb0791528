/* SPDX-License-Identifier: Apache-2.0 */
/* Little-endian words of 1, 2 and 4 bytes in rows. Adjacent ones have loops of their own, which compilers
 * turn into vectors. */
#include <opendve/num.h>

#include "loops.h"
#include "wire.h"

static inline uint32_t load(uint32_t bytes, const uint8_t *src)
{
    return bytes == 1 ? *src : bytes == 2 ? dve_wire_load16(src) : dve_wire_load32(src);
}

static inline void store(uint32_t bytes, uint32_t bits, uint8_t *dst)
{
    if (bytes == 1) {
        *dst = (uint8_t)bits;
    } else if (bytes == 2) {
        dve_wire_store16(dst, bits);
    } else {
        dve_wire_store32(dst, bits);
    }
}

/* d[i] = s[i] where c[i] is not 0, for words of two widths. Which end of a word comes first does not matter. */
#define BLEND(word, choice)                                     \
    for (size_t i = 0; i < n; i++) {                            \
        word from, to;                                          \
        choice chosen;                                          \
        memcpy(&from, src + i * sizeof from, sizeof from);      \
        memcpy(&to, dst + i * sizeof to, sizeof to);            \
        memcpy(&chosen, choose + i * sizeof chosen, sizeof chosen); \
        to = chosen != 0 ? from : to;                           \
        memcpy(dst + i * sizeof to, &to, sizeof to);            \
    }                                                           \
    break;

void dve_num_blend_bits_n(uint32_t bytes, const uint8_t *restrict src, uint32_t choose_bytes,
                          const uint8_t *restrict choose, size_t n, uint8_t *restrict dst)
{
    switch (bytes * 8 + choose_bytes) {
    case 8 + 1: BLEND(uint8_t, uint8_t)
    case 8 + 2: BLEND(uint8_t, uint16_t)
    case 8 + 4: BLEND(uint8_t, uint32_t)
    case 16 + 1: BLEND(uint16_t, uint8_t)
    case 16 + 2: BLEND(uint16_t, uint16_t)
    case 16 + 4: BLEND(uint16_t, uint32_t)
    case 32 + 1: BLEND(uint32_t, uint8_t)
    case 32 + 2: BLEND(uint32_t, uint16_t)
    case 32 + 4: BLEND(uint32_t, uint32_t)
    default: break;
    }
}

#define FILL(word, choice)                                      \
    for (size_t i = 0; i < n; i++) {                            \
        word to;                                                \
        choice chosen;                                          \
        memcpy(&to, dst + i * sizeof to, sizeof to);            \
        memcpy(&chosen, choose + i * sizeof chosen, sizeof chosen); \
        to = (chosen != 0) != (invert != 0) ? (word)value : to; \
        memcpy(dst + i * sizeof to, &to, sizeof to);            \
    }                                                           \
    break;

void dve_fill_bits_n(uint32_t bytes, uint32_t bits, uint32_t choose_bytes, const uint8_t *restrict choose, int invert,
                     size_t n, uint8_t *restrict dst)
{
    uint32_t value = 0;          /* as it lies in memory */
    uint8_t wire[4];
    dve_wire_store32(wire, bits);
    memcpy(&value, wire, sizeof value);
#if !DVE_WIRE_IS_HOST
    value >>= 8 * (4 - bytes);
#endif
    switch (bytes * 8 + choose_bytes) {
    case 8 + 1: FILL(uint8_t, uint8_t)
    case 8 + 2: FILL(uint8_t, uint16_t)
    case 8 + 4: FILL(uint8_t, uint32_t)
    case 16 + 1: FILL(uint16_t, uint8_t)
    case 16 + 2: FILL(uint16_t, uint16_t)
    case 16 + 4: FILL(uint16_t, uint32_t)
    case 32 + 1: FILL(uint32_t, uint8_t)
    case 32 + 2: FILL(uint32_t, uint16_t)
    case 32 + 4: FILL(uint32_t, uint32_t)
    default: break;
    }
}

uint32_t dve_num_lost_n(const uint32_t *bits, bool is_signed, size_t n)
{
    uint32_t lost = 0;
    for (size_t i = 0; i < n; i++) {
        lost += dve_f32_holds_integer(bits[i], is_signed) ? 0u : 1u;
    }
    return lost;
}

#define LOAD(bytes, step)                                     \
    for (size_t i = 0; i < n; i++) {                          \
        out[i] = load(bytes, src + (ptrdiff_t)i * (step));    \
    }
#define STORE(bytes, step)                                    \
    for (size_t i = 0; i < n; i++) {                          \
        store(bytes, in[i], dst + (ptrdiff_t)i * (step));     \
    }

void dve_num_load_bits_n(uint32_t bytes, const uint8_t *restrict src, ptrdiff_t step, size_t n, uint32_t *restrict out)
{
    const int adjacent = step == (ptrdiff_t)bytes;
    switch (bytes) {
    case 1:
        if (adjacent) {
            LOAD(1, 1)
        } else {
            LOAD(1, step)
        }
        break;
    case 2:
        if (adjacent) {
            LOAD(2, 2)
        } else {
            LOAD(2, step)
        }
        break;
    case 4:
        if (adjacent) {
            LOAD(4, 4)
        } else {
            LOAD(4, step)
        }
        break;
    default:
        for (size_t i = 0; i < n; i++) {
            out[i] = 0;
        }
        break;
    }
}

void dve_num_store_bits_n(uint32_t bytes, const uint32_t *restrict in, size_t n, uint8_t *restrict dst, ptrdiff_t step)
{
    const int adjacent = step == (ptrdiff_t)bytes;
    switch (bytes) {
    case 1:
        if (adjacent) {
            STORE(1, 1)
        } else {
            STORE(1, step)
        }
        break;
    case 2:
        if (adjacent) {
            STORE(2, 2)
        } else {
            STORE(2, step)
        }
        break;
    case 4:
        if (adjacent) {
            STORE(4, 4)
        } else {
            STORE(4, step)
        }
        break;
    default: break;
    }
}
