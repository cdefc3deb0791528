# SPDX-License-Identifier: Apache-2.0
# What the packaging tests share: findings are printed and counted, the last line sums up.
export LC_ALL=C
passed=0 failed=0

ok() { # NAME COMMAND...
    local name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED: %s\n' "$name"
    fi
}

same() { # NAME EXPECTED GOT
    ok "$1" test "$2" = "$3"
    [[ $2 == "$3" ]] || diff <(printf '%s\n' "$2") <(printf '%s\n' "$3") || true
}

empty() { # NAME TEXT
    same "$1" '' "$2"
}

finish() {
    printf '%d checks passed, %d failed\n' "$passed" "$failed"
    ((failed == 0))
}
