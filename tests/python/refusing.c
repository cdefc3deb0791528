/* SPDX-License-Identifier: Apache-2.0 */
/* A library that refuses everything: tests that still pass with it test nothing. */
#include <opendve/opendve.h>
#include <string.h>

dve_status dve_lower(const dve_lower_instruction *instruction, const dve_lower_target *target, dve_record *out,
                     size_t capacity, size_t *count, dve_lower_fault *fault)
{
    (void)instruction, (void)target, (void)out, (void)capacity;
    *count = 0;
    memset(fault, 0, sizeof *fault);
    return DVE_E_FINDING;
}

dve_status dve_machine_run(dve_machine *machine, const dve_record *records, size_t count, dve_stop *stop)
{
    (void)machine, (void)records, (void)count;
    memset(stop, 0, sizeof *stop);
    stop->reason = DVE_REFUSED_ENGINE;
    return DVE_E_FINDING;
}

dve_status dve_plan_run(const dve_plan *plan, dve_machine *machine, const void *input, void *values, void *indices,
                        dve_stop *stop, dve_error *error)
{
    (void)plan, (void)machine, (void)input, (void)values, (void)indices;
    memset(stop, 0, sizeof *stop);
    memset(error, 0, sizeof *error);
    return DVE_E_INTERNAL;
}
