/* SPDX-License-Identifier: Apache-2.0 */
/* Plans as files, and the arrays that they work on. Messages are printed here. */
#ifndef DVE_CLI_PLAN_JSON_H
#define DVE_CLI_PLAN_JSON_H

#include "cli.h"
#include "io/npy.h"
#include "io/outfile.h"

/* The outputs of --plan P.json: the plan, and its records beside it in P.bin. */
typedef struct cli_plan_files {
    unsigned json, bin;
} cli_plan_files;

/* Opens both. DVE_E_USAGE unless the name ends in .json. */
dve_status cli_plan_open(dve_outset *set, const char *path, cli_plan_files *out);
dve_status cli_plan_write(const dve_plan *plan, dve_outset *set, const cli_plan_files *files);

/* Spares the files of a plan that is read from outputs that are opened later. */
dve_status cli_plan_spare(dve_outset *set, const cli_arguments *a, const char *path, dve_error *error);

/* Reads P.json and P.bin and judges everything but the records, which the machine judges as they run.
 * DVE_E_INPUT for what is missing or malformed, the JSON path in the message; *out is then NULL. */
dve_status cli_plan_read(const char *path, dve_plan **out);

/* Reads the input of a plan. Another shape or data type than the plan's: DVE_E_USAGE. On failure *out is
 * zero. `convert` is --convert. */
dve_status cli_plan_input(const dve_plan *plan, const char *path, int convert, dve_array *out);

/* The data type that an array has, or is declared to have: `name` is the value of --dtype or NULL. Raw
 * bits (uint8, uint16, void) may be declared fp8 or bf16; any other dtype is the array's own. */
dve_status cli_array_dtype(const dve_array *array, const char *path, const char *name, uint8_t *out);

/* Appends a whole .npy file of rows x columns elements; bf16 and fp8 come out as unsigned integers. */
dve_status cli_array_write(dve_outset *set, unsigned output, uint8_t dtype, uint64_t rows, uint64_t columns,
                           const void *data);

#endif
