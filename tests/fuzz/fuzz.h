/* SPDX-License-Identifier: Apache-2.0 */
/* What a fuzz target offers; libFuzzer or replay.c calls it. */
#ifndef TEST_FUZZ_H
#define TEST_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
