/* SPDX-License-Identifier: Apache-2.0 */
/* Which loops a config chooses: a level that the build lacks is the plain one. */
#include "loops.h"

extern const dve_loops dve_loops_here_avx2, dve_loops_here_avx512;

const dve_loops *dve_loops_of(const dve_num_config *c)
{
#ifdef DVE_HAS_LEVELS
    if (c->vectors == DVE_VECTORS_AVX512) {
        return &dve_loops_here_avx512;
    }
    if (c->vectors == DVE_VECTORS_AVX2) {
        return &dve_loops_here_avx2;
    }
#else
    (void)c;
#endif
    return &dve_loops_here;
}

void dve_num_load_f32(const dve_num_config *c, uint8_t dtype, const uint8_t *src, ptrdiff_t step, size_t n,
                      uint32_t *out)
{
    dve_loops_of(c)->load(c, dtype, src, step, n, out);
}

void dve_num_store_f32(const dve_num_config *c, uint8_t dtype, const uint32_t *in, size_t n, uint8_t *dst,
                       ptrdiff_t step)
{
    dve_loops_of(c)->store(c, dtype, in, n, dst, step);
}
