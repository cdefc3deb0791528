#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/lower/test.sh PROGRAM: its lowering against the oracle of this folder, which is checked first.
set -euo pipefail
export PYTHONDONTWRITEBYTECODE=1
here=$(dirname "$0")
program=$1
python=/usr/bin/python3
if ! $python -c 'import numpy' 2>/dev/null; then
    echo "skipped: $python has no NumPy (python3-numpy)"
    exit 77
fi
$python "$here/self_check.py"
$python "$here/odd.py" "$program"
exec "$here/compare.sh" "$program" "${OPENDVE_SPECS:-200}" "${OPENDVE_SEED:-1}"
