#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compare.sh BIN [N [SEED [option...]]]: vectors, defects and N random SPECs (default 500) against BIN; exit 1 at any
# difference.  Options go to compare.py (--no-exec, --no-modes, --exec-only, --keep DIR).
set -eu
here=$(dirname "$0")
bin=${1:?usage: compare.sh BIN [N [SEED [option...]]]}
n=${2:-500}
seed=${3:-1}
[ $# -ge 1 ] && shift
[ $# -ge 1 ] && shift
[ $# -ge 1 ] && shift
python=${PYTHON:-/usr/bin/python3}
exec "$python" "$here/compare.py" "$bin" --random "$n" --seed "$seed" "$@"
