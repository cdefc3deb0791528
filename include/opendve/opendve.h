/* SPDX-License-Identifier: Apache-2.0 */
/* Everything: see the single headers. */
#ifndef OPENDVE_H
#define OPENDVE_H

#include <opendve/check.h>
#include <opendve/codec.h>
#include <opendve/firmware.h>
#include <opendve/host.h>
#include <opendve/isa.h>
#include <opendve/lane.h>
#include <opendve/layout.h>
#include <opendve/lower.h>
#include <opendve/machine.h>
#include <opendve/neff.h>
#include <opendve/num.h>
#include <opendve/simd.h>
#include <opendve/state.h>
#include <opendve/status.h>
#include <opendve/tables.h>
#include <opendve/text.h>
#include <opendve/topk.h>
#include <opendve/version.h>

#endif
