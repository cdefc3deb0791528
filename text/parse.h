/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DVE_TEXT_PARSE_H
#define DVE_TEXT_PARSE_H

#include "scan.h"

/* A directive, its dot already taken. Answers DVE_E_USAGE for a source of another generation. */
dve_status dve_parse_directive(dve_scan *s);
/* A record, from its mnemonic to the end of the line. */
void dve_parse_record(dve_scan *s, dve_insn *insn);

#endif
