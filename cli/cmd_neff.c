/* SPDX-License-Identifier: Apache-2.0 */
/* opendve neff: what a compiled package holds. */
#include "neff.h"
#include "commands.h"
#include <string.h>

const cli_option cli_neff_options[] = {
    {"directory", 'C', "DIR", "extract: where files go; the current folder without it, created if missing"},
    {"tables-dir", 0, "DIR2", "extract: also write the table set, as a folder dve_bin_genN in DIR2"},
    {0},
};

static dve_status usage(const cli_arguments *a, int *extract)
{
    if (a->operands != 2)
        return cli_fail(DVE_E_USAGE, "neff takes list or extract and one file, %u words were given: opendve neff %s", a->operands,
                        a->command->synopsis);
    *extract = strcmp(a->operand[0], "extract") == 0;
    if (!*extract && strcmp(a->operand[0], "list") != 0)
        return cli_fail(DVE_E_USAGE, "neff: \"%.100s\" was given, allowed are list and extract", a->operand[0]);
    for (const cli_option *option = cli_neff_options; option->name && !*extract; option++)
        if (cli_flag(a, option->name))
            return cli_fail(DVE_E_USAGE, "neff list: option --%s was given, it is for extract", option->name);
    for (const cli_option *option = cli_neff_options; option->name; option++)
        if (cli_flag(a, option->name) && !*cli_value(a, option->name))
            return cli_fail(DVE_E_USAGE, "option --%s: an empty name was given", option->name);
    return DVE_OK;
}

dve_status cli_neff(const cli_arguments *a)
{
    cli_package neff;
    dve_settings settings;
    int extract = 0;
    uint8_t gen;
    dve_status status = usage(a, &extract);
    if (!status)
        status = cli_gen(a, &gen);               /* before the file is read */
    if (!status)
        status = cli_settings(a, &settings);
    if (status)
        return status;
    status = cli_neff_read(&neff, a->operand[1]);
    if (!status)
        status = cli_neff_gen(&neff, a, NULL);
    if (!status)
        status = extract ? cli_neff_extract(&neff, a) : cli_neff_list(&neff, cli_flag(a, "json"));
    cli_neff_close(&neff);
    return status;
}
