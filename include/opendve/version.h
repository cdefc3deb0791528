/* SPDX-License-Identifier: Apache-2.0 */
/* Which version this header belongs to, and which one is linked. They differ where a program runs with another shared
 * library than it was built with; 0.N.x all have one interface. */
#ifndef OPENDVE_VERSION_H
#define OPENDVE_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

#define DVE_VERSION_MAJOR 0
#define DVE_VERSION_MINOR 1
#define DVE_VERSION_PATCH 0
#define DVE_VERSION "0.1.0"

/* DVE_VERSION of the library that is linked. */
const char *dve_version(void);

#ifdef __cplusplus
}
#endif
#endif
