/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DVE_TEXT_F32_H
#define DVE_TEXT_F32_H

#include <stddef.h>
#include <stdint.h>

enum { DVE_F32_NOT, DVE_F32_READ, DVE_F32_TOO_LARGE };

/* The fp32 nearest to a decimal (ties to even), "inf" or "nan", with or without a sign. DVE_F32_NOT: no such
 * text; DVE_F32_TOO_LARGE: it would round to infinity. */
int dve_f32_read(const char *text, size_t length, uint32_t *bits);

#endif
