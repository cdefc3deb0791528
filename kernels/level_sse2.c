/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels with SSE2; CMake gives this file the flags. */
#if defined __x86_64__
#include "v_sse2.h"

#include "element_f32.h"
#include "max8.h"
#include "find.h"
#include "short.h"

#include "element_bf16.h"
#include "max8.h"
#include "find.h"

#include "element_f16.h"
#include "max8.h"
#include "find.h"

const dve_kernels dve_kernels_sse2 = {
    .f32 = {max8_f32, max8_again_f32, changed_f32, find_f32, max8_short_f32},
    .bf16 = {max8_bf16, max8_again_bf16, changed_bf16, find_bf16, NULL},
    .f16 = {max8_f16, max8_again_f16, changed_f16, find_f16, NULL},
};
#else
typedef int dve_no_kernels_sse2;   /* a file must not be empty */
#endif
