/* SPDX-License-Identifier: Apache-2.0 */
/* Edits of a table set matter to every part of tables/, so that what is tried with one is tried with others. Parts that
 * go over all rows take ten times as long and come more seldom. */
#include "fuzz.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static const uint8_t part[] = {0, 1, 1, 1, 2, 2, 2, 3, 4, 4, 5, 5, 6, 7, 7, 7};      /* as exercise() numbers them */
    size = LLVMFuzzerMutate(data, size, most);
    if (size)
        data[0] = (uint8_t)(3 * part[seed % 16] + seed / 16 % 3);
    return size;
}
