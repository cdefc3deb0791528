/* SPDX-License-Identifier: Apache-2.0 */
/* Words in wire order (little-endian) at any address, and the two faces of an fp32 value.
 * On a little-endian host a word is one memcpy, which compilers turn into vector loads; anywhere
 * else, and with DVE_PORTABLE_WIRE, it is put together byte by byte. */
#ifndef OPENDVE_NUMERIC_WIRE_H
#define OPENDVE_NUMERIC_WIRE_H

#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && !defined(DVE_PORTABLE_WIRE)
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define DVE_WIRE_IS_HOST 1
#endif
#endif
#ifndef DVE_WIRE_IS_HOST
#define DVE_WIRE_IS_HOST 0
#endif

static inline uint32_t dve_wire_load16(const uint8_t *p)
{
#if DVE_WIRE_IS_HOST
    uint16_t word;
    memcpy(&word, p, sizeof word);
    return word;
#else
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
#endif
}

static inline uint32_t dve_wire_load32(const uint8_t *p)
{
#if DVE_WIRE_IS_HOST
    uint32_t word;
    memcpy(&word, p, sizeof word);
    return word;
#else
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
#endif
}

static inline void dve_wire_store16(uint8_t *p, uint32_t bits)
{
#if DVE_WIRE_IS_HOST
    uint16_t word = (uint16_t)bits;
    memcpy(p, &word, sizeof word);
#else
    p[0] = (uint8_t)bits;
    p[1] = (uint8_t)(bits >> 8);
#endif
}

static inline void dve_wire_store32(uint8_t *p, uint32_t bits)
{
#if DVE_WIRE_IS_HOST
    memcpy(p, &bits, sizeof bits);
#else
    p[0] = (uint8_t)bits;
    p[1] = (uint8_t)(bits >> 8);
    p[2] = (uint8_t)(bits >> 16);
    p[3] = (uint8_t)(bits >> 24);
#endif
}

#endif
