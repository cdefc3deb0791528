/* SPDX-License-Identifier: Apache-2.0 */
/* --simd and --unfused: how searches run on this host. OPENDVE_SIMD is read by dve_machine_new; here it is judged. */
#include "cli.h"
#include <opendve/simd.h>
#include <stdlib.h>
#include <string.h>

static dve_status level_of(const char *what, const char *name, uint8_t *out)
{
    for (uint8_t simd = 0; simd < DVE_SIMD_LEVELS; simd++)
        if (strcmp(name, dve_simd_name(simd)) == 0) {
            *out = simd;
            return dve_simd_supported(simd) ? DVE_OK
                                            : cli_fail(DVE_E_USAGE, "%s: this host has no %s; its best is %s", what, name,
                                                       dve_simd_name(dve_simd_best()));
        }
    return cli_fail(DVE_E_USAGE, "%s: \"%.100s\" was given, allowed are best, scalar, sse2, avx2 and avx512", what, name);
}

dve_status cli_simd(const cli_arguments *a, dve_machine_config *out)
{
    const char *option = cli_value(a, "simd"), *variable = getenv("OPENDVE_SIMD");
    out->unfused = cli_flag(a, "unfused") ? 1 : 0;
    if (option)
        return level_of("option --simd", option, &out->simd);
    return variable ? level_of("OPENDVE_SIMD", variable, &out->simd) : DVE_OK;
}
