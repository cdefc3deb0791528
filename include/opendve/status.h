/* SPDX-License-Identifier: Apache-2.0 */
/* What every call can answer. The values are the program's exit codes. */
#ifndef OPENDVE_STATUS_H
#define OPENDVE_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dve_status {
    DVE_OK = 0,
    DVE_E_FINDING = 1,   /* an illegal record, a refused execution, a difference */
    DVE_E_USAGE = 2,     /* an argument outside what the call takes */
    DVE_E_INPUT = 3,     /* an input that cannot be read or is malformed */
    DVE_E_BUDGET = 4,    /* a stated budget was exceeded */
    DVE_E_OUTPUT = 5,    /* an output that cannot be written */
    DVE_E_INTERNAL = 70  /* a defect of this library */
} dve_status;

/* One complete message, as a person should read it. */
typedef struct dve_error {
    char text[512];
} dve_error;

#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
void dve_error_set(dve_error *error, const char *format, ...);

#ifdef __cplusplus
}
#endif
#endif
