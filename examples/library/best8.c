/* SPDX-License-Identifier: Apache-2.0 */
/* Makes one Max8 record, checks it, runs it on a machine and prints the 8 largest of 12 scores. */
#include <opendve/opendve.h>
#include <stdio.h>
#include <string.h>

enum { SCORES = 12, RESULTS_AT = 64 };    /* bytes of partition 0: scores from 0, results from 64 */

#define SET(field, bits) insn.value[DVE_SLOT_S4D2_BN_##field] = (uint32_t)(bits)

/* Results leave the engine smallest first; a destination that walks backwards holds them largest first. */
static void make_max8(dve_record *out)
{
    dve_place from = {DVE_SPACE_SBUF, 0, 0}, to = {DVE_SPACE_SBUF, 0, RESULTS_AT + 7 * 4};
    dve_insn insn;
    memset(&insn, 0, sizeof insn);
    insn.format = DVE_FORMAT_S4D2_BN;
    SET(opcode, DVE_OPCODE_MAX8), SET(inst_word_len, 16), SET(num_active_channels, 1);
    SET(in_dtype, DVE_DTYPE_FP32), SET(out_dtype, DVE_DTYPE_FP32);
    SET(src_start_addr, dve_place_addr(&from, 3)), SET(src_step0, 1), SET(src_num0, SCORES);
    SET(src_num1, 1), SET(src_num2, 1), SET(src_num3, 1);
    SET(dst_start_addr, dve_place_addr(&to, 3)), SET(dst_step0, 0xffff), SET(dst_num0, 8), SET(dst_num1, 1);
    dve_encode(&insn, out);
}

/* Prints every rule that the record breaks on gen3; how many there are. */
static size_t check(const char *what, const dve_record *record)
{
    dve_insn insn;
    dve_diag broken[DVE_MAX_DIAGS];
    dve_decode(record, &insn);
    size_t count = dve_check(&insn, 3, broken, DVE_MAX_DIAGS);
    printf("%s: %s\n", what, count ? "illegal" : "legal");
    for (size_t i = 0; i < count; i++) {
        char text[DVE_TEXT];
        printf("  %s\n", dve_diag_text(0, &insn, &broken[i], text, sizeof text));
    }
    return count;
}

static int run(dve_machine *machine, const dve_record *record)
{
    static const float scores[SCORES] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
    dve_num_config rounding = {0, 0, 0, 0};
    dve_place place = {DVE_SPACE_SBUF, 0, 0};
    uint32_t active, bits[SCORES];
    uint8_t *bytes = dve_machine_bytes(machine, DVE_SPACE_SBUF, 0, &active);
    memcpy(bits, scores, sizeof bits);
    dve_num_store_f32(&rounding, DVE_DTYPE_FP32, bits, SCORES, bytes, 4);
    dve_machine_mark(machine, &place, sizeof scores);

    dve_stop stop;
    if (dve_machine_run(machine, record, 1, &stop) != DVE_OK)
        return 1;
    float best[8];
    dve_num_load_f32(&rounding, DVE_DTYPE_FP32, bytes + RESULTS_AT, 4, 8, bits);
    memcpy(best, bits, sizeof best);
    printf("the 8 largest:");
    for (int i = 0; i < 8; i++)
        printf(" %g", best[i]);
    printf("\n");
    return 0;
}

int main(void)
{
    dve_record record, wrong;
    make_max8(&record);
    wrong = record;
    wrong.byte[34] = 129;                 /* lanes; there are 128 */
    printf("opendve %s\n", dve_version());
    if (check("record", &record) || !check("with 129 lanes", &wrong))
        return 1;
    dve_machine_config config;
    dve_machine_defaults(&config);
    dve_machine *machine = dve_machine_new(&config);
    int failed = !machine || run(machine, &record);
    dve_machine_free(machine);
    return failed;
}
