/* SPDX-License-Identifier: Apache-2.0 */
/* The machine's state and what every executing file needs of it. */
#ifndef ORACLE_STATE_H
#define ORACLE_STATE_H

#include "oracle_internal.h"

#define ORACLE_LANES 128u
#define ORACLE_KEYS 8u
#define ORACLE_MAX_SEARCH 16384u
#define ORACLE_MAX_WALK 0x400000u /* no operand has more elements here: slow is meant, endless is not */
#define ORACLE_POOL_BYTES 2048u

typedef struct hidden_state {
    uint32_t keys[ORACLE_KEYS];
    uint8_t matched;
    uint32_t flops[ORACLE_KEYS];
    uint32_t accumulator;
} hidden_state;

struct oracle_machine {
    int gen;
    oracle_settings settings;
    uint8_t *memory[2]; /* SBUF, PSUM: the active bytes of all partitions */
    hidden_state hidden[ORACLE_LANES];
    uint32_t registers[64];
    uint8_t mask[32];
    oracle_pool_range pool_range;
    uint8_t pool[ORACLE_LANES][ORACLE_POOL_BYTES];
    oracle_item items[ORACLE_MAX_SEARCH]; /* room for one lane of a search */
};

/* An operand whose address is known. */
typedef struct bound_operand {
    oracle_operand op;
    oracle_place place;
} bound_operand;

/* An immediate whose address is known, if it has one. */
typedef struct bound_scalar {
    int inlined;
    uint32_t word;
    bound_operand at;
} bound_scalar;

int oracle_bind(const oracle_machine *m, const oracle_operand *op, unsigned channels, bound_operand *bound);
int oracle_bind_scalar(const oracle_machine *m, const oracle_scalar *scalar, unsigned channels, bound_scalar *bound);
uint32_t oracle_scalar_bits(oracle_machine *m, const bound_scalar *scalar, unsigned channel);
uint32_t oracle_read(oracle_machine *m, const bound_operand *b, unsigned channel, uint64_t number);
uint32_t oracle_read_fp32(oracle_machine *m, const bound_operand *b, unsigned channel, uint64_t number);
void oracle_write(oracle_machine *m, const bound_operand *b, unsigned channel, uint64_t number, uint32_t bits);
hidden_state *oracle_hidden(oracle_machine *m, const bound_operand *reference, unsigned channel);

/* Every element of the first channels lanes, lane after lane; the caller frees it. */
uint32_t *oracle_read_tile(oracle_machine *m, const bound_operand *b, unsigned channels);

/* One legal record each; they refuse before they write. */
oracle_result oracle_run_search(oracle_machine *m, const uint8_t *r);     /* 6c 6d 6e 6f e9 */
oracle_result oracle_run_cache(oracle_machine *m, const uint8_t *r);      /* 9a e6 */
oracle_result oracle_run_scan(oracle_machine *m, const uint8_t *r);       /* e5 */
oracle_result oracle_run_select(oracle_machine *m, const uint8_t *r);     /* ea */
oracle_result oracle_run_range(oracle_machine *m, const uint8_t *r);      /* bc */
oracle_result oracle_run_drain(oracle_machine *m, const uint8_t *r);      /* 9b */
oracle_result oracle_run_mask(oracle_machine *m, const uint8_t *r);       /* 69 */
oracle_result oracle_run_tile(oracle_machine *m, const uint8_t *r);       /* 6a 6b */
oracle_result oracle_run_copy(oracle_machine *m, const uint8_t *r);       /* 46 47 */
oracle_result oracle_run_predicated(oracle_machine *m, const uint8_t *r); /* 72 99 */
oracle_result oracle_run_pred_scalar(oracle_machine *m, const uint8_t *r); /* e8 */
oracle_result oracle_run_ts_select(oracle_machine *m, const uint8_t *r);  /* 98 */
oracle_result oracle_run_memset(oracle_machine *m, const uint8_t *r);     /* 49 */
oracle_result oracle_run_nonzero(oracle_machine *m, const uint8_t *r);    /* f2 */
oracle_result oracle_run_pool_load(oracle_machine *m, const uint8_t *r);  /* 67 */
oracle_result oracle_run_gather(oracle_machine *m, const uint8_t *r);     /* 68 */
oracle_result oracle_run_indirect(oracle_machine *m, const uint8_t *r);   /* e7 */

#endif
