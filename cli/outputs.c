/* SPDX-License-Identifier: Apache-2.0 */
#include "outputs.h"

dve_status cli_spare(dve_outset *set, const cli_arguments *a, const char *option, const char *path, dve_error *error)
{
    char what[64];
    snprintf(what, sizeof what, "what %s%s reads", option ? "option --" : "", option ? option : a->command->name);
    return dve_outset_spare(set, path, what, error);
}

dve_status cli_open_output(dve_outset *set, const char *option, const char *path, unsigned *index, dve_error *error)
{
    dve_error why;
    dve_status status = dve_outset_open(set, path, index, &why);
    if (status)
        dve_error_set(error, "%s%s%s%s", status == DVE_E_USAGE ? "option --" : "", status == DVE_E_USAGE ? option : "",
                      status == DVE_E_USAGE ? ": " : "", why.text);
    return status;
}
