/* SPDX-License-Identifier: Apache-2.0 */
#include <opendve/version.h>

/* From the build, not from the header: a test compares the two. */
const char *dve_version(void)
{
    return OPENDVE_VERSION;
}
