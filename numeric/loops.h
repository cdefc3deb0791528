/* SPDX-License-Identifier: Apache-2.0 */
/* What instructions need beside num.h.
 *
 * Chains along several lanes at once. A chain waits for each of its links in turn; those of other lanes fill the
 * time. Each lane gets what the call for one lane in num.h gives it. */
#ifndef OPENDVE_NUMERIC_LOOPS_H
#define OPENDVE_NUMERIC_LOOPS_H

#include <opendve/num.h>

enum {
    DVE_NUM_LANES = 8,           /* at most */
    DVE_NUM_ROW = 256            /* values of a lane at most; rows lie so far apart */
};
typedef struct dve_num_row {
    uint32_t value[DVE_NUM_ROW];
} dve_num_row;

/* out[i] = a[i] op b. No two arrays share bytes. */
void dve_num_alu_scalar_n(uint8_t op, const uint32_t *a, uint32_t b, size_t n, uint32_t *out);

/* dve_num_fold_f32_n, dve_num_scan_f32_n and dve_num_recur_f32_n of lanes 0..lanes-1; acc and s are in and out. */
void dve_num_fold_lanes(uint8_t op, const dve_num_row *t, uint32_t lanes, size_t n, uint32_t *acc);
void dve_num_scan_lanes(uint8_t op, const dve_num_row *t, uint32_t lanes, size_t n, uint32_t *acc, dve_num_row *out);
void dve_num_recur_lanes(uint8_t op0, uint8_t op1, uint8_t reverse, const dve_num_row *a, const dve_num_row *b,
                         uint32_t lanes, size_t n, uint32_t *s, dve_num_row *out);

#endif
